"""Quotients of a bounded u32 by a number: a shorter reciprocal suffices than for every u32.

    x = multiple[by=256, most=74](workgroup)      x + lane is at most 19,199
    q = div(add(x, lane), c300)                   x * 13982 >> 22: both factors have 24 bits

A product of 24-bit factors takes a quarter of the time of the upper half of a product. Else the upper half
needs no shift before it, and often none after it.

With m = (2**s + e) / d, x m / 2**s is x/d + x e / (d 2**s). It is rounded down to x // d if x e < 2**s: then
the second part is less than 1/d (Granlund and Montgomery, Division by invariant integers using
multiplication, 1994).
"""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.graph.ops import LITERAL
from asmgen.ir.program import Attribute, Statement, Value
from asmgen.ir.types import U32, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.math.definitions import Definitions
from asmgen.lanewise.math.unsigned import largest
from isa.named_tuple import NamedTuple

_WORD_BITS = 32
_FULL_RATE_BITS = 24  # of the factors of a product of the full rate


class Reciprocal(NamedTuple):
    """x // d is `factor` * x >> `shift`."""

    factor: int
    shift: int


def bounded_quotient(division: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """The quotient of a u32 of which the largest number is known, by a number."""
    x, by = division.operands
    divisor, most = definitions.literal(by), largest(x, definitions)
    if divisor is None or most is None or int(divisor) & (int(divisor) - 1) == 0:
        return None
    assert isinstance(x.type, LaneType)
    short = short_reciprocal(int(divisor), most) if x.type.lanes == 1 else None
    if short is not None:
        return _by_product(division, short, most)
    upper = upper_reciprocal(int(divisor), most)
    return None if upper is None else _by_upper_half(division, upper)


def short_reciprocal(divisor: int, most: int) -> Reciprocal | None:
    """A reciprocal for which the products of numbers up to `most` have 32 bits and factors of 24."""
    if most >> _FULL_RATE_BITS:
        return None
    found = next((each for each in _reciprocals(divisor, most, 0)), None)
    if found is None or found.factor >> _FULL_RATE_BITS or found.factor * most >> _WORD_BITS:
        return None
    return found


def upper_reciprocal(divisor: int, most: int) -> Reciprocal | None:
    """A reciprocal of 32 bits that shifts by 32 at least."""
    found = next((each for each in _reciprocals(divisor, most, _WORD_BITS)), None)
    return None if found is None or found.factor >> _WORD_BITS else found


def _reciprocals(divisor: int, most: int, first: int) -> Iterator[Reciprocal]:
    """The reciprocals that are exact up to `most`, with the smallest factor first."""
    for shift in range(first, first + _WORD_BITS):
        factor = -(-(1 << shift) // divisor)
        if most * (factor * divisor - (1 << shift)) < 1 << shift:
            yield Reciprocal(factor, shift)


def _by_product(division: Statement, reciprocal: Reciprocal, most: int) -> tuple[Statement, ...]:
    product = Value(f"{division.result.name}_product", division.result.type)
    attributes: dict[str, Attribute] = {"by": reciprocal.factor, "most": most}
    multiple = Statement(ops.MULTIPLE, division.operands[:1], (product,), attributes, (), division.place)
    return (multiple, *_shifted(division, product, reciprocal.shift))


def _by_upper_half(division: Statement, reciprocal: Reciprocal) -> tuple[Statement, ...]:
    factor = _number(division, "factor", reciprocal.factor)
    shift = reciprocal.shift - _WORD_BITS
    results = (Value(f"{division.result.name}_high", division.result.type),) if shift else division.results
    operands = division.operands[0], factor.result
    high = Statement(ops.MULTIPLY_HIGH, operands, results, {}, (), division.place)
    return (factor, high, *(_shifted(division, high.result, shift) if shift else ()))


def _shifted(division: Statement, value: Value, shift: int) -> tuple[Statement, ...]:
    count = _number(division, "shift", shift)
    operands = value, count.result
    return count, Statement(ops.SHIFT_RIGHT, operands, division.results, {}, (), division.place)


def _number(division: Statement, name: str, number: int) -> Statement:
    type_ = division.result.type
    assert isinstance(type_, LaneType)
    value = Value(f"{division.result.name}_{name}", LaneType(U32, type_.lanes))
    return Statement(LITERAL, (), (value,), {"values": (number,) * type_.lanes}, (), division.place)
