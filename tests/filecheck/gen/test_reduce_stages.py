"""Each `.gen` file here is a graph with what gridwise, blockwise and lanewise make of it, as CHECK lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from asmgen.frontends.text.parser import parse
from asmgen.frontends.text.printer import print_program
from asmgen.gen.blockwise import blockwise
from asmgen.gen.gridwise import gridwise
from asmgen.gen.lanewise import lanewise
from asmgen.graph.fuse import fuse
from asmgen.testing import assert_filecheck
from isa.targets import parse_target

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.gen"))


def stages(source: str, name: str) -> str:
    """The text of the three stages, one behind the other."""
    target = parse_target("gfx942")
    grid = gridwise(fuse(parse(source, name)), target)
    block = blockwise(grid, target)
    return "\n".join(print_program(program) for program in (grid, block, lanewise(block, target)))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_stages_of_a_reduction(path: Path) -> None:
    assert_filecheck(stages(path.read_text(encoding="utf-8"), path.name), path, full_lines=True)
