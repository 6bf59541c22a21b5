"""A copy of a module in which values have other types, such as fewer elements or other strides.

The types of all statements that read them are inferred anew. Names stay.
"""

from __future__ import annotations

from asmgen.graph.builder import GraphBuilder
from asmgen.ir.program import Attributes, Module, Op, Statement, Value


class RetypedCopy:
    """Writes the statements of the copy."""

    def __init__(self, module: Module) -> None:
        self._original = module
        names = [value.name for statement in module.statements for value in statement.results]
        self._builder = GraphBuilder(names)
        self._changed: dict[Value, Value] = {}

    def module(self) -> Module:
        """The copy; the module itself if nothing has changed."""
        if not self._changed:
            return self._original
        return Module(self._original.name, tuple(self._builder.statements))

    def keep(self, statement: Statement) -> None:
        """The statement, with the operands that have changed."""
        if self._changed.keys().isdisjoint(statement.operands):
            self._builder.statements.append(statement)
        else:
            self.write(statement, statement.op, statement.operands, statement.attributes)

    def apply(self, origin: Statement, op: Op, operands: tuple[Value, ...], attributes: Attributes) -> Value:
        """A statement before that in the place of `origin`. Its operands are values of the original."""
        given = tuple([self._changed.get(operand, operand) for operand in operands])
        name = self._builder.fresh(f"{origin.result.name}_{op.name}")
        return self._builder.apply(op, given, attributes, name, origin.place)

    def write(self, origin: Statement, op: Op, operands: tuple[Value, ...], attributes: Attributes) -> None:
        """Another statement in the place of `origin`. Its operands are values of the original."""
        given = tuple([self._changed.get(operand, operand) for operand in operands])
        given, types = self._builder.infer(op, given, attributes, origin.place)
        results = tuple([Value(each.name, type_) for each, type_ in zip(origin.results, types, strict=True)])
        self._changed.update(zip(origin.results, results, strict=True))
        self._builder.statements.append(
            Statement(op, given, results, attributes, origin.regions, origin.place)
        )
