"""The interval of a function of two numbers: exactly the results of the numbers of both."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from asmgen.index.interval import Interval

ENDS = range(-5, 6)
INTERVALS = [Interval(low, high) for low, high in product(ENDS, ENDS) if low <= high]


@pytest.mark.parametrize(
    ("of_intervals", "of_numbers"),
    [
        (Interval.plus, lambda a, b: a + b),
        (Interval.minus, lambda a, b: a - b),
        (Interval.times, lambda a, b: a * b),
        (Interval.smaller, min),
        (Interval.larger, max),
    ],
)
def test_interval_is_exact(of_intervals: Callable[[Interval, Interval], Interval], of_numbers: Callable[[int, int], int]) -> None:
    for one, other in product(INTERVALS, INTERVALS):
        numbers = [of_numbers(a, b) for a, b in product(range(one[0], one[1] + 1), range(other[0], other[1] + 1))]
        assert of_intervals(one, other) == (min(numbers), max(numbers)), (one, other)


def test_quotients_and_remainders_are_within() -> None:
    for one, divisor in product(INTERVALS, [each for each in INTERVALS if each.low > 0]):
        for a, by in product(range(one.low, one.high + 1), range(divisor.low, divisor.high + 1)):
            quotient, remainder = divmod(a, by)
            assert one.divided(divisor).contains(Interval(quotient, quotient)), (one, divisor)
            assert one.remaining(divisor).contains(Interval(remainder, remainder)), (one, divisor)


def test_quotients_and_remainders_by_a_number_are_exact() -> None:
    """Of numbers of one sign, except that remainders are counted from 0."""
    for one, by in product(INTERVALS, range(1, 6)):
        divisor, numbers = Interval(by, by), range(one.low, one.high + 1)
        quotients = [number // by for number in numbers]
        assert one.divided(divisor) == (min(quotients), max(quotients)), (one, by)
        if one.low >= 0 and (one.high < by or len(numbers) >= by):
            assert one.remaining(divisor) == (0, max(number % by for number in numbers)), (one, by)


def test_shifts_are_within() -> None:
    natural = [each for each in INTERVALS if each.low >= 0]
    for one, count in product(natural, natural):
        for a, by in product(range(one.low, one.high + 1), range(count.low, count.high + 1)):
            assert one.shifted_left(count).contains(Interval(a << by, a << by))
            assert one.shifted_right(count).contains(Interval(a >> by, a >> by))
