"""Transpose: input and output are contiguous in memory along different axes.

    {1000,500} from {500,1000} of f32, gfx942    transpose[tile=64, vector=4, waves=4]
    read     reg(1:0 2:0 ...) lane(4:0 ... 0:1 0:2) wave(0:4 0:8)      16 lanes along the memory of the input
    written  reg(0:1 0:2 ...) lane(0:4 ... 1:0 2:0) wave(4:0 8:0)      16 lanes along that of the output

A square of elements is loaded in a layout along the input, and `relayout` changes it to a layout along the
output, for ops and stores. Buffers with the order of the output are loaded in that layout.

The square of a workgroup of several waves goes through LDS. A wave of 64 lanes has a square of words to
itself, 8 by 8 blocks of 4 by 4: a lane loads a block and stores the mirrored block, so that each of its
registers comes from a single other lane. That takes no barrier and no LDS; squares of 16 KB in LDS would
limit a SIMD of gfx942 to four waves.
"""

from __future__ import annotations

from math import prod

from asmgen.blockwise.actions import Below
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.schedules.choices import Transpose
from asmgen.blockwise.schedules.choosing.room import holds
from asmgen.blockwise.schedules.deals import Deal, dealt
from asmgen.blockwise.schedules.elements.indices import Indices, total, unflattened
from asmgen.blockwise.schedules.elements.maps import leaves
from asmgen.blockwise.schedules.tiles.body import Body
from asmgen.blockwise.schedules.tiles.buffers import Buffers, output_buffers
from asmgen.blockwise.schedules.tiles.reads import Turned
from asmgen.blockwise.schedules.work import Graph, coordinate_symbols
from asmgen.blockwise.types import coordinates
from asmgen.graph.ops import PARAM
from asmgen.index import Index, constant
from asmgen.index.expression import as_symbol
from asmgen.index.reach import is_within
from asmgen.index.size import Dim, at_least, at_most
from asmgen.ir.program import tensor_type
from isa.named_tuple import NamedTuple
from isa.target import Target

TILE = 64  # elements along each side of a square
GROUP_LANES = 256
WORD = 4  # bytes that lanes exchange
SEGMENT_LANES = 8  # with accesses of 16 bytes a cache line
LEAST = TILE  # elements of the shorter side: a square is full


class Axes(NamedTuple):
    """The dims of the outputs along which buffers that are read, and that are written, are contiguous."""

    read: int
    written: int


def axes_of(graph: Graph) -> Axes | None:
    """The axes of a transpose; None of a kernel that is none, or has outputs of several shapes."""
    shapes = {tensor_type(value).dims for value in graph.returns}
    if graph.reductions or len(shapes) != 1:
        return None
    (dims,) = shapes
    long = [axis for axis, dim in enumerate(dims) if not at_most(dim, 1).is_shown]
    if 0 in dims or len(long) < 2:
        return None
    written = long[-1]
    symbols = coordinate_symbols(dims)
    for value in graph.returns:
        for leaf in leaves(graph.defined, value, symbols):
            if graph.defined[leaf.value].op is not PARAM:
                continue
            address = total(leaf.indices, tensor_type(leaf.value).strides)
            read = [
                axis
                for axis in range(len(dims))
                if symbols[axis].terms and _steps(address, symbols[axis]) == 1
            ]
            if read and written not in read and _steps(address, symbols[written]):
                return Axes(read[0], written)
    return None


def _steps(address: Index, index: Index) -> int:
    """The stride of a buffer along an axis; 0 if it is not a number."""
    return address.coefficient(as_symbol(index))


def is_worth(graph: Graph, axes: Axes) -> bool:
    """Whether both sides are at least as long as a square; in a smaller square lanes would idle."""
    dims = tensor_type(graph.returns[0]).dims
    return all(at_least(dims[axis], LEAST).is_possible for axis in axes)


