"""What the sanitizer knows of a wave from its path alone: open wait counters, hazards, and registers written so far.

Values play no part, so waves that took the same path share one `PathState`, and a block's effect on a state is worked
out once. States are numbered; equal ones have one number, so loops come to rest.

A store or an LDS access reads its registers when it issues, so a later write of them needs no wait: what little it needs
(wide stores) is a hazard rule. A load's destination may not even be overwritten before its wait, except by a load that
comes back behind it in the same order. A full counter holds back the next issue, so no more events are open than it counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from isa.emulator.code import Copies, Jump, Operation
from isa.emulator.faults import Check
from isa.emulator.indexing import operands_indexed
from isa.emulator.modifiers import merged_source
from isa.emulator.order import NOTHING_PENDING, Pending
from isa.hazards import RuleSet, Window
from isa.instruction import Event, Instr, Row, Trait, Unit
from isa.registers import EXEC, FIRST_AGPR, FIRST_VGPR, FLAT_SCRATCH, M0, MODE, NULL, TRAPSTS, VCC, Register
from isa.semantics import resolve
from isa.semantics.control import IndexMode, RelativeMove
from isa.target import Counter
from isa.waits import waited


@dataclass(frozen=True, slots=True)
class Outstanding:
    """One counted event that has not come back: the units it will write, the operation, whether it keeps its order.

    `kind` is the field of `Pending` that counts it, -1 where none does.
    """

    units: tuple[int, ...]
    index: int
    in_order: bool
    event: Event
    kind: int


def _pending(outstanding: list[list[Outstanding]]) -> Pending:
    counts = [0] * len(Pending._fields)
    for counter in outstanding:
        for entry in counter:
            if entry.kind >= 0:
                counts[entry.kind] += 1
    return Pending(*counts)


@dataclass(frozen=True, slots=True)
class Suspect:
    """An operation that reads what may never have been written: units of registers that it reads, and those of its
    results that may hold such values before it. `partial` are units of a tuple of which others were written."""

    index: int
    units: tuple[int, ...]
    kept: tuple[int, ...]
    partial: frozenset[int]


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault on a path: which check, at which operation, and why."""

    check: Check
    index: int
    message: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PathState:
    """`open` holds the outstanding events of each counter, oldest first; `written` is a bit set of unit numbers.

    `signalled` is what was outstanding when the wave last told the others that it has arrived, or when it ended.
    """

    open: tuple[tuple[Outstanding, ...], ...]
    written: int
    window: Window
    signalled: Pending

    def key(self) -> object:
        return self.open, self.written, self.window.state(), self.signalled


class Effect(NamedTuple):
    """What a block does besides leading to another state: the operations that may read what nobody wrote, and what is under
    way where operations write memory, or read LDS with copies to it under way."""

    suspects: tuple[Suspect, ...]
    pending: tuple[tuple[int, Pending], ...]


class Facts(NamedTuple):
    """What a path cares about in one operation; `read` and `written` are the units of its registers as bits."""

    uses: tuple[Register, ...]
    defines: tuple[Register, ...]
    events: tuple[Event, ...]
    read: int = 0
    written: int = 0
    indexes: bool | None = None  # whether VGPR indexing goes on, or off, here


def facts_of(operation: Operation, indexing: Instr | None = None) -> Facts:
    """What a path cares about in an operation; `indexing` turned on the mode in which it runs, where one did."""
    facts = _registers(operation)
    written = bits_of(facts.defines) | (_reached(operation, indexing) if isinstance(operation, Instr) else 0)
    meaning = meaning_of(operation) if isinstance(operation, Instr) else None
    indexes = meaning.on if isinstance(meaning, IndexMode) else None
    return facts._replace(read=bits_of(facts.uses), written=written, indexes=indexes)


def _reached(instr: Instr, indexing: Instr | None) -> int:
    """The units that a result may go to whose place a register says: any from the one named on."""
    meaning = meaning_of(instr)
    moved = isinstance(meaning, RelativeMove) and meaning.destination
    if indexing is not None and instr.row.unit is Unit.VALU:
        moved = not operands_indexed(indexing, instr).isdisjoint(instr.row.defines)
    first = instr.operands[0] if moved else None
    if not isinstance(first, Register):
        return 0
    end = FIRST_AGPR if first.first >= FIRST_VGPR else VCC.first
    return ((1 << end) - 1) & ~((1 << first.first) - 1)


def meaning_of(instr: Instr) -> object:
    """What an instruction means to the emulator; None where it has no semantics, which is refused when it runs."""
    try:
        return resolve(instr.row.semantics)
    except KeyError:
        return None


