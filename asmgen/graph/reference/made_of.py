"""Ranges of pointwise ops that are defined by other ops: sqdiff, prelu, sign, isnan, isinf, mod, ..."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
from msgspec.structs import replace

from asmgen.graph.reference import arithmetic, integers
from asmgen.graph.reference.arithmetic import widened
from asmgen.graph.reference.conversion import convert, number_of
from asmgen.graph.reference.ranges import (
    FloatRange,
    IntegerRange,
    Integers,
    Numbers,
    Range,
    Rules,
    bounded,
    exact_float,
    exact_integer,
    rearranged,
    settled,
)
from asmgen.graph.reference.rounding import Floats, round_in, work_of
from asmgen.graph.rounded import rounding_of
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Statement
from asmgen.ir.types import BOOL, ELEMENT_TYPES, F32, F64, U8, ElementType


def _attribute(statement: Statement, name: str) -> float:
    value = statement.attributes[name]
    assert isinstance(value, int | float), "the parser reads a number"
    return float(value)


def _wide(x: FloatRange) -> FloatRange:
    """A small float as f32, which it is computed in."""
    return replace(x, element=F32) if x.element.bits < F32.bits else x


def _narrow(x: FloatRange, element: ElementType) -> FloatRange:
    return bounded(element, x.value, x.low, x.high, x.may_be_nan, x.free_zero)


def _chosen_below_zero(x: FloatRange, below: FloatRange) -> FloatRange:
    """`below` if x is below 0, else x; a NaN is x."""
    take_below, take_x = x.low < 0, ~(x.high < 0) | x.may_be_nan
    return arithmetic.union(below, x, take_below, take_x, np.where(x.value < 0, below.value, x.value))


def _sqdiff(_statement: Statement, rules: Rules, a: Range, b: Range) -> Range:
    if isinstance(a, FloatRange) and isinstance(b, FloatRange):
        difference = arithmetic.subtract(a, b, rules.contract)
        square = arithmetic.multiply(difference, difference, rules.contract)
        return replace(square, low=np.where(square.low < 0, 0.0, square.low))
    assert isinstance(a, IntegerRange) and isinstance(b, IntegerRange), "operand types agree"
    difference_ = integers.binary(np.subtract, a, b)
    return integers.binary(np.multiply, difference_, difference_)


def _prelu(_statement: Statement, rules: Rules, x: Range, slope: Range) -> Range:
    if isinstance(x, FloatRange) and isinstance(slope, FloatRange):
        return _chosen_below_zero(x, arithmetic.multiply(x, slope, rules.contract))
    assert isinstance(x, IntegerRange) and isinstance(slope, IntegerRange), "operand types agree"
    below = integers.binary(np.multiply, x, slope)
    return integers.union(below, x, x.low < 0, x.high >= 0, np.where(x.value < 0, below.value, x.value))


def _leaky_relu(statement: Statement, rules: Rules, x: FloatRange) -> Range:
    wide = _wide(x)
    work = work_of(x.element)
    alpha = round_in(np.full(x.value.shape, _attribute(statement, "alpha"), work.wide), work)
    below = arithmetic.multiply(wide, exact_float(alpha, wide.element), rules.contract)
    return _narrow(_chosen_below_zero(wide, below), x.element)


def _elu(statement: Statement, _rules: Rules, x: FloatRange) -> Range:
    """alpha (exp(x) - 1) below 0, which grows with x if alpha is not negative, and else falls."""
    wide, work = _wide(x), work_of(x.element)
    alpha = round_in(np.asarray(_attribute(statement, "alpha"), work.wide), work)
    ends = [alpha * np.expm1(np.minimum(bound, 0.0)) for bound in (wide.low, wide.high)]
    low, high = widened(np.minimum(*ends), np.maximum(*ends), statement.op.ulps, wide.element)
    value = alpha * np.expm1(np.minimum(wide.value, 0.0))
    below = FloatRange(wide.element, value, low, high, wide.may_be_nan, wide.free_zero | (low != high))
    return _narrow(_chosen_below_zero(wide, below), x.element)


def _sign(_statement: Statement, _rules: Rules, x: Range) -> Range:
    if isinstance(x, IntegerRange):
        return IntegerRange(x.element, np.sign(x.value), np.sign(x.low), np.sign(x.high))
    value, low, high = [np.sign(part) + 0.0 for part in (x.value, x.low, x.high)]
    return FloatRange(x.element, value, low, high, x.may_be_nan, np.zeros_like(x.free_zero))


def _isnan(_statement: Statement, _rules: Rules, x: FloatRange) -> Range:
    return integers.truth(~x.only_nan, x.may_be_nan | x.only_nan, np.isnan(x.value))


def _isinf(_statement: Statement, _rules: Rules, x: FloatRange) -> Range:
    may_be = np.isinf(x.low) | np.isinf(x.high)
    must_be = may_be & x.is_point & ~x.may_be_nan
    return integers.truth(~must_be, may_be, np.isinf(x.value))


def _nearbyint(_statement: Statement, _rules: Rules, x: FloatRange) -> Range:
    low = np.rint(x.low)
    high = low if x.high is x.low else np.rint(x.high)
    return bounded(x.element, np.rint(x.value), low, high, x.may_be_nan, x.free_zero | ~x.is_point)


def _remainder(
    of_floats: Callable[[Floats, Floats], Floats], of_integers: Callable[[Integers, Integers], Integers]
) -> Callable[..., Range]:
    """An exact remainder; of operands that are not known, anything up to the divisor."""

    def evaluate(_statement: Statement, _rules: Rules, a: Range, b: Range) -> Range:
        known = a.is_point & b.is_point
        if isinstance(a, IntegerRange) and isinstance(b, IntegerRange):
            value, exact = of_integers(a.value, b.value), of_integers(a.low, b.low)
            most = np.maximum(np.abs(b.low), np.abs(b.high))
            least, greatest = integer_range(a.element)
            return IntegerRange(
                a.element,
                value,
                np.where(known, exact, np.maximum(-most, least)),
                np.where(known, exact, np.minimum(most, greatest)),
            )
        assert isinstance(a, FloatRange) and isinstance(b, FloatRange), "operand types agree"
        rest, exact_float_ = of_floats(a.value, b.value), of_floats(a.low, b.low)
        size = np.fmax(np.abs(b.low), np.abs(b.high))
        none = a.may_be_nan | b.may_be_nan | b.holds_zero | np.isinf(a.low) | np.isinf(a.high)
        only = a.only_nan | b.only_nan
        low = np.where(only, np.nan, np.where(known, exact_float_, -size))
        high = np.where(only, np.nan, np.where(known, exact_float_, size))
        may_be_nan = np.where(known, np.isnan(exact_float_), none)
        # mod adds the divisor to the remainder, which is rounded
        low, high = widened(low, high, 0.5, a.element)
        return bounded(a.element, rest, low, high, may_be_nan, ~known)

    return evaluate


def _fmod_integers(a: Integers, b: Integers) -> Integers:
    return np.where(b == 0, 0, a - integers.truncated_quotient(a, b) * b)


def _mod_integers(a: Integers, b: Integers) -> Integers:
    return np.where(b == 0, 0, np.mod(a, np.where(b == 0, 1, b)))


def _pow(statement: Statement, _rules: Rules, a: Range, b: Range) -> Range:
    """The power for known operands; else the four corners, if the base is not negative."""
    known = a.is_point & b.is_point
    if isinstance(a, IntegerRange) and isinstance(b, IntegerRange):
        exact = _integer_power(a.low, b.low, a.element)
        least, greatest = integer_range(a.element)
        return IntegerRange(
            a.element,
            _integer_power(a.value, b.value, a.element),
            np.where(known, exact, least),
            np.where(known, exact, greatest),
        )
    assert isinstance(a, FloatRange) and isinstance(b, FloatRange), "operand types agree"
    corners = [np.power(base, exponent) for base in (a.low, a.high) for exponent in (b.low, b.high)]
    low, high = np.fmin.reduce(corners), np.fmax.reduce(corners)
    is_loose = ~known & ~(a.low > 0)
    low, high = np.where(is_loose, -np.inf, low), np.where(is_loose, np.inf, high)
    around_one = ~known & (a.low <= 1) & (a.high >= 1)
    low, high = np.where(around_one, np.fmin(low, 1.0), low), np.where(around_one, np.fmax(high, 1.0), high)
    low, high = widened(low, high, statement.op.ulps, a.element, rounding_of(statement.op, a.element))
    # a result of exactly 1, of 1 to any power and of any number to the power 0, is 1 of NaN too
    is_one = known & ((a.low == 1) | (b.low == 0))
    low, high = np.where(is_one, 1.0, low), np.where(is_one, 1.0, high)
    unsure = (a.may_be_nan & ~np.isnan(a.low)) | (b.may_be_nan & ~np.isnan(b.low))  # a number or a NaN
    is_surely_one = known & (((a.low == 1) & ~a.may_be_nan) | ((b.low == 0) & ~b.may_be_nan))
    of_known = np.isnan(corners[0]) | (unsure & ~is_surely_one)
    may_be_nan = np.where(known, of_known, a.may_be_nan | b.may_be_nan | is_loose)
    return bounded(a.element, np.power(a.value, b.value), low, high, may_be_nan, a.free_zero | (low != high))


def _atan2(statement: Statement, _rules: Rules, y: FloatRange, x: FloatRange) -> Range:
    """The angles of the corners, unless they may be on both sides of the half turn, or at the origin."""
    ends = [np.arctan2(end, side) for end in (y.low, y.high) for side in (x.low, x.high)]
    low, high = np.fmin.reduce(ends), np.fmax.reduce(ends)
    y_is_known = y.is_point & ~(y.free_zero & y.holds_zero)
    is_loose = y.holds_zero & (x.low <= 0) & ~(y_is_known & ~(x.free_zero & x.holds_zero))
    # of the type of the ends, so that f64 has the digits of a long double
    half: Floats = np.arctan2(np.zeros(y.value.shape, y.value.dtype), -1.0)
    low, high = np.where(is_loose, -half, low), np.where(is_loose, half, high)
    only = y.only_nan | x.only_nan
    low, high = np.where(only, np.nan, low), np.where(only, np.nan, high)
    low, high = widened(low, high, statement.op.ulps, y.element, rounding_of(statement.op, y.element))
    free = y.free_zero | (low != high)
    return bounded(y.element, np.arctan2(y.value, x.value), low, high, y.may_be_nan | x.may_be_nan, free)


def _integer_power(a: Integers, b: Integers, element: ElementType) -> Integers:
    """By squares, modulo 2**64; to a negative power the whole part of the quotient."""
    bits = np.uint64((1 << element.bits) - 1)
    result: Integers = np.ones(np.broadcast_shapes(a.shape, b.shape), np.uint64)
    square: Integers = a.astype(np.uint64)
    left: Integers = np.maximum(b, 0).astype(np.uint64)
    for _ in range(element.bits):
        result = np.where(left & np.uint64(1), result * square, result)
        square, left = square * square, left >> np.uint64(1)
    positive = integers.wrapped((result & bits).astype(a.dtype), element)
    of_minus_one = np.where(b % 2 == 0, 1, -1)
    negative = np.where(a == 1, 1, np.where(a == -1, of_minus_one, 0))
    return np.where(b < 0, negative, positive)


def _bit_cast(statement: Statement, _rules: Rules, x: Range) -> Range:
    """Of known elements their bits as the other type; of others anything."""
    element = ELEMENT_TYPES[str(statement.attributes["target_type"])]
    if element is x.element:
        return x
    if isinstance(x, FloatRange):
        x = settled(x)
    if element is BOOL:
        return convert(_bits_as(x, U8), element)
    return _bits_as(convert(x, U8) if x.element is BOOL else x, element)


def _bits_as(x: Range, element: ElementType) -> Range:
    """The bits of numbers that are no bools, as the same type or another of that width."""
    if element is x.element:
        return x
    source, target = [
        np.dtype(np.uint8) if e.is_code else np.dtype(getattr(ml_dtypes, e.numpy, e.numpy))
        for e in (x.element, element)
    ]

    def cast(numbers: Any) -> Any:
        return np.ascontiguousarray(numbers.astype(source)).view(target)

    known = x.is_point
    if element.is_float:
        wide = work_of(element).wide
        value, exact = cast(x.value).astype(wide), cast(x.low).astype(wide)
        made = exact_float(value, element)
        if known.all() and x.low is x.value:
            return made
        low, high = np.where(known, exact, -np.inf), np.where(known, exact, np.inf)
        return replace(made, low=low, high=high, may_be_nan=np.isnan(exact) | ~known, free_zero=~known)
    dtype = integers.integer_dtype(element)
    value, exact = cast(x.value).astype(dtype), cast(x.low).astype(dtype)
    if isinstance(x, FloatRange):  # which NaN it is, and which zero, is not said
        known = known & ~x.may_be_nan & ~(x.free_zero & x.holds_zero)
    least, greatest = integer_range(element)
    if known.all() and x.low is x.value:
        return exact_integer(exact, element)
    return IntegerRange(element, value, np.where(known, exact, least), np.where(known, exact, greatest))


def _float_of(x: Range, element: ElementType) -> FloatRange:
    """A number in the float type that quantizing computes in."""
    result = x if isinstance(x, FloatRange) and x.element.bits <= element.bits else convert(x, element)
    assert isinstance(result, FloatRange), "the type is a float"
    return _wide(settled(result)) if result.element is not element else result


def _wide_of(element: ElementType) -> ElementType:
    return element if element.is_float and element.bits > F32.bits else F32


def _quantize(statement: Statement, _rules: Rules, x: Range, scale: Range, *zero_point: Range) -> Range:
    wide, to = _wide_of(scale.element), statement.result.type.element
    quotient = arithmetic.divide(_float_of(x, wide), _float_of(scale, wide), 1)
    if not to.is_float:
        rounded = _nearbyint(statement, _rules, quotient)
        assert isinstance(rounded, FloatRange), "of a float"
        quotient = rounded
    if zero_point:
        quotient = arithmetic.add(quotient, _float_of(zero_point[0], wide), contract=False)
    return convert(quotient, to)


def _dequantize(statement: Statement, rules: Rules, x: Range, scale: FloatRange, *zero_point: Range) -> Range:
    to = statement.result.type.element
    wide = F64 if F64 in (to, scale.element) else F32
    moved = _float_of(x, wide)
    if zero_point:
        moved = arithmetic.subtract(moved, _float_of(zero_point[0], wide), rules.contract)
    product = arithmetic.multiply(moved, replace(scale, element=wide), rules.contract)
    return _narrow(product, to)


def _dequantize_blocks(
    statement: Statement, rules: Rules, x: Range, scale: Range, *zero_point: Range
) -> Range:
    """The number of each block is repeated for the elements of the block."""

    def repeated(array: Numbers) -> Numbers:
        for axis, size in enumerate(x.value.shape):
            if size:
                array = np.repeat(array, size // array.shape[axis], axis)
        return array

    x, scale = [
        number_of(each) if isinstance(each, IntegerRange) and each.element.is_code else each
        for each in (x, scale)
    ]
    of_scale, *of_zero = [rearranged(operand, repeated) for operand in (scale, *zero_point)]
    assert isinstance(of_scale, FloatRange), "scales are floats"
    return _dequantize(statement, rules, x, of_scale, *of_zero)


EVALUATORS: dict[str, Callable[..., Range]] = {
    "sqdiff": _sqdiff,
    "prelu": _prelu,
    "leaky_relu": _leaky_relu,
    "elu": _elu,
    "sign": _sign,
    "isnan": _isnan,
    "isinf": _isinf,
    "nearbyint": _nearbyint,
    "fmod": _remainder(np.fmod, _fmod_integers),
    "mod": _remainder(np.mod, _mod_integers),
    "pow": _pow,
    "atan2": _atan2,
    "bit_cast": _bit_cast,
    "quantizelinear": _quantize,
    "dequantizelinear": _dequantize,
    "dequantize": _dequantize_blocks,
}
