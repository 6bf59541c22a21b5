"""Functions with a result that is rounded to 16 bits: the hardware's instructions, and corrections to them.

The error is at most 1/16 ULP of the type before the rounding, 2**-15 relative for f16 and 2**-12 for bf16
(docs/numerics.md derives it). The instructions have 2**-23, so what costs is their range: they flush denormal
numbers. Those of f32 are below half of the smallest f16, but bf16 has the exponents of f32. So functions for
bf16 scale.

tanh: 1 - 2/(1 + exp 2x) is right to 2**-22 absolute, and x itself to x**3/3. `_NEAR_ZERO` is a bound below
which both are far enough below 1/16 ULP of f16.

erf: 1 - 2**(|x| Q(|x|)) is right to 2**-23 absolute, and 2/sqrt(pi) x to x**3 3/8. Q is fitted to
log2 erfc(x) / x up to 4.6, weighted by the error of the result (Lawson's weights).
"""

from __future__ import annotations

import math

from asmgen.ir.program import Value
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.f32.division import div
from asmgen.lanewise.math.f32.exponential import LOG2_E, tanh_fast
from asmgen.lanewise.math.f32.logarithm import LN_2, with_sign
from asmgen.lanewise.math.polynomial import horner

_NEAR_ZERO = 1.2 * 2.0**-7
_LOG2_ERFC = (
    -1.6279082298278809, -0.9183762073516846, -0.1489376425743103, 0.0297978725284338, -0.0029962719418108463,
)  # fmt: skip
_SMALLEST_NORMAL = 2.0**-126
_SCALE = 2.0**32


def exp_for_bf16(builder: LaneBuilder, x: Value) -> Value:
    """The square of exp(x/2), which is not a denormal number if exp(x) is not 0."""
    root = builder.hw_exp2(builder.mul(x, builder.like(LOG2_E / 2, x)))
    return builder.mul(root, root)


def sigmoid_for_bf16(builder: LaneBuilder, x: Value) -> Value:
    """2**-32 / (2**-32 + exp(-x) 2**-32): the reciprocal is not a denormal number."""
    like = builder.like
    power = builder.hw_exp2(builder.fma(x, like(-LOG2_E, x), like(-32.0, x)))
    return builder.mul(builder.hw_rcp(builder.add(power, like(1 / _SCALE, x))), like(1 / _SCALE, x))


def tanh(builder: LaneBuilder, x: Value) -> Value:
    is_near = builder.less(builder.abs(x), builder.like(_NEAR_ZERO, x))
    return builder.where(is_near, x, tanh_fast(builder, x))


def erf(builder: LaneBuilder, x: Value) -> Value:
    magnitude = builder.max(x, builder.neg(x))  # as an instruction: packed fma takes no absolute value
    power = builder.hw_exp2(builder.mul(magnitude, horner(builder, magnitude, _LOG2_ERFC)))
    far = builder.copysign(builder.sub(builder.like(1.0, x), power), x)
    near = builder.mul(x, builder.like(2 / math.sqrt(math.pi), x))
    return builder.where(builder.less(magnitude, builder.like(_NEAR_ZERO, x)), near, far)


def log2_for_bf16(builder: LaneBuilder, x: Value) -> Value:
    is_small, scaled = _without_denormals(builder, x)
    moved = builder.where(is_small, builder.like(32.0, x), builder.like(0.0, x))
    return builder.sub(builder.hw_log2(scaled), moved)


def log_for_bf16(builder: LaneBuilder, x: Value) -> Value:
    return builder.mul(log2_for_bf16(builder, x), builder.like(LN_2, x))


def sqrt_for_bf16(builder: LaneBuilder, x: Value) -> Value:
    is_small, scaled = _without_denormals(builder, x)
    return _scaled_back(builder, is_small, builder.hw_sqrt(scaled), _SCALE**-0.5)


def rsqrt_for_bf16(builder: LaneBuilder, x: Value) -> Value:
    is_small, scaled = _without_denormals(builder, x)
    return _scaled_back(builder, is_small, builder.hw_rsq(scaled), _SCALE**0.5)


def recip_for_bf16(builder: LaneBuilder, x: Value) -> Value:
    """s / (x s), s 2**-32 from |x| = 1 on and 2**32 below."""
    like = builder.like
    is_large = builder.greater_equal(builder.abs(x), like(1.0, x))
    scale = builder.where(is_large, like(1 / _SCALE, x), like(_SCALE, x))
    return builder.mul(builder.hw_rcp(builder.mul(x, scale)), scale)


def log2_for_f16(builder: LaneBuilder, x: Value) -> Value:
    return builder.hw_log2(x)


def div_for_f16(builder: LaneBuilder, numerator: Value, denominator: Value) -> Value:
    inverse = builder.hw_rcp(denominator)
    return inverse if builder.literal_of(numerator) == 1.0 else builder.mul(numerator, inverse)


def div_for_bf16(builder: LaneBuilder, numerator: Value, denominator: Value) -> Value:
    if builder.literal_of(numerator) == 1.0:
        return recip_for_bf16(builder, denominator)
    return div(builder, numerator, denominator)


def power_for_f16(builder: LaneBuilder, a: Value, b: Value) -> Value:
    size = builder.abs(a)
    result = builder.hw_exp2(builder.mul(b, builder.hw_log2(size)))
    return with_sign(builder, a, b, result)


def power_for_bf16(builder: LaneBuilder, a: Value, b: Value) -> Value:
    size = builder.abs(a)
    half = builder.mul(log2_for_bf16(builder, size), builder.like(0.5, size))
    root = builder.hw_exp2(builder.mul(b, half))
    return with_sign(builder, a, b, builder.mul(root, root))


def _without_denormals(builder: LaneBuilder, x: Value) -> tuple[Value, Value]:
    """Whether x is a denormal number, 0 or negative, and x, then times 2**32."""
    is_small = builder.less(x, builder.like(_SMALLEST_NORMAL, x))
    scale = builder.where(is_small, builder.like(_SCALE, x), builder.like(1.0, x))
    return is_small, builder.mul(x, scale)


def _scaled_back(builder: LaneBuilder, is_small: Value, value: Value, by: float) -> Value:
    return builder.mul(value, builder.where(is_small, builder.like(by, value), builder.like(1.0, value)))
