"""The tiles of factors that a trip of a product reads from memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.blockwise.actions import AsyncCopy, Order, TileLoad, indices_of
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.program import TileStatement, TileValue
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.elements.indices import Indices
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages.product_copies import Copied
from asmgen.blockwise.schedules.pages.product_factors import Factor, is_along_k
from asmgen.blockwise.schedules.pages.product_quads import in_memory
from asmgen.blockwise.schedules.pages.product_results import conditions
from asmgen.blockwise.schedules.tiles.body import Body
from asmgen.blockwise.schedules.tiles.buffers import Buffers
from asmgen.blockwise.types import coordinates
from asmgen.index import Index, constant
from asmgen.index.reach import is_within
from asmgen.index.size import Dim
from asmgen.ir.program import tensor_type
from asmgen.ir.types import ElementType
from isa.named_tuple import NamedTuple
from isa.registers import DWORD
from isa.target import WIDEST_ACCESS

Turn = Callable[[Index, Sequence[TileValue]], list[TileValue]]  # a trip: its counter, and the carried tiles


class Depth(NamedTuple):
    """The elements along k that a workgroup adds up: the first, and how many."""

    begin: Index
    size: Dim


class Reader:
    """Reads tiles of factors as `element`, and tiles of their scales."""

    def __init__(
        self,
        builder: TileBuilder,
        buffers: Buffers,
        graph: Graph,
        choice: Contract,
        depth: Depth,
        element: ElementType,
    ) -> None:
        self._builder, self._buffers, self._graph = builder, buffers, graph
        self._choice, self._depth, self._element = choice, depth, element

    def read(self, factor: Factor, batch: Indices, first: Indices, counter: Index) -> TileValue:
        """A tile of a factor; the batch dims of a factor that it lacks, or has once, broadcast."""
        wave, counter = coordinates(factor.loaded.shape)[:-2], counter + self._depth.begin
        counter = counter + wave[0] * self._choice.depth if wave else counter
        return self.tile(factor, batch, first, counter, self._element)

    def tile(
        self, factor: Factor, batch: Indices, first: Indices, counter: Index, element: ElementType
    ) -> TileValue:
        """A tile of numbers along k, or of their scales, as this type."""
        number, value, of = factor.number, factor.value, factor.loaded
        row, column = self._in_memory(number, coordinates(of.shape)[-2:])
        size = self._choice.n if number else self._choice.m
        start = first[number] * factor.strips + factor.strip * size + factor.begin
        at = (counter + row, start + column) if number else (start + row, counter + column)
        dims = tensor_type(value).dims
        own = batch[len(batch) + 2 - len(dims) :]
        outer = tuple([constant(0) if dim == 1 else index for dim, index in zip(dims[:-2], own, strict=True)])
        # elements beyond the rows of a, and the columns of b, are of results that are not stored
        k, asked = dims[-1 - number], list(at)
        if factor.fills:
            asked[number] = constant(size - 1)  # then all elements of the tile exist
        where, is_inside = conditions((*outer, *asked), dims), is_within(at[1 - number], k)
        is_over = not is_inside and self._reads_over_ends(factor, asked)
        body = Body(self._builder, self._buffers, of, where, is_loose=is_over or is_inside)
        tile = body.value(value, (*outer, *at))
        if is_over:
            return self._builder.mask(body.narrowed(tile, element), conditions((at[1 - number],), (k,)), 0)
        # along a k of 1, the elements are loaded once, without the condition that there are no others
        if not is_inside and body.where and (k == 1 or not self._buffers.is_only_read(value)):
            tile = self._builder.mask(tile, body.where, 0)
        return body.narrowed(tile, element)

    def _reads_over_ends(self, factor: Factor, at: Sequence[Index]) -> bool:
        """Whether loads of elements at `at` read over the ends of rows, and elements beyond k are replaced in
        the trip that multiplies them. The last elements of a row would otherwise take more than two accesses,
        in each trip if rows are shorter than the tile, and in the last trip if they lie along k. Of a long
        loop, the last trip is too few clocks: 777 cubed of bf16 on gfx1201 takes 31,342 clocks, 33,217 over
        the ends. In short loops, three accesses of 32 bits take less time. In trips of several parts
        along k, loads of a part come before the stores of the part before it."""
        if factor.copy or self._choice.along:
            return False
        number, type_ = factor.number, tensor_type(factor.value)
        axis = 1 - number if is_along_k(self._graph, number, factor.value) else number
        row, size = type_.dims[axis - 2], type_.element.bytes
        is_even = isinstance(row, int) and row * size % (WIDEST_ACCESS // 2) == 0
        if is_even or not conditions((at[axis],), (row,)):
            return False
        is_short = isinstance(self._depth.size, int) and self._depth.size <= 2 * self._choice.k
        return size < DWORD if is_short else axis == number

    def _in_memory(self, number: int, at: Indices) -> Indices:
        """The element of a factor's tile in memory that is an element of the instruction's tile."""
        if not self._choice.quads:
            return at
        line, along = in_memory(at[number], at[1 - number], WIDEST_ACCESS // self._element.bytes)
        return (along, line) if number else (line, along)

    def copy(self, tile: TileValue, lds: TileValue, copy: Copied, slot: Index) -> None:
        """Copy the tile of a load to LDS, in place of the load."""
        (made,) = [each for each in self._builder.statements if tile in each.results]
        assert isinstance(made.op, TileLoad), made
        self._builder.statements.remove(made)
        self._builder.async_copy(made.operands[0], lds, copy.layout, made.op, slot)


def with_fixed_loads_before(builder: TileBuilder, turn: Turn) -> Turn:
    """A trip without the loads that are the same in every trip, such as that of a number of each row, which
    come before the loop. A softmax of {32,2048,2048} by {32,2048,128} of f16 on gfx950 takes 218 thousand
    clocks, 236 with the loads in each trip."""
    before = builder.statements

    def shorter(counter: Index, carried: Sequence[TileValue]) -> list[TileValue]:
        sums, inside = turn(counter, carried), builder.statements
        made = {result for statement in inside for result in statement.results}
        fixed = [
            statement
            for statement in inside
            if isinstance(statement.op, TileLoad)
            and made.isdisjoint(statement.operands)
            and all(counter.symbols.isdisjoint(index.symbols) for index in indices_of(statement.op))
        ]
        before.extend(fixed)
        inside[:] = [statement for statement in inside if statement not in fixed]
        return sums

    return shorter


def end_loads(builder: TileBuilder) -> None:
    """End the first stage after the loads; the computations from them come after it."""
    statements = builder.statements
    loads: list[TileStatement] = []
    rest: list[TileStatement] = []
    computed_here: set[TileValue] = set()
    for statement in statements:
        is_ahead = isinstance(statement.op, TileLoad | AsyncCopy | Order) and computed_here.isdisjoint(
            statement.operands
        )
        (loads if is_ahead else rest).append(statement)
        if not is_ahead:
            computed_here.update(statement.results)
    statements[:] = loads
    builder.stage()
    statements += rest
