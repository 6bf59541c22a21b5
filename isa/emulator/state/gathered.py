"""Waves that lie apart: copies of their registers, made when an instruction uses them and written back later.

A loop goes round many times for the same waves, so this costs much less than copies for every instruction.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.emulator.state.views import LANE_TYPES, Group, Making, Views

Note = Making  # receives the key of a copy that changes


class _Stored(Views):
    """Copies; `note` receives the copies to which something is stored."""

    def __init__(self, make: Making, note: Note) -> None:
        super().__init__(make)
        self._note = note

    def __setitem__(self, key: Any, value: Any) -> None:
        self._note(key)
        super().__setitem__(key, value)


class _Changed(Views):
    """Copies that are changed in place; `note` receives the copies that were requested."""

    def __init__(self, make: Making, note: Note) -> None:
        super().__init__(make)
        self._note = note

    def __missing__(self, key: Any) -> Any:
        self._note(key)
        return super().__missing__(key)


class _Blocks:
    """Registers that follow each other: each use makes copies of its own."""

    def __init__(self, gathered: Gathered, vectors: NDArray[np.uint32], indexes: NDArray[np.intp]) -> None:
        self._gathered, self._vectors, self._indexes = gathered, vectors, indexes

    def __getitem__(self, rows: tuple[int, int]) -> NDArray[np.uint32]:
        self._gathered.settle()
        return self._vectors[rows[0] : rows[1], self._indexes].swapaxes(0, 1)

    def __setitem__(self, rows: tuple[int, int], value: NDArray[np.uint32]) -> None:
        self._gathered.settle()
        self._vectors[rows[0] : rows[1], self._indexes] = value.swapaxes(0, 1)


class Gathered:
    """The waves `indexes`, of vector registers [row, wave, lane] and scalar registers [pair, wave, half]."""

    def __init__(
        self, vectors: NDArray[np.uint32], scalars: NDArray[np.uint32], indexes: NDArray[np.intp]
    ) -> None:
        self._vectors, self._scalars, self._indexes = vectors, scalars, indexes
        self._changed_rows: set[int] = set()
        self._changed_pairs: set[int] = set()
        row_changes, pair_changes = self._changed_rows.add, self._changed_pairs.add
        rows = self._rows = _Stored(_gather(vectors, indexes), row_changes)
        pairs = self._pairs = Views(_gather(scalars, indexes))
        signed_rows, float_rows = (_Stored(_typed(rows, dtype), row_changes) for dtype in LANE_TYPES[1:])
        changing = _Changed(rows.__getitem__, row_changes)
        targets = _Changed(lambda key: rows[key[0]].view(key[1]), lambda key: row_changes(key[0]))
        halves, signed_halves = (
            _Stored(_halves(pairs, dtype), lambda place: pair_changes(place[0])) for dtype in LANE_TYPES[:2]
        )
        wide = _Stored(lambda pair: pairs[pair].view(np.uint64)[:, 0], pair_changes)
        columns, signed_columns, float_columns = (Views(_columns(pairs, dtype)) for dtype in LANE_TYPES)
        self.group = Group(
            indexes, rows, signed_rows, float_rows, changing, targets, _Blocks(self, vectors, indexes),
            halves, signed_halves, wide, columns, signed_columns, float_columns,
        )  # fmt: skip
        self._copies = (
            rows, signed_rows, float_rows, changing, targets,
            pairs, halves, signed_halves, wide, columns, signed_columns, float_columns,
        )  # fmt: skip

    def holds(self, indexes: NDArray[np.intp]) -> bool:
        """Whether it is the group of these waves."""
        return len(indexes) == len(self._indexes) and bool((indexes == self._indexes).all())

    def settle(self) -> None:
        """Write back what changed and forget the copies: the registers are to be used in another way."""
        if not self._rows and not self._pairs:
            return
        for row in self._changed_rows:
            self._vectors[row][self._indexes] = self._rows[row]
        for pair in self._changed_pairs:
            self._scalars[pair][self._indexes] = self._pairs[pair]
        self._changed_rows.clear()
        self._changed_pairs.clear()
        for copies in self._copies:
            copies.clear()


def _gather(array: NDArray[np.uint32], indexes: NDArray[np.intp]) -> Making:
    """Copies as views, because readers of a register check whether it is an array of its own."""
    return lambda number: array[number].take(indexes, axis=0).view()


def _typed(rows: Views, dtype: type[np.generic]) -> Making:
    return lambda row: rows[row].view(dtype)


def _halves(pairs: Views, dtype: type[np.generic]) -> Making:
    return lambda place: pairs[place[0]].view(dtype)[:, place[1]]


def _columns(pairs: Views, dtype: type[np.generic]) -> Making:
    return lambda place: pairs[place[0]].view(dtype)[:, place[1], None]
