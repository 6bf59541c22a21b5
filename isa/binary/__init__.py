"""Instructions to bytes and bytes to instructions, in process, for every row of every target.

`encode` and `decode` are inverses: `encode` agrees with llvm-mc and `decode` with llvm-objdump.
docs/adding-an-instruction.md shows how to add a format and an opcode. The size of an
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

    `branch` replaces a `Label`: the number of words (4 bytes) from the end of this instruction to the label,
    negative if it lies before. Raises InternalError if a label has no distance, or if the target has no
    encoding for the row.
    """
    return encoder_of(target.name).encode(instr, branch)


def decode(data: bytes, offset: int, table: Table, place: Place | str = "code") -> tuple[Instr, int]:
    """The instruction that begins at a byte offset of `data`, and its size in bytes.

    A branch has its distance as an `Immediate` of 16 bits, counted in words from the end of the instruction;
    the instruction has no origin. Raises InputError BIN001 with the offset if no instruction of the table
    begins there, or if the data ends within it; `place` is the file and the origin of the offset.
    """
    decoded = decoder_of(table).decode(data, offset)
    if decoded is None:
        raise unreadable(data, offset, table, place)
    return decoded
