"""The sanitizer's state that depends on a wave's path only: open wait counters, hazards, and registers
written so far.

Values play no part, so waves with the same path share a `PathState`, and a block's effect on a state is
computed once. States are numbered, and equal states have the same number, so loops reach a fixed point.

A store or an LDS access reads its registers at issue, so a later write of them needs no wait; the exception
(wide stores) is a hazard rule. A load's destination must not be overwritten before its wait, except by a load
that returns after it in the same order. A full counter delays the next issue, so open events never exceed its
maximum.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from threading import Lock

from msgspec import Struct

from isa.emulator.program.code import Jump, Operation, ends_block
from isa.emulator.sanitizer.faults import Check
from isa.emulator.sanitizer.paths.facts import PathFacts, bits_of, facts_of, units_of
from isa.emulator.sanitizer.paths.outstanding import Counting, Outstanding, pending_of
from isa.emulator.sanitizer.races.order import NOTHING_PENDING, Pending
from isa.hazards import RuleSet, Window
from isa.hazards.ruleset import units_mask
from isa.instruction import Instr, Trait
from isa.named_tuple import NamedTuple
from isa.registers import EXEC, NULL, Register
from isa.target import Counter


class Suspect(Struct, frozen=True):
    """An operation that may read undefined values: the undefined units that it reads, and the units of its
    results that may be undefined before it. `partial` are units of a tuple with other units that were
    written."""

    index: int
    units: tuple[int, ...]
    kept: tuple[int, ...]
    partial: frozenset[int]


class Finding(Struct, frozen=True):
    """A fault on a path: which check, at which operation, and why."""

    check: Check
    index: int
    message: str
    notes: tuple[str, ...] = ()


class PathState(Struct, frozen=True):
    """`open` has the outstanding events of each counter, oldest first; `written` is a bit set of unit
    numbers.

    `signalled` are the events that were outstanding when the wave last signalled a barrier, or when it ended.
    """

    open: tuple[tuple[Outstanding, ...], ...]
    written: int
    window: Window
    signalled: Pending

    def key(self) -> object:
        return self.open, self.written, self.window.state(), self.signalled


class Effect(NamedTuple):
    """The effect of a block besides the next state: the operations that may read undefined values, and the
    outstanding events at operations that write memory, or that read LDS during copies to it."""

    suspects: tuple[Suspect, ...]
    pending: tuple[tuple[int, Pending], ...]


class Paths:
    """The states of a program, and the effect of each block on each, for a run of it."""

    def __init__(
        self, operations: list[Operation], counters: tuple[Counter, ...], rules: RuleSet,
        entry: Iterable[Register], checks: frozenset[Check],
    ) -> None:  # fmt: skip
        self._operations = operations
        self._counting = Counting(counters)
        self._checks = checks
        self._facts: list[PathFacts | None] = [None] * len(operations)
        self.states: list[PathState] = []
        self._numbers: dict[object, int] = {}
        self._numbering = Lock()  # runs of other threads may share the numbers
        self._after: dict[tuple[int, int], tuple[int, Effect]] = {}
        self._looks = not checks.isdisjoint({Check.UNINITIALISED, Check.PARTIAL})
        self.empty_loads: frozenset[int] = frozenset()  # loads that read undefined memory
        self._passed: frozenset[tuple[Check, int]] = frozenset()  # findings that were reported
        self._always = bits_of(_ALWAYS)
        written = bits_of(entry) | self._always
        self.entry = self._number(
            PathState(tuple(() for _ in counters), written, Window(rules), NOTHING_PENDING)
        )

    def again(self) -> Paths:
        """The paths of another run of the program. It shares states and effects with this run, until a load
        reads undefined memory."""
        return copy(self)

    def facts(self, index: int, indexing: Instr | None = None) -> PathFacts:
        """The facts of an operation, computed on the first visit."""
        known = self._facts[index]
        if known is None:
            known = self._facts[index] = facts_of(self._operations[index], indexing)
        return known

    def note_empty_load(self, index: int) -> None:
        """Note that a load may return undefined values, and drop the effects of later operations."""
        self.empty_loads |= {index}
        self._after = {}

    def pass_over(self, finding: Finding) -> None:
        """Go on after a finding, here and whenever a wave comes there again: as if the missing wait were
        there."""
        self._passed |= {(finding.check, finding.index)}
        self._after = {}

    def _number(self, state: PathState) -> int:
        key = state.key()
        with self._numbering:
            number = self._numbers.get(key)
            if number is None:
                number = self._numbers[key] = len(self.states)
                self.states.append(state)
        return number

    def through(self, number: int, start: int, end: int) -> tuple[int, Effect] | Finding:
        """The state after operations `start` to `end` (included if it is a control operation), with the
        operations that may read undefined values; or the first fault."""
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
                self._counting.wait(operation, outstanding)
            finding = self._unwaited(index, facts, outstanding) or self._hazard(index, operation, window)
            if finding is not None:
                return finding
            unwritten = facts.read & ~written if self._looks else 0
            if unwritten or index in self.empty_loads:
                kept = units_of(facts.written & ~written)
                suspects.append(Suspect(index, units_of(unwritten), kept, self._partly(facts, unwritten)))
                # the return address does not depend on the target of the call
                written = (
                    written | facts.written
                    if ends_block(operation)
                    else written & ~facts.written | self._always
                )
            else:
                written |= facts.written
            if facts.indexes is not None and isinstance(operation, Instr):
                indexing = operation if facts.indexes else None
            if isinstance(operation, Instr):
                traits = operation.row.traits
                if not traits.isdisjoint(_ARRIVALS):
                    signalled = pending_of(outstanding)
                elif not traits.isdisjoint(_NOTES) and (now := pending_of(outstanding)) != NOTHING_PENDING:
                    pending.append((index, now))
                self._counting.issue(index, operation, facts, outstanding)
                window.issue(operation)
            elif isinstance(operation, Jump):
                window.issue(operation.branch)
        return PathState(
            tuple(tuple(counter) for counter in outstanding), written, window, signalled
        ), Effect(tuple(suspects), tuple(pending))

    def _unwaited(self, index: int, facts: PathFacts, outstanding: list[list[Outstanding]]) -> Finding | None:
        early = self._counting.unwaited(facts, outstanding) if Check.WAIT in self._checks else None
        while early is not None and (Check.WAIT, index) in self._passed:
            self._counting.complete(early, outstanding)
            early = self._counting.unwaited(facts, outstanding)
        if early is None:
            return None
        producer = self._operations[early.entry.index]
        place = producer.origin.place if isinstance(producer, Instr) and producer.origin else None
        note = f"{producer.row.mnemonic if isinstance(producer, Instr) else producer} at {place} loads it"
        message = f"{early.register} is {early.what} before a wait on {early.counter.name} covers its load"
        return Finding(Check.WAIT, index, message, (note,))

    def _hazard(self, index: int, operation: Operation, window: Window) -> Finding | None:
        if Check.HAZARD not in self._checks or not isinstance(operation, Instr):
            return None
        if (Check.HAZARD, index) in self._passed:
            return None
        needed = window.required(operation)
        if needed is None:
            return None
        message = f"missing before it: {needed.text}, by the rule {needed.rule.name} ({needed.rule.source})"
        return Finding(Check.HAZARD, index, message, (f"{needed.producer.row.mnemonic} opened it",))

    @staticmethod
    def _partly(facts: PathFacts, unwritten: int) -> frozenset[int]:
        """The units that were never written, of registers with another unit that was."""
        units: frozenset[int] = frozenset()
        for register in facts.uses:
            missing = units_mask(register) & unwritten
            if missing and missing != units_mask(register):
                units |= frozenset(units_of(missing))
        return units


_ARRIVALS = frozenset({Trait.SIGNAL, Trait.END})
_NOTES = frozenset({Trait.STORE, Trait.ATOMIC, Trait.LOAD})
_COMPUTED = ((235, 2), (236, 2), (237, 2), (238, 2), (251, 1), (252, 1))
_ALWAYS = (EXEC, NULL, *(Register(unit, count) for unit, count in _COMPUTED))
