"""The numbers that a place in a buffer is made of are equal for two elements if and only if the places are."""

from __future__ import annotations

from math import prod
from random import Random

import numpy as np
import pytest

from asmgen.blockwise.rules.races.forms import Place, forms_of_places
from asmgen.blockwise.rules.races.limited import bounds, simplified, with_undivided
from asmgen.blockwise.schedules.elements.indices import reshaped_apart
from asmgen.index import Index, constant, symbol
from asmgen.index.expression import as_symbol
from asmgen.index.nodes import Quotient, Remainder

TILE = 8
SYMBOLS = [symbol(name, 0, 7) for name in ("c0", "c1", "row", "column")]
C0, C1, ROW, COLUMN = SYMBOLS
X = C0 + TILE * ROW
Move = tuple[str, tuple[int, ...]]


def place_of(y: Index, dims: tuple[int, int], moves: list[Move]) -> Place:
    """Where a row `X` and a column `y` of `dims` are after moves."""
    at, sizes = (X, y), dims
    limits = [dims[0] - 1 - X, dims[1] - 1 - y]
    for op, how in moves:
        if op == "reshape":
            at, sizes = reshaped_apart(at, sizes, how), how
        elif op == "transpose":
            at, sizes = tuple([at[axis] for axis in how]), tuple([sizes[axis] for axis in how])
        else:
            axis, first, end = how
            own = at[axis] - first
            limits += [own, end - first - 1 - own]
            at, sizes = (*at[:axis], own, *at[axis + 1 :]), (*sizes[:axis], end - first, *sizes[axis + 1 :])
    return Place(at, tuple([limit for limit in limits if limit.low < 0]))


