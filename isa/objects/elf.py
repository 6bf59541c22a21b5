"""The ELF file that clang and lld make of a kernel, read through pyelftools and msgpack.

Symbols are read here: pyelftools takes 0.2 ms for each. `isa.objects.bounds` has checked their bounds.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from functools import cached_property, lru_cache
from io import BytesIO
from typing import Any

from isa.diagnostics import InputError, Place
from isa.named_tuple import NamedTuple
from isa.objects.bounds import fault_in
from isa.objects.flags import target_of_flags
from isa.objects.metadata import LARGEST_WORKGROUP, KernelMetadata, kernels_of
from isa.targets import TARGETS, TargetId

_EM_AMDGPU = 224
_TYPE_AT, _MACHINE_AT, _SECTIONS_AT, _FLAGS_AT = 16, 18, 40, 48  # offsets in the file's header
_NT_AMDGPU_METADATA = 32
_WRITABLE, _LOADED, _EXECUTABLE = 1, 2, 4  # a section's flags
_SYMBOL = struct.Struct("<IBBHQQ")
_OF_FUNCTION, _OF_SECTION = 2, 3  # types of symbols
_SYMBOLS = ("SHT_SYMTAB", "SHT_DYNSYM")
_LARGEST_IMAGE = 1 << 28  # bytes of sections that are loaded


class LoadedSection(NamedTuple):
    """A loaded section: its address, its bytes, and whether the program may write to it."""

    name: str
    address: int
    content: bytes
    writable: bool


class CodeSection(NamedTuple):
    """A section of code: its address, its bytes, and its symbols by address. `functions` are the addresses of
    function symbols."""

    address: int
    content: bytes
    labels: dict[int, str]
    functions: frozenset[int]


class FunctionExtent(NamedTuple):
    """A function's name, and its start and end address."""

    name: str
    start: int
    end: int


class LoadedRelocation(NamedTuple):
    """A place that a loader fills in: its type's number, the symbol's name and address (None if it is
    undefined), the addend."""

    address: int
    type: int
    symbol: str
    value: int | None
    addend: int


class Symbol(NamedTuple):
    """A symbol: its name, address and size, its type, and the number of its section."""

    name: str
    value: int
    size: int
    type: int
    section: int


def _labels(symbols: list[Symbol], number: int) -> dict[int, str]:
    """The first name of each address in the section of a number."""
    named = [
        symbol
        for symbol in symbols
        if symbol.section == number and symbol.name and symbol.type != _OF_SECTION
    ]
    return {symbol.value: symbol.name for symbol in reversed(named)}


def _function_starts(symbols: list[Symbol], number: int) -> frozenset[int]:
    """The start addresses of functions in the section of a number."""
    return frozenset(
        symbol.value for symbol in symbols if symbol.section == number and symbol.type == _OF_FUNCTION
    )


def _section(section: Any) -> LoadedSection:
    size = int(section["sh_size"])
    if size > _LARGEST_IMAGE:
        raise ValueError(f"section {section.name} has {size} bytes")
    content = bytes(size) if section["sh_type"] == "SHT_NOBITS" else bytes(section.data())
    return LoadedSection(
        str(section.name), int(section["sh_addr"]), content, bool(section["sh_flags"] & _WRITABLE)
    )


def _relocation(entry: Any, symbols: Any) -> LoadedRelocation:
    symbol = symbols.get_symbol(entry["r_info_sym"])
    defined = symbol["st_shndx"] != "SHN_UNDEF" or not entry["r_info_sym"]
    weak = symbol["st_info"]["bind"] == "STB_WEAK"
    value = int(symbol["st_value"]) if defined else 0 if weak else None
    return LoadedRelocation(
        int(entry["r_offset"]), int(entry["r_info_type"]), str(symbol.name), value, int(entry["r_addend"])
    )


def _way_to_object(data: bytes) -> str:
    """The way out for a file that should be a code object and is no ELF file."""
    if data.startswith(b"\x1f\x8b"):
        return "it is compressed: `gunzip -c FILE.gz > FILE.hsaco`"
    is_text = bool(data) and not set(data[:64]) - set(b"\t\n\r") - set(range(32, 127))
    if is_text:
        return "it is text: assembly has the suffix .s"
    return "make it: python -m asmgen kernel FILE.s -o FILE.hsaco"


