"""The statements of a graph that its results need. A statement that no result needs asks nothing of the named
dims, although it has to be right for some of them.

    g = gather[axis=0](x, i)                 if no result needs g, x {n} may be empty
    e = slice[axes=0, starts=5, ends=2](g)   has no elements, and needs those of g as little
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.graph.ops import LITERAL, PARAM
from asmgen.ir.program import Module, Statement, tensor_type


def needed(module: Module) -> Module:
    """The graph without the statements that no result needs, parameters apart. A value without elements
    becomes a literal."""
    last = module.statements[-1]
    wanted, kept = set(last.operands), [last]
    for statement in reversed(module.statements[:-1]):
        if statement.op is PARAM:
            kept.append(statement)
        elif statement.result in wanted:
            kept.append(_without_operands(statement))
            wanted.update(kept[-1].operands)
    return Module(module.name, tuple(reversed(kept)))


def _without_operands(statement: Statement) -> Statement:
    if not statement.operands or 0 not in tensor_type(statement.result).dims:
        return statement
    return replace(statement, op=LITERAL, operands=(), attributes={"values": ()})
