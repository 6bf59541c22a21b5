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

For {1001} elements the number is min(1024*block + 4*(c0 floordiv 4), 997) + c0 mod 4. Outputs and parts
of other dims are tiles of their own: in the same workgroups if they have as many elements, otherwise in
workgroups after those of the tile before. No workgroup then waits for the memory of one tile after the other,
and all have about the same work:

    c + concat(a, b), a {600000} and b {448576} of f32, gfx950    585 workgroups of a, then 438 of b
                                                                  3,841 clocks, 5,061 in shared workgroups

Long rows that share numbers, as the channels {64,1,1} of an image, have workgroups of their own: the grid is
the pieces of a row, then the rows. Rows of few numbers that all rows share, as {64} of {n,64}, are taken
several a lane, each in the same columns.

If only the launch knows the number of elements n, whole vectors end at 4*(n floordiv 4). In the first
workgroup, a branch takes the up to three elements after them, an element a lane. So it is with `rest=1`, for
a result in the memory of an argument: no element is then in two lanes.

If elements read several rows of a buffer, as a stencil does, a lane may have its elements in several rows, so
that it reads each row once: with `row=1024, rows=4` it has the same columns of four rows, along another axis
of the tile.

If only the launch knows how long rows are, and a buffer has numbers for rows or for columns, each row has
workgroups of its own. With `short=255, many=1216` short rows share workgroups, if they are many: the number
of an element is divided. A branch chooses, and the grid has as many workgroups as the version needs:

    z = add(x, b), x {m,n} and b {n} of f32    pointwise[vector=4, waves=4, short=255, many=1216]
    n > 255 or m < 1216:    (n + 1023) floordiv 1024 by m workgroups
    otherwise               (m*n + 1023) floordiv 1024 by 1

If a lane of a light kernel has several accesses, they are a wave's width apart, so that their addresses
differ by small numbers. Only whole tiles have several: the elements after them are dealt to the first
workgroups again, an access a lane, under a condition.

    relu of {1000001} elements    pointwise[vector=4, waves=4, repeat=4], 244 workgroups
    tile {4096} @ reg(1 2 256 512) lane(4 ... 128) wave(1024 2048)
    tile {1024} @ reg(1 2) lane(4 ... 128) wave(256 512), where 1024*block + c0 < 577
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import prod

from asmgen.blockwise.actions import Below
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import Kernel, TileValue
from asmgen.blockwise.schedules.choices import Pointwise
from asmgen.blockwise.schedules.deals import Deal, dealt
from asmgen.blockwise.schedules.elements.indices import ZERO, Conditions, Indices
from asmgen.blockwise.schedules.elements.sections import Section
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.tiles.body import Body
from asmgen.blockwise.schedules.tiles.buffers import Buffers, output_buffers
from asmgen.blockwise.schedules.work import ALL_GROUPS
from asmgen.blockwise.types import coordinates
from asmgen.index import Index, constant
from asmgen.index.reach import is_within
from asmgen.index.size import Dim, Size, at_least, divides, largest, number, size_of
from asmgen.ir.program import tensor_type
from isa.named_tuple import NamedTuple
from isa.target import Target

_OUTER = ("other", "part")  # as many as `OUTER_AXES`


def schedule(graph: Graph, choice: Pointwise, target: Target) -> Kernel:
    """The kernel of a graph without reductions."""
    sections = tuple([section.in_rows if choice.rows else section for section in graph.sections])
    is_split = choice.repeat > 1 and graph.work.is_light
    divisions = [_Division.of(section, choice, target, is_split) for section in sections]
    grid: dict[str, Dim] = {"block": largest([division.groups for division in divisions])}
    if sections and sections[0].is_of_rows:
        grid |= {name: prod(dims) for name, dims in zip(_OUTER, sections[0].outer, strict=False)}
    if choice.short is not None:
        flat = _Division.of(sections[0]._replace(flat=True), choice, target, is_split)
        return _in_versions(graph, choice, divisions[0], flat, grid, target)
    apart = _apart(divisions)
    if len(apart) > 1:
        return _successive(graph, choice, apart, target)
    page = _begun(graph, choice, grid, target)
    for division in divisions:
        page.write(division)
    return page.builder.kernel()


def _apart(divisions: Sequence[_Division]) -> list[list[_Division]]:
    """The sections that share workgroups: those of as many elements, which may read the same elements. All
    share them if only the launch knows how many workgroups a section has.
    """
    if any(isinstance(division.groups, Size) for division in divisions):
        return [list(divisions)]
    together: dict[Dim, list[_Division]] = {}
    for division in divisions:
        together.setdefault(division.section.elements, []).append(division)
    return list(together.values())


