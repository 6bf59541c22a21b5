"""The indices of an element of a tensor, one along each axis, and its row-major number.

The element {i, j} of a tensor with dims {4,6} has the number 6*i + j. The element with the number n is
{n floordiv 6, n mod 6}.
"""

from __future__ import annotations

from collections.abc import Iterable

from asmgen.blockwise.actions import Below
from asmgen.index import Index, constant
from asmgen.ir.types import row_major

Indices = tuple[Index, ...]
Conditions = tuple[Below, ...]  # an element is there, or is needed, where all of them hold
ZERO = constant(0)


def flattened(at: Iterable[Index], dims: tuple[int, ...]) -> Index:
    """The row-major number of an element."""
    return total(at, row_major(dims))


def total(at: Iterable[Index], strides: tuple[int, ...]) -> Index:
    """The sum of the indices, each times its stride."""
    number = ZERO
    for index, stride in zip(at, strides, strict=True):
        number = number + index * stride
    return number


def unflattened(number: Index, dims: tuple[int, ...]) -> Indices:
    """The element that has a row-major number. Each index is of what the inner ones leave, so that `total` of
    them is the number again.
    """
    found: list[Index] = []
    for axis in reversed(range(len(dims))):
        dim, is_first = dims[axis], all(one == 1 for one in dims[:axis])
        found.append(ZERO if dim == 1 else number if is_first else number % dim)
        number = ZERO if is_first else number // dim
    return tuple(reversed(found))
