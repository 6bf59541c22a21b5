"""Bounds of an index expression that are narrower than its own because its terms depend on each other.

n - 1 - min(c0, n - 2)      by the bounds of its terms apart it may be below 0;
                            min(c0, n - 2) is at most n - 2, so that it is at least 1
n - 1 - row                 at least 0 if row is the id of one of n workgroups
n - 4*(n floordiv 4)        at least 0: it is n mod 4
k - 64*min(k floordiv 64, 1)   at least 0
min(c0, m*n - 1) floordiv m at most n - 1
4*(n floordiv 8)            at most n floordiv 2
8*(n floordiv 8) - 4*(n floordiv 4)             at most 0
m*n - 9*m                   at least 0 if n is at least 9
231*m - 1 - c0 - m*row      at least 0 if c0 is below m, and row at most 230
"""

from __future__ import annotations

from itertools import product

from asmgen.index.expression import constant, only
from asmgen.index.interning import remembered
from asmgen.index.minimums import is_loose, minimums_of
from asmgen.index.nodes import (
    Atom,
    Index,
    Minimum,
    OfDims,
    Product,
    Quotient,
    SizedQuotient,
    SizedRemainder,
    Smaller,
    Symbol,
    is_of_dims,
)
from asmgen.index.sized import largest_of, upper_bound

_DEEPEST = 4  # minimums in each other
_MOST_SEARCHED = 1 << 12  # expressions that a search may make


def smallest(of: Index) -> int:
    """The smallest value, or a number below it: of `reach`, without its search if a corner has the lower
    bound."""
    return of.low if is_loose(of) and of.low in _corners(of) else reach(of)[0]


def has_both_signs(of: Index) -> bool:
    """Whether some of the corners are negative and others are not, so that no bounds can decide the sign."""
    corners = _corners(of) if is_loose(of) else ()
    return any(corner < 0 for corner in corners) and any(corner >= 0 for corner in corners)


@remembered
def _corners(of: Index) -> frozenset[int]:
    """Values of an expression: of the smallest and of the largest dims, with the smallest and the largest
    other symbols that the dims allow."""
    points = [_point(of, *ends) for ends in product((False, True), repeat=2)]
    return frozenset([of.evaluate(point, 0) for point in points if point is not None])


