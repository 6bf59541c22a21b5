"""Judges unordered accesses to a word: a race, a doubt that flags may settle (`flags.py`), or legal."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.emulator.program.scopes import MemoryKind
from isa.emulator.sanitizer.races.conflicts import Conflict, Report
from isa.emulator.sanitizer.races.flags import FEW, Flags
from isa.emulator.sanitizer.races.order import Order
from isa.emulator.sanitizer.races.shadow import Shadow, Words
from isa.emulator.sanitizer.races.unordered import Positions, Unordered
from isa.emulator.state.footprint import Footprint
from isa.emulator.state.waves import Waves

_ENOUGH = 256  # conflicts of an operation
# the halves, and the bytes, that contain the sign of the NaN of f16, of bf16 and f32, and of f64
_NAN_HALVES = (0x7E00, 0x7FC0, 0x7FF8)
_NAN_BYTES = (0x7E, 0x7F)


class Judge:
    """The judge of a chunk of waves that begins with wave `first` of the launch. `kinds` are the kinds of the
    operations, `times` has the operation of each time, and `swaps` says whether lanes may exchange the values
    that they read. `Report` raises, unless the run goes on. `found` counts the conflicts that were reported
    for each operation: with enough of them it is judged no more, so that a run that goes on does not take
    hours."""

    def __init__(
        self, kinds: Sequence[MemoryKind], times: Sequence[int], swaps: bool, flags: Flags, report: Report,
        found: Mapping[int, int], w: Waves, first: int, order: Order, unordered: Unordered,
    ) -> None:  # fmt: skip
        self._kinds = kinds
        self._times = times
        self._swaps = swaps
        self._flags = flags
        self._report = report
        self._found = found
        self._w = w
        self._first = first
        self._lanes = w.lanes
        self._order = order
        self._unordered = unordered

    def load(self, shadow: Shadow, words: Words, bad: Positions, lds: bool, index: int) -> bool:
        """Judge loads of words that another wave wrote: they are races, unless they belong to a loop that
        waits or begin an exchange. Returns whether they belong to a loop."""
        if self._is_known(index):
            return False
        for position in bad[: FEW * self._w.width]:
            conflict = self._conflict(shadow, words, int(position), lds, index, reads=True)
            if self._flags.repeats(conflict, int(words.at[position]), conflict.lane // self._lanes):
                return True
        few = len(np.unique(words.at[bad])) <= FEW * max(1, self._w.width // self._w.per_group)
        if few:
            return False
        if self._swaps:  # each lane may exchange the value that it read
            for position in bad:
                conflict = self._conflict(shadow, words, int(position), lds, index, reads=True)
                self._flags.doubt(conflict, int(words.at[position]), conflict.lane // self._lanes)
        else:
            self._report(self._conflict(shadow, words, int(bad[0]), lds, index, reads=True))
        return False

    def store(
        self, shadow: Shadow, words: Words, bad: Positions, lds: bool, index: int, place: Footprint,
        values: NDArray[Any] | None,
    ) -> None:  # fmt: skip
        """Stores to what another wave wrote, which may be flags, or may change nothing."""
        if self._is_known(index):
            return
        scoped = self.is_scoped(index, lds, len(words.at))
        for position in bad:
            conflict = self._conflict(shadow, words, int(position), lds, index, reads=False)
            earlier = self._kinds[conflict.earlier]
            if earlier.waits or (scoped and (earlier.scoped or earlier.atomic)):
                continue
            if values is not None and _unchanged(place, words, int(position), shadow.unit, values):
                continue
            self._flags.dispute(conflict, int(words.at[position]), self.are_many(len(bad)))

    def update(self, shadow: Shadow, words: Words, bad: Positions, lds: bool, index: int) -> None:
        """Atomics on what another wave wrote, which may itself have been an atomic."""
        if self._is_known(index):
            return
        for position in bad:
            conflict = self._conflict(shadow, words, int(position), lds, index, reads=False)
            earlier = self._kinds[conflict.earlier]
            if not (earlier.atomic or earlier.scoped):
                self._flags.dispute(conflict, int(words.at[position]), self.are_many(len(bad)))

    def reads(self, shadow: Shadow, words: Words, lds: bool, index: int) -> None:
        """Words that this wave writes and another wave read, without an order between them."""
        if self._is_known(index):
            return
        for position, reader, time, count in self._unordered.reads(shadow, words, lds):
            kind, lane, at = (
                self._kinds[self._times[time]],
                int(words.lanes[position]),
                int(words.at[position]),
            )
            wave = lane // self._lanes
            scoped = self.is_scoped(self._times[time], lds, len(words.at))
            if scoped or kind.waits or self._unordered.knows_readers(shadow, at, lds, wave, reader, time):
                continue
            byte, passed = self._byte(shadow, at, lds), self._order.has_passed_barrier(wave, time)
            conflict = Conflict(
                lds, index, lane, self._times[time], reader, byte, time, False, True, passed=passed
            )
            self._flags.dispute(conflict, at, self.are_many(count))

    def collisions(
        self, shadow: Shadow, words: Words, lds: bool, index: int, time: int, values: NDArray[Any] | None,
    ) -> None:  # fmt: skip
        """Lanes that store to the same word at once: of different waves, or of a wave with different values
        in LDS."""
        if self._is_known(index):
            return
        winners = shadow.write_lane.take(words.at)
        clash = np.flatnonzero(winners != words.lanes)
        if not clash.size or self.is_scoped(index, lds, len(words.at)):
            return
        last = dict(zip(words.at.tolist(), range(len(words.at)), strict=True))
        for position in clash:
            mine, other = int(words.lanes[position]), int(winners[position])
            winner = last[int(words.at[position])]
            same_wave = mine // self._lanes == other // self._lanes
            equal = values is not None and _are_same(values[position], values[winner])
            if equal or (same_wave and (not lds or values is None)):
                continue
            byte = self._byte(shadow, int(words.at[position]), lds)
            conflict = Conflict(lds, index, mine, index, other, byte, time, False, False, same_wave)
            self._flags.dispute(conflict, int(words.at[position]), self.are_many(len(clash)))

    def copies(self, shadow: Shadow, words: Words, index: int, under_way: int) -> None:
        """Words of LDS that this wave copies from memory, and that are read before the wait for it;
        `under_way` copies are under way."""
        if self._is_known(index):
            return
        waves = words.lanes // self._lanes - self._first
        done = self._order.copied(np.arange(self._w.count), under_way, len(self._times) - 1)
        times, owners = (
            shadow.write_time.take(words.at),
            shadow.write_lane.take(words.at) // self._lanes - self._first,
        )
        early = np.flatnonzero((owners == waves) & (times > done[waves]))
        for position in early:
            conflict = self._conflict(shadow, words, int(position), True, index, reads=True)
            if self._kinds[conflict.earlier].copies:
                self._report(conflict)

    def _conflict(
        self, shadow: Shadow, words: Words, position: int, lds: bool, index: int, *, reads: bool
    ) -> Conflict:
        """Of a word that another wave wrote."""
        at = int(words.at[position])
        time, lane = int(shadow.write_time[at]), int(shadow.write_lane[at])
        mine = int(words.lanes[position])
        wave = mine // self._lanes
        knew = reads and not lds and self._order.knows_write(wave, lane // self._lanes, time)
        return Conflict(
            lds, index, mine, self._times[time], lane, self._byte(shadow, at, lds), time, reads, False,
            when=len(self._times) - 1, knew=knew, passed=self._order.has_passed_barrier(wave, time),
        )  # fmt: skip

    def is_scoped(self, index: int, lds: bool, count: int) -> bool:
        """Whether the bits of an access of `count` words make it atomic. A volatile access has the same bits,
        so in LDS they count only for a few words, as flags have."""
        kind = self._kinds[index]
        return kind.scoped and not (lds and kind.volatile and self.are_many(count))

    def _is_known(self, index: int) -> bool:
        """Whether enough conflicts of an operation were reported."""
        return self._found.get(index, 0) >= _ENOUGH

    def are_many(self, count: int) -> bool:
        """Whether `count` words of an access of the group are too many for flags."""
        return count > FEW * self._w.width

    def _byte(self, shadow: Shadow, at: int, lds: bool) -> int:
        byte = at * shadow.unit
        return byte % self._w.lds_bytes if lds else byte


def _unchanged(place: Footprint, words: Words, position: int, unit: int, values: NDArray[Any]) -> bool:
    """Whether a word already has the stored value."""
    at = int(words.at[position]) * unit
    return _are_same(place.store[at : at + unit].view(values.dtype)[0], values[position])


def _are_same(one: np.unsignedinteger[Any], other: np.unsignedinteger[Any]) -> bool:
    """Whether two words, or two bytes, are equal apart from the signs of NaNs: the emulator computes with
    numpy, which gives NaNs at other positions of an array other signs, and a target does not. Words of other
    types that differ in such a bit alone count as equal too."""
    return bool(one == other) or _without_signs_of_nans(one) == _without_signs_of_nans(other)


def _without_signs_of_nans(value: np.unsignedinteger[Any]) -> list[int]:
    """The halves of a word, or a byte; each without its sign if it is that of a NaN."""
    bits = int(value)
    if value.itemsize == 1:
        return [_without_sign(bits, 0x80, _NAN_BYTES)]
    return [_without_sign(half, 0x8000, _NAN_HALVES) for half in (bits & 0xFFFF, bits >> 16)]


def _without_sign(bits: int, sign: int, nans: Collection[int]) -> int:
    return bits & ~sign if bits & ~sign in nans else bits