def choose(graph: Graph, target: Target) -> Transpose:
    """The square of a wave if its lanes can exchange words, else a square of 64 elements a side, with
    accesses of 16 bytes on both sides. If a lane's part does not fit in registers, half a side.
    """
    element = max([tensor_type(value).element.bytes for value in graph.returns])
    if element == WORD and target.wave_size == SEGMENT_LANES**2 and target.wave_wide_bpermute:
        return Transpose(SEGMENT_LANES * 16 // WORD, 16 // WORD, 1)
    side = TILE if holds(graph.work, TILE**2 // GROUP_LANES) else TILE // 2
    return Transpose(side, max(1, min(16 // element, 8)), GROUP_LANES // target.wave_size)


def _read(rank: int, axes: Axes, choice: Transpose, wave: int) -> Layout:
    """Lanes along the memory of the input as far as the square goes. A lane has as many rows next to each
    other as lanes and waves leave it.
    """
    along = choice.tile // choice.vector
    lanes = min(wave, along)
    across = choice.tile // (wave // lanes * choice.waves)
    deals = (
        Deal(Part.REGISTERS, axes.read, choice.vector),
        Deal(Part.LANES, axes.read, lanes),
        Deal(Part.REGISTERS, axes.read, along // lanes),
        Deal(Part.REGISTERS, axes.written, across),
        Deal(Part.LANES, axes.written, wave // lanes),
        Deal(Part.WAVES, axes.written, choice.waves),
    )
    made = dealt(rank, deals, wave, choice.waves)
    return made if choice.waves > 1 else _apart(made)


def _apart(read: Layout) -> Layout:
    """The layout of a wave's square in which the lanes of each half of the wave are read by different lanes,
    modulo a half, after the square is mirrored. The exchange has a bank for each lane of a half.

    The upper half of the lanes has its blocks of a row in another order: the two halves of them are swapped.
    """
    middle, last = read.lanes[len(read.lanes) // 2 - 1], read.lanes[-1]
    return read._replace(lanes=(*read.lanes[:-1], last ^ middle))


def _written(rank: int, axes: Axes, choice: Transpose, wave: int) -> Layout:
    """Lanes lie along a segment of the output's memory, and the other lanes along the input's memory, so that
    a read of LDS touches all banks. Without LDS a lane keeps to a block.
    """
    along = choice.tile // choice.vector
    lanes = min(along, SEGMENT_LANES)
    across = wave // lanes
    block = choice.tile // across if choice.waves == 1 else 1
    deals = (
        Deal(Part.REGISTERS, axes.read, block),
        Deal(Part.REGISTERS, axes.written, choice.vector),
        Deal(Part.LANES, axes.written, lanes),
        Deal(Part.LANES, axes.read, across),
        Deal(Part.WAVES, axes.read, choice.waves),
        Deal(Part.REGISTERS, axes.written, along // lanes),
        Deal(Part.REGISTERS, axes.read, choice.tile // (across * choice.waves * block)),
    )
    return dealt(rank, deals, wave, choice.waves)


def schedule(graph: Graph, choice: Transpose, target: Target) -> Kernel:
    """The kernel of a graph of which `axes_of` finds the axes."""
    axes = axes_of(graph)
    assert axes is not None, "no buffer is contiguous along another axis than the output"
    dims, wave, side = tensor_type(graph.returns[0]).dims, target.wave_size, choice.tile
    rank, waves = len(dims), choice.waves

    written, read = _written(rank, axes, choice, wave), _read(rank, axes, choice, wave)
    others = tuple([dim for axis, dim in enumerate(dims) if axis not in axes])
    grid: dict[str, Dim] = {"along": -(-dims[axes.written] // side), "across": -(-dims[axes.read] // side)}
    has_others = not at_most(prod(others), 1).is_shown
    grid |= {"other": prod(others)} if has_others else {}
    builder = TileBuilder(graph.module.name, grid, waves, wave, graph.place)
    _ = builder.layout("written", written)
    _ = builder.layout("read", read)
    buffers, outputs = Buffers(builder, graph.defined), output_buffers(builder, graph)
    tile = coordinates(written.shape)
    rest = list(unflattened(builder.ids[2], others) if has_others else (constant(0),) * len(others))
    places = {axes.written: builder.ids[0], axes.read: builder.ids[1]}
    at: Indices = tuple(
        [places[axis] * side + tile[axis] if axis in places else rest.pop(0) for axis in range(rank)]
    )
    where = tuple(
        [Below(at[axis], constant(dims[axis])) for axis in axes if not is_within(at[axis], dims[axis])]
    )
    body = Body(builder, buffers, written, where, turned=Turned(read, as_symbol(tile[axes.read])))
    for value, output in zip(graph.returns, outputs, strict=True):
        body.store(value, at, output)
    return builder.kernel()
