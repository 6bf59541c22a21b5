"""The accesses under way that certainly need a wait, from the text alone.

The compiler waits for all accesses that may matter. The author of a text may know better, so `check` asks for
less than the wait pass:

* An instruction issues only if each of its counters has room. A result that comes in order has arrived once
  as many younger results are under way as the counter can count.
* A barrier has to wait for writes to LDS. Reads of LDS are the reader's own, and a barrier may only keep the
  waves in step.
* A load straight to LDS goes to the address in M0, which the text does not show. After a wait for such loads,
  later loads may fill another part of LDS than the part that is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from asmgen.passes.waits.counters import LDS_FILLED, LDS_WRITTEN, Counters, CounterState, LdsNeeds, reads_lds
from isa.instruction import Instr, Trait
from isa.program import Kernel
from isa.target import Counter, Target
from isa.waits import waited


def certain_counters(kernel: Kernel) -> Counters:
    """The state of the counters at the start of a function, for the waits that the text alone shows to be
    needed."""
    target = kernel.table.target
    filling = filling_counters(kernel.instructions(), target)
    if not filling:
        return Counters(target, _needs_of(frozenset()), _CertainState)
    return Counters(target, _needs_of(_publishing(kernel, filling)), _FillingState)


def filling_counters(instructions: Iterable[Instr], target: Target) -> frozenset[str]:
    """The counters of the loads straight to LDS among some instructions."""
    rows = {instr.row for instr in instructions if Trait.LDS_DMA in instr.row.traits}
    events = {event for row in rows for event in row.events}
    return frozenset(counter.name for counter in target.counters if not counter.events.isdisjoint(events))


class _CertainState(CounterState):
    """A counter, which blocks an access beyond its range."""

    __slots__ = ()

    def needed(self, units: Iterable[int], any_shared: bool) -> tuple[int, Instr] | None:
        need = super().needed(units, any_shared)
        if need is None or need[0] < self.counter.maximum - 1:
            return need
        last = self.latest(units)
        assert last is not None
        return need if self.issued - last[0] < self.counter.maximum else None


class _FillingState(_CertainState):
    """A counter of a function that loads straight to LDS.

    `oldest` numbers the first such load that may be under way, 0 if there is none; `was_waited_for` says that
    a path has waited for such a load.
    """

    __slots__ = ("oldest", "was_waited_for")

    def __init__(self, counter: Counter) -> None:
        super().__init__(counter)
        self.oldest = 0
        self.was_waited_for = False

    def copy(self) -> Self:
        other = super().copy()
        other.oldest, other.was_waited_for = self.oldest, self.was_waited_for
        return other

    def issue(self, instr: Instr, units: Sequence[int], unordered: bool, shared: bool) -> None:
        super().issue(instr, units, unordered, shared)
        if not self.oldest and LDS_FILLED in units:
            self.oldest = self.issued

    def needed(self, units: Iterable[int], any_shared: bool) -> tuple[int, Instr] | None:
        asked = [unit for unit in units if unit != LDS_FILLED] if self.was_waited_for else units
        return super().needed(asked, any_shared)

    def wait(self, count: int) -> None:
        says_nothing = count >= self.length or (self.unordered and count > 0)
        super().wait(count)
        if self.oldest and not says_nothing and self.issued - self.oldest >= count:
            self.was_waited_for = True
            latest = self.pending.get(LDS_FILLED)
            self.oldest = 0 if latest is None else self.issued - count + 1

    def alike(self, other: CounterState) -> bool:
        assert isinstance(other, _FillingState)
        mine = (self.was_waited_for, self.oldest and self.issued - self.oldest)
        theirs = (other.was_waited_for, other.oldest and other.issued - other.oldest)
        return mine == theirs and super().alike(other)

    def merge(self, other: CounterState) -> bool:
        assert isinstance(other, _FillingState)
        before = self.was_waited_for, self.oldest
        theirs = other.oldest and other.oldest + self.issued - other.issued
        changed = super().merge(other)
        self.was_waited_for |= other.was_waited_for
        self.oldest = min(self.oldest, theirs) if self.oldest and theirs else self.oldest or theirs
        return changed or before != (self.was_waited_for, self.oldest)


def _needs_of(publishing: frozenset[int]) -> LdsNeeds:
    """The LDS accesses that an instruction needs done; `publishing` are the signals that announce loads
    straight to LDS."""

    def needs(instr: Instr) -> tuple[int, ...]:
        if Trait.SIGNAL in instr.row.traits:
            return (LDS_WRITTEN, LDS_FILLED) if id(instr) in publishing else (LDS_WRITTEN,)
        return (LDS_FILLED,) if reads_lds(instr.row) else ()

    return needs


def _publishing(kernel: Kernel, filling: frozenset[str]) -> frozenset[int]:
    """The signals, by their identity, after which LDS is read before another signal or a wait for one of the
    counters."""
    first = {block.label: _meets_read(block.code, filling) for block in kernel.blocks}
    reaching = {label for label, meets in first.items() if meets}
    is_growing = True
    while is_growing:
        grown = {
            block.label
            for block in kernel.blocks
            if first[block.label] is None and any(edge.target in reaching for edge in block.linear)
        }
        is_growing = not grown <= reaching
        reaching |= grown
    publishing: set[int] = set()
    for block in kernel.blocks:
        code = tuple(block.code)
        for position, instr in enumerate(code):
            if Trait.SIGNAL not in instr.row.traits:
                continue
            meets = _meets_read(code[position + 1 :], filling)
            if any(edge.target in reaching for edge in block.linear) if meets is None else meets:
                publishing.add(id(instr))
    return frozenset(publishing)


def _meets_read(code: Iterable[Instr], filling: frozenset[str]) -> bool | None:
    """Whether a read of LDS comes before another signal or a wait for one of the counters; None if neither
    comes."""
    for instr in code:
        if reads_lds(instr.row):
            return True
        if Trait.SIGNAL in instr.row.traits or not filling.isdisjoint(waited(instr)):
            return False
    return None
