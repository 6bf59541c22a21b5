"""Several matrices next to each other, each in waves of its own.

    matrix      {16,32}     reg(0:1 0:2) lane(1:0 2:0 4:0 8:0 0:4 0:8)
    4 of them   {4,16,32}   reg(0:0:1 0:0:2) lane(0:1:0 0:2:0 0:4:0 0:8:0 0:0:4 0:0:8) wave(1:0:0 2:0:0)

A product multiplies such tiles matrix by matrix, so that no wave needs elements of another.
"""

from __future__ import annotations

from functools import cache
from math import prod

from asmgen.blockwise.layout.layout import Layout, layout
from asmgen.blockwise.layout.placement import Placement, placement


@cache
def beside(matrix: Layout, count: int) -> Layout:
    """`count` tiles with this layout, a power of two, each in other waves. Waves that the matrix has already
    are next to each other."""
    return layout(
        (count, *matrix.sizes), matrix.registers, matrix.lanes, (*matrix.waves, *_steps(matrix, count))
    )


@cache
def placed_beside(of: Placement, count: int) -> Placement:
    """The places in LDS of `count` successive tiles that are placed like this tile."""
    return placement((count, *of.sizes), (*of.offsets, *_steps(of, count)))


@cache
def matrix_of(of: Layout) -> Layout | None:
    """The layout of each matrix, which has the last two axes; None if a wave has elements of several."""
    size = prod(of.sizes[-2:])
    if of.rank == 2:
        return of
    if of.repeat or any(basis >= size for basis in (*of.registers, *of.lanes)):
        return None
    if any(basis >= size and basis % size for basis in of.waves):
        return None
    waves = tuple([basis if basis < size else 0 for basis in of.waves])
    return layout(of.sizes[-2:], of.registers, of.lanes, waves)


def _steps(of: Layout | Placement, count: int) -> tuple[int, ...]:
    return tuple([prod(of.sizes) << bit for bit in range(count.bit_length() - 1)])
