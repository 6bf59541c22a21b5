"""Tiles of two waves with twice the sums of others, if two lanes have each element of a factor, as on RDNA 3.

The waves of a launch of a single trip read fewer factors from LDS for their products, and wait less often:

f16 on gfx1100                              with them   others
96 matrices, {512,64} by {64,512}              73,280   79,548
16 matrices, {1024,64} by {64,1024}            47,892   79,450
16 matrices, {384,64} by {64,896}              19,327   26,056
"""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.blockwise.matrix import Rated
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.choosing.product_tile import Shape, copies_of
from isa.target import CACHE_LINE

_ROWS, _COLUMNS, _WAVES = 64, 64, 2
_SUMS = 64  # of a lane
_BUFFERS = (1, 2)


def tiles_of_many_sums(shape: Shape, rated: Rated) -> Iterator[Contract]:
    """The tiles of a product by an instruction, if it takes a single trip. The registers of a lane do not
    suffice for the code of two trips, or of a part of a trip behind two. Loops by these tiles take about as
    long as by others: 0.99 to 1.03 times the clocks."""
    k = CACHE_LINE // shape.element.bytes
    has_own_loads = shape.packed or shape.block or any(shape.loaded)
    is_plain = shape.is_known and not (has_own_loads or shape.is_joint or shape.reductions)
    is_filled = shape.k == k and 2 * shape.m > _ROWS and 2 * shape.n > _COLUMNS
    for buffers in _BUFFERS if is_plain and is_filled else ():
        choice = Contract(_ROWS, _COLUMNS, k, _WAVES, buffers, rated.by.name)
        if has_many_sums(choice, rated):
            yield choice


def has_many_sums(choice: Contract, rated: Rated) -> bool:
    """Whether a choice by an instruction is such a tile."""
    m, n, _ = rated.by.sizes
    first, _, sums = rated.by.layouts
    parts = choice.m // m * (choice.n // n) // choice.waves
    return copies_of(first) > 1 and parts * sums.register_count == _SUMS and not choice.along
