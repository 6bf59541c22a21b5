"""Whether a trip of a loop changes no element that does not go on.

    goes on: b != 0     a' = where(b != 0, b, a)     b' = where(b != 0, a % b, 0)     a' is a, and b' is 0

The statements of a trip are computed with the fact that the element does not go on: choices by that fact are
one of their operands. A carried integer is not negative if it is an absolute value before the loop and each
trip keeps its sign. (The least number of its type, which has no absolute value, is left out.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from asmgen.graph import ops
from asmgen.ir.program import Statement, Value, literal_numbers
from asmgen.ir.types import NumberKind

Pair = tuple[Value, Value]  # a value before a trip, and after it
_FALSE, _TRUE, _ZERO = 0, 1, 2
Known = int
"""A number for each different value: a truth, the integer 0, or any other."""


def keeps(
    statements: Sequence[Statement], carried: Sequence[Pair], test: Value, not_negative: Sequence[Value]
) -> bool:
    """Whether each carried value stays if the test of the element is false. `not_negative` are integers that
    are absolute values before the loop."""
    trip = _Trip(statements)
    trip.not_negative = _kept_signs(statements, carried, not_negative)
    trip.assume_false(test)
    trip.compute()
    return all(trip.of(after) == trip.of(before) for before, after in carried)


def of_those_that_go_on(
    statements: Sequence[Statement], test: Value, fresh: Callable[[str], str]
) -> tuple[list[Statement], dict[Value, Value]]:
    """The statements with copies of those that are simpler if a test is true, and the values that become
    others: `where(test, new, old)` is `new`. `fresh` makes names. The test itself stays as it is."""
    trip = _Trip(statements)
    trip.compute()
    truths = trip.that_follow(test)
    instead: dict[Value, Value] = {}
    made: list[Statement] = []
    for statement in statements:
        made.append(statement)
        operands = tuple([instead.get(each, each) for each in statement.operands])
        known = [truths.get(trip.of(each)) for each in statement.operands]
        if statement.op is ops.WHERE and (known[0] is not None or operands[1] is operands[2]):
            instead[statement.result] = operands[2 if known[0] is False else 1]
        elif statement.op is ops.LOGICAL_AND and True in known:
            instead[statement.result] = operands[1 - known.index(True)]
        elif operands != statement.operands:
            result = Value(fresh(statement.result.name), statement.result.type)
            made.append(replace(statement, operands=operands, results=(result,)))
            instead[statement.result] = result
    return made, instead


class _Trip:
    """The values of a trip, as far as they are known."""

    def __init__(self, statements: Sequence[Statement]) -> None:
        self._defined = {each.result: each for each in statements}
        self._known: dict[Value, Known] = {}
        self._functions: dict[tuple[object, ...], Known] = {}
        self._false: Known | None = None
        self.not_negative: set[Value] = set()

    def assume_false(self, test: Value) -> None:
        """Begin with a test that is false, and with what follows from it."""
        self.compute()
        self._false = self.of(test)
        self._known = {}
        statement = self._defined[test]
        if statement.op is ops.PARAM:
            self._known[test] = _FALSE
        if statement.op is ops.NOT:
            (equality,) = statement.operands
            inner = self._defined[equality]
            if inner.op is ops.EQUAL:
                self._equal(*inner.operands)

    def that_follow(self, test: Value) -> dict[Known, bool]:
        """The truths that follow if a test is true: both sides of `and`, and the contrary of `not`."""
        truths: dict[Known, bool] = {}
        pending = [(test, True)]
        while pending:
            value, truth = pending.pop()
            truths[self.of(value)] = truth
            statement = self._defined[value]
            if statement.op is ops.NOT:
                pending.append((statement.operands[0], not truth))
            elif statement.op is (ops.LOGICAL_AND if truth else ops.LOGICAL_OR):
                pending += [(each, truth) for each in statement.operands]
        return truths

    def compute(self) -> None:
        """Values in order, so that none of them waits for a long chain of others."""
        for value in self._defined:
            _ = self.of(value)

    def _equal(self, a: Value, b: Value) -> None:
        for value, other in ((a, b), (b, a)):
            is_integer = not value.type.element.is_float  # 0.0 equals -0.0
            if is_integer and self._defined[value].op is ops.PARAM and self._defined[other].op is ops.LITERAL:
                self._known[value] = self.of(other)

    def of(self, value: Value) -> Known:
        if value not in self._known:
            made = self._made(value, self._defined[value])
            self._known[value] = _FALSE if self._false is not None and made == self._false else made
        return self._known[value]

    def _made(self, value: Value, statement: Statement) -> Known:
        op = statement.op
        if op is ops.PARAM:
            return self._numbered((value,))
        if op is ops.LITERAL:
            numbers = repr(literal_numbers(statement))
            return _ZERO if numbers == "(0,)" else self._numbered((value.type.element.name, numbers))
        given = [self.of(each) for each in statement.operands]
        if op is ops.WHERE:
            test, a, b = given
            if test in (_FALSE, _TRUE) or a == b:
                return b if test == _FALSE else a
        if op is ops.NOT and given[0] in (_FALSE, _TRUE):
            return _TRUE if given[0] == _FALSE else _FALSE
        if op in (ops.LOGICAL_AND, ops.BITWISE_AND) and _FALSE in given:
            return _FALSE
        if op in (ops.LOGICAL_OR, ops.BITWISE_OR) and _FALSE in given:
            return given[1] if given[0] == _FALSE else given[0]
        if op is ops.LESS and given[1] == _ZERO:
            is_unsigned = statement.operands[0].type.element.kind is NumberKind.UNSIGNED
            if is_unsigned or given[0] in self._signed:
                return _FALSE
        if op is ops.EQUAL and given[0] == given[1] and not statement.operands[0].type.element.is_float:
            return _TRUE
        return self._numbered((op.name, repr(statement.attributes), *given))

    def _numbered(self, function: tuple[object, ...]) -> Known:
        return self._functions.setdefault(function, len(self._functions) + _ZERO + 1)

    @property
    def _signed(self) -> set[Known]:
        return {self._numbered((value,)) for value in self.not_negative}


def _kept_signs(
    statements: Sequence[Statement], carried: Sequence[Pair], first: Sequence[Value]
) -> set[Value]:
    """The carried values of `first` that no trip makes negative."""
    defined = {each.result: each for each in statements}
    after = dict(carried)
    kept = {value for value in first if value in after and value.type.element.kind is NumberKind.SIGNED}
    while True:
        signs: dict[Value, bool] = {}
        lost = {value for value in kept if not _is_not_negative(after[value], defined, kept, signs)}
        if not lost:
            return kept
        kept -= lost


def _is_not_negative(
    value: Value, defined: dict[Value, Statement], kept: set[Value], signs: dict[Value, bool]
) -> bool:
    if value not in signs:
        statement = defined[value]

        def of(*operands: Value) -> bool:
            return all(_is_not_negative(each, defined, kept, signs) for each in operands)

        if statement.op is ops.LITERAL:
            signs[value] = all(number >= 0 for number in literal_numbers(statement))
        elif statement.op is ops.WHERE:
            signs[value] = of(*statement.operands[1:])
        elif statement.op in (ops.FMOD, ops.IDENTITY):
            signs[value] = of(statement.operands[0])
        elif statement.op in (ops.MIN, ops.MAX):
            signs[value] = of(*statement.operands)
        else:
            signs[value] = value in kept
    return signs[value]
