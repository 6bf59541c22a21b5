"""tanh.

Below 0.55, x + x**3 P(x**2) with P a minimax polynomial (relative error of the sum 0.7 * 2**-24); above,
1 - 2 e/(1+e) with e = exp(-2|x|) <= 0.34, whose errors the 1 swallows.
"""

from __future__ import annotations

from asmgen.ir.program import Value
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.f32.exponential import LOG2_E
from asmgen.lanewise.math.polynomial import horner

_THRESHOLD = 0.55
_CUBIC = (-0.33332946636493904, 0.13320725053732832, -0.052671813357487884, 0.016437580796697715)


def tanh(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    scaled = builder.mul(x, like(2 * LOG2_E, x))
    e = builder.hw_exp2(builder.neg(builder.abs(scaled)))
    share = builder.mul(e, builder.hw_rcp(builder.add(e, like(1.0, x))))
    far = builder.fma(share, like(-2.0, x), like(1.0, x))
    square = builder.mul(x, x)
    near = builder.fma(builder.mul(x, square), horner(builder, square, _CUBIC), x)
    # the sign comes last: the near sum of -0 is +0
    return builder.copysign(builder.where(builder.less(builder.abs(x), like(_THRESHOLD, x)), near, far), x)


def tanh_fast(builder: LaneBuilder, x: Value) -> Value:
    power = builder.hw_exp2(builder.mul(x, builder.like(2 * LOG2_E, x)))
    r = builder.hw_rcp(builder.add(power, builder.like(1.0, x)))
    return builder.fma(r, builder.like(-2.0, x), builder.like(1.0, x))
