"""Reductions on a lane: the elements of a row that it takes, what it makes of them, and what the row makes of that.

A row that fits stays in registers from one reduction to the next and to the outputs; a longer one is read again in a
loop for every reduction that waits for another, and once more for the outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from asmgen.gen.builder import LaneBuilder
from asmgen.gen.evaluate import Evaluator, Key, coordinates_of, element_of, weighted_sum
from asmgen.gen.indexing import DimMap, Strides, access_strides
from asmgen.gen.layout import is_walked, operand_map
from asmgen.gen.ops import COPY
from asmgen.gen.reduction_ops import COMBINES, DPP_REDUCE, GRIDWISE_REDUCE, LANE_REDUCE, READ_LANE, REDUCE_WAVES
from asmgen.gen.row_plan import RowPlan, row_plan
from asmgen.gen.stated import check_plan, check_reductions
from asmgen.gen.tiling import definitions, identity_map, tensor_type
from asmgen.tensor.ir import Attribute, Module, Statement, Value
from asmgen.tensor.types import F32, U32, TensorType, row_major
from isa.targets import Target

UNROLL = 4  # chunks of a loop's body: their loads are in flight together
_IDENTITY = {"sum": 0, "mean": 0, "prod": 1}  # max and min take an element twice instead


@dataclass(frozen=True, slots=True)
class _Chunk:
    """One access of each lane to its row: its values, and which lanes have elements (None: all)."""

    evaluator: Evaluator
    has_elements: Value | None


def lower_rows(builder: LaneBuilder, module: Module, target: Target) -> None:
    """Lower a module with `gridwise_reduce` statements; `InputError` where they, or the launch, do not fit the shapes."""
    defined = definitions(module)
    reductions = [statement for statement in module.statements if statement.op is GRIDWISE_REDUCE]
    copies = [statement for statement in module.statements if statement.op is COPY]
    check_reductions(reductions, copies)
    plan = row_plan(defined, reductions, copies, target.wave_size)
    check_plan(module.statements[0], plan, target.wave_size)
    if plan.layout.rows and copies:
        _RowLowering(builder, defined, plan, target.wave_size).lower()


class _RowLowering:
    def __init__(self, builder: LaneBuilder, defined: dict[Value, Statement], plan: RowPlan, wave: int) -> None:
        self._builder = builder
        self._defined = defined
        self._plan = plan
        self._layout = plan.layout
        self._wave = wave
        self._bases: dict[Strides, Value | None] = {}
        row, self._row_exists, self._lane = self._place()
        self._coordinates = coordinates_of(builder, row, self._layout.outer.dims)
        self._row_number = row
        self._rows = Evaluator(builder, defined, 1, self._locate_row)

    def lower(self) -> None:
        if self._layout.is_resident:
            self._lower_resident()
        else:
            self._lower_in_loops()
        for copy in self._plan.single:
            self._store_single(copy)

    def _place(self) -> tuple[Value, Value | None, Value | None]:
        """The row's number, whether there is such a row (None: always), and the lane's number within it (None: 0)."""
        builder, layout = self._builder, self._layout
        group, local = builder.workgroup_id(), builder.local_id()
        if layout.lanes == layout.block:
            return group, None, local
        shift = builder.constant(layout.lanes.bit_length() - 1, U32)
        of_group = local if layout.lanes == 1 else builder.shift_right(local, shift)
        row = builder.add(builder.mul(group, builder.constant(layout.rows_of_group, U32)), of_group)
        lane = None if layout.lanes == 1 else builder.bitwise_and(local, builder.constant(layout.lanes - 1, U32))
        if layout.rows % layout.rows_of_group == 0:
            return row, None, lane
        exists = builder.less(row, builder.constant(layout.rows, U32))
        return builder.min(row, builder.constant(layout.rows - 1, U32)), exists, lane

    # Where elements lie

    def _strides(self, type_: TensorType, where: DimMap) -> Strides:
        return access_strides(len(self._plan.dims), type_.dims, type_.strides, where)

    def _base(self, strides: Strides) -> Value | None:
        """The index at which the row begins; None where it is 0. It is made once, outside of every loop."""
        outer = self._layout.outer.strides(strides)
        if outer not in self._bases:
            if outer == row_major(self._layout.outer.dims):
                self._bases[outer] = self._row_number if self._layout.rows > 1 else None
            else:
                scaled = self._scale_of(outer)
                row = [self._row_number] if scaled else self._coordinates
                self._bases[outer] = weighted_sum(self._builder, row, scaled or outer)
        return self._bases[outer]

    def _scale_of(self, outer: Strides) -> Strides | None:
        """The one factor that takes a row's number to its begin, if there is one."""
        packed = row_major(self._layout.outer.dims)
        if not outer or not packed:
            return None
        factor = outer[-1]
        return (factor,) if all(stride == factor * unit for stride, unit in zip(outer, packed, strict=True)) else None

    def _locate_row(self, type_: TensorType, where: DimMap) -> tuple[Value, int]:
        return self._base(self._strides(type_, where)) or self._builder.constant(0, U32), 0

    def _chunk(self, number: int, offset: Value | None = None) -> _Chunk:
        """The chunk of a known number, or, with `offset`, the one that begins so many elements after it; that one is whole."""
        builder, layout = self._builder, self._layout
        own = self._own_element()
        behind = number * layout.chunk
        if offset is not None:
            own = offset if own is None else builder.add(offset, own)
        elif behind + layout.chunk > layout.columns:
            return self._partial_chunk(own, behind)
        return _Chunk(self._evaluator(own, behind), None)

    def _own_element(self) -> Value | None:
        """The number of the lane's first element within the first chunk; None where it is 0."""
        if self._lane is None:
            return None
        vector = self._layout.vector
        return self._lane if vector == 1 else self._builder.mul(self._lane, self._builder.constant(vector, U32))

    def _plus(self, value: Value | None, constant: int) -> Value:
        if value is None:
            return self._builder.constant(constant, U32)
        return value if constant == 0 else self._builder.add(value, self._builder.constant(constant, U32))

    def _partial_chunk(self, own: Value | None, behind: int) -> _Chunk:
        """Lanes without elements of their own read the row's last ones, and are left out where that would count."""
        builder, layout = self._builder, self._layout
        first = self._plus(own, behind)
        last = layout.columns - layout.vector
        exists = builder.less_equal(first, builder.constant(last, U32))
        clamped = builder.min(first, builder.constant(last, U32))
        return _Chunk(self._evaluator(clamped, 0), exists)

    def _evaluator(self, first: Value | None, constant: int) -> Evaluator:
        """Values of the elements from `first` + `constant` of the row on."""
        builder, inner_space = self._builder, self._layout.inner

        def locate(type_: TensorType, where: DimMap) -> tuple[Value, int]:
            strides = self._strides(type_, where)
            inner = inner_space.strides(strides)
            step = inner[-1] if inner else 0
            base = self._base(strides)
            if len(inner) == 1:
                index = base if first is None else weighted_sum(builder, [first], inner, base)
                return self._plus(index, constant * step), step
            coordinates = coordinates_of(builder, self._plus(first, constant), inner_space.dims)
            return weighted_sum(builder, coordinates, inner, base) or builder.constant(0, U32), step

        return Evaluator(builder, self._defined, self._layout.vector, locate, self._rows, self._is_of_row)

    def _is_of_row(self, key: Key) -> bool:
        return not self._plan.moves_along_row(key[1])

    # Reductions

    def _lower_resident(self) -> None:
        chunks = [self._chunk(number) for number in range(self._layout.chunks)]
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
                self._prepare(reduction.operands[0])
            partials = self._loop([None] * len(level), lambda chunk, before, level=level: self._join_all(level, before, chunk))
            self._finish_all(level, partials)
        for copy in self._plan.whole:
            self._prepare(copy.operands[0])
        if self._plan.whole:
            _ = self._loop([], self._store_chunk)

    def _store_chunk(self, chunk: _Chunk, _before: Sequence[Value | None]) -> list[Value]:
        self._store_whole(chunk)
        return []

    def _join_all(self, level: list[Statement], before: Sequence[Value | None], chunk: _Chunk) -> list[Value]:
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

    def _loop(self, before: list[Value | None], body: Callable[[_Chunk, Sequence[Value | None]], list[Value]]) -> list[Value]:
        """Run `body` over the chunks of the row: the first, then a loop over whole ones, then what is left."""
        builder, layout = self._builder, self._layout
        turns = (layout.whole_chunks - 1) // UNROLL
        _ = self._own_element()
        carried = body(self._chunk(0), before)
        if turns:
            start, stop, step = (builder.constant(layout.chunk * count, U32) for count in (1, 1 + turns * UNROLL, UNROLL))

            def turn(counter: Value, values: tuple[Value, ...]) -> list[Value]:
                now: list[Value] = list(values)
                for number in range(UNROLL):
                    now = body(self._chunk(number, counter), now)
                return now

            carried = list(builder.for_(start, stop, step, carried, turn))
        for number in range(1 + turns * UNROLL, layout.chunks):
            carried = body(self._chunk(number), carried)
        return carried

    def _prepare(self, root: Value) -> None:
        """Make what the value needs once per row, before a loop: values of the row, and where the row begins."""
        pending: list[Key] = [(root, identity_map(len(self._plan.dims)))]
        seen: set[Key] = set()
        while pending:
            value, where = key = pending.pop()
            if key in seen:
                continue
            seen.add(key)
            dims = tensor_type(value).dims
            walk = tuple(None if dim == 1 else target for dim, target in zip(dims, where, strict=True))
            statement = self._defined[value]
            if self._is_of_row((value, walk)):
                _ = self._rows.value(value, walk)
            elif is_walked(statement):
                pending.extend((operand, operand_map(statement, operand, walk)) for operand in statement.operands)
            else:
                _ = self._base(self._strides(tensor_type(value), walk))

    def _joined(self, reduction: Statement, before: Value | None, chunk: _Chunk) -> Value:
        """What the lane has of a reduction after another chunk, element by element of the vector."""
        builder, kind = self._builder, self._kind(reduction)
        value = chunk.evaluator.value(reduction.operands[0], identity_map(len(self._plan.dims)))
        if chunk.has_elements is not None and kind in _IDENTITY:
            exists = chunk.has_elements if self._layout.vector == 1 else builder.splat(chunk.has_elements, self._layout.vector)
            value = builder.where(exists, value, builder.like(_IDENTITY[kind], value))
        return value if before is None else builder.value(COMBINES[kind], before, value)

    @staticmethod
    def _kind(reduction: Statement) -> str:
        return str(reduction.attributes["op"])

    def _finish_all(self, level: list[Statement], partials: Sequence[Value | None]) -> None:
        """Combine what the lanes have; every lane of the row has the results. All steps within a wave come first: those of
        one reduction fill the wait states of another."""
        of_waves: list[Value] = []
        for reduction, partial in zip(level, partials, strict=True):
            assert partial is not None
            with self._builder.at(reduction):
                of_waves.append(self._across_lanes(self._kind(reduction), partial))
        for reduction, value in zip(level, of_waves, strict=True):
            with self._builder.at(reduction):
                total = self._across_waves(reduction, value)
                self._rows.define(reduction.result, identity_map(len(self._plan.dims)), self._scaled(self._kind(reduction), total))

    def _across_lanes(self, kind: str, partial: Value) -> Value:
        """Combine a lane's elements, then the lanes of a wave that share a row."""
        builder, layout = self._builder, self._layout
        if layout.vector > 1:
            (partial,) = builder.apply(LANE_REDUCE, (partial,), {"op": kind})
        if layout.lanes > 1:
            (partial,) = builder.apply(DPP_REDUCE, (partial,), {"op": kind, "lanes": min(layout.lanes, self._wave)})
        return partial

    def _across_waves(self, reduction: Statement, of_wave: Value) -> Value:
        builder, layout = self._builder, self._layout
        if layout.lanes > self._wave:
            attributes: dict[str, Attribute] = {"op": self._kind(reduction), "waves": layout.lanes // self._wave}
            (total,) = builder.apply(REDUCE_WAVES, (of_wave, reduction.operands[1]), attributes)
            return total
        return builder.value(READ_LANE, of_wave, lane=self._wave - 1) if layout.lanes == self._wave else of_wave

    def _scaled(self, kind: str, total: Value) -> Value:
        if kind != "mean":
            return total
        builder, columns = self._builder, self._layout.columns
        if element_of(total) is F32:
            return builder.mul(total, builder.constant(1.0 / columns, F32))
        return builder.div(total, builder.like(columns, total))

    # Outputs

    def _store_whole(self, chunk: _Chunk) -> None:
        builder = self._builder
        stores: list[tuple[Value, Value, Value]] = []
        for copy in self._plan.whole:
            value, buffer = copy.operands
            with builder.at(copy):
                result = chunk.evaluator.value(value, identity_map(len(self._plan.dims)))
                result = chunk.evaluator.narrowed(result, tensor_type(buffer).element)
                stores += self._placed(chunk, buffer, result)
        self._stored(stores, [chunk.has_elements, self._row_exists])

    def _placed(self, chunk: _Chunk, buffer: Value, result: Value) -> list[tuple[Value, Value, Value]]:
        """The stores that put a chunk's elements where they lie: one, or one for each where they lie apart."""
        builder, vector = self._builder, self._layout.vector
        index, step = chunk.evaluator.locate(tensor_type(buffer), identity_map(len(self._plan.dims)))
        if vector == 1 or step == 1:
            return [(buffer, index, result)]
        return [(buffer, self._plus(index, lane * step), builder.extract(result, lane)) for lane in range(vector)]

    def _store_single(self, copy: Statement) -> None:
        value, buffer = copy.operands
        builder = self._builder
        with builder.at(copy):
            result = self._rows.value(value, identity_map(len(self._plan.dims)))
            result = self._rows.narrowed(result, tensor_type(buffer).element)
            first = None if self._lane is None else builder.equal(self._lane, builder.constant(0, U32))
            self._stored([(buffer, self._row_number, result)], [first, self._row_exists])

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
