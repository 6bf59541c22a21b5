"""Transpose: inputs and outputs are contiguous in memory along different axes.

    {2048,1024} from {1024,2048} of f16, gfx942    transpose[across=8, vector=8, waves=1, lanes=8]
    tile {8,8,8,8}: squares along both axes, the elements of a square along both axes
    read     reg(0:0:1:0 ... 0:0:0:4) lane(0:1 0:2 0:4 1:0 2:0 4:0)     a lane reads 16 bytes of 8 rows,
    written  reg(0:0:0:1 ... 0:0:4:0) the same lanes                    and stores 16 bytes of 8 rows

A lane has a square of elements with whole accesses on both sides, and `relayout` only renames its registers:
narrow elements are put together by permutes, and nothing passes between lanes. Neighbouring lanes have
neighbouring squares along both axes, so that the accesses of a wave fill lines of the cache on both sides.

The squares of a wave are `lanes` along the input's memory, and the others along the output's. If too many of
them would be beyond the ends, as of 3 squares by 784, the lanes take successive squares instead, and each
divides its number. A square that would go beyond the last element is moved back so that it ends with the last
element. Some elements are then in two lanes, which both store the same. If only the launch knows the size of
an axis, the elements after the last whole square are tiles of their own, an element a lane.

A permutation that keeps the last axis has squares too. A row of a square is an access along the last axis. A
lane has several rows, as of heads, and their addresses differ by numbers:

    {4,12,512,64} from {4,512,12,64} of f16        transpose[across=4, vector=8, waves=4]
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from asmgen.blockwise.actions import Below
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.schedules.choices import Transpose
from asmgen.blockwise.schedules.choosing.room import ceil_power
from asmgen.blockwise.schedules.deals import Deal, dealt
from asmgen.blockwise.schedules.elements.indices import Conditions, Indices, unflattened
from asmgen.blockwise.schedules.elements.merged_dims import apart
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.tiles.body import Body
from asmgen.blockwise.schedules.tiles.buffers import Buffers, output_buffers
from asmgen.blockwise.schedules.tiles.reads import Turned
from asmgen.blockwise.types import coordinates
from asmgen.index import Index, constant
from asmgen.index.expression import as_symbol
from asmgen.index.reach import is_within
from asmgen.index.size import Dim, Size, Sizes, divides, most
from asmgen.ir.program import tensor_type
from isa.named_tuple import NamedTuple
from isa.target import Target


class Share(NamedTuple):
    """Squares of `own` elements along an axis of `size` elements, from the element `first` on. There are
    `squares` squares, of which a workgroup has `most` at most, if that is not 0.
    """

    size: Dim
    own: int
    squares: Dim
    first: Dim = 0
    most: int = 0

    def element(self, number: Index, place: Index) -> Index:
        """The element at a place of the square with a number. The last square ends with the last element."""
        begin = number * self.own
        begin = begin.at_most(self.size - self.own) if self._ends_early else begin
        return begin + place + self.first

    @property
    def _ends_early(self) -> bool:
        """Whether the last square would go beyond the last element."""
        return not isinstance(self.size, Size)

    def where(self, number: Index) -> Conditions:
        """The condition under which there is a square with the number."""
        return () if is_within(number, self.squares) else (Below(number, constant(self.squares)),)

    def needed(self, number: Index) -> Conditions:
        """The condition under which a square is within the axis."""
        return () if self._ends_early else self.where(number)


def shares(size: Dim, own: int) -> tuple[Share, ...]:
    """The squares along an axis. If only the launch knows its size, the elements after the last whole square
    are squares of an element each.
    """
    if not isinstance(size, Size):
        return (Share(size, own, -(-size // own)),)
    whole = Share(size, own, size // own)
    rest = Share(size, 1, size % own, size // own * own, own - 1)
    return (whole,) if divides(own, size).is_shown else (whole, rest)


class Found(NamedTuple):
    """The number of a lane's square along each axis, and the conditions under which the lane has a square."""

    others: Indices
    read: Index
    written: Index
    where: Conditions = ()


