"""The inputs of --verify: each pattern shows the elements at the ends of a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from asmgen.gentext.parser import parse
from asmgen.ir.arrays import Array
from asmgen.ir.program import Statement
from asmgen.verification import patterns

Inputs = Callable[..., list[Array]]


def parameter(element: str, dims: str) -> Sequence[Statement]:
    return parse(f"x = @param:x -> {element}, {{{dims}}}\n@return(x)\n", "pattern.gen").modules[0].statements[:1]


def made(inputs: Inputs, dims: str, *given: Any, element: str = "f32") -> Array:
    (array,) = inputs(parameter(element, dims), 7, *given)
    return array


@pytest.mark.parametrize(("inputs", "sign"), [(patterns.peak_inputs, 1), (patterns.trough_inputs, -1)])
def test_the_first_rows_have_their_peaks_at_both_ends_and_in_the_middle(inputs: Inputs, sign: int) -> None:
    rows = sign * made(inputs, "40,100")
    assert rows.argmax(axis=1)[:3].tolist() == [99, 0, 50]
    assert len(set(rows.argmax(axis=1).tolist())) > 20
    heights = np.sort(rows, axis=1)
    assert (heights[:, -1] > heights[:, -2]).all() and (heights[:, 0] > 0).all()


@pytest.mark.parametrize(("inputs", "sign"), [(patterns.crest_inputs, 1), (patterns.hollow_inputs, -1)])
def test_crests_are_at_both_ends_of_another_axis(inputs: Inputs, sign: int) -> None:
    places = set((sign * made(inputs, "60,19")).argmax(axis=0).tolist())
    assert places == {*range(8), *range(52, 60), 20, 30, 40}


def test_most_rows_have_a_lone_number() -> None:
    counts = (~np.isnan(made(patterns.lone_inputs, "64,50"))).sum(axis=1)
    assert set(counts.tolist()) == {0, 1}
    assert (counts == 0).sum() == 8


@pytest.mark.parametrize("turn", range(patterns.TURNS))
def test_sums_of_exact_inputs_are_exact_in_any_order(turn: int) -> None:
    rows = made(patterns.exact_inputs, "20,300", turn)
    exact = rows.astype(np.float64).sum(axis=1)
    for order in (rows, rows[:, ::-1], np.sort(rows, axis=1)):
        assert (np.cumsum(order, axis=1, dtype=np.float32)[:, -1] == exact).all()


def test_a_missing_factor_changes_a_product() -> None:
    rows = made(patterns.factor_inputs, "20,300").astype(np.float64)
    assert (rows != 1).all()
    products = np.multiply.reduce(rows, axis=1)
    assert (products.astype(np.float32) == products).all() and np.isfinite(products).all() and products.all()


def test_sums_of_products_that_cancel_are_small() -> None:
    (array,) = patterns.cancelling_inputs(parameter("f32", "40,50"), 7, 0)
    assert set(np.abs(array).astype(int).ravel().tolist()) <= {1, 2, 4}
    assert (np.abs(np.cumsum(array, axis=0)) <= 4).all() and (np.abs(np.cumsum(array, axis=1)) <= 4).all()
