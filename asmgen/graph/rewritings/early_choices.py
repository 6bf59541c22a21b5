"""Chooses elements before they are computed with, so that what rows have in common is not needed for all of
their elements.

    p = logsoftmax[axis=1](x)                    {1024,8192}: (x - m) - log(s), with m and s of the rows
    k = take_along_axis[axis=1](p, label)        label is {1024,1}: (x at label - m) - log(s)

The loss of a classifier is such an element. It is made of an element of x and of the values that its row has
in common, so it is computed in the kernel of m and s.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph.builder import GraphBuilder
from asmgen.graph.ops import MULTIBROADCAST, TAKE_ALONG_AXIS
from asmgen.index.size import at_most
from asmgen.ir.program import Attributes, Module, Op, Statement, Value, definitions, tensor_type

MOST_STATEMENTS = 32  # of an element: it is computed a second time if all elements are needed as well


def with_early_choices(module: Module) -> Module:
    """The module with elements of computed values chosen early; statements that become unused stay."""
    defined = definitions(module)
    builder = GraphBuilder([value.name for value in defined])
    for statement in module.statements:
        choice = _Choice.of(builder, defined, statement) if statement.op is TAKE_ALONG_AXIS else None
        if choice is None:
            builder.statements.append(statement)
        else:
            choice.write()
    return Module(module.name, tuple(builder.statements))


def of_row(value: Value, axis: int, defined: Mapping[Value, Statement]) -> Value | None:
    """The value that a broadcast repeats along an axis; None if `value` is no such broadcast."""
    made = defined[value]
    if made.op is not MULTIBROADCAST:
        return None
    source = tensor_type(made.operands[0])
    own = axis - tensor_type(value).rank + source.rank
    return made.operands[0] if own < 0 or source.dims[own] == 1 else None


class _Choice:
    """An element for each row, chosen by `indices` along an axis."""

    def __init__(
        self, builder: GraphBuilder, defined: Mapping[Value, Statement], statement: Statement
    ) -> None:
        self._builder = builder
        self._defined = defined
        self._statement = statement
        self._value, self._indices = statement.operands
        axis = statement.attributes["axis"]
        assert isinstance(axis, int), "the parser reads an integer"
        self._axis = axis % tensor_type(self._value).rank
        self._chosen: dict[Value, Value] = {}

    @classmethod
    def of(
        cls, builder: GraphBuilder, defined: Mapping[Value, Statement], statement: Statement
    ) -> _Choice | None:
        """The choice, if it is of fewer elements than the value has, and rows have something in common."""
        choice = cls(builder, defined, statement)
        data, chosen = (tensor_type(value).elements for value in (choice._value, statement.result))
        return choice if at_most(chosen, data).is_shown and choice._is_of_rows() else None

    def write(self) -> None:
        """The last statement gives the result of the choice."""
        made = self._statement
        last = self._defined[self._value]
        operands = tuple([self._at(operand) for operand in last.operands])
        operands, _ = self._builder.infer(last.op, operands, last.attributes, made.place)
        self._builder.statements.append(
            Statement(last.op, operands, made.results, last.attributes, (), made.place)
        )

    def _is_of_rows(self) -> bool:
        """Whether the value is computed from something that is the same for a row, in few statements."""
        pending, seen, is_shared = [self._value], {self._value}, False
        while pending:
            value = pending.pop()
            if of_row(value, self._axis, self._defined) is not None:
                is_shared = True
            elif self._defined[value].op.pointwise:
                pending += [operand for operand in self._defined[value].operands if operand not in seen]
                seen.update(self._defined[value].operands)
        return self._defined[self._value].op.pointwise and is_shared and len(seen) <= MOST_STATEMENTS

    def _at(self, value: Value) -> Value:
        """The chosen elements of a value, computed once."""
        if value not in self._chosen:
            self._chosen[value] = self._computed_at(value)
        return self._chosen[value]

    def _computed_at(self, value: Value) -> Value:
        row, statement = of_row(value, self._axis, self._defined), self._defined[value]
        if row is not None:
            dims = tensor_type(self._statement.result).dims
            return (
                row
                if tensor_type(row).dims == dims
                else self._apply(MULTIBROADCAST, row, attributes={"out_lens": dims})
            )
        if statement.op.pointwise:
            return self._apply(
                statement.op, *map(self._at, statement.operands), attributes=statement.attributes
            )
        return self._apply(TAKE_ALONG_AXIS, value, self._indices, attributes={"axis": self._axis})

    def _apply(self, op: Op, *operands: Value, attributes: Attributes) -> Value:
        name = self._builder.fresh(self._statement.result.name)
        return self._builder.apply(op, operands, attributes, name, self._statement.place)
