"""Sizes that the launch knows: a type of its own, which carries an index expression of named dims.

    n = named_dim("n", 1, 1048575)     the dim `n` of `x = @param:x -> f32, {n,1024}`
    n * 1024                           the Size of 1024*n
    -(-n // 256)                       the Size of (n + 255) floordiv 256
    n * 1024 % 4                       the number 0: the same for every n

A `Dim` is a number or a `Size`. A `Size` is not a number: it has arithmetic, and equals another Size of the
same expression. It has no order and no truth value. A question about a `Dim` has three answers (`Truth`), and
the code that asks says which of them it needs:

    divides(4, n * 1024).is_shown      True: 4 divides it for every n
    at_least(n, 256).is_shown          False: n may be smaller
    at_least(n, 256).is_possible       True: n may be so large
    at_most(n, 0).is_possible          False: n is 1 at least

`least` and `most` are the ends of the range of a Dim, as numbers. A choice that is right for every size, as
that of how many elements a lane takes, may go by them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import NoReturn

from asmgen.index.expression import constant, dim_symbol, only
from asmgen.index.nodes import (
    Atom,
    Index,
    Minimum,
    NotAnIndex,
    OfDims,
    Product,
    Quotient,
    Smaller,
    Symbol,
    is_of_dims,
)
from asmgen.index.reach import has_both_signs, reach
from isa.diagnostics import InternalError


class Truth(Enum):
    """The answer to a question about a size: for every value of its dims, for none, or unknown."""

    NO = "no"
    UNKNOWN = "unknown"
    YES = "yes"

    @property
    def is_shown(self) -> bool:
        """Whether the answer is yes for every value."""
        return self is Truth.YES

    @property
    def is_possible(self) -> bool:
        """Whether the answer may be yes for some value."""
        return self is not Truth.NO

    def __bool__(self) -> NoReturn:
        raise InternalError("index", self.value, "is one of three answers, wanted is_shown or is_possible")


class Size(OfDims):
    """A size that is not a constant; `expression` gives it by the named dims."""

    __slots__ = ()

    def _of(self, expression: Index) -> Dim:
        """The result of arithmetic with the size."""
        return size_of(expression)

    def __add__(self, other: object) -> Dim:
        return self._of(self.expression + other) if isinstance(other, int | Size) else NotImplemented

    def __radd__(self, other: object) -> Dim:
        return self.__add__(other)

    def __sub__(self, other: object) -> Dim:
        return self._of(self.expression - other) if isinstance(other, int | Size) else NotImplemented

    def __rsub__(self, other: object) -> Dim:
        return self._of(other - self.expression) if isinstance(other, int) else NotImplemented

    def __mul__(self, other: object) -> Dim:
        return self._of(self.expression * other) if isinstance(other, int | Size) else NotImplemented

    def __rmul__(self, other: object) -> Dim:
        return self.__mul__(other)

    def __neg__(self) -> Dim:
        return self._of(-self.expression)

    def __floordiv__(self, other: object) -> Dim:
        """Raises `NotAnIndex` for a quotient of two sizes that is no whole number."""
        if isinstance(other, Size):
            return _ratio(self.expression, other.expression)
        if not isinstance(other, int):
            return NotImplemented
        if self.expression.high > 0:
            return self._of(self.expression // other)
        return -self._of((-self.expression + (other - 1)) // other)  # rounds up, in positive numbers

    def __mod__(self, other: object) -> Dim:
        """Raises `NotAnIndex` for a remainder of two sizes."""
        if isinstance(other, Size):
            raise NotAnIndex(f"{self} divided by {other}")
        return self._of(self.expression % other) if isinstance(other, int) else NotImplemented

    def __rfloordiv__(self, other: object) -> Dim:
        raise NotAnIndex(f"{other} divided by {self}")

    def __rmod__(self, other: object) -> Dim:
        raise NotAnIndex(f"{other} divided by {self}")

    def __bool__(self) -> NoReturn:
        raise InternalError("index", str(self), "is a size, which is neither true nor false")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Size) and self.expression is other.expression

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.expression)

    def __str__(self) -> str:
        return self.expression.text

    def __repr__(self) -> str:
        return self.expression.text


Dim = int | Size
Sizes = tuple[Dim, ...]


def _truth(low: int, high: int) -> Truth:
    """Whether a number from `low` to `high` is 0 or more."""
    if low >= 0:
        return Truth.YES
    return Truth.NO if high < 0 else Truth.UNKNOWN


def divides(number: int, size: Dim) -> Truth:
    """Whether a size is a multiple of a number."""
    rest = size % number
    if isinstance(rest, int):
        return Truth.NO if rest else Truth.YES
    return Truth.NO if rest.expression.low > 0 else Truth.UNKNOWN


def at_least(size: Dim, other: Dim) -> Truth:
    """Whether a size is at least as large as another."""
    room = size - other
    if isinstance(room, int):
        return _truth(room, room)
    apart = _truth(*room.expression.bounds)
    if apart is not Truth.UNKNOWN or has_both_signs(room.expression):
        return apart
    return _truth(*reach(room.expression))


def at_most(size: Dim, other: Dim) -> Truth:
    """Whether a size is at most as large as another."""
    return at_least(other, size)


def equals(size: Dim, other: Dim) -> Truth:
    """Whether two sizes have the same value."""
    room = size - other
    if isinstance(room, int):
        return Truth.NO if room else Truth.YES
    low, high = reach(room.expression)
    return Truth.UNKNOWN if low <= 0 <= high else Truth.NO


def number(size: Dim) -> int:
    """A size that is a number. Raises `InternalError` for a size that only the launch knows."""
    if isinstance(size, Size):
        raise InternalError("index", str(size), "is known to the launch alone, wanted a number")
    return size


def numbers(sizes: Sequence[Dim]) -> tuple[int, ...]:
    """Sizes that are numbers. Raises `InternalError` if the launch alone knows any of them."""
    return tuple([number(size) for size in sizes])


def _ratio(of: Index, by: Index) -> int:
    """How many times an expression is another; `NotAnIndex` if that is no whole number for every dim."""
    times = of.terms[0][1] // by.terms[0][1] if of.terms else 0
    if by * times is not of:
        raise NotAnIndex(f"({of.text}) divided by ({by.text})")
    return times


def size_of(expression: Index) -> Dim:
    """The size of an expression of named dims: a plain number if it is constant."""
    return Size(expression) if expression.terms else expression.constant


def has_minimum(size: Dim) -> bool:
    """Whether a size contains a minimum, such as the size of a slice that may be clamped."""
    terms = size.expression.terms if isinstance(size, Size) else ()
    return any(_has_minimum(atom) for atom, _ in terms)


def _has_minimum(atom: Atom) -> bool:
    if isinstance(atom, Product):
        return any(_has_minimum(inner) for side in atom.sides for inner, _ in side.terms)
    return isinstance(atom, Minimum | Smaller)


def named_dim(name: str, low: int, high: int) -> Dim:
    """The size that is the dim `name`, from `low` to `high`."""
    return size_of(dim_symbol(name, low, high))


def least(size: Dim) -> int:
    """The smallest value that a size has."""
    return size.expression.low if isinstance(size, Size) else size


def most(size: Dim) -> int:
    """The largest value that a size has."""
    return size.expression.high if isinstance(size, Size) else size


def factor(size: Dim) -> int:
    """A number that divides every value of a size; a number itself."""
    return size.expression.multiple if isinstance(size, Size) else size


def most_where_alone(size: Dim) -> int:
    """The largest value of a size if a single dim is as large as possible and the others are as small as
    possible. The launch knows how large several dims are together, and checks the bytes of every buffer."""
    if not isinstance(size, Size):
        return size
    symbols, of = size.expression.symbols, size.expression
    return max(
        [
            of.evaluate({symbol: symbol.high if symbol is large else symbol.low for symbol in symbols}, 0)
            for large in symbols
        ]
    )


def least_where(size: Dim, floors: Mapping[Symbol, int]) -> int:
    """The smallest value of a size if its dims are at least as large as `floors`."""
    if not isinstance(size, Size) or not _grows(size.expression):
        return least(size)
    values = {symbol: max(symbol.low, floors.get(symbol, 0)) for symbol in size.expression.symbols}
    return size.expression.evaluate(values, 0)


def floors_of(positive: Index, limit: int = 0) -> dict[Symbol, int]:
    """The smallest value of a dim for which an expression of it is more than 0; empty if that is unknown.
    The dim is at most as large as its range, or `limit` if that is more.

        (n floordiv 4 + 255) floordiv 256 is positive from n = 4 on
    """
    if len(positive.symbols) != 1 or not _grows(positive):
        return {}
    (symbol,) = positive.symbols
    low, high = 0, max(symbol.high, limit)
    while low < high:
        middle = (low + high) // 2
        is_enough = positive.evaluate({symbol: middle}, 0) > 0
        low, high = (low, middle) if is_enough else (middle + 1, high)
    return {symbol: low}


def ceilings_of(positive: Index) -> dict[Symbol, int]:
    """The largest value of a dim for which an expression that falls with it is more than 0; empty if that is
    unknown.

        4097 - 2*n is positive up to n = 2048
    """
    (constant_part, falling) = positive.constant, constant(positive.constant) - positive
    first = floors_of(falling - (constant_part - 1))
    return {symbol: low - 1 for symbol, low in first.items()}


def _grows(of: Index) -> bool:
    """Whether an expression never becomes smaller if a dim becomes larger, by its form. An expression with
    a minimum of sizes must grow with either side."""
    for atom, number in of.terms:
        if isinstance(atom, Minimum) and is_of_dims(atom):
            rest = of - only(atom) * number
            return _grows(rest + atom.inner * number) and _grows(rest + atom.by * number)
    return all(number > 0 and _atom_grows(atom) for atom, number in of.terms)


def _atom_grows(atom: Atom) -> bool:
    if isinstance(atom, Product):  # of two sizes of which neither is ever negative
        return all(_grows(factor) and factor.constant >= 0 for factor in (atom.inner, atom.by))
    return isinstance(atom, Symbol) or (isinstance(atom, Quotient) and _grows(atom.inner))


def largest(sizes: Sequence[Dim]) -> Dim:
    """The largest of sizes, for every value of the dims; 1 for no sizes."""
    greatest = constant(sizes[0]) if sizes else constant(1)
    for size in sizes[1:]:
        other = constant(size)
        if reach(greatest - other)[0] >= 0:
            continue
        is_larger = reach(other - greatest)[0] >= 0
        greatest = other if is_larger else other + greatest - greatest.smaller(other)
    return size_of(greatest)


def symbols_of(sizes: Sequence[Dim]) -> Iterator[Symbol]:
    """The named dims of sizes, each once for every size that has it."""
    for size in sizes:
        if isinstance(size, Size):
            yield from sorted(size.expression.symbols, key=lambda symbol: symbol.name)


def at(sizes: Sequence[Dim], values: Mapping[str, Dim]) -> Sizes:
    """Sizes for values of the named dims, which are numbers or sizes; names without a value are kept."""
    return tuple([_at(size, values) if isinstance(size, Size) else size for size in sizes])


def _at(size: Size, values: Mapping[str, Dim]) -> Dim:
    known = {
        symbol: constant(values[symbol.name]) for symbol in size.expression.symbols if symbol.name in values
    }
    return size_of(size.expression.substitute(known))
