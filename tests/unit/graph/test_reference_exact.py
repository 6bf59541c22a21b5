"""Sums and products that have one right result, those that nearly do, and the height of the tree in their bounds."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from asmgen.graph.reference import FloatRange, Rules, compare, error_bound
from tests.unit.graph.reference_runs import f16, f32, run


def width(found: FloatRange) -> float:
    return float(np.max(error_bound(found)))


def test_whole_numbers_have_one_sum_in_every_order() -> None:
    numbers = np.random.default_rng(1).integers(-100, 101, (3, 5000))
    found = run("y = reduce_sum[axes=1](a)", f32(numbers))
    assert width(found) == 0
    right = numbers.sum(axis=1, keepdims=True)
    assert not compare(found, f32(right)).is_broken
    assert compare(found, f32(right + 1)).broken == 3


def test_a_sum_of_fractions_of_one_size_is_exact_too() -> None:
    assert width(run("y = reduce_sum(a)", f32([0.375, -0.125, 12.5]))) == 0


@pytest.mark.parametrize("numbers", [[2.0**24, 1.0, 1.0], [1.0, 2.0**-24, 0.0], [0.1, 0.2, 0.3]])
def test_a_sum_that_rounds_is_not_exact(numbers: list[float]) -> None:
    assert width(run("y = reduce_sum(a)", f32(numbers))) > 0


def test_uncertain_whole_numbers_are_not_exact() -> None:
    assert width(run("b = sqrt(a)\ny = reduce_sum(b)", f32([4.0, 9.0, 16.0]))) > 0


def test_infinities_are_not_taken_for_whole_numbers() -> None:
    found = run("y = reduce_sum[axes=1](a)", f32([[1.0, np.inf, 2.0], [np.inf, -np.inf, 1.0]]))
    assert not compare(found, f32([[np.inf], [np.nan]])).is_broken
    assert compare(found, f32([[3.0], [1.0]])).broken == 2


def test_powers_of_two_have_one_product() -> None:
    found = run("y = reduce_prod(a)", f32([2.0, -0.5, 4.0, -1.0, 0.25] * 10))
    assert width(found) == 0
    assert compare(found, f32([2.0])).is_broken


def test_a_product_of_other_numbers_rounds() -> None:
    assert width(run("y = reduce_prod(a)", f32([3.0, 1.0 / 3.0, 5.0]))) > 0


def test_a_lower_tree_has_a_smaller_bound() -> None:
    numbers = f32(np.random.default_rng(2).normal(size=(1, 4096)))
    any_order, tree = (width(run("y = reduce_sum[axes=1](a)", numbers, rules=rules)) for rules in (Rules(), Rules(additions=lambda _: 12.0)))
    size = float(np.abs(numbers.astype(np.float64)).sum())
    assert tree == pytest.approx(12 * 2.0**-24 * size, rel=0.1)
    assert any_order == pytest.approx(4096 * 2.0**-24 * size, rel=0.1)


def test_pairwise_sums_lie_within_the_bound_of_their_height() -> None:
    """4,096 elements in a balanced tree of height 12, in f32, at magnitudes that cancel."""
    generator = np.random.default_rng(3)
    numbers = (generator.normal(size=(50, 4096)) * np.exp2(generator.integers(0, 20, (50, 4096)))).astype(np.float32)
    partial = numbers
    while partial.shape[1] > 1:
        partial = partial[:, ::2] + partial[:, 1::2]
    found = run("y = reduce_sum[axes=1](a)", numbers, rules=Rules(additions=lambda _: 12.0))
    assert not compare(found, partial).is_broken


def test_a_comparison_measures_a_sum_by_its_elements() -> None:
    """1000 - 1000 + a little: one part in 2**24 of the elements is one unit, however small the result."""
    numbers = f32([[1000.0, -1000.0, 0.1, 0.2]])
    found = run("y = reduce_sum[axes=1](a)", numbers)
    right = float(numbers.astype(np.float64).sum())
    check = compare(found, f32([[right + 1.5e-5]]))
    assert not check.is_broken
    assert 0.1 < check.error < check.allowed < 4.0
    assert "units in the last place of the row's scale" in str(check)


def test_f16_sums_are_exact_up_to_their_own_rounding() -> None:
    found = run("y = reduce_sum(a)", f16([2048.0, 1.0, 1.0, 1.0]))
    assert not compare(found, f16([2052.0])).is_broken
    assert compare(found, f16([2048.0])).is_broken


def test_a_power_of_what_may_be_nan_may_be_nan() -> None:
    """fmod by 0 is NaN, and so is -inf to that power; without the NaN it would be 1."""
    x, zero, base = f32([[3.0, -2.0]]), f32([[0.0, 0.0]]), f32([[-np.inf, -np.inf]])
    found = run("e = fmod(a, b)\ny = pow(c, e)", x, zero, base)
    assert not compare(found, f32([[np.nan, np.nan]])).is_broken


def test_the_least_of_what_may_overflow_to_nan_has_two_places() -> None:
    """1 / -2^-9 is -512, beyond float8_e4m3fn: NaN once it is rounded, the least element if it is kept in f32."""
    x = np.array([[-(2.0**-9), -(2.0**-7), 1.0]], ml_dtypes.float8_e4m3fn)
    found = run("r = recip(a)\ny = argmin[axis=1](r)", x)
    assert not any(compare(found, np.array([[place]], np.int64)).is_broken for place in (0, 1))
    assert compare(found, np.array([[2]], np.int64)).is_broken
