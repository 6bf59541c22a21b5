"""The sanitizer's shadow of memory: whether a byte was written, and the last writer and reader of a word,
with times."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from isa.emulator.sanitizer.races.sharers import Sharers
from isa.emulator.state.global_memory import Memory
from isa.named_tuple import NamedTuple

Offsets = NDArray[np.int64]
Lanes = NDArray[np.int32]
MANY = np.int32(
    -1
)  # in place of a reading lane: waves of several workgroups. Lower numbers: several waves of a workgroup
_MOST_READS = 1 << 22  # words in the log of reads


class WrittenBytes:
    """The bytes of global memory with a defined value; without cost if all are defined.

    Flags of initially defined bytes are set only when an access may touch both such a byte and an undefined
    byte, because most accesses stay in a single buffer.
    """

    def __init__(self, memory: Memory) -> None:
        self._open = [region for region in memory.regions if region.defined is not None]
        self._written = np.zeros(len(memory.arena) if self._open else 0, np.uint8)
        for region in self._open:
            assert region.defined is not None
            self._written[region.offset : region.offset + region.size] = region.defined
        self._is_filled = False

    def of_undefined(self) -> list[NDArray[np.bool_]]:
        """The bytes of each region that was not wholly written at first."""
        ends = [(region.offset, region.offset + region.size) for region in self._open]
        return [self._written[first:end].view(np.bool_) for first, end in ends]

    def _reaches(self, offsets: Offsets, size: int) -> bool:
        """Whether an access may touch a region that is not wholly written."""
        if not self._open or not offsets.size:
            return False
        low, high = int(offsets.min()), int(offsets.max()) + size
        met = [region for region in self._open if region.offset < high and low < region.offset + region.size]
        if met and (low < met[0].offset or high > met[0].offset + met[0].size):
            self._fill()
        return bool(met)

    def _fill(self) -> None:
        """Set the flags of the words outside of the regions that are not wholly written."""
        if self._is_filled:
            return
        self._is_filled = True
        first = 0
        for region in sorted(self._open, key=lambda region: region.offset):
            self._written[first : region.offset] = 1
            first = region.offset + region.size
        self._written[first:] = 1

    def flags(self, offsets: Offsets, size: int) -> NDArray[np.uint8] | None:
        """For each byte of the arena, whether it was written; None if these accesses touch written bytes
        only."""
        return self._written if self._reaches(offsets, size) else None

    def unwritten(self, offsets: Offsets, size: int) -> int:
        """The position of the first access that reads an undefined byte; -1 if there is none."""
        return first_false(self._written, offsets, size) if self._reaches(offsets, size) else -1

    def mark(self, offsets: Offsets, size: int) -> None:
        if self._reaches(offsets, size):
            mark(self._written, offsets, size)


def _widest(flags: NDArray[np.uint8], offsets: Offsets, size: int) -> int:
    """The widest step in bytes, up to 8, that the alignment of these accesses allows."""
    unit = 1
    low_bits = int(np.bitwise_or.reduce(offsets)) | size
    while unit < 8 and not low_bits & unit and not len(flags) & unit:
        unit *= 2
    return unit


def first_false(flags: NDArray[np.uint8], offsets: Offsets, size: int) -> int:
    """The first access to a byte with flag 0; -1 if there is none."""
    unit = _widest(flags, offsets, size)
    wide = flags.view(f"u{unit}")
    ones = wide.dtype.type(int.from_bytes(b"\1" * unit, "little"))
    first = offsets // unit
    missing: NDArray[np.bool_] = wide.take(first) != ones
    for i in range(1, size // unit):
        missing |= wide.take(first + i) != ones
    return int(np.argmax(missing)) if missing.any() else -1


def mark(flags: NDArray[np.uint8], offsets: Offsets, size: int) -> None:
    """Set the flags of every byte of the accesses, in the widest steps that their alignment allows."""
    unit = _widest(flags, offsets, size)
    wide = flags.view(f"u{unit}")
    ones = wide.dtype.type(int.from_bytes(b"\1" * unit, "little"))
    first = offsets // unit
    for i in range(size // unit):
        wide[first + i] = ones


Knows = Callable[[Lanes, Lanes, Lanes], NDArray[np.bool_]]


class Words(NamedTuple):
    """The words of an access of some lanes, in order: the place of each in the shadow, and its lane."""

    at: Offsets
    lanes: Lanes
    each: int  # words of a lane


class Reads(NamedTuple):
    """Reads that are not yet entered into the shadow, and the words that they are among."""

    words: Words
    time: int
    low: int
    high: int


class Shadow:
    """For each word of a memory, the lanes that last wrote and last read it, with the times.

    Words have four bytes until an access is narrower or unaligned; from then on they are bytes. Reads are
    logged, and entered only if a store needs them: most words are read many times and written once.
    """

    def __init__(self, size: int, wave: int, group: int, knows: Knows) -> None:
        """`wave` and `group` are how many lanes a wave has, and how many a workgroup's waves have. `knows`
        tells of waves, other waves and times which of the others' reads at those times the first know of."""
        self._wave, self._group = wave, group
        self._knows = knows
        self.unit = 4
        count = -(-size // 4)
        self.write_time, self.write_lane = np.zeros(count, np.int32), np.zeros(count, np.int32)
        self._read_time: NDArray[np.int32] | None = None
        self._read_lane: NDArray[np.int32] | None = None
        self._reads: list[Reads] = []
        self._logged = 0
        self._sharers = Sharers()

    def words(self, offsets: Offsets, size: int, lanes: Lanes) -> Words:
        """The words of accesses of `size` bytes at these offsets."""
        if self.unit == 4 and (size & 3 or int(np.bitwise_or.reduce(offsets)) & 3):
            self._to_bytes()
        count = size // self.unit
        first = offsets >> 2 if self.unit == 4 else offsets
        if count == 1:
            return Words(first, lanes, 1)
        return Words((first[:, None] + np.arange(count)).reshape(-1), np.repeat(lanes, count), count)

    def _to_bytes(self) -> None:
        self.enter_reads(0, 0, len(self.write_time))
        self.unit = 1
        self._sharers.split(4)
        self.write_time, self.write_lane = np.repeat(self.write_time, 4), np.repeat(self.write_lane, 4)
        if self._read_time is not None and self._read_lane is not None:
            self._read_time, self._read_lane = np.repeat(self._read_time, 4), np.repeat(self._read_lane, 4)

    def note_write(self, words: Words, time: int) -> None:
        self.write_time[words.at] = time
        self.write_lane[words.at] = words.lanes

    def note_read(self, words: Words, time: int, floor: int) -> None:
        """Log a read; `floor` is the time up to which every wave knows every access, so older accesses do not
        matter."""
        if self._reads and self._reads[0].time <= floor:
            self._reads = [reads for reads in self._reads if reads.time > floor]
            self._logged = sum(len(reads.words.at) for reads in self._reads)
        self._reads.append(Reads(words, time, int(words.at.min()), int(words.at.max())))
        self._logged += len(words.at)
        if self._logged > _MOST_READS:
            self.enter_reads(floor, 0, len(self.write_time))

    def enter_reads(self, floor: int, low: int, high: int) -> None:
        """Enter the logged reads that may be of words `low` to `high`."""
        if not self._reads:
            return
        rest: list[Reads] = []
        for reads in self._reads:
            if reads.high < low or reads.low > high:
                rest.append(reads)
            elif reads.time > floor:
                self._enter(reads, floor)
        self._reads = rest
        self._logged = sum(len(reads.words.at) for reads in rest)

    def _enter(self, reads: Reads, floor: int) -> None:
        times, lanes = self.readers()
        at, mine = reads.words.at, reads.words.lanes
        old_time, old = times.take(at), lanes.take(at)
        fresh = (old_time <= floor) | ((old >= 0) & (old // self._wave == mine // self._wave))
        old_lane = group_lane(old)
        others = np.flatnonzero(~fresh & (old_lane >= 0))
        if others.size:
            fresh[others] = self._knows_of(at[others], mine[others], old[others], old_time[others])
        several = np.where(
            (old_lane >= 0) & (old_lane // self._group == mine // self._group), of_group(mine), MANY
        )
        entered = np.where(fresh, mine, several)
        times[at] = reads.time
        lanes[at] = entered
        kept = lanes.take(at)
        clash = (kept >= 0) & (kept // self._wave != mine // self._wave)
        if clash.any():
            same = kept[clash] // self._group == mine[clash] // self._group
            lanes[at[clash]] = np.where(same, of_group(mine[clash]), MANY)
        self._sharers.enter(
            at,
            lanes.take(at) < MANY,
            mine // self._wave,
            reads.time,
            np.where(fresh, 0, old_time),
            old,
            self._wave,
        )

    def _knows_of(self, at: Offsets, mine: Lanes, readers: Lanes, times: Lanes) -> NDArray[np.bool_]:
        """Whether each lane's wave knows of the reads of a word at these times, by a lane or by several waves
        of a workgroup."""
        waves = mine // self._wave
        known = (readers < MANY) | self._knows(waves, group_lane(readers) // self._wave, times)
        several = np.flatnonzero(readers < MANY)
        if several.size:
            known[several] = self._knows_sharers(
                at[several], waves[several], readers[several], times[several]
            )
        return known

    def _knows_sharers(self, at: Offsets, waves: Lanes, readers: Lanes, times: Lanes) -> NDArray[np.bool_]:
        sharers = self._sharers.of(at)
        if sharers is not None:
            asked = [(i, wave, time) for i, times in enumerate(sharers) for wave, time in times.items()]
            which, others, when = (np.array(column, np.int32) for column in zip(*asked, strict=True))
        else:  # any wave of the workgroup
            per_group = self._group // self._wave
            which = np.repeat(np.arange(len(at), dtype=np.int32), per_group)
            first = group_lane(readers) // self._group * per_group
            others = (first[:, None] + np.arange(per_group, dtype=np.int32)).reshape(-1)
            when = times[which]
        unknown = ~self._knows(waves[which], others, when) & (others != waves[which])
        known = np.ones(len(at), np.bool_)
        known[which[unknown]] = False
        return known

    def sharers(self, word: int) -> dict[int, int] | None:
        """The waves that read a word, with the time of each wave's last read, if several waves of a workgroup
        did; None if they are not recorded."""
        sharers = self._sharers.of(np.array([word]))
        return None if sharers is None else sharers[0]

    def readers(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Time and lane of the last read of each word."""
        if self._read_time is None or self._read_lane is None:
            self._read_time, self._read_lane = np.zeros_like(self.write_time), np.zeros_like(self.write_time)
        return self._read_time, self._read_lane

    def has_reads(self) -> bool:
        return self._read_time is not None


def of_group(lanes: Lanes) -> Lanes:
    """In place of a lane, several waves of its workgroup."""
    return -2 - lanes


def group_lane(lanes: Lanes) -> Lanes:
    """The lane, or a lane of the workgroup; negative for waves of several workgroups."""
    return np.where(lanes < MANY, -2 - lanes, lanes)


def lane_of(reader: int) -> int:
    """The same for a single reader."""
    return -2 - reader if reader < MANY else reader
