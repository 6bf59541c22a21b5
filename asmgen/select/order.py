"""The order in which the statements of a region are selected: loads first, so that their latencies overlap,
and lane masks next to their readers if too many would be live at once.

The statements that a load's index needs come with the load. Loads from buffers that the kernel writes stay in
place. If the loads need more registers than `EARLY_UNITS`, each load comes as soon as there is room for it
(`LoadWindow`), or stays in place if there is a barrier. A load that passes a barrier is live while waves
exchange values, so such loads come first only while they take no wave from a SIMD.

Loads that share an index with other accesses come before the others, and loads with a loaded index come last.
An address that a single load reads dies with that load, so no later load of a clause takes its registers; and
the values that are computed first need a single wait for all loads.

A lane mask takes SGPRs: two for each element in a wave of 64 lanes. A row of 36 elements a lane, each
compared with the row's extreme before the first is chosen, would keep 36 masks live.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence

from asmgen.graph.ops import LITERAL, PARAM
from asmgen.ir.program import Statement, Value, lane_type
from asmgen.ir.types import BOOL, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.math.cleanup import is_pure
from asmgen.select.selection import units
from asmgen.select.uses import ACCESSES
from isa.target import Target

EARLY_UNITS = 64  # 32-bit registers that loads may fill early
WORKING_UNITS = 16  # registers for addresses and for values computed before a barrier
MOST_LIVE_MASKS = 24  # 48 SGPRs of some 100; arguments need SGPRs too
_FENCES = (ops.PRIORITY, ops.ORDER)


def in_order(statements: tuple[Statement, ...], written: frozenset[Value], target: Target) -> list[Statement]:
    """The statements of a region, with loads first between statements that no load passes."""
    ordered: list[Statement] = []
    first = 0
    for number, statement in enumerate(statements):
        if statement.op in _FENCES:
            ordered += [*loads_first(statements[first:number], written, target), statement]
            first = number + 1
    return ordered + loads_first(statements[first:], written, target)


def loads_first(
    statements: tuple[Statement, ...], written: frozenset[Value], target: Target
) -> list[Statement]:
    """The statements of a region: loads and their needs before the others, both in their own order."""
    here = {result: statement for statement in statements for result in statement.results}
    early: set[Statement] = set()
    movable: dict[Statement, set[Statement]] = {}  # loads, each with the statements it needs
    taken, most, is_after, passes_barrier = 0, EARLY_UNITS, False, False
    for statement in statements:
        if statement.op is ops.BARRIER:
            is_after = True
            most = min(most, step(target, taken + WORKING_UNITS) - WORKING_UNITS)
        if statement.op not in ops.LOADS or statement.operands[0] in written:
            continue
        needed = _needed(statement, here)
        if any(_stays(s, written) for s in needed):
            continue
        movable[statement] = needed
        passes_barrier = passes_barrier or is_after
        size = units(lane_type(statement.result))
        if taken + size <= most:
            taken += size
            early |= needed
    if not early:
        return list(statements)
    ordered = None if passes_barrier else _in_turn(statements, movable, target)
    if ordered is not None:
        return ordered
    loads = {load: needed for load, needed in movable.items() if load in early}
    first = _in_groups([s for s in statements if s in early], loads, _read_once(statements))
    return first + [s for s in statements if s not in early]


def _in_turn(
    statements: tuple[Statement, ...], movable: dict[Statement, set[Statement]], target: Target
) -> list[Statement] | None:
    """Loads alternating with the statements that use them, if all loads at once would take waves from a SIMD;
    None if they would not, or if the loaded values stay live."""
    room = min(EARLY_UNITS, step(target, EARLY_UNITS) - WORKING_UNITS)
    if sum(units(lane_type(load.result)) for load in movable) <= room:
        return None
    return LoadWindow(statements, movable, room).ordered()


def _read_once(statements: tuple[Statement, ...]) -> frozenset[Value]:
    """The indices that a single access of the region reads."""
    counts = Counter(s.operands[1] for s in statements if s.op in ACCESSES)
    return frozenset(index for index, count in counts.items() if count == 1)


def _in_groups(
    statements: list[Statement], loads: dict[Statement, set[Statement]], once: frozenset[Value]
) -> list[Statement]:
    """Early statements by the group of their loads: with a shared index, an index of their own, and an index
    that another load gives.
    """
    groups: dict[Statement, int] = {}
    for load, needed in loads.items():
        follows = any(s.op in ops.LOADS and s is not load for s in needed)
        group = 2 if follows else int(load.operands[1] in once)
        for early in needed:
            groups[early] = min(groups.get(early, group), group)
    return sorted(statements, key=groups.__getitem__)


def step(target: Target, vgprs: int) -> int:
    """The most VGPRs with which a SIMD runs as many waves as with `vgprs`."""
    waves = target.occupancy(vgprs, 0, 0, 1)
    return target.vgpr_file // waves // target.vgpr_granule * target.vgpr_granule


def _needed(statement: Statement, here: dict[Value, Statement]) -> set[Statement]:
    """A statement and the statements of its region that it depends on, without parameters."""
    needed = {statement}
    pending = [statement]
    while pending:
        for operand in pending.pop().operands:
            defining = here.get(operand)
            if defining is not None and defining not in needed and defining.op is not PARAM:
                needed.add(defining)
                pending.append(defining)
    return needed


def _stays(statement: Statement, written: frozenset[Value]) -> bool:
    """Whether a statement has effects or reads buffers that the kernel writes."""
    return statement.op.effects or (statement.op in ops.LOADS and statement.operands[0] in written)


class LoadWindow:
    """Orders a region with more loads than registers: some loads first, and each of the others once the last
    reader of an earlier load is done.

        32 loads of 4 registers each, summed pair by pair: 12 loads, three sums, three loads, three sums, ...

    So loads are under way while sums are made, without registers that would take waves from a SIMD. Loads go
    several at a time, since the hardware combines loads that follow each other. `needed` are the loads that
    may move, each with the statements that it needs; `most` is the number of registers for them and their
    results.
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
        """All statements, each once and after the statements that it reads; None if a load finds no room
        before its reader."""
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
        """Put loads while there is room, as soon as a quarter of the registers is free."""
        if self._live * 4 > self._most * 3:
            return
        while self._waiting:
            load = self._waiting[0]
            if load not in self._order and self._live + units(lane_type(load.result)) > self._most:
                return
            self._put_load(self._waiting.popleft())

    def _put_load(self, load: Statement) -> None:
        if load not in self._order:
            needed = [statement for statement in self._needed[load] if statement in self._places]
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


