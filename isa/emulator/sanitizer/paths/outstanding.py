"""Outstanding events along a path, oldest first, and the effect of waits on them."""

from __future__ import annotations

from msgspec import Struct

from isa.emulator.sanitizer.paths.facts import PathFacts, bits_of
from isa.emulator.sanitizer.races.order import Pending
from isa.hazards.ruleset import units_mask
from isa.instruction import Event, Instr, Trait
from isa.named_tuple import NamedTuple
from isa.registers import Register
from isa.target import Counter
from isa.waits import waited


class Outstanding(Struct, frozen=True):
    """An outstanding counted event: the units that it will write, as bits, the operation, whether it is in
    order.

    `kind` is the field of `Pending` that counts it; -1 if none does.
    """

    units: int
    index: int
    in_order: bool
    event: Event
    kind: int


class Early(NamedTuple):
    """A register that is `read` or `written` while a counted event that will write it is under way."""

    entry: Outstanding
    counter: Counter
    register: Register
    what: str


class Counting:
    """The counters of a target. Each has a list of outstanding events."""

    def __init__(self, counters: tuple[Counter, ...]) -> None:
        self._counters = counters
        self._flat_in_order = not any(Event.FLAT_LDS in counter.out_of_order for counter in counters)

    def wait(self, instr: Instr, outstanding: list[list[Outstanding]]) -> None:
        """Let the events come back that the counts cover: all for 0; else, of those in order, all but the
        last N."""
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

    def unwaited(self, facts: PathFacts, outstanding: list[list[Outstanding]]) -> Early | None:
        """The first register of an operation that an outstanding event will write, if a wait must come
        first."""
        touched = facts.read | facts.written
        for counter, entries in zip(self._counters, outstanding, strict=True):
            for entry in entries:
                if not entry.units & touched:
                    continue
                for register in facts.uses:
                    if entry.units & units_mask(register):
                        return Early(entry, counter, register, "read")
                if self._keeps_order(counter, entry, facts):
                    continue
                for register in facts.defines:
                    if entry.units & units_mask(register):
                        return Early(entry, counter, register, "written")
        return None

    def complete(self, early: Early, outstanding: list[list[Outstanding]]) -> None:
        """Complete an event, and those before it in its counter, as a wait for it does."""
        for counter, entries in zip(self._counters, outstanding, strict=True):
            if counter is early.counter:
                del entries[: entries.index(early.entry) + 1]

    def _keeps_order(self, counter: Counter, entry: Outstanding, facts: PathFacts) -> bool:
        """Whether this operation's own result returns after the entry's: both in order, in the same counter,
        of the same kind."""
        return entry.in_order and facts.events == (entry.event,) and entry.event not in counter.out_of_order

    def issue(self, index: int, instr: Instr, facts: PathFacts, outstanding: list[list[Outstanding]]) -> None:
        """Add the instruction's events to their counters; a full counter delays the issue."""
        if not facts.events:
            return
        units = bits_of(facts.defines)
        traits = instr.row.traits
        writes = Trait.STORE in traits or Trait.ATOMIC in traits
        for counter, entries in zip(self._counters, outstanding, strict=True):
            for event in facts.events:
                if event in counter.events:
                    in_order = event not in counter.out_of_order and (
                        self._flat_in_order or Event.FLAT_LDS not in facts.events
                    )
                    entries.append(
                        Outstanding(units, index, in_order, event, _kind_of(event, traits, writes))
                    )
                    del entries[: max(0, len(entries) - counter.maximum)]


def pending_of(outstanding: list[list[Outstanding]]) -> Pending:
    """How much of each kind is under way."""
    counts = [0] * len(Pending._fields)
    for counter in outstanding:
        for entry in counter:
            if entry.kind >= 0:
                counts[entry.kind] += 1
    flat = sum(entry.event is Event.FLAT_LDS for counter in outstanding for entry in counter)
    return Pending(*counts)._replace(flat=flat)


def _kind_of(event: Event, traits: frozenset[Trait], writes: bool) -> int:
    """The field of `Pending` that counts an event. An exchange between lanes accesses no memory."""
    if Trait.CROSS_LANE in traits and Trait.LOAD not in traits:
        return -1
    if Trait.LDS_DMA in traits:
        return 4
    if event in (Event.LDS, Event.FLAT_LDS):
        return 0 if writes else 1
    if event is Event.VMEM_STORE or (event is Event.VMEM_LOAD and writes):
        return 2
    return 3 if event is Event.VMEM_LOAD else -1
