"""Layouts of the loads from LDS that transpose: which lane gives the address of an element of a tile.

ds_read_b64_tr_b16: each lane's address names four adjacent elements. Lanes exchange them in groups of 16, as
if the lanes' bytes were the four rows of a matrix with 16 columns; lane i gets column i:

    the tile         reg(1:0 2:0) lane(0:1 0:2 0:4 0:8 ...)      a lane has four rows of a column
    the addresses    reg(0:1 0:2) lane(0:4 0:8 1:0 2:0 ...)      and reads four columns of a row

The first register bits of the tile are those of an instruction. They change places with lane bits. From the
addresses' layout follow, as for other loads, the offsets in LDS, the banks, and the memory that it touches.
"""

from __future__ import annotations

from functools import cache

from asmgen.blockwise.layout import f2
from asmgen.blockwise.layout.layout import Layout, layout
from asmgen.ir.types import BOOL, ElementType
from isa.diagnostics import InternalError
from isa.named_tuple import NamedTuple
from isa.table import table_of
from isa.target import Target


class TransposingLoad(NamedTuple):
    """A lane's elements are `1 << own` elements of `bits` bits. `places` has, for each bit of the number
    `lane << own | element` of an element that a lane gets, the number of the element that it comes from."""

    name: str
    bits: int
    own: int
    places: f2.Columns

    @property
    def elements(self) -> int:
        """How many elements a lane's address names."""
        return 1 << self.own

    def loads(self, element: ElementType) -> bool:
        return element.bits == self.bits and element is not BOOL

    def addresses(self, tile: Layout) -> Layout | None:
        """The layout of the elements that the lanes' addresses name, of the same registers; None if the tile
        has too few registers or other lanes."""
        own = self.own
        if len(tile.registers) < own or own + len(tile.lanes) != len(self.places):
            return None
        back = f2.right_inverse(self.places, len(self.places))
        assert back is not None, "every element goes to a lane"
        named = f2.compose((*tile.registers[:own], *tile.lanes), back)
        registers = (*named[:own], *tile.registers[own:])
        return layout(tile.sizes, registers, named[own:], tile.waves, tile.repeat)


@cache
def transposing_load(name: str, target: Target) -> TransposingLoad | None:
    """A transposing load from LDS by its name; None if the target has none of the name."""
    from asmgen.lanewise.transposes import semantics_of, transpose_row

    row = transpose_row(table_of(target), name)
    if row is None:
        return None
    what = semantics_of(row)
    origins = what.origins().reshape(-1).tolist()
    places = tuple([origins[1 << bit] for bit in range(len(origins).bit_length() - 1)])
    if f2.image(places) != origins:
        raise InternalError("blockwise", name, "its exchange of elements is not a map of bits")
    return TransposingLoad(name, what.bits, what.elements.bit_length() - 1, places)


@cache
def transposing_loads(target: Target) -> tuple[TransposingLoad, ...]:
    """Every transposing load from LDS that the target has."""
    from asmgen.lanewise.transposes import transpose_names

    loads = [transposing_load(name, target) for name in transpose_names(table_of(target))]
    return tuple([load for load in loads if load is not None])
