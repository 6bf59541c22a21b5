"""The registers of the waves that step together, as their instructions read and write them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

LANE_TYPES = (np.uint32, np.int32, np.float32)
Select = Any  # a slice of waves, or their indexes
Making = Callable[[Any], Any]


class Views(dict[Any, Any]):
    """Parts of an array by a key, each made on first use. A store goes into the part."""

    def __init__(self, make: Making) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Any) -> Any:
        view = self._make(key)
        super().__setitem__(key, view)
        return view

    def __setitem__(self, key: Any, value: Any) -> None:
        self[key][...] = value


class Group(Struct, frozen=True):
    """The registers of the waves `select`.

    * `rows`: vector registers as uint32[wave, lane], by row. A result may be stored to any of them
    * `changing` (the same registers), `targets` (by row and type): may also be changed in place; a change in
      place of any other view is lost if the view is a copy
    * `blocks`: consecutive registers as uint32[wave, register, lane], by the first row and the row after the
      last
    * `scalars`, `pairs`: scalar registers as uint32[wave], by pair and half, and pairs as uint64[wave]. For a
      single wave they are numpy scalars, which are much faster than arrays
    * `columns`: scalar registers for vector instructions: [wave, 1], without an axis for a single wave
    """

    select: Select
    rows: Any
    signed_rows: Any
    float_rows: Any
    changing: Any
    targets: Any
    blocks: Any
    scalars: Any
    signed_scalars: Any
    pairs: Any
    columns: Any
    signed_columns: Any
    float_columns: Any


def adjacent_group(vectors: NDArray[np.uint32], scalars: NDArray[np.uint32], first: int, count: int) -> Group:
    """Views of adjacent waves, of vector registers [row, wave, lane] and scalar registers [pair, wave,
    half]."""
    select = slice(first, first + count)
    rows, signed_rows, float_rows = (Views(_rows(vectors.view(dtype), select)) for dtype in LANE_TYPES)
    targets = Views(lambda key: vectors[key[0], select].view(key[1]))
    blocks = Views(lambda rows: vectors[rows[0] : rows[1], select].swapaxes(0, 1))
    halves: Any = [scalars[:, first, :].view(dtype) for dtype in LANE_TYPES]
    if count == 1:
        values, signed_values, pairs = halves[0], halves[1], halves[0].view(np.uint64)[:, 0]
        columns, signed_columns, float_columns = (Views(_numbers(half)) for half in halves)
    else:
        values, signed_values = (Views(_halves(scalars.view(dtype), select)) for dtype in LANE_TYPES[:2])
        pairs = Views(_rows(scalars.view(np.uint64)[..., 0], select))
        columns, signed_columns, float_columns = (
            Views(_halves(scalars.view(dtype)[..., None], select)) for dtype in LANE_TYPES
        )
    return Group(
        select, rows, signed_rows, float_rows, rows, targets, blocks, values, signed_values, pairs,
        columns, signed_columns, float_columns,
    )  # fmt: skip


def _rows(array: NDArray[Any], select: Select) -> Making:
    return lambda row: array[row, select]


def _halves(array: NDArray[Any], select: Select) -> Making:
    return lambda place: array[place[0], select, place[1]]


def _numbers(array: NDArray[Any]) -> Making:
    """Arrays without axes that share the array's memory."""
    return lambda place: array[(*place, ...)]
