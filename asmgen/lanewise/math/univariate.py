"""Polynomials of a single value, read from the statements that compute them.

    u = 0.79788456 * (x + 0.044715 * x * x * x)      {1: 0.79788456, 3: 0.0356774}

The arguments of a gelu's tanh and erf are such polynomials.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from asmgen.graph import ops as graph
from asmgen.ir.program import Statement, Value
from isa.named_tuple import NamedTuple

_LARGEST_DEGREE = 5
_LARGEST_DEPTH = 12


class Univariate(NamedTuple):
    """A polynomial; `coefficients` by power, without zeros."""

    coefficients: dict[int, float]

    @property
    def is_odd_of_one_sign(self) -> bool:
        """Whether the polynomial is x times a sum of terms of the same sign in x**2: no cancellation for any
        x, so that Horner's scheme errs like the ops do."""
        positive = [coefficient > 0 for coefficient in self.coefficients.values()]
        return (
            bool(positive)
            and 1 in self.coefficients
            and all(power % 2 for power in self.coefficients)
            and len(set(positive)) == 1
        )

    def odd_coefficients(self) -> tuple[float, ...]:
        """The coefficients of x, x**3, x**5, ... up to the largest power."""
        return tuple([self.coefficients.get(power, 0.0) for power in range(1, max(self.coefficients) + 1, 2)])


def univariate(
    value: Value,
    x: Value,
    defined: Mapping[Value, Statement],
    literal: Callable[[Value], float | None],
    depth: int = 0,
) -> Univariate | None:
    """`value` as a polynomial of `x` with constant coefficients; None if it is no polynomial, or of too high
    a degree."""
    if value is x:
        return Univariate({1: 1.0})
    number = literal(value)
    if number is not None:
        return Univariate({0: number} if number else {})
    statement = defined.get(value)
    if statement is None or depth == _LARGEST_DEPTH or statement.op not in _COMBINED:
        return None
    parts: list[Univariate] = []
    for operand in statement.operands:
        part = univariate(operand, x, defined, literal, depth + 1)
        if part is None:
            return None
        parts.append(part)
    combined = _COMBINED[statement.op](*parts)
    return combined if max(combined.coefficients, default=0) <= _LARGEST_DEGREE else None


def _sum(a: Univariate, b: Univariate) -> Univariate:
    powers = dict.fromkeys((*a.coefficients, *b.coefficients))
    total = {power: a.coefficients.get(power, 0.0) + b.coefficients.get(power, 0.0) for power in powers}
    return Univariate({power: coefficient for power, coefficient in total.items() if coefficient})


def _negative(a: Univariate) -> Univariate:
    return Univariate({power: -coefficient for power, coefficient in a.coefficients.items()})


def _difference(a: Univariate, b: Univariate) -> Univariate:
    return _sum(a, _negative(b))


def _multiplied(a: Univariate, b: Univariate) -> Univariate:
    total: dict[int, float] = {}
    for power, coefficient in a.coefficients.items():
        for other, factor in b.coefficients.items():
            total[power + other] = total.get(power + other, 0.0) + coefficient * factor
    return Univariate({power: coefficient for power, coefficient in total.items() if coefficient})


_COMBINED: dict[object, Callable[..., Univariate]] = {
    graph.ADD: _sum,
    graph.SUB: _difference,
    graph.MUL: _multiplied,
    graph.NEG: _negative,
}
