"""Versions of a reduction in a kernel: rows of a length that only the launch knows belong to a workgroup
each, to a wave each if they are shorter, or to a few lanes each if they are short. Scalar tests choose.

    softmax {rows,n}, gfx942    n <= 128: 16 lanes a row, 64 rows a workgroup
                                n <= 4096: a wave a row, 16 rows a workgroup
                                otherwise 16 waves a row

The grid has as many workgroups as the version needs. Its number is a minimum, which shows that a workgroup of
the long version has a row:

    min(rows, (rows + 63) floordiv 64 * (1 + 3 * min(1, n floordiv 129)) + 2**30 * min(1, n floordiv 4097))

If rows have four times the lanes in the next version, four times the workgroups suffice for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from asmgen.blockwise.program import Kernel, TileValue
from asmgen.blockwise.schedules.pages.pieces import Tiling, grid_of
from asmgen.blockwise.schedules.pages.reduction import Reduction, begun
from asmgen.blockwise.schedules.work import ALL_GROUPS, Graph
from asmgen.index import Index, constant
from asmgen.index.size import Dim, size_of
from isa.named_tuple import NamedTuple


class Version(NamedTuple):
    """A tiling for rows of up to `most` columns, if the shorter versions do not take them. A workgroup has
    `rows` rows.
    """

    name: str
    tiling: Tiling
    rows: int
    most: int


def versions(graph: Graph, of_long: Tiling, shorter: Sequence[Version], many: int) -> Kernel:
    """The kernel that takes rows by the first version of `shorter`, in order of their columns, that has so
    many columns. The tiling `of_long` takes longer rows, and fewer rows than `many`.
    """
    work = graph.work
    columns, rows = work.dims[of_long.axis], prod([work.dims[axis] for axis in work.kept])
    few = 1 - (constant(rows) // many).at_most(1)
    beyond = [(constant(columns) // (version.most + 1) + few).at_most(1) for version in shorter]
    grid = grid_of(work, of_long.piece(1))
    least = constant(grid_of(work, shorter[0].tiling.piece(1))["row"])
    lanes = [shorter[0].rows // version.rows for version in shorter]
    groups = least + beyond[-1] * ALL_GROUPS
    for before, after, is_beyond in zip(lanes, lanes[1:], beyond, strict=False):
        groups += least.times(is_beyond) * (after - before)
    grid["row"] = _smaller(grid["row"], groups)
    page = begun(graph, of_long, grid)

    def write(name: str, tiling: Tiling, is_taken: Index, longest: int | None = None) -> None:
        def version(_: Index, __: Sequence[TileValue]) -> Sequence[TileValue]:
            Reduction(graph, work, tiling, page, longest).write()
            return ()

        _ = page.builder.for_(name, 0, is_taken, 1, (), version)

    def write_shorter(_: Index, __: Sequence[TileValue]) -> Sequence[TileValue]:
        is_left = constant(1)
        for version, is_beyond in zip(shorter, beyond, strict=True):
            write(version.name, version.tiling, is_left - is_beyond, version.most)
            is_left = is_beyond
        return ()

    write("long", of_long, beyond[-1])
    if len(shorter) == 1:
        _ = write_shorter(constant(0), ())
    else:  # after the long version a single branch skips all others
        _ = page.builder.for_("shorter", 0, 1 - beyond[-1], 1, (), write_shorter)
    return page.builder.kernel()


def _smaller(count: Dim, other: Index) -> Dim:
    return size_of(constant(count).smaller(other))
