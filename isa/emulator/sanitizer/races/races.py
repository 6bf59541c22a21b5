"""Races: unordered accesses of different waves to the same word, at least one of them a write.

| module | its part |
|---|---|
| `order` | the accesses that each wave knows |
| `shadow` | the last accesses to a word |
| `unordered` | the accesses that a wave does not know |
| `judge` | the verdict on them |
| `flags` | plain accesses that may be atomic in the source get the benefit of the doubt |
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.emulator.program.code import Code
from isa.emulator.program.scopes import MemoryKind, cache_effect
from isa.emulator.program.sharing import sharing_of
from isa.emulator.sanitizer.races.conflicts import Conflict, Report
from isa.emulator.sanitizer.races.flags import Doubts, Flags
from isa.emulator.sanitizer.races.judge import Judge
from isa.emulator.sanitizer.races.order import (
    COPIES,
    LDS,
    LDS_READS,
    MEMORY,
    NOTHING_PENDING,
    SEEN,
    Order,
    Pending,
)
from isa.emulator.sanitizer.races.releases import Releases
from isa.emulator.sanitizer.races.shadow import Lanes, Shadow, Words
from isa.emulator.sanitizer.races.unordered import Positions, Unordered
from isa.emulator.state.footprint import Footprint
from isa.emulator.state.waves import Waves
from isa.instruction import Instr, Unit

_OF_CHUNK = ("_w", "_first", "order", "_lds", "_all_lanes", "pending", "_unordered", "_judge")


class Races:
    """The races of a launch. `Report` raises, unless the run goes on."""

    def __init__(self, code: Code, lanes: int, invalidates: bool, report: Report) -> None:
        self._operations = code.operations
        sharing = sharing_of(code)
        self._kinds: list[MemoryKind] = list(sharing.kinds)
        self._lanes = lanes
        self._found: Counter[int] = Counter()  # conflicts of each operation that were reported
        self._tell = report
        self._invalidates = invalidates
        self._copies = any(kind.copies for kind in self._kinds)
        self._atomics = any(kind.atomic for kind in self._kinds)
        self._syncs = sharing.synchronises
        self._swaps = sharing.swaps
        self._times: list[int] = [0]  # the operation of each time
        self._global: Shadow | None = None
        self._releases = Releases(lanes)
        self.flags = Flags(sharing, self._report)
        self.pending: dict[int, Pending] = {}

    def begin(self, w: Waves, first: int, total: int, writes_back: bool) -> None:
        """A new chunk of waves, the first of which is number `first` of `total` in the launch."""
        self._w = w
        self._first = first
        group = w.per_group * w.lanes
        self.order = Order(w.count, w.per_group, first, total, self._invalidates, writes_back)
        self._releases.begin(self.order)
        self._alone = total == 1
        self._unordered = Unordered(self.order, self._lanes, total == w.per_group)
        self._judge = Judge(
            self._kinds, self._times, self._swaps, self.flags, self._report, self._found,
            w, first, self.order, self._unordered,
        )  # fmt: skip
        self._lds = Shadow(w.lds.size, w.lanes, group, self.order.knows_lds_reads)
        self._global = self._global or Shadow(len(w.memory.arena), w.lanes, group, self._knows_memory)
        self._all_lanes = np.arange(first * w.lanes, (first + w.count) * w.lanes, dtype=np.int32)
        self.flags.begin()

    def _report(self, conflict: Conflict) -> None:
        self._found[conflict.operation] += 1
        self._tell(conflict)

    def suspend(self) -> tuple[dict[str, Any], Doubts]:
        """The state of the current chunk, before another chunk runs."""
        return {name: getattr(self, name) for name in _OF_CHUNK}, self.flags.doubts

    def resume(self, kept: tuple[dict[str, Any], Doubts]) -> None:
        """Go on with a chunk that gave way to others."""
        own, doubts = kept
        for name, value in own.items():
            setattr(self, name, value)
        self._releases.begin(self.order)
        self.flags.resume(doubts)

    def _knows_memory(self, waves: Lanes, others: Lanes, times: Lanes) -> NDArray[np.bool_]:
        """Of the chunk that runs; the shadow of global memory outlives it."""
        return self.order.knows_memory_reads(waves, others, times)

    def is_copy(self, operation: int) -> bool:
        """Whether an operation copies from memory to LDS."""
        return self._kinds[operation].copies

    def now(self) -> int:
        return len(self._times) - 1

    def _tick(self, index: int) -> int:
        self._times.append(index)
        return len(self._times) - 1

    def _issue(self, index: int, lds: bool, writes: bool, time: int) -> None:
        operation = self._operations[index]
        if self._kinds[index].copies:
            if lds:
                self.order.issue(4, self._w.indexes, time)
            return
        both = isinstance(operation, Instr) and operation.row.unit is Unit.FLAT
        if lds or both:
            self.order.issue(0 if writes else 1, self._w.indexes, time)
        if not lds or both:
            self.order.issue(2 if writes else 3, self._w.indexes, time)

    def elsewhere(self, index: int, writes: bool) -> None:
        """An access to scratch, or of no lane, which counts all the same."""
        self._issue(index, False, writes, self._tick(index))

    def _lanes_of(self, place: Footprint) -> Lanes:
        w = self._w
        if w.width == w.count:
            return self._all_lanes if place.lanes is None else self._all_lanes[place.lanes]
        whole = (
            (((w.indexes + self._first) * w.lanes)[:, None] + np.arange(w.lanes)).reshape(-1).astype(np.int32)
        )
        return whole if place.lanes is None else whole[place.lanes]

    def _words(self, place: Footprint, size: int, lds: bool) -> tuple[Shadow, Words]:
        shadow = self._shadow(lds)
        return shadow, shadow.words(place.indexes, size, self._lanes_of(place))

    def _shadow(self, lds: bool) -> Shadow:
        shadow = self._lds if lds else self._global
        assert shadow is not None
        return shadow

    def load(self, place: Footprint, size: int, lds: bool, index: int, lanes: Lanes | None = None) -> None:
        time = self._tick(index)
        if lanes is None:
            self._issue(index, lds, False, time)
        if (self._alone and not lds) or (lds and self._w.per_group == 1 and not self._copies):
            return
        shadow = self._shadow(lds)
        words = shadow.words(place.indexes, size, self._lanes_of(place) if lanes is None else lanes)
        kind = self._kinds[index]
        under_way = self.pending.get(index, NOTHING_PENDING).copies
        if lds and under_way:
            self._judge.copies(shadow, words, index, under_way)
        scoped = self._judge.is_scoped(index, lds, len(words.at))
        bad = self._unordered_writes(shadow, words, lds, MEMORY if scoped else SEEN)
        if scoped or kind.waits:
            self.flags.note(words, lds, index)
            self._releases.acquire(shadow, words)
        elif bad.size and self._judge.load(shadow, words, bad, lds, index):
            self._kinds[index] = kind._replace(waits=True)
            self._syncs = True
            self._releases.acquire(shadow, words)
        shadow.note_read(words, time, self.order.floors[LDS_READS] if lds else 0)

    def load_scalar(self, indexes: NDArray[np.int64], size: int, index: int) -> None:
        """A scalar load of whole words, with an address for each wave of the group."""
        lanes = ((self._w.indexes + self._first) * self._w.lanes).astype(np.int32)
        place = Footprint(self._w.memory.arena, indexes & ~np.int64(3), None)
        self.load(place, max(4, size), False, index, lanes)

    def store(
        self, place: Footprint, size: int, lds: bool, index: int, values: NDArray[np.uint32] | None
    ) -> None:
        time = self._tick(index)
        if lds or not self._alone:
            self._watch_store(place, size, lds, index, values, time)
        self._issue(index, lds, True, time)  # last: the outstanding events of a release do not include itself

    def _watch_store(
        self, place: Footprint, size: int, lds: bool, index: int, values: NDArray[np.uint32] | None,
        time: int,
    ) -> None:  # fmt: skip
        shadow, words = self._words(place, size, lds)
        bytes_ = None if values is None else _by_word(values, size, shadow.unit)
        if self._atomics and self.flags.may_be_unsaid(lds) and not self._judge.are_many(len(words.at)):
            self._note_own_flags(shadow, words, lds)
        bad = self._unordered_writes(shadow, words, lds, MEMORY)
        if bad.size:
            self._judge.store(shadow, words, bad, lds, index, place, bytes_)
        self._judge.reads(shadow, words, lds, index)
        shadow.note_write(words, time)
        self._judge.collisions(shadow, words, lds, index, time, bytes_)
        if self._syncs:
            self._releases.note(self._w.indexes, self._overtaken(index), time)

    def update(self, place: Footprint, size: int, lds: bool, index: int) -> None:
        time = self._tick(index)
        if lds or not self._alone:
            self._watch_update(place, size, lds, index, time)
        self._issue(index, lds, True, time)

    def _watch_update(self, place: Footprint, size: int, lds: bool, index: int, time: int) -> None:
        shadow, words = self._words(place, size, lds)
        kind = self._kinds[index]
        self.flags.exchanged(words, lds, self._lanes)
        bad = self._unordered_writes(shadow, words, lds, MEMORY)
        if bad.size and not kind.waits:
            self._judge.update(shadow, words, bad, lds, index)
        if not self._swaps and not kind.waits:
            self._judge.reads(shadow, words, lds, index)
        if self._syncs:
            self._releases.chain(shadow, words, self._overtaken(index), time)
        shadow.note_write(words, time)

    def _unordered_writes(self, shadow: Shadow, words: Words, lds: bool, table: int) -> Positions:
        """The positions among the words that another wave wrote without an order, by `table` in global
        memory. In LDS a store may be known while an earlier copy is under way."""
        if not lds:
            return self._unordered.writes(shadow, words, table, lds)
        stored = self._unordered.writes(shadow, words, LDS, lds)
        if not self._copies:
            return stored
        copied = self._unordered.writes(shadow, words, COPIES, lds)
        of_copies = self._are_copied(shadow, words, copied)
        return np.sort(np.concatenate((stored[~self._are_copied(shadow, words, stored)], copied[of_copies])))

    def _are_copied(self, shadow: Shadow, words: Words, positions: Positions) -> NDArray[np.bool_]:
        """Whether a copy from memory wrote the words at these positions last."""
        times, which = np.unique(shadow.write_time.take(words.at[positions]), return_inverse=True)
        return np.array([self._kinds[self._times[int(time)]].copies for time in times], np.bool_)[which]

    def _overtaken(self, index: int) -> Pending:
        """The outstanding accesses that may complete after the current store or atomic."""
        pending = self.pending.get(index, NOTHING_PENDING)
        operation = self._operations[index]
        if isinstance(operation, Instr) and operation.row.unit is Unit.LDS:
            return pending.before_lds_access()
        return pending

    def _note_own_flags(self, shadow: Shadow, words: Words, lds: bool) -> None:
        """Words that the wave that stores to them has itself changed last, by an atomic."""
        owners = shadow.write_lane.take(words.at) // self._lanes
        times = shadow.write_time.take(words.at)
        own = np.flatnonzero((owners == words.lanes // self._lanes) & (times > 0))
        flags = {(lds, int(words.at[i])) for i in own if self._kinds[self._times[int(times[i])]].atomic}
        if flags:
            self.flags.add(flags)

    def cached(self, index: int) -> None:
        """A cache operation of the current group."""
        instr = self._operations[index]
        assert isinstance(instr, Instr)
        effect = cache_effect(instr)
        time = self._tick(index)
        waves = self._w.indexes
        for event in instr.row.events:
            if event.value in ("vmem_store", "vmem_load"):
                self.order.issue(2 if event.value == "vmem_store" else 3, waves, time)
        if effect.writes_back:
            self.order.write_back(waves, time)
        paired = effect.outer or effect.inner
        outer = effect.outer if paired else effect.invalidates == 2
        inner = effect.inner if paired else effect.invalidates >= 1
        self.order.invalidate(waves, outer, inner)


def _by_word(values: NDArray[np.uint32], size: int, unit: int) -> NDArray[Any]:
    """The stored values of lanes, a word of the shadow at a time."""
    if unit == 4:
        return values.reshape(-1)
    return np.ascontiguousarray(values).view(np.uint8).reshape(len(values), -1)[:, :size].reshape(-1)
