"""The bodies of loops without the ops that are made of others."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from asmgen.graph.bodies import body_of, of_attributes
from asmgen.ir.program import Module, Statement


def with_body(statement: Statement, changed: Callable[[Module], Module]) -> Statement:
    """A loop with another module as its body."""
    body = of_attributes(statement)
    module = changed(body.module)
    if module is body.module:
        return statement
    return replace(statement, attributes=statement.attributes | {"body": body_of(module)})
