"""Quotients and remainders of expressions by sizes that the launch knows, such as `row floordiv n`.

- a multiple of n comes out of a quotient and of a remainder, also if n is a sum:
  (m*n + m*k + x) floordiv (n + k) is m if x is shown to be from 0 to n + k - 1;
- (x floordiv a) floordiv n is x floordiv a*n;
- n * (x floordiv n) + x mod n is x.
"""

from __future__ import annotations

from asmgen.index.interning import once, remembered
from asmgen.index.nodes import (
    Atom,
    Index,
    Joined,
    Minimum,
    Product,
    Quotient,
    Remainder,
    SizedQuotient,
    SizedRemainder,
    Smaller,
    Symbol,
    factors_of,
    in_brackets,
    is_of_dims,
    only_atom,
)
from isa.named_tuple import NamedTuple


class _Divided(NamedTuple):
    """How often an expression contains a divisor by its terms, and the rest."""

    whole: Index
    rest: Index


@remembered
def sized_quotient(of: Index, by: Index) -> Index:
    """`of` by a positive `by`, rounded down; by 0 it is any number."""
    if by.is_constant:
        return of // max(by.constant, 1)
    whole, rest = _taken_out(of, by)
    if _is_within(rest, by):
        return whole
    if rest.high < 0:
        return whole - 1 - sized_quotient(-rest - 1, by)
    atom = only_atom(rest)
    if isinstance(atom, Quotient):
        return whole + sized_quotient(atom.inner, by * atom.by)
    if isinstance(atom, SizedQuotient):
        return whole + sized_quotient(atom.inner, by.times(atom.by))
    return whole + _sized_quotient_atom(rest, by)


@remembered
def sized_remainder(of: Index, by: Index) -> Index:
    """The rest of `of` after `sized_quotient`, from 0 to `by - 1`."""
    if by.is_constant:
        return of % max(by.constant, 1)
    rest = _taken_out(of, by).rest
    if _is_within(rest, by):
        return rest
    if rest.high < 0:
        return by - 1 - sized_remainder(-rest - 1, by)
    return _sized_remainder_atom(rest, by)


def joined_by_size(merged: dict[Atom, int], atom: Product | SizedRemainder) -> Joined | None:
    """The sum with f * n * (x floordiv n) + f * (x mod n) as f * x, if both terms are in it."""
    factors = factors_of(atom)
    rest = next((each for each in factors if isinstance(each, Remainder | SizedRemainder)), None)
    if rest is None:
        return None
    number, others = merged[atom], [each for each in factors if each is not rest]
    factor = rest.inner.product(others)
    whole = _whole_times(rest).times(factor)
    if not whole.terms or any(merged.get(part) != times * number for part, times in whole.terms):
        return None
    gone = {part for part, _ in whole.terms}
    left = [(part, times) for part, times in merged.items() if part is not atom and part not in gone]
    return left, (rest.inner.times(factor) - whole.constant) * number


def _whole_times(rest: Remainder | SizedRemainder) -> Index:
    """n * (x floordiv n) of x mod n."""
    if isinstance(rest, Remainder):
        return rest.inner // rest.by * rest.by
    return rest.inner.divided(rest.by).times(rest.by)


@remembered
def _sized_quotient_atom(of: Index, by: Index) -> Index:
    text = f"{in_brackets(of)} floordiv {in_brackets(by)}"
    low, high = of.bounds.divided(by.bounds)
    bound = upper_bound(of, by)
    if bound is not of:
        high = min(high, sized_quotient(bound, by).high)
    return of.as_it_is(((once(SizedQuotient, of, by, text, low, high, 1), 1),), 0)


@remembered
def _sized_remainder_atom(of: Index, by: Index) -> Index:
    text = f"{in_brackets(of)} mod {in_brackets(by)}"
    atom = once(SizedRemainder, of, by, text, *of.bounds.remaining(by.bounds), 1)
    return of.as_it_is(((atom, 1),), 0)


