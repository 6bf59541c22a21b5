"""Instructions to bytes and bytes to instructions, in process, for every row of every target.

`encode` and `decode` are opposites: what is encoded is what llvm-mc encodes, and what is decoded is what
llvm-objdump reads. How a format and an opcode are added is in docs/adding-an-instruction.md. The size of an
instruction before its branch distance is known is `isa.size.code_bytes`.
"""

from __future__ import annotations

from isa.binary.coder import decoder_of, encoder_of
from isa.binary.listing import instructions, unreadable
from isa.diagnostics import Place
from isa.instruction import Instr
from isa.table import Table
from isa.target import Target

__all__ = ["decode", "encode", "instructions"]


def encode(instr: Instr, target: Target, branch: int | None = None) -> bytes:
    """The bytes of a legal instruction on physical registers.

    `branch` is what takes the place of a `Label`: how many words (4 bytes) the label is after the end of this
    instruction, negative where it is before. InternalError where a label has no distance, or the target has
    no encoding for the row.
    """
    return encoder_of(target.name).encode(instr, branch)


def decode(data: bytes, offset: int, table: Table, place: Place | str = "code") -> tuple[Instr, int]:
    """The instruction that begins at a byte offset of `data`, and its size in bytes.

    A branch has its distance as an `Immediate` of 16 bits, counted in words from the end of the instruction;
    the instruction has no origin. InputError BIN001 names the offset where no instruction of the table
    begins, or the data ends within one; `place` is the file and what the offset counts from.
    """
    found = decoder_of(table).decode(data, offset)
    if found is None:
        raise unreadable(data, offset, table, place)
    return found
