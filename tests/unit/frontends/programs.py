"""Programs as plain data, so that two can be compared: names, types, attributes and order all count."""

from __future__ import annotations

from typing import Any

from asmgen.ir.program import Module, Program, Statement


def outline(program: Program) -> list[Any]:
    """Everything that a program says, places apart; floats by repr, so that -0.0 and NaN compare."""
    return [program.stage, program.target, [_module(module) for module in program.modules]]


def _module(module: Module) -> Any:
    return (module.name, [_statement(statement) for statement in module.statements])


def _statement(statement: Statement) -> Any:
    regions = [
        ([(value.name, value.type) for value in region.parameters], [_statement(inner) for inner in region.statements])
        for region in statement.regions
    ]  # fmt: skip
    results = [(value.name, value.type) for value in statement.results]
    return (statement.op.name, [value.name for value in statement.operands], results, repr(statement.attributes), regions)
