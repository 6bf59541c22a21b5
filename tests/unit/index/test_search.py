"""Bounds, repetition and direction of index expressions, and the search for values, against every value."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.boxes import Direction, bounds_in, direction, repetition
from asmgen.index.expression import as_symbol
from asmgen.index.interval import Interval
from asmgen.index.search import Conditions, TooManyParts, Values, first_values

A, B, C = symbol("a", 0, 11), symbol("b", -3, 6), symbol("n", 1, 7)
SYMBOLS = [as_symbol(one) for one in (A, B, C)]


def random_index(draw: random.Random, depth: int = 3) -> Index:
    if not depth:
        return draw.choice((A, B, C, constant(draw.randint(-4, 9))))
    one = random_index(draw, depth - 1)
    match draw.randrange(8):
        case 0 | 1:
            return one + random_index(draw, depth - 1)
        case 2:
            return one * draw.choice((-3, -1, 2, 4))
        case 3:
            return one // draw.randint(1, 5)
        case 4 | 5:
            return one % draw.randint(1, 5)
        case 6:
            return one.at_most(draw.randint(-2, 8))
        case _:
            return draw.choice((one.times(C), one.divided(C), one.remaining(C), one.smaller(C)))


def all_values() -> Iterator[dict[Symbol, int]]:
    for numbers in product(*[range(one.low, one.high + 1) for one in SYMBOLS]):
        yield dict(zip(SYMBOLS, numbers, strict=True))


def test_bounds_in_a_box_contain_every_value_and_are_exact_at_a_point() -> None:
    draw = random.Random(5)
    for _ in range(300):
        index = random_index(draw)
        box = {one: Interval(*sorted(draw.choices(range(one.low, one.high + 1), k=2))) for one in SYMBOLS}
        low, high = bounds_in(index, box)
        for numbers in product(*[range(least, most + 1) for least, most in box.values()]):
            values = dict(zip(SYMBOLS, numbers, strict=True))
            value = index.evaluate(values, 0)
            assert low <= value <= high, (index, box)
        point = {one: draw.randint(one.low, one.high) for one in SYMBOLS}
        value = index.evaluate(point, 0)
        assert bounds_in(index, {one: Interval(at, at) for one, at in point.items()}) == (value, value), index


def test_repetition_and_direction_are_those_of_the_values() -> None:
    draw = random.Random(6)
    seen = set[Direction]()
    for _ in range(150):
        index = random_index(draw)
        along = draw.choice(SYMBOLS)
        found, towards = repetition(index, along), direction(index, along)
        seen.add(towards)
        for values in all_values():
            value = index.evaluate(values, 0)
            if found is not None and values[along] + found.period <= along.high:
                after = index.evaluate({**values, along: values[along] + found.period}, 0)
                assert after == value + found.growth, (index, along, found)
            if values[along] < along.high:
                step = index.evaluate({**values, along: values[along] + 1}, 0) - value
                assert not (towards is Direction.RISING and step < 0), (index, along)
                assert not (towards is Direction.FALLING and step > 0), (index, along)
                assert not (towards is Direction.CONSTANT and step), (index, along)
    assert seen == set(Direction)


@pytest.mark.parametrize("count", [150, pytest.param(3000, marks=pytest.mark.slow)])
def test_the_search_finds_values_if_there_are_any(count: int) -> None:
    draw = random.Random(7)
    lows = {one: one.low for one in SYMBOLS}
    outcomes = {True: 0, False: 0}
    for _ in range(count):
        zeros, least, limits = [tuple([random_index(draw) for _ in range(draw.randint(0, 2))]) for _ in range(3)]
        wanted = draw.randint(0, 1)

        def accepts(values: Values, deciding: tuple[Index, ...] = (*zeros, *least), wanted: int = wanted) -> bool:
            return sum([index.evaluate(values, 0) for index in deciding]) % 2 <= wanted

        def meets(values: Values, parts: tuple[tuple[Index, ...], ...] = (zeros, least, limits)) -> bool:
            equal, *rest = [[index.evaluate(values, 0) for index in part] for part in parts]
            return not any(equal) and min([0, *rest[0], *rest[1]]) == 0

        found = first_values(Conditions(zeros, least, limits), lambda values: accepts(lows | dict(values)))
        truth = any(meets(values) and accepts(values) for values in all_values())
        assert (found is not None) == truth, (zeros, least, limits)
        assert found is None or (meets(lows | found) and accepts(lows | found)), (zeros, least, limits, found)
        outcomes[truth] += 1
    assert min(outcomes.values()) > count // 10, outcomes


def test_a_million_trips_are_a_few() -> None:
    trip, dim = symbol("t", 0, 999_999), symbol("n", 1, 1 << 20)
    slots = (trip + 1) // 4 % 2 - trip // 4 % 2
    assert first_values(Conditions((slots,), (), (dim - trip - 1,)), lambda _: True, 20) is not None
    apart = (trip // 4 + 1) % 2 - trip // 4 % 2
    assert first_values(Conditions((apart,), (), (dim - trip - 1,)), lambda _: True, 40) is None


def test_a_search_that_is_too_long_says_so() -> None:
    number = symbol("s", 0, 99_999)
    odd = number.times(number + 1) % 2 - 1  # never 0, which no rule of the algebra says
    with pytest.raises(TooManyParts):
        _ = first_values(Conditions((odd,), (), ()), lambda _: True, 300)
    assert first_values(Conditions((odd,), (), ()), lambda _: True, 300_000) is None
