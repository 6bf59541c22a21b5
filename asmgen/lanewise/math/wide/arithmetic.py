"""i64, u64 and f64 without an instruction: computed by words of 32 bits, and by the instructions of f64.

Division of integers is Newton's method on a reciprocal of 64 bits, which begins with an f32 reciprocal
(LLVM's expansion of `udiv i64` in AMDGPUISelLowering). Division and square root of f64 are LLVM's too, and
rounded correctly.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from asmgen.ir.program import Value
from asmgen.ir.types import F16, F32, F64, I32, I64, U32, U64, ElementType, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder

Expand = Callable[[LaneBuilder, Value], Value]

_TWO_32 = 2.0**32
_BELOW_2_64 = 2.0**64 * (1 - 2.0**-22)  # the estimate must not be too large
_SCALED_BELOW = 2.0**-767  # roots of smaller numbers are taken of the number times 2^256


def low(builder: LaneBuilder, x: Value) -> Value:
    return builder.value(ops.LOW_WORD, x)


def high(builder: LaneBuilder, x: Value) -> Value:
    return builder.value(ops.HIGH_WORD, x)


def join(builder: LaneBuilder, low: Value, high: Value, element: ElementType) -> Value:
    return builder.value(ops.JOIN_WORDS, low, high, type=element.name)


# Integers


def negative(builder: LaneBuilder, x: Value) -> Value:
    return builder.sub(builder.like(0, x), x)


def magnitude(builder: LaneBuilder, x: Value) -> Value:
    """The absolute value; that of the most negative number wraps."""
    return builder.where(builder.less(x, builder.like(0, x)), negative(builder, x), x)


def larger(builder: LaneBuilder, a: Value, b: Value) -> Value:
    return builder.where(builder.less(a, b), b, a)


def smaller(builder: LaneBuilder, a: Value, b: Value) -> Value:
    return builder.where(builder.less(b, a), b, a)


def relu(builder: LaneBuilder, x: Value) -> Value:
    return larger(builder, x, builder.like(0, x))


def clip(builder: LaneBuilder, x: Value, low: Value, high: Value) -> Value:
    return smaller(builder, larger(builder, x, low), high)


def multiply_high_u64(builder: LaneBuilder, a: Value, b: Value) -> Value:
    """The upper half of 128 bits, of four products of words."""
    a_low, a_high, b_low, b_high = low(builder, a), high(builder, a), low(builder, b), high(builder, b)
    lowest = builder.multiply_high(a_low, b_low)
    first = _product(builder, a_low, b_high)
    second = _product(builder, a_high, b_low)
    middle = builder.add(first, _wide(builder, lowest))
    carried = builder.add(second, _wide(builder, low(builder, middle)))
    top = builder.add(_product(builder, a_high, b_high), _wide(builder, high(builder, middle)))
    return builder.add(top, _wide(builder, high(builder, carried)))


def _product(builder: LaneBuilder, a: Value, b: Value) -> Value:
    """The whole product of two words."""
    return join(builder, builder.mul(a, b), builder.multiply_high(a, b), U64)


def _wide(builder: LaneBuilder, word: Value) -> Value:
    return join(builder, word, builder.like(0, word), U64)


def multiply_high_i64(builder: LaneBuilder, a: Value, b: Value) -> Value:
    """The unsigned product, less the excess of a negative factor."""
    whole = builder.bit_cast(
        multiply_high_u64(builder, builder.bit_cast(a, U64), builder.bit_cast(b, U64)), I64
    )
    zero = builder.like(0, a)
    less_a = builder.sub(whole, builder.where(builder.less(a, zero), b, zero))
    return builder.sub(less_a, builder.where(builder.less(b, zero), a, zero))


def div_u64(builder: LaneBuilder, numerator: Value, denominator: Value) -> Value:
    """Truncating; a denominator of 0 gives 0."""
    shift = _exponent(builder, denominator)
    if shift is not None:
        return builder.shift_right(numerator, builder.like(shift, numerator))
    zero = builder.like(0, denominator)
    inverse = _reciprocal(builder, denominator)
    quotient = multiply_high_u64(builder, numerator, inverse)
    rest = builder.sub(numerator, builder.mul(quotient, denominator))
    for _ in range(2):
        again = builder.greater_equal(rest, denominator)
        quotient = builder.where(again, builder.add(quotient, builder.like(1, quotient)), quotient)
        rest = builder.where(again, builder.sub(rest, denominator), rest)
    return builder.where(builder.equal(denominator, zero), zero, quotient)


def _exponent(builder: LaneBuilder, denominator: Value) -> int | None:
    """k, if the denominator is known to be 2^k."""
    divisor = builder.literal_of(denominator)
    if divisor is None or divisor <= 0 or int(divisor) & (int(divisor) - 1):
        return None
    return int(divisor).bit_length() - 1


def _reciprocal(builder: LaneBuilder, denominator: Value) -> Value:
    """2^64 over a denominator, never too large: an estimate in f32 and two steps of Newton's in integers."""
    low_float, high_float = (
        builder.convert(word, F32) for word in (low(builder, denominator), high(builder, denominator))
    )
    like = builder.like
    estimate = builder.hw_rcp(builder.fma(high_float, like(_TWO_32, high_float), low_float))
    scaled = builder.mul(estimate, like(_BELOW_2_64, estimate))
    upper = builder.trunc(builder.mul(scaled, like(1 / _TWO_32, scaled)))
    lower = builder.fma(upper, like(-_TWO_32, upper), scaled)
    inverse = join(builder, builder.convert(lower, U32), builder.convert(upper, U32), U64)
    negated = negative(builder, denominator)
    for _ in range(2):
        error = builder.mul(negated, inverse)
        inverse = builder.add(inverse, multiply_high_u64(builder, inverse, error))
    return inverse


