"""`chlo.erf_inv` of floats of up to 32 bits: a polynomial times x.

Giles, "Approximating the erfinv function", GPU Computing Gems, Jade edition (2012): single precision. The
logarithm is of (1 - x)(1 + x), as 1 - x x loses the last bits of x near 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from asmgen.frontends.tensors.op_call import OpCall, Results
from asmgen.frontends.tensors.stablehlo.elementwise import as_type
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import like

Rule = Callable[[OpCall], Results]
_BREAK = 5.0
_CENTRAL = (
    2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
    -0.00417768164, 0.246640727, 1.50140941,
)  # fmt: skip
"""The polynomial in w - 2.5, the highest power first, for w = -log((1 - x)(1 + x)) below 5."""
_TAIL = (
    -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613,
    0.00943887047, 1.00167406, 2.83297682,
)  # fmt: skip
"""The polynomial in sqrt(w) - 3, for w from 5 on."""


def _inverse_erf(call: OpCall) -> Results:
    (narrow,) = call.arrays
    if narrow.type.element.bits > 32:
        call.refuse(f"got {narrow.type.element}, wanted f32, f16 or bf16")
    x = as_type(narrow, "f32")
    one = like(1, x)
    w = apply("neg", apply("log", apply("mul", one - x, one + x)))
    is_central = apply("less", w, like(_BREAK, w))
    variable = apply("where", is_central, w - like(2.5, w), apply("sqrt", w) - like(3, w))
    factor = _polynomial(is_central, variable)
    is_end = apply("equal", apply("abs", x), one)
    factor = apply("where", is_end, like(math.inf, x), factor)
    return as_type(apply("mul", factor, x), narrow.type.element.name)


def _polynomial(is_central: Array, x: Array) -> Array:
    """The polynomial of each element, by Horner's rule."""
    pairs = zip(_CENTRAL, _TAIL, strict=True)
    first, *others = [apply("where", is_central, like(a, x), like(b, x)) for a, b in pairs]
    for each in others:
        first = apply("add", apply("mul", first, x), each)
    return first


RULES: dict[str, Rule] = {"chlo.erf_inv": _inverse_erf}
