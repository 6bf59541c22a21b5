"""The reference of linear recurrences: the bounds hold for every order in which pairs are combined."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.unit.graph.reference_runs import Array, f32, i32, run

A, B, C = [[2, -3, 5, 1, -4], [3, 0, -1, 2, 2]], [[1, 2, -2, 4, 1], [7, 5, 0, -1, 3]], [[10], [-3]]
Draw = Callable[[np.random.Generator, int], tuple[Array, Array]]


def stepped(a: Array, b: Array, h: Array) -> Array:
    """h = a h + b along axis 1, and the h before."""
    found = [h]
    for factor, summand in zip(a.T, b.T, strict=True):
        found.append((factor * found[-1][:, 0] + summand)[:, None])
    return np.concatenate(found, axis=1)


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
def test_small_integers(reverse: bool, exclusive: bool, given: bool) -> None:
    attributes = f"axis=1, reverse={str(reverse).lower()}, exclusive={str(exclusive).lower()}"
    step = -1 if reverse else 1
    for made in (f32, i32):
        a, b, c = made(A), made(B), made(C)
        whole = stepped(a[:, ::step], b[:, ::step], c if given else np.zeros_like(c))
        wanted = (whole[:, :-1] if exclusive else whole[:, 1:])[:, ::step]
        found = run(f"y = linear_recurrence[{attributes}]({'a, b, c' if given else 'a, b'})", *[a, b, c][: 3 if given else 2])
        np.testing.assert_array_equal(found.value, wanted)
        for end in (found.low, found.high):
            np.testing.assert_allclose(end, wanted, rtol=0 if made is i32 else 1e-6, atol=0 if made is i32 else 1e-3)


def test_a_part_begins_with_what_precedes_it() -> None:
    found = run("y = linear_recurrence[axis=1, part=3](a, b, c)", i32(A), i32(B), i32([[10, 20], [1, 2]]))
    np.testing.assert_array_equal(found.value[0], [21, -61, -307, 24, -95])


def test_powers_of_two_are_exact() -> None:
    found = run("y = linear_recurrence[axis=0](a, b)", f32([1, -1, 0.5, 0, 2]), f32([3, 1, 4, 5, 6]))
    np.testing.assert_array_equal(found.low, [3, -2, 3, 5, 16])
    np.testing.assert_array_equal(found.high, found.low)


def test_any_number_is_right_after_a_product_that_overflows() -> None:
    found = run("y = linear_recurrence[axis=0](a, b)", f32([1, 1e30, 1, 1e30, 1e-30]), f32([1e-30, 0, 0, 0, 1]))
    assert np.isfinite(found.high[:3]).all()
    assert not found.may_be_nan[:3].any()
    assert np.isinf(found.high[3:]).all()
    assert found.may_be_nan[3:].all()


def test_a_nan_stays() -> None:
    found = run("y = linear_recurrence[axis=0](a, b)", f32([np.nan, 1, 1]), f32([1, np.nan, 1]))
    assert found.value[0] == 1
    assert np.isnan(found.low[1:]).all()


def _ordinary(random: np.random.Generator, count: int) -> tuple[Array, Array]:
    return random.standard_normal(count), random.standard_normal(count)


def _exact(random: np.random.Generator, count: int) -> tuple[Array, Array]:
    return random.choice([-1, 2, 0.5, 0], count), random.choice([-1, 2, 0.5, 3], count)


def _of_all_magnitudes(random: np.random.Generator, count: int) -> tuple[Array, Array]:
    return 10.0 ** random.uniform(-25, 12, count), 10.0 ** random.uniform(-42, 30, count)


@pytest.mark.parametrize("draw", [_ordinary, _exact, _of_all_magnitudes])
def test_the_bounds_hold_in_any_order(draw: Draw) -> None:
    random = np.random.default_rng(1)
    for _ in range(60):
        a, b = [f32(array) for array in draw(random, int(random.integers(1, 24)))]
        found = run("y = linear_recurrence[axis=0](a, b)", a, b)
        for place in range(len(a)):
            (_, h) = _combined(a[: place + 1], b[: place + 1], random)
            is_right = found.may_be_nan[place] if np.isnan(h) else found.low[place] <= h <= found.high[place]
            assert is_right, (a, b, place, h)


def _combined(a: NDArray[np.float32], b: NDArray[np.float32], random: np.random.Generator) -> tuple[np.float32, np.float32]:
    """The pair of all elements in f32, by a random tree, by fma or not."""
    if len(a) == 1:
        return a[0], b[0]
    middle = int(random.integers(1, len(a)))
    (factor, h), (later, summand) = _combined(a[:middle], b[:middle], random), _combined(a[middle:], b[middle:], random)
    with np.errstate(all="ignore"):
        if random.random() < 0.5:
            return factor * later, np.float32(np.float64(h) * np.float64(later) + np.float64(summand))
        return factor * later, h * later + summand
