"""Roots of literals as literals, and so sums, products and quotients of them and other literals.

r = sqrt(64.0);  s = div(1.0, r)       becomes   s = 0.125

JAX scales attention by such a root. The numbers are rounded once, as the definition of each op says.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite, sqrt

from msgspec.structs import replace

from asmgen.graph.ops import ADD, DIV, LITERAL, MUL, SQRT, SUB
from asmgen.ir.numbers import round_float
from asmgen.ir.program import Module, Op, Statement, Value, literal_numbers, tensor_type

_EXACT: dict[Op, Callable[[Fraction, Fraction], Fraction]] = {
    ADD: lambda a, b: a + b,
    SUB: lambda a, b: a - b,
    MUL: lambda a, b: a * b,
    DIV: lambda a, b: a / b,
}
_Numbers = dict[Value, tuple[float, ...]]


def with_known_floats(module: Module) -> Module:
    """The module with such statements as literals."""
    known: _Numbers = {}
    return Module(module.name, tuple(_known(statement, known) for statement in module.statements))


def _known(statement: Statement, known: _Numbers) -> Statement:
    """The statement, or a literal in its place; `known` has the numbers of the literals before it."""
    if statement.op is LITERAL:
        values = literal_numbers(statement)
        if tensor_type(statement.result).element.is_float and isinstance(values, tuple):  # no array
            known[statement.result] = tuple(map(float, values))
        return statement
    numbers = [known[operand] for operand in statement.operands if operand in known]
    if not numbers or len(numbers) < len(statement.operands) or statement.op not in (SQRT, *_EXACT):
        return statement
    if any(number <= 0 or not isfinite(number) for row in numbers for number in row):
        return statement  # a zero has a sign, and a NaN a rule
    element = tensor_type(statement.result).element
    values = tuple(round_float(_result(statement.op, *row), element) for row in zip(*numbers, strict=True))
    if any(number == 0 or not isfinite(number) for number in values):
        return statement
    known[statement.result] = values
    return replace(statement, op=LITERAL, operands=(), attributes={"values": values})


def _result(op: Op, *numbers: float) -> float | Fraction:
    """The result of numbers above 0. A root in 53 bits rounds to fewer than 26 as the exact root does."""
    return sqrt(numbers[0]) if op is SQRT else _EXACT[op](*map(Fraction, numbers))
