"""Each `.gen` file here is an example of GPU Gen IR, with what our stages print of it as CHECK lines. Its
results are compared with a graph's.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import asmgen
from asmgen.cli.stages import stage_text
from asmgen.compiled import CompiledProgram
from asmgen.gentext.parser import parse
from asmgen.graph.ops import PARAM
from asmgen.graph.reference import compare, evaluate
from asmgen.testing import assert_filecheck
from asmgen.verification.inputs import ordinary_inputs
from tests.conformance.case import Case
from tests.device import chosen_device

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.gen"))
# The graphs of those that have none themselves.
GRAPHS = {
    "block_reduce": "x {1024}; reduce_sum[axes={0}](x)",
    "gather": "data {16}; indices i32 {8}; gather(data, indices)",
    "gather_rows": "data {4,16,8}; indices i64 {2,3}; gather[axis=1](data, indices)",
    "lane_reduce": "x {8,64}; s = reduce_sum[axes={0}](x); reshape[dims={64}](s)",
    "pad": "x {8}; y {12}; p = pad[pads={2,2}](x); add(p, y)",
    "pad_rows": "x {3,5}; pad[pads={1,2,1,1}, value=7](x)",
    "pointwise": "x {16}; y {16}; add(x, y)",
    "reverse": "x {300}; reverse[axes={0}](x)",
    "reverse_rows": "x {3,5}; r = reverse[axes={1}](x); pad[pads={0,1,0,1}](r)",
    "strided_store": "x {128}; r = reshape[dims={64,2}](x); transpose[permutation={1,0}](r)",
    "vectors": "x {1024}; add(x, x)",
    "wave_part": "x {50}; reduce_sum[axes={0}](x)",
    "wave_reduce": "x {64}; reduce_max[axes={0}](x)",
}
LARGE = "column_sums"


def printed(program: CompiledProgram) -> str:
    """Its stages from the first that is ours to the code of a workgroup or a lane."""
    if program.graph is None:
        return stage_text(program.compilation, "lanewise")
    return stage_text(program.compilation, "gridwise") + stage_text(program.compilation, "blockwise")


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_example(path: Path) -> None:
    program = asmgen.compile(path, target="gfx942")
    assert_filecheck(printed(program), path)
    if path.stem != LARGE:
        _hold(program, path.stem)


def _hold(program: CompiledProgram, name: str) -> None:
    graph = program.graph or parse(Case(GRAPHS[name]).graph("f32"), f"{name}.gen")
    parameters = [statement for statement in graph.modules[0].statements if statement.op is PARAM]
    arrays = ordinary_inputs(parameters, 3)
    outputs = program(*arrays, device=chosen_device())
    for expected, output in zip(evaluate(graph, arrays), outputs, strict=True):
        found = compare(expected, np.asarray(output))
        assert not found.is_broken, str(found)


def test_every_example_of_lanes_has_a_graph() -> None:
    assert {path.stem for path in FILES} >= set(GRAPHS)
