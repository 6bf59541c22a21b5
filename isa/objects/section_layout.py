"""The layout of a code object, in lld's order: the places of its sections in the file and in memory, and its
program headers."""

from __future__ import annotations

import struct
from collections.abc import Iterable

from msgspec import Struct, field

from isa.named_tuple import NamedTuple
from isa.objects.content import ALLOC, EXECUTE, NOBITS, NOTE, PROGBITS, WRITE, Relocation
from isa.target import round_up

PAGE = 0x1000
HEADER, SEGMENT = 64, 56  # bytes of the ELF header and of a program header
_PT_LOAD, _PT_DYNAMIC, _PT_NOTE, _PT_PHDR, _PT_GNU_STACK, _PT_GNU_RELRO = 1, 2, 4, 6, 0x6474E551, 0x6474E552
_READ, _MAY_WRITE, _MAY_EXECUTE = 4, 2, 1  # flags of segments


class OutputSection(Struct):
    """A section of the code object; `parts` has the start of each input section in it."""

    name: str
    type: int
    flags: int
    alignment: int
    entry_size: int = 0
    data: bytes | bytearray = b""
    empty_bytes: int = 0
    link: str = ""
    info: int = 0
    parts: dict[str, int] = field(default_factory=dict)
    relocations: list[tuple[int, Relocation]] = field(default_factory=list)
    address: int = 0
    offset: int = 0

    @property
    def size(self) -> int:
        return self.empty_bytes if self.type == NOBITS else len(self.data)


class Segment(NamedTuple):
    type: int
    flags: int
    offset: int
    address: int
    file_size: int
    memory_size: int
    alignment: int

    def packed(self) -> bytes:
        return struct.pack(
            "<IIQQQQQQ", self.type, self.flags, self.offset, self.address, self.address, self.file_size,
            self.memory_size, self.alignment,
        )  # fmt: skip


def with_flags(outputs: Iterable[OutputSection], flags: int) -> list[OutputSection]:
    """The sections with data that have these flags of ALLOC, EXECUTE and WRITE, and no others of them."""
    mask = ALLOC | EXECUTE | WRITE
    return [
        output for output in outputs if output.flags & mask == flags and output.type in (PROGBITS, NOBITS)
    ]


def laid_out(
    before: list[OutputSection], code: list[OutputSection], dynamic: OutputSection, padding: OutputSection,
    data: list[OutputSection],
) -> list[Segment]:  # fmt: skip
    """Gives every loaded section its address and offset, and makes the program headers."""
    loads = [part for part in (before, code, [dynamic, padding], data) if part]
    notes = [output for output in before if output.type == NOTE]
    count = len(loads) + 4 + (1 if notes else 0)
    end_in_file = end = HEADER + SEGMENT * count
    for number, part in enumerate(loads):
        address = round_up(end, PAGE) + end % PAGE if number else end
        for output in part:
            output.address = address = round_up(address, output.alignment)
            output.offset = (
                end_in_file if output.type == NOBITS else end_in_file + (address - end_in_file) % PAGE
            )
            if output is padding:
                padding.empty_bytes = -address % PAGE  # the next part begins as if it were not there
                continue
            address = end = address + output.size
            end_in_file = output.offset + (0 if output.type == NOBITS else output.size)
    return _segments(loads, dynamic, padding, notes, count)


def _segments(
    loads: list[list[OutputSection]],
    dynamic: OutputSection,
    padding: OutputSection,
    notes: list[OutputSection],
    count: int,
) -> list[Segment]:
    size = SEGMENT * count
    segments = [Segment(_PT_PHDR, _READ, HEADER, HEADER, size, size, 8)]
    for number, part in enumerate(loads):
        if not any(output.size for output in part):
            continue  # it is not loaded, and lld leaves its place in the table of segments free
        first, last = part[0], part[-1]
        offset, address = (first.offset, first.address) if number else (0, 0)
        in_file = (
            max(output.offset + (0 if output.type == NOBITS else output.size) for output in part) - offset
        )
        flags = (
            _READ
            | (_MAY_EXECUTE if first.flags & EXECUTE else 0)
            | (_MAY_WRITE if first.flags & WRITE else 0)
        )
        segments.append(
            Segment(_PT_LOAD, flags, offset, address, in_file, last.address + last.size - address, PAGE)
        )
    of_dynamic = (dynamic.offset, dynamic.address, dynamic.size)
    segments.append(Segment(_PT_DYNAMIC, _READ | _MAY_WRITE, *of_dynamic, dynamic.size, 8))
    segments.append(Segment(_PT_GNU_RELRO, _READ, *of_dynamic, dynamic.size + padding.size, 1))
    segments.append(Segment(_PT_GNU_STACK, _READ | _MAY_WRITE, 0, 0, 0, 0, 0))
    if notes:
        total = notes[-1].address + notes[-1].size - notes[0].address
        segments.append(
            Segment(
                _PT_NOTE, _READ, notes[0].offset, notes[0].address, total, total,
                max(note.alignment for note in notes),
            )
        )  # fmt: skip
    return segments
