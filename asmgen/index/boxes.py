"""Index expressions over boxes: their bounds in a part of the ranges of their symbols, and their shape along
a symbol.

(k floordiv 4) mod 2, k from 0 to 3      from 0 to 0
(k floordiv 4) mod 2 along k             repeats after 8
k - 4*(k floordiv 4) + row along k       repeats after 4
n floordiv 64 - k along n                never falls
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from math import gcd, lcm

from asmgen.index.interval import Interval
from asmgen.index.nodes import (
    Atom,
    Index,
    Minimum,
    Product,
    Quotient,
    Remainder,
    SizedQuotient,
    SizedRemainder,
    Smaller,
    Symbol,
)
from isa.named_tuple import NamedTuple

Box = Mapping[Symbol, Interval]


def bounds_in(of: Index, box: Box) -> Interval:
    """Bounds of an expression if each symbol is within its interval in the box. They are the exact value if
    every interval is a single number."""
    low = high = of.constant
    for atom, number in of.terms:
        least, most = box[atom] if isinstance(atom, Symbol) else _bounds_of(atom, box)
        low += number * (least if number > 0 else most)
        high += number * (most if number > 0 else least)
    return Interval(low, high)


def may_be_zero(of: Index, box: Box) -> bool:
    """Whether bounds and divisors allow that an expression is 0 if each symbol is within its interval."""
    low = high = fixed = of.constant
    divisor = 0
    for atom, number in of.terms:
        least, most = box[atom] if isinstance(atom, Symbol) else _bounds_of(atom, box)
        if least == most:
            fixed += number * least
        else:
            divisor = gcd(divisor, number * atom.multiple)
        low += number * (least if number > 0 else most)
        high += number * (most if number > 0 else least)
    return low <= 0 <= high and not (divisor and fixed % divisor)


def _bounds_of(atom: Atom, box: Box) -> Interval:
    match atom:
        case Symbol():
            return box[atom]
        case Quotient(inner=inner, by=by):
            low, high = bounds_in(inner, box)
            return Interval(low // by, high // by)
        case Remainder(inner=inner, by=by):
            return _remaining(bounds_in(inner, box), Interval(by, by))
        case Minimum(inner=inner, by=by):
            return bounds_in(inner, box).smaller(Interval(by, by))
        case Smaller(inner=inner, by=by):
            return bounds_in(inner, box).smaller(bounds_in(by, box))
        case Product(inner=inner, by=by):
            return bounds_in(inner, box).times(bounds_in(by, box))
        case SizedQuotient(inner=inner, by=by):
            return bounds_in(inner, box).divided(_positive(bounds_in(by, box)))
        case SizedRemainder(inner=inner, by=by):
            return _remaining(bounds_in(inner, box), _positive(bounds_in(by, box)))


def _positive(divisor: Interval) -> Interval:
    """A divisor of 0 counts as 1, as `evaluate` has it."""
    return Interval(max(divisor.low, 1), max(divisor.high, 1))


def _remaining(of: Interval, by: Interval) -> Interval:
    if by.low == by.high and of.low // by.low == of.high // by.low:
        return Interval(of.low % by.low, of.high % by.low)
    return of.remaining(by)


class Repetition(NamedTuple):
    """An expression that is `growth` larger wherever a symbol is `period` larger."""

    period: int
    growth: int


_CONSTANT = Repetition(1, 0)


def repetition(of: Index, along: Symbol) -> Repetition | None:
    """How an expression repeats along a symbol; None if that is unknown, as for a minimum."""
    found = _CONSTANT
    for atom, number in of.terms:
        own = _repetition_of(atom, along)
        if own is None:
            return None
        period = lcm(found.period, own.period)
        growth = found.growth * (period // found.period) + number * own.growth * (period // own.period)
        found = Repetition(period, growth)
    return found


def _repetition_of(atom: Atom, along: Symbol) -> Repetition | None:
    if isinstance(atom, Symbol):
        return Repetition(1, 1) if atom is along else _CONSTANT
    if along not in atom.symbols:
        return _CONSTANT
    if not isinstance(atom, Quotient | Remainder):
        return None
    inner = repetition(atom.inner, along)
    if inner is None:
        return None
    times = atom.by // gcd(inner.growth, atom.by)
    growth = inner.growth * times // atom.by if isinstance(atom, Quotient) else 0
    return Repetition(inner.period * times, growth)


class Direction(Enum):
    """What becomes of an expression if a symbol grows."""

    CONSTANT = "stays"
    RISING = "never falls"
    FALLING = "never rises"
    UNKNOWN = "unknown"

    def turned(self) -> Direction:
        """The direction of the negative."""
        return {Direction.RISING: Direction.FALLING, Direction.FALLING: Direction.RISING}.get(self, self)

    def joined(self, other: Direction) -> Direction:
        """The direction of a sum."""
        if self is Direction.CONSTANT or self is other:
            return other
        return self if other is Direction.CONSTANT else Direction.UNKNOWN


def direction(of: Index, along: Symbol) -> Direction:
    """The direction of an expression along a symbol, by its form."""
    found = Direction.CONSTANT
    for atom, number in of.terms:
        own = _direction_of(atom, along)
        found = found.joined(own if number > 0 else own.turned())
    return found


def _direction_of(atom: Atom, along: Symbol) -> Direction:
    if atom is along:
        return Direction.RISING
    if along not in atom.symbols:
        return Direction.CONSTANT
    match atom:
        case Quotient(inner=inner) | Minimum(inner=inner):
            return direction(inner, along)
        case Smaller(inner=inner, by=by):
            return direction(inner, along).joined(direction(by, along))
        case Product(inner=inner, by=by) if min(inner.low, by.low) >= 0:
            return direction(inner, along).joined(direction(by, along))
        case _:
            return Direction.UNKNOWN
