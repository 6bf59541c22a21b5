"""Placements of a tile in LDS: the element at each offset.

A placement is a layout with offsets as holders: bit i of an offset, counted in elements, has a basis, and an
offset that mixes bases is a *swizzle*. `{4,8}` of f32 with columns turned by the row:

    offset(0:1 0:2 0:4 1:1 2:2)

Offset 8 has row 1, column 1: bit 3 is set, which has the basis 1:1. Padding is not an XOR and comes
afterwards: `pad(64:4)` leaves 4 elements free after every 64. A tile that is not a power of two is repeated,
as whole tiles in a row.
"""

from __future__ import annotations

from functools import cache
from math import prod

from asmgen.blockwise.layout import f2
from asmgen.blockwise.layout.layout import Layout, Sizes, fault, join, split
from isa.diagnostics import InternalError
from isa.named_tuple import NamedTuple


class Padding(NamedTuple):
    """`extra` elements are left free after every `every` elements; both numbers are 0 without padding."""

    every: int = 0
    extra: int = 0

    def padded(self, offset: int) -> int:
        return offset + offset // self.every * self.extra if self.every else offset


class Placement(NamedTuple):
    """Made by `placement`. `offsets` are the bases of the offset's bits, low bit first; `repeat` as in a
    layout.
    """

    sizes: Sizes
    offsets: tuple[int, ...]
    repeat: Sizes = ()
    padding: Padding = Padding()

    @property
    def shape(self) -> Sizes:
        return self._layout.shape

    @property
    def _layout(self) -> Layout:
        return Layout(self.sizes, self.offsets, (), (), self.repeat)

    @property
    def elements(self) -> int:
        """How many elements of LDS it takes, padding between them included."""
        return self.padding.padded(prod(self.shape) - 1) + 1

    @property
    def fault(self) -> str:
        """The rule that it breaks; empty if it breaks none."""
        if self.padding.every and (self.padding.every < 1 or self.padding.extra < 1):
            return f"the padding is {self.padding.every}:{self.padding.extra}, wanted positive numbers"
        if 0 in self.offsets:
            return f"offset bit {self.offsets.index(0)} has a zero basis, wanted one offset for each element"
        return fault(self._layout).replace("register", "offset")

    def offset(self, element: Sizes) -> int:
        """The offset of an element, in elements from the beginning of the slot."""
        inside = join(tuple([at % size for at, size in zip(element, self.sizes, strict=True)]), self.sizes)
        turn = join(
            tuple([at // size for at, size in zip(element, self.sizes, strict=True)]), self._layout.counts
        )
        return self.padding.padded(f2.apply(inverse(self), inside) | turn << len(self.offsets))

    def element(self, offset: int) -> Sizes:
        """The element at an offset, which is counted without padding."""
        inside = split(f2.apply(self.offsets, offset), self.sizes)
        turns = split(offset >> len(self.offsets), self._layout.counts)
        return tuple([at + turn * size for at, turn, size in zip(inside, turns, self.sizes, strict=True)])


def placement(
    sizes: Sizes, offsets: tuple[int, ...], repeat: Sizes = (), padding: Padding = Padding()
) -> Placement:
    """A legal placement. Raises `InternalError` with the broken rule."""
    made = Placement(sizes, offsets, repeat if any(count != 1 for count in repeat) else (), padding)
    if made.fault:
        raise InternalError("blockwise", "placement", made.fault)
    return made


def row_major(sizes: Sizes) -> Placement:
    """Rows in order; `sizes` are powers of two."""
    return placement(sizes, tuple([1 << bit for bit in range(prod(sizes).bit_length() - 1)]))


@cache
def inverse(of: Placement) -> f2.Columns:
    """For each bit of an element's number the offset that it is at, inside the tile that is repeated."""
    columns = f2.right_inverse(of.offsets, prod(of.sizes).bit_length() - 1)
    assert columns is not None, "a placement has an offset for every element"
    return columns


@cache
def offset_columns(of: Placement, layout: Layout) -> f2.Columns:
    """For each bit of a holder of `layout`, the offset that it adds, by XOR, before padding. The tile of the
    layout may be a part of the placed tile.
    """
    moved = [join(split(basis, layout.sizes), of.sizes) for basis in layout.columns]
    return f2.compose(inverse(of), tuple(moved))


@cache
def origin_columns(of: Placement, part: Sizes, axis: int) -> f2.Columns:
    """For each bit of the number of a part of these sizes along an axis, the offset that it adds, by XOR."""
    steps = [part[axis] << bit for bit in range(32) if part[axis] << bit < of.sizes[axis]]
    units = [tuple([step if at == axis else 0 for at in range(len(part))]) for step in steps]
    return f2.compose(inverse(of), tuple([join(unit, of.sizes) for unit in units]))
