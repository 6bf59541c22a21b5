"""Finds gelu in a graph, 0.5 x (1 + tanh u) or 0.5 x (1 + erf u) with u a function of x and constants
alone.

Gelu has a bound as a whole, 4 * 2**-23 |x|, so that a program need not compute the tanh to its own last
digit.
"""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.graph.ops import ADD, CONTIGUOUS, DIV, ERF, IDENTITY, LITERAL, MUL, MULTIBROADCAST, NEG, SUB, TANH
from asmgen.ir.constants import splat_of
from asmgen.ir.program import Module, Op, Statement, Value, literal_numbers

GELU_BOUND = 8  # times the unit of the computation, of |x|
_LAYOUT = (MULTIBROADCAST, CONTIGUOUS, IDENTITY)
_ARITHMETIC = (ADD, SUB, MUL, DIV, NEG)
_MOST_FACTORS = 8


def gelu_forms(module: Module) -> dict[Statement, Value]:
    """Each multiply that gives a gelu, and its x."""
    definitions = {result: statement for statement in module.statements for result in statement.results}
    if not any(statement.op in (TANH, ERF) for statement in module.statements):
        return {}
    finder = _Finder(definitions)
    return {
        statement: x
        for statement in module.statements
        if statement.op is MUL and (x := finder.gelu_of(statement)) is not None
    }


class _Finder:
    def __init__(self, definitions: dict[Value, Statement]) -> None:
        self._definitions = definitions

    def gelu_of(self, product: Statement) -> Value | None:
        constant, factors = self._product(product)
        if constant != 0.5 or len(factors) != 2:
            return None
        for x, sum_ in (factors, factors[::-1]):
            for inner in self._one_plus(sum_):
                if inner.op in (TANH, ERF) and self._depends_on(inner.operands[0], x):
                    return x
        return None

    def _source(self, value: Value) -> Value:
        """The value without its repetitions and copies."""
        while self._definitions[value].op in _LAYOUT:
            value = self._definitions[value].operands[0]
        return value

    def _defined_by(self, value: Value, op: Op) -> Statement | None:
        statement = self._definitions[value]
        return statement if statement.op is op else None

    def _constant(self, value: Value) -> float | None:
        """The number that all elements of a literal share."""
        literal = self._defined_by(value, LITERAL)
        number = splat_of(literal_numbers(literal)) if literal is not None else None
        return None if number is None else float(number)

    def _product(self, product: Statement) -> tuple[float, list[Value]]:
        """The constant of a product, and its other factors."""
        constant, factors, pending = 1.0, list[Value](), list(product.operands)
        while pending and len(factors) <= _MOST_FACTORS:
            value = self._source(pending.pop())
            number, inner = self._constant(value), self._defined_by(value, MUL)
            if number is not None:
                constant *= number
            elif inner is not None:
                pending.extend(inner.operands)
            else:
                factors.append(value)
        return constant, factors

    def _one_plus(self, value: Value) -> Iterator[Statement]:
        sum_ = self._defined_by(value, ADD)
        if sum_ is None:
            return
        first, second = (self._source(operand) for operand in sum_.operands)
        for number, rest in ((first, second), (second, first)):
            if self._constant(number) == 1:
                yield self._definitions[rest]

    def _depends_on(self, value: Value, x: Value) -> bool:
        """Whether a value is arithmetic on x and constants, and x is among them."""
        depends = False
        seen: set[Value] = set()
        pending = [value]
        while pending:
            value = self._source(pending.pop())
            if value is x:
                depends = True
            elif value not in seen and self._constant(value) is None:
                statement = self._definitions[value]
                if statement.op not in _ARITHMETIC:
                    return False
                pending.extend(statement.operands)
            seen.add(value)
        return depends
