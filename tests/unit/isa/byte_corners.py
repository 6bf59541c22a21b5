"""Bytes that are read otherwise than LLVM's disassembler reads them, and why that is right.

LLVM's disassembler prints some operands otherwise than its assembler does, and it reads much that its assembler never writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from isa.binary import encode
from isa.binary.operands import constant_number
from isa.constants import BITS, inline_spelling, parse_constant
from isa.diagnostics import InputError
from isa.instruction import Immediate, Instr, Kind
from isa.table import Table
from isa.text.parsing import parse_instr
from isa.text.printing import format_instr
from tests.unit.isa.machine_code import LONGEST, Listed

_OP_SEL = re.compile(r" op_sel:\[[01,]*\]")
_LATE_BAR = re.compile(r"\|(v\d+), (vcc|vcc_lo)\|")

# An instruction that is the same in both texts: why llvm-objdump spells it otherwise than llvm-mc does.
SPELLINGS: dict[str, Callable[[str, Instr], bool]] = {
    "the disassembler has no sign for the distance of a branch": lambda text, instr: any(Kind.LABEL in spec.kinds for spec in instr.row.operands),
    "a literal is marked where its value has an inline form too": lambda text, instr: "lit(" in text,
    "a literal is hexadecimal where an operand of another width has no such mark": lambda text, instr: any(
        BITS[spec.type] != 32 and Kind.LITERAL in spec.kinds for spec in instr.row.operands
    ),
    "an offset of 0 beside a register has a bit that says it is there": lambda text, instr: "offset:0x0" in text,
    "the disassembler prints the number of a barrier as 16 bits": lambda text, instr: instr.row.name == "s_barrier_wait",
    "the disassembler closes the bars of an absolute value after the VCC that follows": lambda text, instr: _LATE_BAR.search(text) is not None,
}


def spells_it_otherwise(text: str, instr: Instr, table: Table) -> bool:
    """Whether llvm-objdump's text means the instruction, in another spelling for one of the reasons."""
    return read(_LATE_BAR.sub(r"|\1|, \2", text), table) == instr and any(explains(text, instr) for explains in SPELLINGS.values())


def read(text: str, table: Table) -> Instr | None:
    """The meaning of a text of LLVM's; None if our parser takes it for no instruction."""
    try:
        return parse_instr(text, table, text)
    except InputError:
        return None


class Case(NamedTuple):
    """Bytes that are read otherwise than by LLVM: LLVM's instruction, its assembler's bytes of that text, and
    our instruction; None if they are refused."""

    record: bytes
    listed: Listed | None
    assembled: bytes | None
    ours: Instr | None
    table: Table

    @property
    def text(self) -> str:
        return self.listed.text if self.listed else ""

    def lost(self, code: bytes | None) -> int:
        """The bits of the record that other bytes do not have; all if there are none."""
        if code is None:
            return (1 << 8 * LONGEST) - 1
        return int.from_bytes(code, "little") ^ int.from_bytes(self.record[: len(code)], "little")


def lacks_the_instruction(case: Case) -> bool:
    return case.ours is None and not case.table.named(case.text.split(" ", 1)[0])


def is_no_text(case: Case) -> bool:
    return case.ours is None and case.assembled is None


def is_never_written(case: Case) -> bool:
    """Whether either refuses bits that are lost when the other's instruction is written again."""
    if case.ours is None:
        return case.assembled is not None and case.lost(case.assembled) != 0
    return case.listed is None and case.lost(encode(case.ours, case.table.target)) != 0


def is_left_out(case: Case) -> bool:
    """Whether the row has no such modifier or operand; our parser refuses the text then too."""
    without = case.ours is not None and _OP_SEL.sub("", format_instr(case.ours)) == _OP_SEL.sub("", case.text)
    return case.listed is not None and (case.ours is None or without) and read(case.text, case.table) is None


