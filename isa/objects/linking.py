"""Object content to a code object, a shared ELF object, in the layout that lld gives it.

The file has, in this order: headers; what is only read (notes, dynamic symbols, constants); code; the dynamic
section, which is only read after loading; what is written; what is not loaded. Each of the four loaded parts
begins a page of its own in memory, at the place in the page that it has in the file. Sources: System V ABI;
AMDGPUUsage, "Code Object"; lld's Writer.cpp.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from isa.diagnostics import InputError, Place
from isa.objects.content import (
    ALLOC,
    EXECUTE,
    MERGE,
    NOBITS,
    NOTE,
    PROGBITS,
    STRINGS,
    WRITE,
    Binding,
    ObjectContent,
    Relocation,
    RelocationKind,
    Section,
    Symbol,
    Visibility,
)
from isa.objects.hashes import gnu_hash_table, in_gnu_order, system_v_hash_table
from isa.objects.strings import StringTable
from isa.target import round_up

PAGE = 0x1000
LINKER = b"Linker: asmgen\0"
_HEADER, _SEGMENT, _SECTION, _SYMBOL = 64, 56, 64, 24  # bytes of the ELF header and of an entry of each table
_SYMTAB, _STRTAB, _HASH, _DYNAMIC, _DYNSYM, _GNU_HASH = 2, 3, 5, 6, 11, 0x6FFFFFF6  # types of sections
_PT_LOAD, _PT_DYNAMIC, _PT_NOTE, _PT_PHDR, _PT_GNU_STACK, _PT_GNU_RELRO = 1, 2, 4, 6, 0x6474E551, 0x6474E552
_READ, _MAY_WRITE, _MAY_EXECUTE = 4, 2, 1  # flags of segments
_DYNAMIC_TAGS = (
    (6, ".dynsym"), (11, ""), (5, ".dynstr"), (10, ""), (0x6FFFFEF5, ".gnu.hash"), (4, ".hash"), (0, ""),
)  # fmt: skip
_DT_SYMENT, _DT_STRSZ = 11, 10
_ABSOLUTE, _UNDEFINED = 0xFFF1, 0
# it tells a linker whether the stack may be executed, and is no part of what is linked
_DROPPED = ".note.GNU-stack"
_SIZES = {RelocationKind.ABSOLUTE_64: 8, RelocationKind.RELATIVE_64: 8}
_ABSOLUTES = (RelocationKind.ABSOLUTE_32, RelocationKind.ABSOLUTE_64)


@dataclass(slots=True)
class _Output:
    """A section of the code object; `parts` says where in it each input section begins."""

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


class _Segment(NamedTuple):
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


def link(content: ObjectContent, place: Place | str) -> bytes:
    """The code object. InputError OBJ001 where an address is asked for that only a loader could know."""
    outputs = _merged(content.sections)
    dynamic = [symbol for symbol in content.symbols if _is_dynamic(symbol)]
    dynamic_names = StringTable()
    for symbol in dynamic:
        _ = dynamic_names.add(symbol.name)
    dynamic = [dynamic[index] for index in in_gnu_order([symbol.name for symbol in dynamic])]
    names = [symbol.name for symbol in dynamic]
    before = [
        *(output for output in outputs if output.type == NOTE and output.flags & ALLOC),
        _Output(
            ".dynsym", _DYNSYM, ALLOC, 8, _SYMBOL, bytes(_SYMBOL * (len(names) + 1)), link=".dynstr", info=1
        ),
        _Output(".gnu.hash", _GNU_HASH, ALLOC, 8, 0, gnu_hash_table(names), link=".dynsym"),
        _Output(".hash", _HASH, ALLOC, 4, 4, system_v_hash_table(names), link=".dynsym"),
        _Output(".dynstr", _STRTAB, ALLOC, 1, 0, dynamic_names.data),
        *_with_flags(outputs, ALLOC),
    ]
    dynamic_section = _Output(
        ".dynamic", _DYNAMIC, ALLOC | WRITE, 8, 16, bytes(16 * len(_DYNAMIC_TAGS)), link=".dynstr"
    )
    padding = _Output(".relro_padding", NOBITS, ALLOC | WRITE, 1)
    code, data = _with_flags(outputs, ALLOC | EXECUTE), _with_flags(outputs, ALLOC | WRITE)
    data.sort(key=lambda output: output.type == NOBITS)
    segments = _laid_out(before, code, dynamic_section, padding, data)
    loaded = [*before, *code, dynamic_section, padding, *data]
    rest = [output for output in outputs if not output.flags & ALLOC]
    if not any(output.name == ".comment" for output in rest):
        rest.append(_Output(".comment", PROGBITS, MERGE | STRINGS, 1, 1))
    comment = next(output for output in rest if output.name == ".comment")
    comment.data = bytes(comment.data) + LINKER
    _relocate([*loaded, *rest], place)
    by_name = {output.name: index for index, output in enumerate([*loaded, *rest], 1)}
    places = _places([*loaded, *rest])
    found = {output.name: output for output in loaded}
    found[".dynsym"].data = bytes(_SYMBOL) + b"".join(
        _packed(symbol, dynamic_names, places, by_name) for symbol in dynamic
    )
    dynamic_section.data = _dynamic_entries(found)
    rest += _symbol_table(content.symbols, dynamic_section, places, by_name)
    return _file(content, [*loaded, *rest], segments)


def _is_dynamic(symbol: Symbol) -> bool:
    return symbol.binding is not Binding.LOCAL and symbol.visibility in (
        Visibility.DEFAULT,
        Visibility.PROTECTED,
    )


def _output_name(section: Section) -> str:
    """Where a section goes: those of code, constants and data whose names have a suffix go with those that
    have none."""
    for stem in (".text", ".rodata", ".data", ".bss"):
        if section.name == stem or section.name.startswith(stem + "."):
            return stem
    return section.name


def _merged(sections: Iterable[Section]) -> list[_Output]:
    """The sections as they are in the code object: those of one name together."""
    outputs: dict[str, _Output] = {}
    for section in sections:
        if section.name == _DROPPED:
            continue
        name = _output_name(section)
        output = outputs.setdefault(
            name, _Output(name, section.type, section.flags, 1, section.entry_size, bytearray())
        )
        if section.entry_size != output.entry_size:
            output.entry_size = 0
        output.flags |= section.flags & (MERGE | STRINGS)
        output.alignment = max(output.alignment, section.alignment)
        start = round_up(output.size, section.alignment)
        output.parts[section.name] = start
        output.relocations += [(start, relocation) for relocation in section.relocations]
        if section.type == NOBITS:
            output.empty_bytes = start + section.size
        else:
            output.data = bytes(output.data).ljust(start, b"\0") + section.data
    return list(outputs.values())


def _with_flags(outputs: Iterable[_Output], flags: int) -> list[_Output]:
    """The sections with data that have these flags of ALLOC, EXECUTE and WRITE, and no others of them."""
    mask = ALLOC | EXECUTE | WRITE
    return [
        output for output in outputs if output.flags & mask == flags and output.type in (PROGBITS, NOBITS)
    ]


def _laid_out(
    before: list[_Output], code: list[_Output], dynamic: _Output, padding: _Output, data: list[_Output]
) -> list[_Segment]:  # fmt: skip
    """Gives every loaded section its address and offset, and makes the program headers."""
    loads = [part for part in (before, code, [dynamic, padding], data) if part]
    notes = [output for output in before if output.type == NOTE]
    count = len(loads) + 4 + (1 if notes else 0)
    end_in_file = end = _HEADER + _SEGMENT * count
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
    loads: list[list[_Output]], dynamic: _Output, padding: _Output, notes: list[_Output], count: int
) -> list[_Segment]:
    size = _SEGMENT * count
    segments = [_Segment(_PT_PHDR, _READ, _HEADER, _HEADER, size, size, 8)]
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
            _Segment(_PT_LOAD, flags, offset, address, in_file, last.address + last.size - address, PAGE)
        )
    of_dynamic = (dynamic.offset, dynamic.address, dynamic.size)
    segments.append(_Segment(_PT_DYNAMIC, _READ | _MAY_WRITE, *of_dynamic, dynamic.size, 8))
    segments.append(_Segment(_PT_GNU_RELRO, _READ, *of_dynamic, dynamic.size + padding.size, 1))
    segments.append(_Segment(_PT_GNU_STACK, _READ | _MAY_WRITE, 0, 0, 0, 0, 0))
    if notes:
        total = notes[-1].address + notes[-1].size - notes[0].address
        segments.append(
            _Segment(
                _PT_NOTE, _READ, notes[0].offset, notes[0].address, total, total,
                max(note.alignment for note in notes),
            )
        )  # fmt: skip
    return segments


def _places(outputs: Iterable[_Output]) -> dict[str, tuple[str, int]]:
    """Of each input section: the output section it is in, and its address."""
    return {
        name: (output.name, output.address + start)
        for output in outputs
        for name, start in output.parts.items()
    }


def _relocate(outputs: list[_Output], place: Place | str) -> None:
    places = _places(outputs)
    loaded = {name: bool(output.flags & ALLOC) for output in outputs for name in output.parts}
    for output in outputs:
        if not output.relocations:
            continue
        data = bytearray(output.data)
        for start, relocation in output.relocations:
            absolute = relocation.kind in _ABSOLUTES
            if absolute and output.flags & ALLOC and loaded.get(relocation.section):
                where = Place(place.file, relocation.line, 1) if isinstance(place, Place) else place
                raise InputError(
                    where, "OBJ001",
                    "the line asks for an address that is known when the code object is loaded, which is "
                    "not written here",
                    help="--assembler clang assembles and links it",
                )  # fmt: skip
            _, base = places[relocation.section]
            at = start + relocation.offset
            value = base + relocation.addend - (0 if absolute else output.address + at)
            if relocation.kind is RelocationKind.RELATIVE_32_HIGH:
                value >>= 32
            size = _SIZES.get(relocation.kind, 4)
            data[at : at + size] = (value & (1 << 8 * size) - 1).to_bytes(size, "little")
        output.data = bytes(data)


def _packed(
    symbol: Symbol, names: StringTable, places: dict[str, tuple[str, int]], indices: dict[str, int]
) -> bytes:
    """One entry of a symbol table."""
    index, value = _ABSOLUTE, symbol.value
    if symbol.section:
        output, base = places[symbol.section]
        index, value = indices[output], base + symbol.value
    info = _binding(symbol) << 4 | symbol.type
    return struct.pack("<IBBHQQ", names.add(symbol.name), info, symbol.visibility, index, value, symbol.size)


def _binding(symbol: Symbol) -> Binding:
    """Who sees the symbol in the code object, where one that is hidden is seen by nobody else."""
    hidden = symbol.visibility in (Visibility.HIDDEN, Visibility.INTERNAL)
    return Binding.LOCAL if hidden else symbol.binding


def _dynamic_entries(found: dict[str, _Output]) -> bytes:
    values = {_DT_SYMENT: _SYMBOL, _DT_STRSZ: found[".dynstr"].size}
    entries = [(tag, found[name].address if name else values.get(tag, 0)) for tag, name in _DYNAMIC_TAGS]
    return b"".join(struct.pack("<QQ", *entry) for entry in entries)


def _symbol_table(
    symbols: tuple[Symbol, ...], dynamic: _Output, places: dict[str, tuple[str, int]], indices: dict[str, int]
) -> list[_Output]:  # fmt: skip
    """.symtab, .shstrtab (still empty) and .strtab: local symbols first, in whose names globals come after
    those of the file."""
    names = StringTable()
    ordered = sorted(symbols, key=lambda symbol: symbol.binding is not Binding.LOCAL)
    for symbol in ordered:
        _ = names.add(symbol.name)
    own = Symbol("_DYNAMIC", ".dynamic", 0, visibility=Visibility.HIDDEN)
    local = [*(symbol for symbol in ordered if _binding(symbol) is Binding.LOCAL), own]
    shared = [symbol for symbol in ordered if _binding(symbol) is not Binding.LOCAL]
    where = {**places, ".dynamic": (".dynamic", dynamic.address)}
    entries = [bytes(_SYMBOL), *(_packed(symbol, names, where, indices) for symbol in (*local, *shared))]
    return [
        _Output(".symtab", _SYMTAB, 0, 8, _SYMBOL, b"".join(entries), link=".strtab", info=len(local) + 1),
        _Output(".shstrtab", _STRTAB, 0, 1),
        _Output(".strtab", _STRTAB, 0, 1, 0, names.data),
    ]


def _file(content: ObjectContent, outputs: list[_Output], segments: list[_Segment]) -> bytes:
    """Everything in its place, then the section headers."""
    names = StringTable()
    name_offsets = [names.add(output.name) for output in outputs]
    indices = {output.name: index for index, output in enumerate(outputs, 1)}
    outputs[indices[".shstrtab"] - 1].data = bytes(names.data)
    image = bytearray(_HEADER)
    for segment in segments:
        image += segment.packed()
    for output in outputs:
        if not output.flags & ALLOC:
            output.offset = round_up(len(image), output.alignment)
        if output.type != NOBITS:
            image = image.ljust(output.offset, b"\0") + output.data
    headers_at = round_up(len(image), 8)
    image = image.ljust(headers_at, b"\0") + bytes(_SECTION)
    for output, name in zip(outputs, name_offsets, strict=True):
        link = indices.get(output.link, 0)
        image += struct.pack(
            "<IIQQQQIIQQ", name, output.type, output.flags, output.address, output.offset, output.size, link,
            output.info, output.alignment, output.entry_size,
        )  # fmt: skip
    ident = b"\x7fELF\x02\x01\x01\x40" + bytes([content.abi_version]) + bytes(7)
    image[:_HEADER] = ident + struct.pack(
        "<HHIQQQIHHHHHH", 3, 224, 1, 0, _HEADER, headers_at, content.flags, _HEADER, _SEGMENT, len(segments),
        _SECTION, len(outputs) + 1, indices[".shstrtab"],
    )  # fmt: skip
    return bytes(image)
