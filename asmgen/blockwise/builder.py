"""Builds tile programs statement by statement, for schedules. A broken rule is an `InternalError`, since no
user wrote the statement.

    builder = TileBuilder("row_max", {"row": 4096}, waves=1, lanes=64)
    row = builder.ids[0]
    a = builder.layout("a", layout((1, 256), (1, 2), (4, 8, 16, 32, 64, 128)))
    x, z = builder.parameter("x", tensor(F32, (4096, 256))), builder.parameter("z", tensor(F32, (4096, 1)))
    tile = TileType(F32, a)
    t = builder.load(x, (row, tile.coordinates[1]), tile)
    builder.store(builder.reduce(Combine.MAX, (1,), t), z, (row, 0))
    kernel = builder.kernel()
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.op_table import is_pointwise, row_of
from asmgen.blockwise.program import Kernel, TileStatement, TileValue
from asmgen.blockwise.rules.codes import BrokenRule, NotShownWithin, NotWithin
from asmgen.blockwise.rules.infer import infer
from asmgen.blockwise.types import LdsType, TileType, Type
from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.expression import as_symbol, only
from asmgen.index.size import Dim, equals, symbols_of
from asmgen.ir.builder import StatementBuilder
from asmgen.ir.constants import Numbers
from asmgen.ir.program import Op, Region, Scope, Statement, Value, with_regions
from asmgen.ir.types import ElementType, TensorType
from isa.diagnostics import InternalError, Place

At = Sequence[Index | Dim]
Body = Callable[[Index, tuple[TileValue, ...]], Sequence[TileValue]]


class TileBuilder(StatementBuilder[ops.Action, Type]):
    """The statements of a kernel. `grid` are the workgroups along each axis by the name of their id, x first;
    the id of a single workgroup is 0, and `id_names` has their names. `place` is the place of statements
    outside of any `origin`.
    """

    def __init__(
        self, name: str, grid: Mapping[str, Dim], waves: int, lanes: int, place: Place | None = None
    ) -> None:
        super().__init__(grid, place)
        self._name = name
        self._waves, self._lanes = waves, lanes
        self._grid = tuple([as_symbol(symbol(axis, 0, count - 1)) for axis, count in grid.items()])
        self.ids = tuple(
            [
                ops.ZERO if equals(count, 1).is_shown else symbol(axis, 0, count - 1)
                for axis, count in grid.items()
            ]
        )
        self.id_names = tuple(grid)
        self._counts = tuple(grid.values()) if any(symbols_of(tuple(grid.values()))) else ()
        self._dims: dict[Symbol, None] = dict.fromkeys(symbols_of(self._counts))
        self._layouts: dict[str, Layout] = {}

    def kernel(self) -> Kernel:
        """The kernel, without what nothing reads."""
        layouts, statements = tuple(self._layouts.items()), _read(self._regions[0], set())
        return Kernel(
            self._name, self._grid, self._waves, self._lanes, statements, layouts,
            dims=tuple(self._dims), counts=self._counts,
        )  # fmt: skip

    def layout(self, name: str, layout: Layout) -> Layout:
        """Give a layout a name in the text."""
        if layout not in self._layouts.values():
            self._layouts[self.fresh(name)] = layout
        return layout

    def apply(
        self, action: ops.Action, *operands: TileValue, stated: Type | None = None, name: str = ""
    ) -> tuple[TileValue, ...]:
        """Add a statement. `stated` is the type of its result if the op's row asks for it. The result is
        called `name`, with a number if that name is taken.
        """
        types = tuple([operand.type for operand in operands])
        try:
            inferred = infer(action, types, stated)
        except BrokenRule as rule:
            kind = NotShownWithin if isinstance(rule, NotWithin) else InternalError
            raise kind("blockwise", f"{self._name}, {row_of(action).name}", str(rule)) from rule
        hint = self._hint or name or row_of(action).name
        return self._append(action, operands, inferred, {}, (), hint)

    def value(
        self, action: ops.Action, *operands: TileValue, stated: Type | None = None, name: str = ""
    ) -> TileValue:
        """`apply` of an op with a single result."""
        (result,) = self.apply(action, *operands, stated=stated, name=name)
        return result

    # Memory

    def parameter(self, name: str, type_: TensorType) -> TileValue:
        self._dims |= dict.fromkeys(symbols_of((*type_.dims, *type_.strides)))
        self._taken.update([dim.name for dim in self._dims])
        return self.value(ops.Parameter(name), stated=type_, name=name)

    def literal(self, name: str, values: Numbers, type_: TensorType) -> TileValue:
        return self.value(ops.Literal(values), stated=type_, name=name)

    def load(
        self,
        buffer: TileValue,
        at: At,
        type_: TileType,
        where: Sequence[ops.Below] = (),
        otherwise: ops.Number = 0,
        data: Sequence[TileValue] = (),
        loose: bool = False,
    ) -> TileValue:
        """A tile of a buffer; `data` are the tiles that `v0`, `v1`, ... are."""
        action = ops.TileLoad(_indices(at), tuple(where), otherwise, loose)
        return self.value(action, buffer, *data, stated=type_, name="t")

    def store(
        self,
        tile: TileValue,
        buffer: TileValue,
        at: At,
        where: Sequence[ops.Below] = (),
        data: Sequence[TileValue] = (),
        adds: bool = False,
    ) -> None:
        _ = self.apply(ops.TileStore(_indices(at), tuple(where), adds), tile, buffer, *data)

    def lds(self, type_: LdsType) -> TileValue:
        return self.value(ops.LdsAllocate(), stated=type_, name="lds")

    def lds_store(self, tile: TileValue, lds: TileValue, origin: At = (), slot: Index | int = 0) -> None:
        _ = self.apply(ops.LdsStore(_indices(origin), slot + ops.ZERO), tile, lds)

    def lds_load(
        self, lds: TileValue, type_: TileType, origin: At = (), slot: Index | int = 0, by: str = ""
    ) -> TileValue:
        action = ops.LdsLoad(_indices(origin), slot + ops.ZERO, by)
        return self.value(action, lds, stated=type_, name="t")

    def async_copy(
        self, buffer: TileValue, lds: TileValue, layout: Layout, load: ops.TileLoad, slot: Index
    ) -> None:
        """Copy the tile of a load to a slot; its other elements are 0."""
        _ = self.apply(ops.AsyncCopy(load.at, layout, load.where, (), slot), buffer, lds)

    def async_wait(self, pending: int = 0) -> None:
        _ = self.apply(ops.AsyncWait(pending))

    def barrier(self) -> None:
        _ = self.apply(ops.Barrier())

    def order(self) -> None:
        _ = self.apply(ops.Order())

    def priority(self, level: int) -> None:
        _ = self.apply(ops.Priority(level))

    # Tiles

    def fill(self, value: ops.Number, type_: TileType) -> TileValue:
        return self.value(ops.Fill(value), stated=type_)

    def positions(self, at: Index, type_: TileType) -> TileValue:
        """The index of each element, as i32 or u32."""
        return self.value(ops.Positions((at,)), stated=type_)

    def mask(
        self,
        tile: TileValue,
        where: Sequence[ops.Below],
        otherwise: ops.Number,
        data: Sequence[TileValue] = (),
    ) -> TileValue:
        return self.value(ops.Mask(tuple(where), otherwise), tile, *data)

    def pointwise(self, op: Op, *tiles: TileValue) -> TileValue:
        if not is_pointwise(op):
            message = f"{op.name} is not a pointwise op without attributes"
            raise InternalError("blockwise", self._name, message)
        return self.value(ops.Pointwise(op), *tiles)

    def convert(self, tile: TileValue, to: ElementType) -> TileValue:
        return self.value(ops.Convert(to), tile)

    def reduce(
        self,
        op: ops.Combine,
        axes: Sequence[int],
        tile: TileValue,
        within: Scope = Scope.WORKGROUP,
        *,
        diagonal: bool = False,
    ) -> TileValue:
        return self.value(ops.Reduce(op, tuple(axes), within, diagonal), tile)

    def scan(self, action: ops.Scan, tile: TileValue, *before: TileValue) -> tuple[TileValue, ...]:
        """The prefix of each element of a tile. With `before`, the prefix of the tile, the second result is
        the prefix of the next tile.
        """
        return self.apply(action, tile, *before)

    def sort(self, axis: int, first: int, *tiles: TileValue, blocks: int = 0) -> tuple[TileValue, ...]:
        """The first keys along the axis, and the places that move with them."""
        return self.apply(ops.Sort(axis, first, blocks), *tiles)

    def broadcast(self, tile: TileValue, type_: TileType) -> TileValue:
        return self.value(ops.Broadcast(), tile, stated=type_)

    def relayout(self, tile: TileValue, layout: Layout) -> TileValue:
        return self.value(ops.Relayout(), tile, stated=TileType(tile.type.element, layout))

    def reshape(self, tile: TileValue, sizes: tuple[int, ...]) -> TileValue:
        """The same elements in the same holders, with other sizes."""
        assert isinstance(tile.type, TileType), tile
        layout = tile.type.layout._replace(sizes=sizes)
        return self.value(ops.Reshape(), tile, stated=TileType(tile.type.element, layout))

    def contract(
        self, a: TileValue, b: TileValue, c: TileValue, by: str = "", scales: Sequence[TileValue] = ()
    ) -> TileValue:
        return self.value(ops.Contract(by), a, b, c, *scales)

    # Loops

    def stage(self) -> None:
        """End a stage of the loop (`asmgen.blockwise.pipelining`)."""
        _ = self.apply(ops.Stage())

    @contextmanager
    def waves(self, first: int, stop: int) -> Generator[None]:
        """Statements made inside run in the waves from `first` to before `stop`."""
        with self.nested() as statements:
            yield
            _ = self.apply(ops.Yield())
        region = Region[ops.Action, Type]((), tuple(statements))
        self._regions[-1].append(Statement(ops.Waves(first, stop), (), (), {}, (region,), self._place))

    def for_(
        self,
        name: str,
        start: Index | Dim,
        stop: Index | Dim,
        step: int,
        initial: Sequence[TileValue],
        body: Body,
        staggered: bool = False,
    ) -> tuple[TileValue, ...]:
        """A loop; `body` takes the counter and the carried values, and returns the next values."""
        action = ops.counted(self.fresh(name), start, stop, step, staggered)
        counter = action.counter
        parameters = tuple([Value(self.fresh(value.name), value.type) for value in initial])
        with self.nested() as statements:
            _ = self.apply(ops.Yield(), *body(only(counter), parameters))
        region = Region(parameters, tuple(statements))
        results = tuple([Value(self.fresh(value.name), value.type) for value in initial])
        self._regions[-1].append(Statement(action, tuple(initial), results, {}, (region,), self._place))
        return results


def _read(statements: Sequence[TileStatement], read: set[TileValue]) -> tuple[TileStatement, ...]:
    """The statements that are needed: those with an effect, those with a result in `read`, and those that
    make an operand of a needed statement."""
    kept: list[TileStatement] = []
    for statement in reversed(statements):
        if not row_of(statement.op).effects and read.isdisjoint(statement.results):
            continue
        kept.append(with_regions(statement, lambda inner: _read(inner, read)))
        read.update(statement.operands)
    return tuple(reversed(kept))


def _indices(at: At) -> tuple[Index, ...]:
    return tuple([index if isinstance(index, Index) else constant(index) for index in at])
