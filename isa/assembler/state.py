"""The state of a file while it is assembled: its sections, its symbols, and the places with unknown
values."""

from __future__ import annotations

from msgspec import Struct

from isa.assembler.expressions import ConstantValue, Expression, evaluate, parse_expression
from isa.diagnostics import InputError, Place
from isa.instruction import Instr
from isa.named_tuple import NamedTuple
from isa.objects.content import (
    ALLOC,
    EXECUTE,
    MERGE,
    NOBITS,
    NOTE,
    PROGBITS,
    WRITE,
    Binding,
    RelocationKind,
    Section,
    SymbolType,
    Visibility,
)
from isa.targets import TargetId

TEXT = ".text"
LARGEST = 1 << 26  # bytes that all sections may have together
_PRIVATE = ".L"
_DEFAULTS = {
    ".text": (PROGBITS, ALLOC | EXECUTE), ".rodata": (PROGBITS, ALLOC), ".data": (PROGBITS, ALLOC | WRITE),
    ".bss": (NOBITS, ALLOC | WRITE), ".note": (NOTE, 0),
}  # fmt: skip


class UnknownHere(InputError):
    """A feature that the built-in assembler lacks, and another assembler may have."""

    def __init__(self, place: Place | str, code: str, message: str, notes: tuple[str, ...] = ()) -> None:
        super().__init__(place, code, message, notes, "--assembler clang assembles what LLVM does")


class SymbolState(Struct):
    """A symbol that the file names; `place` is the place of its label, `line` the first line that requires
    its definition."""

    name: str
    place: ConstantValue | None = None
    size: tuple[Expression, int] | None = None
    type: SymbolType = SymbolType.NONE
    binding: Binding = Binding.LOCAL
    visibility: Visibility = Visibility.DEFAULT


class DataFixup(NamedTuple):
    """`size` bytes at an offset for the value of an expression, or by `kind` for the distance to a symbol
    plus `addend`."""

    section: Section
    offset: int
    size: int
    expression: Expression
    line: int
    kind: RelocationKind | None = None
    addend: int = 0


class BranchFixup(NamedTuple):
    """A branch to a label with an unknown distance from the end of the instruction."""

    section: Section
    offset: int
    size: int
    instr: Instr
    label: str
    line: int


class Assembly:
    """Everything that lines add to. `variables` are symbols that `.set` gives an expression, with its
    line."""

    def __init__(self, name: str, target: TargetId) -> None:
        self.name = name
        self.target = target
        self.sections: dict[str, Section] = {}
        self.symbols: dict[str, SymbolState] = {}
        self.variables: dict[str, tuple[Expression, int]] = {}
        self.data_fixups: list[DataFixup] = []
        self.branch_fixups: list[BranchFixup] = []
        self.current = self.section(TEXT, 0)
        self.version = 0
        self.size = 0

    def place(self, line: int) -> Place:
        return Place(self.name, line, 1)

    def refused(self, line: int, code: str, message: str) -> UnknownHere:
        """The error for text that another assembler may accept."""
        return UnknownHere(self.place(line), code, message)

    def section(
        self, name: str, line: int, type: int | None = None, flags: int | None = None, entry_size: int = 0
    ) -> Section:
        """The section of a name, made if it is new; its type and flags must agree with earlier statements."""
        section = self.sections.get(name)
        if section is None:
            stem = next((stem for stem in _DEFAULTS if name == stem or name.startswith(stem + ".")), "")
            default_type, default_flags = _DEFAULTS.get(stem, (PROGBITS, 0))
            wanted = default_flags if flags is None else flags
            alignment = 4 if wanted & EXECUTE else 1
            section = Section(
                name, default_type if type is None else type, wanted, alignment,
                entry_size if wanted & MERGE else 0,
            )  # fmt: skip
            self.sections[name] = section
        elif (flags is not None and flags != section.flags) or (type is not None and type != section.type):
            raise InputError(
                self.place(line),
                "OBJ020",
                f"section {name} has another type or other flags than before, wanted the same",
            )
        return section

    def symbol(self, name: str) -> SymbolState:
        """The state of a symbol, added if it is new."""
        symbol = self.symbols.get(name)
        if symbol is None:
            symbol = self.symbols[name] = SymbolState(name)
        return symbol

    def define(self, name: str, line: int) -> None:
        """A label here."""
        symbol = self.symbol(name)
        if symbol.place is not None or name in self.variables:
            raise InputError(self.place(line), "OBJ021", f"{name} is defined twice, wanted once")
        symbol.place = self.here()

    def here(self) -> ConstantValue:
        return ConstantValue(self.current.size, self.current.name)

    def reserve(self, count: int, line: int) -> None:
        """Count bytes before they are added. Raises InputError OBJ022 if the file would exceed `LARGEST`."""
        self.size += count
        if self.size > LARGEST:
            message = f"the sections have more than {LARGEST >> 20} MB together, wanted at most that"
            raise InputError(self.place(line), "OBJ022", message)

    def add(self, data: bytes, line: int) -> None:
        """Bytes at the end of the current section."""
        self.reserve(len(data), line)
        if self.current.type != NOBITS:
            self.current.data += data
        elif any(data):
            raise InputError(
                self.place(line),
                "OBJ023",
                f"section {self.current.name} has zeros only (NOBITS), wanted no data in it",
            )
        else:
            self.current.empty_bytes += len(data)

    def expression(self, text: str, line: int) -> Expression:
        if plain := _plain(text):
            return ConstantValue(plain)
        return parse_expression(text, self.here(), self.place(line))

    def lookup(self, name: str) -> Expression | None:
        """The definition of a symbol, as far as it is known."""
        symbol = self.symbols.get(name)
        if symbol is not None and symbol.place is not None:
            return symbol.place
        variable = self.variables.get(name)
        return variable[0] if variable else None

    def value(self, expression: Expression, line: int) -> ConstantValue:
        return evaluate(expression, self.lookup, self.place(line))

    def number(self, text: str, line: int) -> int:
        """An expression that is a number already."""
        return _plain(text) or self.number_of(self.expression(text, line), text, line)

    def number_of(self, expression: Expression, text: str, line: int) -> int:
        """The value of the expression that a text is. Raises InputError OBJ034 if it is an address."""
        value = self.value(expression, line)
        if value.section:
            raise self.refused(line, "OBJ034", f"{text.strip()!r} is an address, wanted a number")
        return value.number


def is_private(name: str) -> bool:
    """Whether a label is of no use outside of its file, and is left out of symbol tables."""
    return name.startswith(_PRIVATE)


def _plain(text: str) -> int:
    """A number that is spelt in decimals, as most are; 0 for everything else, which takes longer to read."""
    return int(text) if text.isdigit() and text[0] != "0" and text.isascii() and len(text) < 20 else 0
