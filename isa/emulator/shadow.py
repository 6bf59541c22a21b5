"""What the sanitizer remembers of memory bytes: whether they were written, and who touched LDS since the last barrier."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isa.emulator.memory import Memory

Offsets = NDArray[np.int64]
MANY = np.int16(-32768)


class WrittenBytes:
    """Which bytes of global memory hold a value; free of cost where all do."""

    def __init__(self, memory: Memory) -> None:
        self._open = [region for region in memory.regions if region.defined is not None]
        self._written = np.ones(len(memory.arena) if self._open else 0, np.uint8)
        for region in self._open:
            self._written[region.offset : region.offset + region.size] = 0

    def _reaches(self, offsets: Offsets, size: int) -> bool:
        """Whether an access may touch a region that is not wholly written."""
        if not self._open or not offsets.size:
            return False
        low, high = int(offsets.min()), int(offsets.max()) + size
        return any(region.offset < high and low < region.offset + region.size for region in self._open)

    def flags(self, offsets: Offsets, size: int) -> NDArray[np.uint8] | None:
        """Of each byte of the arena whether it was written; None where these accesses meet only such bytes."""
        return self._written if self._reaches(offsets, size) else None

    def unwritten(self, offsets: Offsets, size: int) -> int:
        """The position of the first access that reads a byte nobody wrote; -1 if there is none."""
        return first_false(self._written, offsets, size) if self._reaches(offsets, size) else -1

    def mark(self, offsets: Offsets, size: int) -> None:
        if self._reaches(offsets, size):
            mark(self._written, offsets, size)


def first_false(flags: NDArray[np.uint8], offsets: Offsets, size: int) -> int:
    """The first access with a byte whose flag is 0; -1 if there is none."""
    set_ = flags.take(offsets[:, None] + np.arange(size)).all(axis=1)
    return -1 if set_.all() else int(np.argmin(set_))


def mark(flags: NDArray[np.uint8], offsets: Offsets, size: int) -> None:
    """Set the flags of every byte of the accesses, in the widest steps that their alignment allows."""
    unit = 1
    low_bits = int(np.bitwise_or.reduce(offsets)) | size
    while unit < 8 and not low_bits & unit and not len(flags) & unit:
        unit *= 2
    wide = flags.view(f"u{unit}")
    ones = wide.dtype.type(int.from_bytes(b"\1" * unit, "little"))
    first = offsets // unit
    for i in range(size // unit):
        wide[first + i] = ones


class Accesses(NamedTuple):
    """Accesses of `size` bytes each, at offsets into a chunk's LDS; a wave is its number in the workgroup plus 1.

    `ahead` are those of waves that have signalled at a split barrier and not yet waited there: the barrier does not order them.
    """

    offsets: Offsets
    size: int
    waves: NDArray[np.int16]
    ahead: NDArray[np.bool_] | None = None

    def only(self, chosen: NDArray[np.bool_]) -> Accesses:
        return Accesses(self.offsets[chosen], self.size, self.waves[chosen])


class LdsShadow:
    """Per byte of a chunk's LDS: whether it was written, and the wave that wrote or read it since its workgroup's last barrier.

    `MANY` stands for several waves. Atomic writes are negative: they do not conflict with each other.
    """

    def __init__(self, groups: int, size: int) -> None:
        self._size = size
        self.written = np.zeros(groups * size, np.uint8)
        self.writer = np.zeros(groups * size, np.int16)
        self.reader = np.zeros(groups * size, np.int16)
        self._ahead: list[tuple[Callable[[Accesses], object], Accesses]] = []

    def load(self, accesses: Accesses) -> int:
        """Note a load; the position of the first race, or -1."""
        at, me = self._bytes(accesses, self.load)
        writer = self.writer[at]
        race = (writer != 0) & (np.abs(writer) != me)
        reader = self.reader[at]
        mine = np.where((reader == 0) | (reader == me), me, MANY)
        self.reader[at] = mine
        shared = self.reader[at] != mine
        self.reader[at[shared]] = MANY
        return _first(race, accesses.size)

    def store(self, accesses: Accesses) -> int:
        """Note a store; the position of the first race, or -1."""
        at, me = self._bytes(accesses, self.store)
        writer, reader = self.writer[at], self.reader[at]
        race = ((writer != 0) & (np.abs(writer) != me)) | ((reader != 0) & (reader != me))
        self.writer[at] = me
        race |= self.writer[at] != me
        self.written[at] = 1
        return _first(race, accesses.size)

    def update(self, accesses: Accesses) -> tuple[int, int]:
        """Note an atomic: the first access to bytes never written, and the first race with plain accesses; -1 for none."""
        at, me = self._bytes(accesses, self.update)
        unwritten = first_false(self.written, accesses.offsets, accesses.size)
        writer, reader = self.writer[at], self.reader[at]
        race = ((writer > 0) & (writer != me)) | ((reader != 0) & (reader != me))
        mine = np.where((writer == 0) | (np.abs(writer) == me), -me, MANY)
        self.writer[at] = mine
        shared = self.writer[at] != mine
        self.writer[at[shared]] = MANY
        self.written[at] = 1
        return unwritten, _first(race, accesses.size)

    def _bytes(self, accesses: Accesses, note: Callable[[Accesses], object]) -> tuple[Offsets, NDArray[np.int16]]:
        """Every byte accessed and its wave; accesses ahead of a barrier are kept, to be noted again behind it."""
        if accesses.ahead is not None and accesses.ahead.any():
            self._ahead.append((note, accesses.only(accesses.ahead)))
        at = (accesses.offsets[:, None] + np.arange(accesses.size)).reshape(-1)
        return at, np.repeat(accesses.waves, accesses.size)

    def barrier(self, group: int, writing: list[int], reading: list[int]) -> None:
        """A workgroup passed a barrier: its accesses are ordered, but for those of waves that did not wait for their own
        before they arrived, and those that were made after it."""
        part = slice(group * self._size, (group + 1) * self._size)
        _keep_only(self.writer[part], writing)
        _keep_only(self.reader[part], reading)
        ahead, self._ahead = self._ahead, []
        for note, accesses in ahead:
            here = accesses.offsets // self._size == group
            if here.any():
                _ = note(accesses.only(here))
            if not here.all():
                self._ahead.append((note, accesses.only(~here)))


def _keep_only(owners: NDArray[np.int16], waves: list[int]) -> None:
    if not waves:
        owners[:] = 0
        return
    owners[~np.isin(np.abs(owners), waves)] = 0


def _first(flags: NDArray[np.bool_], size: int) -> int:
    return int(np.argmax(flags)) // size if flags.any() else -1
