"""Releases and acquires: a wave that reads a flag learns all accesses that the storing wave knew."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from isa.emulator.sanitizer.races.order import Order, Pending, Release
from isa.emulator.sanitizer.races.shadow import Shadow, Words


class Releases:
    """The releases of a launch. Every store may be a flag, so each store is recorded with its time."""

    def __init__(self, lanes: int) -> None:
        self._lanes = lanes
        self._together: dict[int, Release] = {}  # by time, of waves that store at once
        self._in_turn: dict[tuple[int, int], Release] = {}  # by time and wave, of those that update in turn

    def begin(self, order: Order) -> None:
        """Begin a new chunk of waves. They may still read the stores of earlier chunks."""
        self._order = order

    def note(self, waves: NDArray[np.intp], pending: Pending, time: int) -> None:
        """Waves of the chunk store, while they have accesses under way."""
        self._together[time] = self._order.release(waves, pending, time)

    def acquire(self, shadow: Shadow, words: Words) -> None:
        """Waves learn the accesses known to the waves that last wrote these words."""
        times = shadow.write_time.take(words.at)
        owners = shadow.write_lane.take(words.at) // self._lanes
        readers = words.lanes // self._lanes
        foreign = np.flatnonzero((times > 0) & (owners != readers))
        for reader, owner, time in sorted(
            {(int(readers[i]), int(owners[i]), int(times[i])) for i in foreign}
        ):
            self._take(reader, owner, time)

    def _take(self, reader: int, owner: int, time: int) -> None:
        release = self._in_turn.get((time, owner)) or self._together.get(time)
        if release is not None:
            self._order.acquire(reader - self._order.first, owner, release)

    def chain(self, shadow: Shadow, words: Words, pending: Pending, time: int) -> None:
        """Waves update a word in turn: each wave learns from the wave before it, and passes its knowledge
        on."""
        before: dict[int, tuple[int, int]] = {}
        for wave, mine in _by_wave(words, self._lanes):
            taken = {before.get(at) or self._last(shadow, at) for at in mine}
            for owner, when in sorted(taken):
                if when and owner != wave:
                    self._take(wave, owner, when)
            self._in_turn[time, wave] = self._order.release(
                np.array([wave - self._order.first]), pending, time
            )
            before.update(dict.fromkeys(mine, (wave, time)))

    def _last(self, shadow: Shadow, at: int) -> tuple[int, int]:
        """The wave that last wrote a word, and when."""
        return int(shadow.write_lane[at]) // self._lanes, int(shadow.write_time[at])


def _by_wave(words: Words, lanes: int) -> Iterable[tuple[int, set[int]]]:
    """Each wave with the words that it accesses, in the order of waves."""
    order = np.argsort(words.lanes, kind="stable")
    waves = words.lanes[order] // lanes
    starts = np.flatnonzero(np.append(True, waves[1:] != waves[:-1]))
    for start, end in zip(starts, [*starts[1:], len(waves)], strict=True):
        yield int(waves[start]), set(words.at[order[start:end]].tolist())
