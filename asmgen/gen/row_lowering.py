"""Reductions on a lane: the elements of a row that it takes, what it makes of them, and what the row makes of
that.

A row that fits stays in registers from one reduction to the next and to the outputs; a longer one is read
again in a loop for every reduction that waits for another, and once more for the outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.gen.evaluate import element_of
from asmgen.gen.row_access import Chunk, RowAccess
from asmgen.gen.row_plan import RowPlan, row_plan
from asmgen.gen.stated import check_plan, check_reductions
from asmgen.gen.tiling import definitions, identity_map, tensor_type
from asmgen.ir.program import Attribute, Module, Statement, Value
from asmgen.ir.types import F32, U32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.ops import COPY
from asmgen.lanewise.reduction_ops import COMBINES, DPP_REDUCE, GRIDWISE_REDUCE, LANE_REDUCE, REDUCE_WAVES
from isa.target import Target

UNROLL = 4  # chunks of a loop's body: their loads are in flight together
_IDENTITY = {"sum": 0, "mean": 0, "prod": 1}  # max and min take an element twice instead


def lower_rows(builder: LaneBuilder, module: Module, target: Target) -> None:
    """Lower a module with `gridwise_reduce` statements; `InputError` where they, or the launch, do not fit
    the shapes."""
    defined = definitions(module)
    reductions = [statement for statement in module.statements if statement.op is GRIDWISE_REDUCE]
    copies = [statement for statement in module.statements if statement.op is COPY]
    check_reductions(reductions, copies)
    plan = row_plan(defined, reductions, copies, target.wave_size)
    check_plan(module.statements[0], plan, target.wave_size)
    if plan.layout.rows and copies:
        _RowLowering(builder, defined, plan, target.wave_size).lower()


class _RowLowering:
    def __init__(
        self, builder: LaneBuilder, defined: dict[Value, Statement], plan: RowPlan, wave: int
    ) -> None:
        self._builder = builder
        self._defined = defined
        self._plan = plan
        self._layout = plan.layout
        self._wave = wave
        self._row = RowAccess(builder, defined, plan)

    def lower(self) -> None:
        if self._layout.is_resident:
            self._lower_resident()
        else:
            self._lower_in_loops()
        for copy in self._plan.single:
            self._store_single(copy)

    # Reductions

    def _lower_resident(self) -> None:
        chunks = [self._row.chunk(number) for number in range(self._layout.chunks)]
        for level in self._levels():
            partials: Sequence[Value | None] = [None] * len(level)
            for chunk in chunks:
                partials = self._join_all(level, partials, chunk)
            self._finish_all(level, partials)
        for chunk in chunks:
            self._store_whole(chunk)

    def _lower_in_loops(self) -> None:
        for level in self._levels():
            for reduction in level:
                self._row.prepare(reduction.operands[0])
            partials = self._loop(
                [None] * len(level), lambda chunk, before, level=level: self._join_all(level, before, chunk)
            )
            self._finish_all(level, partials)
        for copy in self._plan.whole:
            self._row.prepare(copy.operands[0])
        if self._plan.whole:
            _ = self._loop([], self._store_chunk)

    def _store_chunk(self, chunk: Chunk, _before: Sequence[Value | None]) -> list[Value]:
        self._store_whole(chunk)
        return []

    def _join_all(self, level: list[Statement], before: Sequence[Value | None], chunk: Chunk) -> list[Value]:
        joined: list[Value] = []
        for reduction, value in zip(level, before, strict=True):
            with self._builder.at(reduction):
                joined.append(self._joined(reduction, value, chunk))
        return joined

    def _levels(self) -> list[list[Statement]]:
        """The reductions in groups: each group needs only those before it."""
        depth: dict[Statement, int] = {}
        reached: dict[Value, int] = {}
        for value, statement in self._defined.items():
            deepest = max((reached.get(operand, 0) for operand in statement.operands), default=0)
            if statement in self._plan.reductions:
                depth[statement] = deepest
                deepest += 1
            reached[value] = deepest
        count = 1 + max(depth.values())
        return [[r for r in self._plan.reductions if depth[r] == level] for level in range(count)]

    def _loop(
        self, before: list[Value | None], body: Callable[[Chunk, Sequence[Value | None]], list[Value]]
    ) -> list[Value]:
        """Run `body` over the chunks of the row: the first, then a loop over whole ones, then what is
        left."""
        builder, layout = self._builder, self._layout
        turns = (layout.whole_chunks - 1) // UNROLL
        _ = self._row.own_element()
        carried = body(self._row.chunk(0), before)
        if turns:
            start, stop, step = (
                builder.constant(layout.chunk * count, U32) for count in (1, 1 + turns * UNROLL, UNROLL)
            )

            def turn(counter: Value, values: tuple[Value, ...]) -> list[Value]:
                now: list[Value] = list(values)
                for number in range(UNROLL):
                    now = body(self._row.chunk(number, counter), now)
                return now

            carried = list(builder.for_(start, stop, step, carried, turn))
        for number in range(1 + turns * UNROLL, layout.chunks):
            carried = body(self._row.chunk(number), carried)
        return carried

    def _joined(self, reduction: Statement, before: Value | None, chunk: Chunk) -> Value:
        """What the lane has of a reduction after another chunk, element by element of the vector."""
        builder, kind = self._builder, self._kind(reduction)
        value = chunk.evaluator.value(reduction.operands[0], identity_map(len(self._plan.dims)))
        if chunk.has_elements is not None and kind in _IDENTITY:
            exists = (
                chunk.has_elements
                if self._layout.vector == 1
                else builder.splat(chunk.has_elements, self._layout.vector)
            )
            value = builder.where(exists, value, builder.like(_IDENTITY[kind], value))
        return value if before is None else builder.value(COMBINES[kind], before, value)

    @staticmethod
    def _kind(reduction: Statement) -> str:
        return str(reduction.attributes["op"])

    def _finish_all(self, level: list[Statement], partials: Sequence[Value | None]) -> None:
        """Combine what the lanes have; every lane of the row has the results. All steps within a wave come
        first: those of one reduction fill the wait states of another."""
        of_waves: list[Value] = []
        for reduction, partial in zip(level, partials, strict=True):
            assert partial is not None
            with self._builder.at(reduction):
                of_waves.append(self._across_lanes(self._kind(reduction), partial))
        for reduction, value in zip(level, of_waves, strict=True):
            with self._builder.at(reduction):
                total = self._across_waves(reduction, value)
                self._row.values.define(
                    reduction.result,
                    identity_map(len(self._plan.dims)),
                    self._scaled(self._kind(reduction), total),
                )

    def _across_lanes(self, kind: str, partial: Value) -> Value:
        """Combine a lane's elements, then the lanes of a wave that share a row."""
        builder, layout = self._builder, self._layout
        if layout.vector > 1:
            (partial,) = builder.apply(LANE_REDUCE, (partial,), {"op": kind})
        if layout.lanes > 1:
            (partial,) = builder.apply(
                DPP_REDUCE, (partial,), {"op": kind, "lanes": min(layout.lanes, self._wave)}
            )
        return partial

    def _across_waves(self, reduction: Statement, of_wave: Value) -> Value:
        """A row's lanes lie within a row of 16, all of which have the result then, or in several waves
        (`row_layout`)."""
        builder, waves = self._builder, self._layout.lanes // self._wave
        if not waves:
            return of_wave
        assert waves > 1, "a layout gives a row to several waves or to a part of one"
        attributes: dict[str, Attribute] = {"op": self._kind(reduction), "waves": waves}
        (total,) = builder.apply(REDUCE_WAVES, (of_wave, reduction.operands[1]), attributes)
        return total

    def _scaled(self, kind: str, total: Value) -> Value:
        if kind != "mean":
            return total
        builder, columns = self._builder, self._layout.columns
        if element_of(total) is F32:
            return builder.mul(total, builder.constant(1.0 / columns, F32))
        return builder.div(total, builder.like(columns, total))

    # Outputs

    def _store_whole(self, chunk: Chunk) -> None:
        builder = self._builder
        stores: list[tuple[Value, Value, Value]] = []
        for copy in self._plan.whole:
            value, buffer = copy.operands
            with builder.at(copy):
                result = chunk.evaluator.value(value, identity_map(len(self._plan.dims)))
                result = chunk.evaluator.narrowed(result, tensor_type(buffer).element)
                stores += self._placed(chunk, buffer, result)
        self._stored(stores, [chunk.has_elements, self._row.exists])

    def _placed(self, chunk: Chunk, buffer: Value, result: Value) -> list[tuple[Value, Value, Value]]:
        """The stores that put a chunk's elements where they lie: one, or one for each where they lie
        apart."""
        builder, vector = self._builder, self._layout.vector
        index, step = chunk.evaluator.locate(tensor_type(buffer), identity_map(len(self._plan.dims)))
        if vector == 1 or step == 1:
            return [(buffer, index, result)]
        return [
            (buffer, self._row.plus(index, lane * step), builder.extract(result, lane))
            for lane in range(vector)
        ]

    def _store_single(self, copy: Statement) -> None:
        value, buffer = copy.operands
        builder = self._builder
        with builder.at(copy):
            result = self._row.values.value(value, identity_map(len(self._plan.dims)))
            result = self._row.values.narrowed(result, tensor_type(buffer).element)
            first = (
                None if self._row.lane is None else builder.equal(self._row.lane, builder.constant(0, U32))
            )
            self._stored([(buffer, self._row.number, result)], [first, self._row.exists])

    def _stored(self, stores: list[tuple[Value, Value, Value]], conditions: list[Value | None]) -> None:
        """Store where every condition holds."""
        builder = self._builder
        guard: Value | None = None
        for condition in conditions:
            if condition is not None:
                guard = condition if guard is None else builder.logical_and(guard, condition)

        def body() -> tuple[Value, ...]:
            for buffer, index, result in stores:
                builder.store(buffer, index, result)
            return ()

        if not stores:
            return
        if guard is None:
            _ = body()
        else:
            _ = builder.if_(guard, body)