def cuts_a_literal(case: Case) -> bool:
    """Whether a 16-bit operand is the lower half of the literal word."""
    if case.ours is None or case.listed is None:
        return False
    word = int.from_bytes(case.record[case.listed.size - 4 : case.listed.size], "little")
    pairs = zip(case.ours.row.operands, case.ours.operands, strict=True)
    return any(BITS[spec.type] == 16 and operand == Immediate(word & 0xFFFF) for spec, operand in pairs)


def has_a_pattern(case: Case) -> bool:
    """Whether an operand of 16 bits that is no float is the pattern of an inline float."""
    pairs = zip(case.ours.row.operands, case.ours.operands, strict=True) if case.ours else ()
    return any(
        spec.type in ("b16", "i16") and isinstance(one, Immediate) and inline_spelling(one.bits, "f16") in case.text.split()
        for spec, one in pairs
    )


def is_misread(case: Case) -> bool:
    """Whether what we read has these bytes, or more of their bits than what LLVM reads."""
    if case.ours is None or case.listed is None:
        return False
    ours, theirs = case.lost(encode(case.ours, case.table.target)), case.lost(case.assembled)
    return not ours if case.assembled is None else ours != theirs and not ours & ~theirs


def is_a_bare_number(case: Case) -> bool:
    """Whether the texts differ in constants alone, of which LLVM prints the number that the field has."""
    ours, theirs = format_instr(case.ours).split() if case.ours else [], case.text.split()
    pairs = [(one.rstrip(","), other.rstrip(",")) for one, other in zip(ours, theirs, strict=False) if one != other]
    numbers = all(
        other.startswith("0x") and (bits := parse_constant(one, "f32")) is not None and constant_number(bits, "f32") == int(other, 16)
        for one, other in pairs
    )
    return len(ours) == len(theirs) > 0 and numbers


def is_marked(case: Case) -> bool:
    return case.ours is not None and "/*" in case.text


def is_last_trap_triple(case: Case) -> bool:
    """Whether three trap registers are read; LLVM looks for eight, and finds none that begin at the last
    four."""
    return case.listed is None and case.ours is not None and "ttmp[12:14]" in format_instr(case.ours)


def is_of_small_floats(case: Case) -> bool:
    return case.listed is None and case.ours is not None and "f8f6f4" in case.ours.row.name


def is_f64_atomic_with_sc1(case: Case) -> bool:
    text = format_instr(case.ours) if case.ours else ""
    return case.listed is None and "_atomic_" in text and "_f64 a[" in text and text.endswith("sc1")


CORNERS: dict[str, Callable[[Case], bool]] = {
    "rows leave graphics out: images, exports, interpolation, formatted buffers, ray tracing": lacks_the_instruction,
    "LLVM's assembler refuses what its disassembler prints": is_no_text,
    "a bit is set that no assembler sets; LLVM looks at it for some instructions of a format and not for others": is_never_written,
    "rows leave out gds, tfe, signs of packed integers, op_sel of whole registers, and status registers as offsets": is_left_out,
    "a 16-bit operand takes the lower half of a literal, of which LLVM prints all": cuts_a_literal,
    "an inline float of 16 bits is its pattern here if the operand is no float": has_a_pattern,
    "what we read has these bytes; what LLVM reads has not: literals of dual fma, lane controls, op_sel of fmac": is_misread,
    "LLVM prints the number of an inline constant beside DPP8": is_a_bare_number,
    "LLVM misreads lane controls and triples of trap registers, and marks them as invalid": is_marked,
    "LLVM reads triples of trap registers as eights, and refuses the last ones": is_last_trap_triple,
    "LLVM reads v_mfma_..._f8f6f4 with eight registers before it looks at the formats, and refuses the last ones": is_of_small_floats,
    "LLVM drops sc1 of f64 atomics that return AGPRs when it assembles them, and refuses it when it reads them": is_f64_atomic_with_sc1,
}


def corner_of(case: Case) -> str | None:
    """The reason why the bytes are read otherwise; None if it is a fault."""
    return next((reason for reason, holds in CORNERS.items() if holds(case)), None)
