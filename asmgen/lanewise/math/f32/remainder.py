"""fmod and mod of f32, which are exact.

|a| is taken modulo |b| 2**(28 s) for s from 9 down to 0, in f64: a quotient has 28 bits and little more each
time, so that its product with the 24 bits of b and the difference are exact. An estimate of the quotient may
be one off either way; the last difference is put right.
"""

from __future__ import annotations

import math

from asmgen.ir.program import Value
from asmgen.ir.types import F32, F64
from asmgen.lanewise.builder import LaneBuilder

_BITS = 28  # of a quotient
_STEPS = 10  # 2**128 by 2**-149 has 277 bits


def fmod(builder: LaneBuilder, a: Value, b: Value) -> Value:
    """The remainder with the sign of a."""
    rest = builder.copysign(_remainder(builder, builder.abs(a), builder.abs(b)), a)
    like = builder.like
    is_large = builder.equal(builder.abs(b), like(math.inf, b))
    rest = builder.where(is_large, a, rest)
    # of an infinite a, of b = 0 and of NaN there is none
    infinite = builder.logical_not(builder.less(builder.abs(a), like(math.inf, a)))
    none = builder.logical_or(infinite, builder.logical_not(builder.greater(builder.abs(b), like(0.0, b))))
    return builder.where(none, like(math.nan, a), rest)


def mod(builder: LaneBuilder, a: Value, b: Value) -> Value:
    """The remainder with the sign of b: fmod, and b more where the signs differ."""
    return with_divisors_sign(builder, fmod(builder, a, b), b)


def with_divisors_sign(builder: LaneBuilder, rest: Value, b: Value) -> Value:
    """A remainder that has the dividend's sign, moved by b where that differs from b's."""
    zero = builder.like(0.0, rest)
    differs = builder.logical_xor(builder.less(rest, zero), builder.less(b, zero))
    moved = builder.where(differs, builder.add(rest, b), rest)
    return builder.where(builder.equal(rest, zero), builder.copysign(zero, b), moved)


def _remainder(builder: LaneBuilder, a: Value, b: Value) -> Value:
    """Of two numbers that are not negative; of b = 0 and of infinities it means nothing."""
    rest, by = builder.convert(a, F64), builder.convert(b, F64)
    like = builder.like
    reciprocal = builder.hw_rcp(by)
    for _ in range(2):
        missing = builder.fma(builder.neg(by), reciprocal, like(1.0, by))
        reciprocal = builder.fma(missing, reciprocal, reciprocal)
    for step in reversed(range(_STEPS)):
        scale = 2.0 ** (_BITS * step)
        quotient = builder.trunc(builder.mul(builder.mul(rest, like(1 / scale, rest)), reciprocal))
        rest = builder.fma(builder.neg(quotient), builder.mul(by, like(scale, by)), rest)
    zero = like(0.0, rest)
    rest = builder.where(builder.less(rest, zero), builder.add(rest, by), rest)
    rest = builder.where(builder.less(rest, by), rest, builder.sub(rest, by))
    return builder.convert(rest, F32)
