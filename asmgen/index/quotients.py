"""Quotients and remainders of expressions by numbers.

The rules for a divisor n > 0, with floor and mod as in Python (the remainder is from 0 to n - 1):

- a multiple of n comes out of a quotient, and out of a remainder altogether;
- a common factor of n and of the rest is divided out;
- a rest with bounds within the same multiple of n gives a constant quotient;
- (x floordiv a) floordiv n is x floordiv a*n; (x mod a) mod n is x mod n if n divides a, and
  (x mod a) floordiv n is then (x floordiv n) mod a/n;
- n * (x floordiv n) + x mod n is x, and n * ((x floordiv n) mod m) + x mod n is x mod n*m;
- n * (x floordiv n) is x if n divides x.
"""

from __future__ import annotations

from math import gcd

from asmgen.index.interning import once, remembered
from asmgen.index.interval import Interval
from asmgen.index.nodes import Atom, Index, Joined, Quotient, Remainder, in_brackets, is_only


@remembered
def quotient(of: Index, divisor: int) -> Index:
    """The quotient, rounded down. Raises `ValueError` for a divisor below 1."""
    if divisor < 1:
        raise ValueError(f"{of.text} divided by {divisor}, wanted a positive number")
    whole = of.summed(
        [(atom, number // divisor) for atom, number in of.terms if number % divisor == 0],
        of.constant // divisor,
    )
    divided = [
        (atom, number)
        for atom, number in of.terms
        if number % divisor and number * atom.multiple % divisor == 0
    ]
    rest = of.as_it_is(
        tuple([(a, n) for a, n in of.terms if n * a.multiple % divisor]), of.constant % divisor
    )
    if divided:
        return whole + _atom_quotient(of.as_it_is(tuple(divided), 0), divisor) + quotient(rest, divisor)
    if rest.low // divisor == rest.high // divisor:
        return whole + rest.low // divisor
    common = gcd(divisor, *[number for _, number in rest.terms])
    if common > 1:
        smaller = of.as_it_is(
            tuple([(atom, number // common) for atom, number in rest.terms]), rest.constant // common
        )
        return whole + quotient(smaller, divisor // common)
    coarse = _coarse(rest, divisor)
    if coarse is not None:
        return whole + quotient(coarse, divisor)
    first = rest.terms[0][0]
    if isinstance(first, Quotient) and is_only(rest, first):
        return whole + quotient(first.inner, first.by * divisor)
    if isinstance(first, Remainder) and is_only(rest, first) and first.by % divisor == 0:
        return whole + remainder(quotient(first.inner, divisor), first.by // divisor)
    return whole + _atom_quotient(rest, divisor)


@remembered
def remainder(of: Index, divisor: int) -> Index:
    """The remainder of `quotient`, from 0 to `divisor - 1`. Raises `ValueError` for a divisor below 1."""
    if divisor < 1:
        raise ValueError(f"{of.text} modulo {divisor}, wanted a positive number")
    for atom, number in of.terms:
        if isinstance(atom, Remainder) and atom.by % divisor == 0:
            return remainder(
                of.summed([*of.terms, (atom, -number)], of.constant) + atom.inner * number, divisor
            )
    kept = tuple([(a, n) for a, n in of.terms if n * a.multiple % divisor])
    rest = of.as_it_is(kept, of.constant % divisor)
    if rest.low // divisor == rest.high // divisor:
        return rest - rest.low // divisor * divisor
    common = gcd(divisor, *[number for _, number in rest.terms])
    if common > 1:
        smaller = of.as_it_is(
            tuple([(atom, number // common) for atom, number in rest.terms]), rest.constant // common
        )
        return remainder(smaller, divisor // common) * common + rest.constant % common
    coarse = _coarse(rest, divisor)
    if coarse is not None:
        return remainder(coarse, divisor) + (rest - coarse)
    text = f"{in_brackets(rest)} mod {divisor}"
    multiple = max(gcd(rest.multiple, divisor), 1)
    return _atom_remainder(rest, divisor, text, multiple)


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
        small = of.as_it_is(tuple(fine), rest)
        if small.low >= 0 and small.high < grain:
            return of - small
    return None


@remembered
def _atom_quotient(of: Index, divisor: int) -> Index:
    multiple = of.multiple // divisor if of.multiple % divisor == 0 else 1
    text = f"{in_brackets(of)} floordiv {divisor}"
    bounds = of.bounds.divided(Interval(divisor, divisor))
    return of.summed([(once(Quotient, of, divisor, text, *bounds, max(multiple, 1)), 1)], 0)


@remembered
def _atom_remainder(of: Index, divisor: int, text: str, multiple: int) -> Index:
    return of.summed([(once(Remainder, of, divisor, text, 0, divisor - multiple, multiple), 1)], 0)


def exact(merged: dict[Atom, int], atom: Quotient) -> Joined | None:
    """The sum with n * (x floordiv n) as x, if n divides x."""
    number = merged[atom]
    if number % atom.by or atom.inner.multiple % atom.by:
        return None
    rest = [term for term in merged.items() if term[0] is not atom]
    return rest, atom.inner * (number // atom.by)


def joined(merged: dict[Atom, int], atom: Remainder) -> Joined | None:
    """The sum with n * (x floordiv n) + x mod n as x, and with n * ((x floordiv n) mod m) + x mod n as x
    mod n*m, if both terms are in it."""
    whole_times, coefficient = atom.inner // atom.by, merged[atom]
    if not whole_times.terms:
        return None
    wanted = atom.by * coefficient
    if all(merged.get(part) == number * wanted for part, number in whole_times.terms):
        gone = [part for part, _ in whole_times.terms]
        whole = atom.inner - whole_times.constant * atom.by
    else:
        gone = [
            part
            for part, number in merged.items()
            if number == wanted and isinstance(part, Remainder) and is_only(whole_times % part.by, part)
        ][:1]
        if not gone:
            return None
        whole = atom.inner % (atom.by * gone[0].by)
    rest = [(part, number) for part, number in merged.items() if part is not atom and part not in gone]
    return rest, whole * coefficient