def _registers(operation: Operation) -> Facts:
    """Registers read for their value and written. An unspelt source that the destination merely keeps does not count as read,
    nor the M0 of a message, most of which say nothing by it."""
    if isinstance(operation, Jump):
        return Facts((), (), ())
    if isinstance(operation, Copies):
        sources = tuple(source for _, source in operation.pairs if isinstance(source, Register))
        return Facts(sources, tuple(target for target, _ in operation.pairs), ())
    row = operation.row
    uses = [
        operand for i in row.uses if isinstance(operand := operation.operands[i], Register) and i not in _merely_kept(row)
    ]  # fmt: skip
    unread = (MODE, TRAPSTS, FLAT_SCRATCH) if row.unit is Unit.FLAT else (MODE, TRAPSTS)  # flat access looks itself where a lane reaches scratch
    messages = (M0,) if Event.MESSAGE in row.events else ()
    implicit = [register for register in row.reads if register not in unread and register not in messages]
    return Facts((*uses, *implicit), operation.defined(), row.events)


@cache
def _merely_kept(row: Row) -> frozenset[int]:
    """The sources whose value a destination keeps in part, without anything being made of it."""
    if Trait.LANE_WRITE in row.traits:
        return frozenset(use for use, _ in row.ties)
    return frozenset({merged_source(row)})


def mask_of(register: Register) -> int:
    return ((1 << register.count) - 1) << register.first


def bits_of(registers: Iterable[Register]) -> int:
    bits = 0
    for register in registers:
        bits |= mask_of(register)
    return bits


def units_of(bits: int) -> tuple[int, ...]:
    """The units of a bit set, lowest first."""
    units: list[int] = []
    while bits:
        units.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return tuple(units)


