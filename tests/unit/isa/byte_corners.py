"""Where bytes are read otherwise than LLVM's disassembler reads them, and why that is right.

LLVM's disassembler prints some operands otherwise than its assembler does, and it reads much that its assembler never writes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from isa.binary import encode
from isa.constants import BITS
from isa.diagnostics import InputError
from isa.instruction import Immediate, Instr, Kind
from isa.table import Table
from isa.text import parse_instr
from tests.unit.isa.machine_code import Listed

# An instruction that is the same one in both texts: why llvm-objdump spells it otherwise than llvm-mc does.
SPELLINGS: dict[str, Callable[[str, Instr], bool]] = {
    "the disassembler has no sign for the distance of a branch": lambda text, instr: any(
        Kind.LABEL in spec.kinds for spec in instr.row.operands
    ),
    "a literal is marked where its value has an inline form too": lambda text, instr: "lit(" in text,
    "a literal is hexadecimal where a 16-bit operand has no such mark": lambda text, instr: any(
        BITS[spec.type] == 16 and Kind.LITERAL in spec.kinds for spec in instr.row.operands
    ),
    "an offset of 0 beside a register has a bit that says it is there": lambda text, instr: "offset:0x0" in text,
    "the disassembler prints the number of a barrier as 16 bits": lambda text, instr: instr.row.name == "s_barrier_wait",
}


def spells_it_otherwise(text: str, instr: Instr, table: Table) -> bool:
    """Whether llvm-objdump's text means the instruction, in another spelling for one of the reasons."""
    return read(text, table) == instr and any(explains(text, instr) for explains in SPELLINGS.values())


def read(text: str, table: Table) -> Instr | None:
    """What a text of LLVM's means; None where our parser takes it for no instruction."""
    try:
        return parse_instr(text, table, text)
    except InputError:
        return None


class Case(NamedTuple):
    """Bytes that are read otherwise than by LLVM: what LLVM reads in them, what its assembler makes of that text (None where it
    refuses it), and what we read, None where we refuse them."""

    record: bytes
    listed: Listed
    assembled: bytes | None
    ours: Instr | None
    table: Table


def lacks_the_instruction(case: Case) -> bool:
    return case.ours is None and not case.table.named(case.listed.text.split(" ", 1)[0])


def is_no_text(case: Case) -> bool:
    return case.ours is None and case.assembled is None


def is_never_written(case: Case) -> bool:
    return case.ours is None and case.assembled is not None and case.assembled != case.record[: case.listed.size]


def is_left_out(case: Case) -> bool:
    """Whether the row has no such modifier or operand; our parser refuses the text then too."""
    return case.ours is None and case.assembled is not None and read(case.listed.text, case.table) is None


def cuts_a_literal(case: Case) -> bool:
    """Whether a 16-bit operand is the lower half of the literal word."""
    if case.ours is None:
        return False
    word = int.from_bytes(case.record[case.listed.size - 4 : case.listed.size], "little")
    pairs = zip(case.ours.row.operands, case.ours.operands, strict=True)
    return any(BITS[spec.type] == 16 and operand == Immediate(word & 0xFFFF) for spec, operand in pairs)


def is_misread(case: Case) -> bool:
    """Whether what we read has these bytes, and what LLVM reads has not."""
    code = case.record[: case.listed.size]
    return case.ours is not None and case.assembled != code and encode(case.ours, case.table.target) == code


CORNERS: dict[str, Callable[[Case], bool]] = {
    "rows leave graphics out: images, exports, interpolation, formatted buffers, ray tracing": lacks_the_instruction,
    "LLVM's assembler refuses what its disassembler prints": is_no_text,
    "a bit is set that LLVM's assembler never sets, and that its disassembler does not look at for this instruction": is_never_written,
    "rows leave out gds, tfe, signs of packed integers, op_sel of whole registers, and status registers as offsets": is_left_out,
    "a 16-bit operand takes the lower half of a literal, of which LLVM prints all": cuts_a_literal,
    "LLVM's disassembler reads the literal of a dual fma as the number of an inline constant": is_misread,
}


def corner_of(case: Case) -> str | None:
    """The reason for which the bytes are read otherwise; None where it is a fault."""
    return next((reason for reason, holds in CORNERS.items() if holds(case)), None)
