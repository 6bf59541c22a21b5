"""The reference of scans against numpy on numbers with exact results, and of logsoftmax against the ops it is
made of."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.graph.reference_runs import f32, i32, run

FOUND = {"cumsum": np.add, "cumprod": np.multiply, "cummax": np.maximum, "cummin": np.minimum}
FIRST = {"cumsum": (0, 0), "cumprod": (1, 1), "cummax": (-np.inf, -(2**31)), "cummin": (np.inf, 2**31 - 1)}
X = [[2, -3, 5, 1, -4], [3, 3, -1, 2, 2]]


@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("op", FOUND)
def test_scans_are_exact_on_small_integers(op: str, reverse: bool, exclusive: bool) -> None:
    attributes = f"axis=1, reverse={str(reverse).lower()}, exclusive={str(exclusive).lower()}"
    for x, first in ((f32(X), FIRST[op][0]), (i32(X), FIRST[op][1])):
        turned = x[:, ::-1] if reverse else x
        wanted = FOUND[op].accumulate(turned, axis=1, dtype=x.dtype)
        if exclusive:
            wanted = np.concatenate([np.full((2, 1), first, x.dtype), wanted[:, :-1]], axis=1)
        found = run(f"y = {op}[{attributes}](a)", x)
        wanted = wanted[:, ::-1] if reverse else wanted
        np.testing.assert_array_equal(found.value, wanted)
        # a product of floats is allowed a rounding a step, whatever its factors are
        for end in (found.low, found.high):
            np.testing.assert_allclose(end, wanted, rtol=4 * 2.0**-23 if op == "cumprod" and x.dtype == np.float32 else 0)


@pytest.mark.parametrize("op", ["cumsum", "cumprod"])
def test_scans_along_the_first_axis_of_one_row_and_of_none(op: str) -> None:
    np.testing.assert_array_equal(run(f"y = {op}[axis=0](a)", f32([[3, -2]])).value, [[3, -2]])
    assert run(f"y = {op}[axis=0](a)", f32(np.zeros((0, 2)))).value.shape == (0, 2)


def test_a_product_that_leaves_the_range_on_its_way_comes_back() -> None:
    x = f32([1e30, 1e30, 1e-30, 1e-30])
    np.testing.assert_allclose(run("y = cumprod[axis=0](a)", x).value[[0, 2, 3]], [1e30, 1e30, 1], rtol=1e-6)


def test_a_logsoftmax_is_as_wide_as_the_ops_it_is_made_of() -> None:
    x = np.random.default_rng(1).standard_normal((3, 40)).astype(np.float32)
    lines = ["m = reduce_max[axes={1}](a)", "s = sub(a, m)", "e = exp(s)", "t = reduce_sum[axes={1}](e)", "l = log(t)", "y = sub(s, l)"]
    whole, parts = run("y = logsoftmax[axis=1](a)", x), run("\n".join(lines), x)
    np.testing.assert_array_equal(whole.low, parts.low)
    np.testing.assert_array_equal(whole.high, parts.high)
