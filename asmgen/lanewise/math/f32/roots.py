"""sqrt and rsqrt of f32.

A small x, denormals above all, is scaled by 2**64 and the result scaled back. The hardware's rsq is refined
by one Newton step; zeros and infinities, of which the step would make NaN, are picked out by their class.
"""

from __future__ import annotations

from asmgen.ir.program import Value
from asmgen.lanewise.builder import LaneBuilder

SMALL = 2.0**-96  # what is less is scaled
_SCALE = 2.0**64
_ZEROS_AND_INFINITY = 0x20 | 0x40 | 0x200  # -0, +0, +inf of V_CMP_CLASS_F32


def sqrt(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    small = builder.less(x, like(SMALL, x))
    scaled = builder.mul(x, builder.where(small, like(_SCALE, x), like(1.0, x)))
    r = builder.hw_rsq(scaled)
    root = builder.mul(scaled, r)
    residue = builder.fma(builder.neg(root), root, scaled)
    root = builder.fma(residue, builder.mul(r, like(0.5, x)), root)
    root = builder.mul(root, builder.where(small, like(_SCALE**-0.5, x), like(1.0, x)))
    return builder.where(builder.is_class(x, _ZEROS_AND_INFINITY), x, root)


def sqrt_fast(builder: LaneBuilder, x: Value) -> Value:
    return builder.hw_sqrt(x)


def rsqrt(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    small = builder.less(x, like(SMALL, x))
    scaled = builder.mul(x, builder.where(small, like(_SCALE, x), like(1.0, x)))
    r = builder.hw_rsq(scaled)
    error = builder.fma(builder.neg(builder.mul(scaled, r)), r, like(1.0, x))
    refined = builder.fma(builder.mul(r, like(0.5, x)), error, r)
    refined = builder.where(builder.is_class(scaled, _ZEROS_AND_INFINITY), r, refined)
    return builder.mul(refined, builder.where(small, like(_SCALE**0.5, x), like(1.0, x)))


def rsqrt_normal(builder: LaneBuilder, x: Value) -> Value:
    """rsqrt of what is not less than `SMALL`: no scaling, and no zero. At infinity the error of the step is a
    NaN, in place of which -1 gives the 0 that the hardware's rsq is there; any other error is far above -1.
    """
    like = builder.like
    r = builder.hw_rsq(x)
    error = builder.fma(builder.neg(builder.mul(x, r)), r, like(1.0, x))
    return builder.fma(builder.mul(r, like(0.5, x)), builder.max(error, like(-1.0, x)), r)


def rsqrt_fast(builder: LaneBuilder, x: Value) -> Value:
    return builder.hw_rsq(x)
