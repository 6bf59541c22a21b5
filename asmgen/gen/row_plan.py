"""What a kernel with reductions is made of: its reductions, its outputs over whole rows and per row, and the
layout."""

from __future__ import annotations

from typing import NamedTuple

from asmgen.gen.indexing import DimMap, Strides, access_strides
from asmgen.gen.layout import leaves
from asmgen.gen.rows import RowLayout, row_layout
from asmgen.gen.tiling import identity_map, tensor_type
from asmgen.ir.program import Attribute, Statement, Value
from asmgen.lanewise.reduction_ops import trailing_axes


class RowPlan(NamedTuple):
    """`dims` are those of a reduction's operand, `axes` the reduced ones, in order.

    `reductions` are in program order. A copy is `whole` if it writes every element of a row, else it writes
    one per row.
    """

    dims: tuple[int, ...]
    axes: tuple[int, ...]
    reductions: tuple[Statement, ...]
    whole: tuple[Statement, ...]
    single: tuple[Statement, ...]
    layout: RowLayout

    def moves_along_row(self, where: DimMap) -> bool:
        """Whether a value that is walked so has different elements along a row."""
        return not self.axes_of_row.isdisjoint(where)

    @property
    def groups(self) -> int:
        """Workgroups of the launch."""
        return self.layout.groups if self.layout.rows else 0

    def stated(self) -> dict[str, Attribute]:
        """The attributes of every `gridwise_reduce` of the kernel, its `op` apart."""
        layout = self.layout
        axes = () if self.axes == trailing_axes(self.dims, layout.columns) else self.axes
        return {
            "algo": layout.algorithm,
            "reduce_elements": layout.columns,
            "block_size": layout.block,
            "axes": axes,
        }

    @property
    def axes_of_row(self) -> frozenset[int | None]:
        return frozenset(self.axes)


def row_plan(
    defined: dict[Value, Statement], reductions: list[Statement], copies: list[Statement], wave: int
) -> RowPlan:
    """The plan of a kernel whose reductions all have operands of the same dims, reduced to results of the
    same dims."""
    dims = tensor_type(reductions[0].operands[0]).dims
    row_dims = tensor_type(reductions[0].result).dims
    axes = tuple(axis for axis, (dim, kept) in enumerate(zip(dims, row_dims, strict=True)) if dim != kept)
    single = tuple(copy for copy in copies if tensor_type(copy.operands[1]).dims == row_dims)
    whole = tuple(copy for copy in copies if copy not in single)
    roots = [reduction.operands[0] for reduction in reductions] + [copy.operands[0] for copy in whole]
    accesses: list[Strides] = []
    of_rows: list[Strides] = []
    widest = max(tensor_type(copy.operands[1]).element.bytes for copy in copies)
    seen: set[tuple[Value, DimMap]] = set()
    for root in roots:
        for leaf, where in leaves(defined, root, identity_map(len(dims)), seen):
            type_ = tensor_type(leaf)
            widest = max(widest, type_.element.bytes)
            strides = access_strides(len(dims), type_.dims, type_.strides, where)
            (accesses if any(target in axes for target in where) else of_rows).append(strides)
    for copy in single:
        for leaf, where in leaves(defined, copy.operands[0], identity_map(len(dims)), seen):
            type_ = tensor_type(leaf)
            of_rows.append(access_strides(len(dims), type_.dims, type_.strides, where))
    accesses += [tensor_type(copy.operands[1]).strides for copy in whole]
    return RowPlan(
        dims, axes, tuple(reductions), whole, single, row_layout(dims, axes, accesses, of_rows, widest, wave)
    )
