"""Evaluating tensor values on a lane: each value on demand, once per way it is walked.

Float arithmetic is f32: f16 is widened where it is read, and rounded once where it is written or converted.
"""

from __future__ import annotations

from collections.abc import Callable

from asmgen.gen.indexing import DimMap
from asmgen.gen.layout import is_layout, operand_map
from asmgen.gen.tiling import tensor_type
from asmgen.graph.ops import CONVERT, LITERAL
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import U32, ElementType, LaneType, TensorType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.types import computed

Key = tuple[Value, DimMap]
Locate = Callable[[TensorType, DimMap], tuple[Value, int]]


def _never(_key: Key) -> bool:
    return False


class Evaluator:
    """Makes the lane values of one set of elements: `lanes` of them, consecutive along the innermost dim.

    `locate` gives, for a buffer and how it is walked, the index of the first element and the stride to the
    next one. `outer`, if there is one, evaluates what does not move with the elements: such values are
    repeated.
    """

    def __init__(
        self, builder: LaneBuilder, defined: dict[Value, Statement], lanes: int, locate: Locate,
        outer: Evaluator | None = None, is_outer: Callable[[Key], bool] = _never,
    ) -> None:  # fmt: skip
        self._builder = builder
        self._defined = defined
        self._lanes = lanes
        self.locate = locate
        self._outer = outer
        self._is_outer = is_outer
        self._values: dict[Key, Value] = {}
        self._narrow: dict[
            Value, Value
        ] = {}  # an f32 lane value that was widened, to what it was widened from

    def value(self, value: Value, where: DimMap) -> Value:
        """The lane value of `value` whose dims follow `where`."""
        root = self._key(value, where)
        pending = [root]
        while pending:
            key = pending[-1]
            if key in self._values:
                _ = pending.pop()
                continue
            missing = (
                []
                if self._outer is not None and self._is_outer(key)
                else [need for need in self._needs(key) if need not in self._values]
            )
            if missing:
                pending.extend(reversed(missing))
                continue
            _ = pending.pop()
            self._values[key] = self._lower(key)
        return self._values[root]

    def define(self, value: Value, where: DimMap, lane_value: Value) -> None:
        """Say what a value is that is computed elsewhere."""
        self._values[self._key(value, where)] = lane_value

    def narrowed(self, value: Value, element: ElementType) -> Value:
        """`value` as `element`; a value that was widened from it is taken as it was."""
        before = self._narrow.get(value)
        if before is not None and element_of(before) is element:
            return before
        return value if element_of(value) is element else self._builder.convert(value, element)

    def _key(self, value: Value, where: DimMap) -> Key:
        """Dims of size 1 do not move, whatever they follow."""
        dims = tensor_type(value).dims
        return value, tuple(None if dim == 1 else target for dim, target in zip(dims, where, strict=True))

    def _needs(self, key: Key) -> list[Key]:
        statement = self._defined[key[0]]
        return [self._key(operand, operand_map(statement, operand, key[1])) for operand in statement.operands]

    def _lower(self, key: Key) -> Value:
        value, where = key
        statement = self._defined[value]
        with self._builder.at(statement):
            if self._outer is not None and self._is_outer(key):
                return self._repeated(self._outer.value(value, where))
            if not statement.operands:
                return self._leaf(statement, where)
            operands = [self._values[need] for need in self._needs(key)]
            return operands[0] if is_layout(statement) else self._pointwise(statement, operands)

    def _repeated(self, value: Value) -> Value:
        return value if self._lanes == 1 else self._builder.splat(value, self._lanes)

    def _leaf(self, statement: Statement, where: DimMap) -> Value:
        element = tensor_type(statement.result).element
        splat = splat_of(statement) if statement.op is LITERAL else None
        if splat is not None:
            return self._builder.constant(splat, LaneType(computed(element), self._lanes))
        return self._widened(self._load(statement.result, where))

    def _pointwise(self, statement: Statement, operands: list[Value]) -> Value:
        if statement.op is not CONVERT:
            (result,) = self._builder.apply(statement.op, tuple(operands), statement.attributes)
            return result
        source, target = (tensor_type(value).element for value in (statement.operands[0], statement.result))
        exact = operands[0] if source is target else self._widened(self.narrowed(operands[0], source))
        return self._widened(self.narrowed(exact, target))

    def _widened(self, value: Value) -> Value:
        element = element_of(value)
        wide = computed(element)
        if wide is element:
            return value
        result = self._builder.convert(value, wide)
        self._narrow[result] = value
        return result

    def _load(self, buffer: Value, where: DimMap) -> Value:
        builder, lanes = self._builder, self._lanes
        index, stride = self.locate(tensor_type(buffer), where)
        if lanes == 1 or stride == 1:
            return builder.load(buffer, index, lanes)
        if stride == 0:
            return builder.splat(builder.load(buffer, index), lanes)
        parts = [builder.load(buffer, index)]
        for lane in range(1, lanes):
            parts.append(builder.load(buffer, builder.add(index, builder.constant(lane * stride, U32))))
        return builder.pack(*parts)


def splat_of(literal: Statement) -> int | float | bool | None:
    """The one value that every element of a literal has, if so."""
    values = literal.attributes["values"]
    assert isinstance(values, tuple)
    first = values[0] if values else 0
    assert isinstance(first, int | float)
    return first if all(repr(value) == repr(first) for value in values) else None


def element_of(value: Value) -> ElementType:
    assert isinstance(value.type, LaneType)
    return value.type.element


def weighted_sum(
    builder: LaneBuilder, coordinates: list[Value], strides: tuple[int, ...], start: Value | None = None
) -> Value | None:
    """`start` + the sum of coordinate * stride; None for nothing at all."""
    total = start
    for coordinate, stride in zip(coordinates, strides, strict=True):
        if stride:
            term = coordinate if stride == 1 else builder.mul(coordinate, builder.constant(stride, U32))
            total = term if total is None else builder.add(total, term)
    return total


def coordinates_of(builder: LaneBuilder, number: Value, dims: tuple[int, ...]) -> list[Value]:
    """The coordinates, outermost first, of the point that has `number` in row-major order."""
    rest = number
    coordinates: list[Value] = []
    for size in reversed(dims[1:]):
        if size == 1:
            coordinates.append(builder.constant(0, U32))
            continue
        rest, coordinate = _quotient_and_remainder(builder, rest, size)
        coordinates.append(coordinate)
    if dims:
        coordinates.append(rest)
    return coordinates[::-1]


def _quotient_and_remainder(builder: LaneBuilder, number: Value, divisor: int) -> tuple[Value, Value]:
    """By a power of two they are a shift and a mask, which no later pass has to find in a product taken
    off."""
    if divisor & (divisor - 1) == 0:
        shift, mask = builder.constant(divisor.bit_length() - 1, U32), builder.constant(divisor - 1, U32)
        return builder.shift_right(number, shift), builder.bitwise_and(number, mask)
    size = builder.constant(divisor, U32)
    quotient = builder.div(number, size)
    return quotient, builder.sub(number, builder.mul(quotient, size))
