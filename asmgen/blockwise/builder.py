"""Makes tile programs statement by statement, for schedules. A rule that is broken is an `InternalError`,
since no user wrote the statement.

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

from msgspec.structs import replace

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import Kernel, Region, Statement, Value
from asmgen.blockwise.rows import is_pointwise, row_of
from asmgen.blockwise.rules.codes import BrokenRule, NotShownWithin, NotWithin
from asmgen.blockwise.rules.infer import infer
from asmgen.blockwise.types import LdsType, TileType, Type
from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.expression import as_symbol, only, plain
from asmgen.index.size import symbols_of
from asmgen.ir.constants import Numbers
from asmgen.ir.program import Op, Scope
from asmgen.ir.types import ElementType, TensorType
from isa.diagnostics import InternalError, Place

At = Sequence[Index | int]
Body = Callable[[Index, tuple[Value, ...]], Sequence[Value]]


class TileBuilder:
    """One kernel. `grid` are the workgroups along each axis by the name of their id, x first; the id of one
    workgroup is 0. `place` is what statements come from, where no `origin` says another.
    """

    def __init__(
        self, name: str, grid: Mapping[str, int], waves: int, lanes: int, place: Place | None = None
    ) -> None:
        self._name = name
        self._waves, self._lanes = waves, lanes
        self._grid = tuple([as_symbol(symbol(axis, 0, count - 1)) for axis, count in grid.items()])
        self.ids = tuple(
            [symbol(axis, 0, count - 1) if count > 1 else ops.ZERO for axis, count in grid.items()]
        )
        self._counts = tuple(grid.values()) if any(symbols_of(tuple(grid.values()))) else ()
        self._dims: dict[Symbol, None] = dict.fromkeys(symbols_of(self._counts))
        self._taken: set[str] = set(grid)
        self._layouts: dict[str, Layout] = {}
        self._regions: list[list[Statement]] = [[]]
        self._place = place
        self._hint = ""  # the name of what results are made for

    def kernel(self) -> Kernel:
        """The kernel, without what nothing reads."""
        layouts, statements = tuple(self._layouts.items()), _read(self._regions[0], set())
        return Kernel(
            self._name, self._grid, self._waves, self._lanes, statements, layouts,
            dims=tuple(self._dims), counts=self._counts,
        )  # fmt: skip

    @contextmanager
    def origin(self, place: Place | None, hint: str) -> Generator[None]:
        """Inside, statements come from `place`, and their results are named after `hint`."""
        before = self._place, self._hint
        self._place, self._hint = place, hint
        try:
            yield
        finally:
            self._place, self._hint = before

    def layout(self, name: str, layout: Layout) -> Layout:
        """Give a layout a name in the text."""
        if layout not in self._layouts.values():
            self._layouts[self._fresh(name)] = layout
        return layout

    def apply(
        self, action: ops.Action, *operands: Value, stated: Type | None = None, name: str = ""
    ) -> tuple[Value, ...]:
        """Add a statement. `stated` is the type of its result where the op's row asks for one. The result is
        called `name`, with a number where that name is taken.
        """
        types = tuple([operand.type for operand in operands])
        try:
            inferred = infer(action, types, stated)
        except BrokenRule as rule:
            kind = NotShownWithin if isinstance(rule, NotWithin) else InternalError
            raise kind("blockwise", f"{self._name}, {row_of(action).name}", str(rule)) from rule
        results = tuple(
            [Value(self._fresh(self._hint or name or row_of(action).name), type_) for type_ in inferred]
        )
        self._regions[-1].append(Statement(action, operands, results, (), self._place))
        return results

    def value(
        self, action: ops.Action, *operands: Value, stated: Type | None = None, name: str = ""
    ) -> Value:
        """`apply` of an op with one result."""
        (result,) = self.apply(action, *operands, stated=stated, name=name)
        return result

    def _fresh(self, stem: str) -> str:
        name, count = stem, 0
        while name in self._taken:
            count += 1
            name = f"{stem}_{count}"
        self._taken.add(name)
        return name

    # Memory

    def parameter(self, name: str, type_: TensorType) -> Value:
        self._dims |= dict.fromkeys(symbols_of((*type_.dims, *type_.strides)))
        return self.value(ops.Parameter(name), stated=type_, name=name)

    def literal(self, name: str, values: Numbers, type_: TensorType) -> Value:
        return self.value(ops.Literal(values), stated=type_, name=name)

    def load(
        self,
        buffer: Value,
        at: At,
        type_: TileType,
        where: Sequence[ops.Below] = (),
        otherwise: ops.Number = 0,
        data: Sequence[Value] = (),
        loose: bool = False,
    ) -> Value:
        """A tile of a buffer; `data` are the tiles that `v0`, `v1`, ... are."""
        action = ops.TileLoad(_indices(at), tuple(where), otherwise, loose)
        return self.value(action, buffer, *data, stated=type_, name="t")

    def store(
        self, tile: Value, buffer: Value, at: At, where: Sequence[ops.Below] = (), data: Sequence[Value] = ()
    ) -> None:
        _ = self.apply(ops.TileStore(_indices(at), tuple(where)), tile, buffer, *data)

    def lds(self, type_: LdsType) -> Value:
        return self.value(ops.LdsAllocate(), stated=type_, name="lds")

    def lds_store(self, tile: Value, lds: Value, origin: At = (), slot: Index | int = 0) -> None:
        _ = self.apply(ops.LdsStore(_indices(origin), slot + ops.ZERO), tile, lds)

    def lds_load(self, lds: Value, type_: TileType, origin: At = (), slot: Index | int = 0) -> Value:
        return self.value(ops.LdsLoad(_indices(origin), slot + ops.ZERO), lds, stated=type_, name="t")

    def barrier(self) -> None:
        _ = self.apply(ops.Barrier())

    # Tiles

    def fill(self, value: ops.Number, type_: TileType) -> Value:
        return self.value(ops.Fill(plain(value)), stated=type_)

    def positions(self, at: Index, type_: TileType) -> Value:
        """The index of each element, as i32 or u32."""
        return self.value(ops.Positions((at,)), stated=type_)

    def mask(
        self, tile: Value, where: Sequence[ops.Below], otherwise: ops.Number, data: Sequence[Value] = ()
    ) -> Value:
        return self.value(ops.Mask(tuple(where), otherwise), tile, *data)

    def pointwise(self, op: Op, *tiles: Value) -> Value:
        if not is_pointwise(op):
            raise InternalError("blockwise", self._name, f"{op.name} is no pointwise op without attributes")
        return self.value(ops.Pointwise(op), *tiles)

    def convert(self, tile: Value, to: ElementType) -> Value:
        return self.value(ops.Convert(to), tile)

    def reduce(
        self, op: ops.Combine, axes: Sequence[int], tile: Value, within: Scope = Scope.WORKGROUP
    ) -> Value:
        return self.value(ops.Reduce(op, tuple(axes), within), tile)

    def scan(self, action: ops.Scan, tile: Value, *before: Value) -> tuple[Value, ...]:
        """What comes before each element of a tile, or up to it; with what comes before the tile also what
        comes before the next one.
        """
        return self.apply(action, tile, *before)

    def broadcast(self, tile: Value, type_: TileType) -> Value:
        return self.value(ops.Broadcast(), tile, stated=type_)

    def relayout(self, tile: Value, layout: Layout) -> Value:
        return self.value(ops.Relayout(), tile, stated=TileType(tile.type.element, layout))

    def contract(self, a: Value, b: Value, c: Value, by: str = "") -> Value:
        return self.value(ops.Contract(by), a, b, c)

    # Loops

    def for_(
        self,
        name: str,
        start: Index | int,
        stop: Index | int,
        step: int,
        initial: Sequence[Value],
        body: Body,
    ) -> tuple[Value, ...]:
        """A loop; `body` takes the counter and the values carried, and returns the next ones."""
        action = ops.counted(self._fresh(name), start, stop, step)
        counter = action.counter
        parameters = tuple([Value(self._fresh(value.name), value.type) for value in initial])
        self._regions.append([])
        carried = body(only(counter), parameters)
        _ = self.apply(ops.Yield(), *carried)
        region = Region(parameters, tuple(self._regions.pop()))
        results = tuple([Value(self._fresh(value.name), value.type) for value in initial])
        self._regions[-1].append(Statement(action, tuple(initial), results, (region,), self._place))
        return results


def _read(statements: Sequence[Statement], read: set[Value]) -> tuple[Statement, ...]:
    """The statements that have an effect or whose results are read, by one of them or as `read` says."""
    kept: list[Statement] = []
    for statement in reversed(statements):
        if not row_of(statement.action).effects and read.isdisjoint(statement.results):
            continue
        current = statement
        if statement.regions:
            regions = [Region(one.parameters, _read(one.statements, read)) for one in statement.regions]
            current = replace(statement, regions=tuple(regions))
        read.update(statement.operands)
        kept.append(current)
    return tuple(reversed(kept))


def _indices(at: At) -> tuple[Index, ...]:
    return tuple([constant(index) if isinstance(index, int) else index for index in at])
