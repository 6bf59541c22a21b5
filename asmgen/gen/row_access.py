"""Where a lane's elements lie: its row, the chunks of the row that it takes, and the values of each.

A chunk is one access of each lane of the row; where the row ends within it, some lanes have no elements of
their own.
"""

from __future__ import annotations

from typing import NamedTuple

from asmgen.gen.evaluate import Evaluator, Key, coordinates_of, weighted_sum
from asmgen.gen.indexing import DimMap, Strides, access_strides
from asmgen.gen.layout import is_walked, operand_map
from asmgen.gen.row_plan import RowPlan
from asmgen.gen.tiling import identity_map, tensor_type
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import U32, TensorType, row_major
from asmgen.lanewise.builder import LaneBuilder


class Chunk(NamedTuple):
    """One access of each lane to its row: its values, and which lanes have elements (None: all)."""

    evaluator: Evaluator
    has_elements: Value | None


class RowAccess:
    """A lane's row: `number`, whether there is `exists` such a row (None: always), and which of its lanes
    this one is, `lane` (None: 0).

    `values` are those that the row has one of. The statements that find the row are made here, once, before
    all others.
    """

    def __init__(self, builder: LaneBuilder, defined: dict[Value, Statement], plan: RowPlan) -> None:
        self._builder = builder
        self._defined = defined
        self._plan = plan
        self._layout = plan.layout
        self._bases: dict[Strides, Value | None] = {}
        self.number, self.exists, self.lane = self._place()
        self._coordinates = coordinates_of(builder, self.number, self._layout.outer.dims)
        self.values = Evaluator(builder, defined, 1, self._locate_row)

    def _place(self) -> tuple[Value, Value | None, Value | None]:
        """The row's number, whether there is such a row (None: always), and the lane's number within it
        (None: 0)."""
        builder, layout = self._builder, self._layout
        group, local = builder.workgroup_id(), builder.local_id()
        if layout.lanes == layout.block:
            return group, None, local
        shift = builder.constant(layout.lanes.bit_length() - 1, U32)
        of_group = local if layout.lanes == 1 else builder.shift_right(local, shift)
        row = builder.add(builder.mul(group, builder.constant(layout.rows_of_group, U32)), of_group)
        lane = (
            None if layout.lanes == 1 else builder.bitwise_and(local, builder.constant(layout.lanes - 1, U32))
        )
        if layout.rows % layout.rows_of_group == 0:
            return row, None, lane
        exists = builder.less(row, builder.constant(layout.rows, U32))
        return builder.min(row, builder.constant(layout.rows - 1, U32)), exists, lane

    def _strides(self, type_: TensorType, where: DimMap) -> Strides:
        return access_strides(len(self._plan.dims), type_.dims, type_.strides, where)

    def _base(self, strides: Strides) -> Value | None:
        """The index at which the row begins; None where it is 0. It is made once, outside of every loop."""
        outer = self._layout.outer.strides(strides)
        if outer not in self._bases:
            if outer == row_major(self._layout.outer.dims):
                self._bases[outer] = self.number if self._layout.rows > 1 else None
            else:
                scaled = self._scale_of(outer)
                row = [self.number] if scaled else self._coordinates
                self._bases[outer] = weighted_sum(self._builder, row, scaled or outer)
        return self._bases[outer]

    def _scale_of(self, outer: Strides) -> Strides | None:
        """The one factor that takes a row's number to its begin, if there is one."""
        packed = row_major(self._layout.outer.dims)
        if not outer or not packed:
            return None
        factor = outer[-1]
        return (
            (factor,)
            if all(stride == factor * unit for stride, unit in zip(outer, packed, strict=True))
            else None
        )

    def _locate_row(self, type_: TensorType, where: DimMap) -> tuple[Value, int]:
        return self._base(self._strides(type_, where)) or self._builder.constant(0, U32), 0

    def chunk(self, number: int, offset: Value | None = None) -> Chunk:
        """The chunk of a known number, or, with `offset`, the one that begins so many elements after it; that
        one is whole."""
        builder, layout = self._builder, self._layout
        own = self.own_element()
        behind = number * layout.chunk
        if offset is not None:
            own = offset if own is None else builder.add(offset, own)
        elif behind + layout.chunk > layout.columns:
            return self._partial_chunk(own, behind)
        return Chunk(self._evaluator(own, behind), None)

    def own_element(self) -> Value | None:
        """The number of the lane's first element within the first chunk; None where it is 0."""
        if self.lane is None:
            return None
        vector = self._layout.vector
        return self.lane if vector == 1 else self._builder.mul(self.lane, self._builder.constant(vector, U32))

    def plus(self, value: Value | None, constant: int) -> Value:
        if value is None:
            return self._builder.constant(constant, U32)
        return value if constant == 0 else self._builder.add(value, self._builder.constant(constant, U32))

    def _partial_chunk(self, own: Value | None, behind: int) -> Chunk:
        """Lanes without elements of their own read the row's last ones, and are left out where that would
        count."""
        builder, layout = self._builder, self._layout
        first = self.plus(own, behind)
        last = layout.columns - layout.vector
        exists = builder.less_equal(first, builder.constant(last, U32))
        clamped = builder.min(first, builder.constant(last, U32))
        return Chunk(self._evaluator(clamped, 0), exists)

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
                return self.plus(index, constant * step), step
            coordinates = coordinates_of(builder, self.plus(first, constant), inner_space.dims)
            return weighted_sum(builder, coordinates, inner, base) or builder.constant(0, U32), step

        return Evaluator(builder, self._defined, self._layout.vector, locate, self.values, self._is_of_row)

    def _is_of_row(self, key: Key) -> bool:
        return not self._plan.moves_along_row(key[1])

    def prepare(self, root: Value) -> None:
        """Make what the value needs once per row, before a loop: values of the row, and where the row
        begins."""
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
                _ = self.values.value(value, walk)
            elif is_walked(statement):
                pending.extend(
                    (operand, operand_map(statement, operand, walk)) for operand in statement.operands
                )
            else:
                _ = self._base(self._strides(tensor_type(value), walk))
