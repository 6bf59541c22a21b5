"""Index expressions: the type, its atoms, and the arithmetic that simplifies sums of atoms.

The rules, for a divisor n > 0, with floor and mod as in Python (the remainder is from 0 to n - 1):

- a multiple of n comes out of a quotient, and out of a remainder altogether;
- a common factor of n and of the rest is divided out;
- a rest with bounds within the same multiple of n gives a constant quotient;
- (x floordiv a) floordiv n is x floordiv a*n; (x mod a) mod n is x mod n if n divides a, and
  (x mod a) floordiv n is then (x floordiv n) mod a/n;
- n * (x floordiv n) + x mod n is x, and n * ((x floordiv n) mod m) + x mod n is x mod n*m;
- n * (x floordiv n) is x if n divides x;
- n * (x floordiv n) + x mod n is x for a size n too;
- a constant comes out of min(x, n), which is x or n if the bounds of x decide it;
- a product of sums is the sum of the products of their terms.

Atoms are compared by identity: each is made once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from math import gcd
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from asmgen.index.interval import WORD, Interval
from isa.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from isa.diagnostics import Place

    Number = TypeVar("Number", int, NDArray[np.int64])

_MOST_MINIMUMS = 5  # of a sum, for bounds by each of their sides
UNKNOWN = WORD  # the largest value of a symbol without a known bound


class NotAnIndex(ValueError):
    """Raised for a result that is not an index expression, such as a quotient of two variables. `place` is
    the place of the statement, if known."""

    place: Place | None = None


class OfDims:
    """A size that only the launch knows: a base of `asmgen.index.size.Size`, for arithmetic with indices."""

    __slots__ = ("expression",)

    def __init__(self, expression: Index) -> None:
        self.expression = expression


class Symbol(Struct, frozen=True, eq=False):
    """An unknown number from `low` to `high`, both included; `multiple` divides it. If the launch knows a
    tighter bound, `most` is its expression, and `high` is its value for the largest dims. `is_dim` marks a
    dim that the launch knows. Made by `symbol` and `dim_symbol`."""

    name: str
    low: int
    high: int
    multiple: int
    most: Index | None = None
    is_dim: bool = False

    @property
    def text(self) -> str:
        return self.name

    @property
    def symbols(self) -> frozenset[Symbol]:
        return frozenset((self,))

    def __repr__(self) -> str:
        return self.name


class _OfNumber(Struct, frozen=True, eq=False):
    """An atom of an index and a number; `index` and `number` make it from another index."""

    inner: Index
    by: int
    text: str
    low: int
    high: int
    multiple: int

    @property
    def symbols(self) -> frozenset[Symbol]:
        return self.inner.symbols

    @property
    def sides(self) -> tuple[Index, Index]:
        """The index, and the number as an index."""
        return self.inner, constant(self.by)

    def index(self, inner: Index) -> Index:
        """The atom of another inner expression; each kind of atom says how."""
        raise NotImplementedError

    def number(self, inner: Number) -> Number:
        """The atom's value for a value of its inner expression; each kind of atom says how."""
        raise NotImplementedError

    def evaluate(self, values: Mapping[Symbol, Number], zero: Number) -> Number:
        return self.number(self.inner.evaluate(values, zero))

    def substitute(self, values: Mapping[Symbol, Index]) -> Index:
        return self.index(self.inner.substitute(values))


class Quotient(_OfNumber, frozen=True, eq=False):
    """`inner` divided by `by`, rounded down."""

    def index(self, inner: Index) -> Index:
        return inner // self.by

    def number(self, inner: Number) -> Number:
        return inner // self.by


class Remainder(_OfNumber, frozen=True, eq=False):
    """The remainder of `inner` divided by `by`, from 0 to `by - 1`."""

    def index(self, inner: Index) -> Index:
        return inner % self.by

    def number(self, inner: Number) -> Number:
        return inner % self.by


class Minimum(_OfNumber, frozen=True, eq=False):
    """The smaller of `inner` and `by`."""

    def index(self, inner: Index) -> Index:
        return inner.at_most(self.by)

    def number(self, inner: Number) -> Number:
        return inner - (inner > self.by) * (inner - self.by)


