"""Which operands may be AGPRs: the rows and LLVM's assembler agree, for each choice of files of an instruction's vector registers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from isa.instruction import Instr, Operand, Register, Row
from isa.operand_check import known_class
from isa.registers import RegisterClass, agpr, physical_class, vgpr
from isa.table import table_named
from isa.text.printing import format_instr
from isa.verify import takes
from tests.unit.isa.assembler import assemble_lines
from tests.unit.isa.samples import base

pytestmark = [pytest.mark.broad, pytest.mark.needs_llvm("llvm-mc-22")]

FILES = {RegisterClass.VGPR: vgpr, RegisterClass.AGPR: agpr}
MOST = 4  # registers whose files are chosen independently; of more, one at a time differs from the others


def choices(count: int) -> Iterator[tuple[RegisterClass, ...]]:
    """Files for so many registers."""
    if count <= MOST:
        yield from product(FILES, repeat=count)
        return
    for common, other in (tuple(FILES), tuple(FILES)[::-1]):
        yield (common,) * count
        yield from ((common,) * i + (other,) + (common,) * (count - 1 - i) for i in range(count))


def in_files(row: Row) -> Iterator[Instr]:
    """A use of a row with its vector registers in each choice of files; tied operands are one register."""
    sample = base(row)
    registers = list(dict.fromkeys(one for one in sample.operands if isinstance(one, Register) and physical_class(one) in FILES))
    for files in choices(len(registers)):
        moved: dict[Operand, Register] = {}
        for number, (register, file) in enumerate(zip(registers, files, strict=True)):
            moved[register] = FILES[file](36 * number, register.count)
        yield Instr(row, tuple(moved.get(one, one) for one in sample.operands), sample.modifiers)


@pytest.mark.parametrize("machine", ["gfx90a", "gfx942", "gfx950"])
def test_files_of_operands(machine: str) -> None:
    wanted = [instr for row in table_named(machine).rows for instr in in_files(row)]
    assembled = assemble_lines([format_instr(instr) for instr in wanted], machine)
    wrong = [
        f"{format_instr(instr)}: {'LLVM takes it' if not line.error else line.error}"
        for instr, line in zip(wanted, assembled, strict=True)
        if takes(instr.row, instr.operands, known_class) is bool(line.error)
    ]
    assert not wrong, f"{len(wrong)} of {len(wanted)}:\n" + "\n".join(wrong[:40])
