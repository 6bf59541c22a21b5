"""Object content to a code object, a shared ELF object, in lld's layout.

The file has, in this order: headers; read-only data (notes, dynamic symbols, constants); code; the dynamic
section, which is read-only after loading; writable data; sections that are not loaded. Each of the four
loaded parts begins a page of its own in memory, at the same offset in the page as in the file. Sources:
System V ABI; AMDGPUUsage, "Code Object"; lld's Writer.cpp.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

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
    ObjectSymbol,
    RelocationKind,
    Section,
    Visibility,
)
from isa.objects.hashes import gnu_hash_table, in_gnu_order, system_v_hash_table
from isa.objects.section_layout import HEADER, SEGMENT, OutputSection, Segment, laid_out, with_flags
from isa.objects.strings import StringTable
from isa.target import round_up

LINKER = b"Linker: asmgen\0"
_SECTION, _SYMBOL = 64, 24  # bytes of an entry of each table
_SYMTAB, _STRTAB, _HASH, _DYNAMIC, _DYNSYM, _GNU_HASH = 2, 3, 5, 6, 11, 0x6FFFFFF6  # types of sections
_DYNAMIC_TAGS = (
    (6, ".dynsym"), (11, ""), (5, ".dynstr"), (10, ""), (0x6FFFFEF5, ".gnu.hash"), (4, ".hash"), (0, ""),
)  # fmt: skip
_DT_SYMENT, _DT_STRSZ = 11, 10
_ABSOLUTE, _UNDEFINED = 0xFFF1, 0
# it tells a linker whether the stack may be executed, and is not linked itself
_DROPPED = ".note.GNU-stack"
_SIZES = {RelocationKind.ABSOLUTE_64: 8, RelocationKind.RELATIVE_64: 8}
_ABSOLUTES = (RelocationKind.ABSOLUTE_32, RelocationKind.ABSOLUTE_64)


def link(content: ObjectContent, place: Place | str) -> bytes:
    """The code object. Raises InputError OBJ001 for an address that only a loader could know."""
    outputs = _merged(content.sections)
    dynamic = [symbol for symbol in content.symbols if _is_dynamic(symbol)]
    dynamic_names = StringTable()
    for symbol in dynamic:
        _ = dynamic_names.add(symbol.name)
    dynamic = [dynamic[index] for index in in_gnu_order([symbol.name for symbol in dynamic])]
    names = [symbol.name for symbol in dynamic]
    before = [
        *(output for output in outputs if output.type == NOTE and output.flags & ALLOC),
        OutputSection(
            ".dynsym", _DYNSYM, ALLOC, 8, _SYMBOL, bytes(_SYMBOL * (len(names) + 1)), link=".dynstr", info=1
        ),
        OutputSection(".gnu.hash", _GNU_HASH, ALLOC, 8, 0, gnu_hash_table(names), link=".dynsym"),
        OutputSection(".hash", _HASH, ALLOC, 4, 4, system_v_hash_table(names), link=".dynsym"),
        OutputSection(".dynstr", _STRTAB, ALLOC, 1, 0, dynamic_names.data),
        *with_flags(outputs, ALLOC),
    ]
    dynamic_section = OutputSection(
        ".dynamic", _DYNAMIC, ALLOC | WRITE, 8, 16, bytes(16 * len(_DYNAMIC_TAGS)), link=".dynstr"
    )
    padding = OutputSection(".relro_padding", NOBITS, ALLOC | WRITE, 1)
    code, data = with_flags(outputs, ALLOC | EXECUTE), with_flags(outputs, ALLOC | WRITE)
    data.sort(key=lambda output: output.type == NOBITS)
    segments = laid_out(before, code, dynamic_section, padding, data)
    loaded = [*before, *code, dynamic_section, padding, *data]
    rest = [output for output in outputs if not output.flags & ALLOC]
    if not any(output.name == ".comment" for output in rest):
        rest.append(OutputSection(".comment", PROGBITS, MERGE | STRINGS, 1, 1))
    comment = next(output for output in rest if output.name == ".comment")
    comment.data = bytes(comment.data) + LINKER
    _relocate([*loaded, *rest], place)
    by_name = {output.name: index for index, output in enumerate([*loaded, *rest], 1)}
    places = _places([*loaded, *rest])
    by_section = {output.name: output for output in loaded}
    by_section[".dynsym"].data = bytes(_SYMBOL) + b"".join(
        _packed(symbol, dynamic_names, places, by_name) for symbol in dynamic
    )
    dynamic_section.data = _dynamic_entries(by_section)
    rest += _symbol_table(content.symbols, dynamic_section, places, by_name)
    return _file(content, [*loaded, *rest], segments)


def _is_dynamic(symbol: ObjectSymbol) -> bool:
    return symbol.binding is not Binding.LOCAL and symbol.visibility in (
        Visibility.DEFAULT,
        Visibility.PROTECTED,
    )


def _output_name(section: Section) -> str:
    """The output section of a section: sections of code, constants and data lose the suffix of their name."""
    for stem in (".text", ".rodata", ".data", ".bss"):
        if section.name == stem or section.name.startswith(stem + "."):
            return stem
    return section.name


def _merged(sections: Iterable[Section]) -> list[OutputSection]:
    """The sections of the code object: input sections of the same name are merged."""
    outputs: dict[str, OutputSection] = {}
    for section in sections:
        if section.name == _DROPPED:
            continue
        name = _output_name(section)
        output = outputs.setdefault(
            name, OutputSection(name, section.type, section.flags, 1, section.entry_size, bytearray())
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


def _places(outputs: Iterable[OutputSection]) -> dict[str, tuple[str, int]]:
    """Of each input section: the output section it is in, and its address."""
    return {
        name: (output.name, output.address + start)
        for output in outputs
        for name, start in output.parts.items()
    }


def _relocate(outputs: list[OutputSection], place: Place | str) -> None:
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
    symbol: ObjectSymbol, names: StringTable, places: dict[str, tuple[str, int]], indices: dict[str, int]
) -> bytes:
    """An entry of a symbol table."""
    index, value = _ABSOLUTE, symbol.value
    if symbol.section:
        output, base = places[symbol.section]
        index, value = indices[output], base + symbol.value
    info = _binding(symbol) << 4 | symbol.type
    return struct.pack("<IBBHQQ", names.add(symbol.name), info, symbol.visibility, index, value, symbol.size)


def _binding(symbol: ObjectSymbol) -> Binding:
    """The symbol's binding in the code object; a hidden symbol is local."""
    hidden = symbol.visibility in (Visibility.HIDDEN, Visibility.INTERNAL)
    return Binding.LOCAL if hidden else symbol.binding


