"""Happens-before: the time up to which each wave knows the accesses of each other wave.

Times count the accesses of a launch, so a number for each pair of waves is a vector clock's entry (Flanagan
and Freund, FastTrack, 2009). A wave passes on its knowledge, and its own accesses that it has waited for, at
barriers and by flags that another wave reads after it wrote them. A wave's loads see the stores that it knows
only after its caches are invalidated.
"""

from __future__ import annotations

from functools import reduce

import numpy as np
from numpy.typing import NDArray

from isa.emulator.sanitizer.races.clocks import Clock, Times, empty, joined, noted, time_of
from isa.named_tuple import NamedTuple

_RING = 64  # a counter counts at most so many
_KINDS = 5  # of accesses that have times: those of `Pending` before `flat`


class Pending(NamedTuple):
    """How many accesses of each kind are under way: stores to LDS and loads from it, stores to memory, loads,
    and copies to LDS. `flat` are those of LDS by flat addresses, which are counted as stores or loads too."""

    lds_stores: int = 0
    lds_loads: int = 0
    stores: int = 0
    loads: int = 0
    copies: int = 0
    flat: int = 0

    def before_lds_access(self) -> Pending:
        """The accesses that an LDS access may overtake. LDS serves the accesses of a wave in order, except
        for flat accesses, which take another path."""
        return self if self.flat else self._replace(lds_stores=0, lds_loads=0)


NOTHING_PENDING = Pending()


class Known(NamedTuple):
    """Of each wave of a chunk (first axis) the time up to which it knows of the accesses of each wave of its
    workgroup.

    `lds`, `lds_reads` and `copies` are of LDS: stores, loads, and copies from memory, which stores overtake.
    `memory` and `memory_reads` are of global memory; `seen` is of stores to global memory that its loads see.
    """

    lds: Times
    lds_reads: Times
    memory: Times
    memory_reads: Times
    copies: Times
    seen: Times


class Complete(NamedTuple):
    """Of some waves the times up to which their own accesses are done.

    The fields are those of `Known` but the last. They are also the kinds of `Pending`, in the same order.
    """

    lds: Times
    lds_reads: Times
    memory: Times
    memory_reads: Times
    copies: Times


class Release(NamedTuple):
    """The knowledge that waves pass on by a write: the waves, their workgroups' rows of known times, and the
    part that the device sees."""

    waves: NDArray[np.intp]
    known: Complete
    device: Times
    foreign: dict[int, Clock]


