"""The parts of a code object before layout: sections, symbols, and places that need an address."""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct, field

from isa.named_tuple import NamedTuple

PROGBITS, NOTE, NOBITS = 1, 7, 8  # types of sections
WRITE, ALLOC, EXECUTE, MERGE, STRINGS = 1, 2, 4, 0x10, 0x20  # flags of sections


class Binding(IntEnum):
    """The visibility of a symbol (STB_*)."""

    LOCAL = 0
    GLOBAL = 1
    WEAK = 2


class Visibility(IntEnum):
    """How far a global symbol is seen (STV_*)."""

    DEFAULT = 0
    INTERNAL = 1
    HIDDEN = 2
    PROTECTED = 3


class SymbolType(IntEnum):
    """The kind of a symbol (STT_*)."""

    NONE = 0
    OBJECT = 1
    FUNCTION = 2


class RelocationKind(IntEnum):
    """How an address is written (AMDGPUUsage, "Relocation Records"): the lower or upper half of a distance,
    or all of it."""

    ABSOLUTE_64 = 3
    RELATIVE_32 = 4
    RELATIVE_64 = 5
    ABSOLUTE_32 = 6
    RELATIVE_32_LOW = 10
    RELATIVE_32_HIGH = 11


class Relocation(NamedTuple):
    """At `offset` of its section goes the address of `section` plus `addend` bytes; `line` of the source asks
    for it."""

    offset: int
    kind: RelocationKind
    section: str
    addend: int
    line: int


class Section(Struct):
    """A section; `size` is the size of `data`, except for NOBITS, which has no data."""

    name: str
    type: int = PROGBITS
    flags: int = 0
    alignment: int = 1
    entry_size: int = 0
    data: bytearray = field(default_factory=bytearray)
    empty_bytes: int = 0  # of NOBITS
    relocations: list[Relocation] = field(default_factory=list)

    @property
    def size(self) -> int:
        return self.empty_bytes if self.type == NOBITS else len(self.data)


class ObjectSymbol(NamedTuple):
    """A symbol of the object file: `value` is its offset in `section`; an empty section says that it is a
    number."""

    name: str
    section: str
    value: int
    size: int = 0
    type: SymbolType = SymbolType.NONE
    binding: Binding = Binding.LOCAL
    visibility: Visibility = Visibility.DEFAULT


class ObjectContent(Struct, frozen=True):
    """Sections in the order in which the source names them, and symbols in the order in which it introduces
    them.

    `flags` are those of the ELF header (machine, XNACK, SRAMECC), `abi_version` says the version of the code
    object.
    """

    sections: tuple[Section, ...]
    symbols: tuple[ObjectSymbol, ...]
    flags: int
    abi_version: int
