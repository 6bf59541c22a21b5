"""Whether two accesses of LDS meet: whether they have a slot and an element in common, in different waves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from asmgen.blockwise.actions import ZERO
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.rules.races.meeting import Meeting, Order, Tile, meeting
from asmgen.blockwise.rules.races.path import Access, InLds, Path
from asmgen.blockwise.rules.races.words import Case, Side
from asmgen.index import Index, Symbol
from asmgen.index.search import Conditions, Values, first_values


class LdsQuestion:
    """Whether an access meets the earlier access of a path. `slots` and `origins` are of both, for the
    counters there and here."""

    def __init__(self, path: Path, access: Access, order: Order) -> None:
        here = tuple([trip.counter for trip in path.here])
        self._accesses = path.access, access
        self._limits = path.limits
        self._order = order
        self._counters = path.there, here
        self._slots = self._of_both(lambda one, place: (place.slot,))
        self._origins = self._of_both(lambda one, place: place.origin or (ZERO,) * one.tile.layout.rank)

    def _of_both(
        self, indices: Callable[[Access, InLds], tuple[Index, ...]]
    ) -> tuple[tuple[Index, ...], ...]:
        """The indices of both accesses for their counters."""
        sides: list[tuple[Index, ...]] = []
        for access, counters in zip(self._accesses, self._counters, strict=True):
            assert isinstance(access.place, InLds)
            values = dict(zip(access.counters, counters, strict=True))
            sides.append(tuple([index.substitute(values) for index in indices(access, access.place)]))
        return tuple(sides)

    def symbols(self) -> set[Symbol]:
        both = (*self._slots, *self._origins, *self._counters, tuple(self._limits))
        return {symbol for indices in both for index in indices for symbol in index.symbols}

    def values(self, limits: Sequence[Index]) -> dict[Symbol, int] | None:
        """Values of the symbols for which they meet; None if there are none."""
        (slot,), (other,) = self._slots
        shapes = [access.tile.layout.shape for access in self._accesses]
        least: list[Index] = []
        for first, second, size, length in zip(*self._origins, *shapes, strict=True):
            least += [first - second + size - 1, second - first + length - 1]
        conditions = Conditions((slot - other,), tuple(least), (*self._limits, *limits))
        lows = {symbol: symbol.low for symbol in self.symbols()}
        values = first_values(conditions, lambda values: self._meeting(lows | dict(values)) is not None)
        return None if values is None else lows | values

    def case(self, kernel: Kernel, values: Values) -> Case:
        """The case of values for which they meet."""
        met = self._meeting(values)
        assert met is not None, "the search accepts only values for which they meet"
        known = [(symbol.name, values[symbol]) for symbol in (*kernel.grid, *kernel.dims) if symbol in values]
        sides: list[Side] = []
        for access, counters, wave in zip(self._accesses, self._counters, met[1:], strict=True):
            named = zip(access.counters, counters, strict=True)
            sides.append(Side(tuple([(counter.name, at.evaluate(values, 0)) for counter, at in named]), wave))
        return Case(tuple(known), self._slots[0][0].evaluate(values, 0), met.element, *sides)

    def _meeting(self, values: Values) -> Meeting | None:
        first, second = [
            (access.tile, tuple([index.evaluate(values, 0) for index in origin]))
            for access, origin in zip(self._accesses, self._origins, strict=True)
        ]
        return meeting(first, second, self._order)


def are_apart(one: Access, other: Access, order: Order) -> bool:
    """Whether bounds alone show that two accesses of LDS do not meet, or that whole tiles do not."""
    first, second = one.place, other.place
    assert isinstance(first, InLds) and isinstance(second, InLds)
    if first.slot.low > second.slot.high or second.slot.low > first.slot.high:
        return True
    if not (first.origin or second.origin):
        return not _is_met(one.tile, other.tile, order)
    shapes = one.tile.layout.shape, other.tile.layout.shape
    origins = zip(first.origin, second.origin, *shapes, strict=False)  # without an origin it is the whole
    return any(a.low >= b.high + length or b.low >= a.high + size for a, b, size, length in origins)


@cache
def _is_met(one: Tile, other: Tile, order: Order) -> bool:
    """Whether whole tiles meet."""
    origin = (0,) * one.layout.rank
    return meeting((one, origin), (other, origin), order) is not None