def random_moves(random: Random, dims: tuple[int, ...]) -> list[Move]:
    moves: list[Move] = []
    for _ in range(random.randint(1, 5)):
        op = random.choice(["reshape", "reshape", "transpose", "slice"])
        axis = random.randrange(len(dims))
        if op == "reshape":
            by = random.choice([each for each in range(1, dims[axis] + 1) if dims[axis] % each == 0])
            parts = [*dims[:axis], dims[axis] // by, by, *dims[axis + 1 :]]
            first = random.randrange(len(parts))
            end = random.randint(first + 1, len(parts))
            dims = (*parts[:first], prod(parts[first:end]), *parts[end:])
            moves.append((op, dims))
        elif op == "transpose":
            order = tuple(random.sample(range(len(dims)), len(dims)))
            moves.append((op, order))
            dims = tuple([dims[each] for each in order])
        elif dims[axis] > 1:
            first = random.randrange(dims[axis])
            moves.append((op, (axis, first, end := random.randint(first + 1, dims[axis]))))
            dims = (*dims[:axis], end - first, *dims[axis + 1 :])
    return moves


def values(indices: tuple[Index, ...], limits: tuple[Index, ...]) -> list[tuple[int, ...]]:
    """The indices for all values of the symbols that the limits allow."""
    grid = np.indices([each.high + 1 for each in SYMBOLS]).reshape(len(SYMBOLS), -1)
    known = {as_symbol(each): numbers for each, numbers in zip(SYMBOLS, grid, strict=True)}
    kept = np.all([limit.evaluate(known, 0 * grid[0]) >= 0 for limit in (*limits, constant(0))], axis=0)
    return list(zip(*[index.evaluate(known, 0 * grid[0])[kept].tolist() for index in indices], strict=True))


@pytest.mark.parametrize("seed", range(60))
def test_parts_are_equal_if_and_only_if_places_are(seed: int) -> None:
    random = Random(seed)
    dims = random.choice([12, 21, 24, 40, 49]), random.choice([7, 12, 25, 32, 60])
    columns = [C1 + TILE * COLUMN, C1 + (TILE * COLUMN).at_most(max(dims[1] - TILE, 0))]
    moves = random_moves(random, dims)
    places = [place_of(y, dims, moves) for y in (columns[0], random.choice(columns))]
    parts_of: dict[tuple[int, ...], tuple[int, ...]] = {}
    for place, form in zip(places, forms_of_places(*places), strict=True):
        pairs = list(zip(values(place.parts, place.limits), values(form.parts, place.limits), strict=True))
        assert all(parts_of.setdefault(at, parts) == parts for at, parts in pairs)
    assert len(set(parts_of.values())) == len(parts_of)


SHOWN: dict[str, tuple[tuple[int, int], list[Move]]] = {
    "rows of seven merged": ((40, 7), [("reshape", (280,))]),
    "rows of other lengths": ((24, 25), [("reshape", (15, 40)), ("transpose", (1, 0))]),
    "rows and columns merged in another order": ((24, 25), [("transpose", (1, 0)), ("reshape", (600,))]),
    "heads of batches": ((49, 12), [("reshape", (7, 7, 3, 4)), ("transpose", (0, 2, 1, 3)), ("reshape", (21, 7, 4))]),
    "one of joined heads": ((49, 60), [("reshape", (7, 7, 3, 4, 5)), ("transpose", (2, 0, 3, 1, 4)), ("slice", (0, 1, 2))]),
    "windows": ((48, 7), [("reshape", (2, 2, 3, 4, 7)), ("transpose", (0, 2, 1, 3, 4)), ("reshape", (6, 8, 7))]),
    "a slice in rows of other lengths": ((40, 25), [("slice", (1, 3, 15)), ("reshape", (16, 30))]),
    "a slice of a digit of a quotient": ((48, 7), [("reshape", (4, 4, 3, 7)), ("slice", (1, 2, 3)), ("transpose", (2, 3, 0, 1))]),
    "digits that are merged with columns": ((48, 30), [("reshape", (4, 12, 5, 6)), ("transpose", (1, 3, 0, 2)), ("reshape", (9, 160))]),
}  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_reshapes_transposes_and_slices_are_undone(name: str) -> None:
    """The parts are rows and columns, or sums of their parts: no quotients, and no remainders."""
    place = place_of(C1 + TILE * COLUMN, *SHOWN[name])
    form, _ = forms_of_places(place, place)
    assert not any(word in part.text for part in form.parts for word in ("floordiv", "mod")), form.parts


@pytest.mark.parametrize("more", [-TILE * C1, C1 // (TILE - 1)], ids=["below 0", "up to 8"])
def test_a_rest_that_may_leave_its_multiple_is_kept_apart(more: Index) -> None:
    """x floordiv 8 and x mod 8 are x together, but not if the second is below 0 or may be 8."""
    x = C0 + 3 * ROW
    place = Place((x // TILE, x % TILE + more), ())
    form, _ = forms_of_places(place, place)
    pairs = {*zip(values(place.parts, ()), values(form.parts, ()), strict=True)}
    assert len(pairs) == len({at for at, _ in pairs}) == len({parts for _, parts in pairs})


def random_index(random: Random, depth: int = 2) -> Index:
    index = constant(random.randint(-6, 6))
    for _ in range(random.randint(1, 3)):
        atom = random.choice(SYMBOLS)
        if depth and random.random() < 0.5:
            inner, by = random_index(random, depth - 1), random.randint(2, 9)
            atom = random.choice([inner // by, inner % by, inner.at_most(by)])
        index += atom * random.choice([1, 1, 2, 5, 8, -1, -3])
    return index


@pytest.mark.parametrize("seed", range(100))
def test_limits_bound_and_simplify_an_index(seed: int) -> None:
    random = Random(seed)
    index, *given = [random_index(random) for _ in range(3)]
    quotients = [atom.inner // atom.by for atom, _ in index.terms if isinstance(atom, Quotient | Remainder)]
    if quotients:
        quotient, number = random.choice([index // random.randint(2, 9), *quotients]), random.randint(-1, 2)
        given = [quotient - number, number + random.randint(0, 1) - quotient]
    limits = tuple(random.sample(given, random.randint(1, len(given))))
    more = with_undivided(limits)
    low, high = bounds(index, more)
    for number, same in values((index, simplified(index, more)), limits):
        assert low <= number <= high
        assert number == same


def test_slices_of_slices_are_bounded_in_few_steps() -> None:
    """Limits that are used together with all others would take more than a hundred thousand steps."""
    slices = [("slice", (0, 17, 74)), ("slice", (0, 25, 36)), ("slice", (0, 0, 11))]
    place = place_of(C1 + (TILE * COLUMN).at_most(52), (12, 60), [("reshape", (180, 4)), *slices, ("reshape", (11, 4))])
    before = bounds.cache_info().misses
    _ = forms_of_places(place, place)
    assert bounds.cache_info().misses - before < 2000
