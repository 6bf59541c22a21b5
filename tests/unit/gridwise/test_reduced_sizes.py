"""The large reductions of `tools.full_size` at sizes that the suite has time for, with the launches and schedules that
the full sizes have, on a target of fewer compute units.
"""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.gridwise.cut import cut
from asmgen.gridwise.printer import print_file
from asmgen.gridwise.program import GridFile
from asmgen.ir.program import Stage
from asmgen.verification.depth import additions
from isa.targets import TargetId, parse_target
from tools.full_size import CASES, MOST_AGAIN, WIDEST, Case, Loads, run, softmax, statistics, total

UNITS = 4
REDUCED = {
    "full_sum of 1 M": total((1 << 17,), (0,)),
    "full_sum of 64 M": total((196608,), (0,)),
    "row_sum 1 x 16 M": total((1, 147456), (1,)),
    "softmax 1 x 16 M": softmax((1, 73728), 1, 2),
    "col_sum 65536 x 256": total((4096, 64), (0,)),
    "col_sum 1 M x 3": total((30000, 3), (0,)),
    "col_sum 8192 x 50257": total((128, 1257), (0,)),
    "softmax over axis 0 of {4096,1024}": softmax((2100, 32), 0, 2),
    "softmax over axis 1 of {64,1024,64}": softmax((8, 128, 64), 1, 1),
    "batch statistics of {32,64,56,56}": statistics((16, 2, 68, 68), (0, 2, 3)),
}


def launches(case: Case, target: TargetId) -> GridFile:
    return cut(parse(case.text, "large.gen"), target).file


def schedules(file: GridFile) -> list[str]:
    return [type(launch.choice).__name__ for launch in file.programs[0].launches]


@pytest.mark.parametrize(("name", "target"), [(name, ("gfx1100", "gfx942")[number % 2]) for number, name in enumerate(CASES)])
def test_a_reduced_size_is_right_and_reads_its_input_as_often(name: str, target: str) -> None:
    real, case = parse_target(target), REDUCED[name]
    file = launches(case, real._replace(target=real.target._replace(compute_units=UNITS)))
    own, full = schedules(file), schedules(launches(CASES[name], real))
    assert (own[0], len(own)) == (full[0], len(full))
    program = asmgen.compile(print_file(file), target=target)
    height = additions(program.compilation.stages.programs[Stage.FINAL])
    for x, judge in case.inputs():
        loads = Loads()
        assert not judge(run(program, x, loads, sanitize=True), height)
        assert loads.bytes[WIDEST] > 0.95 * loads.bytes.total()
        assert loads.bytes.total() <= case.passes * MOST_AGAIN * np.asarray(x).nbytes
