"""Choices of floats by a comparison: each gives the numbers of the choice, zeros of both signs and NaN included."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

import asmgen
from asmgen.graph import ops as graph
from asmgen.ir.program import Op, Value
from asmgen.ir.types import F32, I32
from asmgen.lanewise import ops as lanewise
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math import MathOptions, expand_module
from asmgen.options import NAN_MODES, PROPAGATE
from tests.device import chosen_device
from tests.tensors.case import Array
from tests.unit.lanewise.test_math_rewrite import expanded, ops_of
from tools.measure_functions import Body, lane_module, run

IEEE = NAN_MODES[0]
SPECIAL = np.array([np.nan, -np.inf, np.inf, -1.5, 1.5, -0.0, 0.0, 1e-45, -1e-45, 2, -2], np.float32)
ORDERS: dict[str, Callable[..., Array]] = {
    "less": np.less, "greater": np.greater, "less_equal": np.less_equal, "greater_equal": np.greater_equal,
}  # fmt: skip


def chosen_by_sign(up: Op, down: Op) -> Body:
    def body(builder: LaneBuilder, x: Value) -> Value:
        return builder.where(builder.less(x, builder.like(0, x)), builder.value(up, x), builder.value(down, x))

    return body


def test_ceil_below_zero_and_floor_above_is_trunc() -> None:
    assert ops_of(expanded(chosen_by_sign(graph.CEIL, graph.FLOOR))) == ["trunc"]
    assert "trunc" not in ops_of(expanded(chosen_by_sign(graph.FLOOR, graph.CEIL)))


def signed_by_bits(negative: float, positive: float | None) -> Body:
    """A choice by the sign bit of x: of two numbers, or of -|x - 1| and |x - 1|."""

    def body(builder: LaneBuilder, x: Value) -> Value:
        bits = builder.bit_cast(x, I32)
        is_negative = builder.less(bits, builder.like(0, bits))
        if positive is not None:
            return builder.where(is_negative, builder.like(negative, x), builder.like(positive, x))
        size = builder.value(graph.ABS, builder.sub(x, builder.like(1.0, x)))
        return builder.where(is_negative, builder.neg(size), size)

    return body


def test_a_magnitude_with_the_sign_of_another_number_is_copysign() -> None:
    assert ops_of(expanded(signed_by_bits(-0.5, 0.5))) == ["copysign"]
    assert ops_of(expanded(signed_by_bits(0, None))) == ["sub", "copysign"]
    for negative, positive in [(-0.5, 0.25), (0.5, -0.5), (0.0, 0.0)]:
        assert "copysign" not in ops_of(expanded(signed_by_bits(negative, positive)))


def zero_for_zeros(compared: Op, zero: float, of_product: bool = False) -> Body:
    """`where(x == 0, zero, x)`, or the same by `not_equal`."""

    def body(builder: LaneBuilder, x: Value) -> Value:
        x = builder.mul(x, builder.like(2.0**-149, x)) if of_product else x
        test = builder.value(compared, x, builder.like(0.0, x))
        arms = [builder.like(zero, x), x]
        return builder.where(test, *arms if compared is graph.EQUAL else arms[::-1])

    return body


def test_a_zero_in_place_of_both_zeros_is_a_sum() -> None:
    for compared in (graph.EQUAL, lanewise.NOT_EQUAL):
        assert ops_of(expanded(zero_for_zeros(compared, 0.0))) == ["add"]
        assert "add" not in ops_of(expanded(zero_for_zeros(compared, -0.0)))
    # the fma of a product that underflows is -0
    assert "fma" not in ops_of(expanded(zero_for_zeros(graph.EQUAL, 0.0, of_product=True)))


def test_a_nan_of_which_the_bits_are_read_keeps_its_sign() -> None:
    """A NaN in place of every NaN is above all numbers in the order of bits; another may have a sign."""

    def body(builder: LaneBuilder, x: Value) -> Value:
        canonical = builder.where(builder.equal(x, x), x, builder.like(np.nan, x))
        return builder.convert(builder.bit_cast(canonical, I32), F32)

    assert "equal" in ops_of(expanded(body))


@pytest.mark.parametrize(
    "body",
    [
        zero_for_zeros(graph.EQUAL, 0.0),
        zero_for_zeros(graph.EQUAL, 0.0, of_product=True),
        chosen_by_sign(graph.CEIL, graph.FLOOR),
        signed_by_bits(-0.5, 0.5),
        signed_by_bits(0, None),
    ],
)
def test_choices_by_the_sign_keep_every_number(body: Body) -> None:
    x = np.resize(np.array([0, 0.5, 1, 1.5, 2.0**24, 1e-45, np.inf, np.nan], np.float32), 1024)
    x[512:] = -x[512:]
    whole = lane_module([F32], F32, x.size, body)
    got, wanted = run(expand_module(whole, MathOptions()), [x]), run(whole, [x])
    np.testing.assert_array_equal(got, wanted)
    np.testing.assert_array_equal(np.signbit(got), np.signbit(wanted))


def bounded(low: float, high: float, choices: str) -> Body:
    """The choices of a clip, spelt as comparisons: the larger first, or the smaller."""

    def body(builder: LaneBuilder, x: Value) -> Value:
        for choice in choices:
            bound = builder.like(low if choice == "l" else high, x)
            kept = builder.greater_equal(x, bound) if choice == "l" else builder.less_equal(x, bound)
            x = builder.where(kept, x, bound)
        return x

    return body


def test_a_clip_by_comparisons_is_a_median() -> None:
    """A choice keeps the sign of a zero; the smaller first gives the upper bound for a NaN."""
    for bounds in ((-1, 2), (-2, 0)):
        assert ops_of(expanded(bounded(*bounds, "lh"))) == ["med3"]
    assert ops_of(expanded(bounded(0, 2, "lh"))) == ["greater_equal", "where", "min"]
    assert ops_of(expanded(bounded(2, -1, "lh"))) == ["max", "min"]
    assert ops_of(expanded(bounded(-1, 2, "hl"))) == ["min", "max"]


def test_the_median_of_a_nan_is_the_lower_bound_as_the_choices_are() -> None:
    x = np.array([np.nan, -np.inf, np.inf, -1, -0.0, 0, 1.5, 2, 3, 1e-42], np.float32)
    got = run(lane_module([F32], F32, 1024, bounded(-1, 2, "lh")), [np.resize(x, 1024)])
    assert got[: len(x)].tolist() == [-1, -1, 2, -1, -0.0, 0, 1.5, 2, 2, x[-1]]


@pytest.mark.parametrize("keeps_nan", [False, True])
@pytest.mark.parametrize("flips", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("choices", ["lh", "hl"])
def test_a_clip_by_comparisons_of_either_side(choices: str, flips: tuple[bool, bool], keeps_nan: bool) -> None:
    """A choice in reverse gives x if x is a NaN; of the two, the last that does not gives its bound."""

    def body(builder: LaneBuilder, x: Value) -> Value:
        for choice, is_reverse in zip(choices, flips, strict=True):
            bound = builder.like(-1.0 if choice == "l" else 2.0, x)
            below, above = (x, bound) if (choice == "l") is is_reverse else (bound, x)
            x = builder.where(builder.less_equal(below, above), *(bound, x) if is_reverse else (x, bound))
        return x

    x = np.resize(SPECIAL, 1024)
    whole = lane_module([F32], F32, x.size, body)
    narrow = expand_module(whole, MathOptions(nan=PROPAGATE, keeps_nan=keeps_nan))
    got, wanted = run(narrow, [x]), run(whole, [x])
    np.testing.assert_array_equal(got, wanted)
    np.testing.assert_array_equal(np.signbit(got[1 : len(SPECIAL)]), np.signbit(wanted[1 : len(SPECIAL)]))
    if flips != (True, True):
        assert not {"less_equal", "where"} & set(ops_of(narrow)), "no choice is left"


# Extremes on a device


def ordered(name: str, order: str, operands: str) -> str:
    strict = order.removesuffix("_equal")
    if order == strict:
        return f"{name} = {order}({operands})"
    return f"{name}s = {strict}({operands})\n{name}e = equal({operands})\n{name} = logical_or({name}s, {name}e)"


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("target, nan", [("gfx942", IEEE), ("gfx950", PROPAGATE), ("gfx1100", PROPAGATE), ("gfx1201", PROPAGATE)])
def test_the_larger_and_the_smaller_by_any_comparison(target: str, nan: str, element: str) -> None:
    """Every order of a number and a literal, of both sides, and every choice by it."""
    x = SPECIAL.astype(np.float64 if element == "f64" else np.float32)
    lines = [f"x = @param:x -> {element}, {{{len(x)}}}"]
    wanted: list[Array] = []
    for k, (order, bound, flips, takes) in enumerate(product(ORDERS, (0.0, -0.0, 1.5), (False, True), (False, True))):
        compared, chosen = [f"b{k}", "x"][:: -1 if flips else 1], [f"b{k}", "x"][:: -1 if takes else 1]
        lines += [f"b{k} = @literal{{{bound}}} -> {element}, {{}}", ordered(f"c{k}", order, ", ".join(compared))]
        lines += [f"r{k} = where(c{k}, {', '.join(chosen)})"]
        literal = np.full_like(x, bound)
        sides = (x, literal) if flips else (literal, x)
        arms = (x, literal) if takes else (literal, x)
        wanted.append(np.where(ORDERS[order](*sides), *arms))
    lines.append(f"@return({', '.join(f'r{k}' for k in range(len(wanted)))})")
    got = asmgen.compile("\n".join(lines), target=target, nan=nan)(x, device=chosen_device())
    for k, (one, right) in enumerate(zip(got, wanted, strict=True)):
        np.testing.assert_array_equal(one, right, err_msg=lines[3 * k + 1])
        np.testing.assert_array_equal(np.signbit(one[1:]), np.signbit(right[1:]), err_msg=f"result {k}")


KEEPS = MathOptions(nan=PROPAGATE, keeps_nan=True)


def relu_of_torch(builder: LaneBuilder, x: Value) -> Value:
    zero = builder.like(0.0, x)
    return builder.where(builder.less_equal(x, zero), zero, x)


def test_a_choice_that_keeps_a_nan_is_a_maximum_if_the_target_has_it() -> None:
    assert ops_of(expanded(relu_of_torch, KEEPS)) == ["maximum"]
    assert ops_of(expanded(relu_of_torch, MathOptions(nan=PROPAGATE))) == ["less_equal", "where"]


def sum_with(number: float) -> Body:
    """`where(0 > x, 0, x) + (x - number)`: of -0 the choice is -0, the maximum +0."""

    def body(builder: LaneBuilder, x: Value) -> Value:
        zero = builder.like(0.0, x)
        chosen = builder.where(builder.greater(zero, x), zero, x)
        return builder.add(chosen, builder.sub(x, builder.like(number, x)))

    return body


def test_the_sign_of_a_zero_may_change_if_the_sum_is_the_same() -> None:
    assert "maximum" in ops_of(expanded(sum_with(1.0), KEEPS))
    assert "maximum" not in ops_of(expanded(sum_with(0.0), KEEPS))


# NaN


def guarded(function: Callable[[LaneBuilder, Value], Value], is_sum: bool = False) -> Body:
    """f(x), but x, or x + 1, if x is a NaN."""

    def body(builder: LaneBuilder, x: Value) -> Value:
        kept = builder.add(x, builder.like(1.0, x)) if is_sum else x
        return builder.where(builder.equal(x, x), function(builder, x), kept)

    return body


def softplus(builder: LaneBuilder, x: Value) -> Value:
    larger = builder.max(x, builder.like(0.0, x))
    return builder.add(larger, builder.value(graph.EXP, builder.neg(builder.value(graph.ABS, x))))


def larger(builder: LaneBuilder, x: Value) -> Value:
    return builder.max(x, builder.like(0.0, x))


def test_a_function_that_keeps_a_nan_needs_no_test_of_it() -> None:
    for is_sum in (False, True):
        assert ops_of(expanded(guarded(softplus, is_sum))) == ops_of(expanded(softplus))
    assert ops_of(expanded(guarded(larger))) == ["equal", "max", "where"]
    assert ops_of(expanded(guarded(larger), KEEPS)) == ["maximum"]


@pytest.mark.parametrize("function", [softplus, larger])
@pytest.mark.parametrize("nan", [IEEE, PROPAGATE])
def test_a_nan_stays_without_a_test_of_it(function: Callable[[LaneBuilder, Value], Value], nan: str) -> None:
    x = np.resize(SPECIAL, 1024)
    got = run(expand_module(lane_module([F32], F32, x.size, guarded(function)), MathOptions(nan=nan)), [x])
    np.testing.assert_array_equal(np.isnan(got), np.isnan(x))


# Bounds


def clipped(ops: str, low: float, high: float) -> Body:
    def body(builder: LaneBuilder, x: Value) -> Value:
        for op in ops.split():
            x = builder.max(x, builder.like(low, x)) if op == "max" else builder.min(x, builder.like(high, x))
        return x

    return body


@pytest.mark.parametrize(
    "ops, nan, wanted",
    [("max min", IEEE, ["med3"]), ("max min", PROPAGATE, ["med3", "not_equal", "where"]), ("min max", IEEE, ["min", "max"]),
     ("min max", PROPAGATE, ["med3", "not_equal", "where"])],
)  # fmt: skip
def test_a_maximum_and_a_minimum_are_a_clip(ops: str, nan: str, wanted: list[str]) -> None:
    """For a NaN the smaller first gives the upper bound, a clip the lower."""
    options = MathOptions(nan=nan)
    assert sorted(ops_of(expanded(clipped(ops, -1, 2), options))) == sorted(wanted)
    assert "med3" not in ops_of(expanded(clipped(ops, 2, -1), options))
    x = np.resize(SPECIAL, 1024)
    whole = lane_module([F32], F32, x.size, clipped(ops, -1, 2))
    np.testing.assert_array_equal(run(expand_module(whole, options), [x])[:1], [np.nan if nan == PROPAGATE else 2 if ops == "min max" else -1])
