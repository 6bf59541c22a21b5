"""Reductions of values that need a reduction of rows first reduce these rows too.

    s = reduce_max[axes={1}](abs(x))                x is {8192,4096}
    e = reduce_max[axes={0,1}](abs(sub(x, round(x, s))))

    e_rows = reduce_max[axes={1}](...)              {8192,1}
    e = reduce_max[axes={0}](e_rows)

The launch that makes s has each row of x in registers. It reduces the row of the second value too, so that no
launch reads x again. If workgroups share long rows, two steps are quicker too: sum((x - mean of row)^2) of
{16,65536} f32 takes 6,474 clocks on gfx942, 15,995 in one step.
"""

from __future__ import annotations

from asmgen.graph.ops import MULTIBROADCAST, REDUCE_MEAN, REDUCTIONS
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import Sizes
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type

Axes = tuple[int, ...]


def with_rows_first(module: Module) -> Module:
    """The module with such reductions in two steps. Integers have no means here: each step would round."""
    first = _first_axes(module)
    if not first:
        return module
    rewriter = Rewriter(module)
    for statement in module.statements:
        axes = first.get(statement)
        if axes is None:
            rewriter.keep(statement)
            continue
        left = tuple([axis for axis in _reduced(statement) if axis not in axes])
        rows = rewriter.apply(statement.op, statement.operands, statement, "rows", axes=axes)
        rewriter.finish(statement.op, (rows,), statement, axes=left)
    return rewriter.module()


def _first_axes(module: Module) -> dict[Statement, Axes]:
    """The reductions to split, each with the axes that come first."""
    sums = [statement for statement in module.statements if statement.op in REDUCTIONS]
    if len(sums) < 2:
        return {}
    defined = definitions(module)
    found = {each: _axes_of_operand(each, defined) for each in sums if _is_taken(each)}
    return {each: axes for each, axes in found.items() if axes}


def _is_taken(statement: Statement) -> bool:
    is_float = statement.result.type.element.is_float
    return len(_reduced(statement)) > 1 and (is_float or statement.op is not REDUCE_MEAN)


def _axes_of_operand(reduction: Statement, defined: dict[Value, Statement]) -> Axes:
    """The axes of a reduction of the same dims that the operand of a reduction needs, if they are some of its
    own axes; else none."""
    dims, own = tensor_type(reduction.operands[0]).dims, set(_reduced(reduction))
    left, seen = [reduction.operands[0]], set[Value]()
    while left:
        value = left.pop()
        if value in seen:
            continue
        seen.add(value)
        statement = defined[value]
        if statement.op in REDUCTIONS and tensor_type(statement.operands[0]).dims == dims:
            axes = _reduced(statement)
            if set(axes) < own:
                return axes
        elif statement.op.pointwise or statement.op is MULTIBROADCAST:
            left.extend(statement.operands)
    return ()


def _reduced(statement: Statement) -> Axes:
    """The axes that a reduction reduces, of more than one element."""
    before: Sizes = tensor_type(statement.operands[0]).dims
    after = tensor_type(statement.result).dims
    return tuple([axis for axis, (dim, kept) in enumerate(zip(before, after, strict=True)) if dim != kept])