class _OfTwo(Struct, frozen=True, eq=False):
    """An atom of two indices, its sides; `index` and `number` make it from others."""

    inner: Index
    by: Index
    text: str
    low: int
    high: int
    multiple: int

    @property
    def symbols(self) -> frozenset[Symbol]:
        return self.inner.symbols | self.by.symbols

    @property
    def sides(self) -> tuple[Index, Index]:
        return self.inner, self.by

    def index(self, inner: Index, by: Index) -> Index:
        """The atom of other sides; each kind of atom says how."""
        raise NotImplementedError

    def number(self, inner: Number, by: Number) -> Number:
        """The atom's value for values of its sides; each kind of atom says how."""
        raise NotImplementedError

    def evaluate(self, values: Mapping[Symbol, Number], zero: Number) -> Number:
        return self.number(self.inner.evaluate(values, zero), self.by.evaluate(values, zero))

    def substitute(self, values: Mapping[Symbol, Index]) -> Index:
        return self.index(self.inner.substitute(values), self.by.substitute(values))


class Smaller(_OfTwo, frozen=True, eq=False):
    """The smaller of two indices: `min(c0 + 16*row, n - 1)`."""

    def index(self, inner: Index, by: Index) -> Index:
        return inner.smaller(by)

    def number(self, inner: Number, by: Number) -> Number:
        return inner - (inner > by) * (inner - by)


class Product(_OfTwo, frozen=True, eq=False):
    """A product of atoms: `row*n`, with n known to the launch."""

    def index(self, inner: Index, by: Index) -> Index:
        return inner.times(by)

    def number(self, inner: Number, by: Number) -> Number:
        return inner * by


class SizedQuotient(_OfTwo, frozen=True, eq=False):
    """`inner` divided by a size that the launch knows, rounded down."""

    def index(self, inner: Index, by: Index) -> Index:
        return inner.divided(by)

    def number(self, inner: Number, by: Number) -> Number:
        return inner // _divisor(by)


class SizedRemainder(_OfTwo, frozen=True, eq=False):
    """The remainder of `inner` divided by a size that the launch knows."""

    def index(self, inner: Index, by: Index) -> Index:
        return inner.remaining(by)

    def number(self, inner: Number, by: Number) -> Number:
        return inner % _divisor(by)


def _divisor(size: Number) -> Number:
    """A size as a divisor: 0 counts as 1, since nothing is there then."""
    return size - (size < 1) * (size - 1)


Compound = Quotient | Remainder | Minimum | Smaller | Product | SizedQuotient | SizedRemainder
Atom = Symbol | Compound
Terms = tuple[tuple[Atom, int], ...]