def _dynamic_entries(outputs: dict[str, OutputSection]) -> bytes:
    values = {_DT_SYMENT: _SYMBOL, _DT_STRSZ: outputs[".dynstr"].size}
    entries = [(tag, outputs[name].address if name else values.get(tag, 0)) for tag, name in _DYNAMIC_TAGS]
    return b"".join(struct.pack("<QQ", *entry) for entry in entries)


def _symbol_table(
    symbols: tuple[ObjectSymbol, ...], dynamic: OutputSection, places: dict[str, tuple[str, int]],
    indices: dict[str, int],
) -> list[OutputSection]:  # fmt: skip
    """.symtab, .shstrtab (still empty) and .strtab. Local symbols come first; in .strtab, the names of
    globals come after the names of the file."""
    names = StringTable()
    ordered = sorted(symbols, key=lambda symbol: symbol.binding is not Binding.LOCAL)
    for symbol in ordered:
        _ = names.add(symbol.name)
    own = ObjectSymbol("_DYNAMIC", ".dynamic", 0, visibility=Visibility.HIDDEN)
    local = [*(symbol for symbol in ordered if _binding(symbol) is Binding.LOCAL), own]
    shared = [symbol for symbol in ordered if _binding(symbol) is not Binding.LOCAL]
    where = {**places, ".dynamic": (".dynamic", dynamic.address)}
    entries = [bytes(_SYMBOL), *(_packed(symbol, names, where, indices) for symbol in (*local, *shared))]
    return [
        OutputSection(
            ".symtab", _SYMTAB, 0, 8, _SYMBOL, b"".join(entries), link=".strtab", info=len(local) + 1
        ),
        OutputSection(".shstrtab", _STRTAB, 0, 1),
        OutputSection(".strtab", _STRTAB, 0, 1, 0, names.data),
    ]


def _file(content: ObjectContent, outputs: list[OutputSection], segments: list[Segment]) -> bytes:
    """Everything in its place, then the section headers."""
    names = StringTable()
    name_offsets = [names.add(output.name) for output in outputs]
    indices = {output.name: index for index, output in enumerate(outputs, 1)}
    outputs[indices[".shstrtab"] - 1].data = bytes(names.data)
    image = bytearray(HEADER)
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
    image[:HEADER] = ident + struct.pack(
        "<HHIQQQIHHHHHH", 3, 224, 1, 0, HEADER, headers_at, content.flags, HEADER, SEGMENT, len(segments),
        _SECTION, len(outputs) + 1, indices[".shstrtab"],
    )  # fmt: skip
    return bytes(image)
