"""Contractions as products of matrices: the axes of each operand go together in at most three groups.

    dot_general[lhs_contract={0,2}, rhs_contract={1,0}](a: {4,5,6}, b: {6,4,7})
    rows      transpose[permutation={1,0,2}](a), reshaped to {5,24}
    columns   transpose[permutation={1,0,2}](b), reshaped to {24,7}
    result    dot(rows, columns), {5,7}

Batch axes stay apart and come first. Ops that change no order are left out, so that the factors are read as
they are in memory.

If an operand has no axes of its own, and the other has axes before its batch axes, as a convolution of each
channel with few weights, the products are summed in the order of the other:

    dot_general[lhs_batch={1}, rhs_batch={0}, lhs_contract={3}, rhs_contract={1}](a: {16,64,56,9}, b: {64,9})
    sums      reduce_sum[axes={3}](mul(a, b as {1,64,1,9})), {16,64,56,1}
    result    transpose[permutation={1,0,2}](sums, without the last dim), {64,16,56}
"""

from __future__ import annotations

from math import prod

from asmgen.graph.infer.products import Contraction, contraction
from asmgen.graph.ops import (
    CONVERT,
    DOT,
    DOT_GENERAL,
    IDENTITY,
    MUL,
    MULTIBROADCAST,
    REDUCE_SUM,
    RESHAPE,
    SQUEEZE,
    TRANSPOSE,
)
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import Sizes
from asmgen.ir.program import Module, Statement, Value, tensor_type


def with_dots(module: Module) -> Module:
    """The module with `dot` in place of `dot_general`."""
    writer = _Writer(module)
    for statement in module.statements:
        if statement.op is DOT_GENERAL:
            writer.write(statement)
        else:
            writer.keep(statement)
    return writer.module()


class _Writer(Rewriter):
    """Writes the statements of a contraction in its place."""

    def write(self, general: Statement) -> None:
        a, b = general.operands
        if 0 in (*tensor_type(a).dims, *tensor_type(b).dims):
            self._write_nothing(general)
            return
        axes = contraction(general.op, tensor_type(a), tensor_type(b), general.attributes, general.place)
        side = 1 if axes.columns else 0
        if _is_in_other_order(axes, side):
            self._sum(general, axes, side)
            return
        of_a, of_b = [[pair[side] for pair in axes.batch] for side in (0, 1)]
        summed_a, summed_b = [[pair[side] for pair in axes.summed] for side in (0, 1)]
        rows = self._matrices(general, a, of_a, list(axes.rows), summed_a)
        columns = self._matrices(general, b, of_b, summed_b, list(axes.columns))
        target_type = general.attributes["target_type"]
        product = self.apply(DOT, (rows, columns), general, target_type=target_type)
        dims = tensor_type(general.result).dims
        if tensor_type(product).dims == dims:
            self.finish(IDENTITY, (product,), general)
        else:
            self.finish(RESHAPE, (product,), general, dims=dims)

    def _sum(self, general: Statement, axes: Contraction, side: int) -> None:
        """The sums of the products of an operand, that of this side, and another without axes of its own."""
        large, summed = general.operands[side], tuple([pair[side] for pair in axes.summed])
        factors = large, self._beside(general, axes, side)
        product = self.apply(MUL, tuple([self.widened(factor, general) for factor in factors]), general)
        total = self.apply(REDUCE_SUM, (product,), general, axes=summed)
        total = self.apply(SQUEEZE, (total,), general, axes=summed)
        element = general.result.type.element
        if element is not total.type.element:
            total = self.apply(CONVERT, (total,), general, target_type=element.name)
        kept = [axis for axis in range(tensor_type(large).rank) if axis not in summed]
        wanted = (*[pair[side] for pair in axes.batch], *(axes.columns if side else axes.rows))
        places = tuple([kept.index(axis) for axis in wanted])
        moved = self.apply(TRANSPOSE, (total,), general, permutation=places)
        self.finish(RESHAPE, (moved,), general, dims=tensor_type(general.result).dims)

    def _beside(self, general: Statement, axes: Contraction, side: int) -> Value:
        """The other operand, with the axes of that of this side in their order, of 1 element if it lacks
        them."""
        small = general.operands[1 - side]
        pairs = sorted([(pair[side], pair[1 - side]) for pair in (*axes.batch, *axes.summed)])
        order = tuple([its for _, its in pairs])
        if order != tuple(range(len(order))):
            small = self.apply(TRANSPOSE, (small,), general, permutation=order)
        shared = {axis for axis, _ in pairs}
        dims = enumerate(tensor_type(general.operands[side]).dims)
        ones = tuple([dim if axis in shared else 1 for axis, dim in dims])
        return self.apply(RESHAPE, (small,), general, dims=ones)

    def _write_nothing(self, general: Statement) -> None:
        """A sum of no products is 0; or there is no sum."""
        type_ = tensor_type(general.result)
        zero = self.literal(0, type_.element, general)
        none = self.apply(MULTIBROADCAST, (zero,), general, out_lens=type_.dims)
        self.finish(IDENTITY, (none,), general)

    def _matrices(
        self, general: Statement, operand: Value, batch: list[int], first: list[int], second: list[int]
    ) -> Value:
        """The operand with its batch axes, and an axis for each of two groups of axes."""
        order, type_ = (*batch, *first, *second), tensor_type(operand)
        if order != tuple(range(type_.rank)):
            operand = self.apply(TRANSPOSE, (operand,), general, permutation=order)
        dims: Sizes = tuple([type_.dims[axis] for axis in batch])
        dims += tuple([prod([type_.dims[axis] for axis in group]) for group in (first, second)])
        if tensor_type(operand).dims == dims:
            return operand
        return self.apply(RESHAPE, (operand,), general, dims=dims)


def _is_in_other_order(axes: Contraction, side: int) -> bool:
    """Whether the operand of this side has axes before its batch axes, and the other none of its own."""
    own = axes.columns if side else axes.rows
    if (axes.rows and axes.columns) or not (own and axes.batch and axes.summed):
        return False
    return own[0] < min([pair[side] for pair in axes.batch])
