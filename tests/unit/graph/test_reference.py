"""The reference against mpmath, numpy and exact fractions: its ranges contain the truth, and nothing beyond
the bounds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

from asmgen.graph.ops import graph_op
from asmgen.graph.reference import Rules, compare
from asmgen.ir.numbers import round_float
from asmgen.ir.types import F32
from tests.unit.graph.reference_runs import TINY, run, samples

BOTH = (Rules(), Rules(contract=False))


# Functions, against mpmath

TRUTH: dict[str, Callable[[Any], Any]] = {
    "exp": mpmath.exp, "log": mpmath.log, "tanh": mpmath.tanh, "erf": mpmath.erf, "sqrt": mpmath.sqrt,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)), "rsqrt": lambda x: 1 / mpmath.sqrt(x), "recip": lambda x: 1 / x,
}  # fmt: skip
AT_EDGES: dict[str, list[tuple[float, float]]] = {
    "exp": [(0.0, 1), (-0.0, 1), (np.inf, np.inf), (-np.inf, 0)],
    "log": [(0.0, -np.inf), (-0.0, -np.inf), (np.inf, np.inf), (-np.inf, np.nan), (-1.0, np.nan), (1.0, 0.0)],
    "tanh": [(0.0, 0.0), (-0.0, -0.0), (np.inf, 1), (-np.inf, -1)],
    "erf": [(0.0, 0.0), (-0.0, -0.0), (np.inf, 1), (-np.inf, -1)],
    "sqrt": [(0.0, 0.0), (-0.0, -0.0), (np.inf, np.inf), (-np.inf, np.nan), (-TINY, np.nan)],
    "sigmoid": [(0.0, 0.5), (-0.0, 0.5), (np.inf, 1), (-np.inf, 0)],
    "rsqrt": [(0.0, np.inf), (-0.0, -np.inf), (np.inf, 0.0), (-np.inf, np.nan), (-TINY, np.nan)],
    "recip": [(0.0, np.inf), (-0.0, -np.inf), (np.inf, 0.0), (-np.inf, -0.0)],
}


def true_value(op: str, x: float) -> Fraction | float | None:
    """The value to 200 bits; None if the function is not a finite number."""
    with mpmath.workprec(200):
        if op in ("log", "sqrt", "rsqrt") and x <= 0:
            return None
        y = TRUTH[op](mpmath.mpf(x))
        exponent = int(mpmath.frexp(y)[1])
        if abs(exponent) > 200:
            return float(y)
        return Fraction(int(mpmath.ldexp(y, 200 - exponent))) * Fraction(2) ** (exponent - 200)


@pytest.mark.parametrize("op", list(TRUTH))
def test_functions_hold_the_true_value_and_little_more(op: str) -> None:
    x = samples(150, 1)
    x = x[np.isfinite(x) & (x != 0)]
    found = run(f"y = {op}(a)", x)
    ulps = graph_op(op).ulps
    for value, low, high in zip(x.tolist(), found.low.tolist(), found.high.tolist(), strict=True):
        truth = true_value(op, value)
        if truth is None:
            assert np.isnan(low), value
            continue
        assert low <= round_float(truth, F32) <= high, value
        if 2.0**-126 < abs(truth) < 2.0**127:
            unit = Fraction(2) ** (int(np.frexp(round_float(truth, F32))[1]) - 24)
            exact = Fraction(truth)
            slack = unit / 2**20  # of the float64 evaluation
            assert exact - ulps * unit - slack <= Fraction(low) and Fraction(high) <= exact + ulps * unit + slack, value


@pytest.mark.parametrize(("op", "x", "y"), [(op, x, y) for op, table in AT_EDGES.items() for x, y in (*table, (np.nan, np.nan))])
def test_functions_at_the_edges(op: str, x: float, y: float) -> None:
    found = run(f"y = {op}(a)", np.array([x], np.float32))
    assert not compare(found, np.array([y], np.float32)).is_broken
    wrong = [v for v in (np.nan, np.inf, -np.inf, 0.0, -0.0, 1.5) if repr(v) != repr(float(y))]
    # an exact 0 of log has either sign; if a function underflows to 0 the sign is free
    wrong = [v for v in wrong if not (v == 0 == y and op in ("log", "exp", "sigmoid"))]
    assert all(compare(found, np.array([v], np.float32)).is_broken for v in wrong)


# Exact ops, against numpy

EXACT: list[tuple[str, Callable[[Any, Any], Any]]] = [
    ("add", np.add), ("sub", np.subtract), ("mul", np.multiply), ("max", np.fmax), ("min", np.fmin), ("neg", lambda a, _: -a),
    ("abs", lambda a, _: np.abs(a)), ("floor", lambda a, _: np.floor(a)), ("ceil", lambda a, _: np.ceil(a)),
    ("relu", lambda a, _: np.fmax(a, a.dtype.type(0))),
    ("identity", lambda a, _: a),
]  # fmt: skip


@pytest.mark.parametrize("rules", BOTH, ids=("contract", "apart"))
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize(("op", "function"), EXACT)
def test_exact_ops_allow_the_rounded_result_alone(op: str, function: Callable[[Any, Any], Any], dtype: Any, rules: Rules) -> None:
    with np.errstate(all="ignore"):
        a, b = (part.reshape(-1) for part in np.meshgrid(samples(60, 2).astype(dtype), samples(60, 3).astype(dtype)))
        wanted = function(a, b)
        off = np.nextafter(wanted, dtype(np.inf))
    is_binary = graph_op(op).minimum == 2
    found = run(f"y = {op}(a, b)" if is_binary else f"y = {op}(a)", a, b, rules=rules)
    check = compare(found, wanted)
    assert not check.is_broken, str(check)
    changed = ~((wanted == off) | np.isnan(wanted))
    assert compare(found, np.where(changed, off, wanted)).broken == changed.sum()


def test_division_is_within_a_unit() -> None:
    a, b = (part.reshape(-1) for part in np.meshgrid(samples(60, 4), samples(60, 5)))
    found = run("y = div(a, b)", a, b)
    with np.errstate(all="ignore"):
        quotient = a / b
        beside, beyond = (quotient + side * np.spacing(quotient) for side in (1, 2))
    check = compare(found, quotient)
    assert not check.is_broken, str(check)
    normal = np.isfinite(beyond) & (np.abs(quotient) > 2.0**-120) & (np.frexp(quotient)[1] == np.frexp(beyond)[1])
    assert compare(found, np.where(normal, beyond, quotient)).broken == normal.sum()
    # either neighbour of an inexact quotient is within a unit
    with np.errstate(all="ignore"):
        other = quotient - np.spacing(quotient)
    ranges_hold = ((beside >= found.low) & (beside <= found.high)) | ((other >= found.low) & (other <= found.high))
    assert ranges_hold[normal].all()


def test_signs_of_zero() -> None:
    zeros = np.array([0.0, -0.0], np.float32)
    assert compare(run("y = neg(a)", zeros), -zeros).broken == 0
    assert compare(run("y = neg(a)", zeros), zeros).broken == 2
    # max and min order no zeros, so that whatever follows may have either sign
    assert compare(run("m = max(a, b)\ny = recip(m)", zeros, -zeros), np.array([np.inf, -np.inf], np.float32)).broken == 0
    assert compare(run("y = relu(a)", zeros), -zeros).broken == 0