class Order:
    """The knowledge of the waves of a chunk. `first` is the number of its first wave in the launch, which has
    `total` waves."""

    def __init__(
        self, count: int, per_group: int, first: int, total: int, invalidates: bool, writes_back: bool
    ) -> None:
        """`invalidates`: a workgroup's waves have caches of their own. `writes_back`: and the device sees
        stores only once written back."""
        self.count, self.per_group, self.first = count, per_group, first
        self._groups = total // per_group
        self._invalidates, self._writes_back = invalidates, writes_back
        self.known = Known(*(np.zeros((count, per_group), np.int32) for _ in Known._fields))
        self.foreign: dict[int, Clock] = {}  # by wave: the known time of each wave of the launch,
        self._outer: dict[int, Clock] = {}  # the part that outer cache invalidations cover,
        self.foreign_seen: dict[int, Clock] = {}  # and its own, so that loads see it
        self.barrier_time = np.zeros(count, np.int32)
        self._written_back = np.zeros(count, np.int32)
        self._rings = np.zeros((_KINDS, _RING, count), np.int32)
        self._issued = np.zeros((_KINDS, count), np.int64)
        self._arrived: dict[int, tuple[int, ...]] = {}
        self.floors = [0] * len(Known._fields)  # the least entry of each table

    def issue(self, kind: int, waves: NDArray[np.intp], time: int) -> None:
        """Accesses of a field of `Pending` went out."""
        number = self._issued[kind, waves]
        self._rings[kind, number & (_RING - 1), waves] = time
        self._issued[kind, waves] = number + 1

    def _done(self, kind: int, waves: NDArray[np.intp], under_way: int, now: int) -> Times:
        """The times up to which these waves' accesses of a kind are done."""
        if not under_way:
            return np.full(len(waves), now, np.int32)
        oldest = self._issued[kind, waves] - under_way
        times = self._rings[kind, oldest & (_RING - 1), waves] - 1
        return np.where(oldest >= 0, times, 0).astype(np.int32)

    def _last_issue(self, kind: int, wave: int) -> int:
        """The time of a wave's last access of a kind."""
        return int(self._rings[kind, (self._issued[kind, wave] - 1) & (_RING - 1), wave])

    def copied(self, waves: NDArray[np.intp], under_way: int, now: int) -> Times:
        """The times up to which what these waves copy to LDS is there."""
        return self._done(4, waves, under_way, now)

    def complete(self, waves: NDArray[np.intp], pending: Pending, now: int) -> Complete:
        return Complete(*(self._done(kind, waves, pending[kind], now) for kind in range(_KINDS)))

    def arrive(self, waves: NDArray[np.intp], done: Complete) -> None:
        """These waves say at a split barrier that they have come."""
        for i, wave in enumerate(waves):
            self._arrived[int(wave)] = tuple(int(times[i]) for times in done)

    def barrier(self, groups: NDArray[np.intp], done: Complete, now: int) -> None:
        """Workgroups pass a barrier; `done` is of all of their waves, in order."""
        per_group = self.per_group
        members = (groups[:, None] * per_group + np.arange(per_group)).reshape(-1)
        own = [times.copy() for times in done]
        if not self._invalidates:  # a shared cache keeps the order of a workgroup's accesses without a wait
            own[MEMORY] = own[MEMORY_READS] = np.full(len(members), now, np.int32)
        if self._arrived:
            for i, wave in enumerate(members):
                for kind, arrived in enumerate(self._arrived.pop(int(wave), ())):
                    if self._last_issue(kind, int(wave)) > arrived:
                        own[kind][i] = min(arrived, int(own[kind][i]))
        for table, times in zip(self.known, own, strict=False):
            rows = table[members].reshape(len(groups), per_group, per_group).max(axis=1)
            rows = np.maximum(rows, times.reshape(len(groups), per_group))
            table[members] = np.repeat(rows, per_group, axis=0)
        if not self._invalidates:
            self.known.seen[members] = self.known.memory[members]
        self.barrier_time[members] = now
        if self.foreign:
            self._join_groups(groups)
        self._refresh()

    def _join_groups(self, groups: NDArray[np.intp]) -> None:
        """After a barrier, all waves of a workgroup share their knowledge of other workgroups, and waves on
        the same unit see the same accesses."""
        tables = (
            [self.foreign, self._outer]
            if self._invalidates
            else [self.foreign, self._outer, self.foreign_seen]
        )
        for group in groups:
            waves = range(int(group) * self.per_group, (int(group) + 1) * self.per_group)
            for table in tables:
                rows = [table[wave] for wave in waves if wave in table]
                if rows:
                    table |= dict.fromkeys(waves, reduce(joined, rows))

    def _refresh(self) -> None:
        self.floors = [int(table.min()) for table in self.known]

    def invalidate(self, waves: NDArray[np.intp], outer: bool, inner: bool) -> None:
        """Invalidate caches: `outer` between workgroups, `inner` of these waves' own units."""
        if outer:
            self._outer.update(
                {int(wave): self.foreign[int(wave)] for wave in waves if int(wave) in self.foreign}
            )
        if inner:
            self.known.seen[waves] = np.maximum(self.known.seen[waves], self.known.memory[waves])
            self.foreign_seen.update(
                {int(wave): self._outer[int(wave)] for wave in waves if int(wave) in self._outer}
            )
            self._refresh()

    def write_back(self, waves: NDArray[np.intp], now: int) -> None:
        self._written_back[waves] = now

    def release(self, waves: NDArray[np.intp], pending: Pending, now: int) -> Release:
        """The knowledge that these waves pass on to readers of their current write."""
        done = self.complete(waves, pending, now)
        rows = Complete(*(table[waves].copy() for table in self.known[:_KINDS]))
        mine = np.arange(len(waves)), waves % self.per_group
        for table, times in zip(rows, done, strict=True):
            table[mine] = times
        device = rows.memory.copy()
        if not self._invalidates:
            rows.memory[mine] = rows.memory_reads[mine] = now
        if self._writes_back:
            back = np.where(self._written_back[waves] <= done.memory, self._written_back[waves], 0)
            members = (waves - waves % self.per_group)[:, None] + np.arange(self.per_group)
            device = np.minimum(device, np.maximum(back[:, None], self._written_back[members]))
        foreign = {
            int(wave) + self.first: self.foreign[int(wave)] for wave in waves if int(wave) in self.foreign
        }
        return Release(waves + self.first, rows, device, foreign)

    def acquire(self, reader: int, writer: int, release: Release) -> None:
        """Wave `reader` of the chunk read what wave `writer` of the launch released."""
        rows = np.flatnonzero(release.waves == writer)
        if not len(rows):
            return
        row = int(rows[0])
        self._join(reader, release.foreign.get(writer))
        if writer // self.per_group == (reader + self.first) // self.per_group:
            for table, times in zip(self.known, release.known, strict=False):
                np.maximum(table[reader], times[row], out=table[reader])
            if not self._invalidates:
                self.known.seen[reader] = self.known.memory[reader]
            self._refresh()
        else:
            known = self.foreign.get(reader) or empty(self._groups)
            self.foreign[reader] = noted(known, writer // self.per_group, release.device[row])

    def _join(self, reader: int, clock: Clock | None) -> None:
        if clock is not None:
            old = self.foreign.get(reader)
            self.foreign[reader] = clock if old is None else joined(old, clock)

    def has_passed_barrier(self, wave: int, time: int) -> bool:
        """Whether a wave of this chunk has passed a barrier since a time."""
        return bool(self.barrier_time[wave - self.first] >= time)

    def knows_write(self, wave: int, other: int, time: int) -> bool:
        """Whether a wave knows of a store of another to global memory at a time, whatever its loads see of
        it."""
        reader, owner = np.array([wave], np.intp), np.array([other], np.intp)
        return bool(self.knows(MEMORY, reader, owner, np.array([time], np.int32))[0])

    def knows_lds_reads(self, waves: Times, others: Times, times: Times) -> NDArray[np.bool_]:
        return self.knows(LDS_READS, waves.astype(np.intp), others.astype(np.intp), times)

    def knows_memory_reads(self, waves: Times, others: Times, times: Times) -> NDArray[np.bool_]:
        return self.knows(MEMORY_READS, waves.astype(np.intp), others.astype(np.intp), times)

    def knows(
        self, table: int, waves: NDArray[np.intp], others: NDArray[np.intp], times: Times
    ) -> NDArray[np.bool_]:
        """Whether each of these waves knows of an access of another wave of the launch at a time, by a table
        of `Known`."""
        local = waves - self.first
        here = (local >= 0) & (local < self.count)  # the waves of earlier chunks have ended
        same = (waves // self.per_group == others // self.per_group) & here
        result = np.zeros(len(waves), np.bool_)
        result[same] = self.known[table][local[same], others[same] % self.per_group] >= times[same]
        away = self.foreign_seen if table == SEEN else self.foreign
        for i in np.flatnonzero(~same & here) if away else ():
            known = away.get(int(local[i]))
            result[i] = known is not None and time_of(known, int(others[i]), self.per_group) >= times[i]
        return result


LDS, LDS_READS, MEMORY, MEMORY_READS, COPIES, SEEN = range(6)
