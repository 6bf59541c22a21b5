"""`chlo.lgamma` and `chlo.digamma`: Stirling's series, for arguments from a number on.

Smaller arguments are moved by recurrences, and negative arguments are reflected:

    lgamma(x) = lgamma(x + s) - log(x (x + 1) ... (x + s - 1))
    lgamma(x) = log(pi / |sin(pi x)|) - lgamma(1 - x)
    digamma(x) = digamma(x + s) - 1/x - ... - 1/(x + s - 1)
    digamma(x) = digamma(1 - x) - pi / tan(pi x)

The absolute error is that of numbers of the size of lgamma(s), also near the zeros at 1 and 2.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from asmgen.frontends.tensors.op_call import OpCall, Results
from asmgen.frontends.tensors.stablehlo.elementwise import as_type
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import like
from asmgen.ir.types import F64
from isa.named_tuple import NamedTuple

Rule = Callable[[OpCall], Results]
_BERNOULLI = (
    1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330,
)  # fmt: skip
"""Bernoulli's numbers of the orders 2, 4, ..."""


class _Series(NamedTuple):
    """The number of terms, and the argument `least` from which on their rest vanishes in the type."""

    terms: int
    least: int


_SINGLE, _DOUBLE = _Series(4, 4), _Series(10, 8)


def _by_series(of: Callable[[Array, _Series], Array]) -> Rule:
    """A function of floats by its series; types narrower than f32 are computed in f32."""

    def rule(call: OpCall) -> Results:
        (narrow,) = call.arrays
        element = narrow.type.element
        if element is F64:
            return of(narrow, _DOUBLE)
        return as_type(of(as_type(narrow, "f32"), _SINGLE), element.name)

    return rule


def _lgamma(x: Array, series: _Series) -> Array:
    zero, one = like(0, x), like(1, x)
    is_negative = apply("less", x, zero)
    positive = apply("where", is_negative, one - x, x)
    z, is_small = _moved(positive, series)
    rest = _polynomial(z, [b / (2 * k * (2 * k - 1)) for k, b in enumerate(_BERNOULLI[: series.terms], 1)])
    constant = like((math.log(2 * math.pi) - 1) / 2, x)
    large = apply("mul", z - like(0.5, x), apply("log", z) - one) + (constant + apply("div", rest, z))
    product = positive
    for step in range(1, series.least):
        product = apply("mul", product, positive + like(step, x))
    result = large - apply("log", apply("where", is_small, product, one))
    distance = apply("abs", _from_integer(x))
    sine = apply("sin", apply("mul", like(math.pi, x), distance))
    reflected = like(math.log(math.pi), x) - apply("log", sine) - result
    is_pole = apply("equal", distance, zero)  # the result may be infinite too
    reflected = apply("where", is_pole, like(math.inf, x), reflected)
    made = apply("where", is_negative, reflected, result)
    return apply("where", apply("isinf", x), apply("abs", x), made)


def _digamma(x: Array, series: _Series) -> Array:
    zero, one = like(0, x), like(1, x)
    is_negative = apply("less", x, zero)
    positive = apply("where", is_negative, one - x, x)
    z, is_small = _moved(positive, series)
    rest = _polynomial(z, [b / (2 * k) for k, b in enumerate(_BERNOULLI[: series.terms], 1)])
    inverse = apply("div", one, z)
    large = apply("log", z) - apply("mul", inverse, like(0.5, x) + apply("mul", inverse, rest))
    terms = apply("div", one, positive)
    for step in range(1, series.least):
        terms = terms + apply("div", one, positive + like(step, x))
    result = large - apply("where", is_small, terms, zero)
    fraction = _from_integer(x)
    cotangent = apply("div", like(math.pi, x), apply("tan", apply("mul", like(math.pi, x), fraction)))
    made = apply("where", is_negative, result - cotangent, result)
    is_pole = apply("equal", apply("where", apply("less", zero, x), one, fraction), zero)
    return apply("where", is_pole, like(math.nan, x), made)


def _moved(x: Array, series: _Series) -> tuple[Array, Array]:
    """The argument of the series for a positive number, and whether it is not the number itself."""
    is_small = apply("less", x, like(series.least, x))
    return apply("where", is_small, x + like(series.least, x), x), is_small


def _polynomial(z: Array, powers: list[float]) -> Array:
    """powers[0] + powers[1] / z**2 + ..."""
    inverse = apply("div", like(1, z), z)
    square = apply("mul", inverse, inverse)
    result = like(powers[-1], z)
    for each in reversed(powers[:-1]):
        result = apply("mul", result, square) + like(each, z)
    return result


def _from_integer(x: Array) -> Array:
    """A number less the nearest integer, which is exact; x - floor(x) rounds if x is negative and small."""
    return x - apply("nearbyint", x)


RULES: dict[str, Rule] = {"chlo.digamma": _by_series(_digamma), "chlo.lgamma": _by_series(_lgamma)}