class Index(Struct, frozen=True, eq=False):
    """`constant` plus the sum of `terms`, atoms with their coefficients in the order of the atoms' text.
    Equal indices are the same object."""

    terms: Terms
    constant: int
    low: int
    high: int
    multiple: int  # divides every value; 0 for the value 0

    @property
    def bounds(self) -> Interval:
        """An interval that contains every value which the bounds of the symbols allow."""
        return Interval(self.low, self.high)

    @property
    def is_constant(self) -> bool:
        return not self.terms

    @property
    def text(self) -> str:
        """`1024*row + c1 - 3`, which `asmgen.index.text` reads."""
        parts = [_term(atom, coefficient) for atom, coefficient in self.terms]
        if self.constant or not parts:
            parts.append(str(self.constant))
        return " + ".join(parts).replace("+ -", "- ")

    @property
    def symbols(self) -> frozenset[Symbol]:
        """Every symbol in it, those inside quotients and remainders too."""
        return _symbols(self)

    def coefficient(self, of: Symbol) -> int:
        """The coefficient of a symbol outside quotients and remainders; 0 if it has none."""
        return next((coefficient for atom, coefficient in self.terms if atom is of), 0)

    def evaluate(self, values: Mapping[Symbol, Number], zero: Number) -> Number:
        """The value for values of the symbols: integers, or arrays of numpy that broadcast; `zero` is a 0
        of the same kind."""
        result = zero + self.constant
        for atom, coefficient in self.terms:
            number = values[atom] if isinstance(atom, Symbol) else atom.evaluate(values, zero)
            result = result + number * coefficient
        return result

    def __repr__(self) -> str:
        return f"Index({self.text})"

    def part(self, of: Iterable[Symbol]) -> Index:
        """The sum of the terms with a symbol of `of` in them; the rest is `self - self.part(of)`."""
        wanted = frozenset(of)
        return _sum([(atom, number) for atom, number in self.terms if wanted & atom.symbols], 0)

    def substitute(self, values: Mapping[Symbol, Index]) -> Index:
        """The expression with symbols replaced."""
        result = constant(self.constant)
        for atom, coefficient in self.terms:
            result += _substituted(atom, values) * coefficient
        return result

    def __add__(self, other: Index | int | OfDims) -> Index:
        if isinstance(other, OfDims):
            return self + other.expression
        if isinstance(other, int):
            return _interned(self.terms, self.constant + other) if other else self
        if not other.terms:
            return self + other.constant
        return _added(self, other)

    def __radd__(self, other: int | OfDims) -> Index:
        return self + other

    def __neg__(self) -> Index:
        return self * -1

    def __sub__(self, other: Index | int | OfDims) -> Index:
        return self + (-other.expression if isinstance(other, OfDims) else -other)

    def __rsub__(self, other: int | OfDims) -> Index:
        return -self + other

    def __mul__(self, factor: int | OfDims) -> Index:
        if isinstance(factor, OfDims):
            return self.times(factor.expression)
        return self if factor == 1 else _times(self, factor)

    def __rmul__(self, factor: int | OfDims) -> Index:
        return self * factor

    def times(self, other: Index) -> Index:
        """The product of two expressions."""
        if self.is_constant or other.is_constant:
            return self * other.constant if other.is_constant else other * self.constant
        return _expanded(self, other)

    def __floordiv__(self, divisor: int | OfDims) -> Index:
        return self.divided(divisor.expression) if isinstance(divisor, OfDims) else _quotient(self, divisor)

    def __mod__(self, divisor: int | OfDims) -> Index:
        return (
            self.remaining(divisor.expression) if isinstance(divisor, OfDims) else _remainder(self, divisor)
        )

    def divided(self, divisor: Index) -> Index:
        """The quotient by another expression, rounded down."""
        return _sized_quotient(self, divisor)

    def remaining(self, divisor: Index) -> Index:
        """The remainder of that quotient."""
        return _sized_remainder(self, divisor)

    def at_most(self, limit: int | OfDims) -> Index:
        """The smaller of the expression and a number."""
        if isinstance(limit, OfDims):
            return self.smaller(limit.expression)
        return _minimum(self, limit)

    def smaller(self, other: Index) -> Index:
        """The smaller of two expressions."""
        return _minimum(self, other.constant) if other.is_constant else _smaller(self, other)


@cache
def _symbols(of: Index) -> frozenset[Symbol]:
    return frozenset([symbol for atom, _ in of.terms for symbol in atom.symbols])


def in_brackets(of: Index) -> str:
    """A sum as a factor: a symbol, or the sum in brackets."""
    is_symbol = (
        len(of.terms) == 1 and not of.constant and of.terms[0][1] == 1 and isinstance(of.terms[0][0], Symbol)
    )
    return of.text if is_symbol else f"({of.text})"


def _term(atom: Atom, coefficient: int) -> str:
    is_factor = isinstance(atom, Symbol | Minimum | Smaller | Product) and not _is_product_of_sums(atom)
    text = atom.text if is_factor or coefficient == 1 else f"({atom.text})"
    if coefficient == 1:
        return text
    return f"-{text}" if coefficient == -1 else f"{coefficient}*{text}"


def _is_product_of_sums(atom: Atom) -> bool:
    """Whether a product has factors that are not symbols: text is multiplied from the left, and a number
    could come out of an adjacent quotient."""
    while isinstance(atom, Product):
        ((first, _),), ((atom, _),) = atom.inner.terms, atom.by.terms
        if not (isinstance(first, Symbol) and isinstance(atom, Symbol | Product)):
            return True
    return False


@cache
def _added(a: Index, b: Index) -> Index:
    return _sum((*a.terms, *b.terms), a.constant + b.constant)


@cache
def _times(of: Index, factor: int) -> Index:
    return _sum([(atom, coefficient * factor) for atom, coefficient in of.terms], of.constant * factor)


def only(atom: Atom) -> Index:
    """The expression of a single atom, which its maker makes once."""
    return _interned(((atom, 1),), 0)


