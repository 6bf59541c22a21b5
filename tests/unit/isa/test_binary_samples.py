"""Every row's samples on every machine that has it: `isa.binary` gives llvm-mc's bytes for them, and reads them back from these."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from isa.binary import decode, encode
from isa.instruction import Immediate, Instr, Label
from isa.registers import NULL
from isa.table import table_named
from isa.text.printing import format_instr
from tests.rows import MACHINES, rows_in_turn
from tests.unit.isa.machine_code import assembled
from tests.unit.isa.samples import IN_ONE_PROCESS, samples, some_samples

pytestmark = [pytest.mark.broad, IN_ONE_PROCESS, pytest.mark.needs_llvm("llvm-mc-22")]

EVERY = 3  # of the rows that are a machine's in turn


@pytest.mark.parametrize("machine", MACHINES)
def test_samples_have_llvms_bytes(machine: str) -> None:
    hold(machine, [sample for row in rows_in_turn(machine)[::EVERY] for sample in some_samples(row, len(row.mnemonic))])


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
def test_every_sample_has_llvms_bytes(machine: str) -> None:
    hold(machine, [sample for row in table_named(machine).rows for sample in samples(row)])


def hold(machine: str, chosen: Sequence[Instr]) -> None:
    """Encode and decode the samples, apart from those of a label, since only a whole program knows its
    distance."""
    table = table_named(machine)
    instructions = [instr for instr in chosen if not any(isinstance(operand, Label) for operand in instr.operands)]
    texts = [format_instr(instr) for instr in instructions]
    wrong: list[tuple[str, str, str]] = []
    for instr, text, code in zip(instructions, texts, assembled(texts, machine), strict=True):
        ours = encode(instr, table.target)
        if ours != code:
            wrong.append((text, ours.hex(" "), code.hex(" ")))
        read, size = decode(code, 0, table)
        if size != len(code) or (read != instr and not shares_its_bytes(instr, read)):
            wrong.append((text, f"{format_instr(read)}, {size} bytes", code.hex(" ")))
    assert wrong == []


def shares_its_bytes(instr: Instr, read: Instr) -> bool:
    """Whether both are a scalar load without an offset: a register NULL and an immediate 0 are one encoding. Or both are
    a DPP move of every lane with bound_ctrl, which is read as the row without the old value."""
    if read.row.form == "bound":
        return format_instr(instr) == format_instr(read)
    rest = instr.row.name == read.row.name and instr.operands[:-1] == read.operands[:-1] and instr.modifiers == read.modifiers
    return rest and {instr.operands[-1], read.operands[-1]} == {NULL, Immediate(0)}
