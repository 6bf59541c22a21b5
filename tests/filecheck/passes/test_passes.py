"""Each `.mir` file here names a pass on its first line, and states as CHECK lines the program that the pass makes of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from asmgen.passes.block_order import arrange
from asmgen.passes.combine.combine import combine
from asmgen.passes.motion.invariants import move_invariants
from asmgen.passes.peephole.defaults import set_defaults_first
from asmgen.passes.peephole.peephole import peephole
from asmgen.passes.peephole.splats import read_splats
from asmgen.passes.schedule.modulo.pipeline import pipeline_loops
from asmgen.passes.waits.hazards import insert_nops
from asmgen.passes.waits.waitcnt import insert_waits
from asmgen.testing import assert_filecheck
from isa.mir.parser import parse_kernel
from isa.mir.printer import print_kernel
from isa.program import Kernel
from regalloc.verify import verify

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.mir"))
PASSES: dict[str, Callable[[Kernel], Kernel]] = {
    "combine": combine,
    "invariants": move_invariants,
    "pipeline": lambda kernel: pipeline_loops(kernel, 64)[0],
    "peephole": peephole,
    "splats": read_splats,
    "defaults": set_defaults_first,
    "layout": arrange,
    "waits": insert_waits,
    "nops": insert_nops,
}


def text_after(source: str, name: str) -> str:
    """Blocks and instructions after the pass, without declarations and origins."""
    found = re.match(r"# pass: (\w+)", source)
    assert found is not None, f"{name} names no pass"
    kernel = parse_kernel(source, name)
    result = PASSES[found.group(1)](kernel)
    if kernel.owners:
        verify(kernel)
        verify(result)
    lines = print_kernel(result).splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("block "))
    return "\n".join(re.sub(r" !(origin|comment) (\[[^]]*\]|\"[^\"]*\")", "", line) for line in lines[first:]) + "\n"


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_pass(path: Path) -> None:
    assert_filecheck(text_after(path.read_text(encoding="utf-8"), path.name), path, full_lines=True)
