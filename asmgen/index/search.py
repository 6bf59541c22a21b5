"""Searches numbers for the symbols of index expressions that meet conditions.

    (row + 1) mod 2 - k mod 2 = 0, k < row      row = 3, k = 0

The search is exact. It halves the ranges of the symbols and leaves out each part in which the bounds of a
condition, or the divisors of its terms, show that it cannot be met. A range is first cut to a period of the
conditions that decide, if the limits allow that: a loop of a million trips with `(k floordiv 64) mod 2` has
128 counters that matter.

A symbol takes every number of its range, so a counter with a step is to be written by the number of its trip.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import lcm

from asmgen.index.boxes import Direction, bounds_in, direction, may_be_zero, repetition
from asmgen.index.interval import Interval
from asmgen.index.nodes import Index, Quotient, Symbol
from isa.named_tuple import NamedTuple

MOST_PARTS = 10_000
Values = Mapping[Symbol, int]


class TooManyParts(Exception):
    """The search ended without an answer: the ranges have too many parts."""


class Conditions(NamedTuple):
    """`zeros` are 0, `least` and `limits` are not negative. `zeros` and `least` decide by themselves;
    `limits` bound the symbols, and give few values if they are the only conditions on a symbol."""

    zeros: tuple[Index, ...]
    least: tuple[Index, ...]
    limits: tuple[Index, ...]


def first_values(
    conditions: Conditions, accepts: Callable[[Values], bool], most: int = MOST_PARTS
) -> dict[Symbol, int] | None:
    """Values that meet the conditions and that `accepts` accepts; None if there are none.

    `accepts` is asked with values for the symbols of `zeros` and `least` and must depend on nothing but the
    values of these expressions. Raises `TooManyParts` after `most` parts.
    """
    deciding = _symbols((*conditions.zeros, *conditions.least))
    limits = [limit for limit in conditions.limits if limit.low < 0]
    bounding = [symbol for symbol in _symbols(limits) if symbol not in deciding]
    box = {symbol: _range(symbol, conditions, limits) for symbol in (*deciding, *bounding)}
    search = _Search(conditions, limits, deciding, accepts, most)
    return search.values(box)


def _symbols(of: Sequence[Index]) -> list[Symbol]:
    """The symbols, each once, in an order that is the same in every run."""
    symbols = {symbol for index in of for symbol in index.symbols}
    return sorted(symbols, key=lambda symbol: (symbol.name, symbol.high))


def _range(of: Symbol, conditions: Conditions, limits: Sequence[Index]) -> Interval:
    """The values of a symbol that have to be looked at: a value of each set that differ by whole periods, a
    value that every limit allows if it allows any."""
    period = 1
    for index in (*conditions.zeros, *conditions.least):
        repeats = repetition(index, of)
        if repeats is None or repeats.growth:
            return Interval(of.low, of.high)
        period = lcm(period, repeats.period)
    towards = Direction.CONSTANT
    for index in limits:
        towards = towards.joined(direction(index, of))
    if of.high - of.low < period or towards is Direction.UNKNOWN:
        return Interval(of.low, of.high)
    if towards is Direction.RISING:
        return Interval(of.high - period + 1, of.high)
    return Interval(of.low, of.low + period - 1)


class _Search:
    def __init__(
        self,
        conditions: Conditions,
        limits: Sequence[Index],
        deciding: Sequence[Symbol],
        accepts: Callable[[Values], bool],
        most: int,
    ) -> None:
        self._zeros, self._least = conditions.zeros, (*conditions.least, *limits)
        self._deciding, self._accepts = deciding, accepts
        self._left = most
        self._weights: dict[Symbol, float] = {}
        for index in (*self._zeros, *self._least):
            _weigh(index, 1, self._weights)

    def values(self, box: dict[Symbol, Interval]) -> dict[Symbol, int] | None:
        """Values within a box."""
        parts = [(box, False)]  # with whether its values were accepted
        while parts:
            part, is_accepted = parts.pop()
            if not self._left:
                raise TooManyParts
            self._left -= 1
            if not self._may_meet(part):
                continue
            widest = self._widest(part, self._deciding)
            if widest is None and not is_accepted:
                if not self._accepts({symbol: ends.low for symbol, ends in part.items()}):
                    continue
                is_accepted = True
            widest = widest or self._widest(part, tuple(part))
            if widest is None:
                return {symbol: ends.low for symbol, ends in part.items()}
            low, high = part[widest]
            middle = (low + high) // 2
            parts.append(({**part, widest: Interval(middle + 1, high)}, is_accepted))
            parts.append(({**part, widest: Interval(low, middle)}, is_accepted))
        return None

    def _widest(self, part: Mapping[Symbol, Interval], among: Sequence[Symbol]) -> Symbol | None:
        """The symbol with the interval that decides most; None if each is a single number."""
        widest, most = None, 0.0
        for symbol in among:
            low, high = part[symbol]
            width = (high - low) * self._weights.get(symbol, 1)
            if high > low and (widest is None or width > most):
                widest, most = symbol, width
        return widest

    def _may_meet(self, part: dict[Symbol, Interval]) -> bool:
        if not all(may_be_zero(index, part) for index in self._zeros):
            return False
        return all(bounds_in(index, part).high >= 0 for index in self._least)


def _weigh(index: Index, factor: float, weights: dict[Symbol, float]) -> None:
    """Note by how much a symbol changes an expression, as far as its numbers tell."""
    for atom, number in index.terms:
        if isinstance(atom, Symbol):
            weights[atom] = max(weights.get(atom, 0), abs(factor * number))
        else:
            divided = factor * number / atom.by if isinstance(atom, Quotient) else factor * number
            _weigh(atom.inner, divided, weights)
