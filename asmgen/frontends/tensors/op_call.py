"""An operation that a rule translates: its operands as arrays of the graph, its attributes, its types."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, Protocol

from msgspec import Struct
from numpy.typing import NDArray

from asmgen.frontends.tensors.extents import Extents
from asmgen.frontends.tensors.known_numbers import numbers_of
from asmgen.frontends.tensors.types import element_of, graph_type
from asmgen.frontends.traced.array import Array, Tracer
from asmgen.graph.builder import GraphBuilder
from asmgen.graph.ops import (
    ADD,
    BROADCAST,
    CONVERT,
    IDENTITY,
    IOTA,
    LESS,
    LITERAL,
    MULTIBROADCAST,
    RESHAPE,
    SLICE,
    SQUEEZE,
    TRANSPOSE,
    UNSQUEEZE,
    WHERE,
)
from asmgen.index.size import Dim, Size, Sizes
from asmgen.ir.constants import Number, splat_of
from asmgen.ir.program import Op, Statement, Value, literal_numbers, tensor_type
from asmgen.ir.types import ElementType, TensorType
from asmgen.mlir.source import Block, Operation, Ssa
from asmgen.mlir.types import TensorType as MlirTensorType
from isa.diagnostics import InputError


class Part(Struct, frozen=True, eq=False):
    """The elements of an array before a place along an axis, or from it on. The numbers of the program give
    the place, so that the part has no size; with its other part it is as large as the array."""

    x: Array
    axis: int
    place: Array
    is_before: bool
    operation: Operation


Item = Array | Extents | Part | tuple["Item", ...]
"""A tensor, sizes that only the launch knows, a part of a tensor without a size, or a tuple of items."""
Results = Array | Sequence[Item]

_KEEP_NUMBERS = frozenset({MULTIBROADCAST, BROADCAST, RESHAPE, SQUEEZE, UNSQUEEZE, IDENTITY})
_LISTED = r"\b{name} = \[([-\d, ]*)\]"
_SINGLE = r"\b{name} = (-?\d+)"


class Definitions:
    """The statement of a builder that defines each value."""

    def __init__(self, builder: GraphBuilder) -> None:
        self._builder = builder
        self._known: dict[Value, Statement] = {}
        self._count = 0

    def get(self, value: Value) -> Statement | None:
        statements = self._builder.statements
        for statement in statements[self._count :]:
            self._known.update(dict.fromkeys(statement.results, statement))
        self._count = len(statements)
        return self._known.get(value)

    def number(self, value: Value) -> Number | None:
        """The number that all elements of a value are known to be, or None."""
        while (statement := self.get(value)) is not None and statement.op in _KEEP_NUMBERS:
            (value,) = statement.operands
        if statement is not None and statement.op is SLICE and tensor_type(value).elements == 1:
            chosen = numbers_of(value, self.get)
            return None if chosen is None else chosen.item()
        if statement is None or statement.op is not LITERAL:
            return None
        numbers = literal_numbers(statement)
        return splat_of(numbers) if len(numbers) else None

    def is_equal(self, a: Value, b: Value) -> bool:
        """Whether equal statements compute two values."""
        if a is b:
            return True
        first, second = self.get(a), self.get(b)
        return (
            first is not None
            and second is not None
            and (first.op, first.attributes, a.type) == (second.op, second.attributes, b.type)
            and len(first.operands) == len(second.operands)
            and all(map(self.is_equal, first.operands, second.operands))
        )

    def numbers(self, array: Array) -> Sequence[Number] | None:
        """The numbers of an array that is a constant, row-major, or None."""
        single, count = self.number(array.value), array.type.elements
        if single is not None:
            return None if isinstance(count, Size) else [single] * count
        statement = self.get(array.value)
        return None if statement is None or statement.op is not LITERAL else literal_numbers(statement)

    def computed(self, array: Array) -> NDArray[Any] | None:
        """The numbers of a small array that follows from no argument, also if it is computed; or None."""
        return numbers_of(array.value, self.get)

    def wrapped(self, value: Value, size: int) -> Value | None:
        """The index i of `i < 0 ? i + size : i`, also of such an index in other dims; None for any other
        value."""
        while (statement := self.get(value)) is not None and statement.op in (RESHAPE, SQUEEZE, UNSQUEEZE):
            (value,) = statement.operands
        if statement is None or statement.op is not WHERE:
            return None
        is_negative, later, index = statement.operands
        test, sum_ = self.get(is_negative), self.get(later)
        if test is None or test.op is not LESS or sum_ is None or sum_.op is not ADD:
            return None
        is_of = test.operands[0] is index and sum_.operands[0] is index
        limits = self.number(test.operands[1]), self.number(sum_.operands[1])
        return index if is_of and limits == (0, size) else None

    def counted_axis(self, array: Array) -> int | None:
        """The axis along which an array counts from 0: that of an `iota`, also if it is converted, repeated
        or transposed."""
        axes = list(range(array.type.rank))  # the axis of the array that each axis becomes
        statement = self.get(array.value)
        while statement is not None and statement.op in _OF_COUNTERS:
            axes = _OF_COUNTERS[statement.op](statement, axes)
            statement = self.get(statement.operands[0])
        if statement is None or statement.op is not IOTA:
            return None
        axis = statement.attributes["axis"]
        return axes[axis] if isinstance(axis, int) else None


def _listed(statement: Statement, name: str) -> list[int]:
    given = statement.attributes[name]
    return [each for each in given if isinstance(each, int)] if isinstance(given, tuple) else []


def _before_broadcast(statement: Statement, axes: list[int]) -> list[int]:
    return axes[len(axes) - tensor_type(statement.operands[0]).rank :]


def _before_unsqueeze(statement: Statement, axes: list[int]) -> list[int]:
    added = [axis % len(axes) for axis in _listed(statement, "axes")]
    return [each for axis, each in enumerate(axes) if axis not in added]


def _before_transpose(statement: Statement, axes: list[int]) -> list[int]:
    permutation = _listed(statement, "permutation")
    return [axes[permutation.index(axis)] for axis in range(len(axes))]


_OF_COUNTERS: Mapping[Op, Callable[[Statement, list[int]], list[int]]] = {
    CONVERT: lambda _statement, axes: axes, MULTIBROADCAST: _before_broadcast, UNSQUEEZE: _before_unsqueeze,
    TRANSPOSE: _before_transpose,
}  # fmt: skip
"""The axes of the operand, by the axes of the result."""


def check_numbers(operation: Operation, dims: Sequence[Dim]) -> None:
    """`InputError` TNS003 for a dim that only the launch knows."""
    for dim in dims:
        if isinstance(dim, Size):
            message = f"{operation.name}: only the launch knows the dim {dim}, wanted a number"
            raise InputError(operation.place, "TNS003", message)


def stated_dims(result: Ssa) -> tuple[int | None, ...]:
    """The dims that the type of a tensor states; None for a dynamic dim."""
    return result.type.dims if isinstance(result.type, MlirTensorType) else ()


class Compute(Protocol):
    """Computes an operation for the given values: with `is_element` for arrays in place of its operands."""

    def __call__(
        self, operation: Operation, given: Mapping[Ssa, Item], is_element: bool = False
    ) -> list[Item]: ...


class Apart(Protocol):
    """The translation of blocks to a module of single elements, apart from the function that has them."""

    @property
    def builder(self) -> GraphBuilder: ...

    read: list[Operation]
    """The operations so far that move no elements here, such as reductions, also of called functions."""

    def argument(self, value: Ssa, element: ElementType) -> Value:
        """A parameter of the module, which is the value in blocks."""
        ...

    def number(self, value: Ssa, number: Number, element: ElementType) -> None:
        """Define a value outside of the blocks that is a number."""
        ...

    def block(self, block: Block, given: Sequence[Value]) -> tuple[Value, ...]:
        """The operands of the end of a block. Raises `NotOfElements`."""
        ...

    def known(self, value: Ssa) -> Value:
        """A value in a block that is computed."""
        ...


class NotOfElements(Exception):
    """A block does not compute each element by itself."""


class OpCall(Struct, frozen=True, eq=False):
    """`block` computes a block of a region and returns the operands of its end; `inline` does so with arrays
    in place of the single elements that the block is written for. `same` states that two dims are equal.
    `function` is the block of a function of the file, `sizes` are the sizes that a value is, or None, `item`
    is any value, and `known_item` None before it is computed. `readers` are the operations that
    read a value. `apart` begins a module of single elements."""

    operation: Operation
    items: tuple[Item, ...]
    tracer: Tracer
    definitions: Definitions
    inline: Callable[[Block, Sequence[Item]], tuple[Item, ...]]
    block: Callable[[Block, Sequence[Item]], tuple[Item, ...]]
    same: Callable[[Dim, Dim], None]
    function: Callable[[str], Block]
    sizes: Callable[[Ssa], Extents | None]
    item: Callable[[Ssa], Item]
    compute: Compute
    known_item: Callable[[Ssa], Item | None]
    readers: Callable[[Ssa], Sequence[Operation]]
    apart: Callable[[], Apart]

    @property
    def arrays(self) -> tuple[Array, ...]:
        """The operands, which are tensors."""
        return tuple([item for item in self.items if isinstance(item, Array)])

    @property
    def types(self) -> tuple[TensorType, ...]:
        """The types of the results in the graph."""
        return tuple([graph_type(each.type, self.operation.place) for each in self.operation.results])

    @property
    def element(self) -> ElementType:
        """The element type of the result, which may have dynamic dims."""
        return element_of(self.operation.results[0].type, self.operation.place)

    @property
    def type(self) -> TensorType:
        return self.types[0]

    def refuse(self, message: str, help: str = "") -> NoReturn:
        """`InputError` TNS004: the graph does not have this form of the operation."""
        raise InputError(self.operation.place, "TNS004", f"{self.operation.name}: {message}", help=help)

    def listed(self, attribute: str, name: str) -> tuple[int, ...]:
        """A list in a printed attribute: `#stablehlo.dot<name = [0, 1]>`; empty if it is left out."""
        match = re.search(_LISTED.format(name=name), self.operation.text(attribute))
        return tuple(map(int, match[1].split(","))) if match and match[1].strip() else ()

    def single(self, attribute: str, name: str, default: int = 0) -> int:
        match = re.search(_SINGLE.format(name=name), self.operation.text(attribute))
        return int(match[1]) if match else default

    def number(self, array: Array) -> Number | None:
        """The number that all elements of an array are known to be, or None."""
        return self.definitions.number(array.value)

    def numbers(self, array: Array) -> Sequence[Number] | None:
        """The numbers of an array that is a constant, row-major, or None."""
        return self.definitions.numbers(array)

    def computed(self, array: Array) -> NDArray[Any] | None:
        """The numbers of a small array that follows from no argument, also if it is computed; or None."""
        return self.definitions.computed(array)

    def known_sizes(self, operand: int) -> Sizes:
        """An operand of sizes, or of numbers that are known. `InputError` TNS004 for any other operand."""
        item = self.items[operand]
        if isinstance(item, Extents):
            return item.sizes
        given = self.computed(item) if isinstance(item, Array) else None
        if given is None:
            self.refuse(f"operand {operand + 1} is not known when the program is read, wanted a constant")
        return tuple([int(each) for each in given.reshape(-1)])

    def counted_axis(self, array: Array) -> int | None:
        """The axis along which an array counts from 0, as `iota` does; None for another array."""
        return self.definitions.counted_axis(array)
