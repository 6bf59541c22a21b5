"""Quotients and remainders of index expressions by what the launch knows, `d0 floordiv n` and `d0 mod n`.

What is a multiple of the divisor comes out of both. Of the rest little is known: that it is within the
divisor only its bounds may say. Both take a division of two numbers where the kernel runs, some twenty
instructions, so that indices are divided only where nothing else says which element is meant.

The kernel divides numbers that are not negative. Where the rest is, as in (m*n - 1 - i) floordiv n, what is
divided is its distance below -1: the quotient is m - 1 - i floordiv n, the remainder n - 1 - i mod n. Where
the rest may be of either sign, nothing is taken out.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from asmgen.index.atoms import Atom, Product, Quotient, SizedQuotient, SizedRemainder
from asmgen.index.expression import Index, constant, only
from asmgen.index.merging import Found
from asmgen.index.products import factors_of, product_of
from asmgen.index.sums import in_brackets


class _Divided(NamedTuple):
    """How often a divisor is in an expression as its terms show it, and what is left."""

    whole: Index
    rest: Index


@cache
def quotient(of: Index, by: Index) -> Index:
    """`of` by a positive `by`, rounded down; by 0 it is any number."""
    if by.is_constant:
        return of // max(by.constant, 1)
    whole, rest = _taken_out(of, by)
    if _is_within(rest, by):
        return whole
    if rest.high < 0:
        return whole - 1 - quotient(-rest - 1, by)
    atom = _only_atom(rest)
    if isinstance(atom, Quotient):
        return whole + quotient(atom.inner, by * atom.by)
    if isinstance(atom, SizedQuotient):
        return whole + quotient(atom.inner, by.times(atom.divisor))
    return whole + _atom_quotient(rest, by)


@cache
def remainder(of: Index, by: Index) -> Index:
    """What `quotient` leaves of `of`, from 0 to `by - 1`."""
    if by.is_constant:
        return of % max(by.constant, 1)
    rest = _taken_out(of, by).rest
    if _is_within(rest, by):
        return rest
    if rest.high < 0:
        return by - 1 - remainder(-rest - 1, by)
    return _atom_remainder(rest, by)


def joined(merged: dict[Atom, int], atom: Product | SizedRemainder) -> Found | None:
    """The sum with f * n * (x floordiv n) + f * (x mod n) as f * x, where both are in it."""
    factors = factors_of(atom)
    rest = next((one for one in factors if isinstance(one, SizedRemainder)), None)
    if rest is None:
        return None
    number, others = merged[atom], [one for one in factors if one is not rest]
    factor = product_of(others)
    whole = rest.inner.divided(rest.divisor).times(rest.divisor).times(factor)
    if not whole.terms or any(merged.get(part) != times * number for part, times in whole.terms):
        return None
    gone = {part for part, _ in whole.terms}
    left = [(part, times) for part, times in merged.items() if part is not atom and part not in gone]
    return left, (rest.inner.times(factor) - whole.constant) * number


@cache
def _atom_quotient(of: Index, by: Index) -> Index:
    least = max(by.low, 1)
    low = of.low // (least if of.low < 0 else by.high)
    high = of.high // (least if of.high >= 0 else by.high)
    text = f"{in_brackets(of)} floordiv {in_brackets(by)}"
    return only(SizedQuotient(of, by, text, low, high, 1))


@cache
def _atom_remainder(of: Index, by: Index) -> Index:
    high = max(by.high - 1, 0) if of.low < 0 else max(min(by.high - 1, of.high), 0)
    text = f"{in_brackets(of)} mod {in_brackets(by)}"
    return only(SizedRemainder(of, by, text, 0, high, 1))


def _taken_out(of: Index, by: Index) -> _Divided:
    """What the first term of the divisor is in, taken out with all of the divisor."""
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
    """What is left of a product without an atom, or those of another product; None where it lacks one."""
    left = list(factors_of(term))
    for one in factors_of(atom):
        if one not in left:
            return None
        left.remove(one)
    return product_of(left)


def _is_within(rest: Index, by: Index) -> bool:
    atom = _only_atom(rest)
    if isinstance(atom, SizedRemainder) and atom.divisor is by:
        return True
    return (not rest.terms and not rest.constant) or (rest.low >= 0 and (by - rest).low > 0)


def _only_atom(of: Index) -> Atom | None:
    """The atom that an expression is."""
    is_one = len(of.terms) == 1 and not of.constant and of.terms[0][1] == 1
    return of.terms[0][0] if is_one else None
