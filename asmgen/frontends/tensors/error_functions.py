"""erfc with a small relative error at large arguments, at which 1 - erf(x) is 0.

From 0.5 on it is t exp(P(t) - x x) with t = 2 / (2 + x). The square is h h + (x - h)(x + h) for h, which is x
with so few bits that h h is exact. P was interpolated at Chebyshev's nodes with 40 digits: to 2**-24 for f32
up to 11, and to 2**-55 for f64 up to 28, beyond which erfc is 0.
"""

from __future__ import annotations

from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import like
from asmgen.ir.types import F64
from isa.named_tuple import NamedTuple


class _Tail(NamedTuple):
    """P by powers of `scale` * (t - `centre`) for x from 0.5 to `most`; h has the type `short`."""

    most: float
    centre: float
    scale: float
    powers: tuple[float, ...]
    short: str


_BREAK = 0.5
_SINGLE = _Tail(
    11.0, 0.47692307692307692, 3.0952380952380952,
    (
        -0.7027337423, 0.4316158439, 0.02242128718, -0.01210514201, -0.00206460729, 0.0009093397066,
        0.0001814684475, -7.9652964e-05, -1.241100007e-05,
    ),
    "bf16",
)  # fmt: skip
_DOUBLE = _Tail(
    28.0, 0.43333333333333333, 2.7272727272727273,
    (
        -0.76053050902347112, 0.48225779121304798, 0.034874702508249819, -0.01584184386487501,
        -0.0043667614796714276, 0.0013973696654287172, 0.00058150613971782765, -0.00019984276094638072,
        -7.966889228864451e-05, 3.6840692834659301e-05, 9.6714255596176296e-06, -7.2622675065156576e-06,
        -6.5541367286655896e-07, 1.3387303919144428e-06, -1.2101384132301468e-07, -2.0417211521993923e-07,
        6.258321582366939e-08, 2.0837120392410713e-08, -1.4822918697927408e-08, -4.5616314524535522e-10,
        2.1558954193401275e-09, -1.5090361906325885e-10, -1.5596285820619913e-10,
    ),
    "f32",
)  # fmt: skip


def erfc(narrow: Array) -> Array:
    """erfc of floats; types narrower than f32 are computed in f32."""
    element = narrow.type.element
    x = narrow if element.bits >= 32 else apply("convert", narrow, target_type="f32")
    tail = _DOUBLE if element is F64 else _SINGLE
    size = apply("abs", x)
    far = _far(apply("min", size, like(tail.most, x)), tail)
    far = apply("where", apply("less", x, like(0, x)), like(2, x) - far, far)
    result = apply("where", apply("less", size, like(_BREAK, x)), like(1, x) - apply("erf", x), far)
    result = apply("where", apply("isnan", x), x, result)
    return result if element.bits >= 32 else apply("convert", result, target_type=element.name)


def _far(x: Array, tail: _Tail) -> Array:
    two = like(2, x)
    t = apply("div", two, apply("add", x, two))
    place = apply("mul", apply("sub", t, like(tail.centre, t)), like(tail.scale, t))
    polynomial = like(tail.powers[-1], x)
    for each in reversed(tail.powers[:-1]):
        polynomial = apply("add", apply("mul", polynomial, place), like(each, x))
    short = apply("convert", apply("convert", x, target_type=tail.short), target_type=x.type.element.name)
    rest = apply("mul", apply("sub", x, short), apply("add", x, short))
    first = apply("exp", apply("sub", polynomial, rest))
    return apply("mul", apply("mul", t, first), apply("exp", apply("neg", apply("mul", short, short))))