def masks_last(statements: Sequence[Statement]) -> list[Statement]:
    """The statements of a region. If more than `MOST_LIVE_MASKS` masks would be live at once, each bool comes
    right before the first statement that needs it, and so does each value that takes at least as many
    registers as its operands.
    """
    if _most_live(statements) <= MOST_LIVE_MASKS:
        return list(statements)
    waiting: dict[Value, tuple[int, Statement]] = {}
    ordered: list[Statement] = []
    numbers = {statement.result for statement in statements if statement.op is LITERAL}
    for number, statement in enumerate(statements):
        if _is_moved(statement, numbers):
            waiting[statement.result] = number, statement
        else:
            ordered += _take_needed(statement, waiting)
            ordered.append(statement)
    return ordered


def _most_live(statements: Sequence[Statement]) -> int:
    """The most masks that are live at once, in the order of the statements; the number of all if it is
    small."""
    results = [value for statement in statements for value in statement.results]
    masks = {value: count for value in results if (count := _masks(value))}
    if sum(masks.values()) <= MOST_LIVE_MASKS:
        return sum(masks.values())
    last: dict[Value, int] = {}
    for number, statement in enumerate(statements):
        if statement.regions:
            last.update([(value, number) for value in _reads(statement) if value in masks])
        elif not masks.keys().isdisjoint(statement.operands):
            last.update([(value, number) for value in statement.operands if value in masks])
    ends: dict[int, int] = {}
    live = most = 0
    for number, statement in enumerate(statements):
        for value in statement.results:
            if value in last:
                live += masks[value]
                most = max(most, live)
                ends[last[value]] = ends.get(last[value], 0) + masks[value]
        live -= ends.get(number, 0)
    return most


def _masks(value: Value) -> int:
    type_ = value.type
    return type_.lanes if isinstance(type_, LaneType) and type_.element is BOOL else 0


def _is_moved(statement: Statement, numbers: set[Value]) -> bool:
    """Whether a statement moves: it gives a bool, or takes no fewer registers than its operands, as the index
    of an element, which is the sum of another index and a literal of `numbers`. A statement with several
    results stays.
    """
    if not is_pure(statement) or not statement.operands or len(statement.results) != 1:
        return False
    made_of = _size(set(statement.operands) - numbers)
    return _masks(statement.result) > 0 or _size(statement.results) >= made_of


def _size(values: Iterable[Value]) -> int:
    """The number of 32-bit registers that values take."""
    return sum(units(lane_type(value)) for value in values)


def _take_needed(statement: Statement, waiting: dict[Value, tuple[int, Statement]]) -> list[Statement]:
    """Take the waiting statements that a statement needs out of `waiting`, in their order."""
    taken: list[tuple[int, Statement]] = []
    pending = [statement]
    while pending:
        needed = [waiting.pop(value) for value in _reads(pending.pop()) if value in waiting]
        taken += needed
        pending += [each for _, each in needed]
    return [each for _, each in sorted(taken, key=lambda numbered: numbered[0])]


def _reads(statement: Statement) -> Iterator[Value]:
    """The operands of a statement and of the statements in its regions."""
    yield from statement.operands
    for region in statement.regions:
        for inner in region.statements:
            yield from _reads(inner)
