"""Every expanded f32 function against numpy's long double: whole range, special values, three hardware approximations."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.graph import ops as graph
from asmgen.ir.program import Module, Op, Value
from asmgen.ir.types import F32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math import MathOptions, expand_module
from isa.semantics.mode import Approximation
from tools.measure_functions import FUNCTIONS, division_errors, lane_module, largest_errors, run, ulp_error

COUNT = 1 << 16
BOUNDS = {
    "exp": 2, "log": 2, "tanh": 4, "erf": 4, "sigmoid": 4, "sqrt": 1, "rsqrt": 1, "recip": 1,
    "sin": 4, "cos": 4, "tan": 6, "asin": 4, "acos": 4, "atan": 4, "sinh": 4, "cosh": 4, "asinh": 4, "acosh": 4, "atanh": 4, "log2": 2,
    "cbrt": 1, "expm1": 3, "log1p": 3,
}  # fmt: skip


def expanded(name: str, options: MathOptions) -> Module:
    """The function on 1024 elements."""
    return expand_module(lane_module([F32], F32, 1024, lambda builder, x: builder.value(FUNCTIONS[name].op, x)), options)


@pytest.mark.broad
@pytest.mark.parametrize("approximation", list(Approximation))
@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_error_is_within_the_bound(name: str, approximation: Approximation) -> None:
    (error,) = largest_errors(name, MathOptions(), COUNT, [approximation])
    assert error <= BOUNDS[name]


@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_error_of_an_angle_that_integers_reduce(name: str) -> None:
    (error,) = largest_errors(name, MathOptions(slow_f64=True), 1 << 14, [Approximation.NEAREST])
    assert error <= BOUNDS[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_error_is_within_the_bound_on_four_million(name: str) -> None:
    assert max(largest_errors(name, MathOptions(), 1 << 22)) <= BOUNDS[name]


# The products of log2 that round most lie just below the square root of 2: the result is below a half, and f log2 e above.
SQUARE_ROOT = 0x3FB504F3
OF_LOG2 = (pytest.param(1 << 15), pytest.param(1 << 23, marks=pytest.mark.slow))  # the latter is every mantissa


@pytest.mark.parametrize("count", OF_LOG2)
def test_log2_below_the_square_root_of_two(count: int) -> None:
    x = np.arange(SQUARE_ROOT - count, SQUARE_ROOT, dtype=np.uint32).view(np.float32)
    module = expand_module(lane_module([F32], F32, count, lambda builder, x: builder.value(graph.LOG2, x)), MathOptions())
    assert ulp_error(run(module, [x]), np.log2(x.astype(np.longdouble))).max() < 1.76


@pytest.mark.parametrize("approximation", list(Approximation))
def test_division_of_variables(approximation: Approximation) -> None:
    (error,) = division_errors(COUNT, [approximation])
    assert error <= 1


INF, NAN = float("inf"), float("nan")
SPECIAL: dict[str, list[tuple[float, float]]] = {
    "exp": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (-104.0, 0.0), (89.0, INF), (-103.0, 1.4012985e-45), (1e30, INF), (-1e30, 0.0)],
    "log": [(0.0, -INF), (-0.0, -INF), (INF, INF), (-1.0, NAN), (-INF, NAN), (-1e-45, NAN), (1.0, 0.0)],
    "tanh": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (1e-45, 1e-45)],
    "erf": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (30.0, 1.0)],
    "sigmoid": [(0.0, 0.5), (-0.0, 0.5), (INF, 1.0), (-INF, 0.0), (1e30, 1.0), (-1e30, 0.0)],
    "sqrt": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-1.0, NAN), (-1e-45, NAN), (-INF, NAN), (4.0, 2.0)],
    "rsqrt": [(0.0, INF), (-0.0, -INF), (INF, 0.0), (-1.0, NAN), (-1e-45, NAN), (4.0, 0.5)],
    "recip": [(0.0, INF), (-0.0, -INF), (INF, 0.0), (-INF, -0.0), (4.0, 0.25)],
    "sin": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN)],
    "cos": [(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN)],
    "tan": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN)],
    "asin": [(0.0, 0.0), (-0.0, -0.0), (1.5, NAN), (-INF, NAN)],
    "acos": [(1.0, 0.0), (1.5, NAN), (-INF, NAN)],
    "atan": [(0.0, 0.0), (-0.0, -0.0)],
    "sinh": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF)],
    "cosh": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF)],
    "asinh": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF)],
    "acosh": [(1.0, 0.0), (0.5, NAN), (INF, INF), (-INF, NAN)],
    "atanh": [(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN)],
    "cbrt": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (-27.0, -3.0)],
    "expm1": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0), (-1e30, -1.0), (1e30, INF), (1e-45, 1e-45)],
    "log1p": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-1.0, -INF), (-1.5, NAN), (-INF, NAN), (1e-45, 1e-45)],
    "log2": [(0.0, -INF), (-0.0, -INF), (INF, INF), (-1.0, NAN), (8.0, 3.0), (1.0, 0.0)],
}


@pytest.mark.parametrize("slow_f64", [False, True])
@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_special_values(name: str, slow_f64: bool) -> None:
    cases = np.array([*SPECIAL[name], (NAN, NAN)], np.float32)
    x = np.ones(1024, np.float32)
    x[: len(cases)] = cases[:, 0]
    got = run(expanded(name, MathOptions(slow_f64=slow_f64)), [x])[: len(cases)]
    want = cases[:, 1]
    np.testing.assert_array_equal(got, want)
    zero = want == 0
    np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(want[zero]))


def test_fast_functions_are_right_where_the_hardware_is() -> None:
    """A coarse check: fast_math trades the bounds, not the meaning."""
    x = np.random.default_rng(3).uniform(0.1, 5, 1024).astype(np.float32)
    for name, function in FUNCTIONS.items():
        with np.errstate(invalid="ignore"):  # arccos of 5 is no number on both sides
            want = function.reference(x.astype(np.longdouble)).astype(np.float64)
        np.testing.assert_allclose(run(expanded(name, MathOptions(fast=True)), [x]), want, rtol=2e-6, atol=1e-7, err_msg=name)


@pytest.mark.parametrize(("op", "numbers"), [(graph.MAX, 5), (graph.MIN, 2)])
@pytest.mark.parametrize(("nan", "of_one_nan"), [("propagate", (NAN, NAN)), ("ieee", (3, 1))])
@pytest.mark.parametrize("keeps_nan", [False, True])
def test_max_and_min_of_nan(keeps_nan: bool, op: Op, numbers: float, nan: str, of_one_nan: tuple[float, float]) -> None:
    a = np.tile(np.array([NAN, 1, NAN, 2], np.float32), 256)
    b = np.tile(np.array([3, NAN, NAN, 5], np.float32), 256)

    def body(builder: LaneBuilder, p: Value, q: Value) -> Value:
        return builder.value(op, p, q)

    module = expand_module(lane_module([F32, F32], F32, a.size, body), MathOptions(nan=nan, keeps_nan=keeps_nan))
    np.testing.assert_array_equal(run(module, [a, b])[:4], [*of_one_nan, NAN, numbers])


@pytest.mark.parametrize("keeps_nan", [False, True])
def test_clip_and_relu_keep_a_nan(keeps_nan: bool) -> None:
    x = np.resize(np.array([NAN, -3, 0.5, np.inf], np.float32), 1024)
    options = MathOptions(nan="propagate", keeps_nan=keeps_nan)

    def clip(builder: LaneBuilder, x: Value) -> Value:
        return builder.value(graph.CLIP, x, builder.like(-2, x), builder.like(2, x))

    def relu(builder: LaneBuilder, x: Value) -> Value:
        return builder.value(graph.RELU, x)

    for body, wanted in [(clip, [NAN, -2, 0.5, 2]), (relu, [NAN, 0, 0.5, np.inf])]:
        got = run(expand_module(lane_module([F32], F32, x.size, body), options), [x])
        np.testing.assert_array_equal(got[:4], np.array(wanted, np.float32))


@pytest.mark.parametrize("approximation", list(Approximation))
@pytest.mark.parametrize("slow_f64", [False, True])
@pytest.mark.parametrize("exponent", [3.0, 2.0, -1.0, 0.5, -2.5, 1 / 3, 1e-60, 2.0**25, 1e38])
def test_powers_of_a_literal_exponent(exponent: float, slow_f64: bool, approximation: Approximation) -> None:
    """Every kind of base: the guards that a literal exponent decides are left out."""
    a = np.array([0, 1, np.inf, 1.5, 0.75, 1e-45, 3e38, 1 + 2.0**-23], np.float32)
    a = np.resize(np.concatenate([a, -a, [NAN]]), 1024).astype(np.float32)
    module = lane_module([F32], F32, a.size, lambda builder, x: builder.value(graph.POW, x, builder.like(exponent, x)))
    got = run(expand_module(module, MathOptions(slow_f64=slow_f64)), [a], np.float32, approximation)
    with np.errstate(all="ignore"):
        wanted = np.power(a.astype(np.longdouble), np.longdouble(np.float32(exponent)))
        assert ulp_error(got, wanted).max() <= 2
    is_number = ~np.isnan(wanted)
    np.testing.assert_array_equal(np.signbit(got[is_number]), np.signbit(wanted[is_number]))


@pytest.mark.parametrize("approximation", list(Approximation))
def test_angles_of_points(approximation: Approximation) -> None:
    """Points of every quadrant, near the axes and the diagonals, and pairs of special numbers."""
    random = np.random.default_rng(8)
    count = 1 << 14
    y, x = random.integers(0, 1 << 32, (2, count), dtype=np.uint64).astype(np.uint32).view(np.float32)
    with np.errstate(all="ignore"):
        x[: count // 2] = y[: count // 2] * random.uniform(-3, 3, count // 2)
        ends = np.array([0, -0.0, 1, -1, 1e-45, -3e38, np.inf, -np.inf, np.nan], np.float32)
        x[-81:], y[-81:] = np.tile(ends, 9), ends.repeat(9)
        module = lane_module([F32, F32], F32, count, lambda builder, y, x: builder.value(graph.ATAN2, y, x))
        got = run(expand_module(module, MathOptions()), [y, x], np.float32, approximation)
        assert ulp_error(got, np.arctan2(y.astype(np.longdouble), x.astype(np.longdouble))).max() <= 2.5


@pytest.mark.parametrize("approximation", list(Approximation))
@pytest.mark.parametrize("slow_f64", [False, True])
def test_powers_keep_the_bits_of_the_exponent(slow_f64: bool, approximation: Approximation) -> None:
    """Powers from 2**-150 to 2**129, half of them of bases near 1: a product of 24 bits would be off by 100 ULP."""
    random = np.random.default_rng(5)
    count = 1 << 15
    a = np.exp2(random.uniform(-149, 128, count)).astype(np.float32)
    a[::2] = 1 + random.uniform(-0.6, 1, count // 2) * 2.0 ** -random.integers(0, 24, count // 2)
    with np.errstate(all="ignore"):
        b = (random.uniform(-150, 129, count) / np.log2(a.astype(np.float64))).astype(np.float32)
        b[-1000:] = [*np.array([-np.inf, -3, -0.0, 0, 2, np.inf, np.nan, 3e38, 1e-45, -1e38]).repeat(100)]
        wanted = np.power(a.astype(np.longdouble), b.astype(np.longdouble))
        module = lane_module([F32, F32], F32, count, lambda builder, x, y: builder.value(graph.POW, x, y))
        got = run(expand_module(module, MathOptions(slow_f64=slow_f64)), [a, b], np.float32, approximation)
        assert ulp_error(got, wanted).max() <= 2
