"""Whether two accesses of a buffer meet: whether they have an element in common, and when.

| accesses | meet if |
|---|---|
| with a path between them | waves without an order access the same element |
| of different workgroups | they access the same element, whatever the trips |
| a store and itself | two elements of the tile go to the same element |

The second access has symbols of its own: `row'` and `c0.0'` for `row` and `c0.0`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from asmgen.blockwise.actions import SumParts
from asmgen.blockwise.layout.layout import Sizes
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.rules.access import is_data
from asmgen.blockwise.rules.races.common import Question, answer
from asmgen.blockwise.rules.races.digits import Digits, digits, element_of, waves_of
from asmgen.blockwise.rules.races.forms import Form, form_of, forms_of
from asmgen.blockwise.rules.races.meeting import Order
from asmgen.blockwise.rules.races.path import Access, InBuffer, Path
from asmgen.blockwise.rules.races.words import Case, Side
from asmgen.blockwise.rules.summed_parts import after_parts
from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.expression import as_symbol, only
from asmgen.index.search import TooManyParts, Values
from isa.named_tuple import NamedTuple

_MARK = "'"
_FEW_PARTS = 200  # of a question that only saves another


class Placed(NamedTuple):
    """An access with other symbols for ids, counters and coordinates. `at` is the element of the buffer, and
    `parts` are the numbers that it is made of. `limits` are not negative, `trips` are the numbers of the
    trips, the outermost first, and `more` are other indices by the same symbols."""

    access: Access
    digits: Digits
    at: tuple[Index, ...]
    parts: tuple[Index, ...]
    limits: tuple[Index, ...]
    counters: tuple[Index, ...]
    more: tuple[Index, ...]
    trips: tuple[Symbol, ...] = ()

    def substituted(self, values: Mapping[Symbol, Index]) -> Placed:
        at, parts, limits, counters, more = (
            tuple([index.substitute(values) for index in indices])
            for indices in (self.at, self.parts, self.limits, self.counters, self.more)
        )
        of = {variable: index.substitute(values) for variable, index in self.digits.values.items()}
        digits = self.digits._replace(values=of)
        return Placed(self.access, digits, at, parts, limits, counters, more, self.trips)

    @property
    def symbols(self) -> frozenset[Symbol]:
        indices = (*self.at, *self.limits, *self.counters)
        return frozenset([variable for index in indices for variable in index.symbols])


def is_by_data(access: Access) -> bool:
    """Whether values of a tile say which elements of a buffer an access touches."""
    assert isinstance(access.place, InBuffer)
    return any(is_data(variable.name) for index in access.place.at for variable in index.symbols)


def are_elsewhere(one: Access, other: Access) -> bool:
    """Whether two accesses of a buffer use different indices along a dim: 0 to 1, and 2."""
    assert isinstance(one.place, InBuffer) and isinstance(other.place, InBuffer)
    return any(
        this.high < that.low or that.high < this.low
        for this, that in zip(one.place.at, other.place.at, strict=True)
    )


def placed(
    access: Access,
    form: Form,
    counters: Mapping[Symbol, Index],
    limits: Sequence[Index],
    ids: Mapping[Symbol, Index],
    mark: str,
    more: Sequence[Index] = (),
) -> Placed:
    """An access for values of the counters around it and of the ids, to compare it with another; `mark` is
    part of the names of the digits."""
    of = digits(access.tile.layout, (*form.parts, *form.limits, *more), mark)
    values = {**of.values, **ids, **counters}
    at, parts, where, rest = (
        tuple([index.substitute(values) for index in some])
        for some in (form.at, form.parts, form.limits, more)
    )
    named = tuple([counters[counter] for counter in access.counters])
    return Placed(access, of, at, parts, (*limits, *where), named, rest)


def in_any_trip(
    access: Access, form: Form, ids: Mapping[Symbol, Index], mark: str, more: Sequence[Index] = ()
) -> Placed | None:
    """An access in any trip of the loops around it; None if a loop has no trip."""
    values, limits, trips = dict(ids), list[Index](), list[Symbol]()
    for loop in access.loops:
        start, stop = loop.start.substitute(values), loop.stop.substitute(values)
        last = (stop - start - 1).high // loop.step
        if last < 0:
            return None
        trip = symbol(f"{loop.counter.name}#{mark}", 0, last)
        values[loop.counter] = start + trip * loop.step
        limits.append(stop - values[loop.counter] - 1)
        if last:
            trips.append(as_symbol(trip))
    counters = {counter: values[counter] for counter in access.counters}
    return placed(access, form, counters, limits, ids, mark, more)._replace(trips=tuple(trips))


def twins(first: Placed, second: Placed, ids: Mapping[Symbol, Index]) -> dict[Symbol, Symbol]:
    """The symbols of the first access by those of the second: the ids, trip numbers and digits."""
    matches = {as_symbol(other): own_id for own_id, other in ids.items()}
    of = (*first.trips, *first.digits.symbols)
    by_name = {f"{twin.name}{_MARK}": twin for twin in of}
    for twin in (*second.trips, *second.digits.symbols):
        own = by_name.get(twin.name)
        if own is not None and (own.low, own.high) == (twin.low, twin.high):
            matches[twin] = own
    return matches


class Later(NamedTuple):
    """The second access if it differs from the first in a pair of twins, `above`, with the first larger.
    Twins before that pair are equal; `twins` are the others."""

    placed: Placed
    twins: dict[Symbol, Symbol]
    above: tuple[Symbol, Symbol]


def differing(
    second: Placed, pairs: Mapping[Symbol, Symbol], ordered: Sequence[tuple[Symbol, Symbol]]
) -> Iterator[Later]:
    """The second access for each pair of twins that may be the first that differs."""
    equal: dict[Symbol, Index] = {}
    for own, twin in ordered:
        rest = {twin: other for twin, other in pairs.items() if twin not in equal}
        yield Later(second.substituted(equal), rest, (own, twin))
        equal[twin] = only(own)


def same_elements(first: Placed, second: Placed) -> tuple[Index, ...]:
    """Indices that are 0 if both access the same element."""
    return tuple([this - other for this, other in zip(first.parts, second.parts, strict=True)])


class BufferQuestions:
    """The questions about the buffers of a kernel."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._ids = [group_id for group_id in kernel.grid if group_id.high]
        self.primed = {
            group_id: symbol(f"{group_id.name}{_MARK}", 0, group_id.high) for group_id in self._ids
        }
        self._after = {id(each) for each in after_parts(kernel)}
        self._summed = [each.op.over for each in kernel.statements if isinstance(each.op, SumParts)]
        counts = zip(kernel.grid, kernel.counts, strict=False)  # none if all are constant
        self._limits = {group_id: constant(count) - only(group_id) - 1 for group_id, count in counts}

    def limits(self, first: Placed, second: Placed) -> tuple[Index, ...]:
        """Expressions that are at least 0 for both accesses. They bound the ids of workgroups by the counts
        of the grid, which may depend on dims."""
        used = first.symbols | second.symbols
        own = [limit for group_id, limit in self._limits.items() if group_id in used]
        primed = [
            limit.substitute({group_id: self.primed[group_id]})
            for group_id, limit in self._limits.items()
            if group_id in self.primed and as_symbol(self.primed[group_id]) in used
        ]
        return (*first.limits, *second.limits, *own, *primed)

    def may_meet(self, one: Access, other: Access) -> bool:
        """Whether a workgroup may access an element by both, in different trips if they are the same
        statement."""
        forms = forms_of(one, other)
        first, second = in_any_trip(one, forms[0], {}, ""), in_any_trip(other, forms[1], {}, _MARK)
        if first is None or second is None:
            return False
        pairs = twins(first, second, {})
        later = [(second, pairs, None)]
        if one is other:
            later = differing(second, pairs, list(zip(first.trips, second.trips, strict=True)))
        for each, some, above in later:
            try:
                if self._ask(first, each, some, above, _FEW_PARTS) is not None:
                    return True
            except TooManyParts:
                return True
        return False

    def _ask(
        self,
        first: Placed,
        second: Placed,
        pairs: Mapping[Symbol, Symbol],
        above: tuple[Symbol, Symbol] | None,
        most: int,
    ) -> dict[Symbol, int] | None:
        """Values for which both access the same element; None if there are none."""
        return answer(Question(same_elements(first, second), self.limits(first, second), pairs, above), most)

    def on_path(self, path: Path, access: Access, order: Order) -> Case | None:
        """The case in which waves without an order access the same element."""
        there = dict(zip(path.access.counters, path.there, strict=True))
        here = dict(zip(access.counters, [trip.counter for trip in path.here], strict=True))
        forms = forms_of(path.access, access)
        first = placed(path.access, forms[0], there, tuple(path.limits), {}, "")
        second = placed(access, forms[1], here, (), {}, _MARK)
        kept = tuple([digit for side in (first, second) for digit, _ in side.digits.waves])

        def pairs(values: Values) -> Iterator[tuple[int, int]]:
            waves = [waves_of(side.access.tile, side.digits, values) for side in (first, second)]
            yield from [(a, b) for a, b in product(*waves) if order.are_together((a, b))]

        def accepts(values: Values) -> bool:
            return next(pairs(values), None) is not None

        limits = self.limits(first, second)
        question = Question(
            same_elements(first, second), limits, twins(first, second, {}), None, kept, accepts
        )
        values = answer(question)
        if values is None:
            return None
        wave, other_wave = next(pairs(values))
        return self._case(values, (first, second), (wave, other_wave), {})

    def across(self, one: Access, other: Access, most: int) -> Case | None:
        """The case in which two workgroups access the same element; the ids of the first are larger.

        Raises `TooManyParts` if it is not found in `most` parts."""
        others, forms = self._others(one, other), forms_of(one, other)
        first, second = in_any_trip(one, forms[0], {}, ""), in_any_trip(other, forms[1], others, _MARK)
        if first is None or second is None:
            return None
        pairs = twins(first, second, others)
        ids = [(group_id, as_symbol(primed)) for group_id, primed in others.items()]
        for later in differing(second, pairs, ids):
            values = self._ask(first, *later, most)
            if values is not None:
                equal = {twin: values.get(own, own.low) for own, twin in ids if twin not in values}
                return self._case({**values, **equal}, (first, second), (0, 0), others)
        return None

    def _others(self, one: Access, other: Access) -> dict[Symbol, Index]:
        """The ids of another workgroup. Statements after `sum_parts` run once for all workgroups along its
        id."""
        is_after = self._after.issuperset([id(one.statement), id(other.statement)])
        summed = self._summed if is_after else ()
        return {group_id: primed for group_id, primed in self.primed.items() if group_id.name not in summed}

    def within(self, access: Access, most: int) -> tuple[Case, tuple[Sizes, Sizes]] | None:
        """The case in which two elements of a tile go to the same element, with these two.

        Raises `TooManyParts` if it is not found in `most` parts."""
        form = form_of(access)
        first = in_any_trip(access, form, {}, "")
        if first is None:
            return None
        trips = dict(zip(access.counters, first.counters, strict=True))
        second = placed(access, form, trips, (), {}, _MARK)
        pairs = twins(first, second, {})
        ordered = [(own, twin) for twin, own in pairs.items()]
        for later in differing(second, pairs, ordered):
            values = self._ask(first, *later, most)
            if values is not None:
                equal = {twin: values.get(own, own.low) for own, twin in ordered if twin not in values}
                known = {**{own: own.low for own, _ in ordered}, **values, **equal}
                layout = access.tile.layout
                elements = element_of(layout, first.digits, known), element_of(layout, second.digits, known)
                return self._case(values, (first, second), (0, 0), {}), elements
        return None

    def _case(
        self,
        values: dict[Symbol, int],
        sides: tuple[Placed, Placed],
        waves: tuple[int, int],
        others: Mapping[Symbol, Index],
    ) -> Case:
        used = [variable for side in sides for variable in (*side.symbols, *side.digits.symbols)]
        ids = [*self._ids, *[as_symbol(index) for index in others.values()], *self._kernel.dims]
        values = {**{variable: variable.low for variable in (*used, *ids)}, **values}
        shown = (*(() if others else self._kernel.grid), *self._kernel.dims)
        known = tuple([(variable.name, values[variable]) for variable in shown if variable in used])
        both: list[Side] = []
        for side, wave, mark in zip(sides, waves, (False, True), strict=True):
            named = zip(side.access.counters, side.counters, strict=True)
            counters = tuple([(counter.name, index.evaluate(values, 0)) for counter, index in named])
            own = {group_id: only(group_id) for group_id in others} if not mark else others
            both.append(
                Side(
                    counters,
                    wave,
                    tuple([(group_id.name, own[group_id].evaluate(values, 0)) for group_id in others]),
                )
            )
        element = tuple([index.evaluate(values, 0) for index in sides[0].at])
        return Case(known, None, element, *both)
