"""Loops that the lanes of a workgroup begin next to each other make their whole trips together.

A workgroup of 256 lanes often strides over an array, each lane from its own element on:

    for(first + lane, n, step) (i) { body }

The lanes leave such a loop at different trips, so each trip takes lanes out of EXEC, and its loads can not
start a trip ahead. Here the trips in which every lane has an element count the first lane's element instead,
and the rest is left to the loop as it was:

    for(first, max(n, 255) - 255, step) (j) { i = add(j, lane); body }        the same trips for all lanes
    for(j + lane, n, step) (i) { body }                                      at most the last trips

`passes.schedule.modulo` overlaps the trips of the first loop, and its addresses advance by a scalar.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from asmgen.graph.ops import ADD
from asmgen.ir.program import Module, Scope, Statement, Value, with_others, with_regions
from asmgen.ir.types import I32, U32
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.definitions import Definitions
from asmgen.lanewise.math.unsigned import largest
from asmgen.lanewise.records import trip_of
from asmgen.lanewise.verify.scopes import Scopes
from isa.named_tuple import NamedTuple

_MOST = (1 << 31) - 1
_Statements = tuple[Statement, ...]


def make_whole_trips(module: Module, wave: int) -> Module:
    """The module with loops for the trips that all lanes of a workgroup make, for waves of `wave` lanes."""
    if not any(_loads_alone(statement) for statement in module.walk()):
        return module
    return replace(module, statements=_Split(module, wave).split(module.statements))


def _loads_alone(statement: Statement) -> bool:
    """Whether a loop loads from memory, has no branch inside, and names no trip."""
    if statement.op is not ops.FOR or trip_of(statement):
        return False
    inside = statement.regions[0].statements
    return any(each.op in ops.LOADS for each in inside) and not any(each.regions for each in inside)


class _Start(NamedTuple):
    """The first number of a loop as a sum: `shared` are the same in the workgroup, the sum of `own` is from 0
    to `most`."""

    shared: tuple[Value, ...]
    own: tuple[Value, ...]
    most: int


class _Split:
    def __init__(self, module: Module, wave: int) -> None:
        self._scopes = Scopes(module, wave)
        self._definitions = Definitions(module)
        regions = [region for each in module.walk() for region in each.regions]
        parameters = [value for region in regions for value in region.parameters]
        self._builder = LaneBuilder([value.name for value in (*self._definitions.of, *parameters)])

    def split(self, statements: _Statements) -> _Statements:
        """The statements of a region, with two loops in place of each loop that has whole trips."""
        instead = {place: two for place, each in enumerate(statements) if (two := self._two(each))}
        return with_others(statements, instead, lambda statement: with_regions(statement, self.split))

    def _two(self, loop: Statement) -> _Statements:
        """The two loops in place of a loop; none if its lanes make the same trips anyway, or if nothing is
        known of their starts."""
        if not _loads_alone(loop) or loop.operands[0].type.element not in (U32, I32):
            return ()
        first, stop, step = loop.operands[:3]
        if self._is_shared(first) or not (self._is_shared(stop) and self._is_shared(step)):
            return ()
        start = self._start(first)
        if start is None or not start.most or self._makes_none(start, loop):
            return ()
        return self._loops(loop, start)

    def _makes_none(self, start: _Start, loop: Statement) -> bool:
        """Whether a loop certainly makes no trip with all lanes."""
        end = self._definitions.literal(loop.operands[1])
        firsts = [self._definitions.literal(term) for term in start.shared]
        return end is not None and None not in firsts and sum(filter(None, firsts)) + start.most >= end

    def _is_shared(self, value: Value) -> bool:
        return self._scopes.of(value).scope >= Scope.WORKGROUP

    def _start(self, first: Value) -> _Start | None:
        terms = list(self._terms(first))
        own = tuple([term for term in terms if not self._is_shared(term)])
        bounds = [largest(term, self._definitions) for term in own]
        most = sum(filter(None, bounds))
        if None in bounds or most > _MOST:
            return None
        return _Start(tuple([term for term in terms if term not in own]), own, most)

    def _terms(self, value: Value) -> Iterator[Value]:
        made = self._definitions.by(value, ADD)
        if made is None or self._is_shared(value):
            yield value
            return
        for operand in made.operands:
            yield from self._terms(operand)

    def _loops(self, loop: Statement, start: _Start) -> _Statements:
        builder = self._builder
        (region,) = loop.regions
        _, stop, step, *initial = loop.operands
        with builder.nested() as statements, builder.at(loop):
            shared = start.shared or (builder.like(0, stop),)
            begin, own = builder.read_first_lane(self._sum(shared)), self._sum(start.own)
            end = self._end(stop, start.most)

            def trip(counter: Value, carried: tuple[Value, ...]) -> tuple[Value, ...]:
                values = {region.parameters[0]: builder.add(counter, own)}
                values |= zip(region.parameters[1:], carried[1:], strict=True)
                *inside, last = region.statements
                for statement in inside:
                    self._copy(statement, values)
                following = [values.get(value, value) for value in last.operands]
                return builder.add(counter, step), *following

            left, *carried = builder.for_(begin, end, step, (begin, *initial), trip)
            builder.append(replace(loop, operands=(builder.add(left, own), stop, step, *carried)))
        return tuple(statements)

    def _end(self, stop: Value, most: int) -> Value:
        """The stop of the first lane: below it, a lane `most` further on is below `stop`."""
        builder = self._builder
        least = -(1 << 31) if stop.type.element is I32 else 0
        known = self._definitions.literal(stop)
        if known is not None:
            return builder.like(max(int(known) - most, least), stop)
        return builder.sub(builder.max(stop, builder.like(least + most, stop)), builder.like(most, stop))

    def _sum(self, terms: tuple[Value, ...]) -> Value:
        total, *others = terms
        for other in others:
            total = self._builder.add(total, other)
        return total

    def _copy(self, statement: Statement, values: dict[Value, Value]) -> None:
        """Append a statement with other operands and with results of its own, which `values` gets."""
        operands = tuple([values.get(operand, operand) for operand in statement.operands])
        results = tuple([Value(self._builder.fresh(each.name), each.type) for each in statement.results])
        values.update(zip(statement.results, results, strict=True))
        self._builder.append(replace(statement, operands=operands, results=results))