def _point(of: Index, has_large_dims: bool, has_large_others: bool) -> dict[Symbol, int] | None:
    """The values of the symbols in a corner; None if a symbol has no value there."""
    point: dict[Symbol, int] = {}
    for symbol in of.symbols:
        is_large, low, high = has_large_others, symbol.low, symbol.high
        if symbol.is_dim:
            is_large = has_large_dims
        elif symbol.most is not None:
            dims = _point(symbol.most, has_large_dims, has_large_others)
            if dims is None:
                return None
            high = min(high, symbol.most.evaluate(dims, 0))
        low, high = -(-low // symbol.multiple), high // symbol.multiple
        if low > high:
            return None
        point[symbol] = (high if is_large else low) * symbol.multiple
    return point


@remembered
def reach(of: Index) -> tuple[int, int]:
    """The smallest and largest value, or ends that contain them. Minimums are replaced by their sides in each
    other, less deep if there are many: a sum of 30 minimums has 60 replacements, and 60 to the fourth power
    in each other."""
    sides = 2 * minimums_of(of)
    return searched(of, next((n for n in range(_DEEPEST, 1, -1) if sides**n <= _MOST_SEARCHED), 1))


@remembered
def searched(of: Index, deepest: int) -> tuple[int, int]:
    """`reach` by at most `deepest` replacements in each other."""
    low, high = of.bounds
    if low < 0 and len(of.terms) > 1 and not of.constant:
        low = max(low, _factored(of))
    for atom, number in of.terms if deepest else ():
        finer = [searched(other, deepest - 1) for other in _finer(of, atom, number)]
        if number > 0:
            high = min([high, *[ends[1] for ends in finer]])
        else:
            wider = [searched(other, deepest - 1) for other in _wider(of, atom, number)]
            low = max([low, *[ends[0] for ends in (*finer, *wider)]])
        if number < 0 and isinstance(atom, Quotient) and is_of_dims(atom):
            low = max(low, _undivided(of, atom, number))
        ends = [searched(other, deepest - 1) for other in _others(of, atom, number)]
        if not ends:
            continue
        lows, highs = [each[0] for each in ends], [each[1] for each in ends]
        if isinstance(atom, Quotient):
            low, high = max(low, *lows), min(high, *highs)
        elif isinstance(atom, Smaller | Minimum):
            low = max(low, min(lows) if number > 0 else max(lows))
            high = min(high, min(highs) if number > 0 else max(highs))
        elif number > 0:
            high = min(high, *highs)
        else:
            low = max(low, *lows)
    return low, high


def is_within(of: Index, size: int | OfDims) -> bool:
    """Whether every value is an index along a dim of `size`, whatever the launch says that this is."""
    last = size.expression - of if isinstance(size, OfDims) else constant(size) - of
    if of.low >= 0 and last.low > 0:
        return True
    low, high = reach(of)
    return low >= 0 and ((not isinstance(size, OfDims) and high < size) or reach(last)[0] > 0)


def _undivided(of: Index, atom: Quotient, number: int) -> int:
    """A lower bound by a multiple of the expression in which the quotient is not rounded.

    n - (n + 1023) floordiv 1024    a 1024th of 1023*n - 1023: 0, if n is at least 1
    """
    multiple = (of - only(atom) * number) * atom.by + atom.inner * number
    return -(-multiple.low // atom.by)


def _factored(of: Index) -> int:
    """A lower bound of a sum of terms with a size in common: 0 if the rest of the product is at least 0."""
    for dim in of.symbols:
        if dim.is_dim and dim.low >= 0 and of.remaining(only(dim)) is constant(0):
            return 0 if of.divided(only(dim)).low >= 0 else of.low
    return of.low


def _is_one_atom(of: Index) -> bool:
    return len(of.terms) == 1 and of.terms[0][1] == 1 and not of.constant


def _wider(of: Index, atom: Atom, number: int) -> list[Index]:
    """Expressions that are at most as large, for a quotient that is subtracted.

    n - row floordiv 7         is at least n - (7*n - 1) floordiv 7, if `row` is below 7*n
    """
    if not isinstance(atom, Quotient | SizedQuotient):
        return []
    rest = of - only(atom) * number
    if isinstance(atom, SizedQuotient):
        return [rest + upper_bound(atom.inner, atom.by).divided(atom.by) * number]
    inner = atom.inner.terms[0][0] if _is_one_atom(atom.inner) else None
    if isinstance(inner, SizedQuotient):
        divisor = inner.by * atom.by
        return [rest + upper_bound(inner.inner, divisor).divided(divisor) * number]
    if is_of_dims(atom) or not any(symbol.is_dim for symbol in of.symbols):
        return []
    return [rest + upper_bound(atom.inner, constant(atom.by)) // atom.by * number]


def _finer(of: Index, atom: Atom, number: int) -> list[Index]:
    """Expressions in which another quotient replaces a quotient with a larger divisor.

    n - 8*(n floordiv 8)                      is at least n - 4*(n floordiv 4)
    8*(n floordiv 8) - 4*(n floordiv 4)       is at most 0
    4*((n + 3) floordiv 4) + 4 - 8*((n + 7) floordiv 8)     is at least 0, since n + 7 is n + 3 and a 4
    """
    if not isinstance(atom, Quotient) or not is_of_dims(atom):
        return []
    rest = of - only(atom) * number
    found: list[Index] = []
    for other, _ in of.terms:
        if not isinstance(other, Quotient) or other.by >= atom.by or atom.by % other.by:
            continue
        if number * other.by % atom.by:
            continue
        apart = atom.inner - other.inner
        if apart.low == apart.high and apart.low % other.by == 0:
            found.append(rest + (only(other) + apart.low // other.by) * (number * other.by // atom.by))
    return found


def _others(of: Index, atom: Atom, number: int) -> list[Index]:
    """The expression with an atom replaced by a bound of it: either side of a minimum, the largest value
    of a symbol, of a remainder or of a product, or the value of a quotient that is multiplied by its
    divisor."""
    rest = of - only(atom) * number
    match atom:
        case Smaller():
            return [rest + side * number for side in atom.sides]
        case Minimum():
            return [rest + atom.inner * number, rest + atom.by * number]
        case Symbol() if atom.most is not None and atom not in rest.symbols:
            return [rest + atom.most * number]
        case Quotient() if number % atom.by == 0:
            return [rest + (atom.inner - atom.inner % atom.by) * (number // atom.by)]
        case SizedRemainder():
            return [rest + (atom.by - 1) * number]
        case SizedQuotient() if number > 0:
            return [rest + upper_bound(atom.inner, atom.by).divided(atom.by) * number]
        case Product() if atom.low >= 0 and not is_of_dims(atom):
            return [rest + largest_of(atom, constant(1)) * number]
        case _:
            return []
