"""Choices by negated conditions, as choices by the conditions with the other number.

n = not(c)
y = where(n, a, b)       becomes   y = where(c, b, a)
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.graph.ops import NOT, WHERE
from asmgen.ir.program import Module, Statement, definitions


def without_negated_choices(module: Module) -> Module:
    """The module with such choices; a `not` that nothing reads stays."""
    defined = definitions(module)
    statements: list[Statement] = []
    for statement in module.statements:
        if statement.op is WHERE:
            condition, a, b = statement.operands
            while (made := defined[condition]).op is NOT:
                (condition,), a, b = made.operands, b, a
            statement = replace(statement, operands=(condition, a, b))
        statements.append(statement)
    return Module(module.name, tuple(statements))
