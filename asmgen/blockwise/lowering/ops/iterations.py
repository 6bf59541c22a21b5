"""Trips of a body for each element of tiles: a `while` of each lane.

    more, x' = body(x)         while(x) { more(x) } { x'(x) }                      an element
                               while(x, y, gx, gy) { gx or gy } { ... }            elements x and y of a lane

Several elements of a lane have their trips together, so that the results of an element come while others are
computed. An element that has ended keeps its values.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.blockwise.actions import Iterate
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.tile import Element, Tile, scalar
from asmgen.graph.bodies import carried_number, needed_for, of_attributes, parameters_of, returned_of
from asmgen.graph.ops import LITERAL, WHERE
from asmgen.ir.program import Body, Statement, Value, literal_numbers
from asmgen.lanewise.builder import LaneBuilder

_TOGETHER = 4  # elements of a lane: more would need more registers than they save time

Carried = tuple[Value, ...]


def iterated(context: Context, action: Iterate, tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    """The tiles of the carried values after the last trip of each element."""
    carried = tiles[: len(tiles) - action.masked]
    rows = list(zip(*[tile.elements for tile in tiles], strict=True))  # the operands of each register
    different = [*dict.fromkeys(rows)]
    ended: dict[tuple[Element, ...], Carried] = {}
    for some in (different[at : at + _TOGETHER] for at in range(0, len(different), _TOGETHER)):
        operands = [tuple([scalar(context.builder, element) for element in row]) for row in some]
        firsts = [each[: len(carried)] for each in operands]
        exist = [_unless_known(context, each[-1]) if action.masked else None for each in operands]
        ended |= zip(some, _Loop(context, action.body).together(firsts, exist), strict=True)
    return tuple(
        [
            Tile(tile.type, tuple([Element(ended[row][number]) for row in rows]))
            for number, tile in enumerate(carried)
        ]
    )


def _unless_known(context: Context, exists: Value) -> Value | None:
    """A condition; None if it is true."""
    return None if context.builder.literal_of(exists) else exists


class _Loop:
    """A body in lanes."""

    def __init__(self, context: Context, body: Body) -> None:
        self._context, self._body = context, body
        self._builder: LaneBuilder = context.builder
        self._more, *self._following = returned_of(body)

    def together(self, firsts: Sequence[Carried], exist: Sequence[Value | None]) -> list[Carried]:
        """The values of some elements after their last trips."""
        count = len(firsts[0])
        if len(firsts) == 1:
            (exists,) = exist
            if exists is None:
                return [self._builder.while_(firsts[0], self.goes_on, self.following)]
        before = [
            self.goes_on(each) if exists is None else self._builder.logical_and(exists, self.goes_on(each))
            for each, exists in zip(firsts, exist, strict=True)
        ]
        flat = [value for each in firsts for value in each]

        def is_any(given: Carried) -> Value:
            first, *others = given[len(flat) :]
            for other in others:
                first = self._builder.logical_or(first, other)
            return first

        def trip(given: Carried) -> Carried:
            values, running = given[: len(flat)], given[len(flat) :]
            made: list[Value] = []
            still: list[Value] = []
            for number, runs in enumerate(running):
                old = values[number * count : (number + 1) * count]
                new = self.following(old)
                if len(running) > 1:
                    new = tuple([self._chosen(runs, a, b) for a, b in zip(new, old, strict=True)])
                made += new
                still.append(self._builder.logical_and(runs, self.goes_on(new)))
            return (*made, *still)

        ended = self._builder.while_((*flat, *before), is_any, trip)
        return [ended[number * count : (number + 1) * count] for number in range(len(firsts))]

    def _chosen(self, runs: Value, new: Value, old: Value) -> Value:
        return old if new is old else self._context.chosen(runs, new, old)

    def goes_on(self, carried: Carried) -> Value:
        """Whether there is another trip."""
        return self._values(carried, [self._more])[0]

    def following(self, carried: Carried) -> Carried:
        """The values after a trip."""
        return self._values(carried, self._following)

    def _values(self, carried: Carried, wanted: Sequence[Value]) -> Carried:
        known: dict[Value, Value] = dict(zip(parameters_of(self._body), carried, strict=True))
        for statement in needed_for(self._body, wanted):
            known[statement.result] = self._computed(statement, [known[each] for each in statement.operands])
        return tuple([known[each] for each in wanted])

    def _computed(self, statement: Statement, operands: Sequence[Value]) -> Value:
        if statement.op is LITERAL:
            return self._context.literal(literal_numbers(statement)[0], statement.result.type.element)
        if statement.op.has_body:
            inner = _Loop(self._context, of_attributes(statement))
            return self._builder.while_(operands, inner.goes_on, inner.following)[carried_number(statement)]
        if statement.op is WHERE:
            return self._context.chosen(*operands)
        (value,) = self._builder.apply(statement.op, tuple(operands), statement.attributes)
        return value
