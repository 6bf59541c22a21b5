"""Many loads, more than registers should hold at once: some first, and each of the others as soon as what was
loaded before it has been read for the last time.

    32 loads of 4 registers each, summed pair by pair: 12 loads, three sums, three loads, three sums, ...

So that many loads are under way while sums are made, without registers that would take waves from a SIMD.
Loads go a few at a time, since the hardware takes those that follow each other as one.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence

from asmgen.ir.program import Statement, Value
from asmgen.ir.types import BOOL, LaneType
from asmgen.select.selection import lane_type, units


class LoadWindow:
    """Puts the statements of a region in order. `loads` are those that may move, in their order, and `needed`
    what each of them needs of the region; `most` is how many registers they and what is made of them take.
    """

    def __init__(
        self, statements: Sequence[Statement], needed: dict[Statement, set[Statement]], most: int
    ) -> None:
        self._statements = statements
        self._places = {statement: place for place, statement in enumerate(statements)}
        self._needed = needed
        self._most = most
        self._reads = {statement: tuple(_reads(statement)) for statement in statements}
        self._left = Counter([value for reads in self._reads.values() for value in reads])
        self._waiting = deque([load for load in needed if self._left[load.result]])
        self._delayed = {load.result: load for load in self._waiting}
        self._sizes: dict[Value, int] = {}
        self._live = 0
        self._order: dict[Statement, None] = {}

    def ordered(self) -> list[Statement] | None:
        """All statements, each once, none before what it reads; None where there is no room for a load until
        it is needed.
        """
        late = set(self._waiting)
        for statement in self._statements:
            if statement in self._order or statement in late:
                continue
            self._fill()
            loads = [self._delayed[value] for value in self._reads[statement] if value in self._delayed]
            if not all(load in self._order for load in loads):
                return None
            self._put(statement)
        return list(self._order)

    def _fill(self) -> None:
        """Loads, as many as there is room for, as soon as a quarter of the registers is free."""
        if self._live * 4 > self._most * 3:
            return
        while self._waiting:
            load = self._waiting[0]
            if load not in self._order and self._live + units(lane_type(load.result)) > self._most:
                return
            self._put_load(self._waiting.popleft())

    def _put_load(self, load: Statement) -> None:
        if load not in self._order:
            needed = [one for one in self._needed[load] if one in self._places]
            for statement in sorted(needed, key=self._places.__getitem__):
                self._put(statement)

    def _put(self, statement: Statement) -> None:
        if statement in self._order:
            return
        self._order[statement] = None
        is_datum = statement in self._needed
        for value in self._reads[statement]:
            self._left[value] -= 1
            size = self._sizes.get(value, 0)
            is_datum = is_datum or size > 0
            if not self._left[value]:
                self._live -= size
        for result in statement.results if is_datum else ():
            if isinstance(result.type, LaneType) and result.type.element is not BOOL and self._left[result]:
                self._sizes[result] = units(result.type)
                self._live += self._sizes[result]


def _reads(statement: Statement) -> Iterator[Value]:
    """What a statement and those of its regions read."""
    yield from statement.operands
    for region in statement.regions:
        for inner in region.statements:
            yield from _reads(inner)
