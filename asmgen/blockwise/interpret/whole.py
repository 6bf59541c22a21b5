"""Tiles as arrays of their shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asmgen.blockwise.actions import SCALED, Contract, Reduce, Scan, Sort
from asmgen.blockwise.interpret.combine import UFUNCS, neutral, reduce_axes, scan_axis, sort_axis, sum_of_bins
from asmgen.blockwise.interpret.tables import elements, waves, writers
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.queries import kept_registers
from asmgen.blockwise.types import LdsType

Array = NDArray[Any]
Numbers = NDArray[np.int64]


class WholeTiles:
    """An element of an array is an element of the tile."""

    def coordinates(self, layout: Layout) -> tuple[Numbers, ...]:
        return tuple(np.indices(layout.shape))

    def waves(self, layout: Layout) -> Numbers:
        found: Numbers = np.zeros(layout.shape, np.int64)
        found.reshape(-1)[elements(layout)] = waves(layout)
        return found

    def writers(self, layout: Layout) -> NDArray[np.bool_]:
        return np.ones(layout.shape, np.bool_)

    def relayout(self, array: Array, source: Layout, result: Layout) -> Array:
        return array

    def reshape(self, array: Array, result: Layout) -> Array:
        return array.reshape(result.shape)

    def broadcast(self, array: Array, source: Layout, result: Layout) -> Array:
        return np.broadcast_to(array, result.shape)

    def reduce(self, array: Array, action: Reduce, source: Layout, result: Layout) -> Array:
        """If only a lane or a wave combines its elements, the layout gives these elements."""
        if all(result.shape[axis] == 1 for axis in action.axes):
            return reduce_axes(action.op, array, action.axes)
        combined = np.full(result.shape, neutral(action.op, array.dtype))
        once = writers(source)
        to = np.broadcast_to(elements(result)[:, :, list(kept_registers(source, action.axes))], once.shape)
        UFUNCS[action.op].at(combined.reshape(-1), to[once], array.reshape(-1)[elements(source)[once]])
        return combined

    def scan(self, arrays: Sequence[Array], action: Scan, layouts: Sequence[Layout]) -> tuple[Array, ...]:
        return scan_axis(action, *arrays)

    def sort(self, arrays: Sequence[Array], action: Sort, layouts: Sequence[Layout]) -> tuple[Array, ...]:
        return sort_axis(action, *arrays)

    def bin_sum(self, arrays: Sequence[Array], layouts: Sequence[Layout]) -> Array:
        return sum_of_bins(arrays[0], arrays[1], layouts[2].shape[0])

    def scaled(self, arrays: Sequence[Array], _layouts: Sequence[Layout]) -> tuple[Array, Array]:
        """The factors times their scales, in f64."""
        a, b, _, of_a, of_b = [array.astype(np.float64) for array in arrays]
        return a * np.repeat(of_a, SCALED, -1), b * np.repeat(of_b, SCALED, -2)

    def contract(
        self, action: Contract, arrays: tuple[Array, Array, Array], layouts: tuple[Layout, Layout, Layout]
    ) -> Array:
        """In f64, rounded once."""
        a, b, c = arrays
        if c.dtype.kind in "iu":
            return c + a.astype(c.dtype) @ b.astype(c.dtype)
        return (c.astype(np.float64) + a.astype(np.float64) @ b.astype(np.float64)).astype(c.dtype)

    def lds(self, type_: LdsType, of: np.dtype[Any]) -> Array:
        return np.zeros((type_.slots, *type_.shape), of)

    def lds_index(
        self, type_: LdsType, layout: Layout, origin: tuple[int, ...], slot: int
    ) -> tuple[Any, ...]:
        """The part of the array of LDS in which the tile is."""
        return (slot, *[slice(first, first + size) for first, size in zip(origin, layout.shape, strict=True)])
