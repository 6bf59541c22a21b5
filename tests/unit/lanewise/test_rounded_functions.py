"""Functions whose results are rounded to 16 bits: every f16 and bf16, f32 between them, three hardware approximations.

The bound is 1/16 ULP of the type, before the rounding (docs/numerics.md).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from asmgen.graph import ops as graph
from asmgen.graph.reference.rounding import round_to, ulp
from asmgen.graph.rounded import FUNCTIONS as ROUNDED
from asmgen.graph.rounded import SHARE, rounded_to
from asmgen.ir.program import Op
from asmgen.ir.types import BF16, F16, F32, ElementType
from asmgen.lanewise.math import MathOptions, expand_module
from isa.semantics.mode import Approximation
from tools.measure_functions import FUNCTIONS, lane_module, run, samples

Array = NDArray[Any]
UNARY = sorted(name for name, function in FUNCTIONS.items() if function.op in ROUNDED)
TYPES = (F16, BF16)


def every(element: ElementType) -> Array:
    """Every number of a type of 16 bits, as f32."""
    bits = np.arange(1 << 16, dtype=np.uint32)
    return (bits << 16).view(np.float32) if element is BF16 else bits.astype(np.uint16).view(np.float16).astype(np.float32)


def errors(op: Op, element: ElementType, operands: list[Array], want: Array, approximation: Approximation) -> Array:
    """The error of each f32 in ULP of the type to which it is rounded; infinite if one is NaN or infinite, and the other not."""
    row = rounded_to(op, element)
    module = expand_module(lane_module([F32] * len(operands), F32, operands[0].size, lambda builder, *x: builder.value(row, *x)), MathOptions())
    got = run(module, operands, approximation=approximation).astype(np.float64)
    want = want.astype(np.float64)
    error = np.abs(got - want) / ulp(want, element)
    # both sides of an overflow, and numbers of which the type has none as small
    error = np.where(
        round_to(got, element) == round_to(want, element), np.where(np.isfinite(error), error, 0), np.where(np.isfinite(error), error, np.inf)
    )
    return np.where(np.isnan(want) | np.isnan(got), np.where(np.isnan(want) & np.isnan(got), 0, np.inf), error)


@pytest.mark.parametrize("approximation", list(Approximation))
@pytest.mark.parametrize("element", TYPES, ids=str)
@pytest.mark.parametrize("name", UNARY)
def test_every_number(name: str, element: ElementType, approximation: Approximation) -> None:
    function, x = FUNCTIONS[name], every(element)
    with np.errstate(all="ignore"):
        error = errors(function.op, element, [x], function.reference(x.astype(np.longdouble)), approximation)
    worst = int(np.argmax(error))
    assert error[worst] <= SHARE, (x[worst], error[worst])


@pytest.mark.parametrize("approximation", list(Approximation))
@pytest.mark.parametrize("element", TYPES, ids=str)
@pytest.mark.parametrize("name", UNARY)
def test_numbers_between_those_of_the_type(name: str, element: ElementType, approximation: Approximation) -> None:
    """Operands in f32. A denormal f32 may be 0 if results are of f16, which rounds it to 0."""
    function = FUNCTIONS[name]
    x = samples(1 << 15, function.low, function.high)
    if element is F16:
        x = np.where(np.abs(x) < np.finfo(np.float32).tiny, np.float32(0), x)
    with np.errstate(all="ignore"):
        error = errors(function.op, element, [x], function.reference(x.astype(np.longdouble)), approximation)
    worst = int(np.argmax(error))
    assert error[worst] <= SHARE, (x[worst], error[worst])


@pytest.mark.parametrize("approximation", list(Approximation))
@pytest.mark.parametrize("element", TYPES, ids=str)
@pytest.mark.parametrize("op", [graph.DIV, graph.POW], ids=lambda op: op.name)
def test_pairs(op: Op, element: ElementType, approximation: Approximation) -> None:
    """Every number of the type with another, and the special numbers with each other."""
    x = every(element)
    y = np.random.default_rng(1).permutation(x)
    special = np.array(
        [0, -0.0, 1, -1, 0.5, -0.5, 2, 3, -3, np.inf, -np.inf, np.nan, 65504, 2.0**-24, x[1], x[0x7F7F if element is BF16 else 0x7BFF]], np.float32
    )
    x[:256], y[:256] = np.repeat(special, 16), np.tile(special, 16)
    # bases near 1 have the largest powers that are finite
    x[256:8448] = 1 + np.random.default_rng(2).integers(-64, 65, 8192) * np.float32(2.0 ** (-7 if element is BF16 else -10))
    with np.errstate(all="ignore"):
        x = round_to(x, element).astype(np.float32)
    with np.errstate(all="ignore"):
        a, b = x.astype(np.longdouble), y.astype(np.longdouble)
        want = a / b if op is graph.DIV else np.power(a, b)
        error = errors(op, element, [x, y], want, approximation)
    worst = int(np.argmax(error))
    assert error[worst] <= SHARE, (x[worst], y[worst], error[worst])