def _taken_out(of: Index, by: Index) -> _Divided:
    """Take out the terms that contain the first term of the divisor, together with the whole divisor."""
    atom, times = by.terms[0]
    whole = zero = of.as_it_is((), 0)
    for term, number in of.terms:
        others = _without(term, atom)
        if others is not None and number % times == 0:
            whole += of.product(others) * (number // times)
    rest = of - whole.times(by)
    is_simpler = len(rest.terms) < len(of.terms) and not rest.low < 0 <= rest.high
    return _Divided(whole, rest) if is_simpler else _Divided(zero, of)


def _without(term: Atom, atom: Atom) -> list[Atom] | None:
    """The factors of a product without an atom, or without the atoms of another product; None if it lacks an
    atom."""
    left = list(factors_of(term))
    for factor in factors_of(atom):
        if factor not in left:
            return None
        left.remove(factor)
    return left


def _is_within(rest: Index, by: Index) -> bool:
    atom = only_atom(rest)
    if isinstance(atom, SizedRemainder) and atom.by is by:
        return True
    if not rest.terms and not rest.constant:
        return True
    return rest.low >= 0 and ((by - rest).low > 0 or (by - upper_bound(rest, by)).low > 0)


def upper_bound(of: Index, divisor: Index) -> Index:
    """An expression of sizes that is at least as large as an expression that a size or a number divides.

    c0 + k, k below the whole trips of 8 up to m*n     m*n - 1
    c0 + m*row, by 33*m, c0 below m, row up to 230     231*m - 1
    """
    limited = of
    for atom, number in of.terms:
        if number > 0 and isinstance(atom, Smaller):
            limited = _instead(limited, atom, number, _side_of(atom, divisor))
        elif number > 0 and isinstance(atom, Symbol) and atom.most is not None:
            limited = _instead(limited, atom, number, _without_minimum(atom.most, divisor))
        elif number > 0 and isinstance(atom, Quotient) and not is_of_dims(atom):
            limited = _instead(limited, atom, number, upper_bound(atom.inner, divisor) // atom.by)
    sizes = divisor.symbols.union(
        *[atom.symbols for atom, _ in limited.terms if not isinstance(atom, Symbol)]
    )
    bound = limited
    for atom, number in limited.terms:
        if number > 0 and isinstance(atom, Symbol) and not atom.is_dim and atom not in sizes:
            bound = _instead(bound, atom, number, bound.as_it_is((), atom.high))
        elif number > 0 and isinstance(atom, Quotient) and number % atom.by == 0:
            bound += atom.inner * (number // atom.by) - bound.as_it_is(((atom, number),), 0)
        elif number > 0 and isinstance(atom, Product) and atom.low >= 0:
            bound = _instead(bound, atom, number, largest_of(atom, divisor))
    return bound


def largest_of(product: Product, divisor: Index) -> Index:
    """A product with the largest number in place of each symbol that is no size: m*row, with row up to 230,
    is 230*m at most."""
    largest, one = product.inner.as_it_is((), 1), product.inner.as_it_is
    for factor in factors_of(product):
        bound = one(((factor, 1),), 0)
        if isinstance(factor, Symbol) and not factor.is_dim and factor.low >= 0:
            bound = one((), factor.high) if factor.most is None else _without_minimum(factor.most, divisor)
        largest = largest.times(bound)
    return largest


def _without_minimum(of: Index, divisor: Index) -> Index:
    """The sum with a side of each minimum in its place, which makes it no smaller: min(m*n, x) - 1, divided
    by n, is m*n - 1 at most."""
    for atom, number in of.terms:
        if number > 0 and isinstance(atom, Smaller):
            of = _instead(of, atom, number, _side_of(atom, divisor))
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


def _instead(of: Index, atom: Atom, number: int, by: Index) -> Index:
    """The sum with `number` times another expression in place of `number` times an atom."""
    return of + (by - of.as_it_is(((atom, 1),), 0)) * number
