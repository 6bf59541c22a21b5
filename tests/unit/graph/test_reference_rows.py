"""The reference of reductions, softmax and norms: it contains the results of honest f32 programs, in any
order, and little more."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from asmgen.graph.reference import Rules, compare
from tests.unit.graph.reference_runs import LARGEST, TINY, f16, f32, i32, run

Array = NDArray[Any]
ROW_OPS = ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod")
MOST = np.iinfo(np.int32).max
LEAST = np.iinfo(np.int32).min


def rows(seed: int, dims: tuple[int, int] = (8, 97), wild: float = 0.0) -> NDArray[np.float32]:
    random = np.random.default_rng(seed)
    x = random.standard_normal(dims) * np.exp2(random.uniform(-8, 8, (dims[0], 1)))
    return np.where(random.random(dims) < wild, x * np.exp2(random.uniform(-140, 120, dims)), x).astype(np.float32)


def ordered(x: Array, seed: int) -> list[Array]:
    """The rows of x front to back, back to front, sorted, and shuffled."""
    shuffled = np.random.default_rng(seed).permutation(x.shape[1])
    return [x, x[:, ::-1], np.sort(x, 1), np.sort(x, 1)[:, ::-1], x[:, shuffled]]


def one_by_one(op: np.ufunc, x: Array) -> Array:
    total = x[:, :1]
    for column in range(1, x.shape[1]):
        total = op(total, x[:, column : column + 1])
    return total


def halves(op: np.ufunc, x: Array) -> Array:
    while x.shape[1] > 1:
        half = x.shape[1] // 2
        x = np.concatenate((op(x[:, :half], x[:, half : 2 * half]), x[:, 2 * half :]), 1)
    return x


# Reductions of floats


@pytest.mark.parametrize("wild", [0.0, 0.1])
@pytest.mark.parametrize(("name", "op"), [("reduce_sum", np.add), ("reduce_prod", np.multiply)])
def test_any_order_is_within_the_bounds(name: str, op: np.ufunc, wild: float) -> None:
    for seed in range(12):
        x = rows(seed, wild=wild)
        found = run(f"y = {name}[axes=1](a)", x)
        with np.errstate(all="ignore"):
            for order in ordered(x, seed):
                for total in (one_by_one(op, order), halves(op, order)):
                    check = compare(found, total)
                    assert not check.is_broken, str(check)


@pytest.mark.parametrize("op", ["reduce_sum[axes=1]", "cumsum[axis=1, exclusive=false, reverse=false]"])
def test_sums_of_unrounded_denormal_products_are_within_the_bounds(op: str) -> None:
    """Each fma rounds its product to a multiple of the smallest denormal."""
    random = np.random.default_rng(1)
    x, w = f32(random.integers(1, 9, (64, 5)) * TINY), f32(random.integers(1, 16, (64, 5)) / 8)
    found = run(f"p = mul(a, b)\ny = {op}(p)", x, w)
    totals = [np.zeros(64, np.float32)]
    for column in range(5):
        product = x[:, column].astype(np.float64) * w[:, column]
        totals.append((totals[-1] + product).astype(np.float32))
    result = np.stack(totals[1:], 1) if op.startswith("cumsum") else totals[-1][:, None]
    check = compare(found, result)
    assert not check.is_broken, str(check)
    assert compare(found, result + 4 * np.float32(TINY)).is_broken


@pytest.mark.parametrize("name", ["reduce_sum", "reduce_mean"])
def test_a_sum_is_within_its_bound_and_no_more(name: str) -> None:
    x = rows(1)
    divisor = 97 if name == "reduce_mean" else 1
    found = run(f"y = {name}[axes=1](a)", x)
    for row, low, high in zip(x.tolist(), found.low[:, 0].tolist(), found.high[:, 0].tolist(), strict=True):
        exact = sum(map(Fraction, row)) / divisor
        bound = Fraction(97, 2**24) * sum(abs(Fraction(number)) for number in row) / divisor
        slack = bound / 50 if divisor == 1 else bound / 50 + 2 * abs(exact) / 2**23
        assert abs(Fraction(low) - (exact - bound)) <= slack
        assert abs(Fraction(high) - (exact + bound)) <= slack


def test_a_product_is_within_its_bound_and_no_more() -> None:
    random = np.random.default_rng(2)
    x = (np.exp2(random.uniform(-1, 1, (8, 20))) * random.choice([-1, 1], (8, 20))).astype(np.float32)
    found = run("y = reduce_prod[axes=1](a)", x)
    for row, low, high in zip(x.tolist(), found.low[:, 0].tolist(), found.high[:, 0].tolist(), strict=True):
        exact = Fraction(1)
        for number in row:
            exact *= Fraction(number)
        assert Fraction(low) < exact < Fraction(high)
        assert Fraction(high) - Fraction(low) <= abs(exact) * Fraction(2 * 21, 2**24)


def test_a_large_factor_multiplies_the_digits_that_denormals_lose() -> None:
    row = np.array([[5e-310, 0.57, 2.0**960, 2.0**960]])
    product = ((row[0, 0] * row[0, 1]) * row[0, 2]) * row[0, 3]
    assert product != (row[0, 0] * row[0, 2]) * (row[0, 1] * row[0, 3])
    assert compare(run("y = reduce_prod[axes=1](a)", row), np.array([[product]])).broken == 0


def test_dropping_or_repeating_an_element_is_out_of_bounds() -> None:
    x = np.random.default_rng(3).uniform(1.05, 1.2, (8, 300)).astype(np.float32)
    for name, op in (("reduce_sum", np.add), ("reduce_mean", np.add), ("reduce_prod", np.multiply)):
        found = run(f"y = {name}[axes=1](a)", x)
        divisor = np.float32(300 if name == "reduce_mean" else 1)
        right = halves(op, x) / divisor
        assert compare(found, right).broken == 0
        assert compare(found, halves(op, x[:, 1:]) / divisor).broken == 8
        assert compare(found, halves(op, np.concatenate((x, x[:, :1]), 1)) / divisor).broken == 8


@pytest.mark.parametrize(
    ("op", "row", "allowed", "refused"),
    [
        ("sum", [np.inf, 1.0, -3e38], [np.inf], [np.nan, LARGEST]),
        ("sum", [np.inf, 1.0, -np.inf], [np.nan], [np.inf, 0.0]),
        ("sum", [np.inf, 1.0, np.nan], [np.nan], [np.inf]),
        ("sum", [3e38, 3e38, -3e38], [3e38, np.inf], [np.nan, -np.inf, 1e37]),
        ("sum", [LARGEST, LARGEST, -LARGEST, -LARGEST], [0.0, np.inf, -np.inf, np.nan], []),
        ("sum", [0.0, -0.0], [0.0, -0.0], [TINY]),
        ("sum", [TINY, TINY, -TINY], [TINY], [0.0, 2 * TINY]),
        ("mean", [LARGEST, LARGEST], [np.inf], [np.nan, LARGEST, 1e30]),
        ("mean", [3.0, 4.0], [3.5], [3.51, np.inf]),
        ("max", [np.nan, 1.0, -2.0], [1.0], [np.nan, -2.0]),
        ("max", [np.nan, np.nan], [np.nan], [1.0]),
        ("max", [-np.inf, -np.inf], [-np.inf], [np.nan]),
        ("max", [-0.0, 0.0], [0.0, -0.0], [TINY]),
        ("min", [np.nan, 1.0, -2.0], [-2.0], [np.nan, 1.0]),
        ("min", [np.inf, 5.0], [5.0], [np.inf]),
        ("prod", [np.inf, 0.0], [np.nan], [np.inf, 0.0]),
        ("prod", [np.inf, -2.0], [-np.inf], [np.inf, np.nan]),
        ("prod", [1e30, 1e30, 1e-30, 1e-30], [np.inf, 0.0, 1.0, np.nan], [-1.0, -np.inf]),
        ("prod", [1e30, 1e30, 1e-30], [np.inf, 1e30], [0.0, 1e29]),
        ("prod", [0.0, 3.0, 4.0], [0.0], [TINY, np.nan]),
        ("prod", [1e-30, 1e-30, -1.0], [0.0, -0.0], [1e-37, np.nan]),
        ("prod", [2.0, -3.0, -0.5], [3.0], [-3.0, 3.1]),
        ("prod", [1.0, np.nan, 0.0], [np.nan], [0.0]),
    ],
)
def test_odd_rows(op: str, row: list[float], allowed: list[float], refused: list[float]) -> None:
    found = run(f"y = reduce_{op}(a)", f32(row))
    assert [number for number in allowed if compare(found, f32([number])).is_broken] == []
    assert [number for number in refused if not compare(found, f32([number])).is_broken] == []


def test_a_nan_wins_where_it_is_propagated() -> None:
    for op in ("max", "min"):
        found = run(f"y = reduce_{op}[axes=1](a)", f32([[np.nan, 1.0], [2.0, 1.0]]), rules=Rules(nan="propagate"))
        assert compare(found, f32([[np.nan], [2.0 if op == "max" else 1.0]])).broken == 0
        assert compare(found, f32([[1.0], [np.nan]])).broken == 2


def test_f16_accumulates_in_f32_and_rounds_once() -> None:
    x = np.full((1, 3000), 1.5, np.float16)
    assert compare(run("y = reduce_sum[axes=1](a)", x), f16([[4500.0]])).broken == 0
    assert compare(run("y = reduce_sum[axes=1](a)", x), f16([[4496.0]])).broken == 1
    assert compare(run("y = reduce_mean[axes=1](a)", np.full((1, 3000), 60000, np.float16)), f16([[60000.0]])).broken == 0
    assert compare(run("y = reduce_sum[axes=1](a)", np.full((1, 3000), 60000, np.float16)), f16([[np.inf]])).broken == 0
    narrow = one_by_one(np.add, (rows(5, (4, 2000)) ** 2).astype(np.float16))
    assert compare(run("y = reduce_sum[axes=1](a)", (rows(5, (4, 2000)) ** 2).astype(np.float16)), narrow).broken == 4


def test_a_maximum_is_exact() -> None:
    x = rows(6)
    found = run("y = reduce_max[axes=1](a)", x)
    assert compare(found, x.max(1, keepdims=True)).broken == 0
    assert compare(found, np.nextafter(x.max(1, keepdims=True), np.float32(0))).broken == 8


@pytest.mark.parametrize("op", ROW_OPS)
def test_errors_of_operands_reach_the_result(op: str) -> None:
    """exp is 2 ULP uncertain: programs that are high or low throughout are both right."""
    x = rows(7, (6, 40)) / np.float32(64)
    found = run(f"e = exp(a)\ny = {op}[axes=1](e)", x)
    exact = np.exp(x.astype(np.float64)).astype(np.float32)
    function = {"reduce_sum": np.add, "reduce_mean": np.add, "reduce_prod": np.multiply, "reduce_max": np.fmax, "reduce_min": np.fmin}[op]
    for factor in (-1, 0, 1):
        moved = (exact + factor * np.spacing(exact)).astype(np.float32)
        result = halves(function, moved) / np.float32(40 if op == "reduce_mean" else 1)
        check = compare(found, result)
        assert not check.is_broken, str(check)


def test_what_may_be_nan_may_lose() -> None:
    """0 * (what may be infinite) may be NaN or 0: the largest of it and -1 may be either."""
    body = "e = exp(a)\np = mul(e, c)\nz = mul(b, p)\ny = reduce_max(z)"
    found = run(body, f32([1.0, 0.0]), f32([0.0, -1.0]), f32([2.0**128 / np.e, 1.0]))
    assert compare(found, f32([0.0])).broken == compare(found, f32([-1.0])).broken == 0
    assert compare(found, f32([-2.0])).broken == compare(found, f32([np.nan])).broken == 1


@pytest.mark.parametrize("op", ["reduce_sum", "reduce_mean", "reduce_max"])
def test_an_infinity_less_something_uncertain_stays_one(op: str) -> None:
    found = run(f"t = tanh(a)\nd = sub(b, t)\ny = {op}(d)", f32([0.5, -0.3, 2.0]), f32([np.inf] * 3))
    assert compare(found, f32([np.inf])).broken == 0
    assert compare(found, f32([np.nan])).broken == compare(found, f32([LARGEST])).broken == 1


# Reductions of integers, axes, empty rows


@pytest.mark.parametrize(
    ("op", "row", "wanted"),
    [
        ("sum", [MOST, 1], LEAST),
        ("sum", [LEAST, LEAST, 5], 5),
        ("mean", [-7, 2], -2),
        ("mean", [7, -2], 2),
        ("mean", [MOST, 1], LEAST // 2),
        ("mean", [MOST, MOST, MOST], (MOST - 2) // 3),
        ("prod", [65536, 65536], 0),
        ("prod", [MOST, MOST, -3], -3),
        ("prod", [3] * 41, np.int64(pow(3, 41, 2**32)).astype(np.int32)),
        ("max", [LEAST, -5], -5),
        ("min", [MOST, 3, LEAST], LEAST),
    ],
)
def test_integers(op: str, row: list[int], wanted: int) -> None:
    found = run(f"y = reduce_{op}(a)", i32(row))
    assert (found.low.item(), found.value.item(), found.high.item()) == (wanted, wanted, wanted)


def test_integers_of_uncertain_floats() -> None:
    """exp may be a little more or less than 3, so that the conversion may give 3 or 2."""
    x = f32([1.0986123, 0.9])
    body = "e = exp(a)\ni = convert[target_type=i32](e)\ny = reduce_{}(i)"
    assert (run(body.format("sum"), x).low.item(), run(body.format("sum"), x).high.item()) == (4, 5)
    product = run(body.format("prod"), x)
    assert product.low.item() <= 4 < 6 <= product.high.item() < 100


@pytest.mark.parametrize(
    ("axes", "numpy_axes"), [("[axes=0]", (0,)), ("[axes={0,2}]", (0, 2)), ("[axes=-1]", (2,)), ("[axes={2,1}]", (1, 2)), ("", (0, 1, 2))]
)
def test_axes(axes: str, numpy_axes: tuple[int, ...]) -> None:
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4) - 7
    for op, function in zip(ROW_OPS, (np.sum, np.mean, np.max, np.min, np.prod), strict=True):
        found = run(f"y = {op}{axes}(a)", x)
        np.testing.assert_allclose(found.value, function(x.astype(np.float64), axis=numpy_axes, keepdims=True), rtol=1e-14)
        if op != "reduce_prod":
            whole = run(f"y = {op}{axes}(a)", x.astype(np.int32)).value
            np.testing.assert_array_equal(whole, np.trunc(function(x.astype(np.int64), axis=numpy_axes, keepdims=True)))


def test_rows_of_nothing() -> None:
    nothing = np.zeros((2, 0), np.float32)
    for op, value in (("sum", 0.0), ("prod", 1.0), ("mean", np.nan)):
        found = run(f"y = reduce_{op}[axes=1](a)", nothing)
        assert compare(found, np.full((2, 1), value, np.float32)).broken == 0
        assert compare(found, np.full((2, 1), 2.0, np.float32)).broken == 2
        assert run(f"y = reduce_{op}[axes=1](a)", nothing.astype(np.int32)).value.tolist() == [[0 if value != value else int(value)]] * 2
    for op in (*ROW_OPS, "softmax[axis=1]", "layernorm", "rmsnorm"):
        name = f"{op}[axes=1]" if op in ROW_OPS else op
        assert run(f"y = {name}(a)", np.zeros((0, 3), np.float32)).value.shape == ((0, 1) if op in ROW_OPS else (0, 3))


def test_a_single_element_is_itself() -> None:
    x = f32([[1.5], [np.nan], [TINY]])
    for op in ROW_OPS:
        found = run(f"y = {op}[axes=1](a)", x)
        assert compare(found, x).broken == 0
        assert (np.isnan(found.low) | (found.low == found.high)).all()


@pytest.mark.parametrize(("op", "broken"), [("reduce_sum", 0), ("reduce_mean", 0), ("reduce_max", 1)])
def test_a_sum_and_a_mean_that_begin_with_zero_may_lose_the_sign_of_a_zero(op: str, broken: int) -> None:
    found = run(f"y = {op}[axes=1](a)", f32([[-0.0]]), rules=Rules(adds_to_zero=True))
    assert compare(found, f32([[0.0]])).broken == broken
    assert compare(run(f"y = {op}[axes=1](a)", f32([[-0.0]])), f32([[0.0]])).broken == 1


# Softmax and norms


def softmax_in_f32(x: Array) -> Array:
    powers = np.exp((x - np.fmax.reduce(x, 1, keepdims=True)).astype(np.float64)).astype(np.float32)
    return powers * (np.float32(1) / powers.sum(1, keepdims=True, dtype=np.float32))


def layernorm_in_f32(x: Array, *rest: Array) -> Array:
    centred = x - one_by_one(np.add, x) / np.float32(x.shape[1])
    return _scaled(centred, rest)


def rmsnorm_in_f32(x: Array, *rest: Array) -> Array:
    return _scaled(x, rest)


def _scaled(x: Array, rest: tuple[Array, ...]) -> Array:
    variance = one_by_one(np.add, x * x) / np.float32(x.shape[1])
    result = x * (1 / np.sqrt((variance + np.float32(1e-5)).astype(np.float64))).astype(np.float32)
    result = result * rest[0] if rest else result
    return result + rest[1] if len(rest) > 1 else result


NORMS: list[tuple[str, Callable[..., Array], int]] = [
    ("softmax[axis=1](a)", softmax_in_f32, 0), ("layernorm(a)", layernorm_in_f32, 0), ("layernorm(a, b, c)", layernorm_in_f32, 2),
    ("rmsnorm(a)", rmsnorm_in_f32, 0), ("rmsnorm(a, b)", rmsnorm_in_f32, 1),
]  # fmt: skip


@pytest.mark.parametrize("wild", [0.0, 0.02])
@pytest.mark.parametrize("length", [1, 2, 5, 97, 700])
@pytest.mark.parametrize(("body", "function", "vectors"), NORMS)
def test_honest_norms_are_within_the_bounds(body: str, function: Callable[..., Array], vectors: int, length: int, wild: float) -> None:
    for seed in range(4):
        x = rows(seed, (8, length), wild)
        rest = [rows(seed + 50 + number, (1, length))[0] for number in range(vectors)]
        for rules in (Rules(), Rules(contract=False)):
            found = run(f"y = {body}", x, *rest, rules=rules)
            with np.errstate(all="ignore"):
                check = compare(found, function(x, *rest))
            assert not check.is_broken, str(check)


def test_softmax_bound() -> None:
    """Decision 8: (8 + 1.5 |x - m|) ULP, and n * 2**-24 of the result for the sum."""
    x = rows(8, (6, 50)) / np.float32(16)
    found = run("y = softmax[axis=1](a)", x)
    wide = x.astype(np.float64)
    exact = np.exp(wide - wide.max(1, keepdims=True))
    exact /= exact.sum(1, keepdims=True)
    bound = (8 + 1.5 * (wide.max(1, keepdims=True) - wide)) * np.spacing(exact.astype(np.float32)) + 50 * 2.0**-24 * exact
    np.testing.assert_allclose(found.value, exact, rtol=1e-13)
    rounding = 0.51 * np.spacing(exact.astype(np.float32))
    assert (np.abs(found.high - exact - bound) <= rounding).all()
    assert (np.abs(exact - found.low - np.minimum(bound, exact)) <= rounding).all()


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        ([np.inf, 1.0, 2.0], [np.nan] * 3),
        ([np.nan, 1.0, 2.0], [np.nan] * 3),
        ([-np.inf, -np.inf], [np.nan] * 2),
        ([-np.inf, 3.0, -np.inf], [0.0, 1.0, 0.0]),
        ([LARGEST, -LARGEST], [1.0, 0.0]),
        ([LARGEST, LARGEST], [0.5, 0.5]),
        ([-LARGEST], [1.0]),
        ([np.inf], [np.nan]),
    ],
)
def test_softmax_of_odd_rows(row: list[float], wanted: list[float]) -> None:
    found = run("y = softmax[axis=0](a)", f32(row))
    assert compare(found, f32(wanted)).broken == 0
    assert compare(found, f32([0.25] * len(row))).broken == len(row)


@pytest.mark.parametrize(
    ("body", "row", "wanted"),
    [
        ("layernorm(a)", [np.inf, 1.0, 2.0], [np.nan] * 3),
        ("layernorm(a)", [np.nan, 1.0, 2.0], [np.nan] * 3),
        ("layernorm(a)", [7.0], [0.0]),
        ("layernorm(a)", [1e30, -1e30], [0.0, -0.0]),
        ("rmsnorm(a)", [np.inf, 1.0, -2.0], [np.nan, 0.0, -0.0]),
        ("rmsnorm(a)", [np.nan, 1.0], [np.nan] * 2),
        ("rmsnorm(a)", [0.0, 0.0], [0.0, 0.0]),
        ("rmsnorm(a)", [LARGEST, 1.0], [0.0, 0.0]),
    ],
)
def test_norms_of_odd_rows(body: str, row: list[float], wanted: list[float]) -> None:
    """Squares that overflow make an infinite mean and a factor of 0, as any f32 evaluation of the formula does."""
    found = run(f"y = {body}", f32(row))
    assert compare(found, f32(wanted)).broken == 0
    assert compare(found, f32([0.25] * len(row))).broken == len(row)


def test_equal_rows_have_no_deviation() -> None:
    found = run("y = layernorm(a)", f32([[3.7] * 64]))
    assert compare(found, np.zeros((1, 64), np.float32)).broken == 0
    assert compare(found, np.full((1, 64), 0.1, np.float32)).broken == 64


def test_the_bound_of_a_norm_is_a_small_multiple_of_the_sums() -> None:
    """Of rows far from 0 too: the error of the mean counts squared in the variance."""
    random = np.random.default_rng(9)
    for centre, most in ((0.0, 4e-4), (100.0, 3e-2)):
        x = (random.standard_normal((4, 1024)) + centre).astype(np.float32)
        found = run("y = layernorm(a)", x)
        assert (found.high - found.low).max() < most
    x = random.standard_normal((4, 1024)).astype(np.float32)
    found = run("y = rmsnorm(a)", x)
    assert ((found.high - found.low) / np.abs(found.value)).max() < 1.1 * 1024 * 2.0**-24


@pytest.mark.parametrize("body", ["softmax[axis=1](e)", "layernorm(e)", "rmsnorm(e)"])
def test_errors_of_operands_reach_the_norms(body: str) -> None:
    x = rows(10, (6, 40)) / np.float32(64)
    found = run(f"e = exp(a)\ny = {body}", x)
    function = {"s": softmax_in_f32, "l": layernorm_in_f32, "r": rmsnorm_in_f32}[body[0]]
    exact = np.exp(x.astype(np.float64)).astype(np.float32)
    for seed in range(5):
        signs = np.random.default_rng(seed).integers(-1, 2, x.shape)
        check = compare(found, function((exact + signs * np.spacing(exact)).astype(np.float32)))
        assert not check.is_broken, str(check)


@pytest.mark.parametrize(("body", "wrong"), [("softmax[axis=1](a)", 1.0001), ("layernorm(a)", 1.001), ("rmsnorm(a)", 1.0001)])
def test_a_norm_that_is_a_little_off_is_refused(body: str, wrong: float) -> None:
    x = np.random.default_rng(11).standard_normal((4, 97)).astype(np.float32)
    found = run(f"y = {body}", x)
    function = {"s": softmax_in_f32, "l": layernorm_in_f32, "r": rmsnorm_in_f32}[body[0]]
    far = np.abs(found.value) > 0.5 if body[0] != "s" else np.ones(x.shape, np.bool_)
    assert compare(found, (function(x) * np.float32(wrong)).astype(np.float32)).broken >= far.sum() > 0
    assert compare(run(f"y = {body}", x.astype(np.float16)), (found.value * 1.002).astype(np.float16)).broken > 0.9 * far.sum()
