"""Decides for each two accesses of LDS whether they race: for some ids and trips a wave accesses an element
that another accesses too, one of them writes it, and no barrier is between.

    lds_store: a wave overwrites what another may still read of lds by lds_load at product.gen:24:5, and no
    barrier is between: for k = 16, wave 1 writes element {0,4} of slot 1, which wave 0 reads for k = 0; ...

The slots and parts of both are index expressions, so that the question is one of index algebra
(`asmgen.index.search`), and the answer is for all ids, trips and sizes of a launch. If the search has too
many parts, or a loop inside hides for which trips there is a path, the accesses are refused with these words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from asmgen.blockwise.actions import ZERO, AsyncCopy, LdsAllocate
from asmgen.blockwise.layout.layout import Sizes
from asmgen.blockwise.op_table import row_of
from asmgen.blockwise.program import Kernel, TileStatement
from asmgen.blockwise.rules.races.meeting import Meeting, Order, Tile, meeting
from asmgen.blockwise.rules.races.path import Access, Path
from asmgen.blockwise.rules.races.walk import follow
from asmgen.index import Index, Symbol, constant
from asmgen.index.expression import only
from asmgen.index.search import Conditions, TooManyParts, Values, first_values
from asmgen.ir.shapes import format_list


class Side(NamedTuple):
    """An access in a case: the counters of the loops around it, and the wave."""

    counters: tuple[tuple[str, int], ...]
    wave: int


class Case(NamedTuple):
    """Where and when two accesses meet. `known` are the ids and the named dims."""

    known: tuple[tuple[str, int], ...]
    slot: int
    element: Sizes
    earlier: Side
    later: Side


class Race(NamedTuple):
    """`statement` races with the statement `earlier`. Without a case it is not shown that they do not."""

    rule: str
    statement: TileStatement
    earlier: TileStatement
    case: Case | None


def races(kernel: Kernel) -> Iterator[Race]:
    """The pairs of accesses that race, or that are not shown not to."""
    kinds = {type(statement.op) for statement in kernel.walk()}
    if LdsAllocate not in kinds or (kernel.waves == 1 and AsyncCopy not in kinds):
        return
    judge = _Judge(kernel)
    follow(kernel, judge.judge)
    yield from judge.found.values()


class _Judge:
    """`found` are the races so far, by their two statements."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self.found: dict[tuple[int, int], Race] = {}

    def judge(self, path: Path, access: Access) -> None:
        earlier = path.access
        if not (earlier.tile.writes or access.tile.writes) or _are_apart(earlier, access):
            return
        pair = id(earlier.statement), id(access.statement)
        before = self.found.get(pair)
        order = _order(path, self._kernel.waves)
        if before is not None and before.case is not None:
            return
        if not (earlier.origin or access.origin or _is_met(earlier.tile, access.tile, order)):
            return
        question = _Question(path, access, order)
        try:
            values = question.values(self._limits(question.symbols()))
        except TooManyParts:
            self.found[pair] = _race(path, access, None)
            return
        if values is not None:
            case = question.case(self._kernel, values) if path.is_exact else None
            self.found[pair] = _race(path, access, case)

    def _limits(self, used: set[Symbol]) -> list[Index]:
        """Indices that are at least 0, because an id is less than the number of workgroups. Dims decide that
        number."""
        counts = zip(self._kernel.grid, self._kernel.counts, strict=False)  # no counts if all are constant
        return [constant(count) - only(one) - 1 for one, count in counts if one in used]


