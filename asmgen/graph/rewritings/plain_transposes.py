"""Transposes that change no order of elements.

    t = transpose[permutation={1,0,2}](x)       x is {3,1,8}
    s = transpose[permutation={0,2,1}](y)       y is {4,2,8}
    m = reduce_max[axes={2}](s)

becomes

    t = reshape[dims={1,3,8}](x)
    m_reduce_max = reduce_max[axes={1}](y)
    m = reshape[dims={4,8,1}](m_reduce_max)

A reduction and what reads it in the same order may be a single kernel.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph.ops import REDUCTIONS, RESHAPE, TRANSPOSE
from asmgen.graph.rewritings.moves import axes_of, permutation_of
from asmgen.graph.rewritings.retyped import RetypedCopy
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type


def with_plain_transposes(module: Module) -> Module:
    """The module with a reshape for each such transpose."""
    defined, copy = definitions(module), RetypedCopy(module)
    for statement in module.statements:
        dims = tensor_type(statement.result).dims if statement.results else ()
        if statement.op is TRANSPOSE and _keeps_order(statement, ()):
            copy.write(statement, RESHAPE, statement.operands, {"dims": dims})
        elif statement.op in REDUCTIONS and (inner := _reduced(statement, defined)) is not None:
            axes = tuple([permutation_of(inner)[axis] for axis in _axes(statement)])
            attributes = statement.attributes | {"axes": axes}
            made = copy.apply(statement, statement.op, inner.operands, attributes)
            copy.write(statement, RESHAPE, (made,), {"dims": dims})
        else:
            copy.keep(statement)
    return copy.module()


def _reduced(reduction: Statement, defined: Mapping[Value, Statement]) -> Statement | None:
    """The transpose that a reduction reads, if it moves reduced axes alone."""
    inner = defined[reduction.operands[0]]
    return inner if inner.op is TRANSPOSE and _keeps_order(inner, _axes(reduction)) else None


def _keeps_order(transpose: Statement, but: tuple[int, ...]) -> bool:
    """Whether the axes of the result, but some of them and dims of 1, have the order of the operand's."""
    dims = tensor_type(transpose.operands[0]).dims
    kept = [
        axis for number, axis in enumerate(permutation_of(transpose)) if number not in but and dims[axis] != 1
    ]
    return 0 not in dims and kept == sorted(kept)


def _axes(reduction: Statement) -> tuple[int, ...]:
    return axes_of(reduction, "axes", tensor_type(reduction.operands[0]).rank)
