"""Integer division, by variables and by constants, and f32 division by constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from asmgen.graph import ops as graph
from asmgen.ir.program import Module, Op
from asmgen.ir.types import F32, I32, U32, ElementType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math import MathOptions, expand_module
from isa.semantics.mode import Approximation
from tools.measure_functions import lane_module, operations, run, samples, ulp_error

Array = NDArray[Any]
EDGES = np.array([0, 1, 2, 3, 5, 7, 10, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF], np.uint32)
TYPES = [pytest.param(I32, np.int32, id="i32"), pytest.param(U32, np.uint32, id="u32")]


def truncated(a: Array, b: Array) -> Array:
    """Python's exact integers, truncating; 0 for a divisor of 0; wrapped to the type."""
    wide_a, wide_b = a.astype(np.int64), b.astype(np.int64)
    quotient = np.abs(wide_a) // np.maximum(np.abs(wide_b), 1) * np.sign(wide_a) * np.sign(wide_b)
    return quotient.astype(a.dtype)


def integers(count: int, seed: int) -> Array:
    """u32 of every length, the edges first."""
    random = np.random.default_rng(seed)
    x = random.integers(0, 1 << 32, count, dtype=np.uint64) >> random.integers(0, 32, count, dtype=np.uint64)
    return x.astype(np.uint32)


@pytest.mark.parametrize("approximation", list(Approximation))
@pytest.mark.parametrize(("element", "dtype"), TYPES)
def test_division_of_variables(element: ElementType, dtype: Any, approximation: Approximation) -> None:
    a, b = integers(1 << 16, 1), integers(1 << 16, 2)
    first, second = np.meshgrid(EDGES, EDGES)
    a[: first.size], b[: first.size] = first.ravel(), second.ravel()
    multiples = slice(1 << 12, 1 << 14)  # operands with an exact quotient, or 1 short of it
    a[multiples] = b[multiples] * integers(a[multiples].size, 3) - np.uint32(1) * (integers(a[multiples].size, 4) & 1)
    a, b = a.view(dtype), b.view(dtype)
    module = expand_module(lane_module([element, element], element, a.size, LaneBuilder.div), MathOptions())
    np.testing.assert_array_equal(run(module, [a, b], dtype, approximation), truncated(a, b))


def _divisors(element: ElementType) -> list[int]:
    random = np.random.default_rng(5)
    small = [0, *range(1, 20), 25, 28, 100, 125, 255, 256, 641, 1000, 1023, 1025, 4096, 65535, 65537, 10**6, 10**9, 2**30, 2**30 + 1, 2**31 - 1]
    small += [int(v) for v in random.integers(1, 2**31, 30)]
    if element is I32:
        return [*small, *[-divisor for divisor in small], -(2**31)]
    return [*small, 2**31, 2**31 + 1, 2**32 - 2, 2**32 - 1, *[int(v) for v in random.integers(2**31, 2**32, 20)]]


def _by_constant(element: ElementType, count: int, divisor: float) -> Module:
    return expand_module(lane_module([element], element, count, lambda builder, x: builder.div(x, builder.like(divisor, x))), MathOptions())


@pytest.mark.parametrize(("element", "dtype"), TYPES)
def test_division_by_constants(element: ElementType, dtype: Any) -> None:
    most = 0
    for divisor in _divisors(element):
        a = integers(1 << 12, 6)
        a[: EDGES.size] = EDGES
        near = slice(EDGES.size, 1 << 11)  # multiples of the divisor and their neighbours
        multiples = a[near].astype(np.uint64) // max(abs(divisor), 1) * abs(divisor)
        a[near] = (multiples + np.arange(multiples.size, dtype=np.uint64) % 3 - 1).astype(np.uint32)
        numerators = a.view(dtype)
        module = _by_constant(element, a.size, divisor)
        most = max(most, operations(module))
        want = truncated(numerators, np.full(a.size, divisor, np.int64).astype(dtype))
        np.testing.assert_array_equal(run(module, [numerators], dtype), want, err_msg=str(divisor))
    assert most <= 6


STATEMENTS = {1.0: 0, 2.0: 1, -0.5: 1, 3.0: 1, 10.0: 1, 0.1: 1, -7.0: 2, 1.4142135: 2, 1e35: 12, 0.0: 12, float("inf"): 12}


@pytest.mark.parametrize(("divisor", "statements"), STATEMENTS.items())
def test_f32_division_by_constants(divisor: float, statements: int) -> None:
    x = samples(1 << 16, -100, 100)
    with np.errstate(all="ignore"):
        want = x.astype(np.longdouble) / np.longdouble(np.float32(divisor))
    module = _by_constant(F32, x.size, divisor)
    assert operations(module) == statements
    for approximation in Approximation:
        with np.errstate(all="ignore"):
            assert ulp_error(run(module, [x], approximation=approximation), want).max() <= 1


@pytest.mark.parametrize(("op", "want"), [(graph.ABS, np.abs), (graph.NEG, np.negative)])
def test_small_integer_ops(op: Op, want: Callable[[Array], Array]) -> None:
    x = integers(1024, 7)
    x[: EDGES.size] = EDGES
    x = x.view(np.int32)
    module = expand_module(lane_module([I32], I32, x.size, lambda builder, v: builder.value(op, v)), MathOptions())
    np.testing.assert_array_equal(run(module, [x], np.int32), want(x))


def _dividends() -> tuple[Array, Array]:
    """Random bits, quotients of a few bits, and products that are next to a multiple of the divisor."""
    random = np.random.default_rng(11)
    bits = random.integers(0, 1 << 32, (2, 1 << 14), dtype=np.uint64).astype(np.uint32)
    a, b = bits.view(np.float32)
    few, near = slice(0, 1 << 12), slice(1 << 12, 1 << 13)
    a[few], b[few] = random.normal(0, 100, 1 << 12), random.normal(0, 3, 1 << 12)
    with np.errstate(all="ignore"):
        a[near] = b[near] * 2.0 ** random.integers(0, 40, 1 << 12) * random.integers(-9, 9, 1 << 12)
    special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 1.17549435e-38, -3.4028235e38, 1, -1.5, 3], np.float32)
    first, second = np.meshgrid(special, special)
    a[-first.size :], b[-first.size :] = first.ravel(), second.ravel()
    return a, b


@pytest.mark.parametrize("approximation", list(Approximation))
@pytest.mark.parametrize("slow_f64", [False, True])
def test_remainders_are_exact(slow_f64: bool, approximation: Approximation) -> None:
    a, b = _dividends()
    module = lane_module([F32, F32], F32, a.size, lambda builder, x, y: builder.value(graph.FMOD, x, y))
    got = run(expand_module(module, MathOptions(slow_f64=slow_f64)), [a, b], np.float32, approximation)
    with np.errstate(all="ignore"):
        wanted = np.fmod(a.astype(np.float64), b.astype(np.float64)).astype(np.float32)
    np.testing.assert_array_equal(got, wanted)
    is_number = ~np.isnan(wanted)
    np.testing.assert_array_equal(np.signbit(got[is_number]), np.signbit(wanted[is_number]))
