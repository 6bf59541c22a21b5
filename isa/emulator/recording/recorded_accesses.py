"""The accesses of a chunk of waves, as batches of addresses.

A located operation has the indexes of all waves that ran it. Those of waves of which the same lanes took part
become rows of a batch, together with those of all other operations alike.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from isa.emulator.observers import Space
from isa.emulator.recording.recorder import ChunkRecord, Located
from isa.emulator.state.waves import SCRATCH_ADDRESS
from isa.named_tuple import NamedTuple
from isa.timing.batches import Batch, Rows, WaveAccesses

_DWORD = 4


class _Part(NamedTuple):
    """The waves, by their places in an operation, of which the same lanes took part, and the indexes of these
    lanes, shape (waves, accesses a lane, lanes)."""

    places: NDArray[np.intp]
    lanes: NDArray[np.intp]
    indexes: NDArray[np.int64]


class _Alike(NamedTuple):
    """Accesses of the same lanes, size and space: for each part of an operation the number of the operation,
    its waves in the chunk, and their indexes."""

    batch: int
    lanes: NDArray[np.intp]
    size: int
    space: Space
    operations: list[int]
    waves: list[NDArray[np.intp]]
    indexes: list[NDArray[np.int64]]


class ChunkAccesses:
    """The accesses of a chunk."""

    def __init__(self, chunk: ChunkRecord) -> None:
        operations = [
            list(own) for _, own in groupby(chunk.located, lambda each: (each.stretch, each.operation))
        ]
        self._stretch = np.array([own[0].stretch for own in operations], np.intp)
        starts = np.array([stretch.start for stretch in chunk.stretches], np.int64)
        # from the start of the stretch
        self._within = np.array([own[0].operation for own in operations], np.int64) - starts[self._stretch]
        groups = _grouped(chunk, operations)
        addresses = _Addresses(chunk)
        self._batches = tuple([addresses.batch(group) for group in groups])
        # of each access: its wave, operation, batch and row
        columns = np.zeros((4, 0), np.intp)
        if groups:
            columns = np.concatenate([_columns(group) for group in groups], axis=1)
        waves, *self._columns = columns[:, np.lexsort((columns[1], columns[0]))]
        self._ends = np.cumsum(np.bincount(waves, minlength=len(chunk.numbers))).tolist()

    def of(self, wave: int, at: NDArray[np.int64]) -> WaveAccesses:
        """The accesses of a wave, from its step at the start of each stretch."""
        own = slice(self._ends[wave - 1] if wave else 0, self._ends[wave])
        operation, batch, row = (column[own] for column in self._columns)
        steps = at[self._stretch[operation]] + self._within[operation]
        return WaveAccesses(steps, Rows(self._batches, batch, row))


def _grouped(chunk: ChunkRecord, operations: Sequence[Sequence[Located]]) -> list[_Alike]:
    groups: dict[Hashable, _Alike] = {}
    whole: dict[Hashable, _Alike] = {}  # of accesses of all lanes, as most are
    every = {width: np.arange(width) for width in (1, chunk.lanes)}

    def group(lanes: NDArray[np.intp], each: int, size: int, space: Space) -> _Alike:
        key = lanes.tobytes(), each, size, space
        if key not in groups:
            groups[key] = _Alike(len(groups), lanes, size, space, [], [], [])
        return groups[key]

    for number, located in enumerate(operations):
        first = located[0]  # a load straight to LDS also stores there
        waves = chunk.stretches[first.stretch].waves
        width = 1 if first.is_scalar else chunk.lanes
        if len(located) == 1 and first.lanes is None:
            key = width, first.size, first.space
            alike = whole.get(key)
            if alike is None:
                alike = whole[key] = group(every[width], 1, first.size, first.space)
            _note(alike, number, waves, first.indexes.reshape(len(waves), 1, width))
            continue
        own = [each for each in located if each.space is first.space]
        for part in _parts(own, len(waves), width):
            alike = group(part.lanes, part.indexes.shape[1], first.size, first.space)
            _note(alike, number, waves[part.places], part.indexes)
    return list(groups.values())


def _note(alike: _Alike, operation: int, waves: NDArray[np.intp], indexes: NDArray[np.int64]) -> None:
    alike.operations.append(operation)
    alike.waves.append(waves)
    alike.indexes.append(indexes)


def _columns(group: _Alike) -> NDArray[np.intp]:
    """The wave, the operation, the batch and the row of each access of a group."""
    waves = np.concatenate(group.waves)
    operations = np.repeat(group.operations, [len(each) for each in group.waves])
    return np.stack((waves, operations, np.full(len(waves), group.batch), np.arange(len(waves))))


def _parts(located: Sequence[Located], count: int, width: int) -> Iterator[_Part]:
    """The accesses of an operation of `count` waves, by the lanes that took part."""
    first = located[0].lanes
    if all(each.lanes is None for each in located):
        shape = count, 1, width
        indexes = np.concatenate([each.indexes.reshape(shape) for each in located], axis=1)
        yield _Part(np.arange(count), np.arange(width), indexes)
    elif all(each.lanes is first or _same(each.lanes, first) for each in located):
        assert first is not None, "some lanes took no part"
        yield from _by_lanes(first, [each.indexes for each in located], count, width)
    else:
        for wave in range(count):
            yield _joined([_of_wave(each, wave, width) for each in located], wave)


def _same(lanes: NDArray[np.intp] | None, others: NDArray[np.intp] | None) -> bool:
    return lanes is not None and others is not None and np.array_equal(lanes, others)


def _by_lanes(
    lanes: NDArray[np.intp], indexes: Sequence[NDArray[np.int64]], count: int, width: int
) -> Iterator[_Part]:
    """The accesses of lanes of several waves, which count through the waves."""
    active = np.zeros((count, width), np.bool_)
    active.reshape(-1)[lanes] = True
    firsts = lanes.searchsorted(np.arange(count) * width)
    numbers: dict[bytes, list[int]] = {}
    for place, mask in enumerate(np.packbits(active, axis=1)):
        numbers.setdefault(mask.tobytes(), []).append(place)
    for places in numbers.values():
        own = np.flatnonzero(active[places[0]])
        at = firsts[places][:, None] + np.arange(len(own))
        yield _Part(np.array(places), own, np.stack([each[at] for each in indexes], axis=1))


def _of_wave(located: Located, wave: int, width: int) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """The lanes of a wave, by its place in the operation, and their indexes."""
    first, end = wave * width, (wave + 1) * width
    if located.lanes is None:
        return np.arange(width), located.indexes[first:end]
    first, end = located.lanes.searchsorted((first, end))
    return located.lanes[first:end] - wave * width, located.indexes[first:end]


def _joined(parts: Sequence[tuple[NDArray[np.intp], NDArray[np.int64]]], wave: int) -> _Part:
    """Several accesses a lane. A lane that makes fewer than others repeats its last."""
    lanes = np.unique(np.concatenate([lanes for lanes, _ in parts]))
    rows = np.zeros((len(parts), len(lanes)), np.int64)
    known = np.zeros(len(lanes), np.bool_)
    for row, (own, indexes) in enumerate(parts):
        place = np.searchsorted(lanes, own)
        if row:
            rows[row] = rows[row - 1]
        rows[row, place] = indexes
        rows[:row, place[~known[place]]] = indexes[~known[place]]
        known[place] = True
    return _Part(np.array([wave]), lanes, rows[None])


class _Addresses:
    """The addresses of the emulator's indexes."""

    def __init__(self, chunk: ChunkRecord) -> None:
        self._chunk = chunk
        regions = chunk.memory.regions
        self._starts = np.array([region.offset for region in regions], np.int64)
        self._shifts = np.array([region.address - region.offset for region in regions], np.int64)

    def batch(self, group: _Alike) -> Batch:
        indexes = np.ascontiguousarray(np.concatenate(group.indexes))
        if indexes.size:
            if group.space is Space.GLOBAL:
                self._globals(indexes)
            elif group.space is Space.LDS:
                # the lanes of a wave share the LDS of its workgroup
                indexes -= indexes[:, :1, :1] // max(1, self._chunk.lds_bytes) * self._chunk.lds_bytes
            else:
                self._scratch(indexes, group.lanes, self._chunk.numbers[np.concatenate(group.waves)])
        return Batch(group.lanes, group.size, indexes)

    def _globals(self, indexes: NDArray[np.int64]) -> None:
        """Mostly all lanes access the same buffer."""
        flat = indexes.reshape(len(indexes), -1)
        first = self._regions(np.min(flat, axis=1))
        is_one = first == self._regions(np.max(flat, axis=1))
        for row in np.flatnonzero(~is_one):
            flat[row] += self._shifts[self._regions(flat[row])]
        flat[is_one] += self._shifts[first[is_one]][:, None]

    def _regions(self, indexes: NDArray[np.int64]) -> NDArray[np.intp]:
        return self._starts.searchsorted(indexes, "right") - 1

    def _scratch(
        self, indexes: NDArray[np.int64], lanes: NDArray[np.intp], numbers: NDArray[np.intp]
    ) -> None:
        """The same dword of all lanes lies together."""
        width, size = self._chunk.lanes, self._chunk.scratch_bytes
        offsets = indexes % max(1, size)
        waves = (SCRATCH_ADDRESS + numbers * width * size)[:, None, None]
        indexes[:] = waves + offsets // _DWORD * _DWORD * width + lanes * _DWORD + offsets % _DWORD