def div_i64(builder: LaneBuilder, numerator: Value, denominator: Value) -> Value:
    """Truncating toward zero; a denominator of 0 gives 0; -2^63 / -1 wraps."""
    shift = _exponent(builder, denominator)
    if shift is not None:  # a shift rounds down, so a negative numerator is raised by the denominator less 1
        sign = builder.shift_right(numerator, builder.like(63, numerator))
        raised = builder.bitwise_and(sign, builder.like((1 << shift) - 1, numerator))
        return builder.shift_right(builder.add(numerator, raised), builder.like(shift, numerator))
    parts = [builder.bit_cast(magnitude(builder, x), U64) for x in (numerator, denominator)]
    quotient = builder.bit_cast(div_u64(builder, *parts), I64)
    differ = builder.less(builder.bitwise_xor(numerator, denominator), builder.like(0, numerator))
    return builder.where(differ, negative(builder, quotient), quotient)


# Conversions between integers


def from_i32(element: ElementType) -> Expand:
    """Extended by the sign."""

    def expand(builder: LaneBuilder, x: Value) -> Value:
        sign = builder.shift_right(x, builder.like(31, x))
        return join(builder, builder.bit_cast(x, U32), builder.bit_cast(sign, U32), element)

    return expand


def from_u32(element: ElementType) -> Expand:
    return lambda builder, x: join(builder, x, builder.like(0, x), element)


def to_word(element: ElementType) -> Expand:
    """The lower half."""
    return lambda builder, x: builder.bit_cast(low(builder, x), element)


def cast(element: ElementType) -> Expand:
    return lambda builder, x: builder.bit_cast(x, element)


# Between integers and floats


def i64_to_f64(builder: LaneBuilder, x: Value) -> Value:
    """Both halves are exact, so that their sum is rounded once."""
    upper = builder.convert(builder.bit_cast(high(builder, x), I32), F64)
    return builder.add(_scaled(builder, upper), builder.convert(low(builder, x), F64))


def u64_to_f64(builder: LaneBuilder, x: Value) -> Value:
    return builder.add(
        _scaled(builder, builder.convert(high(builder, x), F64)), builder.convert(low(builder, x), F64)
    )


def _scaled(builder: LaneBuilder, x: Value) -> Value:
    return builder.mul(x, builder.like(_TWO_32, x))


def u64_to_f32(builder: LaneBuilder, x: Value) -> Value:
    return builder.convert(u64_to_odd_f64(builder, x), F32)


def u64_to_odd_f64(builder: LaneBuilder, x: Value) -> Value:
    """Rounded to odd: bits beyond an f64 set its last bit. Rounding it again gives the same as rounding
    once."""
    upper, lower = high(builder, x), low(builder, x)
    like = builder.like
    below = builder.bitwise_and(lower, like(0x7FF, lower))
    some = builder.where(builder.equal(below, like(0, below)), like(0, below), like(0x800, below))
    sticky = builder.bitwise_or(builder.bitwise_and(lower, like(0xFFFFF800, lower)), some)
    is_long = builder.greater_equal(upper, like(1 << 21, upper))  # 2^53 and more
    whole = builder.where(is_long, sticky, lower)
    return builder.add(_scaled(builder, builder.convert(upper, F64)), builder.convert(whole, F64))


def i64_to_odd_f64(builder: LaneBuilder, x: Value) -> Value:
    result = u64_to_odd_f64(builder, builder.bit_cast(magnitude(builder, x), U64))
    return builder.where(builder.less(x, builder.like(0, x)), builder.neg(result), result)


def i64_to_f32(builder: LaneBuilder, x: Value) -> Value:
    result = u64_to_f32(builder, builder.bit_cast(magnitude(builder, x), U64))
    return builder.where(builder.less(x, builder.like(0, x)), builder.neg(result), result)


