"""Quotients and remainders of numbers of type `index`, in 32 bits if the bounds allow it."""

from __future__ import annotations

from asmgen.graph import ops as graph
from asmgen.index.interval import I64_BOUNDS, Interval
from asmgen.ir.program import Op, Value
from asmgen.ir.types import I64, U32, U64, NumberKind
from asmgen.lanewise.builder import LaneBuilder
from asmgen.mlir.lowering.arithmetic.index_builder import IndexBuilder
from asmgen.mlir.lowering.arithmetic.relations import compare
from asmgen.mlir.lowering.values import Index


def integer_remainder(builder: LaneBuilder, a: Value, b: Value) -> Value:
    """The remainder of integers, rounding towards 0. An unsigned remainder by a power of two is a mask."""
    divisor = builder.literal_of(b)
    is_unsigned = a.type.element.kind is NumberKind.UNSIGNED
    if is_unsigned and isinstance(divisor, int) and divisor > 0 and divisor & (divisor - 1) == 0:
        return builder.bitwise_and(a, builder.like(divisor - 1, a))
    return builder.sub(a, builder.mul(builder.div(a, b), b))


def divide(indices: IndexBuilder, a: Index, b: Index, *, signed: bool = True) -> Index:
    """The quotient, towards 0."""
    if b.is_constant and b.low == 1:
        return a
    if a.low >= 0 and b.low > 0:
        if a.is_constant and b.is_constant:
            return indices.constant(a.low // b.low)
        return _positive(indices, graph.DIV, a, b, a.bounds.divided(b.bounds))
    return _signed(indices, graph.DIV, a, b) if signed else _unsigned(indices, graph.DIV, a, b)


def remainder(indices: IndexBuilder, a: Index, b: Index, *, signed: bool = True) -> Index:
    """The remainder of `divide`, with the sign of `a`."""
    if a.low >= 0 and b.low > 0:
        if a.is_constant and b.is_constant:
            return indices.constant(a.low % b.low)
        return _positive(indices, graph.FMOD, a, b, a.bounds.remaining(b.bounds))
    return _signed(indices, graph.FMOD, a, b) if signed else _unsigned(indices, graph.FMOD, a, b)


def floor_divide(indices: IndexBuilder, a: Index, b: Index) -> Index:
    """The quotient, towards minus infinity."""
    if a.low >= 0 and b.low > 0:
        return divide(indices, a, b)
    quotient, rest, zero = divide(indices, a, b), remainder(indices, a, b), indices.constant(0)
    differs = _signs_differ(indices, rest, b)
    below = indices.builder.logical_and(differs, compare(indices, "ne", rest, zero))
    return indices.select(below, indices.sub(quotient, indices.constant(1)), quotient)


def ceil_divide(indices: IndexBuilder, a: Index, b: Index) -> Index:
    """The quotient, towards infinity."""
    if a.low >= 0 and b.low > 0 and Interval(0, a.high + b.high - 1).is_word:
        return divide(indices, indices.add(a, indices.sub(b, indices.constant(1))), b)
    quotient, rest, zero = divide(indices, a, b), remainder(indices, a, b), indices.constant(0)
    differs = _signs_differ(indices, rest, b)
    is_same = indices.builder.value(graph.NOT, differs)
    above = indices.builder.logical_and(is_same, compare(indices, "ne", rest, zero))
    return indices.select(above, indices.add(quotient, indices.constant(1)), quotient)


def ceil_divide_unsigned(indices: IndexBuilder, a: Index, b: Index) -> Index:
    """The quotient of unsigned numbers, towards infinity."""
    quotient, rest = divide(indices, a, b, signed=False), remainder(indices, a, b, signed=False)
    more = compare(indices, "ne", rest, indices.constant(0))
    return indices.add(quotient, indices.select(more, indices.constant(1), indices.constant(0)))


def floor_modulo(indices: IndexBuilder, a: Index, b: Index) -> Index:
    """`a` mod `b` of affine maps: 0 to b - 1, for positive `b`."""
    if a.low >= 0 and b.low > 0:
        return remainder(indices, a, b)
    rest = remainder(indices, a, b)
    is_negative = compare(indices, "slt", rest, indices.constant(0))
    high = max(b.high - 1, 0)
    return indices.with_bounds(indices.select(is_negative, indices.add(rest, b), rest), 0, high)


def _signs_differ(indices: IndexBuilder, a: Index, b: Index) -> Value:
    """Whether exactly one number is negative."""
    zero = indices.constant(0)
    return indices.builder.logical_xor(compare(indices, "slt", a, zero), compare(indices, "slt", b, zero))


def _positive(indices: IndexBuilder, op: Op, a: Index, b: Index, bounds: Interval) -> Index:
    """For `a` of at least 0 and `b` of at least 1."""
    if a.is_u32 and b.is_u32:
        return indices.of_word(_quotient(indices, op, indices.word(a), indices.word(b)), *bounds)
    return indices.of_wide(_quotient(indices, op, indices.wide(a), indices.wide(b)), *bounds)


def _signed(indices: IndexBuilder, op: Op, a: Index, b: Index) -> Index:
    largest = max(abs(a.low), abs(a.high))
    most = largest if op is graph.DIV else min(largest, max(abs(b.low), abs(b.high)) - 1)
    if a.is_i32 and b.is_i32 and Interval(-most, most).is_i32:
        made = _quotient(indices, op, indices.signed(a), indices.signed(b))
        return Index(indices.builder.bit_cast(made, U32), -most, most)
    low, high = max(-most, I64_BOUNDS.low), min(most, I64_BOUNDS.high)
    return indices.of_wide(_quotient(indices, op, indices.wide(a), indices.wide(b)), low, high)


def _unsigned(indices: IndexBuilder, op: Op, a: Index, b: Index) -> Index:
    builder = indices.builder
    whole = [builder.bit_cast(indices.wide(number), U64) for number in (a, b)]
    return indices.of_wide(builder.bit_cast(_quotient(indices, op, *whole), I64))


def _quotient(indices: IndexBuilder, op: Op, a: Value, b: Value) -> Value:
    return integer_remainder(indices.builder, a, b) if op is graph.FMOD else indices.builder.value(op, a, b)
