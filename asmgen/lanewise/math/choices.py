"""Choices between floats by a comparison, as fewer instructions.

    where(x < 6, x, 6)                     the smaller of the two: v_min_f32
    where(x <= 0, 0, x)                    v_maximum3_f32 on targets that have it: a NaN stays
    where(x >= lo, x, lo), then <= hi      the median of three, or v_max_f32 of v_min_f32
    min(max(x, lo), hi)                    clip, which takes a median
    where(x < 0, ceil(x), floor(x))        trunc
    where(bits(y) < 0, -abs(x), abs(x))    copysign
    where(x == 0, 0, x)                    x + 0
    where(x == x, f(x), x)                 f(x), if f of a NaN is a NaN

Each form and its choice give the same for a NaN, and for zeros of both signs: -0 is below +0 for the
instructions (docs/semantics.md), and equal to it for a comparison. The payload of a NaN is undefined
(docs/numerics.md).
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import partial
from math import copysign

from asmgen.graph import ops as graph
from asmgen.graph.rounded import function_of
from asmgen.ir.program import Op, Statement, Value
from asmgen.ir.types import F32, F64, I32, ElementType
from asmgen.lanewise import ops
from asmgen.lanewise.math.definitions import LARGER, SMALLER, Definitions, Rule
from asmgen.options import MathOptions
from isa.named_tuple import NamedTuple

_READS_OF_CHOICE = 2  # a choice reads its operand, and so does its comparison
_MOST_FOLLOWED = 24  # statements from a value to the NaN that it keeps


def rules(options: MathOptions) -> Iterator[tuple[Rule, Container[Op], Container[ElementType]]]:
    """Each rule, the ops of the statements that it may replace, and the types of their results."""
    choice = {graph.WHERE}
    yield partial(_clip, options), {graph.MAX, graph.MIN}, (F32,)
    yield _median, choice, (F32,)
    yield _truncation, choice, (F32, F64)
    yield _zero_without_sign, choice, (F32, F64)
    yield _sign_copy, choice, (F32,)
    yield partial(_without_test_of_nan, options), choice, (F32, F64)
    yield partial(_sum_of_extreme, options), {graph.ADD}, (F32, F64)
    yield partial(_extreme, options), choice, (F32, F64)


def _made(op: Op, operands: tuple[Value, ...], replaced: Statement) -> tuple[Statement, ...]:
    return (Statement(op, operands, replaced.results, {}, (), replaced.place),)


# Extremes

_ORDERS = frozenset({graph.LESS, graph.GREATER, ops.LESS_EQUAL, ops.GREATER_EQUAL})
_OR_EQUAL = frozenset({ops.LESS_EQUAL, ops.GREATER_EQUAL})
_UPWARD = frozenset({graph.LESS, ops.LESS_EQUAL})


class _Extreme(NamedTuple):
    """The larger or the smaller of a number x and a literal. If x is a NaN, the result is that NaN
    (`keeps_nan`) or the literal. `keeps_zeros` says whether it orders zeros as the instructions do."""

    x: Value
    literal: Value
    is_larger: bool
    keeps_nan: bool
    keeps_zeros: bool

    def op(self, options: MathOptions) -> Op | None:
        """The op that gives the same; None if the target has none."""
        if not self.keeps_nan:
            return LARGER if self.is_larger else SMALLER
        if not options.keeps_nan or self.x.type.element is not F32:
            return None
        return ops.MAXIMUM if self.is_larger else ops.MINIMUM


def _extreme_of(choice: Statement, definitions: Definitions) -> _Extreme | None:
    condition, first, second = choice.operands
    order = definitions.of.get(condition)
    if order is None or order.op not in _ORDERS:
        return None
    below, above = order.operands if order.op in _UPWARD else order.operands[::-1]
    is_larger = _is_same(first, above, definitions) and _is_same(second, below, definitions)
    is_smaller = _is_same(first, below, definitions) and _is_same(second, above, definitions)
    numbers = definitions.literal(first), definitions.literal(second)
    if is_larger == is_smaller or (numbers[0] is None) == (numbers[1] is None):
        return None
    # a comparison with a NaN is false, so the choice is `second`
    keeps_nan = numbers[1] is None
    x, literal, number = (second, first, numbers[0]) if keeps_nan else (first, second, numbers[1])
    assert number is not None
    takes_literal_of_equals = keeps_nan == (order.op in _OR_EQUAL)
    is_positive = copysign(1, number) > 0
    keeps_zeros = number != 0 or takes_literal_of_equals == (is_larger == is_positive)
    return _Extreme(x, literal, is_larger, keeps_nan, keeps_zeros) if number == number else None


def _is_same(value: Value, other: Value, definitions: Definitions) -> bool:
    number = definitions.literal(value)
    return value == other or (number is not None and number == definitions.literal(other))


def _extreme(
    options: MathOptions, choice: Statement, definitions: Definitions
) -> tuple[Statement, ...] | None:
    found = _extreme_of(choice, definitions)
    op = None if found is None or not found.keeps_zeros else found.op(options)
    return None if op is None or found is None else _made(op, (found.x, found.literal), choice)


def _sum_of_extreme(
    options: MathOptions, total: Statement, definitions: Definitions
) -> tuple[Statement, ...] | None:
    """`where(0 > x, 0, x) + y` if y is not -0: the sum is the same for both zeros."""
    for value, other in (total.operands, total.operands[::-1]):
        choice = definitions.by(value, graph.WHERE)
        found = None if choice is None or definitions.reads[value] != 1 else _extreme_of(choice, definitions)
        op = None if found is None or found.keeps_zeros else found.op(options)
        if op is None or found is None or choice is None or not _is_never_minus_zero(other, definitions):
            continue
        extreme = Value(f"{value.name}_extreme", value.type)
        chosen = Statement(op, (found.x, found.literal), (extreme,), {}, (), choice.place)
        return (chosen, *_made(total.op, (extreme, other), total))
    return None


_POSITIVE = frozenset({graph.ABS, graph.EXP, graph.SIGMOID})


def _is_never_minus_zero(value: Value, definitions: Definitions) -> bool:
    """Whether a value is known to be no -0. The sum of a number and its negative is +0."""
    statement = definitions.of.get(value)
    if statement is None:
        return False
    if statement.op in (graph.ADD, graph.SUB):
        return any(definitions.literal(operand) not in (None, 0) for operand in statement.operands)
    return function_of(statement.op) in _POSITIVE


# Medians


def _median(choice: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """The smaller of `y` and a literal, with `y` the larger of x and another literal, or the other way round.
    For a NaN of x the median is the lower literal. The larger of the smaller is the upper literal."""
    outer = _extreme_of(choice, definitions)
    made = None if outer is None else definitions.by(outer.x, graph.WHERE)
    inner = None if made is None else _extreme_of(made, definitions)
    if outer is None or made is None or inner is None or outer.is_larger is inner.is_larger:
        return None
    if not outer.keeps_zeros or not inner.keeps_zeros or (outer.keeps_nan and inner.keeps_nan):
        return None
    lower, upper = (outer, inner) if outer.is_larger else (inner, outer)
    of_nan = outer if inner.keeps_nan else inner
    if of_nan is lower:
        return _bounded(ops.MED3, choice, inner.x, (lower.literal, upper.literal), definitions)
    if definitions.reads[outer.x] > _READS_OF_CHOICE or not _is_in_order(
        lower.literal, upper.literal, definitions
    ):
        return None
    smaller = Value(f"{outer.x.name}_smaller", inner.x.type)
    made_smaller = Statement(SMALLER, (inner.x, upper.literal), (smaller,), {}, (), made.place)
    return (made_smaller, *_made(LARGER, (smaller, lower.literal), choice))


def _is_in_order(low: Value, high: Value, definitions: Definitions) -> bool:
    """Whether two values are literals, the first below the second."""
    numbers = definitions.literal(low), definitions.literal(high)
    return numbers[0] is not None and numbers[1] is not None and numbers[0] < numbers[1]


_OTHER_SIDE = {graph.MIN: graph.MAX, graph.MAX: graph.MIN}


def _clip(options: MathOptions, outer: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """`min(max(x, low), high)` with literals, and `max(min(x, high), low)` if a NaN stays."""
    if outer.op is graph.MAX and options.nan != "propagate":
        return None
    for value, bound in (outer.operands, outer.operands[::-1]):
        inner = definitions.by(value, _OTHER_SIDE[outer.op])
        if inner is None or definitions.reads[value] != 1:
            continue
        for x, other in (inner.operands, inner.operands[::-1]):
            bounds = (other, bound) if outer.op is graph.MIN else (bound, other)
            made = _bounded(graph.CLIP, outer, x, bounds, definitions)
            if made is not None:
                return made
    return None


def _bounded(
    op: Op, replaced: Statement, x: Value, bounds: tuple[Value, Value], definitions: Definitions
) -> tuple[Statement, ...] | None:
    """An op of x and bounds that are literals in order."""
    return _made(op, (x, *bounds), replaced) if _is_in_order(*bounds, definitions) else None


# NaN


def _without_test_of_nan(
    options: MathOptions, choice: Statement, definitions: Definitions
) -> tuple[Statement, ...] | None:
    """`where(x == x, f(x), x)`: f(x) if both are NaN for a NaN."""
    condition, first, second = choice.operands
    test = definitions.of.get(condition)
    if test is None or test.op not in (graph.EQUAL, ops.NOT_EQUAL) or len(set(test.operands)) != 1:
        return None
    x = test.operands[0]
    if not all(_keeps_nan_of(x, value, options, definitions) for value in (first, second)):
        return None
    if definitions.has_bits_of_floats and any(_is_nan(value, definitions) for value in (first, second)):
        return None  # keys of sorts have the NaN of the literal: another may have a sign
    return _made(graph.IDENTITY, (first if test.op is graph.EQUAL else second,), choice)


def _is_nan(value: Value, definitions: Definitions) -> bool:
    number = definitions.literal(value)
    return number is not None and number != number


def _keeps_nan_of(
    x: Value, value: Value, options: MathOptions, definitions: Definitions, most: int = _MOST_FOLLOWED
) -> bool:
    """Whether a value is a NaN if x is a NaN."""
    if value == x:
        return True
    statement = definitions.of.get(value)
    if statement is None or most == 0:
        return False

    def of(operand: Value) -> bool:
        return _keeps_nan_of(x, operand, options, definitions, most - 1)

    number = definitions.literal(value)
    if number is not None:
        return number != number
    op = function_of(statement.op)
    if op is graph.WHERE:
        return all(of(operand) for operand in statement.operands[1:])
    if op in (graph.MAX, graph.MIN):
        kept = [of(operand) for operand in statement.operands]
        return any(kept) if options.nan == "propagate" else all(kept)
    return op.keeps_nan and any(of(operand) for operand in statement.operands)


# The sign


def _truncation(choice: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """`where(x < 0, ceil(x), floor(x))`, which keeps NaN, infinities and signs of zeros, as trunc does."""
    condition, up, down = choice.operands
    order = definitions.by(condition, graph.LESS)
    if order is None or definitions.literal(order.operands[1]) != 0:
        return None
    x = order.operands[0]
    for value, op in ((up, graph.CEIL), (down, graph.FLOOR)):
        rounding = definitions.by(value, op)
        if rounding is None or rounding.operands != (x,):
            return None
    return _made(ops.TRUNC, (x,), choice)


_EQUALITIES = frozenset({graph.EQUAL, ops.NOT_EQUAL})


def _zero_without_sign(choice: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """`where(x == 0, 0, x)`, as keys of sorts have it: x + 0. A product stays, since the fma of a product
    that underflows may be -0."""
    test = definitions.of.get(choice.operands[0])
    if test is None or test.op not in _EQUALITIES:
        return None
    zero, x = choice.operands[1:] if test.op is graph.EQUAL else choice.operands[:0:-1]
    number = definitions.literal(zero)
    if number is None or number != 0 or copysign(1, number) < 0 or definitions.by(x, graph.MUL) is not None:
        return None
    if not any(x is a and definitions.literal(b) == 0 for a, b in (test.operands, test.operands[::-1])):
        return None
    return _made(graph.ADD, (x, zero), choice)


def _sign_copy(choice: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """`where(bits(y) < 0, -abs(x), abs(x))`, or with a positive number for abs(x)."""
    condition, negative, positive = choice.operands
    order = definitions.by(condition, graph.LESS)
    if order is None or definitions.literal(order.operands[1]) != 0:
        return None
    bits = definitions.by(order.operands[0], graph.BIT_CAST)
    if bits is None or bits.result.type.element is not I32 or bits.operands[0].type.element is not F32:
        return None
    magnitude = _magnitude(negative, positive, definitions)
    return None if magnitude is None else _made(ops.COPYSIGN, (magnitude, bits.operands[0]), choice)


def _magnitude(negative: Value, positive: Value, definitions: Definitions) -> Value | None:
    """A value with the magnitude of `positive` if that has no sign and `negative` is its negative."""
    number = definitions.literal(positive)
    if number is not None:
        return positive if number > 0 and definitions.literal(negative) == -number else None
    negation, size = definitions.by(negative, graph.NEG), definitions.by(positive, graph.ABS)
    if negation is None or size is None or negation.operands != (positive,):
        return None
    return size.operands[0]
