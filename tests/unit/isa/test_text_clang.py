"""Clang's code of simple C kernels is read, and printed as clang prints it, or as llvm-mc does if the two
differ."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from isa.diagnostics import InputError
from isa.table import table_named
from isa.targets import TARGETS
from isa.text.parsing import parse_instr
from isa.text.printing import format_instr
from tests.unit.isa.assembler import assemble_lines

pytestmark = [pytest.mark.broad, pytest.mark.needs_llvm("clang-22", "llvm-mc-22")]

SOURCE = Path(__file__).with_name("clang_kernels.cl")
ORDINARY = ("gfx950", "gfx1201")  # at -O3: test_text_llvm.py has every row of each target
CASES = [
    pytest.param(target, level, marks=() if target in ORDINARY and level == "-O3" else pytest.mark.slow)
    for target in TARGETS
    for level in ("-O1", "-O3")
]
_INSTRUCTION = re.compile(r"\t([a-z]\w*[^;\n]*)")


def instructions(target: str, optimisation: str) -> list[str]:
    """Every distinct instruction of the kernels, as clang spells it."""
    command = [
        "clang-22", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", f"-mcpu={target}", optimisation, "-S", "-nogpulib", "-Xclang",
        "-finclude-default-header", str(SOURCE), "-o", "-",
    ]  # fmt: skip
    assembly = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = (match.group(1).split("//")[0].strip() for line in assembly.splitlines() if (match := _INSTRUCTION.match(line)))
    return list(dict.fromkeys(found))


@pytest.mark.parametrize(("target", "optimisation"), CASES)
def test_clangs_instructions_read_and_print_as_they_are(target: str, optimisation: str) -> None:
    texts = instructions(target, optimisation)
    assert len({text.split()[0] for text in texts}) > 300
    different = {text: printed for text in texts if (printed := read_back(text, target)) != text}
    judged = assemble_lines(list(different), target)
    assert [pair for pair, seen in zip(different.items(), judged, strict=True) if pair[1] != seen.text] == []


def read_back(text: str, target: str) -> str:
    """Our spelling of an instruction, or why it is refused."""
    try:
        return format_instr(parse_instr(text, table_named(target), "clang"))
    except InputError as error:
        return str(error)
