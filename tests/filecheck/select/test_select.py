"""Each `.gen` file here is a `final` module with the machine program that selection makes of it, as CHECK lines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from asmgen.gentext.parser import parse
from asmgen.ir.program import target_of
from asmgen.select import select
from asmgen.testing import assert_filecheck
from isa.mir.printer import print_kernel
from regalloc.verify import verify

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.gen"))


def machine_text(source: str, name: str) -> str:
    """Blocks and instructions of the selected program, without declarations, origins and accesses."""
    program = parse(source, name)
    (module,) = program.modules
    kernel = select(module, target_of(program))
    verify(kernel)
    lines = print_kernel(kernel).splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("block "))
    entry = [line for line in lines if line.startswith("entry ")]
    return "\n".join(re.sub(r" !touches \{[^}]*\}| !origin \[[^]]*\]", "", line) for line in (*entry, *lines[first:])) + "\n"


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_selected_program(path: Path) -> None:
    assert_filecheck(machine_text(path.read_text(encoding="utf-8"), path.name), path, full_lines=True)