class Tiles(NamedTuple):
    """A workgroup has squares along both axes: `across` lanes and `along` lanes of each wave."""

    others: Sizes
    read: Share
    written: Share
    across: int
    along: int
    waves: int

    @classmethod
    def of(
        cls, others: Sizes, read: Share, written: Share, choice: Transpose, wave: int, _is_kept: bool
    ) -> Tiles:
        assert choice.lanes is not None
        return cls(others, read, written, choice.lanes, wave // choice.lanes, choice.waves)

    @property
    def grid(self) -> dict[str, Dim]:
        along, across = self.written.own * self.along * self.waves, self.read.own * self.across
        sizes = {"along": -(-self.written.size // along), "across": -(-self.read.size // across)}
        return sizes | ({"other": prod(self.others)} if self.others else {})

    @property
    def lanes(self) -> tuple[Deal, ...]:
        """Neighbouring lanes along the output's memory, so that stores fill lines."""
        return (
            Deal(Part.LANES, 1, self.along),
            Deal(Part.LANES, 0, self.across),
            Deal(Part.REGISTERS, 0, ceil_power(-(-self.read.most // self.across))),
            Deal(Part.WAVES, 1, self.waves),
            Deal(Part.REGISTERS, 1, ceil_power(-(-self.written.most // (self.along * self.waves)))),
        )

    def squares(self, ids: Indices, place: Indices, sizes: Sequence[int]) -> Found:
        """The squares of a workgroup, at the places of a tile of `sizes`."""
        read, written = ids[1] * sizes[0] + place[0], ids[0] * sizes[1] + place[1]
        return Found(self._others(ids), read, written, (*self.read.where(read), *self.written.where(written)))

    def _others(self, ids: Indices) -> Indices:
        """The places along the other axes: the number is not divided by a size that only the launch knows."""
        if not self.others:
            return ()
        order = sorted(range(len(self.others)), key=lambda axis: not isinstance(self.others[axis], Size))
        found = unflattened(ids[2], tuple([self.others[axis] for axis in order]))
        return tuple([found[order.index(axis)] for axis in range(len(order))])


class InOrder(NamedTuple):
    """The lanes have successive squares: those along the shorter axis first, or those of an axis
    that is kept, along which neighbouring lanes go.
    """

    others: Sizes
    read: Share
    written: Share
    wave: int
    waves: int
    is_kept: bool

    @classmethod
    def of(
        cls, others: Sizes, read: Share, written: Share, choice: Transpose, wave: int, is_kept: bool
    ) -> InOrder:
        return cls(others, read, written, wave, choice.waves, is_kept)

    @property
    def grid(self) -> dict[str, Dim]:
        return {"block": -(-prod(self._counts) // (self.wave * self.waves))}

    @property
    def lanes(self) -> tuple[Deal, ...]:
        return Deal(Part.LANES, 0, self.wave), Deal(Part.WAVES, 0, self.waves)

    @property
    def _order(self) -> tuple[int, ...]:
        """The axes, the outermost first: those of `others`, then `read` and `written`."""
        *others, read, written = range(len(self.others) + 2)
        if self.is_kept:
            named = [axis for axis in others if isinstance(self.others[axis], Size)]
            return *named, read, *[axis for axis in others if axis not in named], written
        is_read_first = most(self.read.squares) < most(self.written.squares)
        return (*others, written, read) if is_read_first else (*others, read, written)

    @property
    def _counts(self) -> Sizes:
        counts = (*self.others, self.read.squares, self.written.squares)
        return tuple([counts[axis] for axis in self._order])

    def squares(self, ids: Indices, place: Indices, sizes: Sequence[int]) -> Found:
        """The squares of a workgroup, at the places of a tile of `sizes`."""
        counts, order = self._counts, self._order
        total, number = prod(counts), ids[0] * sizes[0] + place[0]
        where = () if is_within(number, total) else (Below(number, constant(total)),)
        found = unflattened(number.at_most(total - 1) if where else number, counts)
        *others, read, written = [found[order.index(axis)] for axis in range(len(order))]
        return Found(tuple(others), read, written, where)


def schedule(graph: Graph, choice: Transpose, target: Target) -> Kernel:
    """The kernel of a graph that has axes."""
    axes = graph.transposed
    assert axes is not None, "no buffer is contiguous along another axis than the output"
    dims, wave = tensor_type(graph.returns[0]).dims, target.wave_size
    sizes = axes.sizes(dims)
    others = tuple([size for axis, size in enumerate(sizes) if axis not in (axes.read, axes.written)])
    sides = shares(sizes[axes.read], choice.across), shares(sizes[axes.written], choice.vector)
    form = InOrder if choice.lanes is None else Tiles
    divisions = [
        form.of(others, read, written, choice, wave, axes.is_kept) for read, written in product(*sides)
    ]
    builder = TileBuilder(graph.module.name, divisions[0].grid, choice.waves, wave, graph.place)
    buffers, outputs = Buffers(builder, graph.defined), output_buffers(builder, graph)
    for division in divisions:
        read, written = _layouts(division, wave, choice.waves)
        _ = builder.layout("written", written)
        _ = builder.layout("read", read)
        *place, across, along = coordinates(written.shape)
        found = division.squares(builder.ids, tuple(place), written.shape)
        places = list(found.others)
        places.insert(axes.read, division.read.element(found.read, across))
        at = apart(dims, axes.groups, [*places, division.written.element(found.written, along)])
        needed = (*division.read.needed(found.read), *division.written.needed(found.written))
        turned = Turned(read, as_symbol(across)) if across.terms else None
        body = Body(builder, buffers, written, needed, turned=turned)
        for value, output in zip(graph.returns, outputs, strict=True):
            body.store(value, at, output, found.where)
    return builder.kernel()


def _layouts(division: Tiles | InOrder, wave: int, waves: int) -> tuple[Layout, Layout]:
    """The layouts in which squares are read and written: the same elements, in another order of registers."""
    lanes, own = division.lanes, (division.read.own, division.written.own)
    axis = 1 + max([deal.axis for deal in lanes])
    read, written = [Deal(Part.REGISTERS, axis + side, size & -size) for side, size in enumerate(own)]
    repeat = (*(1,) * axis, own[0] // read.size, own[1] // written.size)
    return (
        dealt(axis + 2, (read, written, *lanes), wave, waves, repeat),
        dealt(axis + 2, (written, read, *lanes), wave, waves, repeat),
    )
