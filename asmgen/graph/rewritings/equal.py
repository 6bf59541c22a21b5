"""Equal statements of a graph become a single statement.

    a = reduce_sum[axes={1}](x)      b = reduce_sum[axes={1}](x)      b is a

JAX prints the mean of a row twice in a layer norm. Equal pointwise ops of a kernel are one anyway; a
reduction would be done twice.
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.graph.ops import LITERAL
from asmgen.ir.program import Module, Statement, Value


def merge_equal(module: Module) -> Module:
    """A graph without statements that are equal to an earlier statement. A result of the graph is kept."""
    returned = set(module.statements[-1].operands)
    first: dict[tuple[object, ...], Value] = {}
    same: dict[Value, Value] = {}
    kept: list[Statement] = []
    for statement in module.statements:
        operands = tuple([same.get(operand, operand) for operand in statement.operands])
        if len(statement.results) == 1 and not statement.op.effects and statement.op is not LITERAL:
            # repr tells 0.0 from -0.0, and 1 from true
            key = (statement.op.name, operands, repr(statement.attributes), statement.result.type)
            earlier = first.setdefault(key, statement.result)
            if earlier is not statement.result and statement.result not in returned:
                same[statement.result] = earlier
                continue
        kept.append(statement if operands == statement.operands else replace(statement, operands=operands))
    return replace(module, statements=tuple(kept)) if same else module
