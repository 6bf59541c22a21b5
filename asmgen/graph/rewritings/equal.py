"""Equal statements of a graph become a single statement.

    a = reduce_sum[axes={1}](x)      b = reduce_sum[axes={1}](x)      b is a

JAX prints the mean of a row twice in a layer norm, and the variance of numpy computes the mean that a program
has already. Equal pointwise ops of a kernel are one anyway; a reduction would be done twice.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from asmgen.graph.ops import LITERAL, SCATTER_ADD
from asmgen.ir.program import Module, Statement, Value, tensor_type


def merge_equal(module: Module) -> Module:
    """A graph without statements that are equal to an earlier statement. A result of the graph is kept."""
    returned = set(module.statements[-1].operands)
    changed = {each.operands[0] for each in module.statements if each.op is SCATTER_ADD}
    first: dict[tuple[object, ...], Value] = {}
    same: dict[Value, Value] = {}
    kept: list[Statement] = []
    for statement in module.statements:
        operands = tuple([same.get(operand, operand) for operand in statement.operands])
        if _may_be_equal(statement, changed):
            # repr tells 0.0 from -0.0, and 1 from true
            key = (statement.op.name, operands, repr(statement.attributes), statement.result.type)
            earlier = first.setdefault(key, statement.result)
            if earlier is not statement.result and statement.result not in returned:
                same[statement.result] = earlier
                continue
        kept.append(statement if operands == statement.operands else replace(statement, operands=operands))
    return replace(module, statements=tuple(kept)) if same else module


def _may_be_equal(statement: Statement, changed: Collection[Value]) -> bool:
    """Whether a statement has a result that nothing changes. The numbers of tables are not compared."""
    if len(statement.results) != 1 or statement.op.effects or statement.result in changed:
        return False
    return statement.op is not LITERAL or tensor_type(statement.result).elements == 1
