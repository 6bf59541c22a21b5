"""Each `.gen` file here is a graph of matrix products, with launches and tiles of theirs as CHECK lines."""

from __future__ import annotations

from pathlib import Path

import pytest

import asmgen
from asmgen.cli.stages import stage_text
from asmgen.testing import assert_filecheck
from asmgen.verification import hold

FILES = sorted(Path(__file__).parent.glob("*.gen"))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_fusion(path: Path) -> None:
    program = asmgen.compile(path, target="gfx942")
    text = stage_text(program.compilation, "gridwise") + stage_text(program.compilation, "blockwise")
    assert_filecheck(text, path)
    assert not hold(program).is_broken
