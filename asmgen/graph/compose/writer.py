"""Writes the statements that an op of the graph is made of."""

from __future__ import annotations

from asmgen.graph import ops
from asmgen.graph.builder import GraphBuilder
from asmgen.index.size import Size
from asmgen.ir.program import Attribute, Op, Statement, Value, literal_numbers, tensor_type
from asmgen.ir.types import ElementType, computed, tensor


class Writer:
    """Writes statements in place of a statement, `origin`. `propagates_nan` is the rule of max and min."""

    def __init__(self, builder: GraphBuilder, origin: Statement, propagates_nan: bool) -> None:
        self._builder = builder
        self.origin = origin
        self.propagates_nan = propagates_nan
        self._numbers: dict[tuple[str, ElementType], Value] = {}

    def apply(self, op: Op, *operands: Value, **attributes: Attribute) -> Value:
        name = self._builder.fresh(self.origin.result.name)
        return self._builder.apply(op, operands, attributes, name, self.origin.place)

    def number(self, number: float, like: Value) -> Value:
        """A number of the type of `like`, which broadcasts."""
        element = like.type.element
        key = repr(number), element  # -0.0 equals 0, and a NaN not even itself
        if key not in self._numbers:
            name = self._builder.fresh(f"{self.origin.result.name}_number")
            value = number if element.is_float else int(number)
            self._numbers[key] = self._builder.literal(name, (value,), tensor(element, ()), self.origin.place)
        return self._numbers[key]

    def wide(self, value: Value, element: ElementType | None = None) -> Value:
        """A value in the type that it is computed in, or in another."""
        to = computed(value.type.element) if element is None else element
        return value if to is value.type.element else self.apply(ops.CONVERT, value, target_type=to.name)

    def is_zero(self, value: Value) -> bool:
        """Whether every element of a value is a literal 0, without a sign."""
        return any(repr(number) in ("0", "0.0") for number in self._only(value))

    def whole(self, value: Value) -> int | None:
        """The integer that every element of a value is; None if it is not known."""
        return next(map(int, self._only(value)), None)

    def _only(self, value: Value) -> tuple[float, ...]:
        """The literal that every element of a value is; none if there are several, or it is computed."""
        for statement in reversed(self._builder.statements):
            if value in statement.results and statement.op in (ops.MULTIBROADCAST, ops.BROADCAST):
                (value,) = statement.operands
            elif value in statement.results:
                numbers = literal_numbers(statement) if statement.op is ops.LITERAL else ()
                first = repr(numbers[0]) if numbers else ""
                return tuple(numbers[:1]) if all(repr(number) == first for number in numbers) else ()
        return ()

    def attribute(self, name: str) -> float:
        value = self.origin.attributes[name]
        assert isinstance(value, int | float), "the op's row has checked it"
        return float(value)

    def is_less(self, a: Value, number: float) -> Value:
        return self.apply(ops.LESS, a, self.number(number, a))

    def is_equal(self, a: Value, number: float) -> Value:
        return self.apply(ops.EQUAL, a, self.number(number, a))


def last_place(write: Writer, index: Value, axis: int) -> Value:
    """The last index along an axis: a number, or an element of the indices if the launch knows the size."""
    size = tensor_type(index).dims[axis]
    if not isinstance(size, Size):
        return write.number(size - 1, index)
    return write.apply(ops.SLICE, index, axes=(axis,), starts=(size - 1,), ends=(size,))
