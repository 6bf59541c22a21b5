"""The parts of index expressions: symbols, the other atoms, and `Index`, a sum of atoms.

    4*(row floordiv 8) + c1 - 3      4 times a `Quotient`, 1 times a `Symbol`, and the constant -3

Atoms are compared by identity: each is made once (`interning`). The arithmetic is only declared here.
`expression` defines it by the rules of `quotients`, `sized` and `minimums`, which work on the declared
operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from asmgen.index.interning import remembered
from asmgen.index.interval import Interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from isa.diagnostics import Place

    Number = TypeVar("Number", int, NDArray[np.int64])


class NotAnIndex(ValueError):
    """Raised for a result that is not an index expression, such as a quotient of two variables. `place` is
    the place of the statement, if known."""

    place: Place | None = None


class OfDims:
    """A size that only the launch knows: a base of `asmgen.index.size.Size`, for arithmetic with indices."""

    __slots__ = ("expression",)

    def __init__(self, expression: Index) -> None:
        self.expression = expression


class Symbol(Struct, frozen=True, eq=False, weakref=True):
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


class _OfNumber(Struct, frozen=True, eq=False, weakref=True):
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
        return self.inner, self.inner.as_it_is((), self.by)

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


class _OfTwo(Struct, frozen=True, eq=False, weakref=True):
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
Joined = tuple[list[tuple[Atom, int]], "Index"]  # the other terms of a sum, and what joined terms are


class Index(Struct, frozen=True, eq=False, weakref=True):
    """`constant` plus the sum of `terms`, atoms with their coefficients in the order of the atoms' text.
    Equal indices are the same object.

    `asmgen.index.expression` makes them and defines the methods that raise NotImplementedError here."""

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
        parts = [_text_of_term(atom, coefficient) for atom, coefficient in self.terms]
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

    @staticmethod
    def summed(terms: Iterable[tuple[Atom, int]], value: int) -> Index:
        """The sum of any terms and a number."""
        raise NotImplementedError

    @staticmethod
    def as_it_is(terms: Terms, value: int) -> Index:
        """The sum of terms in the order of their text of which no two make another, and a number."""
        raise NotImplementedError

    @staticmethod
    def product(atoms: Iterable[Atom]) -> Index:
        """The product of atoms, 1 of none."""
        raise NotImplementedError

    def part(self, of: Iterable[Symbol]) -> Index:
        """The sum of the terms with a symbol of `of` in them; the rest is `self - self.part(of)`."""
        wanted = frozenset(of)
        return self.summed([(atom, number) for atom, number in self.terms if wanted & atom.symbols], 0)

    def substitute(self, values: Mapping[Symbol, Index]) -> Index:
        """The expression with symbols replaced."""
        result = self.as_it_is((), self.constant)
        for atom, coefficient in self.terms:
            result += self._substituted(atom, values) * coefficient
        return result

    def _substituted(self, atom: Atom, values: Mapping[Symbol, Index]) -> Index:
        if isinstance(atom, Symbol):
            return values.get(atom) or self.as_it_is(((atom, 1),), 0)
        return atom.substitute(values)

    def __add__(self, other: Index | int | OfDims) -> Index:
        raise NotImplementedError

    def __radd__(self, other: int | OfDims) -> Index:
        return self + other

    def __neg__(self) -> Index:
        return self * -1

    def __sub__(self, other: Index | int | OfDims) -> Index:
        return self + (-other.expression if isinstance(other, OfDims) else -other)

    def __rsub__(self, other: int | OfDims) -> Index:
        return -self + other

    def __mul__(self, factor: int | OfDims) -> Index:
        raise NotImplementedError

    def __rmul__(self, factor: int | OfDims) -> Index:
        return self * factor

    def times(self, other: Index) -> Index:
        """The product of two expressions."""
        raise NotImplementedError

    def __floordiv__(self, divisor: int | OfDims) -> Index:
        raise NotImplementedError

    def __mod__(self, divisor: int | OfDims) -> Index:
        raise NotImplementedError

    def divided(self, divisor: Index) -> Index:
        """The quotient by another expression, rounded down."""
        raise NotImplementedError

    def remaining(self, divisor: Index) -> Index:
        """The remainder of that quotient."""
        raise NotImplementedError

    def at_most(self, limit: int | OfDims) -> Index:
        """The smaller of the expression and a number."""
        raise NotImplementedError

    def smaller(self, other: Index) -> Index:
        """The smaller of two expressions."""
        raise NotImplementedError


@remembered
def _symbols(of: Index) -> frozenset[Symbol]:
    return frozenset([symbol for atom, _ in of.terms for symbol in atom.symbols])


def in_brackets(of: Index) -> str:
    """A sum as a factor: a symbol, or the sum in brackets."""
    is_symbol = (
        len(of.terms) == 1 and not of.constant and of.terms[0][1] == 1 and isinstance(of.terms[0][0], Symbol)
    )
    return of.text if is_symbol else f"({of.text})"


def _text_of_term(atom: Atom, coefficient: int) -> str:
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


def is_of_dims(atom: Atom) -> bool:
    """Whether the launch knows the value of an atom."""
    return all(dim.is_dim for dim in atom.symbols)


def is_only(of: Index, atom: Atom) -> bool:
    """Whether an expression is an atom and nothing else."""
    return not of.constant and of.terms == ((atom, 1),)


def only_atom(of: Index) -> Atom | None:
    """The atom that an expression is."""
    is_one = len(of.terms) == 1 and not of.constant and of.terms[0][1] == 1
    return of.terms[0][0] if is_one else None


def factors_of(*atoms: Atom) -> tuple[Atom, ...]:
    """The atoms of a product in the order of their text; none of them is a product."""
    factors: list[Atom] = []
    for atom in atoms:
        factors += _single_atoms(atom) if isinstance(atom, Product) else [atom]
    return tuple(sorted(factors, key=lambda factor: factor.text))


def _single_atoms(product: Product) -> Iterable[Atom]:
    for side in product.sides:
        ((atom, _),) = side.terms
        yield from factors_of(atom)