class ElfObject:
    """The parts of an ELF file that are needed. Raises InputError for a missing part, or out of the file's
    bounds."""

    def __init__(self, data: bytes, place: Place) -> None:
        from elftools.common.exceptions import ELFError
        from elftools.construct import ConstructError
        from elftools.elf.elffile import ELFFile

        self._place = place
        self._data = data
        self.has_metadata = True  # until it is looked for and not found
        # the reader trusts the numbers of a file's headers, and fails in all the ways in which they can be
        # wrong
        self._errors = (
            ELFError, ConstructError, ArithmeticError, AssertionError, AttributeError, LookupError,
            MemoryError, RecursionError, TypeError, ValueError, struct.error, zlib.error,
        )  # fmt: skip
        if not data.startswith(b"\x7fELF"):
            got = f"begins with {data[:4]!r} at offset 0x0" if data else "is empty: it ends at offset 0x0"
            raise InputError(
                place, "LOAD020", f"the file {got}, wanted an ELF code object", help=_way_to_object(data)
            )
        if fault := fault_in(data):
            raise self._broken(str(fault))
        (self._sections_at,) = struct.unpack_from("<Q", data, _SECTIONS_AT)
        with self._reading():
            self._elf: Any = ELFFile(BytesIO(data))
            self._header: Any = self._elf.header

    @contextmanager
    def _reading(self) -> Generator[None, None, None]:
        """Report the reader's errors as damage of the file."""
        try:
            yield
        except self._errors as error:
            raise self._broken(str(error)) from None

    def _broken(self, why: str) -> InputError:
        if "0x" not in why:
            why = f"{why}, in {self._listed()}"
        return InputError(
            self._place,
            "LOAD021",
            f"the ELF file is damaged or truncated ({why}), wanted a whole code object",
            help="make the file again, or copy it again as binary",
        )

    def _listed(self) -> str:
        """The contents that the file lists."""
        return f"the section headers at offset {self._sections_at:#x}"

    def target(self) -> TargetId:
        """The target that the ELF flags name."""
        machine, flags = self._header["e_machine"], int(self._header["e_flags"])
        if machine not in ("EM_AMDGPU", _EM_AMDGPU):
            raise InputError(
                self._place,
                "LOAD022",
                f"the ELF file is for {machine}, at offset {_MACHINE_AT:#x}, wanted an AMDGPU code object",
                help="compile for an AMD GPU: clang --target=amdgcn-amd-amdhsa -mcpu=gfx942",
            )
        if self._header["e_type"] != "ET_DYN":
            message = f"the object file is not linked, as offset {_TYPE_AT:#x} says, wanted a code object"
            help = "link it: ld.lld -shared FILE.o -o FILE.hsaco"
            raise InputError(self._place, "LOAD027", message, help=help)
        if target := target_of_flags(flags):
            return target
        message = (
            f"the code object has the flags {flags:#x}, at offset {_FLAGS_AT:#x}, wanted those of one of "
            f"{', '.join(sorted(TARGETS))}"
        )
        help = "compile it for one of these: clang -mcpu=gfx942"
        raise InputError(self._place, "LOAD023", message, help=help)

    def metadata(self, required: bool = True) -> list[KernelMetadata]:
        """The metadata of each kernel. If it is absent and not `required`, the kernels with a descriptor."""
        with self._reading():
            for section in self._sections:
                if section["sh_type"] != "SHT_NOTE":
                    continue
                for note in section.iter_notes():
                    if note["n_name"] == "AMDGPU" and note["n_type"] in (
                        _NT_AMDGPU_METADATA,
                        "NT_AMDGPU_METADATA",
                    ):
                        return self._kernels(note)
        self.has_metadata = False
        if not required:
            return [
                KernelMetadata(name.removesuffix(".kd"), name, (), 0, LARGEST_WORKGROUP, None)
                for name in self._descriptors()
            ]
        message = (
            f"there is no AMDGPU metadata note in {self._listed()}, so the kernels' arguments are not known"
        )
        help = "`check` and `report` need no arguments; clang makes the note from .amdgpu_metadata"
        raise InputError(self._place, "LOAD009", message, help=help)

    def _kernels(self, note: Any) -> list[KernelMetadata]:
        """The kernels of a metadata note; errors name their offset."""
        where = f"in the note at offset {int(note['n_offset']):#x}"
        try:
            return kernels_of(
                _unpack(note["n_descdata"] if "n_descdata" in note else note["n_desc"]), self._place
            )
        except InputError as error:
            raise InputError(
                error.place, error.code, f"{error.message}, {where}", error.notes, error.help
            ) from None
        except self._errors as error:
            raise self._broken(f"{error}, {where}") from None

    def _descriptors(self) -> list[str]:
        """The symbols of kernel descriptors."""
        with self._reading():
            symbols = [symbol for table in self._symbol_tables for symbol in table]
            return sorted({symbol.name for symbol in symbols if symbol.name.endswith(".kd")})

    @cached_property
    def _sections(self) -> list[Any]:
        """The sections, read once."""
        return list(self._elf.iter_sections())

    @cached_property
    def _symbols(self) -> list[Symbol]:
        """The symbols of the file; none if they were stripped."""
        return self._symbols_of(".symtab")

    @cached_property
    def _symbol_tables(self) -> list[list[Symbol]]:
        """The symbols of the file, then those for the loader."""
        return [self._symbols, self._symbols_of(".dynsym")]

    def _symbols_of(self, name: str) -> list[Symbol]:
        """The symbols of the section of a name; none if it is absent."""
        table = next((section for section in self._sections if section.name == name), None)
        if table is None:
            return []
        if table["sh_type"] not in _SYMBOLS:
            raise ValueError(f"section {name} has no symbols")
        names, start = int(self._sections[table["sh_link"]]["sh_offset"]), int(table["sh_offset"])
        entries = _SYMBOL.iter_unpack(self._data[start : start + int(table["sh_size"])])
        return [
            Symbol(self._string(names + at), value, size, info & 15, section)
            for at, info, _, section, value, size in entries
        ]

    def _string(self, at: int) -> str:
        """The string at an offset of the file."""
        return self._data[at : max(at, self._data.find(b"\0", at))].decode("utf-8", errors="replace")

    def _named(self, name: str) -> list[Symbol]:
        """The symbols of a name, those that are not for the loader alone first."""
        with self._reading():
            for table in self._symbol_tables:
                symbols = [symbol for symbol in table if symbol.name == name]
                if symbols:
                    return symbols
        return []

    def symbol(self, name: str) -> int:
        """The address of a symbol."""
        symbols = self._named(name)
        if symbols:
            return symbols[0].value
        message = f"the code object has no symbol {name} in {self._listed()}"
        raise InputError(self._place, "LOAD025", message, help="link it again, and do not strip its symbols")

    def sections(self) -> list[LoadedSection]:
        """Every section that is loaded, by address; those without bytes in the file are zeros."""
        with self._reading():
            sections = [
                _section(section)
                for section in self._sections
                if section["sh_flags"] & _LOADED and section["sh_size"]
            ]
        if sum(len(section.content) for section in sections) > _LARGEST_IMAGE:
            raise self._broken(f"its sections take more than {_LARGEST_IMAGE} bytes")
        return sorted(sections, key=lambda section: section.address)

    def relocations(self) -> list[LoadedRelocation]:
        """The places that a loader must fill in."""
        with self._reading():
            return [
                _relocation(entry, self._sections[section["sh_link"]])
                for section in self._sections
                if section["sh_type"] == "SHT_RELA" and section["sh_flags"] & _LOADED
                for entry in section.iter_relocations()
            ]

    def extent(self, name: str) -> tuple[int, int]:
        """The start and end address of a function; a function without a size ends with its section. Raises
        InputError LOAD025 if it is missing."""
        start = self.symbol(name)
        with self._reading():
            sections = [section for section in self._sections if section["sh_flags"] & _EXECUTABLE]
            ends = [int(section["sh_addr"]) + int(section["sh_size"]) for section in sections]
        size = self._named(name)[0].size
        end = start + size if size else min((end for end in ends if end > start), default=start)
        return start, end

    def code_sections(self) -> list[CodeSection]:
        """The sections of code of an object, linked or not."""
        with self._reading():
            symbols = self._symbols
            return [
                CodeSection(
                    int(section["sh_addr"]),
                    bytes(section.data()),
                    _labels(symbols, number),
                    _function_starts(symbols, number),
                )
                for number, section in enumerate(self._sections)
                if section["sh_flags"] & _EXECUTABLE and section["sh_size"]
            ]

    def functions(self) -> list[FunctionExtent]:
        """The functions of the object that are not kernels, by address."""
        with self._reading():
            symbols = self._symbols
            kernels = {symbol.name.removesuffix(".kd") for symbol in symbols if symbol.name.endswith(".kd")}
            extents = [
                FunctionExtent(symbol.name, symbol.value, symbol.value + symbol.size)
                for symbol in symbols
                if symbol.type == _OF_FUNCTION and symbol.name not in kernels
            ]
            return sorted(extents, key=lambda extent: (extent.start, extent.end, extent.name))

    def bytes_at(self, address: int, size: int) -> bytes:
        """Bytes of the loaded image."""
        with self._reading():
            for section in self._sections:
                start = int(section["sh_addr"])
                if (
                    section["sh_type"] == "SHT_PROGBITS"
                    and start <= address
                    and address + size <= start + int(section["sh_size"])
                ):
                    return bytes(section.data()[address - start : address - start + size])
        raise self._broken(f"address {address:#x} lies in no section")


@lru_cache(maxsize=4)
def elf_object(data: bytes, place: Place) -> ElfObject:
    """The object of a file, read once for the kernels that are loaded from it in a row."""
    return ElfObject(data, place)


def _unpack(data: Any) -> Any:
    import msgpack

    raw = data if isinstance(data, bytes) else str(data).encode("latin-1")
    return msgpack.unpackb(raw, raw=False, strict_map_key=False)
