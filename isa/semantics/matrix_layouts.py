"""The place of a matrix element: its lane, and its index in that lane's operand.

Sources: the lane layouts that AMD publishes with its matrix instruction calculator, and CDNA3 ISA, chapter 7,
RDNA3 and RDNA4 ISA, section 7.9. A lane has elements of a single line: a row of A, a column of B, a column of
D. The group distinguishes the lanes of a block with the same line.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from msgspec import Struct

from isa.semantics.mode import Array


class FactorLayout(Struct, frozen=True, eq=False):
    """The layout of A or B: the block and the line of each lane, and the inner index of each [lane, element].

    Lanes from `used` on have copies and are not read.
    """

    block: Array
    line: Array
    inner: Array
    used: int


class ResultLayout(Struct, frozen=True, eq=False):
    """Of C and D: block and row of each [lane, element], and the column of each lane."""

    block: Array
    row: Array
    column: Array


class ProductShape(Struct, frozen=True):
    """D[b] (size x size) = A[b] (size x inner) B[b] (inner x size) + C[b] for `blocks` blocks."""

    size: int
    inner: int
    blocks: int = 1


FactorOf = Callable[[ProductShape, int, int], FactorLayout]
"""The layout of a factor by shape, lanes of a wave and elements of a lane."""
ResultOf = Callable[[ProductShape, int], ResultLayout]
"""The layout of the result by shape and lanes of a wave."""


class Layouts(Struct, frozen=True):
    """How a family of matrix instructions spreads its operands over a wave."""

    factor: FactorOf
    result: ResultOf


def _spread(
    shape: ProductShape, lanes: int, elements: int, order: tuple[int, ...], chunk: int, used: int
) -> FactorLayout:
    """Groups of lanes take `chunk` neighbouring inner indexes each in turn, again and again; `order` gives a
    group's turn."""
    lane, element = np.arange(lanes), np.arange(elements)
    turn = np.array(order)[lane // shape.size]
    inner = chunk * (max(order) + 1) * (element // chunk) + chunk * turn[:, None] + element % chunk
    return FactorLayout(np.zeros(lanes, np.intp), lane % shape.size, inner, used)


@cache
def cdna_factor(shape: ProductShape, lanes: int, elements: int) -> FactorLayout:
    """Groups of a block side by side, each with consecutive inner indexes; then the next block."""
    lane, element = np.arange(lanes), np.arange(elements)
    groups = shape.inner // elements
    group = lane // shape.size
    inner = elements * (group % groups)[:, None] + element
    return FactorLayout(group // groups, lane % shape.size, inner, lanes)


@cache
def cdna_chosen_bytes(shape: ProductShape, lanes: int, elements: int) -> FactorLayout:
    """The groups take 16 inner indexes each in turn, twice. AMD measured it on gfx950: in Composable Kernel,
    test/mx_mfma_op/scale_mapping_16x16x128.txt has the lane that scales each element."""
    return _spread(shape, lanes, elements, tuple(range(lanes // shape.size)), 16, lanes)


@cache
def cdna_result(shape: ProductShape, lanes: int) -> ResultLayout:
    """Each group of lanes has four rows, the next group the next four, over and over; blocks follow each
    other."""
    elements = shape.size * shape.size * shape.blocks // lanes
    lane, element = np.meshgrid(np.arange(lanes), np.arange(elements), indexing="ij")
    group = lane // shape.size
    column = np.arange(lanes) % shape.size
    if shape.size == 4:
        return ResultLayout(group, element, column)
    across = lanes // shape.size
    per_block = elements // shape.blocks
    within = element % per_block
    return ResultLayout(element // per_block, 4 * across * (within // 4) + 4 * group + within % 4, column)


@cache
def double_factor(shape: ProductShape, lanes: int, elements: int) -> FactorLayout:
    """An inner index for each lane; the blocks lie inside it."""
    lane = np.arange(lanes)
    group = lane // shape.size
    inner = np.broadcast_to((group // shape.blocks)[:, None], (lanes, elements))
    return FactorLayout(group % shape.blocks, lane % shape.size, inner, lanes)


@cache
def double_result(shape: ProductShape, lanes: int) -> ResultLayout:
    """A row for each element, and the groups of a block next to each other."""
    elements = shape.size * shape.size * shape.blocks // lanes
    lane, element = np.meshgrid(np.arange(lanes), np.arange(elements), indexing="ij")
    group = lane // shape.size
    return ResultLayout(
        group % shape.blocks,
        lanes // shape.size // shape.blocks * element + group // shape.blocks,
        np.arange(lanes) % shape.size,
    )


@cache
def rdna3_factor(shape: ProductShape, lanes: int, elements: int) -> FactorLayout:
    """Sixteen lanes have all elements; the others have copies."""
    return _spread(shape, lanes, elements, (0,) * (lanes // shape.size), elements, shape.size)


@cache
def rdna3_result(shape: ProductShape, lanes: int) -> ResultLayout:
    """The groups of lanes take the rows in turn."""
    across = lanes // shape.size
    lane, element = np.meshgrid(np.arange(lanes), np.arange(shape.size // across), indexing="ij")
    return ResultLayout(
        np.zeros_like(lane), across * element + lane // shape.size, np.arange(lanes) % shape.size
    )


_IN_TURN = {32: (0, 1), 64: (0, 1, 2, 3)}
_HALVES_FIRST = {32: (0, 1), 64: (0, 2, 1, 3)}


def _rdna4_factor(chunk: int, order: dict[int, tuple[int, ...]]) -> FactorOf:
    @cache
    def factor(shape: ProductShape, lanes: int, elements: int) -> FactorLayout:
        used = min(lanes, shape.size * shape.inner // elements)
        turns = order[used] + order[used] if used < lanes else order[lanes]
        return _spread(shape, lanes, elements, turns, min(chunk, elements), used)

    return factor


@cache
def rdna4_result(shape: ProductShape, lanes: int) -> ResultLayout:
    """Eight rows in each half of 32 lanes; in waves of 64 each group of 16 has four of them."""
    elements = shape.size * shape.size // lanes
    lane, element = np.meshgrid(np.arange(lanes), np.arange(elements), indexing="ij")
    group = lane // shape.size
    return ResultLayout(
        np.zeros_like(lane), 8 * (group % 2) + 4 * (group // 2) + element, np.arange(lanes) % shape.size
    )


CDNA = Layouts(cdna_factor, cdna_result)
CDNA_CHOSEN_BYTES = Layouts(cdna_chosen_bytes, cdna_result)  # of 8 bits beside 6 and 4: f8f6f4
DOUBLE = Layouts(double_factor, double_result)
RDNA3 = Layouts(rdna3_factor, rdna3_result)
# 16-bit factors go by four indexes (eight if A is sparse), smaller factors by all indexes of a lane
RDNA4_HALF = Layouts(_rdna4_factor(4, _IN_TURN), rdna4_result)
RDNA4_HALF_SPARSE = Layouts(_rdna4_factor(8, _IN_TURN), rdna4_result)
RDNA4_BYTE = Layouts(_rdna4_factor(64, _HALVES_FIRST), rdna4_result)