def f64_to_u64(builder: LaneBuilder, x: Value) -> Value:
    """Truncating and saturating; 0 for NaN, which the larger of it and 0 is."""
    like = builder.like
    whole = builder.trunc(builder.max(x, like(0.0, x)))
    words = _words(builder, whole)
    result = join(builder, builder.convert(words[0], U32), builder.convert(words[1], U32), U64)
    return builder.where(
        builder.less(x, like(2.0**64, x)), result, _largest_unless_nan(builder, x, 2**64 - 1, U64)
    )


def f64_to_i64(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    whole = builder.trunc(builder.max(x, like(-(2.0**63), x)))
    words = _words(builder, whole)
    result = join(
        builder, builder.convert(words[0], U32), builder.bit_cast(builder.convert(words[1], I32), U32), I64
    )
    return builder.where(
        builder.less(x, like(2.0**63, x)), result, _largest_unless_nan(builder, x, 2**63 - 1, I64)
    )


def _words(builder: LaneBuilder, whole: Value) -> tuple[Value, Value]:
    """The lower and the upper word of a whole number, as floats; the lower is not negative."""
    like = builder.like
    upper = builder.floor(builder.mul(whole, like(1 / _TWO_32, whole)))
    return builder.fma(upper, like(-_TWO_32, upper), whole), upper


def _largest_unless_nan(builder: LaneBuilder, x: Value, largest: int, element: ElementType) -> Value:
    assert isinstance(x.type, LaneType)
    type_ = LaneType(element, x.type.lanes)
    return builder.where(builder.equal(x, x), builder.constant(largest, type_), builder.constant(0, type_))


def f64_to_f16(builder: LaneBuilder, x: Value) -> Value:
    return builder.convert(f64_to_odd_f32(builder, x), F16)


def f64_to_odd_f32(builder: LaneBuilder, x: Value) -> Value:
    """Rounded to odd, so that rounding it again to a smaller type is rounding once."""
    nearest = builder.convert(x, F32)
    back, bits = builder.convert(nearest, F64), builder.bit_cast(nearest, U32)
    like = builder.like
    beyond = builder.greater(builder.abs(back), builder.abs(x))
    toward_zero = builder.where(beyond, builder.sub(bits, like(1, bits)), bits)
    odd = builder.bitwise_or(toward_zero, like(1, bits))
    is_exact = builder.logical_or(builder.equal(back, x), builder.not_equal(x, x))
    return builder.bit_cast(builder.where(is_exact, bits, odd), F32)


def through(element: ElementType, then: Expand) -> Expand:
    """The result of `then` for a value that is converted first."""
    return lambda builder, x: then(builder, builder.convert(x, element))


def and_convert(first: Expand, element: ElementType) -> Expand:
    """The result of `first`, converted."""
    return lambda builder, x: builder.convert(first(builder, x), element)


# Division and roots of f64


def div_f64(builder: LaneBuilder, numerator: Value, denominator: Value) -> Value:
    """LLVM's sequence: scaled, two steps of Newton's, and the hardware's last step and exceptions."""
    scaled, _ = builder.div_scale(0, numerator, denominator)
    top, flag = builder.div_scale(1, numerator, denominator)
    inverse = reciprocal(builder, scaled)
    quotient = builder.mul(top, inverse)
    rest = builder.fma(builder.neg(scaled), quotient, top)
    refined = builder.div_fmas(rest, inverse, quotient, flag)
    return builder.div_fixup(refined, denominator, numerator)


def reciprocal(builder: LaneBuilder, x: Value) -> Value:
    """1/x within 1 ULP if both are normal: the hardware's, within 2**-23, and two Newton steps."""
    inverse, one = builder.hw_rcp(x), builder.like(1.0, x)
    for _ in range(2):
        inverse = builder.fma(inverse, builder.fma(builder.neg(x), inverse, one), inverse)
    return inverse


def recip_f64(builder: LaneBuilder, x: Value) -> Value:
    return div_f64(builder, builder.like(1.0, x), x)


def sqrt_f64(builder: LaneBuilder, x: Value) -> Value:
    """Goldschmidt's method from the hardware's reciprocal root; 0 and infinity are their own roots."""
    like = builder.like
    is_tiny = builder.less(x, like(_SCALED_BELOW, x))
    scaled = builder.mul(x, builder.where(is_tiny, like(2.0**256, x), like(1.0, x)))
    estimate = builder.hw_rsq(scaled)
    half, root = builder.mul(estimate, like(0.5, x)), builder.mul(scaled, estimate)
    error = builder.fma(builder.neg(half), root, like(0.5, x))
    root, half = builder.fma(root, error, root), builder.fma(half, error, half)
    for _ in range(2):
        root = builder.fma(builder.fma(builder.neg(root), root, scaled), half, root)
    root = builder.mul(root, builder.where(is_tiny, like(2.0**-128, x), like(1.0, x)))
    itself = builder.logical_or(builder.equal(x, like(0.0, x)), builder.equal(x, like(math.inf, x)))
    return builder.where(itself, x, root)
