"""The registers of the waves that step together: views that are made once where the waves lie side by side, else copies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Views(dict[Any, Any]):
    """The part of an array at a key, for the waves of a slice: a view, made when it is first asked for. What is stored goes into the array."""

    def __init__(self, array: NDArray[Any], select: Any) -> None:
        super().__init__()
        self._array, self._select = array, select

    def __missing__(self, key: Any) -> Any:
        view = self._array[(*key, self._select) if isinstance(key, tuple) else (key, self._select)]
        super().__setitem__(key, view)
        return view

    def __setitem__(self, key: Any, value: Any) -> None:
        self[key][...] = value


class Copies:
    """The part of an array at a key, for waves that lie apart: a copy. What is stored goes into the array."""

    def __init__(self, array: NDArray[Any], indexes: NDArray[np.intp]) -> None:
        self._array, self._indexes = array, indexes

    def __getitem__(self, key: Any) -> Any:
        return self._array[key].take(self._indexes, axis=0)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._array[key][self._indexes] = value


@dataclass(frozen=True, slots=True)
class Group:
    """The registers of the waves `select` as its instructions read and write them.

    `rows` are vector registers as uint32[wave, lane], by their row. `scalars` are scalar registers as uint32[wave], by pair
    and half, `pairs` two of them as uint64[wave]; of one wave they are numpy scalars, which are much faster than arrays.
    `columns` are scalar registers as vector instructions read them: [wave, 1], of one wave without an axis.
    """

    select: Any
    adjacent: bool
    rows: Any
    signed_rows: Any
    float_rows: Any
    scalars: Any
    signed_scalars: Any
    pairs: Any
    columns: Any
    signed_columns: Any
    float_columns: Any


def group_of(vectors: NDArray[np.uint32], scalars: NDArray[np.uint32], indexes: NDArray[np.intp]) -> Group:
    """The group of these waves, of vector registers [row, wave, lane] and scalar ones [pair, wave, half]."""
    first, count = int(indexes[0]), len(indexes)
    lane_types = (np.uint32, np.int32, np.float32)
    rows = [vectors.view(dtype) for dtype in lane_types]
    halves = scalars.transpose(0, 2, 1)
    wide = [halves, halves.view(np.int32), scalars.view(np.uint64)[..., 0]]
    columns = [halves.view(dtype)[..., None] for dtype in lane_types]
    if int(indexes[-1]) - first != count - 1:
        return Group(indexes, False, *(Copies(array, indexes) for array in (*rows, *wide, *columns)))
    select = slice(first, first + count)
    if count > 1:
        return Group(select, True, *(Views(array, select) for array in (*rows, *wide, *columns)))
    one = scalars[:, first, :]
    values: list[Any] = [Views(array, select) for array in rows]
    values += [one, one.view(np.int32), one.view(np.uint64)[:, 0]]
    values += [Views(one.view(dtype), ...) for dtype in lane_types]
    return Group(select, True, *values)
