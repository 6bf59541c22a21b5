"""Four lanes along k: the factors of few rows go from memory to the matrix instruction without LDS.

    lanes of v_mfma_f32_16x16x16_f16      0 1 2 3   4 5 6 7   ...
    rows of a, and columns of b           0 1 2 3   4 5 6 7   ...
    with quads, the row or column         0 0 0 0   1 1 1 1   ...
    with quads, the part of k             0 1 2 3   0 1 2 3   ...

Memory serves four lanes at once if they read 64 adjacent bytes. In the layout of an instruction they have
four rows, so that a tile goes through LDS to be read by whole lines. With quads, row 4*i + j of the
instruction's tile has part j of each 64 bytes of row i, and its column 4*l + j has part j of column l. Their
products belong together; those of row 4*i + j and another part of column l mean nothing. In the end, a result
is the sum of its four parts. So the instruction multiplies four times as much as it must, which costs nothing
while the matrix units wait for memory.
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.blockwise.actions import Combine
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.layout import Layout, layout
from asmgen.blockwise.layout.queries import within_axes
from asmgen.blockwise.program import TileValue, layout_of
from asmgen.blockwise.schedules.choices import QUAD, Contract
from asmgen.index import Index

_PARTS_OF_LANE = 2  # bits of the number of parts that a lane adds up


def of_quads(choice: Contract) -> Contract:
    """The choice for the tile that the instruction multiplies."""
    return replace(choice, m=QUAD * choice.m, n=QUAD * choice.n, k=choice.k // QUAD)


def in_memory(line: Index, along: Index, access: int) -> tuple[Index, Index]:
    """The row of a, or the column of b, and the place along k of an element of the instruction's tile. Lanes
    read `access` elements along k at once.
    """
    part = line % QUAD
    return line // QUAD, along // access * (QUAD * access) + part * access + along % access


def summed_quads(builder: TileBuilder, parts: TileValue) -> TileValue:
    """The sums of four parts of k for each result, {P,M,N}, of tiles {P,4*M,4*N}. The parts of other waves
    follow."""
    count, rows, columns = layout_of(parts).sizes
    m, n = rows // QUAD, columns // QUAD
    by_parts = builder.reshape(parts, (count, m, QUAD, n, QUAD))
    sums = builder.reduce(Combine.SUM, (2, 4), by_parts, diagonal=True)
    return builder.reshape(sums, (count, m, n))


def spread(parts: TileValue) -> Layout:
    """The layout in which lanes add up the parts {P,M,N} of waves: each has some parts of a result."""
    of = layout_of(parts)
    bits = within_axes(of, (0,))
    along = sorted([of.waves[bit] for bit in bits.waves])
    results = sorted(set(of.columns) - set(along) - {0})
    registers, others = along[:_PARTS_OF_LANE], (*along[_PARTS_OF_LANE:], *results)
    lanes, waves = len(of.lanes), len(of.waves)
    padded = (*others, *[0] * (lanes + waves - len(others)))
    more = padded[lanes + waves :]  # results of which a lane has several
    return layout(of.sizes, (*registers, *more), padded[:lanes], padded[lanes : lanes + waves])
