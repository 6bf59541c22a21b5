"""Sort: the rows of integers in ascending order, or the first of each row, and their places if they are asked
for. A workgroup has whole rows in registers: a row in a lane, in some lanes of a wave, or in several waves.

    {4096,1024} i32    axis 1: sort[lanes=64, waves=1, teams=4, vector=1, elements=16]    a row a wave
    {4096,32} i32      axis 1: sort[lanes=2, waves=1, teams=4, vector=1, elements=16]     32 rows a wave
    {256,4096} i32     axis 1: sort[lanes=64, waves=4, teams=1, vector=1, elements=16]    a row a workgroup
    {64,32,256} i32    axis 1: sort[lanes=1, waves=1, teams=1, vector=1, elements=32]     rows across memory
    {m,n} i32          axis 1: sort[lanes=64, waves=4, ..., elements=16, shared=1]        1 to 256 lanes a row

The kernel also computes pointwise ops before and after the sorts, such as the keys of floats, and sorts of
sorts. A row is filled up to a power of two with the greatest key. Rows of a length that only the launch knows
share a workgroup (`pages.shared_sort`).
"""

from __future__ import annotations

from collections.abc import Iterable

from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.program import Kernel, TileValue
from asmgen.blockwise.schedules.choices import Sort
from asmgen.blockwise.schedules.choosing.room import GROUP_LANES, ceil_power, widest_access
from asmgen.blockwise.schedules.deals import without
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages.shared_sort import SharedRows
from asmgen.blockwise.schedules.pages.sorted_rows import WholeRows
from asmgen.blockwise.schedules.tiles.body import Body
from asmgen.blockwise.schedules.tiles.buffers import Buffers, output_buffers
from asmgen.blockwise.types import TileType
from asmgen.graph.ops import SORTS
from asmgen.index.size import Size, number
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import I64, U32, U64, ElementType
from isa.target import WIDEST_ACCESS, Target

OF_LANE = 16  # keys: with more the compares within a lane are cheaper, but fewer lanes take part
OF_LANE_ACROSS = 32  # keys of a lane that has whole rows: no other lane is asked then
LEAST_OF_LANE = 4  # keys, if more lanes would be idle


