"""Composites in the reference: contraction, uncertain values, integers, conversions, whole programs, and comparing."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from asmgen.gentext.parser import parse
from asmgen.graph.ops import graph_op
from asmgen.graph.reference import FloatRange, Rules, compare, error_bound, evaluate
from asmgen.ir.numbers import round_float
from asmgen.ir.types import F32
from asmgen.kernels import CATALOGUE, build_kernel
from isa.diagnostics import InputError
from tests.unit.graph.reference_runs import LARGEST, TINY, Array, f16, f32, i32, run

# Contraction


def test_contraction_allows_one_rounding_or_two() -> None:
    random = np.random.default_rng(6)
    a, b = (random.standard_normal(400).astype(np.float32) for _ in range(2))
    c = -(a * b) * (1 + random.integers(-2, 3, 400).astype(np.float32) * np.float32(2.0**-23))
    apart = a * b + c
    fused = np.array(
        [round_float(Fraction(x) * Fraction(y) + Fraction(z), F32) for x, y, z in zip(a.tolist(), b.tolist(), c.tolist(), strict=True)], np.float32
    )
    assert (apart != fused).mean() > 0.5
    for body in ("p = mul(a, b)\ny = add(p, c)", "p = mul(a, b)\ny = add(c, p)", "p = mul(a, b)\nm = neg(c)\ny = sub(p, m)"):
        found = run(body, a, b, c)
        assert not compare(found, apart).is_broken
        assert not compare(found, fused).is_broken
        strict = run(body, a, b, c, rules=Rules(contract=False))
        assert not compare(strict, apart).is_broken
        assert compare(strict, fused).broken == ((apart != fused) | (np.signbit(apart) != np.signbit(fused))).sum()


# Bounds of composites


def test_a_comparison_whose_operands_straddle_may_be_either() -> None:
    a, b = f32([1 / 3, 1 / 3, 0.5]), f32([3, 3, 4])
    product = a.astype(np.float64) * b  # a little over 1 before rounding, 1 after it
    assert (product[:2] != 1).all()
    found = run("p = mul(a, b)\ny = equal(p, c)", a, b, f32([1, 2, 2]))
    assert (found.low.tolist(), found.high.tolist()) == ([0, 0, 1], [1, 0, 1])
    chosen = run("p = mul(a, b)\nq = equal(p, c)\nn = neg(a)\ny = where(q, a, n)", a, b, f32([1, 2, 2]))
    assert (chosen.low == -a * f32([1, 1, -1])).all()
    assert (chosen.high == a * f32([1, -1, 1])).all()
    strict = run("p = mul(a, b)\ny = equal(p, c)", a, b, f32([1, 2, 2]), rules=Rules(contract=False))
    assert (strict.low == strict.high).all()


@pytest.mark.parametrize("body", ["d = div(a, s)", "r = recip(s)\nd = mul(r, a)"])
def test_a_quotient_by_a_number_that_may_round_to_zero_has_both_infinities(body: str) -> None:
    """127 and -127 after a clip, as the quantiser of a row of denormals has them; -127 to 1 was allowed."""
    found = run(f"s = div(a, b)\n{body}\nm = min(d, b)\ny = max(m, c)", f32([TINY]), f32([127]), f32([-127]))
    assert (found.low.tolist(), found.high.tolist()) == ([-127], [127])


def test_floor_of_an_uncertain_value_may_step() -> None:
    found = run("e = exp(a)\nl = log(e)\ny = floor(l)", f32([2, 2.5]))
    assert (found.low.tolist(), found.high.tolist()) == ([1, 2], [2, 2])


ALMOST_ONE = 1 - 2.0**-24


def test_overflow_within_the_bound_is_either() -> None:
    found = run("y = div(a, b)", f32([LARGEST, LARGEST, 1]), f32([ALMOST_ONE, 0.5, 1]))  # the first is 2**128
    assert found.low.tolist() == [2.0**128 - 2.0**105, np.inf, 1 - 2.0**-23]
    assert found.high.tolist() == [np.inf, np.inf, 1 + 2.0**-23]


def test_nan_may_come_of_an_uncertain_overflow() -> None:
    found = run("q = div(a, b)\ny = sub(q, q)", f32([LARGEST, LARGEST, 1]), f32([ALMOST_ONE, 0.5, 1]))
    assert found.may_be_nan.tolist() == [True, True, False]
    assert np.isnan(found.low).tolist() == [False, True, False]


def test_f16_may_be_kept_in_f32_until_it_is_converted() -> None:
    a = f16([1.001, 2048])
    b = f16([0.0004, 1])
    kept = (a.astype(np.float32) + b.astype(np.float32)) - a.astype(np.float32)
    rounded = (a + b) - a
    found = run("s = add(a, b)\ny = sub(s, a)", a, b)
    assert not compare(found, kept.astype(np.float16)).is_broken
    assert not compare(found, rounded).is_broken
    exact = run("s = add(a, b)\ny = convert[target_type=f32](s)", a, b)
    assert not compare(exact, (a + b).astype(np.float32)).is_broken
    assert compare(exact, a.astype(np.float32) + b.astype(np.float32)).broken == 2


@pytest.mark.parametrize("name", ["gelu", "gelu_erf"])
def test_gelu_is_held_to_its_bound_as_a_whole(name: str) -> None:
    x = np.concatenate([np.linspace(-9, 9, 4001), np.logspace(-30, 4, 500), -np.logspace(-30, 4, 500)]).astype(np.float32)
    (found,) = evaluate(build_kernel(name, [("n", str(x.size))]), [x])
    assert isinstance(found, FloatRange)
    size = np.abs(x.astype(np.float64))
    allowed = (error_bound(found) / 2.0**-23)[size > 1e-20] / size[size > 1e-20]
    assert 3.9 < allowed.max() <= 4.0000001
    # values other than gelu are bounded op by op: a tanh within 4 ULP, then a rounding
    half = run("t = tanh(a)\no = @literal{1} -> {}\ny = add(o, t)", x)
    assert (half.high - half.low).max() <= 2 * 4 * 2.0**-23


@pytest.mark.parametrize("change", [("0.5", "0.25"), ("one = @literal{1}", "one = @literal{2}"), ("u = mul(scale, inner)", "u = exp(inner)")])
def test_what_only_looks_like_gelu_is_held_op_by_op(change: tuple[str, str]) -> None:
    text = CATALOGUE["gelu"].text({"n": 3, "dtype": "f32"})
    x = f32([-3, -2, -1])
    (gelu,) = evaluate(parse(text, "t.gen"), [x])
    (other,) = evaluate(parse(text.replace(*change), "t.gen"), [x])
    assert text != text.replace(*change)
    assert (gelu.high - gelu.low > 7.5 * 2.0**-23 * -x).all()
    assert (other.high - other.low < 6 * 2.0**-23 * -x).all()


def test_an_fma_in_a_case_that_float64_rounds_twice() -> None:
    a, b, c = f32([2.0**-12 * (1 + 2.0**-15)]), f32([2.0**-12 * (1 - 2.0**-15)]), f32([1 + 2.0**-23])
    found = run("p = mul(a, b)\ny = add(p, c)", a, b, c)
    assert (found.low.tolist(), found.high.tolist()) == ([1 + 2.0**-23], [1 + 2.0**-22])


def test_nan_modes() -> None:
    a, b = f32([np.nan, np.nan, 1]), f32([1, np.nan, np.nan])
    assert not compare(run("y = max(a, b)", a, b), f32([1, np.nan, 1])).is_broken
    propagated = run("y = max(a, b)", a, b, rules=Rules(nan="propagate"))
    assert not compare(propagated, f32([np.nan] * 3)).is_broken
    assert compare(propagated, f32([1, np.nan, 1])).broken == 2
    assert not compare(run("y = clip(a, b, b)", a, b), f32([1, np.nan, 1])).is_broken
    assert not compare(run("y = relu(a)", a), f32([0, 0, 1])).is_broken


# Integers, bool, conversions

I32 = np.iinfo(np.int32)
INTEGERS = np.concatenate(
    [np.array([0, 1, -1, 7, -7, I32.min, I32.max, I32.min + 1], np.int32), np.random.default_rng(7).integers(I32.min, I32.max, 40, np.int32)]
)


def _truncated(a: Array, b: Array) -> Array:
    quotients = [0 if y == 0 else abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    return np.array(quotients, np.int64).astype(np.int32)


INTEGER_OPS: list[tuple[str, Callable[[Any, Any], Any]]] = [
    ("add", np.add), ("sub", np.subtract), ("mul", np.multiply), ("max", np.maximum), ("min", np.minimum), ("div", _truncated),
    ("less", np.less), ("greater", np.greater), ("equal", np.equal), ("abs", lambda a, _: np.abs(a)), ("neg", lambda a, _: -a),
    ("relu", lambda a, _: np.maximum(a, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("op", "function"), INTEGER_OPS)
def test_integers_are_exact_and_wrap(op: str, function: Callable[[Any, Any], Any]) -> None:
    a, b = (part.reshape(-1) for part in np.meshgrid(INTEGERS, INTEGERS))
    with np.errstate(all="ignore"):
        wanted = function(a, b)
    found = run(f"y = {op}(a, b)" if graph_op(op).minimum == 2 else f"y = {op}(a)", a, b)
    assert (found.low == wanted).all() and (found.high == wanted).all() and (found.value == wanted).all()


def test_integers_of_uncertain_floats() -> None:
    x = f32([2, 2.5, 31.9])
    body = "e = exp(a)\nl = log(e)\ni = convert[target_type=i32](l)\n"
    for op, low, high in [("abs(i)", [1, 2, 31], [2, 2, 31]), ("neg(i)", [-2, -2, -31], [-1, -2, -31]), ("mul(i, i)", [1, 4, 961], [4, 4, 961]),
                          ("sub(i, i)", [-1, 0, 0], [1, 0, 0]), ("div(i, i)", [-2, 1, 1], [2, 1, 1]),
                          ("less(i, i)", [0, 0, 0], [1, 0, 0])]:  # fmt: skip
        found = run(f"{body}y = {op}", x)
        assert (found.low.tolist(), found.high.tolist()) == (low, high), op


CONVERSIONS: list[tuple[Array, str, list[float]]] = [
    (f32([2.9, -2.9, 3e9, -3e9, np.nan, np.inf, -np.inf, -0.5]), "i32", [2, -2, I32.max, I32.min, 0, I32.max, I32.min, 0]),
    (f16([2.9, -65504, np.inf]), "i32", [2, -65504, I32.max]),
    (i32([16777217, -5, 2147483647]), "f32", [16777216, -5, 2147483648]),
    (i32([2049, 65519, 65520, -5]), "f16", [2048, 65504, np.inf, -5]),
    (f32([65519.99, 65520, 1e-8, -1e-8, np.nan]), "f16", [65504, np.inf, 0.0, -0.0, np.nan]),
    (f16([0.1, -np.inf, 6e-8]), "f32", [float(np.float16(0.1)), -np.inf, float(np.float16(6e-8))]),
    (f32([0.0, -0.0, np.nan, TINY, -3]), "bool", [0, 0, 1, 1, 1]),
    (i32([0, 3, -1]), "bool", [0, 1, 1]),
    (np.array([True, False]), "f16", [1, 0]),
    (np.array([True, False]), "i32", [1, 0]),
]


@pytest.mark.parametrize(("array", "target", "wanted"), CONVERSIONS)
def test_conversions(array: Array, target: str, wanted: list[float]) -> None:
    found = run(f"y = convert[target_type={target}](a)", array)
    assert not compare(found, np.array(wanted)).is_broken
    assert repr(found.value.tolist()) == repr(np.array(wanted, found.value.dtype).tolist())


# Layout and whole programs


def test_shapes_of_every_kind() -> None:
    a = np.arange(3, dtype=np.float32)
    assert run("y = broadcast[axis=1, out_lens={2,3,4}](a)", a).value.tolist() == np.broadcast_to(a[:, None], (2, 3, 4)).tolist()
    assert run("y = add(a, b)", a.reshape(3, 1), a).value.shape == (3, 3)
    assert run("y = add(a, b)", np.zeros((0, 3), np.float32), a).value.shape == (0, 3)
    assert run("y = exp(a)", f32(0)).value.shape == ()
    assert compare(run("y = exp(a)", np.zeros((0,), np.float32)), np.zeros((0,), np.float32)).index is None


def test_outputs_in_order_of_modules_and_returns() -> None:
    first = "module @m {\n a = @param:a -> {1}\n u = @param:u -> i32, {}\n y = neg(a)\n @return(y, a, y)\n}\n"
    second = "module @n {\n a = @param:a -> {1}\n @return(a)\n}\n"
    found = evaluate(parse(first + second, "t.gen"), [f32([2]), i32(0), f32([3])])
    assert [range_.value.tolist() for range_ in found] == [[-2], [2], [-2], [3]]


def test_a_matrix_product_of_whole_numbers_is_exact() -> None:
    a, b = np.arange(12, dtype=np.float32).reshape(3, 4), np.arange(20, dtype=np.float32).reshape(4, 5)
    text = "a = @param:a -> {3,4}\nb = @param:b -> {4,5}\ny = dot(a, b)\n@return(y)\n"
    (found,) = evaluate(parse(text, "t.gen"), [a, b])
    np.testing.assert_array_equal(found.low, a @ b)
    np.testing.assert_array_equal(found.high, a @ b)
    (found,) = evaluate(parse(text, "t.gen"), [a + np.float32(0.1), b])
    assert (found.low < found.value).all() and (found.high - found.low < 1e-3).all()


# compare


def test_a_comparison_names_the_worst_element() -> None:
    a = f32([[1, 2, 3], [4, 5, 6]])
    found = run("y = add(a, a)", a)
    good = a + a
    bad = good.copy()
    bad[1, 0] = np.nextafter(np.float32(8), np.float32(9))
    bad[1, 2] = 13
    check = compare(found, bad)
    assert (check.broken, check.index, check.got, check.wanted, check.is_broken) == (2, (1, 0), float(bad[1, 0]), 8.0, True)
    assert (check.error, check.allowed) == (1.0, 0.0)
    assert str(check).split("\n") == [
        "2 of 6 elements are outside their error bounds",
        f"  furthest outside: element [1, 0], got {check.got!r}, float64 reference 8.0, allowed 8.0 to 8.0",
        "  error 1, bound 0 units in the last place of the result",
    ]
    assert str(compare(found, good)) == "all 6 elements are exact, or the correctly rounded result"
    with pytest.raises(InputError, match=r"shape \(3, 2\), wanted \(2, 3\)"):
        _ = compare(found, bad.reshape(3, 2))


@pytest.mark.parametrize(("value", "wrong"), [(1.0, np.nan), (np.nan, 1.0), (np.inf, -np.inf), (np.inf, LARGEST), (1.0, np.inf), (-np.inf, np.nan)])
def test_specials_must_match(value: float, wrong: float) -> None:
    found = run("y = identity(a)", f32([value]))
    assert not compare(found, f32([value])).is_broken
    check = compare(found, f32([wrong]))
    assert check.is_broken and check.error == np.inf