@cache
def _symbol(name: str, low: int, high: int, multiple: int, most: Index | None, is_dim: bool = False) -> Index:
    return _sum([(Symbol(name, low, high, multiple, most, is_dim), 1)], 0)


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
    if not isinstance(atom, Product | Minimum | Smaller):
        return 0
    inside = sum([_minimums(part) for side in atom.sides for part, _ in side.terms])
    return inside + (not isinstance(atom, Product))


def _either(atom: Atom) -> tuple[Index, Index] | None:
    """The two sides of a minimum of sizes, also if it is multiplied by sizes."""
    if isinstance(atom, Product) and _minimums(atom) and is_of_dims(atom):
        factors = list(_factors_of(atom))
        first = next((factor for factor in factors if isinstance(factor, Minimum | Smaller)), None)
        if first is None:
            return None
        factors.remove(first)
        others, either = _product_of(factors), _either(first)
        if either is None or others.low < 0:
            return None
        return others.times(either[0]), others.times(either[1])
    if not isinstance(atom, Minimum | Smaller) or not is_of_dims(atom):
        return None
    return atom.sides


def is_of_dims(atom: Atom) -> bool:
    """Whether the launch knows the value of an atom."""
    return all(dim.is_dim for dim in atom.symbols)


def minimums_of(of: Index) -> int:
    """How many minimums an expression is written with, those in each other as often as they are written."""
    return sum([_minimums(atom) for atom, _ in of.terms])


def is_loose(of: Index) -> bool:
    """Whether the bounds of a sum are those of its terms apart: it has too many minimums (`_narrowed`)."""
    return minimums_of(of) > _MOST_MINIMUMS


def _narrowed(terms: Terms, value: int, low: int, high: int) -> tuple[int, int]:
    """The bounds of a sum with minimums of sizes in it: the sum has either side of each.

        n - min(n, 8)       from 0 on: it is n - n or n - 8, whichever is more

    At most one added and one subtracted minimum is replaced by its sides here; the sums with their sides
    treat the others. The lower bound is best with added minimums first, the upper bound with subtracted
    minimums first. More than a few minimums, nested or not, would need too many sums.
    """
    if sum([_minimums(atom) for atom, _ in terms]) > _MOST_MINIMUMS:
        return max(low, _cancelled(terms, value, low)), high
    looked_at: set[bool] = set()
    for atom, number in terms:
        is_smaller = number > 0
        either = None if is_smaller in looked_at else _either(atom)
        if either is None:
            continue
        looked_at.add(is_smaller)
        rest = [term for term in terms if term[0] is not atom]
        both = [_sum(rest, value) + side * number for side in either]
        lows, highs = [end.low for end in both], [end.high for end in both]
        low = max(low, min(lows) if is_smaller else max(lows))
        high = min(high, min(highs) if is_smaller else max(highs))
    return low, high


def _cancelled(terms: Terms, value: int, low: int) -> int:
    """A lower bound of a sum that subtracts a minimum and has a side of it among its other terms: a minimum
    is at most either side, however many minimums this has.

        x - min(x, 8)           at least 0
        m*x - m*min(x, 8)       at least 0
    """
    others = dict(terms)
    for atom, number in terms:
        sides = _either(atom) if number < 0 else None
        for side in sides or ():
            gone = {part: -number * times for part, times in side.terms}
            if gone and all(others.get(part) == times for part, times in gone.items()):
                left = tuple([term for term in terms if term[0] is not atom and term[0] not in gone])
                low = max(low, _interned(left, value + side.constant * number).low)
    return low


