"""Scan: each element is combined with all elements before it in its row. A row belongs to a workgroup, a wave
or some lanes. A loop carries the prefix of its piece, so that memory is read once, and the next piece,
which it loads meanwhile. If a scan is in parts, a part of a row takes the place of a row.

    {4096,1024} f32      axis 1: scan[lanes=64, waves=1, teams=1, vector=4, repeat=2]     a row a wave
    {256,4096} f32       axis 1: scan[lanes=64, waves=4, teams=1, vector=4, repeat=4]     a row a workgroup
    {4096,64} f32        axis 1: scan[lanes=16, waves=1, teams=4, vector=4, repeat=1]     four rows a wave
    {64,1024,256} f32    axis 1: scan[lanes=1, waves=4, teams=1, vector=4, repeat=4]      rows across memory
    {1048576} f32        axis 0, part=4096: scan[lanes=64, waves=4, ...]                  256 workgroups

If workgroups pass on what precedes a part, a part is a single piece, which stays in registers, so memory is
read once as well.

The kernel also computes pointwise ops before and after the scans, and scans of scans. In reverse the pieces
are taken from the last to the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from msgspec.structs import replace

from asmgen.blockwise import actions as acts
from asmgen.blockwise.actions import Below, Combine, Number
from asmgen.blockwise.program import Kernel, TileValue
from asmgen.blockwise.schedules.choices import Scan
from asmgen.blockwise.schedules.choosing.alone import KEPT, SCAN
from asmgen.blockwise.schedules.choosing.budget import bounded_scan
from asmgen.blockwise.schedules.choosing.parts import Readers, Share, share_of_groups
from asmgen.blockwise.schedules.choosing.room import (
    GROUP_LANES,
    LARGEST_GROUP,
    MOST_MASKS,
    STREAMED,
    ceil_power,
    floor_power,
    held_room,
    widest_access,
)
from asmgen.blockwise.schedules.deals import without
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages.pieces import Places, Stretch, Tiling, before_loops, grid_of, stretches
from asmgen.blockwise.schedules.pages.reduction import Page, begun
from asmgen.blockwise.schedules.pages.scan_tilings import short_rows, tiling
from asmgen.blockwise.schedules.pages.versions import Version, versions
from asmgen.blockwise.schedules.tiles.body import Body
from asmgen.blockwise.schedules.tiles.forms import element_of
from asmgen.blockwise.schedules.work import Work
from asmgen.blockwise.types import TileType
from asmgen.graph.ops import GATHER, SCANS, preceding, scanned
from asmgen.index import Index, Symbol, constant
from asmgen.index.expression import as_symbol
from asmgen.index.size import Size, divides
from asmgen.index.size import most as largest
from asmgen.ir.identities import fillings, identity
from asmgen.ir.passed_words import BLOCK
from asmgen.ir.program import Statement, tensor_type
from asmgen.ir.types import F64, ElementType, computed
from isa.named_tuple import NamedTuple
from isa.target import Target

KINDS = {op: Combine(kind) for op, kind in SCANS.items()}
MOST_HELD = 32  # registers of a lane's elements, and of the totals of waves that it reads
_FEW_ACCESSES = 2  # of a lane at a time
_FEW_STEPS = 8  # from block to block of workgroups of a row
_WAVES_OF_PAIRS = 8  # that share rows, at most
_SHORT = 64  # elements of a row that few lanes take, if the launch finds it so short
SERIAL = 32  # elements of a row across memory that the lanes of a wave take in turn
# Rows for each unit from which on few lanes take a row of a length that only the launch knows, and the number
# of these lanes. cumsum {2048,n} takes 7,181 clocks for n = 8 on gfx942, 9,077 by workgroups, and 61,304 and
# 63,427 for 8,192; {100000,n} takes 16,460 and 123,270 for 8. The worst of {8,512,n} f16 is 4,096: 1.17.
_MANY_OF_UNIT, _OF_OPEN = 4, 32
# Rows across memory of a part, if only the launch knows the columns, which may be few, and the least number
# of parts for which the rows are read twice. cumsum {5000,n} takes 115,726 clocks for n = 7 on gfx942,
# 392,100 in the parts of many columns, and 162,424 and 586,564 for 3,000. On gfx1100 it takes 88,130 and
# 840,919 for 7, 626,198 and 908,925 for 3,000, but 1.53 times the clocks for 30,000.
_MOST_OF_PART, _LEAST_PARTS = 256, 8
# Rows across memory of a number that only the launch knows, or of such a number of columns: the waves that
# share them, on CDNA and on RDNA, and the rows of a lane at a time. A lane has a single column, so no access
# ends behind the last column. A part of 256 rows of {1000,n} f32 takes 10,288 clocks on gfx942, and 101,600
# by a wave with four columns and 8 rows at a time.
_OPEN_WAVES, _OPEN_ROWS = (8, 16), 16
# The most rows of a number that only the launch knows that a single launch takes in fewer clocks than the
# launches of parts. {700,1000} takes 22 thousand clocks on gfx942, and 27 in parts; {1000,1000} 28 and 27. On
# gfx1100 {2000,1000} takes 38 thousand, and 53 in parts; {3000,33} 23 and 28.
_WHOLE_OF_OPEN_ROWS = (767, 3071)


def choose(graph: Graph, target: Target) -> Scan:
    """Enough lanes along a row for whole accesses; if memory is not contiguous along it, only as many as
    leave the target busy. The number of masks bounds the elements of a lane at a time.
    """
    work = graph.work
    vector = widest_access(work)
    if graph.way.is_passed_on:
        return _whole_part(graph.way.part, vector, _passed_accesses(graph, target), target)
    rows = _Rows.of(graph)
    if not work.reduces_fast and any(len(scanned(scan)) > 1 for scan in graph.scans):
        return _pairs_across(graph, rows, target)
    most = _most_accesses(graph, vector)
    if not work.reduces_fast:
        return _across(rows, work, vector, most, target)
    choice = _along(rows, work, vector, most, target)
    may_be_short = isinstance(work.dims[-1], Size) and work.kept and not graph.way.part
    return replace(choice, short=_SHORT) if may_be_short and choice.waves > 1 else choice


def _pairs_across(graph: Graph, of_rows: _Rows, target: Target) -> Scan:
    """A scan of pairs; workgroups share no rows of it: a lane has fewer columns if units would idle, and then
    more rows. {8,2048,256} f32 takes 40 thousand clocks on gfx942 with a column, eight waves and 16 rows at a
    time; 46 with 16 waves, 47 with four, 50 with eight rows, and 219 with four columns."""
    work, vector = graph.work, widest_access(graph.work)
    columns = work.planned[-1]
    while vector > 1 and 2 * -(-columns // (target.wave_size * vector)) * of_rows.others <= target.units:
        vector //= 2
    most = floor_power(_most_accesses(graph, vector))
    choice = _across(of_rows, work, vector, most, target)
    if choice.waves == 1:
        return choice
    waves = min(choice.waves, _WAVES_OF_PAIRS)
    rows = floor_power(max(1, of_rows.length // (choice.lanes * waves)))
    return replace(choice, waves=waves, repeat=min(4 * STREAMED, most, rows))


def _most_accesses(graph: Graph, vector: int) -> int:
    """The accesses of a lane at a time, at most."""
    work = graph.work
    given = [operand for scan in graph.scans for operand in scanned(scan)]
    registers = sum([computed(tensor_type(operand).element).bytes for operand in given]) // 4
    elements = min(held_room(work, MOST_HELD) // registers, MOST_MASKS // max(1, work.conditions))
    return max(1, elements // vector)


def _passed_accesses(graph: Graph, target: Target) -> int:
    """The accesses of a lane of a workgroup that passes on what precedes its part. They are adjacent
    (`_at_once`): {4194304} f32 takes 13 thousand clocks on gfx942 with two, 18 with four, and 39 on gfx90a,
    142 with eight. RDNA takes 16 clocks for a sum of f64: {2000000} takes 99 thousand on gfx1201 with four,
    134 with two.
    """
    is_slow = not target.has_agprs and any(tensor_type(scan.result).element is F64 for scan in graph.scans)
    return 2 * _FEW_ACCESSES if is_slow else _FEW_ACCESSES


def _whole_part(part: int, vector: int, accesses: int, target: Target) -> Scan:
    """A part of a row in the registers of a workgroup, which has more lanes for more accesses."""
    lanes = GROUP_LANES if part <= GROUP_LANES * vector * accesses else 2 * GROUP_LANES
    of_lane = part // lanes
    vector = min(vector, floor_power(of_lane))
    return Scan(target.wave_size, lanes // target.wave_size, 1, vector, floor_power(of_lane // vector))


def passed_part(graph: Graph, target: Target) -> int:
    """The elements of a workgroup if workgroups that share a row should pass on what precedes their parts; 0
    if they should not. Memory is contiguous along the row, so that a workgroup has a single number to pass
    on. A part stays in registers; of a short row it is smaller, so that the target is busy.

    In a long row workgroups with twice the lanes halve the steps from block to block: 256 of them with 4,096
    elements of f32 each move 8 MB, which memory takes 3,400 clocks for on gfx942, longer than a step.
    """
    work, size = graph.work, graph.work.planned[graph.work.reduced[-1]]
    if not work.reduces_fast or any(preceding(scan) or scan.attributes["part"] for scan in graph.scans):
        return 0
    vector = widest_access(work)
    least, accesses = GROUP_LANES * vector, _passed_accesses(graph, target)
    of_lane = min(accesses, floor_power(_most_accesses(graph, vector)))
    most = bounded_scan(_whole_part(least * of_lane, vector, accesses, target), graph, target)
    part = least * most.repeat
    if most.repeat == accesses and size > _FEW_STEPS * BLOCK * part:
        part *= 2
    rows = work.rows * work.other_rows
    while part > least and rows * (size // part) < work.workgroups(target):
        part //= 2
    return part if size > part else 0


def share_of(graph: Graph, target: Target) -> Share:
    """The parts in which several workgroups should scan a workgroup's rows. Each part has whole pieces."""
    work, choice = graph.work, choose(graph, target)
    if work.reduces_fast and _are_many_open(work, target):
        return Share(1, "the rows are as many as keep the target busy")
    kept = target.wave_size // choice.lanes * choice.teams * (1 if work.reduces_fast else choice.vector)
    groups = -(-work.rows // kept) * work.other_rows
    piece = choice.lanes * choice.waves * (choice.vector if work.reduces_fast else choice.repeat)
    if is_recurrence(graph):
        from asmgen.blockwise.schedules.choosing.recurrences import is_slow_alone

        if isinstance(work.dims[work.reduced[-1]], Size) or not is_slow_alone(work, groups, target):
            return Share(1, "workgroups alone take less time than the four launches of a linear recurrence")
    elif not work.reduces_fast and isinstance(work.dims[work.reduced[-1]], Size):
        return Share(2, whole=_WHOLE_OF_OPEN_ROWS[not target.has_agprs])
    kind = SCAN if passed_part(graph, target) else KEPT  # three launches read the elements twice
    share = share_of_groups(work, kind, Readers(groups, piece), target)._replace(whole=0)
    rows, has_known_columns = work.planned[work.reduced[-1]], isinstance(work.dims[-1], int)
    if work.reduces_fast or has_known_columns or is_recurrence(graph):
        return share
    parts = -(-rows // _MOST_OF_PART)
    return Share(max(share.parts, parts)) if parts >= _LEAST_PARTS or share.parts > 1 else share


def is_recurrence(graph: Graph) -> bool:
    """Whether a scan is a linear recurrence; workgroups do not pass on its numbers."""
    return any(len(scanned(statement)) > 1 for statement in graph.scans)


class _Rows(NamedTuple):
    """The planned elements of a row, or of a part of a row, and how many there are beyond the innermost kept
    dim.
    """

    length: int
    others: int

    @classmethod
    def of(cls, graph: Graph) -> _Rows:
        work, way = graph.work, graph.way
        size = work.planned[work.reduced[-1]]
        return cls(min(way.part or size, size), work.other_rows * largest(way.parts))


def _along(of_rows: _Rows, work: Work, vector: int, most: int, target: Target) -> Scan:
    """A row for a wave, some lanes or a workgroup. Waves that have a row each are workgroups by themselves if
    all run at once: compute units then have the same number of waves, give or take a wave."""
    wave = target.wave_size
    accesses = -(-of_rows.length // vector)
    usual = GROUP_LANES // wave
    if _are_many_open(work, target):
        return Scan(_OF_OPEN, 1, usual, vector, 1)
    of_lane = -(-accesses // wave)
    whole = ceil_power(of_lane)
    if 1 < whole <= most and _fills_waves(of_rows, whole * vector, work, target):
        is_resident = work.rows * work.other_rows <= target.units * target.simds * target.max_waves
        teams = 1 if is_resident else min(usual, ceil_power(work.rows))
        repeat = _at_once(of_rows, work, 1, vector, of_lane & -of_lane, target)
        return Scan(wave, 1, teams, vector, repeat)
    if accesses > wave or not work.kept:
        waves = min(usual, ceil_power(-(-accesses // wave)))
        repeat = floor_power(max(1, min(STREAMED, most, accesses // (waves * wave))))
        return Scan(wave, waves, 1, vector, _at_once(of_rows, work, waves, vector, repeat, target))
    lanes = ceil_power(accesses)
    teams = min(usual, ceil_power(-(-work.rows * lanes // wave)))
    return Scan(lanes, 1, teams, vector, 1)


def _at_once(of_rows: _Rows, work: Work, waves: int, vector: int, most: int, target: Target) -> int:
    """The accesses of a lane at a time, if rows have `waves` waves: at most `most`, a power of two. They are
    adjacent in the row, so each access of a wave touches the lines of all of them. If many waves run at once,
    these lines leave the first cache before the next access: {4096,1024} f32 on gfx1100 takes 132 thousand
    clocks with eight accesses, 35 with two. On gfx90a, which has the smallest cache, two take 55 and a
    single access takes 39; on gfx1201 with waves of 64 lanes 82 and 52.

    If all four neighbours of a request are in the same access, the address unit of CDNA serves it at once.
    {256,4096} f32 on gfx942 takes 4,915 clocks with four accesses, 3,686 with two. A unit that has a single
    row, and a loop for it, waits for each trip instead: {256,16384} f16 takes 1.09 of its clocks with two."""
    from isa.timing.caches import CACHES

    room = CACHES[target.name].vector[0].size.value * (target.compute_units // target.units)
    of_unit = min(-(-work.rows * work.other_rows * waves // target.units), target.simds * target.max_waves)
    of_access = of_unit * target.wave_size * vector * work.element
    rows, is_written_out = work.rows * work.other_rows, of_rows.length <= MOST_HELD * waves * target.wave_size
    if target.has_agprs and (is_written_out or rows > target.units):
        most = min(most, _FEW_ACCESSES)
    while most > 1 and most * of_access > room:
        most //= 2
    return most


def _are_many_open(work: Work, target: Target) -> bool:
    """Whether there are many rows of a length that only the launch knows, and which may be short."""
    is_open = isinstance(work.dims[work.reduced[-1]], Size)
    rows = prod([work.dims[axis] for axis in work.kept])
    return is_open and isinstance(rows, int) and rows >= _MANY_OF_UNIT * target.units


def _fills_waves(of_rows: _Rows, of_lane: int, work: Work, target: Target) -> bool:
    """Whether there are rows enough that a wave takes one alone, which needs no barrier: every second SIMD
    has a wave then. The elements of the lanes leave none over.
    """
    return bool(work.kept) and of_rows.length % of_lane == 0 and of_lane <= 2 * work.share(target)


def _across(of_rows: _Rows, work: Work, vector: int, most: int, target: Target) -> Scan:
    """Lanes lie along the columns, and remaining lanes along the rows. Waves share rows if the target would
    idle otherwise."""
    rows, columns, wave = of_rows.length, work.planned[-1], target.wave_size
    if any(isinstance(work.dims[axis], Size) for axis in (work.reduced[-1], -1)):
        return _across_open(rows, work, vector * most, target)
    of_columns = min(wave, ceil_power(-(-columns // vector)))
    lanes = min(wave // of_columns, ceil_power(rows))
    groups = -(-columns // (of_columns * vector)) * of_rows.others
    wanted, waves = 4 * work.workgroups(target), 1
    most_waves = min(LARGEST_GROUP // wave, floor_power(most))
    while waves < most_waves and groups * waves < wanted and rows > waves * lanes * SERIAL:
        waves *= 2
    teams = 1
    while waves * teams * wave < GROUP_LANES and groups > 2 * wanted:
        teams *= 2
        groups = -(-groups // 2)
    repeat = min(2 * STREAMED, floor_power(most), floor_power(max(1, rows // (lanes * waves))))
    return Scan(lanes, waves, teams, vector, repeat)


def _across_open(rows: int, work: Work, most: int, target: Target) -> Scan:
    """Rows across memory of a number that only the launch knows, or of such a number of columns."""
    columns, wave = work.dims[-1], target.wave_size
    lanes = 1 if isinstance(columns, Size) else max(1, wave // ceil_power(columns))
    waves = min(_OPEN_WAVES[not target.has_agprs], ceil_power(-(-rows // lanes)))
    of_lane = min(_OPEN_ROWS, most, max(1, min(rows, _MOST_OF_PART) // (lanes * waves)))
    return Scan(lanes, waves, 1, 1, floor_power(of_lane))


def schedule(graph: Graph, choice: Scan, target: Target) -> Kernel:
    """The kernel of a graph with scans of the same dims along the same axis, in the same direction."""
    of_long = tiling(graph.work, choice, target)
    if choice.short is None:
        return _Scans(graph, graph.work, of_long).kernel()
    short = short_rows(graph.work, choice, choice.short, target)
    return versions(graph, Version("long", graph.work, of_long), [short], 1, writer=_Scans)


def _written_out(stretch: Stretch, axis: int) -> list[Stretch]:
    """The pieces of a stretch in succession, if a lane has few elements of them in all: loops of two or three
    trips, which overlap, would be more code."""
    trips, size = stretch.trips, stretch.layout.shape[axis]
    if isinstance(trips, Size) or isinstance(stretch.first, Size):
        return [stretch]
    if trips * stretch.layout.register_count > MOST_HELD:
        return [stretch]
    return [stretch._replace(first=stretch.first + number * size, trips=1) for number in range(trips)]


class _Scans:
    """Writes the kernel, piece by piece along the rows, or along a part of each."""

    def __init__(
        self, graph: Graph, work: Work, tiling: Tiling, page: Page | None = None, longest: int | None = None
    ) -> None:
        self._graph, self._tiling = graph, tiling
        self._reverse, self._part = graph.way.is_reversed, graph.way.part
        self._is_passed_on = graph.way.is_passed_on
        self._size = work.dims[tiling.axis]
        made = stretches(tiling, self._part or self._size, longest)
        self._stretches = [each for stretch in made for each in _written_out(stretch, tiling.axis)]
        if self._reverse:
            self._stretches = self._stretches[::-1]
        # lanes beyond the row's end are harmless if nothing follows, unless their elements are indices
        self._has_data = any(statement.op is GATHER for statement in graph.module.statements)
        self._last = None if self._reverse else self._stretches[-1]
        main = max([stretch.layout for stretch in self._stretches], key=lambda layout: layout.register_count)
        grid = grid_of(work, main)
        if self._part:
            grid["part"] = graph.way.parts
        self._page = page or begun(graph, tiling, grid)
        self._builder, self._buffers = self._page.builder, self._page.buffers
        self._of_part = self._builder.ids[-1] if self._part else constant(0)
        if self._is_passed_on and self._reverse:  # ids are in the order in which workgroups start
            self._of_part = constant(-1) + graph.way.parts - self._of_part
        # a place that is the same for all lanes may be beyond the row's end in the last part
        self._parts = self._of_part.symbols
        _ = self._builder.layout("piece", main)
        row = without(main, (tiling.axis,))
        self._row = self._builder.layout("row", row)
        self._places = Places(graph.dims, work, main, self._builder.ids)
        self._rows = Body(self._builder, self._buffers, row, self._places.loaded)

    def kernel(self) -> Kernel:
        """The kernel of this version alone."""
        self.write()
        return self._builder.kernel()

    def write(self) -> None:
        """Write the scans, and store the outputs."""
        if any(stretch.trips != 1 for stretch in self._stretches):
            self._prepare()
        is_one = len(self._stretches) == 1 and self._stretches[0].trips == 1
        are_first = is_one and not any(preceding(scan) for scan in self._graph.scans)
        carried = [] if are_first else [self._before(scan) for scan in self._graph.scans]
        self._words = [self._buffers[preceding(scan)[0]] for scan in self._graph.scans if self._is_passed_on]
        for stretch in self._stretches:
            carried = [*self._over(stretch, carried)]

    def _over(self, stretch: Stretch, carried: Sequence[TileValue]) -> Sequence[TileValue]:
        if stretch.trips == 1:
            return self._piece(stretch, constant(stretch.first), self._parts, carried)
        size = stretch.layout.shape[self._tiling.axis]
        last = stretch.first + (stretch.trips - 1) * size

        def turn(counter: Index, values: Sequence[TileValue]) -> Sequence[TileValue]:
            first = constant(last) - counter if self._reverse else counter + stretch.first
            return self._piece(stretch, first, self._parts | {as_symbol(counter)}, values)

        return self._builder.for_("k", 0, stretch.trips * size, size, carried, turn)

    def _body(self, stretch: Stretch, counters: frozenset[Symbol]) -> Body:
        where = self._places.loaded
        return Body(self._builder, self._buffers, stretch.layout, where, self._rows, counters)

    def _piece(
        self, stretch: Stretch, first: Index, counters: frozenset[Symbol], carried: Sequence[TileValue]
    ) -> Sequence[TileValue]:
        axis = self._tiling.axis
        place, condition, is_within = self._reached(stretch, first)
        where = self._places.loaded if is_within else (*self._places.loaded, *condition)
        body = Body(
            self._builder,
            self._buffers,
            stretch.layout,
            where,
            self._rows,
            counters,
            is_loose=stretch is self._last and not self._has_data,
        )
        at = self._places.at({axis: place})
        after: list[TileValue] = []
        for number, scan in enumerate(self._graph.scans):
            tiles = [body.value(operand, at) for operand in scanned(scan)]
            if number == 0 and self._reads_ahead(stretch):
                self._builder.stage()
            with self._builder.origin(scan.place, scan.result.name):
                if condition and stretch is not self._last:  # what others follow must change nothing
                    nothing = self._neutral(scan, element_of(tiles[-1]))
                    pairs = zip(tiles, nothing, strict=True)
                    tiles = [self._builder.mask(tile, condition, by) for tile, by in pairs]
                over = self._builder.id_names[-1] if self._is_passed_on else ""
                action = acts.Scan(
                    KINDS[scan.op],
                    axis,
                    bool(scan.attributes["exclusive"]),
                    bool(scan.attributes["reverse"]),
                    over,
                )
                given = (*carried[number : number + 1], *self._words[number : number + 1])
                made, *whole = self._builder.scan(action, *tiles, *given)
            body.define(scan.result, at, made)
            after += whole
        for value, output in zip(self._graph.made, self._page.outputs, strict=True):
            body.store(value, at, output, (*self._places.stored, *condition))
        return after

    def _reads_ahead(self, stretch: Stretch) -> bool:
        """Whether a loop loads the next piece while it scans the present piece: {256,16384} f16 on gfx942
        takes 10,090 clocks, 11,960 without. Lanes at the edge of other dims may store an element twice. The
        rules see that both are the same only if the trip that stores them also loads them."""
        return isinstance(stretch.trips, int) and stretch.trips > 1 and not self._places.stored

    def _reached(self, stretch: Stretch, first: Index) -> tuple[Index, tuple[Below, ...], bool]:
        """The places of a piece's elements along the rows, the conditions under which they exist, and whether
        each place is within the row. The last part of a row may be shorter than the others.
        """
        axis = self._tiling.axis
        place, condition = stretch.reached(axis, first)
        is_within = stretch.is_whole(axis) and not stretch.may_be_empty
        if not self._part:
            return place, condition, is_within
        start = self._of_part * self._part
        if divides(self._part, self._size).is_shown:
            return start + place, condition, is_within
        return start + place, (*condition, Below(start + place, constant(self._size))), False

    def _prepare(self) -> None:
        """Make the values that are the same for all elements of a row, before the loops."""
        axis = self._tiling.axis
        counter = before_loops(self._part or self._size)
        stretch = self._stretches[0]._replace(limit=None)
        body = self._body(stretch, self._parts | {as_symbol(counter)})
        place, _, _ = self._reached(stretch, counter)
        at = self._places.at({axis: place})
        for value in (*[each for scan in self._graph.scans for each in scanned(scan)], *self._graph.made):
            body.prepare(value, at)

    def _neutral(self, scan: Statement, element: ElementType) -> tuple[Number, ...]:
        """The parts of an element that changes nothing."""
        return fillings(KINDS[scan.op].value, element, self._graph.propagates_nan)

    def _before(self, scan: Statement) -> TileValue:
        """The number before the first element of a row, or of a part of it."""
        if not preceding(scan) or self._is_passed_on:
            return self._nothing(scan)
        at = list(self._places.of_rows())
        at[self._graph.way.axis] = self._of_part
        return self._rows.value(preceding(scan)[0], tuple(at))

    def _nothing(self, scan: Statement) -> TileValue:
        """The value before the first element of a row: the identity element. An exclusive maximum starts with
        -infinity even if the rule of NaN has another identity element."""
        element = computed(tensor_type(scan.operands[0]).element)
        number = self._neutral(scan, element)[-1]
        if scan.attributes["exclusive"] and number != number:
            number = identity(KINDS[scan.op].value, element)
        with self._builder.origin(scan.place, scan.result.name):
            return self._builder.fill(number, TileType(element, self._row))
