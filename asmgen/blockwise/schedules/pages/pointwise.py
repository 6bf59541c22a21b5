"""Pointwise: deals the elements of the outputs to workgroups in row-major order.

    z = add(x, broadcast(b)), x {1000,512} and b {512} of f32, on gfx942:    pointwise[vector=4, waves=4]
    tile {1024} @ reg(1 2) lane(4 ... 128) wave(256 512); x is read at 1024*block + c0, b at that mod 512

If data choose rows of a buffer, rows may begin at multiples of `row`, so that waves have whole rows:

    z = gather(t, ids), rows of {1000} f16, on gfx942:    pointwise[vector=8, waves=1, repeat=8, row=1024]
    element c0 of the tile is in the row 4*block + c0 floordiv 1024 and the column
    min(8*((c0 floordiv 8) mod 128), 992) + c0 mod 8

If elements are copies of each other, as in an image of twice the size, the tile has an axis of copies, along
which a lane has registers. It loads and computes an element once, and stores each copy:

    o {16,56,56,64} of x {16,28,28,64}, f16:    pointwise[vector=8, waves=4]
    tile {2048,4}; element {c0, c1} is x at 2048*block + c0, stored to the four places that c1 says

For {1001} elements the number is min(1024*block + 4*(c0 floordiv 4), 997) + c0 mod 4. Outputs of other dims
are tiles of their own, in the same workgroups.

Long rows that share numbers, as the channels {64,1,1} of an image, have workgroups of their own: the grid is
the pieces of a row, then the rows. Rows of few numbers that all rows share, as {64} of {n,64}, are taken
several a lane, each in the same columns.

If only the launch knows the number of elements n, whole vectors end at 4*(n floordiv 4). In the first
workgroup, a branch takes the up to three elements after them, an element a lane.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import prod

from asmgen.blockwise.actions import Below
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.schedules.choices import Pointwise
from asmgen.blockwise.schedules.deals import Deal, dealt
from asmgen.blockwise.schedules.elements.indices import ZERO, Conditions, Indices
from asmgen.blockwise.schedules.elements.sections import Section
from asmgen.blockwise.schedules.tiles.body import Body
from asmgen.blockwise.schedules.tiles.buffers import Buffers, output_buffers
from asmgen.blockwise.schedules.work import Graph
from asmgen.blockwise.types import coordinates
from asmgen.index import Index, constant
from asmgen.index.reach import is_within
from asmgen.index.size import Dim, Size, divides, largest
from isa.named_tuple import NamedTuple
from isa.target import Target

_OUTER = ("other", "part")  # as many as `OUTER_AXES`


def schedule(graph: Graph, choice: Pointwise, target: Target) -> Kernel:
    """The kernel of a graph without reductions."""
    sections = graph.sections
    layouts = [
        _layout(
            section.vector(choice.vector, choice.row is not None),
            choice.repeat,
            choice.waves,
            target.wave_size,
            section.copies.number,
        )
        for section in sections
    ]
    counts = [
        -(-_places(section, choice) // layout.shape[0])
        for section, layout in zip(sections, layouts, strict=True)
    ]
    grid: dict[str, Dim] = {"block": largest(counts)}
    if sections and sections[0].is_of_rows:
        grid |= {name: prod(dims) for name, dims in zip(_OUTER, sections[0].outer, strict=False)}
    builder = TileBuilder(graph.module.name, grid, choice.waves, target.wave_size, graph.place)
    buffers = Buffers(builder, graph.defined)
    outputs = output_buffers(builder, graph)
    for section, layout in zip(sections, layouts, strict=True):
        _ = builder.layout("flat", layout)
        for share in _shares(builder, section, choice, layout):
            body = Body(builder, buffers, share.layout, share.loaded)
            for stored in section.stored:
                to = stored.at(share.at)
                body.store(stored.value, share.at, outputs[stored.position], share.stored, to)
    return builder.kernel()


class Share(NamedTuple):
    """The element at each place of a tile, and the conditions under which a lane loads and stores it."""

    layout: Layout
    at: Indices
    loaded: Conditions
    stored: Conditions


def _places(section: Section, choice: Pointwise) -> Dim:
    """The elements that workgroups share along the first axis of the grid, and the places between rows."""
    return section.of_block if choice.row is None else prod(section.merged[:-1]) * choice.row


def _shares(builder: TileBuilder, section: Section, choice: Pointwise, layout: Layout) -> Iterator[Share]:
    """The elements of a workgroup: a tile, and the elements after the last whole vector if only the launch
    knows their number.
    """
    elements, vector = section.of_block, section.vector(choice.vector, choice.row is not None)
    if choice.row is not None:
        yield _of_rows(builder, section, choice.row, vector, layout)
        return
    if isinstance(elements, Size) and not divides(vector, elements).is_shown:
        yield from _whole_and_rest(builder, section, vector, layout)
        return
    number, where = _number(builder, elements, vector, layout)
    at = section.at(number, builder.ids[1:], _places_of(layout).copy)
    yield Share(layout, at, () if is_within(number, elements) else where, where)


def _of_rows(builder: TileBuilder, section: Section, row: int, vector: int, layout: Layout) -> Share:
    """A tile of rows that begin at multiples of `row`. If a tile is a part of a row, its number alone says
    which row that is.
    """
    (place, copy), (block, *_), tile = _places_of(layout), builder.ids, layout.shape[0]
    vectors = vector * (place // vector)
    if row % tile == 0:
        at_row, first = block // (row // tile), block % (row // tile) * tile + vectors
    else:
        at_row, first = (block * tile + place) // row, (block * tile + vectors) % row
    column = first.at_most(section.merged[-1] - vector) + place % vector
    number, places = block * tile + place, prod(section.merged[:-1]) * row
    where = () if is_within(number, places) else (Below(block * tile + vectors, constant(places)),)
    return Share(layout, section.in_row(at_row, column, copy), where, where)


def _whole_and_rest(builder: TileBuilder, section: Section, vector: int, layout: Layout) -> Iterator[Share]:
    elements = section.of_block
    place, copy = _places_of(layout)
    first = builder.ids[0] * layout.shape[0] + vector * (place // vector)
    whole = constant(elements // vector * vector)
    where = (Below(first, whole),)
    yield Share(layout, section.at(first + place % vector, builder.ids[1:], copy), where, where)
    lanes, waves = len(layout.lanes), len(layout.waves)
    rest = _layout(1, 1, 1 << waves, 1 << lanes, section.copies.number)
    _ = builder.layout("rest", rest)
    place, copy = _places_of(rest)
    where = (Below(builder.ids[0] * rest.shape[0] + place, constant(elements % vector)),)
    yield Share(rest, section.at(whole + place, builder.ids[1:], copy), where, where)


@cache
def _layout(vector: int, repeat: int, waves: int, wave: int, copies: int) -> Layout:
    """The elements of the tile along an axis, and the copies of each along another, if there are any."""
    deals = (Deal(Part.REGISTERS, 0, vector), Deal(Part.LANES, 0, wave), Deal(Part.WAVES, 0, waves))
    times = (repeat, copies) if copies > 1 else (repeat,)
    return dealt(len(times), deals, wave, waves, times)


class _Places(NamedTuple):
    """The number of an element in its tile, and of its copy."""

    place: Index
    copy: Index


def _places_of(layout: Layout) -> _Places:
    place, *copy = coordinates(layout.shape)
    return _Places(place, copy[0] if copy else ZERO)


def _number(builder: TileBuilder, elements: Dim, vector: int, layout: Layout) -> tuple[Index, Conditions]:
    """The number of the element at each place of the tile, and the condition under which a lane stores.

    A vector that would go beyond the last element is moved back so that it ends with it. Some elements are
    then in two lanes, which both store the same.
    """
    place, _ = _places_of(layout)
    number = builder.ids[0] * layout.shape[0] + place
    if is_within(number, elements):
        return number, ()
    if divides(vector, elements).is_shown:
        return number, (Below(number, constant(elements)),)
    first = builder.ids[0] * layout.shape[0] + place // vector * vector
    return first.at_most(elements - vector) + place % vector, (Below(first, constant(elements)),)
