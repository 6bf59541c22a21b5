"""Sizes that the launch knows: whole numbers that carry an index expression of named dims.

    n = named_dim("n", 1, 1048573)     the dim `n` of `x = @param:x -> f32, {n,1024}`
    n * 1024                           the Size of 1024*n
    -(-n // 256)                       the Size of (n + 255) floordiv 256
    n * 1024 % 4                       0: the same for every n

A `Size` is an `int`, so that whatever computes with dims computes with it too and keeps the expression. Its
number is the one for the largest value of each dim, which is a prime (`largest_prime`). A prime is a multiple
of nothing, so that what is found for it about tails and whole accesses is right for every other size: 1024*n
is a multiple of 4 for a prime only if it is one for all n. For the same reason the number of min(n, 8) is a
prime above 8, and not 8. A Size equals another of the same expression, and never a plain number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from asmgen.index.expression import (
    Atom,
    Index,
    Minimum,
    NotAnIndex,
    OfDims,
    Product,
    Quotient,
    Remainder,
    Smaller,
    Symbol,
    constant,
    dim_symbol,
    is_of_dims,
    only,
)
from asmgen.index.reach import reach

Sizes = tuple[int, ...]
_PART = 512  # of a size: what is taken from it is less, and still large
_APART, _WAYS = 512, 251  # primes are no further apart; two ranges next to each other differ in their way


class Size(OfDims):
    """A number that is not a constant: `expression` says what it is of the named dims."""

    def __new__(cls, expression: Index) -> Size:
        made = super().__new__(cls, _number_of_size(expression))
        made.expression = expression
        return made

    def _of(self, expression: Index) -> int:
        """What arithmetic makes of the size."""
        return size_of(expression)

    def __add__(self, other: object) -> int:
        return self._of(self.expression + other) if isinstance(other, int) else NotImplemented

    def __radd__(self, other: int) -> int:
        return self + other

    def __sub__(self, other: object) -> int:
        return self._of(self.expression - other) if isinstance(other, int) else NotImplemented

    def __rsub__(self, other: object) -> int:
        return self._of(other - self.expression) if isinstance(other, int) else NotImplemented

    def __mul__(self, other: object) -> int:
        return self._of(self.expression * other) if isinstance(other, int) else NotImplemented

    def __rmul__(self, other: int) -> int:
        return self * other

    def __neg__(self) -> int:
        return self._of(-self.expression)

    def __floordiv__(self, other: int) -> int:
        if isinstance(other, Size):
            return _ratio(self.expression, other.expression)
        if self.expression.high > 0:
            return self._of(self.expression // other)
        return -self._of((-self.expression + (other - 1)) // other)  # what is rounded up, in positive numbers

    def __mod__(self, other: int) -> int:
        if isinstance(other, Size):
            raise NotAnIndex(f"{self} divided by {other}")
        return self._of(self.expression % other)

    def __bool__(self) -> bool:
        """True: there is a value that is not 0, whatever the one for the largest dims is."""
        return True

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


def _number_of_size(of: Index) -> int:
    """The number of an expression, which is more than its smallest value, and more than 0 if the expression
    may be: of the difference of two minimums a prime says that there is one.
    """
    number, least_ = _number(of), max(of.low, 0) if of.high > 0 else of.low
    is_lost = number <= least_ < of.high and any(isinstance(one, Minimum | Smaller) for one, _ in of.terms)
    return least_ + _prime(0, of.symbols) if is_lost else number


def _number(of: Index) -> int:
    """The number of a size: that of the largest dims, and of the smaller of a size and a number a prime."""
    return of.constant + sum([_number_of_atom(atom) * number for atom, number in of.terms])


@cache
def _number_of_atom(atom: Atom) -> int:
    """Found once for each atom: minimums in each other have the same ones in them many times."""
    if isinstance(atom, Minimum):
        return _number_of_minimum(atom)
    if isinstance(atom, Smaller):
        return _below(min(_number(atom.inner), _number(atom.limit)), 0, atom)
    if isinstance(atom, Quotient | Remainder):
        return atom.number(_number(atom.inner))
    if isinstance(atom, Product):
        return _number(atom.inner) * _number(atom.factor)
    if isinstance(atom, Symbol):
        return atom.high
    return atom.evaluate({one: one.high for one in atom.symbols}, 0)


def _number_of_minimum(atom: Minimum) -> int:
    """A prime between the number and the size, if there is one. Of what may be negative, which is no size,
    a number such that what is left of it without this one is a prime.
    """
    inner = _number(atom.inner)
    if atom.inner.low >= 0:
        return _below(inner, atom.by, atom)
    return inner - _prime(max(atom.inner.high - atom.by, -inner // _PART), atom.symbols)


def _below(size: int, least: int, atom: Minimum | Smaller) -> int:
    """A prime that is less than a size, so that the size less it is one too, and if it may be more than
    `least`.
    """
    prime = _prime(max(least, size // _PART), atom.symbols)
    if prime < size:
        return prime
    return largest_prime(size // 2) if size > 3 else 1


def _prime(least: int, dims: Iterable[Symbol]) -> int:
    """A prime above `least`, another one for other ranges of the dims."""
    way = sum([one.high for one in dims]) % _WAYS
    return largest_prime(max(least, 0) + _APART * (1 + way))


def _ratio(of: Index, by: Index) -> int:
    """How many times an expression is another; `NotAnIndex` where that is no whole number for every dim."""
    times = of.terms[0][1] // by.terms[0][1] if of.terms else 0
    if by * times is not of:
        raise NotAnIndex(f"({of.text}) divided by ({by.text})")
    return times


def size_of(expression: Index) -> int:
    """The number that an expression of named dims is: a plain one where it is constant."""
    return Size(expression) if expression.terms else expression.constant


def has_minimum(size: int) -> bool:
    """Whether a size is made of the smaller of two, as what a slice has that may be clamped."""
    terms = size.expression.terms if isinstance(size, Size) else ()
    return any(_has_minimum(atom) for atom, _ in terms)


def _has_minimum(atom: Atom) -> bool:
    if isinstance(atom, Product):
        return any(_has_minimum(one) for one, _ in (*atom.inner.terms, *atom.factor.terms))
    return isinstance(atom, Minimum | Smaller)


def named_dim(name: str, low: int, high: int) -> int:
    """The size that is the dim `name`, from `low` to `high`, a prime."""
    return size_of(dim_symbol(name, low, high))


def least(size: int) -> int:
    """The smallest value that a size has."""
    return size.expression.low if isinstance(size, Size) else size


def most_where_alone(size: int) -> int:
    """The largest value that a size has where one of its dims is as large as it may be and the others are as
    small: how large several are together is known at the launch, which looks at the bytes of every buffer.
    """
    if not isinstance(size, Size):
        return size
    symbols, of = size.expression.symbols, size.expression
    return max(
        [of.evaluate({one: one.high if one is large else one.low for one in symbols}, 0) for large in symbols]
    )


def least_where(size: int, floors: Mapping[Symbol, int]) -> int:
    """The smallest value that a size has where dims are at least as large as `floors` says."""
    if not isinstance(size, Size) or not _grows(size.expression):
        return least(size)
    values = {one: max(one.low, floors.get(one, 0)) for one in size.expression.symbols}
    return size.expression.evaluate(values, 0)


def floors_of(positive: Index, most: int = 0) -> dict[Symbol, int]:
    """How large a dim is at least where an expression of it is more than 0; none where that is not known. The
    dim is at most as large as its range says, or `most` if that is more.

    (n floordiv 4 + 255) floordiv 256 is positive from n = 4 on
    """
    if len(positive.symbols) != 1 or not _grows(positive):
        return {}
    (one,) = positive.symbols
    low, high = 0, max(one.high, most)
    while low < high:
        middle = (low + high) // 2
        is_enough = positive.evaluate({one: middle}, 0) > 0
        low, high = (low, middle) if is_enough else (middle + 1, high)
    return {one: low}


def _grows(of: Index) -> bool:
    """Whether an expression does not become less where a dim becomes more, as far as its form says. With the
    smaller of two sizes in it, it is one of two.
    """
    for atom, number in of.terms:
        if isinstance(atom, Minimum) and is_of_dims(atom):
            rest = of - only(atom) * number
            return _grows(rest + atom.inner * number) and _grows(rest + atom.by * number)
    return all(
        number > 0 and (isinstance(atom, Symbol) or (isinstance(atom, Quotient) and _grows(atom.inner)))
        for atom, number in of.terms
    )


def largest(sizes: Sequence[int]) -> int:
    """The largest of sizes, for every value of the dims; 1 where there are none."""
    found = constant(sizes[0]) if sizes else constant(1)
    for size in sizes[1:]:
        other = constant(size)
        if reach(found - other)[0] >= 0:
            continue
        is_larger = reach(other - found)[0] >= 0
        found = other if is_larger else other + found - found.smaller(other)
    return size_of(found)


def symbols_of(sizes: Sequence[int]) -> Iterator[Symbol]:
    """The named dims in sizes, each as often as it is in one."""
    for size in sizes:
        if isinstance(size, Size):
            yield from sorted(size.expression.symbols, key=lambda one: one.name)


def at(sizes: Sequence[int], values: Mapping[str, int]) -> Sizes:
    """Sizes for values of the named dims, which are numbers or sizes; names without a value are kept."""
    return tuple([_at(size, values) if isinstance(size, Size) else size for size in sizes])


def _at(size: Size, values: Mapping[str, int]) -> int:
    known = {one: constant(values[one.name]) for one in size.expression.symbols if one.name in values}
    return size_of(size.expression.substitute(known))


@cache
def largest_prime(limit: int) -> int:
    """The largest prime that is not above a limit, which is 2 or more."""
    candidate = limit
    while any(candidate % divisor == 0 for divisor in range(2, min(candidate, int(candidate**0.5) + 1))):
        candidate -= 1
    return candidate