class Paths:
    """The states of one program, and what each block makes of each."""

    def __init__(
        self, operations: list[Operation], counters: tuple[Counter, ...], rules: RuleSet, entry: Iterable[Register], checks: frozenset[Check],
    ) -> None:  # fmt: skip
        self._operations = operations
        self._counters = counters
        self._checks = checks
        self._facts: list[Facts | None] = [None] * len(operations)
        self.states: list[PathState] = []
        self._numbers: dict[object, int] = {}
        self._after: dict[tuple[int, int], tuple[int, Effect]] = {}
        self._looks = not checks.isdisjoint({Check.UNINITIALISED, Check.PARTIAL})
        self.empty_loads: frozenset[int] = frozenset()  # loads that met memory which nobody wrote
        self._flat_in_order = not any(Event.FLAT_LDS in counter.out_of_order for counter in counters)
        self._always = bits_of(_ALWAYS)
        written = bits_of(entry) | self._always
        self.entry = self._number(PathState(tuple(() for _ in counters), written, Window(rules), NOTHING_PENDING))

    def facts(self, index: int, indexing: Instr | None = None) -> Facts:
        """What a path cares about in an operation, which is worked out when its path is first walked."""
        known = self._facts[index]
        if known is None:
            known = self._facts[index] = facts_of(self._operations[index], indexing)
        return known

    def note_empty_load(self, index: int) -> None:
        """A load may give what nobody wrote: what was worked out of later operations no longer holds."""
        self.empty_loads |= {index}
        self._after.clear()

    def _number(self, state: PathState) -> int:
        key = state.key()
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.states)
            self.states.append(state)
        return number

    def through(self, number: int, start: int, end: int) -> tuple[int, Effect] | Finding:
        """The state after operations `start` to `end` (it too, where control lies there), with what may read values that
        nobody wrote; or the first fault."""
        known = self._after.get((number, start))
        if known is None:
            result = self._walk(self.states[number], start, end)
            if isinstance(result, Finding):
                return result
            known = self._after[number, start] = (self._number(result[0]), result[1])
        return known

    def _walk(self, state: PathState, start: int, end: int) -> tuple[PathState, Effect] | Finding:
        outstanding = [list(counter) for counter in state.open]
        written, window, signalled = state.written, state.window.copy(), state.signalled
        suspects: list[Suspect] = []
        pending: list[tuple[int, Pending]] = []
        indexing: Instr | None = None
        for index in range(start, end):
            operation = self._operations[index]
            facts = self.facts(index, indexing)
            if isinstance(operation, Instr) and Trait.WAIT in operation.row.traits:
                self._wait(operation, outstanding)
            finding = self._unwaited(index, facts, outstanding) or self._hazard(index, operation, window)
            if finding is not None:
                return finding
            unwritten = facts.read & ~written if self._looks else 0
            if unwritten or index in self.empty_loads:
                kept = units_of(facts.written & ~written)
                suspects.append(Suspect(index, units_of(unwritten), kept, self._partly(facts, unwritten)))
                written = written & ~facts.written | self._always
            else:
                written |= facts.written
            if facts.indexes is not None and isinstance(operation, Instr):
                indexing = operation if facts.indexes else None
            if isinstance(operation, Instr):
                if _ARRIVALS & operation.row.traits:
                    signalled = _pending(outstanding)
                elif _NOTES & operation.row.traits and (now := _pending(outstanding)) != NOTHING_PENDING:
                    pending.append((index, now))
                self._issue(index, operation, facts, outstanding)
                window.issue(operation)
        return PathState(tuple(tuple(counter) for counter in outstanding), written, window, signalled), Effect(tuple(suspects), tuple(pending))

    def _wait(self, instr: Instr, outstanding: list[list[Outstanding]]) -> None:
        """Let the events come back that the counts cover: all for 0; else, of those in order, all but the last N."""
        counts = waited(instr)
        for counter, entries in zip(self._counters, outstanding, strict=True):
            count = counts.get(counter.name)
            if count is None:
                continue
            if count == 0:
                entries.clear()
                continue
            ordered = [entry for entry in entries if entry.in_order]
            done = set(map(id, ordered[: max(0, len(ordered) - count)]))
            entries[:] = [entry for entry in entries if id(entry) not in done]

    def _unwaited(self, index: int, facts: Facts, outstanding: list[list[Outstanding]]) -> Finding | None:
        if Check.WAIT not in self._checks:
            return None
        for counter, entries in zip(self._counters, outstanding, strict=True):
            for entry in entries:
                for register in facts.uses:
                    if any(register.first <= unit < register.first + register.count for unit in entry.units):
                        return self._too_early(index, entry, counter, register, "read")
                if self._keeps_order(counter, entry, facts):
                    continue
                for register in facts.defines:
                    if any(register.first <= unit < register.first + register.count for unit in entry.units):
                        return self._too_early(index, entry, counter, register, "written")
        return None

    def _keeps_order(self, counter: Counter, entry: Outstanding, facts: Facts) -> bool:
        """Whether this operation's own result comes back behind the entry's: both in order, in the same counter, of one kind."""
        return entry.in_order and facts.events == (entry.event,) and entry.event not in counter.out_of_order

    def _too_early(self, index: int, entry: Outstanding, counter: Counter, register: Register, what: str) -> Finding:
        producer = self._operations[entry.index]
        place = producer.origin.place if isinstance(producer, Instr) and producer.origin else None
        note = f"{producer.row.mnemonic if isinstance(producer, Instr) else producer} at {place} loads it"
        return Finding(Check.WAIT, index, f"{register} is {what} before a wait on {counter.name} covers its load", (note,))

    def _hazard(self, index: int, operation: Operation, window: Window) -> Finding | None:
        if Check.HAZARD not in self._checks or not isinstance(operation, Instr):
            return None
        needed = window.required(operation)
        if needed is None:
            return None
        message = f"missing before it: {needed.text}, by the rule {needed.rule.name} ({needed.rule.source})"
        return Finding(Check.HAZARD, index, message, (f"{needed.producer.row.mnemonic} opened it",))

    @staticmethod
    def _partly(facts: Facts, unwritten: int) -> frozenset[int]:
        """The units never written of registers of which another unit was."""
        found: frozenset[int] = frozenset()
        for register in facts.uses:
            missing = mask_of(register) & unwritten
            if missing and missing != mask_of(register):
                found |= frozenset(units_of(missing))
        return found

    def _issue(self, index: int, instr: Instr, facts: Facts, outstanding: list[list[Outstanding]]) -> None:
        """Add the instruction's events to the counters that count them; a full counter holds the issue back."""
        units = tuple(unit for register in facts.defines for unit in register.units)
        traits = instr.row.traits
        writes = bool(traits & {Trait.STORE, Trait.ATOMIC})
        for counter, entries in zip(self._counters, outstanding, strict=True):
            for event in facts.events:
                if event in counter.events:
                    in_order = event not in counter.out_of_order and (self._flat_in_order or Event.FLAT_LDS not in facts.events)
                    entries.append(Outstanding(units, index, in_order, event, _kind_of(event, traits, writes)))
                    del entries[: max(0, len(entries) - counter.maximum)]


def _kind_of(event: Event, traits: frozenset[Trait], writes: bool) -> int:
    """The field of `Pending` that counts an event."""
    if Trait.LDS_DMA in traits:
        return 4
    if event in (Event.LDS, Event.FLAT_LDS):
        return 0 if writes else 1
    if event is Event.VMEM_STORE or (event is Event.VMEM_LOAD and writes):
        return 2
    return 3 if event is Event.VMEM_LOAD else -1


_ARRIVALS = frozenset({Trait.SIGNAL, Trait.END})
_NOTES = frozenset({Trait.STORE, Trait.ATOMIC, Trait.LOAD})
_COMPUTED = ((235, 2), (236, 2), (237, 2), (238, 2), (251, 1), (252, 1))
_ALWAYS = (EXEC, NULL, *(Register(unit, count) for unit, count in _COMPUTED))
