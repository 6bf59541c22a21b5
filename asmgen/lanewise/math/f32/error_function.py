"""erf.

Below 0.8, x + x P(x**2); above, 1 - 2**Q(|x|) with Q fitted to log2 erfc, weighted by erfc so that the error
of the difference is even. Both are minimax fits (Lawson's weights) in f64, rounded to f32.
"""

from __future__ import annotations

from asmgen.ir.program import Value
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.polynomial import horner

_THRESHOLD = 0.8
_NEAR = (
    0.12837901566370263,
    -0.37611477134705146,
    0.1126931724406681,
    -0.026225075360639588,
    0.0040316054219849545,
)
_FAR = (
    -0.001828932345228557,
    -1.6193607063456659,
    -0.9341136563171636,
    -0.13477199323597966,
    0.023615423462090668,
    -0.00195719729351862,
)


def erf(builder: LaneBuilder, x: Value) -> Value:
    magnitude = builder.max(x, builder.neg(x))  # as an instruction: packed fma takes no absolute value
    power = builder.hw_exp2(horner(builder, magnitude, _FAR))
    far = builder.copysign(builder.sub(builder.like(1.0, x), power), x)
    near = builder.fma(x, horner(builder, builder.mul(x, x), _NEAR), x)
    return builder.where(builder.less(magnitude, builder.like(_THRESHOLD, x)), near, far)
