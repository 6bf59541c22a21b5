"""Tiles as arrays by wave, lane and register: which elements each lane has, and how it gets those that it
needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asmgen.blockwise.actions import Contract, Reduce, Scan, Sort
from asmgen.blockwise.interpret.combine import UFUNCS, neutral, scan_axis, sort_axis, sum_of_bins
from asmgen.blockwise.interpret.tables import coordinates, elements, offsets, registers_of, waves, writers
from asmgen.blockwise.interpret.whole import WholeTiles
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.queries import kept_registers, within_axes
from asmgen.blockwise.layout.relayout import MoveKind, relayout
from asmgen.blockwise.types import LdsType
from asmgen.ir.program import Scope

Array = NDArray[Any]
Numbers = NDArray[np.int64]


class HolderTiles:
    """An element of an array is a register of a lane of a wave."""

    def coordinates(self, layout: Layout) -> tuple[Numbers, ...]:
        return coordinates(layout)

    def waves(self, layout: Layout) -> Numbers:
        return waves(layout)

    def writers(self, layout: Layout) -> NDArray[np.bool_]:
        return writers(layout)

    def relayout(self, array: Array, source: Layout, result: Layout) -> Array:
        """A register of the same lane if registers are renamed, of the same wave if lanes exchange, or of any
        wave through LDS.
        """
        kind = relayout(source, result).kind
        if kind in (MoveKind.NOTHING, MoveKind.REGISTERS):
            return np.take_along_axis(array, registers_of(source, elements(result)), axis=2)
        return pack(unpack(array, source), result)

    def reshape(self, array: Array, result: Layout) -> Array:
        return array

    def broadcast(self, array: Array, source: Layout, result: Layout) -> Array:
        at = [
            place if size > 1 else 0 * place
            for place, size in zip(coordinates(result), source.shape, strict=True)
        ]
        wanted: Numbers = np.ravel_multi_index(tuple(at), source.shape)
        return np.take_along_axis(array, registers_of(source, wanted), axis=2)

    def reduce(self, array: Array, action: Reduce, source: Layout, result: Layout) -> Array:
        """Combine registers first, then pairs of lanes with numbers that differ in a single bit, then
        waves."""
        combine, bits = UFUNCS[action.op], within_axes(source, action.axes)
        kept = kept_registers(source, action.axes)
        own: Array = np.full((*array.shape[:2], result.register_count), neutral(action.op, array.dtype))
        once = sum(1 << bit for bit, basis in enumerate(source.registers) if not basis)
        for register in range(array.shape[2]):
            if not register & once:
                own[:, :, kept[register]] = combine(own[:, :, kept[register]], array[:, :, register])
        for bit in bits.lanes if action.within >= Scope.WAVE else ():
            own = combine(own, own[:, np.arange(own.shape[1]) ^ 1 << bit])
        for bit in bits.waves if action.within >= Scope.WORKGROUP else ():
            own = combine(own, own[np.arange(own.shape[0]) ^ 1 << bit])
        return own

    def scan(self, arrays: Sequence[Array], action: Scan, layouts: Sequence[Layout]) -> tuple[Array, ...]:
        whole = [unpack(array, layout) for array, layout in zip(arrays, layouts, strict=False)]
        scanned = scan_axis(action, *whole)
        return tuple([pack(array, layout) for array, layout in zip(scanned, layouts, strict=False)])

    def sort(self, arrays: Sequence[Array], action: Sort, layouts: Sequence[Layout]) -> tuple[Array, ...]:
        whole = [unpack(array, layout) for array, layout in zip(arrays, layouts, strict=False)]
        results = layouts[len(arrays) :]
        return tuple(
            [pack(array, layout) for array, layout in zip(sort_axis(action, *whole), results, strict=True)]
        )

    def bin_sum(self, arrays: Sequence[Array], layouts: Sequence[Layout]) -> Array:
        numbers, places = (unpack(array, layout) for array, layout in zip(arrays, layouts, strict=False))
        return pack(sum_of_bins(numbers, places, layouts[2].shape[0]), layouts[2])

    def scaled(self, arrays: Sequence[Array], layouts: Sequence[Layout]) -> tuple[Array, Array]:
        """The factors times their scales, in f64."""
        whole = [unpack(array, layout) for array, layout in zip(arrays, layouts, strict=False)]
        a, b = WholeTiles().scaled(whole, layouts)
        return pack(a, layouts[0]), pack(b, layouts[1])

    def contract(
        self, action: Contract, arrays: tuple[Array, Array, Array], layouts: tuple[Layout, Layout, Layout]
    ) -> Array:
        """With a matrix instruction the whole product is computed at once. Without it each lane multiplies
        its own elements of a and b.
        """
        of_a, of_b, of_c = layouts
        if action.by:
            whole = (unpack(arrays[0], of_a), unpack(arrays[1], of_b), unpack(arrays[2], of_c))
            return pack(WholeTiles().contract(action, whole, layouts), of_c)
        *outer, m, n = coordinates(of_c)
        (*counts, rows, columns), summed = of_c.shape, of_a.shape[-1]
        number = np.ravel_multi_index(outer, counts) if outer else 0
        a, b, c = arrays
        for k in range(summed):
            factor = np.take_along_axis(
                a, registers_of(of_a, (number * rows + m) * summed + k), axis=2
            ).astype(c.dtype)
            other = np.take_along_axis(
                b, registers_of(of_b, (number * summed + k) * columns + n), axis=2
            ).astype(c.dtype)
            c = c + factor * other
        return c

    def lds(self, type_: LdsType, of: np.dtype[Any]) -> Array:
        """Memory by offset."""
        return np.zeros((type_.slots, type_.placement.elements), of)

    def lds_index(
        self, type_: LdsType, layout: Layout, origin: tuple[int, ...], slot: int
    ) -> tuple[Any, ...]:
        """The slot, and the offset of every holder's element."""
        at = tuple([place + first for place, first in zip(coordinates(layout), origin, strict=True)])
        return (slot, offsets(type_.placement)[at])


def unpack(array: Array, layout: Layout) -> Array:
    """The tile as an array of its shape. Raises `ValueError` if copies differ."""
    whole = np.zeros(int(np.prod(layout.shape)), array.dtype)
    whole[elements(layout)[writers(layout)]] = array[writers(layout)]
    if not np.array_equal(whole[elements(layout)], array, equal_nan=array.dtype.kind == "f"):
        raise ValueError("holders with copies of an element have different values")
    return whole.reshape(layout.shape)


def pack(whole: Array, layout: Layout) -> Array:
    """The element of a tile that every holder has."""
    return whole.reshape(-1)[elements(layout)]
