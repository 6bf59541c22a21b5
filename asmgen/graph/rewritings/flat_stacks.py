"""Moves reshapes that merge the axis of a concat to its operands.

    a = unsqueeze[axes={1}](x)
    b = unsqueeze[axes={1}](y)
    c = concat[axis=1](a, b)            of {4,1,33} and {4,1,33}
    z = reshape[dims={4,66}](c)         becomes   z = concat[axis=1](x, y)

A reshape that merges axes divides the index of each element.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from asmgen.graph.ops import CONCAT, RESHAPE
from asmgen.graph.rewritings.reshapes import in_dims
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import Size
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type
from asmgen.ir.shapes import Dims


def with_flat_stacks(module: Module) -> Module:
    """The module with a concat of reshapes in place of each reshape of a concat, if both join the same
    pieces of memory."""
    defined = definitions(module)
    rewriter = Rewriter(module)
    for statement in module.statements:
        parts = _parts(statement, defined)
        if parts is None:
            rewriter.keep(statement)
            continue
        axis, dims = parts
        concat = defined[statement.operands[0]]
        operands = tuple(
            [
                in_dims(defined, operand, (each,))
                or rewriter.apply(RESHAPE, (operand,), statement, dims=each)
                for operand, each in zip(concat.operands, dims, strict=True)
            ]
        )
        rewriter.finish(CONCAT, operands, statement, axis=axis)
    return rewriter.module()


def _parts(statement: Statement, defined: Mapping[Value, Statement]) -> tuple[int, list[Dims]] | None:
    """The axis of the concat that a reshape is, and the dims of its operands; None for another statement."""
    if not statement.op.keeps_order or defined[statement.operands[0]].op is not CONCAT:
        return None
    concat = defined[statement.operands[0]]
    before, after = tensor_type(concat.result).dims, tensor_type(statement.result).dims
    given = concat.attributes["axis"]
    assert isinstance(given, int), "the parser reads an integer"
    outer = prod(before[: given % len(before)])
    if isinstance(prod(before), Size) or 0 in before:
        return None
    axes = [axis for axis in range(len(after)) if prod(after[:axis]) == outer]
    if not axes:
        return None
    axis = axes[-1]
    rows = outer * prod(after[axis + 1 :])
    counts = [prod(tensor_type(operand).dims) for operand in concat.operands]
    if any(count % rows for count in counts):
        return None
    return axis, [(*after[:axis], count // rows, *after[axis + 1 :]) for count in counts]
