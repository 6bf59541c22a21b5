"""The types of values in tile programs: a buffer in global memory (`asmgen.ir.types.TensorType`), a tile, or
LDS.
"""

from __future__ import annotations

from asmgen.blockwise.layout.layout import Layout, Sizes
from asmgen.blockwise.layout.placement import Placement
from asmgen.index import Index, constant, symbol
from asmgen.ir.types import ElementType, TensorType
from isa.named_tuple import NamedTuple

MAX_RANK = 8
MOST_OF_LANE = 1 << 13  # elements of a tile: more than fill its registers, and each is a statement of its own


class TileType(NamedTuple):
    """Elements in the registers of a workgroup; the layout says which register of which lane has which."""

    element: ElementType
    layout: Layout

    @property
    def shape(self) -> Sizes:
        return self.layout.shape

    @property
    def coordinates(self) -> tuple[Index, ...]:
        """`c0`, `c1`, ...: the coordinates of an element, as attributes of an op on the tile name them."""
        return coordinates(self.shape)


class LdsType(NamedTuple):
    """`slots` tiles of the same shape and placement, consecutive in the LDS of the workgroup."""

    element: ElementType
    placement: Placement
    slots: int = 1

    @property
    def shape(self) -> Sizes:
        """The shape of a slot."""
        return self.placement.shape

    def is_aligned(self, elements: int) -> bool:
        """Whether padding and slots leave offsets that are multiples of so many elements as they are."""
        every, extra = self.placement.padding
        steps = (every, extra, self.placement.elements if self.slots > 1 else 0)
        return all(step % elements == 0 for step in steps)

    @property
    def bytes(self) -> int:
        return self.slots * self.placement.elements * self.element.bytes


Type = TensorType | TileType | LdsType


def coordinates(shape: Sizes) -> tuple[Index, ...]:
    """`c0`, `c1`, ... of a tile of the shape; along an axis of size 1 the coordinate is 0."""
    return tuple(
        [symbol(f"c{axis}", 0, size - 1) if size > 1 else constant(0) for axis, size in enumerate(shape)]
    )


def wave_of(layout: Layout) -> Index:
    """`wave`: the number of the wave that has an element, for attributes of an op on a tile. It is 0 in a
    layout of a single wave."""
    return symbol("wave", 0, layout.wave_count - 1) if layout.wave_count > 1 else constant(0)
