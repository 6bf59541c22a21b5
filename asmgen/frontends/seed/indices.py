"""Index arithmetic of pad, gather and reverse, on any number of dims.

A row-major index of the result is split into an index along each axis, and the indices of the input's
element are put together again. All of it is i32; -1 is the index of no element.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from asmgen.index.size import number, numbers
from asmgen.ir.program import Value, tensor_type
from asmgen.ir.types import I32, U32
from asmgen.lanewise.builder import LaneBuilder

Dims = tuple[int, ...]


class MovedIndices:
    """Writes it by a builder. `bounds` are indices, u32, that are known to be less than a number."""

    def __init__(self, builder: LaneBuilder) -> None:
        self._builder = builder
        self.bounds: dict[Value, int] = {}

    def unsigned(self, index: Value) -> Value:
        """-1 becomes the largest number, which no buffer has."""
        return index if index.type.element is U32 else self._builder.bit_cast(index, U32)

    def moved(self, index: Value, by: int) -> Value:
        if not by:
            return index
        moved = self._builder.add(index, self._builder.like(by, index))
        if index in self.bounds and by > 0:
            self.bounds[moved] = self.bounds[index] + by
        return moved

    def inside(self, buffer: Value, index: Value, size: int) -> Value:
        """The index, or the index of the last `size` elements if it is past them."""
        if self.is_surely_inside(buffer, index, size):
            return index
        last = max(0, number(tensor_type(buffer).span) - size)
        return self._builder.min(self.unsigned(index), self._builder.constant(last, U32))

    def is_surely_inside(self, buffer: Value, index: Value, size: int) -> bool:
        bound = self.bounds.get(index)
        return bound is not None and bound + size - 1 <= number(tensor_type(buffer).span)

    def is_inside(self, buffer: Value, index: Value, size: int) -> Value:
        """Whether the buffer has `size` elements from an index on, which is u32."""
        count = max(0, number(tensor_type(buffer).span) - size + 1)
        return self._builder.less(index, self._builder.constant(count, U32))

    def of_some(self, index: Value, made: Value) -> Value:
        """A function of an index that keeps -1."""
        if index.type.element is U32:
            return made
        builder = self._builder
        return builder.where(builder.less(index, builder.constant(0, I32)), builder.constant(-1, I32), made)

    def padded(self, index: Value, dims: Dims, pads: Dims) -> Value:
        """-1 if the element is padding. `pads` has the padding before each axis, then after each axis."""
        builder, rank = self._builder, len(dims)
        outer = tuple([size + pads[axis] + pads[axis + rank] for axis, size in enumerate(dims)])
        places = self._apart(index, outer)
        moved = [self.moved(place, -pads[axis]) for axis, place in enumerate(places)]
        whole = self._together(moved, dims)
        for axis, place in enumerate(moved):
            if pads[axis] or pads[axis + rank]:
                there = builder.less(self.unsigned(place), builder.constant(dims[axis], U32))
                whole = builder.where(there, whole, builder.constant(-1, I32))
        return whole

    def reversed(self, index: Value, dims: Dims, axes: set[int]) -> Value:
        builder = self._builder
        places = self._apart(index, dims)
        turned = [
            builder.sub(builder.constant(dims[axis] - 1, I32), place) if axis in axes else place
            for axis, place in enumerate(places)
        ]
        return self._together(turned, dims)

    def gathered(self, index: Value, dims: Dims, axis: int, buffer: Value) -> Value:
        """The index of the input's element; `buffer` has the indices along `axis`. Negative indices count
        from the end, and an index outside becomes the nearest index inside."""
        builder, type_ = self._builder, tensor_type(buffer)
        count, inner = type_.size, prod(dims[axis + 1 :])
        before, which, after = self._apart(index, (prod(dims[:axis]), count, inner))
        chosen = builder.load(
            buffer, self.inside(buffer, self._placed(which, type_.shape, numbers(type_.strides)), 1)
        )
        place = self._clamped(chosen, dims[axis])
        return self._together([before, place, after], (prod(dims[:axis]), dims[axis], inner))

    def _placed(self, index: Value, dims: Dims, strides: Dims) -> Value:
        """The place of the element of a row-major index in a buffer with these strides."""
        places = self._apart(index, dims)
        if not places:
            return self._builder.constant(0, I32)
        total: Value | None = None
        for place, stride in zip(places, strides, strict=True):
            total = self._sum(total, self._times(place, stride))
        assert total is not None
        return total

    def _clamped(self, index: Value, size: int) -> Value:
        builder = self._builder
        low, high = builder.like(-size, index), builder.like(size - 1, index)
        within = builder.max(builder.min(index, high), low)
        turned = builder.add(within, builder.like(size, index))
        place = builder.where(builder.less(within, builder.like(0, index)), turned, within)
        return place if place.type.element is I32 else builder.convert(place, I32)

    def _apart(self, index: Value, dims: Dims) -> list[Value]:
        """The index along each axis, as i32; 0 along an axis of a single element."""
        builder = self._builder
        rest = index if index.type.element is I32 else builder.bit_cast(index, I32)
        parts: list[Value] = []
        for size in reversed(dims[1:]):
            parts.append(self._remainder(rest, size))
            rest = self._quotient(rest, size)
        return [rest, *reversed(parts)] if dims else []

    def _quotient(self, value: Value, size: int) -> Value:
        return value if size == 1 else self._builder.div(value, self._builder.constant(size, I32))

    def _remainder(self, value: Value, size: int) -> Value:
        if size == 1:
            return self._builder.constant(0, I32)
        whole = self._builder.mul(self._quotient(value, size), self._builder.constant(size, I32))
        return self._builder.sub(value, whole)

    def _together(self, places: Sequence[Value], dims: Dims) -> Value:
        total: Value | None = None
        for axis, place in enumerate(places):
            if dims[axis] > 1:
                total = self._sum(total, self._times(place, prod(dims[axis + 1 :])))
        return self._builder.constant(0, I32) if total is None else total

    def _times(self, value: Value, by: int) -> Value:
        return value if by == 1 else self._builder.mul(value, self._builder.constant(by, I32))

    def _sum(self, a: Value | None, b: Value) -> Value:
        return b if a is None else self._builder.add(a, b)
