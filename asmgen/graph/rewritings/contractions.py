"""Contractions as products of matrices: the axes of each operand go together in at most three groups.

    dot_general[lhs_contract={0,2}, rhs_contract={1,0}](a: {4,5,6}, b: {6,4,7})
    rows      transpose[permutation={1,0,2}](a), reshaped to {5,24}
    columns   transpose[permutation={1,0,2}](b), reshaped to {24,7}
    result    dot(rows, columns), {5,7}

Batch axes stay apart and come first. Ops that change no order are left out, so that the factors are read as
they are in memory.
"""

from __future__ import annotations

from math import prod

from asmgen.graph.infer.products import contraction
from asmgen.graph.ops import DOT, DOT_GENERAL, IDENTITY, MULTIBROADCAST, RESHAPE, TRANSPOSE
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
