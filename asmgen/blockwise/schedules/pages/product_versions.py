"""Two versions of the loop of a product, if only the launch knows how many columns the second factor has, or
rows the first, and memory has them next to each other.

    {4096,4096} by {4096,n} of f16, gfx950    n >= 128: loads of 16 bytes; otherwise single elements

The last tile of a matrix with as many columns as a tile ends with the matrix, so that each lane's access is
within a row. A smaller matrix has a single tile, of which some elements do not exist: lanes read single
elements. A loop that runs once or never is around each version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.schedules.elements.neighbours import is_along
from asmgen.index import Index, constant
from asmgen.index.size import Dim, Size, at_least
from asmgen.ir.program import Statement, Value, tensor_type

Sums = Callable[[Sequence[TileValue]], Sequence[TileValue]]


def open_sides(defined: Mapping[Value, Statement], dot: Statement, tile: tuple[int, int]) -> frozenset[int]:
    """The sides of a product, 0 for the rows of the first factor and 1 for the columns of the second, which
    memory has next to each other, and of which only the launch knows whether they fill the tile."""
    sides = zip(dot.operands[:2], tensor_type(dot.result).dims[-2:], tile, strict=True)
    return frozenset(
        [
            side
            for side, (factor, count, size) in enumerate(sides)
            if isinstance(count, Size)
            and at_least(count, size).is_possible
            and not is_along(defined, factor, -1 - side)
        ]
    )


def first_of_tile(number: Index, size: int, dim: Dim) -> Index:
    """The first row or column of a tile of so many: the last tile ends with the matrix, if that is as large
    as a tile."""
    whole = constant(dim)
    return (number * size).smaller(whole - whole.at_most(size))


def in_versions(
    builder: TileBuilder,
    tiles: Sequence[tuple[int, Dim]],
    zeros: Sequence[TileValue],
    wide: Sums,
    single: Sums,
) -> Sequence[TileValue]:
    """The sums by the version `wide` if the matrices fill their `tiles`, each a number of rows or columns and
    that of the matrix, and otherwise by the version `single`."""
    fills = reduce(lambda a, b: a.smaller(b), [(constant(dim) // size).at_most(1) for size, dim in tiles])
    totals = zeros
    for name, trips, sums in (("wide", fills, wide), ("single", 1 - fills, single)):

        def version(_: Index, so_far: Sequence[TileValue], sums: Sums = sums) -> Sequence[TileValue]:
            builder.barrier()  # both versions store to the same LDS
            return sums(so_far)

        totals = builder.for_(name, 0, trips, 1, totals, version)
    return totals
