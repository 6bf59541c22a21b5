"""fmod and mod of f64, which are exact.

|a| is taken modulo |b| 2**s for s from 2,115 down to 0 in steps of 45. A quotient below 2**45 is estimated
from above, so that it is right or too large by 1. The difference from its product is at least -|b| 2**s, a
multiple of the last place of |b| 2**s, and so an f64 that an fma gives exactly. An addition corrects a
negative difference.
"""

from __future__ import annotations

import math

from asmgen.ir.program import Value
from asmgen.ir.types import I32, LaneType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.f32.division import with_divisors_sign
from asmgen.lanewise.math.wide.arithmetic import reciprocal

_BITS, _MOST = 45, 2115  # of a quotient, and of the largest number by the least
_ABOVE = 1 + 2.0**-50


def fmod(builder: LaneBuilder, a: Value, b: Value) -> Value:
    """The remainder with the sign of a."""
    like = builder.like
    size, by = builder.abs(a), builder.abs(b)
    rest = builder.copysign(_remainder(builder, size, by), a)
    has_one = builder.logical_and(
        builder.less(size, like(math.inf, a)), builder.greater(by, like(0.0, a))
    )  # a is finite and b is not 0 and no NaN
    rest = builder.where(builder.equal(by, like(math.inf, b)), a, rest)
    return builder.where(has_one, rest, like(math.nan, a))


def mod(builder: LaneBuilder, a: Value, b: Value) -> Value:
    """The remainder with the sign of b."""
    return with_divisors_sign(builder, fmod(builder, a, b), b)


def _remainder(builder: LaneBuilder, a: Value, b: Value) -> Value:
    """Of two numbers that are not negative; of b = 0 and of infinities it means nothing."""
    like = builder.like
    estimate = reciprocal(builder, builder.frexp_mantissa(b))
    inverse = builder.mul(estimate, like(_ABOVE, b))
    exponent = builder.frexp_exponent(b)

    def turn(counter: Value, carried: tuple[Value, ...]) -> list[Value]:
        (rest,) = carried
        shift = builder.sub(builder.constant(_MOST, I32), counter)
        shift = builder.add(like(0, exponent), _alike(builder, shift, exponent))
        divisor = builder.ldexp(b, shift)
        places = builder.sub(builder.sub(builder.frexp_exponent(rest), exponent), shift)
        quotient = builder.ldexp(builder.mul(builder.frexp_mantissa(rest), inverse), places)
        quotient = builder.trunc(quotient)
        left = builder.fma(builder.neg(quotient), divisor, rest)
        left = builder.where(builder.less(left, like(0.0, left)), builder.add(left, divisor), left)
        return [builder.where(builder.less(rest, divisor), rest, left)]

    start, stop, step = (builder.constant(number, I32) for number in (0, _MOST + 1, _BITS))
    (remainder,) = builder.for_(start, stop, step, [a], turn)
    return remainder


def _alike(builder: LaneBuilder, number: Value, like: Value) -> Value:
    """A number in every lane of a vector."""
    assert isinstance(like.type, LaneType)
    lanes = like.type.lanes
    return number if lanes == 1 else builder.splat(number, lanes)