def _sum(terms: Iterable[tuple[Atom, int]], value: int) -> Index:
    merged: dict[Atom, int] = {}
    for atom, coefficient in terms:
        merged[atom] = merged.get(atom, 0) + coefficient
    for atom, number in merged.items():
        if not number or isinstance(atom, Symbol | Minimum | Smaller | SizedQuotient):
            continue
        if isinstance(atom, Product | SizedRemainder):
            joined = _joined_by_size(merged, atom)
        else:
            joined = _joined(merged, atom) if isinstance(atom, Remainder) else _exact(merged, atom)
        if joined is not None:
            rest, whole = joined
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
    coarse = _coarse(rest, divisor)
    if coarse is not None:
        return whole + _quotient(coarse, divisor)
    first = rest.terms[0][0]
    if isinstance(first, Quotient) and _is_only(rest, first):
        return whole + _quotient(first.inner, first.by * divisor)
    if isinstance(first, Remainder) and _is_only(rest, first) and first.by % divisor == 0:
        return whole + _remainder(_quotient(first.inner, divisor), first.by // divisor)
    return whole + _atom_quotient(rest, divisor)


def _coarse(of: Index, divisor: int) -> Index | None:
    """The part of a sum that decides its quotient: multiples of a factor of the divisor, if the other terms
    are at least 0 and less than the factor together. None if there is no such part.

        1024*block + 4*lane, lane at most 255, divided by 3072     1024*block
    """
    grains = [gcd(number * atom.multiple, divisor) for atom, number in of.terms]
    for grain in sorted(set(grains), reverse=True):
        if grain == 1:
            return None
        rest = of.constant % grain
        fine = [term for term, own in zip(of.terms, grains, strict=True) if own % grain]
        if not fine and not rest:
            continue
        small = _interned(tuple(fine), rest)
        if small.low >= 0 and small.high < grain:
            return of - small
    return None


@cache
def _atom_quotient(of: Index, divisor: int) -> Index:
    multiple = of.multiple // divisor if of.multiple % divisor == 0 else 1
    text = f"{in_brackets(of)} floordiv {divisor}"
    bounds = of.bounds.divided(Interval(divisor, divisor))
    return _sum([(Quotient(of, divisor, text, *bounds, max(multiple, 1)), 1)], 0)


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
    coarse = _coarse(rest, divisor)
    if coarse is not None:
        return _remainder(coarse, divisor) + (rest - coarse)
    text = f"{in_brackets(rest)} mod {divisor}"
    multiple = max(gcd(rest.multiple, divisor), 1)
    return _atom_remainder(rest, divisor, text, multiple)


@cache
def _atom_remainder(of: Index, divisor: int, text: str, multiple: int) -> Index:
    return _sum([(Remainder(of, divisor, text, 0, divisor - multiple, multiple), 1)], 0)


@cache
def _minimum(of: Index, limit: int) -> Index:
    if of.high <= limit:
        return of
    if of.low >= limit:
        return constant(limit)
    if of.constant:
        return _minimum(of - of.constant, limit - of.constant) + of.constant
    first = of.terms[0][0]
    if isinstance(first, Minimum) and _is_only(of, first) and is_of_dims(first):
        return _minimum(first.inner, min(first.by, limit))
    atom = Minimum(of, limit, f"min({of.text}, {limit})", of.low, limit, gcd(of.multiple, limit))
    return _sum([(atom, 1)], 0)


@cache
def _smaller(of: Index, limit: Index) -> Index:
    room = limit - of
    if room.low >= 0 or room.high <= 0:
        return of if room.low >= 0 else limit
    bounds = of.bounds.smaller(limit.bounds)
    text = f"min({of.text}, {limit.text})"
    return _sum([(Smaller(of, limit, text, *bounds, gcd(of.multiple, limit.multiple)), 1)], 0)


def _substituted(atom: Atom, values: Mapping[Symbol, Index]) -> Index:
    if isinstance(atom, Symbol):
        return values.get(atom) or _interned(((atom, 1),), 0)
    return atom.substitute(values)


_Joined = tuple[list[tuple[Atom, int]], "Index"]


def _exact(merged: dict[Atom, int], atom: Quotient) -> _Joined | None:
    """The sum with n * (x floordiv n) as x, if n divides x."""
    number = merged[atom]
    if number % atom.by or atom.inner.multiple % atom.by:
        return None
    rest = [term for term in merged.items() if term[0] is not atom]
    return rest, atom.inner * (number // atom.by)


def _joined(merged: dict[Atom, int], atom: Remainder) -> _Joined | None:
    """The sum with n * (x floordiv n) + x mod n as x, and with n * ((x floordiv n) mod m) + x mod n as x
    mod n*m, if both terms are in it."""
    quotient, coefficient = atom.inner // atom.by, merged[atom]
    if not quotient.terms:
        return None
    wanted = atom.by * coefficient
    if all(merged.get(part) == number * wanted for part, number in quotient.terms):
        gone = [part for part, _ in quotient.terms]
        whole = atom.inner - quotient.constant * atom.by
    else:
        gone = [
            part
            for part, number in merged.items()
            if number == wanted and isinstance(part, Remainder) and _is_only(quotient % part.by, part)
        ][:1]
        if not gone:
            return None
        whole = atom.inner % (atom.by * gone[0].by)
    rest = [(part, number) for part, number in merged.items() if part is not atom and part not in gone]
    return rest, whole * coefficient


def _is_only(of: Index, atom: Atom) -> bool:
    """Whether an expression is an atom and nothing else."""
    return not of.constant and of.terms == ((atom, 1),)


@cache
def _expanded(of: Index, by: Index) -> Index:
    """Every term of a sum times every term of the other."""
    total = of * by.constant + by * of.constant - of.constant * by.constant
    for atom, number in of.terms:
        for factor, times in by.terms:
            total += _product(*_factors_of(atom, factor)) * (number * times)
    return total


def _factors_of(*atoms: Atom) -> tuple[Atom, ...]:
    """The atoms of a product in the order of their text; none of them is a product."""
    factors: list[Atom] = []
    for atom in atoms:
        factors += _single_atoms(atom) if isinstance(atom, Product) else [atom]
    return tuple(sorted(factors, key=lambda factor: factor.text))


def _single_atoms(product: Product) -> Iterable[Atom]:
    for side in product.sides:
        ((atom, _),) = side.terms
        yield from _factors_of(atom)


def _product_of(atoms: Iterable[Atom]) -> Index:
    """The product of atoms, 1 of none."""
    factors = _factors_of(*atoms)
    return _product(*factors) if factors else constant(1)


@cache
def _product(*atoms: Atom) -> Index:
    first, *rest = atoms
    inner = only(first)
    if not rest:
        return inner
    factor = _product(*rest)
    text = f"{in_brackets(inner)}*{in_brackets(factor) if len(rest) == 1 else factor.text}"
    multiple = inner.multiple * factor.multiple
    return only(Product(inner, factor, text, *inner.bounds.times(factor.bounds), multiple))


class _Divided(NamedTuple):
    """How often an expression contains a divisor by its terms, and the rest."""

    whole: Index
    rest: Index


@cache
def _sized_quotient(of: Index, by: Index) -> Index:
    """`of` by a positive `by`, rounded down; by 0 it is any number."""
    if by.is_constant:
        return of // max(by.constant, 1)
    whole, rest = _taken_out(of, by)
    if _is_within(rest, by):
        return whole
    if rest.high < 0:
        return whole - 1 - _sized_quotient(-rest - 1, by)
    atom = _only_atom(rest)
    if isinstance(atom, Quotient):
        return whole + _sized_quotient(atom.inner, by * atom.by)
    if isinstance(atom, SizedQuotient):
        return whole + _sized_quotient(atom.inner, by.times(atom.by))
    return whole + _sized_quotient_atom(rest, by)


@cache
def _sized_remainder(of: Index, by: Index) -> Index:
    """The rest of `of` after `_sized_quotient`, from 0 to `by - 1`."""
    if by.is_constant:
        return of % max(by.constant, 1)
    rest = _taken_out(of, by).rest
    if _is_within(rest, by):
        return rest
    if rest.high < 0:
        return by - 1 - _sized_remainder(-rest - 1, by)
    return _sized_remainder_atom(rest, by)


def _joined_by_size(merged: dict[Atom, int], atom: Product | SizedRemainder) -> _Joined | None:
    """The sum with f * n * (x floordiv n) + f * (x mod n) as f * x, if both terms are in it."""
    factors = _factors_of(atom)
    rest = next((each for each in factors if isinstance(each, SizedRemainder)), None)
    if rest is None:
        return None
    number, others = merged[atom], [each for each in factors if each is not rest]
    factor = _product_of(others)
    whole = rest.inner.divided(rest.by).times(rest.by).times(factor)
    if not whole.terms or any(merged.get(part) != times * number for part, times in whole.terms):
        return None
    gone = {part for part, _ in whole.terms}
    left = [(part, times) for part, times in merged.items() if part is not atom and part not in gone]
    return left, (rest.inner.times(factor) - whole.constant) * number


@cache
def _sized_quotient_atom(of: Index, by: Index) -> Index:
    text = f"{in_brackets(of)} floordiv {in_brackets(by)}"
    low, high = of.bounds.divided(by.bounds)
    bound = upper_bound(of, by)
    if bound is not of:
        high = min(high, _sized_quotient(bound, by).high)
    return only(SizedQuotient(of, by, text, low, high, 1))


@cache
def _sized_remainder_atom(of: Index, by: Index) -> Index:
    text = f"{in_brackets(of)} mod {in_brackets(by)}"
    return only(SizedRemainder(of, by, text, *of.bounds.remaining(by.bounds), 1))


def _taken_out(of: Index, by: Index) -> _Divided:
    """Take out the terms that contain the first term of the divisor, together with the whole divisor."""
    atom, times = by.terms[0]
    whole = constant(0)
    for term, number in of.terms:
        others = _without(term, atom)
        if others is not None and number % times == 0:
            whole += others * (number // times)
    rest = of - whole.times(by)
    is_simpler = len(rest.terms) < len(of.terms) and not rest.low < 0 <= rest.high
    return _Divided(whole, rest) if is_simpler else _Divided(constant(0), of)


def _without(term: Atom, atom: Atom) -> Index | None:
    """The rest of a product without an atom, or without the atoms of another product; None if it lacks an
    atom."""
    left = list(_factors_of(term))
    for factor in _factors_of(atom):
        if factor not in left:
            return None
        left.remove(factor)
    return _product_of(left)


def _is_within(rest: Index, by: Index) -> bool:
    atom = _only_atom(rest)
    if isinstance(atom, SizedRemainder) and atom.by is by:
        return True
    if not rest.terms and not rest.constant:
        return True
    return rest.low >= 0 and ((by - rest).low > 0 or (by - upper_bound(rest, by)).low > 0)


def upper_bound(of: Index, divisor: Index) -> Index:
    """An expression of sizes that is at least as large as an expression that a size or a number divides.

    c0 + k, k below the whole trips of 8 up to m*n     m*n - 1
    """
    limited = of
    for atom, number in of.terms:
        if number > 0 and isinstance(atom, Smaller):
            limited += (_side_of(atom, divisor) - only(atom)) * number
        elif number > 0 and isinstance(atom, Symbol) and atom.most is not None:
            limited += (_without_minimum(atom.most, divisor) - only(atom)) * number
        elif number > 0 and isinstance(atom, Quotient) and not is_of_dims(atom):
            limited += (upper_bound(atom.inner, divisor) // atom.by - only(atom)) * number
    sizes = divisor.symbols.union(
        *[atom.symbols for atom, _ in limited.terms if not isinstance(atom, Symbol)]
    )
    bound = limited
    for atom, number in limited.terms:
        if number > 0 and isinstance(atom, Symbol) and not atom.is_dim and atom not in sizes:
            bound += (atom.high - only(atom)) * number
        elif number > 0 and isinstance(atom, Quotient) and number % atom.by == 0:
            bound += atom.inner * (number // atom.by) - only(atom) * number
    return bound


def _without_minimum(of: Index, divisor: Index) -> Index:
    """The sum with a side of each minimum in its place, which makes it no smaller: min(m*n, x) - 1, divided
    by n, is m*n - 1 at most."""
    for atom, number in of.terms:
        if number > 0 and isinstance(atom, Smaller):
            of += (_side_of(atom, divisor) - only(atom)) * number
    return of


def _side_of(atom: Smaller, divisor: Index) -> Index:
    """The side of a minimum that bounds a quotient by a divisor: preferably a side with a multiple of the
    divisor, then a side without another minimum, then the second."""

    def rank(side: Index) -> tuple[bool, bool]:
        sizes = [size for size, _ in divisor.terms[:1]]
        terms = [term for term, _ in side.terms]
        has_multiple = any(_without(term, size) is not None for term in terms for size in sizes)
        return not has_multiple, any(isinstance(term, Minimum | Smaller) for term in terms)

    return min(atom.by, atom.inner, key=rank)


def _only_atom(of: Index) -> Atom | None:
    """The atom that an expression is."""
    is_one = len(of.terms) == 1 and not of.constant and of.terms[0][1] == 1
    return of.terms[0][0] if is_one else None
