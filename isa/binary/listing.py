"""The instructions of a piece of code, in order."""

from __future__ import annotations

from isa.binary.coder import decoder_of
from isa.diagnostics import InputError, Place
from isa.instruction import Instr, Origin
from isa.table import Table

_SHOWN = 8  # bytes that an error shows


def unreadable(data: bytes, offset: int, table: Table, place: Place | str) -> InputError:
    """The error for bytes at an offset that are not an instruction."""
    shown = data[offset : offset + _SHOWN].hex(" ") or "of nothing"
    return InputError(
        place,
        "BIN001",
        f"the bytes {shown} at offset {offset:#x} are no instruction of {table.target.name}",
        help="check the target: --target names another",
    )


def instructions(code: bytes, first: int, table: Table, place: Place) -> list[tuple[int, Instr]]:
    """Address and instruction of everything in `code`, which begins at the address `first` of the file
    `place`.

    An instruction's origin is its address. Raises InputError BIN001 at an address without an instruction.
    """
    decoder = decoder_of(table)
    listed: list[tuple[int, Instr]] = []
    offset = 0
    while offset < len(code):
        where = Place(f"{place.file}+{first + offset:#x}")
        read = decoder.decode(code, offset)
        if read is None:
            raise unreadable(code, offset, table, where)
        instr, size = read
        listed.append((first + offset, Instr(instr.row, instr.operands, instr.modifiers, Origin("", where))))
        offset += size
    return listed
