"""Writes a loop with stages as prologue, loop and epilogue.

With `d + 1` stages, stage `s` of trip `j` runs in iteration `j + s`:

    prologue     iterations 0 to d - 1, in which the last stages have no trip yet
    loop         its counter is that of the last stage; stage `s` is `d - s` trips ahead
    epilogue     d iterations, in which the first stages have no trip any more

The loop carries the values that a later stage reads. If a value waits `w` iterations for its reader, a trip
of the loop is `w` iterations: each version of the value is then made anew in a trip, and none is passed from
register to register. The iterations that are left over follow the prologue. If only the launch knows the
number of trips, a trip of the loop is a single iteration.

If the last trip alone has elements that fail a condition of an access, as at the end of a row, the loop ends
an iteration earlier, and its accesses have no condition. The epilogue has an iteration more.

Up to `d` trips are written out without a loop. If only the launch knows whether there are `d` trips, a loop
that runs once or never has all of this, and the loop as it was follows for fewer trips.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from asmgen.blockwise import actions as ops
from asmgen.blockwise.actions import ZERO, substituted
from asmgen.blockwise.pipelining.copying import Names, copied, reading
from asmgen.blockwise.pipelining.order import ordered
from asmgen.blockwise.pipelining.trips import Trips
from asmgen.blockwise.pipelining.waits import Waits
from asmgen.blockwise.pipelining.within import open_conditions, within
from asmgen.blockwise.program import Kernel, TileRegion, TileStatement, TileValue
from asmgen.blockwise.rules.stages import Placed, Staged, read_by, staged
from asmgen.index import Index, constant
from asmgen.index.expression import only
from asmgen.ir.program import Region, Statement
from isa.diagnostics import InputError

MOST_STATEMENTS = 1 << 12  # of a kernel afterwards

Version = tuple[TileValue, int]  # a value of the region, and its trip
Renamed = dict[TileValue, TileValue]


def rewritten(kernel: Kernel) -> Kernel:
    """The kernel with its loops with stages pipelined. Raises `InputError` BLK003 if it would have too many
    statements.
    """
    count = _most_statements(kernel.statements)
    if count > MOST_STATEMENTS:
        message = (
            f"with prologues and epilogues the kernel would have up to {count} statements, wanted "
            f"{MOST_STATEMENTS} at most; use fewer stages"
        )
        raise InputError(kernel.place or kernel.name, "BLK003", message)
    return replace(kernel, statements=tuple(_statements(kernel.statements, Names(kernel))))


def _most_statements(statements: Sequence[TileStatement]) -> int:
    """How many statements there may be afterwards: each stage adds a copy of the loop, each iteration that a
    value waits adds two, and so may a number of trips that only the launch knows, or a last trip with
    conditions.
    """
    total = 0
    for statement in statements:
        split = staged(statement)
        copies = len(split.stages) + 2 * _iterations(split) if split else 1
        total += 1 + copies * sum(_most_statements(region.statements) for region in statement.regions)
    return total


def _peeled(split: Staged, order: Sequence[Placed]) -> int:
    """1 if accesses of the loop need fewer conditions without its last iteration, else 0."""
    trips, depth = Trips(split.loop), split.depth
    if (
        trips.count is None
        or trips.count < depth + 2
        or not any(open_conditions(placed.statement.op) for placed in order)
    ):
        return 0

    def conditions(left: int) -> int:
        counter = only(trips.between(0, left, 1).counter)
        ahead = [counter + (depth - stage) * split.loop.step for stage, _ in order]
        actions = [
            substituted(placed.statement.op, {split.loop.counter: at})
            for placed, at in zip(order, ahead, strict=True)
        ]
        return sum([len(open_conditions(action)) for action in actions])

    return int(conditions(depth + 1) < conditions(depth))


def _iterations(split: Staged) -> int:
    """The iterations of a trip of the pipelined loop: the most that a value waits for its reader."""
    if Trips(split.loop).count is None:
        return 1
    versions: dict[TileValue, int] = {}
    for value, _ in _carried(split, ordered(split)):
        versions[value] = versions.get(value, 0) + 1
    return max(versions.values(), default=1)


def _statements(statements: Sequence[TileStatement], names: Names) -> list[TileStatement]:
    """The statements of a region, inner loops first."""
    rewritten: list[TileStatement] = []
    renamed: Renamed = {}
    for statement in statements:
        current = reading(statement, renamed)
        regions = [
            Region(region.parameters, tuple(_statements(region.statements, names)))
            for region in current.regions
        ]
        current = replace(current, regions=tuple(regions))
        split = staged(current)
        if split is None:
            rewritten.append(current)
            continue
        made, results = _in_place_of(split, names)
        rewritten += made
        renamed |= results
    return rewritten


def _in_place_of(split: Staged, names: Names) -> tuple[list[TileStatement], Renamed]:
    """The statements in place of a loop, and its results that are other values now."""
    trips, statement = Trips(split.loop), split.statement
    if not (trips.are_at_least(split.depth) or trips.count is not None):
        return _guarded(split, names), {}
    pipeline = _Pipeline(split, names, statement.operands, statement.results)
    finals = pipeline.run()
    pairs = zip(statement.results, finals, strict=True)
    return pipeline.statements, {result: final for result, final in pairs if result is not final}


def _guarded(split: Staged, names: Names) -> list[TileStatement]:
    """The pipeline in a loop that runs once if there are enough trips, and the loop as it was in a loop that
    runs once if there are not.
    """
    statement, trips, depth = split.statement, Trips(split.loop), split.depth
    enough = trips.has(depth)
    results = (
        statement.results if depth == 1 else tuple([names.another(result) for result in statement.results])
    )
    parameters = tuple([names.another(parameter) for parameter in split.parameters])
    finals = tuple([names.another(result) for result in statement.results])
    many = ops.counted(names.fresh("many"), constant(0), enough)
    begin = only(many.counter) * (depth * split.loop.step)
    pipeline = _Pipeline(split, names, parameters, finals, begin)
    yields = pipeline.run()
    body = _region(parameters, pipeline.statements, yields)
    first = replace(statement, op=many, results=results, regions=(body,))
    if depth == 1:
        return [first]
    parameters = tuple([names.another(parameter) for parameter in split.parameters])
    unstaged = copied(
        _without_stages(statement), dict(zip(statement.operands, parameters, strict=True)), {}, names
    )
    few = ops.counted(names.fresh("few"), enough, constant(1))
    body = _region(parameters, [unstaged], unstaged.results)
    return [first, replace(statement, op=few, operands=results, regions=(body,))]


def _without_stages(statement: TileStatement) -> TileStatement:
    (region,) = statement.regions
    kept = tuple([inner for inner in region.statements if not isinstance(inner.op, ops.Stage)])
    return replace(statement, regions=(Region(region.parameters, kept),))


def _region(
    parameters: tuple[TileValue, ...], statements: Iterable[TileStatement], yields: Sequence[TileValue]
) -> TileRegion:
    return Region(parameters, (*statements, Statement(ops.Yield(), tuple(yields))))


class _Known:
    """The values of a region by their trips. `first` are the carried values in trip 0; None if trips are not
    counted from the first.
    """

    def __init__(
        self,
        split: Staged,
        versions: dict[Version, TileValue],
        first: Mapping[TileValue, TileValue] | None = None,
    ) -> None:
        self.versions = versions
        self._first, self._yields = first, split.yields

    def value(self, of: TileValue, trip: int) -> TileValue:
        """A value in a trip. A value from outside of the loop is the same in all."""
        if (of, trip) in self.versions:
            return self.versions[of, trip]
        if of not in self._yields:
            return of
        if self._first is not None and trip == 0:
            return self._first[of]
        return self.value(self._yields[of], trip - 1)


class _Pipeline:
    """The pipelined form of a loop on initial values. A result has the name that `results` has for it, if a
    statement makes it. `begin` is 0, and its bound says how many trips there are at least.
    """

    def __init__(
        self,
        split: Staged,
        names: Names,
        initial: Sequence[TileValue],
        results: Sequence[TileValue],
        begin: Index = ZERO,
    ) -> None:
        self.statements: list[TileStatement] = []
        self._begin = begin
        self._split, self._names, self._results = split, names, results
        self._first = dict(zip(split.parameters, initial, strict=True))
        self._trips = Trips(split.loop)
        self._turns = _iterations(split)
        self._order = ordered(split)
        self._waits = Waits(split, self._order)
        self._left = split.depth + _peeled(split, self._order)

    def run(self) -> tuple[TileValue, ...]:
        """Write the statements; gives the results."""
        count, depth, turns, left = self._trips.count, self._split.depth, self._turns, self._left
        known = _Known(self._split, {}, self._first)
        if count is not None and count < left + turns:
            named = self._named(count)
            for iteration in range(count + depth):
                self._iteration(known, iteration, range(count), named)
            return tuple([known.value(parameter, count) for parameter in self._split.parameters])
        begun = depth if count is None else depth + (count - left) % turns
        for iteration in range(begun):
            self._iteration(known, iteration, range(begun), {})
        known = _Known(self._split, self._loop(known, begun - depth))
        named = self._named(0)
        for iteration in range(depth - left, depth):
            self._iteration(known, iteration, range(-left, 0), named)
        return tuple([known.value(parameter, 0) for parameter in self._split.parameters])

    def _iteration(
        self, known: _Known, iteration: int, trips: range, named: Mapping[Version, TileValue]
    ) -> None:
        """Write the statements of an iteration that belong to `trips`. Trip -1 is the last trip of the loop,
        and trip -2 the trip before it."""
        for stage, statement in self._order:
            trip = iteration - stage
            if trip not in trips:
                continue
            if trip >= 0:
                counter = self._trips.counter(trip) + self._begin
            else:
                counter = self._trips.counter_from_end(trip)
            results = [
                named.get((result, trip)) or self._names.another(result) for result in statement.results
            ]
            made = self._copied(known, statement, trip, counter, results)
            self.statements.append(self._waits.in_trip(statement, made, trip, self._trips.count))

    def _named(self, trip: int) -> dict[Version, TileValue]:
        """The names for values that are results of the loop in the trip after the last."""
        versions: dict[Version, TileValue] = {}
        for parameter, result in zip(self._split.parameters, self._results, strict=True):
            value, before = self._split.yields[parameter], trip - 1
            if value in self._split.homes and value not in self._split.yields:
                _ = versions.setdefault((value, before), result)
        return versions

    def _copied(
        self,
        known: _Known,
        statement: TileStatement,
        trip: int,
        counter: Index,
        results: Sequence[TileValue],
    ) -> TileStatement:
        values = {value: known.value(value, trip) for value in read_by(statement)}
        counters = {self._split.loop.counter: counter}
        made = within(copied(statement, values, counters, self._names, tuple(results)))
        known.versions |= {
            (before, trip): result for before, result in zip(statement.results, results, strict=True)
        }
        return made

    def _loop(self, before: _Known, first: int) -> dict[Version, TileValue]:
        """Write the loop from trip `first` of the last stage on, on the values of the prologue; gives the
        values that it leaves, by their trips from the end. Inside, trips are counted from the first of the
        last stage.
        """
        split, depth, turns = self._split, self._split.depth, self._turns
        carried = _carried(split, self._order)
        loop = self._trips.between(first, self._left, turns)
        parameters = tuple([self._parameter(value, trip) for value, trip in carried])
        known = _Known(split, dict(zip(carried, parameters, strict=True)))
        inside: list[TileStatement] = []
        for turn in range(turns):
            for stage, statement in self._order:
                trip = turn + depth - stage
                counter = only(loop.counter) + trip * self._trips.loop.step
                is_last = turn == turns - 1
                results = [result if is_last else self._names.another(result) for result in statement.results]
                made = self._copied(known, statement, trip, counter, results)
                inside.append(self._waits.in_loop(statement, made))
        after = [known.value(value, trip + turns) for value, trip in carried]
        results = tuple([self._result(value, trip) for value, trip in carried])
        operands = tuple([before.value(value, first + trip) for value, trip in carried])
        region = _region(parameters, inside, after)
        if split.loop.staggered:  # the first waves read elements that all waves stored before
            self.statements.append(Statement(ops.Barrier(), ()))
        self.statements.append(
            replace(split.statement, op=loop, operands=operands, results=results, regions=(region,))
        )
        left = self._left
        return {(value, trip - left): result for (value, trip), result in zip(carried, results, strict=True)}

    def _parameter(self, value: TileValue, trip: int) -> TileValue:
        is_own = value in self._split.yields and trip == self._split.depth - self._split.homes[value]
        return value if is_own else self._names.another(value)

    def _result(self, value: TileValue, trip: int) -> TileValue:
        """The result of the loop that is a carried value; a result of the whole if it is of the trip after
        the last.
        """
        if trip == self._left and value in self._split.yields:
            return self._results[self._split.parameters.index(value)]
        return self._names.another(value)


def _carried(split: Staged, order: Sequence[Placed]) -> list[Version]:
    """The values that the loop carries, each with its trip, counted from the trip of the last stage. If a
    value waits several iterations for its reader, the loop carries it once for each iteration.
    """
    depth = split.depth
    carried = [(parameter, depth - split.homes[parameter]) for parameter in split.parameters]
    for stage, statement in order:
        for value in read_by(statement):
            if value in split.homes:
                newest = depth - split.homes[value] - (value not in split.yields)
                carried += [(value, trip) for trip in range(newest, depth - stage - 1, -1)]
    return list(dict.fromkeys(carried))
