"""exp and sigmoid.

exp(x) = 2**n * 2**f with n = round(x log2 e) and f = x log2 e - n, which two fmas give to within 2**-25
absolute. n comes out of the low bits of an f32 near 1.5 * 2**23; it is clamped there, so that f of an
infinite or huge x is infinite or huge with its sign, and the hardware's 2**f is 0 or infinity. ldexp rounds
denormal results once.

Just below 1 the hardware may return the float above 1, which is more than 2 ULP off: near 0, 2**f is 1 + f ln
2.
"""

from __future__ import annotations

import math

from asmgen.ir.program import Value
from asmgen.ir.types import I32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.polynomial import split_toward_zero

LN_2 = math.log(2)
LOG2_E = 1 / LN_2
_HIGH, _LOW = split_toward_zero(LOG2_E)
_INTEGERS = 1.5 * 2.0**23  # an f32 here has a last bit of 1: adding it rounds to an integer
_INTEGER_BITS = 0x4B400000  # its bits
_LOWEST, _HIGHEST = -152.0, 129.0  # 2**n beyond these is 0 or infinite whatever f is
_NEAR_ONE = 2.0**-13  # where 1 + f ln 2 is right to 2**-28


def _reduced(builder: LaneBuilder, x: Value) -> tuple[Value, Value]:
    """f and n of exp(x)."""
    like = builder.like
    shifted = builder.fma(x, like(LOG2_E, x), like(_INTEGERS, x))
    shifted = builder.med3(shifted, like(_INTEGERS + _LOWEST, x), like(_INTEGERS + _HIGHEST, x))
    whole = builder.sub(shifted, like(_INTEGERS, x))
    part = builder.fma(x, like(_LOW, x), builder.fma(x, like(_HIGH, x), builder.neg(whole)))
    bits = builder.bit_cast(shifted, I32)
    return part, builder.sub(bits, builder.like(_INTEGER_BITS, bits))


def exp(builder: LaneBuilder, x: Value) -> Value:
    f, n = _reduced(builder, x)
    line = builder.fma(f, builder.like(LN_2, x), builder.like(1.0, x))
    power = builder.where(builder.less(builder.abs(f), builder.like(_NEAR_ONE, x)), line, builder.hw_exp2(f))
    return builder.ldexp(power, n)


def half_exp(builder: LaneBuilder, x: Value) -> Value:
    """exp(x)/2 of an x of at least 0, which is infinite only where that is."""
    f, n = _reduced(builder, x)
    return builder.ldexp(builder.hw_exp2(f), builder.sub(n, builder.like(1, n)))


def exp_fast(builder: LaneBuilder, x: Value) -> Value:
    return builder.hw_exp2(builder.mul(x, builder.like(LOG2_E, x)))


def sigmoid(builder: LaneBuilder, x: Value) -> Value:
    """With e = exp(-|x|) <= 1: 1/(1+e), times e where x < 0.

    r = 1/(1+e) gets one Newton step, whose residual 1 - (1+e) r is taken of e itself and so makes up for the
    rounding of 1 + e; and it is kept as r - 1, which is small where e is, so that the last fma is all that
    rounds.
    """
    like = builder.like
    f, n = _reduced(builder, builder.min(x, builder.neg(x)))
    e = builder.ldexp(builder.hw_exp2(f), n)
    r = builder.hw_rcp(builder.add(e, like(1.0, x)))
    missing = builder.sub(like(1.0, x), r)
    residual = builder.fma(builder.neg(e), r, missing)
    correction = builder.fma(residual, r, builder.neg(missing))
    numerator = builder.where(builder.less(x, like(0.0, x)), e, like(1.0, x))
    return builder.fma(numerator, correction, numerator)


def sigmoid_fast(builder: LaneBuilder, x: Value) -> Value:
    power = builder.hw_exp2(builder.mul(x, builder.like(-LOG2_E, x)))
    return builder.hw_rcp(builder.add(power, builder.like(1.0, x)))
