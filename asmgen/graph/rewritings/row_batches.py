"""Products of few rows in batches by the same matrix, as a product of all rows:

    y = dot(x, w)                       {64,1,4096} of {64,1,1024} and {1024,4096}

becomes

    x_reshape = reshape[dims={64,1024}](x)
    y_dot = dot(x_reshape, w)           a tile has rows of several batches, and w is read once
    y = reshape[dims={64,1,4096}](y_dot)
"""

from __future__ import annotations

from math import prod

from asmgen.graph.ops import DOT, REDUCTIONS, RESHAPE
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import Size, Sizes, most
from asmgen.ir.program import Module, Statement, tensor_type

# Rows of a batch. {64,1,1024} by {1024,4096} of f16 takes 0.29 of the clocks on gfx942, 0.1 on gfx1201, and
# {8,197,768} by {768,768} 0.77 and 0.85. Of 78 products on gfx942, gfx1100, gfx1201, 6 take 1.03 to 1.13
_FEW = 256
_SHORT = 256  # a row that a tile may have whole: a reduction of its results is then in its kernel
_MATRIX = 2  # axes


def with_batches_as_rows(module: Module) -> Module:
    """The module with all rows of such products together."""
    reduced = {tensor_type(each.operands[0]).dims for each in module.statements if each.op in REDUCTIONS}
    writer = Rewriter(module)
    for statement in module.statements:
        if statement.op is DOT and _has_few_rows(statement) and not _is_reduced(statement, reduced):
            _write(writer, statement)
        else:
            writer.keep(statement)
    return writer.module()


def _has_few_rows(dot: Statement) -> bool:
    """Whether batches of few rows have the second factor in common. At most one of their dims is known only
    to the launch: otherwise the reshape of the results would divide by it."""
    a, b = [tensor_type(operand).dims for operand in dot.operands]
    if len(a) <= _MATRIX or len(b) != _MATRIX or 0 in a:
        return False
    open_dims = [dim for dim in a[:-1] if isinstance(dim, Size)]
    return most(a[-2]) <= _FEW and len(open_dims) <= 1 and prod([most(dim) for dim in a[:-2]]) > 1


def _is_reduced(dot: Statement, reduced: set[Sizes]) -> bool:
    """Whether short rows of the results, or others of these dims, are reduced. The kernel of the product does
    that if they are not reshaped: 64 rows of 128 elements on gfx1201 would take 1.28 of the clocks."""
    dims = tensor_type(dot.result).dims
    return most(dims[-1]) <= _SHORT and dims in reduced


def _write(writer: Rewriter, dot: Statement) -> None:
    a, b = dot.operands
    dims = tensor_type(a).dims
    rows = writer.apply(RESHAPE, (a,), dot, dims=(prod(dims[:-1]), dims[-1]))
    product = writer.apply(DOT, (rows, b), dot, target_type=dot.attributes["target_type"])
    writer.finish(RESHAPE, (product,), dot, dims=tensor_type(dot.result).dims)
