"""Finds elements of an output that are copies of each other, so that a lane computes them once.

    an image of twice the size, o {n,56,56,64} of x {n,28,28,64}: o at {i, h, w, c} is x at
    {i, h floordiv 2, w floordiv 2, c}, so the dims of o are {n,28,2,28,2,64}, and there are 2 by 2 copies

A dim of copies is a dim along which no buffer has elements of its own. It may be a part of a dim of the
output: h is 2*h0 + h1, and h1 chooses the copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from asmgen.blockwise.schedules.elements.indices import Indices
from asmgen.index import Index, Symbol
from asmgen.index.expression import as_symbol
from asmgen.index.nodes import Atom, Quotient
from asmgen.index.size import Dim, Size, Sizes, divides, most
from isa.named_tuple import NamedTuple

MOST_COPIES = 16
FEWEST_APART = 1 << 16  # elements that are no copies of each other: lanes of fewer would leave SIMDs idle


class Copies(NamedTuple):
    """The number of adjacent copies along each dim."""

    factors: tuple[int, ...]

    @property
    def number(self) -> int:
        return prod(self.factors)

    def apart(self, dims: Sizes) -> Sizes:
        """The dims, each followed by a dim of its copies if it has any."""
        split: list[Dim] = []
        for dim, factor in zip(dims, self.factors, strict=True):
            split += [dim // factor, factor] if factor > 1 else [dim]
        return tuple(split)

    @property
    def axes(self) -> tuple[int, ...]:
        """The dims of copies among the dims apart."""
        found: list[int] = []
        for axis, factor in enumerate(self.factors):
            found += [axis + len(found) + 1] if factor > 1 else []
        return tuple(found)

    def joined(self, at: Indices) -> Indices:
        """The element of the dims that an element of the dims apart is."""
        left = iter(at)
        return tuple(
            [next(left) * factor + next(left) if factor > 1 else next(left) for factor in self.factors]
        )


def copies(dims: Sizes, symbols: Indices, used: Sequence[Index], access: int) -> Copies:
    """The copies of elements of an output. Its elements depend on the indices `used`, in its `symbols`. The
    `access` adjacent elements of an access stay together.
    """
    factors = [1] * len(dims)
    elements = most(prod(dims))
    for axis in reversed(range(len(dims))):
        dim, inner = dims[axis], prod(dims[axis + 1 :])
        most_copies = min(MOST_COPIES // prod(factors), elements // (prod(factors) * FEWEST_APART))
        if isinstance(dim, Size) or inner == 1 or not divides(access, inner).is_shown:
            continue
        factors[axis] = _factor(dim, as_symbol(symbols[axis]), used, most_copies) if dim > 1 else 1
    return Copies(tuple(factors))


def _factor(dim: int, of: Symbol, used: Sequence[Index], most_copies: int) -> int:
    """The number of adjacent copies along a dim, up to `most_copies`: 1 if there are none."""
    divisors = {by for index in used if of in index.symbols for by in _divisors(index, of)}
    if not divisors:
        return max([few for few in range(1, most_copies + 1) if dim % few == 0], default=1)
    by = min(divisors)
    return by if len(divisors) == 1 and dim % by == 0 and by <= most_copies else 1


def _divisors(index: Index, of: Symbol) -> set[int]:
    """The numbers by which a symbol is divided in an index, and 1 if it is used otherwise."""
    found: set[int] = set()
    for atom, _ in index.terms:
        if of in atom.symbols:
            found |= _divisors_in(atom, of)
    return found


def _divisors_in(atom: Atom, of: Symbol) -> set[int]:
    if isinstance(atom, Quotient) and atom.inner.terms == ((of, 1),) and not atom.inner.constant:
        return {atom.by}
    if isinstance(atom, Symbol):
        return {1}
    return {by for side in atom.sides if of in side.symbols for by in _divisors(side, of)} or {1}
