"""Races: accesses of different waves to one word, of which one writes and neither is known to the wave of the other.

Who knows of what is `isa.emulator.order`; who accessed a word last is `isa.emulator.shadow`. A plain access that may be an
atomic one in the source is given the benefit of the doubt where a loop waits by it, see `isa.emulator.scopes`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isa.emulator.access import Place
from isa.emulator.code import Code
from isa.emulator.order import LDS, LDS_READS, MEMORY, MEMORY_READS, NOTHING_PENDING, SEEN, Order, Pending, Release
from isa.emulator.scopes import Kind, cache_effect, kinds_of, says_what_is_atomic
from isa.emulator.shadow import Lanes, Shadow, Words, group_lane
from isa.emulator.waves import Waves
from isa.instruction import Instr, Trait, Unit
from isa.semantics import resolve
from isa.semantics.memory import Atomic, DataOrder

Positions = NDArray[np.intp]
_MOST_FLAGS = 256
_OF_CHUNK = ("_w", "_first", "order", "_lds", "_all_lanes", "pending", "_doubtful", "_doubtful_stores")
_FEW = 4  # words of one access that may be flags


class Conflict(NamedTuple):
    """An access, and an earlier one that nothing orders before it: operations, lanes of the launch, and the word."""

    lds: bool
    operation: int
    lane: int
    earlier: int
    earlier_lane: int
    byte: int
    time: int
    reads: bool  # the later access
    read: bool  # the earlier one
    same_wave: bool = False  # lanes of one wave at once
    when: int = 0  # the time of the later access


Report = Callable[[Conflict], None]


class Races:
    """Of one launch. `Report` raises."""

    def __init__(self, code: Code, lanes: int, invalidates: bool, report: Report) -> None:
        self._operations = code.operations
        self._kinds: list[Kind] = kinds_of(code)
        self._lanes = lanes
        self._report = report
        rows = [instr.row for instr in code.instructions]
        caches = [instr for instr in code.instructions if Trait.CACHE in instr.row.traits]
        self._invalidates = invalidates
        self._syncs = any(k.waits or k.scoped for k in self._kinds) or any(cache_effect(instr).invalidates for instr in caches)
        self._swaps = any(
            isinstance(meaning := resolve(row.semantics), Atomic) and meaning.order is not DataOrder.SINGLE
            for row in rows if Trait.ATOMIC in row.traits
        )  # fmt: skip
        self._times: list[int] = [0]  # the operation of each time
        self._releases: dict[int, list[Release]] = {}
        self._global: Shadow | None = None
        self.pending: dict[int, Pending] = {}
        self._doubtful: dict[tuple[bool, int, int], Conflict] = {}
        self._scoped_stores = says_what_is_atomic(code)
        self._flags: set[tuple[bool, int]] = set()  # words that atomic loads, or loops that wait, have read
        self._doubtful_stores: dict[tuple[bool, int], Conflict] = {}

    def begin(self, w: Waves, first: int, total: int, writes_back: bool) -> None:
        """A new chunk of waves, the first of which is number `first` of `total` in the launch."""
        self._w = w
        self._first = first
        group = w.per_group * w.lanes
        self.order = Order(w.count, w.per_group, first, total, self._invalidates, writes_back)
        self._alone = total == 1
        self._one_group = total == w.per_group
        self._lds = Shadow(w.lds.size, w.lanes, group, self._knows_lds)
        self._global = self._global or Shadow(len(w.memory.arena), w.lanes, group, self._knows_memory)
        self._all_lanes = np.arange(first * w.lanes, (first + w.count) * w.lanes, dtype=np.int32)
        self._doubtful, self._doubtful_stores = {}, {}

    def suspend(self) -> dict[str, Any]:
        """What belongs to the chunk at hand: another one runs next."""
        return {name: getattr(self, name) for name in _OF_CHUNK}

    def resume(self, kept: dict[str, Any]) -> None:
        """Go on with a chunk that gave way to others."""
        for name, value in kept.items():
            setattr(self, name, value)

    def _knows_lds(self, waves: Lanes, others: Lanes, times: Lanes) -> NDArray[np.bool_]:
        return self.order.knows(LDS_READS, waves.astype(np.intp), others.astype(np.intp), times)

    def _knows_memory(self, waves: Lanes, others: Lanes, times: Lanes) -> NDArray[np.bool_]:
        return self.order.knows(MEMORY_READS, waves.astype(np.intp), others.astype(np.intp), times)

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

    def _lanes_of(self, place: Place) -> Lanes:
        w = self._w
        if w.width == w.count:
            return self._all_lanes if place.lanes is None else self._all_lanes[place.lanes]
        whole = (((w.indexes + self._first) * w.lanes)[:, None] + np.arange(w.lanes)).reshape(-1).astype(np.int32)
        return whole if place.lanes is None else whole[place.lanes]

    def load(self, place: Place, size: int, lds: bool, index: int, lanes: Lanes | None = None) -> None:
        time = self._tick(index)
        if lanes is None:
            self._issue(index, lds, False, time)
        if (self._alone and not lds) or (lds and self._w.per_group == 1 and not self._kinds_copy()):
            return
        shadow = self._shadow(lds)
        words = shadow.words(place.indexes, size, self._lanes_of(place) if lanes is None else lanes)
        kind = self._kinds[index]
        self._check_copies(shadow, words, index, lds)
        bad = self._unordered_writes(shadow, words, LDS if lds else MEMORY if kind.scoped else SEEN, lds)
        if kind.scoped or kind.waits:
            self._note_flags(words, lds)
            self._acquire(shadow, words, lds)
        elif bad.size:
            self._judge_load(shadow, words, bad, lds, index)
        shadow.note_read(words, time, self.order.floors[LDS_READS] if lds else 0)

    def load_scalar(self, indexes: NDArray[np.int64], size: int, index: int) -> None:
        """A scalar load, one address a wave of the group, of whole words."""
        lanes = ((self._w.indexes + self._first) * self._w.lanes).astype(np.int32)
        place = Place(self._w.memory.arena, indexes & ~np.int64(3), None)
        self.load(place, max(4, size), False, index, lanes)

    def _kinds_copy(self) -> bool:
        return any(kind.copies for kind in self._kinds)

    def store(self, place: Place, size: int, lds: bool, index: int, values: NDArray[np.uint32] | None) -> None:
        time = self._tick(index)
        self._issue(index, lds, True, time)
        if self._alone and not lds:
            return
        shadow = self._shadow(lds)
        words = shadow.words(place.indexes, size, self._lanes_of(place))
        bytes_ = None if values is None else _by_word(values, size, shadow.unit)
        bad = self._unordered_writes(shadow, words, LDS if lds else MEMORY, lds)
        if bad.size:
            self._judge_store(shadow, words, bad, lds, index, place, bytes_)
        self._judge_reads(shadow, words, lds, index)
        shadow.note_write(words, time)
        self._collisions(shadow, words, lds, index, time, bytes_)
        self._release(index, time)

    def update(self, place: Place, size: int, lds: bool, index: int) -> None:
        time = self._tick(index)
        self._issue(index, lds, True, time)
        if self._alone and not lds:
            return
        shadow = self._shadow(lds)
        words = shadow.words(place.indexes, size, self._lanes_of(place))
        kind = self._kinds[index]
        self._settle(words, lds)
        bad = self._unordered_writes(shadow, words, LDS if lds else MEMORY, lds)
        for position in bad if not kind.waits else ():
            conflict = self._conflict(shadow, words, int(position), lds, index, reads=False)
            earlier = self._kinds[conflict.earlier]
            if not (earlier.atomic or earlier.scoped):
                self._report(conflict)
        if not self._swaps and not kind.waits:
            self._judge_reads(shadow, words, lds, index)
        if self._syncs:
            self._chain(shadow, words, index, time)
        shadow.note_write(words, time)

    def _shadow(self, lds: bool) -> Shadow:
        shadow = self._lds if lds else self._global
        assert shadow is not None
        return shadow

    def _unordered_writes(self, shadow: Shadow, words: Words, table: int, lds: bool) -> Positions:
        """The words that another wave wrote without this one knowing."""
        times = shadow.write_time.take(words.at)
        late = np.flatnonzero(times > (self.order.floors[table] if lds or self._one_group else 0))
        if not late.size:
            return late
        mine, owners = words.lanes[late] // self._lanes, shadow.write_lane.take(words.at[late]) // self._lanes
        other = mine != owners
        late, mine, owners = late[other], mine[other], owners[other]
        if not late.size:
            return late
        return late[~self.order.knows(table, mine.astype(np.intp), owners.astype(np.intp), times[late])]

    def _judge_reads(self, shadow: Shadow, words: Words, lds: bool, index: int) -> None:
        """Words that another wave read, without this one, which writes them, knowing."""
        floor = self.order.floors[LDS_READS] if lds else 0
        shadow.enter_reads(floor, int(words.at.min()), int(words.at.max()))
        if not shadow.has_reads():
            return
        all_times, all_lanes = shadow.readers()
        times = all_times.take(words.at)
        late = np.flatnonzero(times > floor)
        if not late.size:
            return
        readers = all_lanes.take(words.at[late])
        mine = words.lanes[late] // self._lanes
        several = readers < 0
        readers = np.where(several, group_lane(readers), readers)
        other = several | (readers // self._lanes != mine)
        table = LDS_READS if lds else MEMORY_READS
        for i in np.flatnonzero(other):
            wave, reader, time = int(mine[i]), int(readers[i]), int(times[late[i]])
            kind = self._kinds[self._times[time]]
            if kind.scoped or kind.waits or self._knows_readers(table, wave, reader, time, bool(several[i])):
                continue
            byte = self._byte(shadow, int(words.at[late[i]]), lds)
            lane = int(words.lanes[late[i]])
            conflict = Conflict(lds, index, lane, self._times[time], reader, byte, time, False, True)
            self._dispute(conflict, int(words.at[late[i]]), int(other.sum()))

    def _knows_readers(self, table: int, wave: int, reader: int, time: int, several: bool) -> bool:
        order = self.order
        if reader < 0:  # waves of several workgroups, which only other knowledge than a barrier's orders
            return wave - self._first in order.foreign
        owner = reader // self._lanes
        base = owner - owner % order.per_group
        owners = range(base, base + order.per_group) if several else range(owner, owner + 1)
        one = np.array([wave], np.intp)
        at = np.array([time], np.int32)
        return all(other == wave or bool(order.knows(table, one, np.array([other], np.intp), at)[0]) for other in owners)

    def _conflict(self, shadow: Shadow, words: Words, position: int, lds: bool, index: int, *, reads: bool) -> Conflict:
        at = int(words.at[position])
        time, lane = int(shadow.write_time[at]), int(shadow.write_lane[at])
        mine = int(words.lanes[position])
        byte = self._byte(shadow, at, lds)
        return Conflict(lds, index, mine, self._times[time], lane, byte, time, reads, False, when=self.now())

    def _byte(self, shadow: Shadow, at: int, lds: bool) -> int:
        byte = at * shadow.unit
        return byte % self._w.lds_bytes if lds else byte

    def _judge_load(self, shadow: Shadow, words: Words, bad: Positions, lds: bool, index: int) -> None:
        """Loads of what another wave wrote: races, unless they turn out to be a loop's that waits, or the first of an exchange."""
        for position in bad[: _FEW * self._w.width]:
            conflict = self._conflict(shadow, words, int(position), lds, index, reads=True)
            wave = conflict.lane // self._lanes
            key = (lds, int(words.at[position]), wave)
            before = self._doubtful.get(key)
            if before is not None and before.operation == index and before.when != self.now():
                self._kinds[index] = self._kinds[index]._replace(waits=True)
                self._syncs = True
                self._doubtful = {k: v for k, v in self._doubtful.items() if v.operation != index}
                self._acquire(shadow, words, lds)
                return
            self._doubtful.setdefault(key, conflict)
        few = len(np.unique(words.at[bad])) <= _FEW * max(1, self._w.width // self._w.per_group)
        if not few:
            self._report(self._conflict(shadow, words, int(bad[0]), lds, index, reads=True))

    def _note_flags(self, words: Words, lds: bool) -> None:
        """Words that are read as flags are: what stores to them may be atomic too, where code does not say."""
        if lds or not self._scoped_stores:
            flags = {(lds, at) for at in np.unique(words.at)[:_MOST_FLAGS].tolist()}
            self._flags |= flags
            for flag in flags & self._doubtful_stores.keys():
                del self._doubtful_stores[flag]

    def _settle(self, words: Words, lds: bool) -> None:
        """A wave that read a word in doubt exchanges it now: its read was the first half of that."""
        if not self._doubtful:
            return
        done = {(lds, int(at), int(lane) // self._lanes) for at, lane in zip(words.at, words.lanes, strict=True)}
        self._doubtful = {key: conflict for key, conflict in self._doubtful.items() if key not in done}

    def settle_all(self) -> None:
        """Nothing excuses the loads in doubt any more: at a barrier of their workgroup, at the end."""
        for conflict in self._doubtful.values():
            self._report(conflict)
        for conflict in self._doubtful_stores.values():
            self._report(conflict)
        self._doubtful, self._doubtful_stores = {}, {}

    def settle_lds(self) -> None:
        """As `settle_all`, of LDS."""
        for conflicts in (self._doubtful, self._doubtful_stores):
            for conflict in conflicts.values():
                if conflict.lds or conflict.reads:
                    self._report(conflict)

    def _judge_store(
        self, shadow: Shadow, words: Words, bad: Positions, lds: bool, index: int, place: Place, values: NDArray[Any] | None,
    ) -> None:  # fmt: skip
        mine = self._kinds[index]
        for position in bad:
            conflict = self._conflict(shadow, words, int(position), lds, index, reads=False)
            earlier = self._kinds[conflict.earlier]
            if earlier.waits or (mine.scoped and (earlier.scoped or earlier.atomic)):
                continue
            if values is not None and _unchanged(place, words, int(position), shadow.unit, values):
                continue
            self._dispute(conflict, int(words.at[position]), len(bad))

    def _dispute(self, conflict: Conflict, at: int, count: int) -> None:
        """A race of a store, one of `count`; unless the word is a flag, which may turn out later."""
        flag = conflict.lds, at
        if conflict.same_wave or (not conflict.lds and self._scoped_stores) or count > _FEW * self._w.width:
            self._report(conflict)
        elif flag not in self._flags:
            self._doubtful_stores.setdefault(flag, conflict)

    def _collisions(
        self, shadow: Shadow, words: Words, lds: bool, index: int, time: int, values: NDArray[Any] | None,
    ) -> None:  # fmt: skip
        """Lanes that store to one word at once: of different waves, or of one with different values in LDS."""
        winners = shadow.write_lane.take(words.at)
        clash = np.flatnonzero(winners != words.lanes)
        if not clash.size or self._kinds[index].scoped:
            return
        last = dict(zip(words.at.tolist(), range(len(words.at)), strict=True))
        for position in clash:
            mine, other = int(words.lanes[position]), int(winners[position])
            winner = last[int(words.at[position])]
            same_wave = mine // self._lanes == other // self._lanes
            equal = values is not None and values[position] == values[winner]
            if equal or (same_wave and (not lds or values is None)):
                continue
            byte = self._byte(shadow, int(words.at[position]), lds)
            conflict = Conflict(lds, index, mine, index, other, byte, time, False, False, same_wave)
            self._dispute(conflict, int(words.at[position]), len(clash))

    def _check_copies(self, shadow: Shadow, words: Words, index: int, lds: bool) -> None:
        """Words of LDS that this wave copies from memory, and that are read before the wait for it."""
        pending = self.pending.get(index)
        if not lds or pending is None or not pending.copies:
            return
        waves = words.lanes // self._lanes - self._first
        done = self.order.copied(np.arange(self._w.count), pending.copies, self.now())
        times, owners = shadow.write_time.take(words.at), shadow.write_lane.take(words.at) // self._lanes - self._first
        early = np.flatnonzero((owners == waves) & (times > done[waves]))
        for position in early:
            conflict = self._conflict(shadow, words, int(position), lds, index, reads=True)
            if self._kinds[conflict.earlier].copies:
                self._report(conflict)

    def _release(self, index: int, time: int) -> None:
        if self._syncs:
            pending = self.pending.get(index, NOTHING_PENDING)
            self._releases[time] = [self.order.release(self._w.indexes, pending, time)]

    def _acquire(self, shadow: Shadow, words: Words, lds: bool) -> None:
        """Waves take over what the waves had to hand on that last wrote these words."""
        times = shadow.write_time.take(words.at)
        owners = shadow.write_lane.take(words.at) // self._lanes
        readers = words.lanes // self._lanes
        found = np.flatnonzero((times > 0) & (owners != readers))
        for reader, owner, time in sorted({(int(readers[i]), int(owners[i]), int(times[i])) for i in found}):
            self._take(reader, owner, time)

    def _take(self, reader: int, owner: int, time: int) -> None:
        for release in self._releases.get(time, ()):
            self.order.acquire(reader - self._first, owner, release)

    def _chain(self, shadow: Shadow, words: Words, index: int, time: int) -> None:
        """Waves that update a word one after the other each take over from the one before, and hand on."""
        pending = self.pending.get(index, NOTHING_PENDING)
        releases = self._releases.setdefault(time, [])
        before: dict[int, tuple[int, int]] = {}
        released: set[int] = set()
        order = np.argsort(words.lanes, kind="stable")
        waves = words.lanes[order] // self._lanes
        starts = np.flatnonzero(np.append(True, waves[1:] != waves[:-1]))
        for start, end in zip(starts, [*starts[1:], len(waves)], strict=True):
            wave = int(waves[start])
            mine = set(words.at[order[start:end]].tolist())
            taken = {before.get(at) or (int(shadow.write_lane[at]) // self._lanes, int(shadow.write_time[at])) for at in mine}
            for owner, when in sorted(taken):
                if when and owner != wave:
                    self._take(wave, owner, when)
            if wave not in released:
                releases.append(self.order.release(np.array([wave - self._first]), pending, time))
                released.add(wave)
            before.update(dict.fromkeys(mine, (wave, time)))

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
    """What lanes store, a word of the shadow at a time."""
    if unit == 4:
        return values.reshape(-1)
    return np.ascontiguousarray(values).view(np.uint8).reshape(len(values), -1)[:, :size].reshape(-1)


def _unchanged(place: Place, words: Words, position: int, unit: int, values: NDArray[Any]) -> bool:
    """Whether a word holds already what is stored to it."""
    at = int(words.at[position]) * unit
    return place.store[at : at + unit].tobytes() == values[position].tobytes()
