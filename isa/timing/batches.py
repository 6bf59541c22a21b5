"""The accesses of many steps as arrays: accesses by the same lanes are the rows of a batch.

Most accesses of a trace differ in their addresses alone, so whatever asks for all of them works on a few
large arrays.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from isa.named_tuple import NamedTuple
from isa.timing.trace import Access, TracedWave


class Batch(NamedTuple):
    """Accesses of `size` bytes by the same lanes; `addresses` has the shape (accesses, accesses a lane,
    lanes)."""

    lanes: NDArray[np.intp]
    size: int
    addresses: NDArray[np.int64]


class Rows(NamedTuple):
    """Some accesses in order: row `row` of batch `batch` of `batches` for each."""

    batches: tuple[Batch, ...]
    batch: NDArray[np.intp]
    row: NDArray[np.intp]

    def of(self, places: NDArray[np.intp] | NDArray[np.bool_]) -> Rows:
        """Some of them."""
        return Rows(self.batches, self.batch[places], self.row[places])

    def by_batch(self) -> Iterator[tuple[NDArray[np.intp], Batch]]:
        """The numbers of the accesses of each batch in order, and these as a batch of their own."""
        order = np.argsort(self.batch, kind="stable")
        for numbers in np.split(order, np.flatnonzero(np.diff(self.batch[order])) + 1):
            if len(numbers):
                batch = self.batches[int(self.batch[numbers[0]])]
                yield numbers, batch._replace(addresses=batch.addresses[self.row[numbers]])

    def counts(self) -> NDArray[np.intp]:
        """How many addresses each access has."""
        sizes = [batch.addresses.shape[1] * batch.addresses.shape[2] for batch in self.batches]
        return np.array(sizes, np.intp)[self.batch]


class WaveAccesses(Mapping[int, Access]):
    """The accesses of a wave: those of `steps`, which are in order."""

    def __init__(self, steps: NDArray[np.intp], rows: Rows) -> None:
        self.steps = steps
        self.rows = rows

    def __getitem__(self, step: int) -> Access:
        at = int(self.steps.searchsorted(step))
        if at == len(self.steps) or self.steps[at] != step:
            raise KeyError(step)
        batch = self.rows.batches[int(self.rows.batch[at])]
        return Access(batch.lanes, batch.addresses[int(self.rows.row[at])], batch.size)

    def __iter__(self) -> Iterator[int]:
        return iter(self.steps.tolist())

    def __len__(self) -> int:
        return len(self.steps)


def rows_of(accesses: Sequence[Access]) -> Rows:
    """Accesses as rows of batches."""
    alike: dict[Hashable, int] = {}
    members: list[list[Access]] = []
    batch, row = np.zeros((2, len(accesses)), np.intp)
    for number, access in enumerate(accesses):
        key = access.lanes.tobytes(), access.addresses.shape, access.size
        place = alike.setdefault(key, len(members))
        if place == len(members):
            members.append([])
        batch[number], row[number] = place, len(members[place])
        members[place].append(access)
    batches = [
        Batch(some[0].lanes, some[0].size, np.array([each.addresses for each in some], np.int64))
        for some in members
    ]
    return Rows(tuple(batches), batch, row)


class Located(NamedTuple):
    """The accesses of some waves, wave by wave: the place of its wave among these, and its step."""

    waves: NDArray[np.intp]
    steps: NDArray[np.intp]
    rows: Rows


def located(waves: Sequence[TracedWave]) -> Located:
    """All accesses of some waves."""
    every = [_of_wave(wave) for wave in waves]
    places = np.repeat(np.arange(len(every)), [len(each) for each in every])
    steps = np.concatenate([np.zeros(0, np.intp), *[each.steps for each in every]])
    return Located(places, steps, _joined([each.rows for each in every]))


def _of_wave(wave: TracedWave) -> WaveAccesses:
    if isinstance(wave.accesses, WaveAccesses):
        return wave.accesses
    steps = sorted(wave.accesses)
    return WaveAccesses(np.array(steps, np.intp), rows_of([wave.accesses[step] for step in steps]))


def _joined(parts: Sequence[Rows]) -> Rows:
    """The accesses of several parts, of which some have the same batches."""
    firsts: dict[int, int] = {}
    batches: list[Batch] = []
    batch = [np.zeros(0, np.intp)]
    for part in parts:
        first = firsts.setdefault(id(part.batches), len(batches))
        if first == len(batches):
            batches += part.batches
        batch.append(part.batch + first)
    row = [np.zeros(0, np.intp), *[part.row for part in parts]]
    return Rows(tuple(batches), np.concatenate(batch), np.concatenate(row))
