"""The smaller of two expressions, and the bounds of sums with minimums.

- a constant comes out of min(x, n), which is x or n if the bounds of x decide it;
- min(min(n, 8), 4) is min(n, 4) for a size n;
- n - min(n, 8) is at least 0, whatever the bounds of its terms.
"""

from __future__ import annotations

from math import gcd

from asmgen.index.interning import once, remembered
from asmgen.index.nodes import (
    Atom,
    Index,
    Minimum,
    Product,
    Smaller,
    Terms,
    factors_of,
    is_of_dims,
    is_only,
)

_MOST_MINIMUMS = 5  # of a sum, for bounds by each of their sides


@remembered
def minimum(of: Index, limit: int) -> Index:
    """The smaller of an expression and a number."""
    if of.high <= limit:
        return of
    if of.low >= limit:
        return of.as_it_is((), limit)
    if of.constant:
        return minimum(of - of.constant, limit - of.constant) + of.constant
    first = of.terms[0][0]
    if isinstance(first, Minimum) and is_only(of, first) and is_of_dims(first):
        return minimum(first.inner, min(first.by, limit))
    atom = once(Minimum, of, limit, f"min({of.text}, {limit})", of.low, limit, gcd(of.multiple, limit))
    return of.summed([(atom, 1)], 0)


@remembered
def smaller(of: Index, limit: Index) -> Index:
    """The smaller of two expressions."""
    room = limit - of
    if room.low >= 0 or room.high <= 0:
        return of if room.low >= 0 else limit
    bounds = of.bounds.smaller(limit.bounds)
    text = f"min({of.text}, {limit.text})"
    return of.summed([(once(Smaller, of, limit, text, *bounds, gcd(of.multiple, limit.multiple)), 1)], 0)


def minimums_of(of: Index) -> int:
    """How many minimums an expression is written with, those in each other as often as they are written."""
    return sum([_minimums(atom) for atom, _ in of.terms])


def is_loose(of: Index) -> bool:
    """Whether the bounds of a sum are those of its terms apart: it has too many minimums (`narrowed`)."""
    return minimums_of(of) > _MOST_MINIMUMS


@remembered
def _minimums(atom: Atom) -> int:
    """How many minimums there are in an atom, itself included."""
    if not isinstance(atom, Product | Minimum | Smaller):
        return 0
    inside = sum([_minimums(part) for side in atom.sides for part, _ in side.terms])
    return inside + (not isinstance(atom, Product))


def narrowed(terms: Terms, value: int, low: int, high: int) -> tuple[int, int]:
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
        both = [side.summed(rest, value) + side * number for side in either]
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
                low = max(low, side.as_it_is(left, value + side.constant * number).low)
    return low


def _either(atom: Atom) -> tuple[Index, Index] | None:
    """The two sides of a minimum of sizes, also if it is multiplied by sizes."""
    if isinstance(atom, Product) and _minimums(atom) and is_of_dims(atom):
        factors = list(factors_of(atom))
        first = next((factor for factor in factors if isinstance(factor, Minimum | Smaller)), None)
        if first is None:
            return None
        factors.remove(first)
        others, either = atom.inner.product(factors), _either(first)
        if either is None or others.low < 0:
            return None
        return others.times(either[0]), others.times(either[1])
    if not isinstance(atom, Minimum | Smaller) or not is_of_dims(atom):
        return None
    return atom.sides
