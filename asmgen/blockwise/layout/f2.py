"""Linear algebra over F2 on integers as bit vectors.

A vector is an integer, and adding is XOR. A linear map is the tuple of its columns: column i is the image of
input bit i. `(4, 1, 2)` sends 0b001 to 4, 0b010 to 1 and 0b011 to 4 ^ 1 = 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

Columns = tuple[int, ...]


def apply(columns: Sequence[int], vector: int) -> int:
    """The image of a vector."""
    image = 0
    for column in columns:
        if vector & 1:
            image ^= column
        vector >>= 1
    return image


def compose(outer: Columns, inner: Columns) -> Columns:
    """The map that applies `inner` first and `outer` to what that gives."""
    return tuple([apply(outer, column) for column in inner])


def image(columns: Sequence[int]) -> list[int]:
    """The images of all inputs, in the order of the inputs."""
    images = [0]
    for column in columns:
        images += [column ^ vector for vector in images]
    return images


class Span:
    """The vectors that are sums of those that were added; each is kept with the sum of additions that makes
    it.
    """

    def __init__(self, vectors: Iterable[int] = ()) -> None:
        self._rows: dict[int, tuple[int, int]] = {}  # by highest bit: the vector, and which additions make it
        self._added = 0
        for vector in vectors:
            _ = self.add(vector)

    @property
    def dimension(self) -> int:
        return len(self._rows)

    def reduce(self, vector: int) -> tuple[int, int]:
        """The rest of a vector after vectors of the span are subtracted, 0 if it is in the span; and the set
        of additions that were subtracted.
        """
        taken = 0
        for top in sorted(self._rows, reverse=True):
            if vector >> top & 1:
                row, made_of = self._rows[top]
                vector ^= row
                taken ^= made_of
        return vector, taken

    def __contains__(self, vector: int) -> bool:
        return self.reduce(vector)[0] == 0

    def add(self, vector: int) -> bool:
        """Add a vector; whether it was not in the span before."""
        left, taken = self.reduce(vector)
        number = self._added
        self._added += 1
        if left:
            self._rows[left.bit_length() - 1] = left, taken ^ 1 << number
        return left != 0


@cache
def solve(columns: Columns, vector: int) -> int | None:
    """An input with image `vector`, or None. Bits of columns that depend on earlier columns are 0 in it."""
    left, taken = Span(columns).reduce(vector)
    return None if left else taken


@cache
def right_inverse(columns: Columns, bits: int) -> Columns | None:
    """For each of the `bits` output bits an input that gives it; None if an output is out of reach."""
    span = Span(columns)
    inverse: list[int] = []
    for bit in range(bits):
        left, taken = span.reduce(1 << bit)
        if left:
            return None
        inverse.append(taken)
    return tuple(inverse)


def independent(vectors: Iterable[int]) -> list[int]:
    """The vectors that are not a sum of vectors before them."""
    span = Span()
    return [vector for vector in vectors if span.add(vector)]


def completed(vectors: Iterable[int], bits: int) -> list[int]:
    """Unit vectors that, with given independent vectors, make a basis of all vectors of `bits` bits."""
    span = Span(vectors)
    return [1 << bit for bit in range(bits) if span.add(1 << bit)]


def intersection(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """A basis of the vectors that are in both spans (Zassenhaus: a sum of `left` that `right` makes too)."""
    of_right = Span(right)
    width = max([vector.bit_length() for vector in (*left, *right)], default=0)
    mixed = Span()
    common: list[int] = []
    for vector in independent(left):
        outside, _ = of_right.reduce(vector)
        # The part outside `right` is kept above the vector itself: if it cancels, the sum is in both.
        rest, _ = mixed.reduce(outside << width | vector)
        if rest >> width:
            _ = mixed.add(rest)
        else:
            common.append(rest)
    return independent(common)


def common_complement(left: Sequence[int], right: Sequence[int], bits: int) -> list[int]:
    """A basis of a space that intersects each of two spans of equal dimension only in 0, and completes each
    to all vectors.

    D is the intersection, L and R complete D to each span, and E completes the sum of both: the basis is E,
    and the sums of L and R pair by pair. If such a sum were in `left`, its R part would be in `left`, and
    then in D.
    """
    both = intersection(left, right)
    of_left = independent([*both, *left])[len(both) :]
    of_right = independent([*both, *right])[len(both) :]
    outside = completed([*both, *of_left, *of_right], bits)
    return [*outside, *(left ^ right for left, right in zip(of_left, of_right, strict=True))]
