"""The least and the greatest number that the integers of a value may be.

i = iota[axis=0, out_lens={20}]                      0 to 19
r = div(i, five)                                     0 to 3
n = where(less(x, zero), eight, x)                   at least 0
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod

from asmgen.graph import ops
from asmgen.index.size import Size
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Op, Statement, Value, literal_numbers, tensor_type
from asmgen.ir.types import BOOL, ElementType
from isa.named_tuple import NamedTuple

_SUMS = frozenset({ops.REDUCE_SUM, ops.CUMSUM})
_DEEPEST = 32  # statements in each other
_MOST_BITS = 64  # of an integer
_MOST_NUMBERS = 1 << 10  # of a literal
Definition = Callable[[Value], Statement | None]


class Bounds(NamedTuple):
    low: int
    high: int

    def within(self, element: ElementType) -> bool:
        """Whether a type has all of the numbers."""
        low, high = integer_range(element)
        return low <= self.low and self.high <= high

    def of_sums(self, most: int) -> Bounds | None:
        """The bounds of sums of up to `most` such integers, also of none; None if `most` is 0, no limit."""
        return Bounds(min(0, self.low * most), max(0, self.high * most)) if most else None


def summed(reduction: Statement) -> int:
    """How many elements each result of a `reduce_sum`, `reduce_mean` or `cumsum` adds up at most; 0 if only
    the launch knows it."""
    dims, left = tensor_type(reduction.operands[0]).dims, tensor_type(reduction.result).dims
    axis = reduction.attributes.get("axis")
    gone = [dim for dim, kept in zip(dims, left, strict=True) if dim != kept]
    counts = [dims[axis]] if isinstance(axis, int) else gone
    known = [dim for dim in counts if not isinstance(dim, Size)]
    return prod(known) if len(known) == len(counts) else 0


def bounds_of(value: Value, definition: Definition) -> Bounds:
    """The bounds of integers or truth values; those of the type if no others are known."""
    return BoundsSearch(definition).of(value)


class BoundsSearch:
    """Finds the bounds of many values, once for each of them."""

    def __init__(self, definition: Definition) -> None:
        self._definition = definition
        self._found: dict[Value, Bounds] = {}

    def of(self, value: Value, deepest: int = _DEEPEST) -> Bounds:
        if value in self._found:
            return self._found[value]
        element, statement = value.type.element, self._definition(value)
        whole = Bounds(0, 1) if element is BOOL else Bounds(*integer_range(element))
        known = self._known(statement, deepest - 1) if statement is not None and deepest else None
        is_inside = known is not None and whole.low <= known.low and known.high <= whole.high
        self._found[value] = known if known is not None and is_inside else whole
        return self._found[value]

    def _known(self, statement: Statement, deepest: int) -> Bounds | None:
        if statement.op is ops.LITERAL:
            numbers = literal_numbers(statement)
            is_short = 0 < len(numbers) <= _MOST_NUMBERS
            return Bounds(int(min(numbers)), int(max(numbers))) if is_short else None
        if statement.op is ops.IOTA:
            axis, dims = statement.attributes["axis"], tensor_type(statement.result).dims
            size = dims[axis] if isinstance(axis, int) else 0
            return None if isinstance(size, Size) or not size else Bounds(0, size - 1)
        rule = _RULES.get(statement.op)
        if (rule is None and statement.op not in _SUMS) or any(
            operand.type.element.is_float for operand in statement.operands
        ):
            return None
        bounds = [self.of(operand, deepest) for operand in statement.operands]
        if statement.op in _SUMS:
            return bounds[0].of_sums(summed(statement)) if len(bounds) == 1 else None
        if statement.op is ops.WHERE:
            return _either(self._at_least(statement, bounds[2], deepest), bounds[1])
        return None if rule is None else rule(*bounds)

    def _at_least(self, where: Statement, bounds: Bounds, deepest: int) -> Bounds:
        """The bounds of x in `where(less(x, number), a, x)`: it is not less than the number."""
        condition, _, x = where.operands
        test = self._definition(condition)
        if test is None or test.op is not ops.LESS or test.operands[0] is not x:
            return bounds
        least = self.of(test.operands[1], deepest).low
        return Bounds(max(least, bounds.low), max(least, bounds.high))


def _of_corners(combine: Callable[[int, int], int]) -> Callable[[Bounds, Bounds], Bounds]:
    def corners(a: Bounds, b: Bounds) -> Bounds:
        results = [combine(x, y) for x in a for y in b]
        return Bounds(min(results), max(results))

    return corners


def _quotient(a: Bounds, b: Bounds) -> Bounds | None:
    """By positive numbers."""
    return _of_corners(lambda x, y: abs(x) // y * (1 if x >= 0 else -1))(a, b) if b.low > 0 else None


def _rest(a: Bounds, b: Bounds) -> Bounds | None:
    """By positive numbers: it has the sign of the dividend."""
    if b.low <= 0:
        return None
    most = b.high - 1
    return Bounds(max(-most, a.low) if a.low < 0 else 0, min(most, a.high) if a.high > 0 else 0)


def _common_bits(a: Bounds, b: Bounds) -> Bounds | None:
    """Bits that a number without a sign has, too."""
    most = [each.high for each in (a, b) if each.low >= 0]
    return Bounds(0, min(most)) if most else None


def _all_bits(a: Bounds, b: Bounds) -> Bounds | None:
    if a.low < 0 or b.low < 0:
        return None
    return Bounds(0, (1 << max(a.high, b.high).bit_length()) - 1)


def _shifted(shift: Callable[[int, int], int]) -> Callable[[Bounds, Bounds], Bounds | None]:
    """By counts that are not negative. A left shift by more bits than the type has leaves its range."""
    corners = _of_corners(shift)
    return lambda x, count: corners(x, count) if 0 <= count.low <= count.high <= _MOST_BITS else None


def _count(_x: Bounds) -> Bounds:
    """Of bits."""
    return Bounds(0, _MOST_BITS)


def _same(x: Bounds) -> Bounds:
    return x


def _clipped(x: Bounds, least: Bounds, most: Bounds) -> Bounds:
    low, high = [min(max(own, first), last) for own, first, last in zip(x, least, most, strict=True)]
    return Bounds(low, high)


def _either(*parts: Bounds) -> Bounds:
    return Bounds(min([each.low for each in parts]), max([each.high for each in parts]))


_RULES: Mapping[Op, Callable[..., Bounds | None]] = {
    ops.ADD: _of_corners(lambda x, y: x + y), ops.SUB: _of_corners(lambda x, y: x - y),
    ops.MUL: _of_corners(lambda x, y: x * y), ops.MAX: _of_corners(max), ops.MIN: _of_corners(min),
    ops.DIV: _quotient, ops.FMOD: _rest, ops.BITWISE_AND: _common_bits, ops.BITWISE_OR: _all_bits,
    ops.BITWISE_XOR: _all_bits, ops.LEFT_SHIFT: _shifted(int.__lshift__),
    ops.RIGHT_SHIFT: _shifted(int.__rshift__),
    ops.WHERE: _either,
    ops.POPCOUNT: _count, ops.LEADING_ZEROS: _count,
    ops.CONVERT: _same, ops.IDENTITY: _same, ops.RESHAPE: _same, ops.SQUEEZE: _same, ops.UNSQUEEZE: _same,
    ops.MULTIBROADCAST: _same, ops.TRANSPOSE: _same, ops.SLICE: _same, ops.STEP: _same, ops.REVERSE: _same,
    ops.BROADCAST: _same, ops.CONTIGUOUS: _same, ops.ROLL: _same, ops.WINDOWS: _same,
    ops.CLIP: _clipped, ops.CONCAT: _either,
}  # fmt: skip
