"""Whether two index expressions differ for all values of their symbols.

trip mod 2            (trip + 1) mod 2      differ: the dividends differ by 1, which is no multiple of 2
trip mod 2            row mod 2             may be equal
2*column              2*row + 1             differ: only the second is odd
"""

from __future__ import annotations

from asmgen.index.expression import constant, only
from asmgen.index.interning import remembered
from asmgen.index.nodes import Atom, Index, Remainder


@remembered
def differ(a: Index, b: Index) -> bool:
    """Whether two expressions differ, if a symbol has the same value in both."""
    between = a - b
    if between.low > 0 or between.high < 0:
        return True
    varying = between - between.constant
    if varying.multiple and between.constant % varying.multiple:
        return True
    divisors = {atom.by for atom, _ in between.terms if isinstance(atom, Remainder)}
    return any(_has_rest(between, divisor) for divisor in divisors)


def _has_rest(of: Index, divisor: int) -> bool:
    """Whether the remainder of a division is a constant and not 0. The remainder of x by a multiple of the
    divisor counts as x."""
    whole = constant(of.constant)
    for atom, number in of.terms:
        whole += _modulo(atom, divisor) * number
    rest = whole % divisor
    return rest.is_constant and rest.constant != 0


def _modulo(atom: Atom, divisor: int) -> Index:
    return atom.inner if isinstance(atom, Remainder) and atom.by % divisor == 0 else only(atom)
