"""Source lines of code objects: the source line of each address by the section .debug_line, read through
pyelftools.

The section's line programs are read in turn, since an assembler makes them from `.loc` without the other
sections of debug data. Source: DWARF Debugging Information Format, version 5, section 6.2.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from io import BytesIO
from types import SimpleNamespace
from typing import Any

from msgspec import Struct, field

from isa.diagnostics import Place

_BYTES_OF_LENGTH = 4
_VERSIONS = range(2, 6)
# errors that pyelftools raises for damaged data besides its own
_OF_DAMAGED_DATA = (
    ArithmeticError, AssertionError, LookupError, NotImplementedError, AttributeError, TypeError, ValueError,
)  # fmt: skip


class LineTable(Struct):
    """The source line of the code at each address: `starts` are sorted, and a line extends to the next start;
    None if it is unknown."""

    starts: list[int] = field(default_factory=list)
    places: list[Place | None] = field(default_factory=list)

    def at(self, address: int) -> Place | None:
        """The source line of the instruction at an address."""
        number = bisect_right(self.starts, address) - 1
        return self.places[number] if number >= 0 else None


def line_table(data: bytes) -> LineTable:
    """The lines of an ELF file; empty if it names none, or if its debug data is unreadable, which nothing
    else depends on."""
    if b".debug_line" not in data:  # the name of the section; the readers of debug data take long to load
        return LineTable()
    from elftools.common.exceptions import DWARFError, ELFError
    from elftools.construct import ConstructError

    try:
        # if a sequence ends at the start of another, the start counts
        rows = sorted(_rows(data), key=lambda row: (row[0], row[1] is not None))
    except (ELFError, DWARFError, ConstructError, struct.error, *_OF_DAMAGED_DATA):
        return LineTable()
    return LineTable([address for address, _ in rows], [place for _, place in rows])


def _rows(data: bytes) -> Iterator[tuple[int, Place | None]]:
    """Address and place of every row of every line program; None at the end of a sequence."""
    from elftools.dwarf.structs import DWARFStructs
    from elftools.elf.elffile import ELFFile

    elf: Any = ELFFile(BytesIO(data))
    if elf.get_section_by_name(".debug_line") is None:
        return
    dwarf: Any = elf.get_dwarf_info(relocate_dwarf_sections=False, follow_links=False)
    section = elf.get_section_by_name(".debug_line").data()
    at = 0
    while at + _BYTES_OF_LENGTH + 2 <= len(section):
        length, version = struct.unpack_from("<IH", section, at)
        if version not in _VERSIONS:
            return
        structs = DWARFStructs(little_endian=True, dwarf_format=32, address_size=8, dwarf_version=version)
        yield from _rows_of(dwarf.line_program_for_CU(_Unit(structs, at)))
        at += _BYTES_OF_LENGTH + length


class _Unit:
    """The attributes of a compilation unit that pyelftools reads to find a line program."""

    def __init__(self, structs: object, offset: int) -> None:
        self.structs = structs
        self._top = SimpleNamespace(attributes={"DW_AT_stmt_list": SimpleNamespace(value=offset)})

    def get_top_DIE(self) -> SimpleNamespace:
        return self._top


def _rows_of(program: Any) -> Iterator[tuple[int, Place | None]]:
    files = _file_names(program.header)
    for entry in program.get_entries():
        state = entry.state
        if state is not None:
            known = not state.end_sequence and state.line and state.file in files
            yield int(state.address), Place(files[state.file], state.line, state.column) if known else None


def _file_names(header: Any) -> dict[int, str]:
    """File names by their number, each after its directory unless that is the compiler's own."""
    # directory 0 is the compiler's; before version 5 it is not listed
    first = 0 if header.version >= 5 else 1
    directories = [name.decode(errors="replace") for name in header.include_directory]
    names: dict[int, str] = {}
    for number, entry in enumerate(header.file_entry, first):
        name, directory = entry.name.decode(errors="replace"), entry.dir_index
        names[number] = (
            name if not directory or name.startswith("/") else f"{directories[directory - first]}/{name}"
        )
    return names
