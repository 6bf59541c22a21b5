"""The type of index expressions and its arithmetic: interned sums of atoms, simplified as they are made.

The rules, for a divisor n > 0, where floor and mod are those of Python (the remainder is from 0 to n - 1):

- what is a multiple of n comes out of a quotient, and out of a remainder altogether;
- a common factor of n and of the rest is divided out;
- a rest whose bounds lie within one multiple of n gives a constant quotient;
- (x floordiv a) floordiv n is x floordiv a*n; (x mod a) mod n is x mod n where n divides a, and
  (x mod a) floordiv n is (x floordiv n) mod a/n;
- n * (x floordiv n) + x mod n is x, and n * ((x floordiv n) mod m) + x mod n is x mod n*m;
- n * (x floordiv n) is x where n divides x;
- n * (x floordiv n) + x mod n is x for a size n too (`asmgen.index.by_size` has the divisions by sizes);
- a constant comes out of min(x, n), which is x or n where the bounds of x say so;
- a product of sums is the sum of the products of their terms (`asmgen.index.products`).

What terms of one sum are together is in `asmgen.index.merging`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from math import gcd

from asmgen.index.atoms import (
    Atom,
    Minimum,
    Product,
    Quotient,
    Remainder,
    SizedQuotient,
    SizedRemainder,
    Smaller,
    Symbol,
)
from asmgen.index.merging import exact, is_only, joined
from asmgen.index.sums import OfDims, Sum, Terms, in_brackets

_MOST_MINIMUMS = 5  # in a sum whose bounds are looked at for each side of them
UNKNOWN = (1 << 32) - 1  # the largest value of a symbol of which nothing is known


class Index(Sum, frozen=True, eq=False):
    """A sum with its arithmetic. Equal ones are one object."""

    def part(self, of: Iterable[Symbol]) -> Index:
        """The sum of the terms in which one of the symbols `of` is; the rest is `self - self.part(of)`."""
        wanted = frozenset(of)
        return _sum([(atom, number) for atom, number in self.terms if wanted & atom.symbols], 0)

    def substitute(self, values: Mapping[Symbol, Index]) -> Index:
        """The expression with symbols replaced."""
        result = constant(self.constant)
        for atom, coefficient in self.terms:
            result += _substituted(atom, values) * coefficient
        return result

    def __add__(self, other: Index | int) -> Index:
        if isinstance(other, int):
            if isinstance(other, OfDims):
                return self + other.expression
            return _interned(self.terms, self.constant + other) if other else self
        if not other.terms:
            return self + other.constant
        return _added(self, other)

    def __radd__(self, other: int) -> Index:
        return self + other

    def __neg__(self) -> Index:
        return self * -1

    def __sub__(self, other: Index | int) -> Index:
        return self + -other

    def __rsub__(self, other: int) -> Index:
        return -self + other

    def __mul__(self, factor: int) -> Index:
        if isinstance(factor, OfDims):
            return self.times(factor.expression)
        return self if factor == 1 else _times(self, factor)

    def __rmul__(self, factor: int) -> Index:
        return self * factor

    def times(self, other: Index) -> Index:
        """The product of two expressions."""
        if self.is_constant or other.is_constant:
            return self * other.constant if other.is_constant else other * self.constant
        from asmgen.index.products import expanded

        return expanded(self, other)

    def __floordiv__(self, divisor: int) -> Index:
        return self.divided(divisor.expression) if isinstance(divisor, OfDims) else _quotient(self, divisor)

    def __mod__(self, divisor: int) -> Index:
        return (
            self.remaining(divisor.expression) if isinstance(divisor, OfDims) else _remainder(self, divisor)
        )

    def divided(self, divisor: Index) -> Index:
        """The quotient by another expression, rounded down."""
        from asmgen.index.by_size import quotient

        return quotient(self, divisor)

    def remaining(self, divisor: Index) -> Index:
        """The remainder of that quotient."""
        from asmgen.index.by_size import remainder

        return remainder(self, divisor)

    def at_most(self, limit: int) -> Index:
        """The smaller of the expression and a number."""
        if isinstance(limit, OfDims):
            return self.smaller(limit.expression)
        return _minimum(self, limit)

    def smaller(self, other: Index) -> Index:
        """The smaller of two expressions."""
        return _minimum(self, other.constant) if other.is_constant else _smaller(self, other)


@cache
def _added(a: Index, b: Index) -> Index:
    return _sum((*a.terms, *b.terms), a.constant + b.constant)


@cache
def _times(of: Index, factor: int) -> Index:
    return _sum([(atom, coefficient * factor) for atom, coefficient in of.terms], of.constant * factor)


def only(atom: Atom) -> Index:
    """The expression that is one atom, which whoever makes it makes once."""
    return _interned(((atom, 1),), 0)


@cache
def _symbol(name: str, low: int, high: int, multiple: int, most: Index | None, is_dim: bool = False) -> Index:
    return _sum([(Symbol(name, low, high, multiple, most, is_dim), 1)], 0)


def symbol(name: str, low: int = 0, high: int = UNKNOWN, multiple: int = 1) -> Index:
    """The expression that is one symbol; equal arguments give the same one. `as_symbol` gives the atom, and
    `only` the expression of it again. `high` may be a size.
    """
    if low > high or multiple < 1:
        raise ValueError(f"symbol {name}: from {low} to {high}, a multiple of {multiple}")
    return _symbol(name, low, int(high), multiple, high.expression if isinstance(high, OfDims) else None)


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
        raise ValueError(f"{index.text} is no symbol")
    return atom


def constant(value: int) -> Index:
    """The expression of a number; of a size that the launch knows, its own."""
    return value.expression if isinstance(value, OfDims) else _interned((), value)


@cache
def _interned(terms: Terms, value: int) -> Index:
    low = high = multiple = value
    for atom, coefficient in terms:
        low += coefficient * (atom.low if coefficient > 0 else atom.high)
        high += coefficient * (atom.high if coefficient > 0 else atom.low)
        multiple = gcd(multiple, coefficient * atom.multiple)
    if low < 0 < high and len(terms) > 1:
        low, high = _narrowed(terms, value, low, high)
    return Index(terms, value, low, high, multiple)


@cache
def _minimums(atom: Atom) -> int:
    """How many minimums there are in an atom, itself included."""
    if isinstance(atom, Product):
        return sum([_minimums(one) for one, _ in (*atom.inner.terms, *atom.factor.terms)])
    if not isinstance(atom, Minimum | Smaller):
        return 0
    limit = atom.limit.terms if isinstance(atom, Smaller) else ()
    return 1 + sum([_minimums(one) for one, _ in (*atom.inner.terms, *limit)])


def _either(atom: Atom) -> tuple[Index, Index] | None:
    """The two of which a minimum of sizes is the smaller one, also where it is multiplied by sizes."""
    if isinstance(atom, Product) and _minimums(atom) and is_of_dims(atom):
        from asmgen.index.products import factors_of, product_of

        factors = list(factors_of(atom))
        first = next((one for one in factors if isinstance(one, Minimum | Smaller)), None)
        if first is None:
            return None
        factors.remove(first)
        others, either = product_of(factors), _either(first)
        if either is None or others.low < 0:
            return None
        return others.times(either[0]), others.times(either[1])
    if not isinstance(atom, Minimum | Smaller) or not is_of_dims(atom):
        return None
    return atom.inner, constant(atom.by) if isinstance(atom, Minimum) else atom.limit


def is_of_dims(atom: Atom) -> bool:
    """Whether the launch knows what an atom is."""
    return all(one.is_dim for one in atom.symbols)


def minimums_of(of: Index) -> int:
    """How many minimums an expression is written with, those in each other as often as they are written."""
    return sum([_minimums(atom) for atom, _ in of.terms])


def is_loose(of: Index) -> bool:
    """Whether the bounds of a sum are those of its terms apart: it has too many minimums (`_narrowed`)."""
    return minimums_of(of) > _MOST_MINIMUMS


def _narrowed(terms: Terms, value: int, low: int, high: int) -> tuple[int, int]:
    """The bounds of a sum with the smaller of two sizes in it: the sum is one of two, with either of them.

    n - min(n, 8)       from 0 on: it is n - n or n - 8, whichever is more

    One minimum that is added and one that is subtracted are looked at, and the others in the sums with their
    sides: the lower bound is best with those that are added first, the upper one with the others first. Of
    more than a few of them, also in each other, too many sums would be looked at.
    """
    if sum([_minimums(atom) for atom, _ in terms]) > _MOST_MINIMUMS:
        return low, high
    looked_at: set[bool] = set()
    for atom, number in terms:
        is_smaller = number > 0
        either = None if is_smaller in looked_at else _either(atom)
        if either is None:
            continue
        looked_at.add(is_smaller)
        rest = [term for term in terms if term[0] is not atom]
        both = [_sum(rest, value) + side * number for side in either]
        lows, highs = [one.low for one in both], [one.high for one in both]
        low = max(low, min(lows) if is_smaller else max(lows))
        high = min(high, min(highs) if is_smaller else max(highs))
    return low, high


def _sum(terms: Iterable[tuple[Atom, int]], value: int) -> Index:
    merged: dict[Atom, int] = {}
    for atom, coefficient in terms:
        merged[atom] = merged.get(atom, 0) + coefficient
    for atom, number in merged.items():
        if not number or isinstance(atom, Symbol | Minimum | Smaller | SizedQuotient):
            continue
        if isinstance(atom, Product | SizedRemainder):
            from asmgen.index.by_size import joined as joined_by_size

            found = joined_by_size(merged, atom)
        else:
            found = joined(merged, atom) if isinstance(atom, Remainder) else exact(merged, atom)
        if found is not None:
            rest, whole = found
            return _sum(rest, 0) + whole + value
    kept = [term for term in merged.items() if term[1]]
    kept.sort(key=_text_of)
    return _interned(tuple(kept), value)


def _text_of(term: tuple[Atom, int]) -> str:
    return term[0].text


@cache
def _quotient(of: Index, divisor: int) -> Index:
    if divisor < 1:
        raise ValueError(f"{of.text} divided by {divisor}, wanted a positive number")
    whole = _sum(
        [(atom, number // divisor) for atom, number in of.terms if number % divisor == 0],
        of.constant // divisor,
    )
    exact = [
        (atom, number)
        for atom, number in of.terms
        if number % divisor and number * atom.multiple % divisor == 0
    ]
    rest = _interned(tuple([(a, n) for a, n in of.terms if n * a.multiple % divisor]), of.constant % divisor)
    if exact:
        return whole + _atom_quotient(_interned(tuple(exact), 0), divisor) + _quotient(rest, divisor)
    if rest.low // divisor == rest.high // divisor:
        return whole + rest.low // divisor
    common = gcd(divisor, *[number for _, number in rest.terms])
    if common > 1:
        smaller = _interned(
            tuple([(atom, number // common) for atom, number in rest.terms]), rest.constant // common
        )
        return whole + _quotient(smaller, divisor // common)
    first = rest.terms[0][0]
    if isinstance(first, Quotient) and is_only(rest, first):
        return whole + _quotient(first.inner, first.by * divisor)
    if isinstance(first, Remainder) and is_only(rest, first) and first.by % divisor == 0:
        return whole + _remainder(_quotient(first.inner, divisor), first.by // divisor)
    return whole + _atom_quotient(rest, divisor)


@cache
def _atom_quotient(of: Index, divisor: int) -> Index:
    multiple = of.multiple // divisor if of.multiple % divisor == 0 else 1
    text = f"{in_brackets(of)} floordiv {divisor}"
    return _sum(
        [(Quotient(of, divisor, text, of.low // divisor, of.high // divisor, max(multiple, 1)), 1)], 0
    )


@cache
def _remainder(of: Index, divisor: int) -> Index:
    if divisor < 1:
        raise ValueError(f"{of.text} modulo {divisor}, wanted a positive number")
    for atom, number in of.terms:
        if isinstance(atom, Remainder) and atom.by % divisor == 0:
            return _remainder(_sum([*of.terms, (atom, -number)], of.constant) + atom.inner * number, divisor)
    kept = tuple([(a, n) for a, n in of.terms if n * a.multiple % divisor])
    rest = _interned(kept, of.constant % divisor)
    if rest.low // divisor == rest.high // divisor:
        return rest - rest.low // divisor * divisor
    common = gcd(divisor, *[number for _, number in rest.terms])
    if common > 1:
        smaller = _interned(
            tuple([(atom, number // common) for atom, number in rest.terms]), rest.constant // common
        )
        return _remainder(smaller, divisor // common) * common + rest.constant % common
    text = f"{in_brackets(rest)} mod {divisor}"
    multiple = max(gcd(rest.multiple, divisor), 1)
    return _atom_remainder(rest, divisor, text, multiple)


@cache
def _atom_remainder(of: Index, divisor: int, text: str, multiple: int) -> Index:
    return _sum([(Remainder(of, divisor, text, 0, divisor - 1, multiple), 1)], 0)


@cache
def _minimum(of: Index, limit: int) -> Index:
    if of.high <= limit:
        return of
    if of.low >= limit:
        return constant(limit)
    if of.constant:
        return _minimum(of - of.constant, limit - of.constant) + of.constant
    first = of.terms[0][0]
    if isinstance(first, Minimum) and is_only(of, first) and is_of_dims(first):
        return _minimum(first.inner, min(first.by, limit))
    atom = Minimum(of, limit, f"min({of.text}, {limit})", of.low, limit, gcd(of.multiple, limit))
    return _sum([(atom, 1)], 0)


@cache
def _smaller(of: Index, limit: Index) -> Index:
    room = limit - of
    if room.low >= 0 or room.high <= 0:
        return of if room.low >= 0 else limit
    low, high = min(of.low, limit.low), min(of.high, limit.high)
    text = f"min({of.text}, {limit.text})"
    return _sum([(Smaller(of, limit, text, low, high, gcd(of.multiple, limit.multiple)), 1)], 0)


def _substituted(atom: Atom, values: Mapping[Symbol, Index]) -> Index:
    if isinstance(atom, Symbol):
        return values.get(atom) or _interned(((atom, 1),), 0)
    return atom.substitute(values)
