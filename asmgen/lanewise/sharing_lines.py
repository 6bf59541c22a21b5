"""Lines of `--trace`: one for each statement that was left out because it repeats another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from asmgen.graph.printer import print_statement
from asmgen.ir.program import Module, Statement, Value


def sharings(module: Module, replaced: Mapping[Value, Value]) -> Iterator[str]:
    """The statements of `module` whose results are replaced by those of equal ones before them."""
    definitions = {result: statement for statement in module.walk() for result in statement.results}
    for statement in module.walk():
        for result in statement.results:
            earlier = replaced.get(result)
            if earlier is not None:
                first = f"{earlier.name}{_source(definitions[earlier])}"
                yield f"{module.name}: {print_statement(statement)}{_source(statement)} is {first}"


def _source(statement: Statement) -> str:
    return f" at {statement.place}" if statement.place is not None else ""
