"""Pending accesses at a program point, by counter: the state of the wait pass.

A memory instruction increments its counter when it issues; the counter is decremented when the result has
arrived. Waiting for "at most N pending" therefore guarantees a result only if results arrive in the order of
issue. If a pending access may overtake others (scalar loads, messages, CDNA's flat accesses), only zero is a
guarantee (CDNA3 ISA, section 4.4; RDNA3.5 ISA and RDNA4 ISA, the sections on data dependencies). The target
record says in which counter an event counts and which events may overtake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Self

from isa.instruction import Event, Instr, Row, Trait, Unit
from isa.named_tuple import NamedTuple
from isa.registers import Units, units_among
from isa.target import Counter, Target
from isa.waits import waited

# Results that are not registers, by numbers that no unit has.
LDS_FILLED = -1  # by loads straight to LDS
LDS_READ = -2
LDS_WRITTEN = -3


class CounterState:
    """The pending results of a counter.

    `issued` numbers events. `pending` maps a unit to the number of the event that will write it, and its
    instruction. `last` is the latest event, and `length` is the largest possible number of pending events.
    `unordered` is True if a pending event may overtake others, `shared` if such an event also counts in other
    counters (a flat access). `copies` are the asynchronous copies to LDS that may be under way, each with its
    number, the latest first.
    """

    __slots__ = ("copies", "counter", "issued", "last", "length", "pending", "shared", "unordered")

    def __init__(self, counter: Counter) -> None:
        self.counter = counter
        self.issued = 0
        self.last: Instr | None = None
        self.length = 0
        self.pending: dict[int, tuple[int, Instr]] = {}
        self.unordered = False
        self.shared = False
        self.copies: tuple[tuple[int, Instr], ...] = ()

    def copy(self) -> Self:
        other = self.__class__(self.counter)
        other.issued, other.length, other.unordered, other.shared = (
            self.issued,
            self.length,
            self.unordered,
            self.shared,
        )
        other.last = self.last
        other.pending = dict(self.pending)
        other.copies = self.copies
        return other

    def issue(self, instr: Instr, units: Sequence[int], unordered: bool, shared: bool) -> None:
        self.issued += 1
        self.last = instr
        self.length = min(self.length + 1, self.counter.maximum)
        self.unordered |= unordered
        self.shared |= shared and unordered
        for unit in units:
            self.pending[unit] = (self.issued, instr)
        if instr.awaits is not None:
            self.copies = ((self.issued, instr), *self.copies[: self.counter.maximum - 1])

    def needed_of_copies(self, pending: int, any_shared: bool) -> tuple[int, Instr] | None:
        """The count to wait for until at most the last `pending` copies are under way, and the latest other
        copy; None if there is no other."""
        if len(self.copies) <= pending:
            return None
        number, copy = self.copies[pending]
        younger = 0 if self.unordered or any_shared else self.issued - number
        return min(younger, self.counter.maximum - 1), copy

    def needed(self, units: Iterable[int], any_shared: bool) -> tuple[int, Instr] | None:
        """The count to wait for before `units` may be used, and the instruction that writes the last of them.

        While a flat access is under way in any counter (`any_shared`), LLVM trusts no order in either, nor do
        we.
        """
        last = self.latest(units) if self.pending else None
        if last is None:
            return None
        younger = 0 if self.unordered or any_shared else self.issued - last[0]
        # A counter that has reached its maximum tells nothing, so never wait for just that.
        return min(younger, self.counter.maximum - 1), last[1]

    def latest(self, units: Iterable[int]) -> tuple[int, Instr] | None:
        """The latest event that will write any of `units`: its number, and its instruction."""
        last: tuple[int, Instr] | None = None
        for unit in units:
            entry = self.pending.get(unit)
            if entry is not None and (last is None or entry[0] > last[0]):
                last = entry
        return last

    def wait(self, count: int) -> None:
        """At most `count` are under way from here on."""
        if count >= self.length or (self.unordered and count > 0):
            return
        self.length = count
        self.pending = {unit: entry for unit, entry in self.pending.items() if self.issued - entry[0] < count}
        self.copies = tuple([entry for entry in self.copies if self.issued - entry[0] < count])
        if not count:
            self.unordered = self.shared = False

    def alike(self, other: CounterState) -> bool:
        """Whether the same results are under way, each as long, and may overtake."""
        if (self.unordered, self.shared, len(self.pending)) != (
            other.unordered,
            other.shared,
            len(other.pending),
        ):
            return False
        shift = self.issued - other.issued
        if [number for number, _ in self.copies] != [number + shift for number, _ in other.copies]:
            return False
        positions = ((self.pending.get(unit), number) for unit, (number, _) in other.pending.items())
        return all(mine is not None and mine[0] == number + shift for mine, number in positions)

    def merge(self, other: CounterState) -> bool:
        """Join another path: the latest position of each result, and the larger number under way."""
        shift = self.issued - other.issued
        changed = (
            other.length > self.length
            or (other.unordered and not self.unordered)
            or (other.shared and not self.shared)
        )
        self.length = max(self.length, other.length)
        self.last = self.last or other.last
        self.unordered |= other.unordered
        self.shared |= other.shared
        for unit, (number, instr) in other.pending.items():
            mine = self.pending.get(unit)
            if mine is None or number + shift > mine[0]:
                self.pending[unit] = (number + shift, instr)
                changed = True
        return self._merge_copies(other.copies, shift) or changed

    def _merge_copies(self, others: tuple[tuple[int, Instr], ...], shift: int) -> bool:
        """The later of the last copies of both paths, of the copies before them, and so on."""
        shared = len(self.copies)
        later = [
            (number + shift, copy)
            if place >= shared or number + shift > self.copies[place][0]
            else self.copies[place]
            for place, (number, copy) in enumerate(others)
        ]
        joined = (*later, *self.copies[len(later) :])
        changed = joined != self.copies
        self.copies = joined
        return changed


LdsNeeds = Callable[[Instr], tuple[int, ...]]
_LDS_UNITS = frozenset({Unit.LDS, Unit.FLAT})
_READS, _WRITES = frozenset({Trait.LOAD, Trait.ATOMIC}), frozenset({Trait.STORE, Trait.ATOMIC})


def reads_lds(row: Row) -> bool:
    """Whether LDS memory may be read; an exchange between lanes only uses its wires."""
    return row.unit in _LDS_UNITS and not _READS.isdisjoint(row.traits)


def writes_lds(row: Row) -> bool:
    """Whether LDS memory may be written, by data in registers."""
    return row.unit in _LDS_UNITS and not _WRITES.isdisjoint(row.traits)


def lds_needs(instr: Instr) -> tuple[int, ...]:
    """The accesses of LDS that must be complete when an instruction issues, regardless of addresses.

    The signal of a barrier promises to other waves that this wave's accesses are complete. An access needs
    the data that loads bring directly into LDS.
    """
    if Trait.SIGNAL in instr.row.traits:
        return (LDS_FILLED, LDS_READ, LDS_WRITTEN)
    return (LDS_FILLED,) if reads_lds(instr.row) or writes_lds(instr.row) else ()


def is_copy_wait(instr: Instr) -> bool:
    """Whether an instruction waits for asynchronous copies to LDS; its count follows from the copies."""
    return instr.awaits is not None and Trait.WAIT in instr.row.traits


class _RowFacts(NamedTuple):
    """The counters of a target that a row uses, by their position."""

    in_order: tuple[bool, ...]  # of each, whether the row may overwrite its results without a wait
    counted: tuple[
        tuple[int, tuple[int, ...]], ...
    ]  # the counters of the event, and the memory that it will write
    is_unordered: bool
    is_shared: bool  # it counts in several


class _Facts(NamedTuple):
    """The same of an instruction, with the units of its registers."""

    instr: Instr
    touched: tuple[tuple[int, tuple[int, ...]], ...]  # units that have to be there
    counted: tuple[
        tuple[int, tuple[int, ...]], ...
    ]  # counters that it counts in, and the units it will write
    is_unordered: bool
    is_shared: bool


class _Knowledge:
    """The facts about instructions for a target, each computed once."""

    def __init__(self, target: Target, needs: LdsNeeds) -> None:
        self._counters = target.counters
        self._needs = needs
        self._unordered: frozenset[Event] = frozenset().union(
            *(counter.out_of_order for counter in target.counters)
        )
        self._rows: dict[Row, _RowFacts] = {}
        self._facts: dict[int, _Facts] = {}  # by the identity of an instruction, which they keep alive

    def of(self, instr: Instr) -> _Facts:
        facts = self._facts.get(id(instr))
        if facts is None:
            facts = self._facts[id(instr)] = self._look_up(instr)
        return facts

    def _look_up(self, instr: Instr) -> _Facts:
        row = self._rows.get(instr.row)
        if row is None:
            row = self._rows[instr.row] = self._of_row(instr.row)
        uses = (*_read(instr), *self._needs(instr))
        defines = instr.units.written
        both = uses + defines
        touched = (
            tuple([(i, uses if in_order else both) for i, in_order in enumerate(row.in_order)])
            if both
            else ()
        )
        counted = tuple([(i, defines + memory) for i, memory in row.counted])
        if instr.awaits is not None:  # only a marked wait waits for it
            counted = tuple([(i, defines) for i, _ in row.counted])
        return _Facts(instr, touched, counted, row.is_unordered, row.is_shared)

    def _of_row(self, row: Row) -> _RowFacts:
        counting = [
            (i, counter)
            for i, counter in enumerate(self._counters)
            if not counter.events.isdisjoint(row.events)
        ]
        is_cache = Trait.CACHE in row.traits
        return _RowFacts(
            tuple(_overwrites_in_order(counter, row) for counter in self._counters),
            tuple(
                (i, tuple(_memory_results(row, counter)))
                for i, counter in counting
                if not (is_cache and counter.ignores_caches)
            ),
            not self._unordered.isdisjoint(row.events),
            len(counting) > 1,
        )


class Counters:
    """The state of all counters of a target. `needs` gives the accesses of LDS for which an instruction
    waits."""

    __slots__ = ("_knowledge", "states")

    def __init__(
        self,
        target: Target,
        needs: LdsNeeds = lds_needs,
        state: Callable[[Counter], CounterState] = CounterState,
    ) -> None:
        self._knowledge = _Knowledge(target, needs)
        self.states = tuple(state(counter) for counter in target.counters)

    def copy(self) -> Counters:
        other = Counters.__new__(Counters)
        other._knowledge = self._knowledge
        other.states = tuple([state.copy() for state in self.states])
        return other

    def merge(self, other: Counters) -> bool:
        changed = False
        for mine, theirs in zip(self.states, other.states, strict=True):
            changed |= mine.merge(theirs)
        return changed

    def alike(self, other: Counters, asks_for_loads: bool) -> bool:
        """Whether the two states require the same waits of all following code. `asks_for_loads` is True if an
        instruction may wait until the loads are complete (`Trait.AFTER_LOADS`)."""
        pairs = list(zip(self.states, other.states, strict=True))
        if asks_for_loads and any(bool(mine.length) != bool(theirs.length) for mine, theirs in pairs):
            return False
        return all(mine.alike(theirs) for mine, theirs in pairs)

    def needed(self, instr: Instr) -> dict[str, tuple[int, Instr]]:
        """For each counter that `instr` has to wait on: the count, and the instruction waited for."""
        if Trait.AFTER_LOADS in instr.row.traits:
            return self._loads_done()
        if instr.awaits is not None and is_copy_wait(instr):
            return self._copies_done(instr)
        result: dict[str, tuple[int, Instr]] = {}
        pending = [state.pending for state in self.states]
        if not any(pending):
            return result
        for number, units in self._knowledge.of(instr).touched:
            if not pending[number] or pending[number].keys().isdisjoint(units):
                continue
            state = self.states[number]
            need = state.needed(units, any(other.shared for other in self.states))
            if need is not None:
                result[state.counter.name] = need
        return result

    def _loads_done(self) -> dict[str, tuple[int, Instr]]:
        counting = (
            state for state in self.states if Event.VMEM_LOAD in state.counter.events and state.length
        )
        return {state.counter.name: (0, state.last) for state in counting if state.last is not None}

    def _copies_done(self, wait: Instr) -> dict[str, tuple[int, Instr]]:
        assert wait.awaits is not None
        any_shared = any(state.shared for state in self.states)
        needs = [
            (state.counter.name, state.needed_of_copies(wait.awaits, any_shared)) for state in self.states
        ]
        return {name: need for name, need in needs if need is not None}

    def is_idle(self, counts: Mapping[str, int]) -> bool:
        """Whether these counts are a wait for counters without pending accesses."""
        return bool(counts) and not any(state.length for state in self.states if state.counter.name in counts)

    def issue(self, instr: Instr) -> None:
        """Let `instr` pass: a wait lowers counters, a memory instruction raises those of its events."""
        row = instr.row
        if instr.awaits is not None and is_copy_wait(instr):
            self.wait({name: count for name, (count, _) in self._copies_done(instr).items()})
        elif Trait.WAIT in row.traits:
            self.wait(waited(instr))
        if not row.events:
            return
        facts = self._knowledge.of(instr)
        for number, units in facts.counted:
            self.states[number].issue(instr, units, facts.is_unordered, facts.is_shared)

    def wait(self, counts: dict[str, int]) -> None:
        for state in self.states:
            if state.counter.name in counts:
                state.wait(counts[state.counter.name])


_LDS_EVENTS = frozenset({Event.LDS, Event.FLAT_LDS})


def _overwrites_in_order(counter: Counter, row: Row) -> bool:
    """Whether the result of `row` lands after those under way, so that it may overwrite them without a
    wait."""
    return counter.overwrites_in_order and bool(row.events) and counter.events.issuperset(row.events)


def _read(instr: Instr) -> Units:
    """The units that must be ready when `instr` issues. A load of half a register merges the half when it
    arrives."""
    row = instr.row
    if not row.events or Trait.HALF_WRITE not in row.traits:
        return instr.units.read
    kept = {use for use, _ in row.ties}
    return units_among([instr.operands[i] for i in row.uses if i not in kept]) + row.read_units[0]


def _memory_results(row: Row, counter: Counter) -> list[int]:
    """LDS as a result, for those that have to see it, in the counter that tells of it."""
    if Trait.LDS_DMA in row.traits:
        return [LDS_FILLED]
    if counter.events.isdisjoint(_LDS_EVENTS):
        return []
    return [LDS_READ] * reads_lds(row) + [LDS_WRITTEN] * writes_lds(row)
