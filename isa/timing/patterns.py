"""Accesses with the same distances between their lanes, so that their costs are computed once.

A loop accesses the same pattern in each trip, from another address. The cost of an access depends on its
distance from a bank or from a line, so accesses are compared from a multiple of that.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from isa.named_tuple import NamedTuple
from isa.timing.batches import Batch, Rows

_TOGETHER = 1024  # accesses, as many as fit in the caches of the machine that runs the model


class Patterns(NamedTuple):
    """Different accesses by the same lanes.

    * `size`: bytes of each access
    * `addresses`: from a multiple of the step, negative before it; shape (patterns, accesses a lane, lanes)
    * `numbers`, `of`: which of the given accesses have which pattern, and `bases`: from which multiple on
    """

    lanes: NDArray[np.intp]
    size: int
    addresses: NDArray[np.int64]
    numbers: NDArray[np.intp]
    of: NDArray[np.intp]
    bases: NDArray[np.int64]


def patterns(rows: Rows, step: int) -> Iterator[Patterns]:
    """The patterns of accesses, by their lanes, from a multiple of `step` bytes. A pattern may come again."""
    for numbers, batch in rows.by_batch():
        if len(batch.lanes):
            for first in range(0, len(numbers), _TOGETHER):
                some = slice(first, first + _TOGETHER)
                yield _distinct(batch._replace(addresses=batch.addresses[some]), numbers[some], step)


def _distinct(batch: Batch, numbers: NDArray[np.intp], step: int) -> Patterns:
    rows = batch.addresses.reshape(len(numbers), -1)
    bases = rows[:, :1] & -step
    rows = rows - bases
    chosen, of = different_rows(rows)
    shape = (len(chosen), *batch.addresses.shape[1:])
    return Patterns(batch.lanes, batch.size, rows[chosen].reshape(shape), numbers, of, bases.reshape(-1))


def different_rows(rows: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The numbers of the different rows, and which of them each row is."""
    # odd numbers by which different rows have different sums, most likely
    multipliers = np.cumprod(np.full(rows.shape[1], 0x9E3779B97F4A7C15, np.uint64)).view(np.int64)
    _, chosen, of = np.unique(rows @ multipliers, return_index=True, return_inverse=True)
    if not np.array_equal(rows[chosen[of]], rows):
        _, chosen, of = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return chosen, of.reshape(-1)
