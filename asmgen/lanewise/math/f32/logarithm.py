"""log.

The hardware's log2 has 1 ULP besides its rounding, which times ln 2 can be more than 2 ULP just above a power
of two; so it only gives the exponent k and the special cases. log x = k ln 2 + f + f**2 Q(f) with x = 2**k
(1+f), f from -0.29 to 0.42. A denormal x is scaled by 2**32 first. An infinite k (x = 0 or infinity) and a
NaN come through unchanged.
"""

from __future__ import annotations

import math

from asmgen.ir.program import Value
from asmgen.ir.types import I32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.polynomial import horner, nearest

LN_2 = math.log(2)
_HIGH = 0.693145751953125  # 16 bits of ln 2: k * _HIGH is exact
_LOW = nearest(LN_2 - _HIGH)
_SMALLEST_NORMAL = 2.0**-126
_SCALE = 2.0**32
_QUADRATIC = (
    -0.49999991606694316, 0.33333950241347476, -0.25001755214567806, 0.1996207126537611,
    -0.16570508640689469, 0.14917983805483861, -0.14307523241447814, 0.08734815722843733,
)  # fmt: skip


def fraction_of(builder: LaneBuilder, x: Value) -> tuple[Value, Value, Value]:
    """-k and f of x, or of x 2**32 if x is denormal, and how many powers of two that is."""
    like = builder.like
    is_small = builder.less(x, like(_SMALLEST_NORMAL, x))
    scaled = builder.mul(x, builder.where(is_small, like(_SCALE, x), like(1.0, x)))
    minus_k = builder.nearbyint(builder.neg(builder.hw_log2(scaled)))
    f = builder.sub(builder.ldexp(scaled, builder.convert(minus_k, I32)), like(1.0, x))
    return minus_k, f, builder.where(is_small, like(32.0, x), like(0.0, x))


def log(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    one = like(1.0, x)
    scale = builder.where(builder.less(x, like(_SMALLEST_NORMAL, x)), like(_SCALE, x), one)
    scaled = builder.mul(x, scale)
    minus_k = builder.nearbyint(builder.neg(builder.hw_log2(scaled)))
    f = builder.sub(builder.ldexp(scaled, builder.convert(minus_k, I32)), one)
    step = nearest(-32 * LN_2 / (_SCALE - 1))
    offset = builder.fma(scale, like(step, x), like(-step, x))
    tail = builder.fma(
        builder.mul(f, f), horner(builder, f, _QUADRATIC), builder.fma(minus_k, like(-_LOW, x), offset)
    )
    return builder.fma(minus_k, like(-_HIGH, x), builder.add(f, tail))


def log_fast(builder: LaneBuilder, x: Value) -> Value:
    return builder.mul(builder.hw_log2(x), builder.like(LN_2, x))
