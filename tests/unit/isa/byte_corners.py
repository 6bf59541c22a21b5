"""Where bytes are read otherwise than LLVM's disassembler reads them, and why that is right.

LLVM's disassembler prints some operands otherwise than its assembler does, and takes bits that its assembler never sets.
"""

from __future__ import annotations

from collections.abc import Callable

from isa.diagnostics import InputError
from isa.instruction import Instr, Kind
from isa.table import Table
from isa.text import parse_instr

# An instruction that is the same one in both texts: why llvm-objdump spells it otherwise than llvm-mc does.
SPELLINGS: dict[str, Callable[[str, Instr], bool]] = {
    "the disassembler has no sign for the distance of a branch": lambda text, instr: any(
        Kind.LABEL in spec.kinds for spec in instr.row.operands
    ),
    "a literal is marked where its value has an inline form too": lambda text, instr: "lit(" in text,
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
