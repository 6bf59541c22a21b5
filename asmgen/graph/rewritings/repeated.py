"""Products that a graph repeats are multiplied once, such as the x w of silu as (x w) / (1 + exp(-(x w))).

Repeated views of factors become one view too, so that products of equal views share a factor
(`asmgen.graph.fusion.siblings`).
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.graph.block_dots import PRODUCTS, has_several
from asmgen.graph.ops import RESHAPE, TRANSPOSE
from asmgen.ir.program import Module, Statement, Value

_VIEWS = frozenset({RESHAPE, TRANSPOSE})


def with_products_once(module: Module) -> Module:
    """The module without statements that repeat an earlier product or view. A result of the graph is kept.
    A module with fewer than two products stays as it is."""
    if not has_several(module.statements):
        return module
    returned = set(module.statements[-1].operands)
    known: dict[tuple[object, ...], Value] = {}
    same: dict[Value, Value] = {}  # a repeated value -> the first
    statements: list[Statement] = []
    for statement in module.statements:
        operands = tuple([same.get(operand, operand) for operand in statement.operands])
        if operands != statement.operands:
            statement = replace(statement, operands=operands)
        if statement.op in PRODUCTS or statement.op in _VIEWS:
            key = statement.op, operands, tuple(statement.attributes.items())
            first = known.setdefault(key, statement.result)
            if first is not statement.result and statement.result not in returned:
                same[statement.result] = first
                continue
        statements.append(statement)
    return Module(module.name, tuple(statements))