def choose(graph: Graph, target: Target) -> Sort:
    """A lane has `OF_LANE` keys of a row; fewer if few rows leave the target idle."""
    work, wave = graph.work, target.wave_size
    size = ceil_power(work.planned[work.reduced[-1]])
    if not work.reduces_fast:
        return _across(graph, size, target)
    elements = min(OF_LANE, size)
    rows = work.rows * work.other_rows
    while elements > LEAST_OF_LANE and _is_idle(rows * size // (2 * elements), target):
        if size // (elements // 2) > GROUP_LANES:
            break
        elements //= 2
    if isinstance(work.dims[work.reduced[-1]], Size) and size > elements:
        return Sort(wave, GROUP_LANES // wave, 1, 1, elements, shared=1)
    lanes = min(wave, size // elements)
    waves = size // (elements * lanes)
    of_wave = wave // lanes
    teams = min(max(1, GROUP_LANES // (wave * waves)), ceil_power(-(-work.rows // of_wave)))
    return Sort(lanes, waves, teams, 1, elements)


def _is_idle(lanes: int, target: Target) -> bool:
    """Whether `lanes` lanes are fewer than a wave for every SIMD."""
    return lanes <= target.compute_units * target.simds * target.wave_size


def _across(graph: Graph, size: int, target: Target) -> Sort:
    """Lanes lie along the columns, the others along the rows. Waves that share a row exchange it in LDS."""
    work, wave = graph.work, target.wave_size
    columns = ceil_power(work.planned[-1])
    vector = 1
    elements = min(size, OF_LANE_ACROSS)
    if elements <= OF_LANE // 2:
        vector = min(widest_access(work), OF_LANE // elements)
    of_columns = min(max(1, columns // vector), wave)
    lanes = min(wave // of_columns, size // elements)
    while lanes * elements < size and of_columns > WIDEST_ACCESS // work.element:
        of_columns //= 2
        lanes = min(wave // of_columns, size // elements)
    room = max(1, target.lds_bytes // (size * _lds_bytes(graph)))
    while lanes * elements < size and of_columns > room:
        of_columns //= 2
        lanes = min(wave // of_columns, size // elements)
    lanes = wave // of_columns if lanes * elements < size else lanes
    waves = max(1, size // (elements * lanes))
    if isinstance(work.dims[work.reduced[-1]], Size) and size > elements:
        usual = GROUP_LANES // wave  # waves that share no row take no LDS
        return Sort(lanes, usual if waves == 1 else waves, 1, 1, elements, shared=1)
    return Sort(lanes, waves, 1, vector, elements)


def _lds_bytes(graph: Graph) -> int:
    """The bytes of an element in LDS, which the sorts share: its key, and its place if that is asked for. A
    key of 32 bits and its place are a number of 64 bits."""
    sizes: set[int] = set()
    for of_same in _by_operand(graph.sorts):
        key = max(tensor_type(of_same[0].operands[0]).element.bytes, U32.bytes)
        has_places = any(SORTS[statement.op] for statement in of_same)
        sizes.add(U64.bytes if has_places else key)
        if has_places and key == U64.bytes:
            sizes.add(U32.bytes)
    return sum(sizes)


def schedule(graph: Graph, choice: Sort, target: Target) -> Kernel:
    """The kernel of a graph with sorts along the same axis."""
    rows = SharedRows(graph, choice, target) if choice.shared else WholeRows(graph, choice, target)
    return _Sorts(graph, rows, choice.waves * choice.teams, target).kernel()


class _Sorts:
    """Writes the kernel. The results of `top_k` are in a layout without the other elements."""

    def __init__(self, graph: Graph, rows: WholeRows | SharedRows, waves: int, target: Target) -> None:
        self._graph, self._rows, main = graph, rows, rows.layout
        self._builder = TileBuilder(graph.module.name, rows.grid, waves, target.wave_size, graph.place)
        self._buffers = Buffers(self._builder, graph.defined)
        _ = self._builder.layout("keys", main)
        size = graph.work.dims[graph.work.reduced[-1]]
        self._own = rows.elements(self._builder.ids, main, size)
        row = Body(self._builder, self._buffers, without(main, (rows.axis,)), self._own.loaded)
        self._body = Body(self._builder, self._buffers, main, self._own.loaded, row)
        self._results, self._made = self._body, self._own
        count = tensor_type(graph.sorts[0].result).dims[graph.axes[-1]]
        self._first = 0 if count == size else ceil_power(number(count))
        if self._first:
            kept = rows.first(self._first)
            _ = self._builder.layout("first", kept)
            self._made = rows.elements(self._builder.ids, kept, count)
            self._results = Body(self._builder, self._buffers, kept, self._made.loaded, row)

    def kernel(self) -> Kernel:
        outputs = output_buffers(self._builder, self._graph)
        for of_same in _by_operand(self._graph.sorts):
            self._sort(of_same)
        for value, output in zip(self._graph.made, outputs, strict=True):
            is_whole = value in self._graph.whole and self._first
            body, own = (self._body, self._own) if is_whole else (self._results, self._made)
            body.store(value, own.at, output, (*own.stored, *own.exist))
        return self._builder.kernel()

    def _sort(self, statements: list[Statement]) -> None:
        """Sort the keys once for elements and for indices."""
        builder, (keys,) = self._builder, statements[0].operands
        own = self._own if self._is_of_sorts(keys) else self._rows.unsorted(self._builder.ids)
        tile = self._body.value(keys, own.at)
        has_places = any(SORTS[statement.op] for statement in statements)
        with builder.origin(statements[0].place, statements[0].result.name):
            element = tensor_type(keys).element
            if own.exist:
                tile = builder.mask(tile, own.exist, integer_range(element)[1])
            tiles = [tile]
            if has_places:
                tiles.append(builder.positions(own.column, TileType(U32, self._rows.layout)))
            made = self._rows.sorted(builder, tiles, self._first)
        for statement in statements:
            self._define(statement.result, made[SORTS[statement.op]], element)

    def _is_of_sorts(self, value: Value) -> bool:
        """Whether a value is computed from the results of other sorts."""
        statement = self._graph.defined[value]
        return statement.op in SORTS or any(map(self._is_of_sorts, statement.operands))

    def _define(self, value: Value, tile: TileValue, element: ElementType) -> None:
        with self._builder.origin(self._graph.defined[value].place, value.name):
            whole = self._builder.convert(tile, I64) if tensor_type(value).element is not element else tile
        self._results.define(value, self._made.at, whole)


def _by_operand(sorts: Iterable[Statement]) -> list[list[Statement]]:
    groups: dict[Value, list[Statement]] = {}
    for statement in sorts:
        groups.setdefault(statement.operands[0], []).append(statement)
    return list(groups.values())
