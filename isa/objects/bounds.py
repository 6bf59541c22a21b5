"""Checks the headers of an ELF file against the file's bounds before they are used.

Every offset, size and reference to another part is checked once here, so a damaged number is reported with
its own offset in the file (System V ABI, "Object Files").
"""

from __future__ import annotations

import struct

from isa.named_tuple import NamedTuple

_HEADER, _SEGMENT, _SECTION, _SYMBOL = 64, 56, 64, 24  # bytes of the ELF header and of the entries of tables
_CLASS_AT, _DATA_AT, _SEGMENTS_AT, _SECTIONS_AT, _SIZES_AT = 4, 5, 32, 40, 54
_64_BITS, _LITTLE_ENDIAN = 2, 1
# types of sections
_SYMTAB, _STRTAB, _HASH, _NOTE, _NOBITS, _DYNSYM, _GNU_HASH = 2, 3, 5, 7, 8, 11, 0x6FFFFFF6
_OF_SYMBOLS = (_HASH, _GNU_HASH)


class Fault(NamedTuple):
    """A fault, and the offset of the damaged number in the file."""

    offset: int
    why: str

    def __str__(self) -> str:
        return f"{self.why}, at offset {self.offset:#x}"


class _Section(NamedTuple):
    header: int  # the offset of its header
    name: int
    type: int
    offset: int
    size: int
    link: int
    entry_size: int

    @property
    def end(self) -> int:
        return self.offset + self.size


def fault_in(data: bytes) -> Fault | None:
    """The first wrong number in the headers of a file that begins like an ELF file; None if all are right."""
    if len(data) < _HEADER:
        return Fault(len(data), f"the file ends within its header of {_HEADER} bytes")
    if data[_CLASS_AT] != _64_BITS or data[_DATA_AT] != _LITTLE_ENDIAN:
        at = _CLASS_AT if data[_CLASS_AT] != _64_BITS else _DATA_AT
        return Fault(at, f"byte {data[at]} says that it is not a file of 64 bits in little endian")
    return _segments_fault(data) or _sections_fault(data)


def _segments_fault(data: bytes) -> Fault | None:
    (first,) = struct.unpack_from("<Q", data, _SEGMENTS_AT)
    size, count = struct.unpack_from("<HH", data, _SIZES_AT)
    if count and size != _SEGMENT:
        return Fault(_SIZES_AT, f"a program header has {size} bytes, wanted {_SEGMENT}")
    if first + count * _SEGMENT > len(data):
        return Fault(
            _SEGMENTS_AT, f"{count} program headers from {first:#x} on end after the file's {len(data)} bytes"
        )
    for at in range(first, first + count * _SEGMENT, _SEGMENT):
        offset, in_file = struct.unpack_from("<8xQ16xQ", data, at)
        if offset + in_file > len(data):
            return Fault(
                at,
                f"a segment of {in_file} bytes from {offset:#x} on ends after the file's {len(data)} bytes",
            )
    return None


def _sections_fault(data: bytes) -> Fault | None:
    (first,) = struct.unpack_from("<Q", data, _SECTIONS_AT)
    size, count, names = struct.unpack_from("<HHH", data, _SIZES_AT + 4)
    if count and size != _SECTION:
        return Fault(_SIZES_AT + 4, f"a section header has {size} bytes, wanted {_SECTION}")
    if not count or first + count * _SECTION > len(data):
        return Fault(
            _SECTIONS_AT,
            f"{count} section headers from {first:#x} on end after the file's {len(data)} bytes, or are none",
        )
    sections = [_section(data, at) for at in range(first, first + count * _SECTION, _SECTION)]
    if names >= count or sections[names].type != _STRTAB:
        return Fault(_SIZES_AT + 8, f"section {names} should contain the names of sections, but does not")
    for section in sections:
        fault = _section_fault(data, section, sections, names)
        if fault is not None:
            return fault
    return None


def _section(data: bytes, at: int) -> _Section:
    name, type, offset, size, link, entry_size = struct.unpack_from("<II8x8xQQI4x8xQ", data, at)
    return _Section(at, name, type, offset, size, link, entry_size)


def _section_fault(data: bytes, section: _Section, sections: list[_Section], names: int) -> Fault | None:
    if section.type != _NOBITS and section.end > len(data):
        return Fault(
            section.header,
            f"a section of {section.size} bytes from {section.offset:#x} on ends after the file's "
            f"{len(data)} bytes",
        )
    if section.name >= sections[names].size and section.name:
        return Fault(section.header, f"a section's name at {section.name:#x} is after the end of all names")
    if section.link >= len(sections):
        return Fault(section.header, f"a section belongs to section {section.link}, of {len(sections)}")
    if section.type in (_SYMTAB, _DYNSYM):
        return _symbols_fault(data, section, sections)
    if section.type in _OF_SYMBOLS and sections[section.link].type not in (_SYMTAB, _DYNSYM):
        return Fault(section.header, f"a hash table belongs to section {section.link}, which has no symbols")
    return _note_fault(data, section) if section.type == _NOTE else None


def _symbols_fault(data: bytes, section: _Section, sections: list[_Section]) -> Fault | None:
    if section.entry_size != _SYMBOL or section.size % _SYMBOL:
        return Fault(
            section.header,
            f"symbols have {section.entry_size} bytes in a table of {section.size}, wanted {_SYMBOL} each",
        )
    strings = sections[section.link]
    if strings.type != _STRTAB:
        return Fault(
            section.header,
            f"the names of symbols are said to be in section {section.link}, which has no names",
        )
    for at in range(section.offset, section.end, _SYMBOL):
        (name,) = struct.unpack_from("<I", data, at)
        if name and name >= strings.size:
            return Fault(at, f"a symbol's name at {name:#x} is after the end of all names")
    return None


def _note_fault(data: bytes, section: _Section) -> Fault | None:
    at = section.offset
    while at < section.end:
        if at + 12 > section.end:
            return Fault(at, "a note ends after its section")
        name_size, size = struct.unpack_from("<II", data, at)
        end = at + 12 + -(-name_size // 4) * 4 + -(-size // 4) * 4
        if end > -(-section.end // 4) * 4:
            return Fault(at, f"a note of {size} bytes ends after its section")
        at = end
    return None
