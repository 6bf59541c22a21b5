"""The records of a file of MLIR: operations, blocks, values and attributes.

They do not depend on the parser. Values are compared by identity. Attributes are Python values: numbers,
strings, tuples, types, symbols, affine maps. An affine expression is a tree over numbered dims and symbols.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from asmgen.mlir.types import MemrefType, Type
from isa.diagnostics import Place

DYNAMIC = -(1 << 63)  # in a list of numbers, for a number that is an operand


class Dim(Struct, frozen=True):
    """`d0`, or `s0` for a symbol."""

    number: int
    is_symbol: bool = False


class Binary(Struct, frozen=True):
    """`op` is `+`, `*`, `mod`, `floordiv` or `ceildiv`."""

    op: str
    left: Expression
    right: Expression


Expression = int | Dim | Binary


class AffineMap(Struct, frozen=True):
    """`(d0, d1)[s0] -> (results)`."""

    dims: int
    symbols: int
    results: tuple[Expression, ...]


class IntegerSet(Struct, frozen=True):
    """`(d0)[s0] : (constraints)`: each constraint is `expression >= 0`, or `== 0` for an equality."""

    dims: int
    symbols: int
    constraints: tuple[tuple[Expression, bool], ...]


class Symbol(Struct, frozen=True):
    """`@outer::@inner`, as a path."""

    path: tuple[str, ...]

    def __str__(self) -> str:
        return "::".join(f"@{name}" for name in self.path)


class Dense(Struct, frozen=True):
    """`dense<...>`: the elements in row-major order; a single element if all are equal."""

    type: Type
    values: tuple[int | float, ...]


class Text(Struct, frozen=True):
    """Any other attribute: the word of an enumeration, else the text that MLIR prints."""

    text: str

    def __str__(self) -> str:
        return self.text


Attribute = (
    int
    | float
    | bool
    | str
    | Symbol
    | Dense
    | Text
    | Type
    | AffineMap
    | IntegerSet
    | tuple["Attribute", ...]
    | dict[str, "Attribute"]
)


class Ssa(Struct, eq=False):
    """A value: a result of `owner`, or an argument of a block, which has no owner. `name` is the name in the
    file without the percent sign."""

    type: Type
    name: str
    place: Place
    owner: Operation | None = None

    @property
    def memref(self) -> MemrefType:
        """The type of a value that the parser has verified to be a memref."""
        assert isinstance(self.type, MemrefType), f"{self.name} is {self.type}"
        return self.type


class Block(Struct, eq=False):
    """`number` is the position in the region."""

    number: int
    arguments: tuple[Ssa, ...] = ()
    operations: list[Operation] = field(default_factory=list)

    @property
    def terminator(self) -> Operation:
        return self.operations[-1]


class Region(Struct, eq=False):
    """Blocks, the entry first."""

    blocks: list[Block] = field(default_factory=list)


class Operation(Struct, eq=False):
    """`results = name(operands) successors {attributes} regions`."""

    name: str
    operands: tuple[Ssa, ...]
    attributes: dict[str, Attribute]
    place: Place
    results: tuple[Ssa, ...] = ()
    regions: tuple[Region, ...] = ()
    successors: tuple[Block, ...] = ()

    @property
    def result(self) -> Ssa:
        (result,) = self.results
        return result

    @property
    def dialect(self) -> str:
        """`linalg` of `linalg.matmul`."""
        return self.name.partition(".")[0]

    @property
    def body(self) -> Block:
        """The only block of the first region."""
        return self.regions[0].blocks[0]

    def walk(self) -> Iterator[Operation]:
        """This operation and those in its regions, in the order of the file."""
        stack: list[Operation] = [self]
        while stack:
            operation = stack.pop()
            yield operation
            inner = [
                child for region in operation.regions for block in region.blocks for child in block.operations
            ]
            stack.extend(reversed(inner))

    def integer(self, name: str, default: int | None = None) -> int:
        """An attribute that the parser has verified to be an integer."""
        value = self.attributes.get(name, default)
        assert isinstance(value, int), f"{self.name} has {name}={value!r}"
        return value

    def symbol(self, name: str) -> Symbol:
        """An attribute that the parser has verified to be a symbol."""
        value = self.attributes[name]
        assert isinstance(value, Symbol), f"{self.name} has {name}={value!r}"
        return value

    def map(self, name: str) -> AffineMap:
        """An attribute that the parser has verified to be an affine map."""
        value = self.attributes[name]
        assert isinstance(value, AffineMap), f"{self.name} has {name}={value!r}"
        return value

    def text(self, name: str, default: str = "") -> str:
        """The text of an attribute (the word of an enumeration); empty if it is absent."""
        value = self.attributes.get(name, default)
        return str(value)

    def integers(self, name: str) -> tuple[int, ...]:
        """An attribute that is a list of integers; empty if it is absent."""
        value = self.attributes.get(name, ())
        values = value.values if isinstance(value, Dense) else value
        assert isinstance(values, tuple), f"{self.name} has {name}={value!r}"
        return tuple([number for number in values if isinstance(number, int)])

    def segments(self) -> list[tuple[Ssa, ...]]:
        """The operands in the groups of `operandSegmentSizes`."""
        groups: list[tuple[Ssa, ...]] = []
        first = 0
        for size in self.integers("operandSegmentSizes"):
            groups.append(self.operands[first : first + size])
            first += size
        return groups


class MlirModule(Struct, frozen=True):
    """A file: its name, its text, and its outermost operation."""

    file: str
    text: str
    operation: Operation
