"""Makes index expressions, each once: equal expressions are the same object.

Terms that are another term together are joined: 4*(x floordiv 4) + x mod 4 is x. A product of sums is
the sum of the products of their terms. The other rules are in `quotients`, `sized` and `minimums`.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

from asmgen.index.interning import once, remembered
from asmgen.index.interval import WORD
from asmgen.index.minimums import minimum, narrowed, smaller
from asmgen.index.nodes import (
    Atom,
    Index,
    Minimum,
    OfDims,
    Product,
    Remainder,
    SizedQuotient,
    SizedRemainder,
    Smaller,
    Symbol,
    Terms,
    factors_of,
    in_brackets,
)
from asmgen.index.quotients import exact, joined, quotient, remainder
from asmgen.index.sized import joined_by_size, sized_quotient, sized_remainder

UNKNOWN = WORD  # the largest value of a symbol without a known bound


def symbol(name: str, low: int = 0, high: int | OfDims = UNKNOWN, multiple: int = 1) -> Index:
    """The expression of a single symbol; equal arguments give the same object. `as_symbol` gives the atom,
    and `only` the expression of it again. `high` may be a size."""
    most = high.expression if isinstance(high, OfDims) else None
    last = high.expression.high if isinstance(high, OfDims) else high
    if low > last or multiple < 1:
        raise ValueError(f"symbol {name}: from {low} to {last}, a multiple of {multiple}")
    return _symbol(name, low, last, multiple, most)


def dim_symbol(name: str, low: int, high: int) -> Index:
    """The expression that is a size which the launch knows."""
    return _symbol(name, low, high, 1, None, True)


def symbol_of(name: str, low: int, high: int, multiple: int, most: Index | None, is_dim: bool) -> Index:
    """The expression of the symbol that has these fields."""
    known = (name, low, high, multiple, most)
    return _symbol(*known, True) if is_dim else _symbol(*known)  # as the functions above ask for them


def as_symbol(index: Index) -> Symbol:
    """The symbol that the expression is."""
    ((atom, coefficient),) = index.terms
    if not isinstance(atom, Symbol) or coefficient != 1 or index.constant:
        raise ValueError(f"{index.text} is not a symbol")
    return atom


def constant(value: int | OfDims) -> Index:
    """The expression of a number; of a size that the launch knows, its own."""
    return value.expression if isinstance(value, OfDims) else _interned((), value)


def only(atom: Atom) -> Index:
    """The expression of a single atom, which its maker makes once."""
    return _interned(((atom, 1),), 0)


@remembered
def _symbol(name: str, low: int, high: int, multiple: int, most: Index | None, is_dim: bool = False) -> Index:
    return _sum([(once(Symbol, name, low, high, multiple, most, is_dim), 1)], 0)


def _sum(terms: Iterable[tuple[Atom, int]], value: int) -> Index:
    merged: dict[Atom, int] = {}
    for atom, coefficient in terms:
        merged[atom] = merged.get(atom, 0) + coefficient
    for atom, number in merged.items():
        if not number or isinstance(atom, Symbol | Minimum | Smaller | SizedQuotient):
            continue
        if isinstance(atom, Product | SizedRemainder):
            both = joined_by_size(merged, atom)
        else:
            both = joined(merged, atom) if isinstance(atom, Remainder) else exact(merged, atom)
        if both is not None:
            rest, whole = both
            return _sum(rest, 0) + whole + value
    kept = [term for term in merged.items() if term[1]]
    kept.sort(key=_text_of)
    return _interned(tuple(kept), value)


def _text_of(term: tuple[Atom, int]) -> str:
    return term[0].text


@remembered
def _interned(terms: Terms, value: int) -> Index:
    low = high = multiple = value
    for atom, coefficient in terms:
        low += coefficient * (atom.low if coefficient > 0 else atom.high)
        high += coefficient * (atom.high if coefficient > 0 else atom.low)
        multiple = gcd(multiple, coefficient * atom.multiple)
    if low < 0 < high and len(terms) > 1:
        low, high = narrowed(terms, value, low, high)
    return once(_Sum, terms, value, low, high, multiple)


@remembered
def _added(a: Index, b: Index) -> Index:
    return _sum((*a.terms, *b.terms), a.constant + b.constant)


@remembered
def _times(of: Index, factor: int) -> Index:
    return _sum([(atom, coefficient * factor) for atom, coefficient in of.terms], of.constant * factor)


@remembered
def _expanded(of: Index, by: Index) -> Index:
    """Every term of a sum times every term of the other."""
    total = of * by.constant + by * of.constant - of.constant * by.constant
    for atom, number in of.terms:
        for factor, times in by.terms:
            total += _product(*factors_of(atom, factor)) * (number * times)
    return total


def _product_of(atoms: Iterable[Atom]) -> Index:
    """The product of atoms, 1 of none."""
    factors = factors_of(*atoms)
    return _product(*factors) if factors else constant(1)


@remembered
def _product(*atoms: Atom) -> Index:
    first, *rest = atoms
    inner = only(first)
    if not rest:
        return inner
    factor = _product(*rest)
    text = f"{in_brackets(inner)}*{in_brackets(factor) if len(rest) == 1 else factor.text}"
    multiple = inner.multiple * factor.multiple
    return only(once(Product, inner, factor, text, *inner.bounds.times(factor.bounds), multiple))


class _Sum(Index, frozen=True, eq=False):
    """The arithmetic of expressions. `_interned` makes each expression."""

    summed = staticmethod(_sum)
    as_it_is = staticmethod(_interned)
    product = staticmethod(_product_of)

    def __add__(self, other: Index | int | OfDims) -> Index:
        if isinstance(other, OfDims):
            return self + other.expression
        if isinstance(other, int):
            return _interned(self.terms, self.constant + other) if other else self
        if not other.terms:
            return self + other.constant
        return _added(self, other)

    def __mul__(self, factor: int | OfDims) -> Index:
        if isinstance(factor, OfDims):
            return self.times(factor.expression)
        return self if factor == 1 else _times(self, factor)

    def times(self, other: Index) -> Index:
        if self.is_constant or other.is_constant:
            return self * other.constant if other.is_constant else other * self.constant
        return _expanded(self, other)

    def __floordiv__(self, divisor: int | OfDims) -> Index:
        return self.divided(divisor.expression) if isinstance(divisor, OfDims) else quotient(self, divisor)

    def __mod__(self, divisor: int | OfDims) -> Index:
        return self.remaining(divisor.expression) if isinstance(divisor, OfDims) else remainder(self, divisor)

    def divided(self, divisor: Index) -> Index:
        return sized_quotient(self, divisor)

    def remaining(self, divisor: Index) -> Index:
        return sized_remainder(self, divisor)

    def at_most(self, limit: int | OfDims) -> Index:
        if isinstance(limit, OfDims):
            return self.smaller(limit.expression)
        return minimum(self, limit)

    def smaller(self, other: Index) -> Index:
        return minimum(self, other.constant) if other.is_constant else smaller(self, other)
