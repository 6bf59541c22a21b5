"""The definition and the readers of each value of a module, rules over definitions, and statements that they
write.

`LARGER` and `SMALLER` are max and min in which a NaN loses, whatever the rule of the module is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property

from asmgen.graph import ops as graph
from asmgen.graph.infer.elementwise import same_type
from asmgen.graph.rounded import function_of
from asmgen.ir.program import Module, Op, Statement, Value
from asmgen.lanewise import ops
from asmgen.lanewise.records import LaunchAttributes, splat_literal

_MOST_ITEMS = 1024  # of a workgroup, on any target
LARGER = Op("larger", frozenset(), 2, 2, same_type, pointwise=True)
SMALLER = Op("smaller", frozenset(), 2, 2, same_type, pointwise=True)


class Definitions:
    """The definition of each value of a module, and how often it is read."""

    def __init__(self, module: Module) -> None:
        self.of: dict[Value, Statement] = {}
        self._first = module.statements[0]
        statements = list(module.walk())
        self.reads = Counter([operand for statement in statements for operand in statement.operands])
        self.counted: dict[Value, Statement] = {}  # the loop of a counter
        self.largest: dict[Value, int | None] = {}  # bounds that `unsigned` found
        for statement in statements:
            for result in statement.results:
                self.of[result] = statement
            if statement.op is ops.FOR:
                self.counted[statement.regions[0].parameters[0]] = statement

    @cached_property
    def added(self) -> frozenset[Value]:
        """The values that a sum or a difference reads."""
        sums = [each for each in self.of.values() if each.op in (graph.ADD, graph.SUB)]
        return frozenset([operand for each in sums for operand in each.operands])

    @cached_property
    def exponents(self) -> frozenset[Value]:
        """The values that an exp reads."""
        powers = [each for each in self.of.values() if function_of(each.op) is graph.EXP]
        return frozenset([each.operands[0] for each in powers])

    @cached_property
    def has_bits_of_floats(self) -> bool:
        """Whether a statement reads the bits of a float as those of an integer."""
        casts = [each for each in self.of.values() if each.op is graph.BIT_CAST]
        return any(each.operands[0].type.element.is_float for each in casts)

    def most_local_id(self, axis: int) -> int:
        """The largest `local_id` of a work-item along an axis of its workgroup."""
        if self._first.op is not ops.LAUNCH:
            return _MOST_ITEMS - 1
        launch = LaunchAttributes.of(self._first)
        return (launch.lanes if launch.has_any_block else launch.block[axis]) - 1

    def by(self, value: Value, op: Op) -> Statement | None:
        """The statement of `value` if its op is `op`."""
        statement = self.of.get(value)
        return statement if statement is not None and statement.op is op else None

    def is_shared(self, value: Value) -> bool:
        """Whether several statements read a value, or the number that it has in every lane."""
        made = self.by(value, ops.SPLAT)
        return self.reads[value] > 1 or (made is not None and self.reads[made.operands[0]] > 1)

    def literal(self, value: Value) -> float | None:
        """The number in every lane of `value` if it is a literal."""
        statement = self.of.get(value)
        number = None if statement is None else splat_literal(statement)
        return None if number is None else float(number)


# A statement, and those that replace it; None if it stays
Rule = Callable[[Statement, Definitions], "tuple[Statement, ...] | None"]


def fma(statement: Statement, a: Value, b: Value, c: Value) -> Statement:
    """a b + c, as the result of a statement."""
    return Statement(ops.FMA, (a, b, c), statement.results, {}, (), statement.place)


def negation(statement: Statement, value: Value) -> Statement:
    """The negative of a value that a statement reads."""
    result = Value(f"{statement.result.name}_neg_{value.name}", value.type)
    return Statement(graph.NEG, (value,), (result,), {}, (), statement.place)