def _successive(
    graph: Graph, choice: Pointwise, apart: Sequence[Sequence[_Division]], target: Target
) -> Kernel:
    """The kernel of sections with workgroups of their own, one section after the other in the grid. A loop of
    at most one trip is the branch to a section: its counter is the workgroup's number.
    """
    counts = [number(largest([division.groups for division in divisions])) for divisions in apart]
    page = _begun(graph, choice, {"block": sum(counts)}, target)
    block, first = page.builder.ids[0], 0
    for divisions, count in zip(apart, counts, strict=True):
        start = -(-block).at_most(-first)
        stop = (block + 1).at_most(first + count) if first else constant(count)
        own = page._replace(groups=count)

        def section(
            at: Index,
            _: Sequence[TileValue],
            divisions: Sequence[_Division] = divisions,
            own: _Page = own,
            first: int = first,
        ) -> Sequence[TileValue]:
            for division in divisions:
                own._replace(ids=(at - first,)).write(division)
            return ()

        _ = page.builder.for_("section", start, stop, ALL_GROUPS, (), section)
        first += count
    return page.builder.kernel()


def _in_versions(
    graph: Graph,
    choice: Pointwise,
    of_rows: _Division,
    flat: _Division,
    grid: Mapping[str, Dim],
    target: Target,
) -> Kernel:
    """The kernel in two versions: rows that are long or few have workgroups of their own, and others share
    workgroups. The numbers of workgroups are minima, which show that a workgroup of the first version has a
    row.
    """
    count = prod([count for name, count in grid.items() if name in _OUTER])
    are_few = 1 - (constant(count) // (choice.many or 1)).at_most(1)
    is_long = (constant(of_rows.elements) // ((choice.short or 0) + 1) + are_few).at_most(1)
    of_short = constant(largest([flat.groups, of_rows.groups]))
    block = of_short.smaller(constant(of_rows.groups) + (1 - is_long) * ALL_GROUPS)
    rows = {name: constant(count).smaller(1 + is_long * ALL_GROUPS) for name, count in list(grid.items())[1:]}
    sizes = {name: size_of(count) for name, count in ({"block": block} | rows).items()}
    page = _begun(graph, choice, sizes, target)
    for name, is_taken, division in (("long", is_long, of_rows), ("short", 1 - is_long, flat)):

        def version(_: Index, __: Sequence[TileValue], division: _Division = division) -> Sequence[TileValue]:
            page.write(division)
            return ()

        _ = page.builder.for_(name, 0, is_taken, 1, (), version)
    return page.builder.kernel()


class _Page(NamedTuple):
    """A kernel that is written: its graph, builder, parameters and outputs, the workgroups along x of the
    sections that are written, and the number of a workgroup among them, then along further axes.
    """

    graph: Graph
    builder: TileBuilder
    buffers: Buffers
    outputs: tuple[TileValue, ...]
    groups: Dim
    ids: Indices

    def write(self, division: _Division) -> None:
        """Store the elements of a section."""
        for share in _shares(self.builder, self.ids, division, self.groups):
            body = Body(self.builder, self.buffers, share.layout, share.loaded)
            for stored in division.section.stored:
                to = stored.at(share.at, tensor_type(self.graph.returns[stored.position]).dims)
                output = self.outputs[stored.position]
                body.store(stored.value, stored.of_value(share.at), output, share.stored, to)


def _begun(graph: Graph, choice: Pointwise, grid: Mapping[str, Dim], target: Target) -> _Page:
    """The kernel of a graph before an element is written."""
    builder = TileBuilder(graph.module.name, grid, choice.waves, target.wave_size, graph.place)
    buffers = Buffers(builder, graph.defined)
    return _Page(graph, builder, buffers, output_buffers(builder, graph), grid["block"], tuple(builder.ids))


class _Division(NamedTuple):
    """How a section, or a row of it, is dealt to workgroups. `elements` counts the places between rows too,
    if rows begin at multiples of `row`, and counts `rows` rows as a single row. `layout` is the tile of a
    workgroup, with an axis for `rows`, and `single` is such a tile with an access a lane. If `is_split`, the
    elements after the last whole tile are dealt in tiles of `single`. If `is_apart`, those after the last
    whole vector are dealt apart.
    """

    section: Section
    row: int | None
    elements: Dim
    vector: int
    layout: Layout
    single: Layout
    is_split: bool
    is_apart: bool
    rows: int

    @classmethod
    def of(cls, section: Section, choice: Pointwise, target: Target, is_split: bool) -> _Division:
        row, repeat, waves, wave = choice.row, choice.repeat, choice.waves, target.wave_size
        rows = choice.rows or 1
        elements = section.of_block if row is None else _groups_of_rows(section, rows) * row
        vector = section.vector(choice.vector, row is not None)
        is_power = repeat & repeat - 1 == 0
        tile = vector * repeat * waves * wave
        is_split = is_split and at_least(elements, tile).is_possible and _ends_rows(tile, row)
        deal = _along_waves if is_split and is_power else _layout
        others = max(rows, section.copies.number)
        layout = deal(vector, repeat, waves, wave, others)
        single = _layout(vector, 1, waves, wave, others)
        is_apart = isinstance(elements, Size) or choice.rest is not None
        return cls(section, row, elements, vector, layout, single, is_split, is_apart, rows)

    @property
    def tile(self) -> int:
        return self.layout.shape[0]

    @property
    def whole(self) -> Dim:
        """The number of whole tiles."""
        return self.elements // self.tile

    @property
    def groups(self) -> Dim:
        """The number of workgroups."""
        if not self.is_split:
            return -(-self.elements // self.tile)
        if isinstance(self.elements, Size):
            return largest([self.whole, self.tile // self.single.shape[0]])
        return largest([self.whole, -(-(self.elements % self.tile) // self.single.shape[0])])

    def at(self, ids: Indices, first: Index, places: _Places) -> Indices:
        """The element at a place of a vector that begins at the number `first`."""
        within = places.place % self.vector
        if self.row is None:
            return self.section.at(first + within, ids[1:], places.copy)
        column = (first % self.row).at_most(self.section.merged[-1] - self.vector) + within
        row = (first + within) // self.row
        if self.rows == 1:
            return self.section.in_row(row, column, places.copy)
        *_, size = self.section.merged[:-1]
        groups = -(-size // self.rows)
        inner = (row % groups * self.rows).at_most(size - self.rows) + places.copy
        return self.section.in_row(row // groups * size + inner, column)


def _groups_of_rows(section: Section, rows: int) -> Dim:
    """How many times a lane has so many rows; each index of the axes before has rows of its own."""
    *outer, size = (1, *section.merged[:-1])
    return prod(outer) * -(-size // rows)


def _ends_rows(tile: int, row: int | None) -> bool:
    """Whether the last whole tile ends with a row, so that a row's elements are in tiles of one layout: lanes
    past the end of a row store its last elements too."""
    return row is None or row % tile == 0 or tile % row == 0


class Share(NamedTuple):
    """The element at each place of a tile, and the conditions under which a lane loads and stores it."""

    layout: Layout
    at: Indices
    loaded: Conditions
    stored: Conditions


def _shares(builder: TileBuilder, ids: Indices, division: _Division, groups: Dim) -> Iterator[Share]:
    """The elements of a workgroup of `groups`: a tile, and the elements after the last whole tile, or after
    the last whole vector if these are apart.
    """
    begin: Dim = 0
    layout = division.layout
    if division.is_split:
        is_every = at_least(division.whole, groups).is_shown
        where = () if is_every else (Below(ids[0], constant(division.whole)),)
        first, places = _first(ids, division, layout, begin)
        yield Share(builder.layout("flat", layout), division.at(ids, first, places), where, where)
        if divides(division.tile, division.elements).is_shown:
            return
        begin, layout = division.whole * division.tile, division.single
    _ = builder.layout("single" if division.is_split else "flat", layout)
    if division.is_apart and not divides(division.vector, division.elements).is_shown:
        yield from _whole_and_rest(builder, ids, division, layout, begin)
    else:
        yield _of_vectors(ids, division, layout, begin)


def _first(ids: Indices, division: _Division, layout: Layout, begin: Dim) -> tuple[Index, _Places]:
    """The number of the first element of the vector at each place of a tile, from `begin` on, and the
    places.
    """
    places, vector = _places_of(layout), division.vector
    return constant(begin) + ids[0] * layout.shape[0] + vector * (places.place // vector), places


def _of_vectors(ids: Indices, division: _Division, layout: Layout, begin: Dim) -> Share:
    """A tile of whole vectors, and the condition under which a lane stores.

    A vector that would go beyond the last element is moved back so that it ends with it. Some elements are
    then in two lanes, which both store the same.
    """
    elements, vector = division.elements, division.vector
    first, places = _first(ids, division, layout, begin)
    if is_within(first + vector - 1, elements):
        return Share(layout, division.at(ids, first, places), (), ())
    if divides(vector, elements).is_shown:
        where = (Below(first + places.place % vector, constant(elements)),)
        return Share(layout, division.at(ids, first, places), where, where)
    where = (Below(first, constant(elements)),)
    at = division.at(ids, first.at_most(elements - vector), places)
    return Share(layout, at, (), where)


def _whole_and_rest(
    builder: TileBuilder, ids: Indices, division: _Division, layout: Layout, begin: Dim
) -> Iterator[Share]:
    elements = division.elements
    first, places = _first(ids, division, layout, begin)
    whole = constant(elements // division.vector * division.vector)
    where = (Below(first, whole),)
    yield Share(layout, division.at(ids, first, places), where, where)
    lanes, waves = len(layout.lanes), len(layout.waves)
    rest = _layout(1, 1, 1 << waves, 1 << lanes, division.section.copies.number)
    _ = builder.layout("rest", rest)
    place, copy = _places_of(rest)
    where = (Below(ids[0] * rest.shape[0] + place, constant(elements % division.vector)),)
    yield Share(rest, division.section.at(whole + place, ids[1:], copy), where, where)


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


@cache
def _along_waves(vector: int, repeat: int, waves: int, wave: int, copies: int) -> Layout:
    """A wave has the elements between the accesses of its lanes."""
    deals = (
        Deal(Part.REGISTERS, 0, vector),
        Deal(Part.LANES, 0, wave),
        Deal(Part.REGISTERS, 0, repeat),
        Deal(Part.WAVES, 0, waves),
    )
    times = (1, copies) if copies > 1 else ()
    return dealt(max(1, len(times)), deals, wave, waves, times)
