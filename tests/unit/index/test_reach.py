"""Bounds of expressions with many minimums: a value in a corner of the symbols' ranges decides most of them
at once."""

from __future__ import annotations

import pytest

from asmgen.index.expression import as_symbol, dim_symbol, symbol
from asmgen.index.minimums import is_loose
from asmgen.index.nodes import Index
from asmgen.index.reach import has_both_signs, is_within, reach, searched, smallest
from asmgen.index.size import Size, Truth, at_least

N = dim_symbol("n", 1, 1 << 20)
ROW = symbol("row", 0, Size(N - 1))  # the id of one of n workgroups
LANE = symbol("lane", 0, 60, 4)


def nested(depth: int) -> Index:
    """The size of slices and concats in each other: min(n, 8) + n, then min(it, 9) + it, ..."""
    size = N
    for step in range(depth):
        size += size.at_most(8 + step)
    return size


LONG = nested(8)


@pytest.mark.parametrize(("of", "wanted"), [(LANE - LONG + N, -92), (LONG + LANE, 70)])
def test_a_smallest_value_that_a_corner_has_is_not_searched(of: Index, wanted: int) -> None:
    """For the largest n, the minimums are 8, 9, ..., 15. For n = 1, the sizes are 2, 4, 8, 16, 28, 41, 55 and 70."""
    assert is_loose(of)
    assert smallest(of) == wanted


def test_a_sign_that_changes_is_not_searched() -> None:
    of = LONG - 2 * N - 20
    before = reach.cache_info()
    assert of.evaluate({as_symbol(N): 1}, 0) > 0 > of.evaluate({as_symbol(N): 1 << 20}, 0)
    assert at_least(Size(of), 0) is Truth.UNKNOWN
    assert reach.cache_info() == before


def test_a_search_of_many_minimums_is_short() -> None:
    """Each of 30 minimums was replaced by its sides in those of the others, four deep: a program of eight concats and slices
    compiled for 35 s."""
    of = nested(7) - nested(6) + ROW - LANE
    before = searched.cache_info().misses
    low, high = reach(of)
    symbols = as_symbol(N), as_symbol(ROW), as_symbol(LANE)
    points = [of.evaluate(dict(zip(symbols, (n, row, lane), strict=True)), 0) for n in (1, 9, 70) for row in (0, n - 1) for lane in (0, 60)]
    assert low <= min(points) and max(points) <= high
    assert searched.cache_info().misses - before < 10_000


def test_a_corner_is_within_the_bounds_that_the_dims_give() -> None:
    """The largest row is n - 1: neither with the largest n nor with the smallest is a row beyond the last."""
    room = LONG - ROW
    assert is_loose(room) and not has_both_signs(room)
    assert is_within(ROW, Size(N))
    assert has_both_signs(room - 300)


@pytest.mark.parametrize(("added", "smallest_value"), [(3, 0), (2, -4)])
def test_quotients_a_multiple_apart_have_a_common_bound(added: int, smallest_value: int) -> None:
    """n + 7 is n + 3 and a 4, and no n + 2 and a 4: for n = 1, 4 * 0 + 4 is below 8 * 1."""
    room = (N + added) // 4 * 4 + 4 - (N + 7) // 8 * 8
    assert min(room.evaluate({as_symbol(N): n}, 0) for n in range(1, 20)) == smallest_value
    low, _ = reach(room)
    assert low == 0 if smallest_value == 0 else low <= smallest_value


@pytest.mark.parametrize(("rows", "is_shown"), [(231, True), (230, False)])
def test_a_row_of_a_named_length_is_within_all_rows(rows: int, is_shown: bool) -> None:
    of_row = symbol("c0", 0, Size(N - 1))
    of = of_row + symbol("row", 0, 230).times(N)
    assert is_within(of, Size(N * rows)) is is_shown
    assert is_within(of.divided(N * 33), 7 if is_shown else 6) is is_shown


def test_a_remainder_of_a_number_joins_its_quotient_in_products() -> None:
    row = symbol("row", 0, 230)
    assert (row // 7).times(N) * 7 + (row % 7).times(N) is row.times(N)
    assert (row // 7).times(N) * 6 + (row % 7).times(N) is not row.times(N)