class _Question:
    """Whether an access meets the earlier access of a path. `slots` and `origins` are of both, for the
    counters there and here."""

    def __init__(self, path: Path, access: Access, order: Order) -> None:
        here = tuple([trip.counter for trip in path.here])
        self._accesses = path.access, access
        self._limits = path.limits
        self._order = order
        self._counters = path.there, here
        self._slots = self._of_both(lambda one: (one.slot,))
        self._origins = self._of_both(lambda one: one.origin or (ZERO,) * one.tile.layout.rank)

    def _of_both(self, indices: Callable[[Access], tuple[Index, ...]]) -> tuple[tuple[Index, ...], ...]:
        """The indices of both accesses for their counters."""
        found: list[tuple[Index, ...]] = []
        for access, counters in zip(self._accesses, self._counters, strict=True):
            values = dict(zip(access.counters, counters, strict=True))
            found.append(tuple([index.substitute(values) for index in indices(access)]))
        return tuple(found)

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
        known = [(one.name, values[one]) for one in (*kernel.grid, *kernel.dims) if one in values]
        sides: list[Side] = []
        for access, counters, wave in zip(self._accesses, self._counters, met[1:], strict=True):
            named = zip(access.counters, counters, strict=True)
            sides.append(Side(tuple([(one.name, at.evaluate(values, 0)) for one, at in named]), wave))
        return Case(tuple(known), self._slots[0][0].evaluate(values, 0), met.element, *sides)

    def _meeting(self, values: Values) -> Meeting | None:
        first, second = [
            (access.tile, tuple([index.evaluate(values, 0) for index in origin]))
            for access, origin in zip(self._accesses, self._origins, strict=True)
        ]
        return meeting(first, second, self._order)


def _are_apart(one: Access, other: Access) -> bool:
    """Whether bounds alone show that the slots or the parts of two accesses differ."""
    if one.slot.low > other.slot.high or other.slot.low > one.slot.high:
        return True
    shapes = one.tile.layout.shape, other.tile.layout.shape
    origins = zip(one.origin, other.origin, *shapes, strict=False)  # without an origin it is the whole
    return any(
        first.low >= second.high + length or second.low >= first.high + size
        for first, second, size, length in origins
    )


@cache
def _is_met(one: Tile, other: Tile, order: Order) -> bool:
    """Whether whole tiles meet."""
    origin = (0,) * one.layout.rank
    return meeting((one, origin), (other, origin), order) is not None


def _order(path: Path, waves: int) -> Order:
    """The pairs of waves without an order between the two ends of a path."""
    one, two, three, four = [barriers < 1 for barriers in path.barriers]
    return Order((one, two, three, four), max(waves // 2, 1), path.copies is not None)


def _race(path: Path, later: Access, case: Case | None) -> Race:
    earlier = path.access
    place = f" at {earlier.statement.place}" if earlier.statement.place else ""
    name, by = later.lds.name, f"{row_of(earlier.statement.op).name}{place}"
    if path.copies is not None:
        does = "writes" if later.tile.writes else "reads"
        rule = f"a wave {does} elements that a copy may still write to {name} by {by}"
        missing, help = "no async_wait() waits for it before", "put async_wait() and barrier() there"
    elif earlier.tile.writes:
        does = "writes" if later.tile.writes else "reads"
        rule = f"a wave {does} what another writes to {name} by {by}"
        missing, help = _missing(path)
    else:
        rule = f"a wave overwrites what another may still read of {name} by {by}"
        missing, help = _missing(path)
    if case is None:
        found = f"it is not shown that no {rule[2:]}: they may have a slot and an element in common"
        return Race(f"{found}, and {missing}; {help}", later.statement, earlier.statement, None)
    return Race(f"{rule}, and {missing}: {_words(case)}; {help}", later.statement, earlier.statement, case)


def _missing(path: Path) -> tuple[str, str]:
    if any(barriers == 1 for barriers in path.barriers):
        return "the waves are out of step in a staggered loop", "put one more barrier() there"
    return "no barrier is between", "put barrier() there"


def _words(case: Case) -> str:
    """`for row = 3, element {0,4} of slot 1, by wave 0 in trip k = 0 and then wave 1 in trip k = 16`."""
    known = f"for {_list(case.known)}, " if case.known else ""
    first, second = [
        f"wave {side.wave}" + (f" in trip {_list(side.counters)}" if side.counters else "")
        for side in (case.earlier, case.later)
    ]
    return f"{known}element {format_list(case.element)} of slot {case.slot}, by {first} and then {second}"


def _list(numbers: Sequence[tuple[str, int]]) -> str:
    return ", ".join([f"{name} = {value}" for name, value in numbers])
