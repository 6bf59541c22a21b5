"""Versions of a reduction in a kernel: rows of a length that only the launch knows belong to a workgroup
each, to a wave each if they are shorter, or to a few lanes each if they are short. Scalar tests choose.

    softmax {rows,n}, gfx942    n <= 16: 4 lanes a row, 256 rows a workgroup
                                n <= 128: 16 lanes a row, 64 rows a workgroup
                                n <= 4096: a wave a row, 16 rows a workgroup
                                otherwise, or if there are few rows and n > 512, 16 waves a row

The grid has as many workgroups as the version needs. Its number is a minimum, which shows that a workgroup of
the long version has a row:

    min(rows, (rows + 255) floordiv 256 * (1 + 3 * min(1, n floordiv 17) + 12 * min(1, n floordiv 129))
              + 2**30 * min(1, n floordiv 4097))

If rows have four times the lanes in the next version, four times the workgroups suffice for it; some of them
may have no row.

If several axes are reduced and the launch knows the last, these versions take all reduced axes as a single
axis of which an element is found by division, unless the last axis is long. Otherwise loops go along the
other axes, and the lanes have elements of the last axis alone:

    batch norm of {n,64,h} over 0 and 2, gfx942    h <= 4096: rows of n*h elements
                                                   otherwise n times rows of h
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Protocol

from asmgen.blockwise.program import Kernel, TileValue
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages.pieces import Tiling, grid_of
from asmgen.blockwise.schedules.pages.reduction import Page, Reduction, begun
from asmgen.blockwise.schedules.work import ALL_GROUPS, Work
from asmgen.index import Index, constant
from asmgen.index.size import Dim, size_of
from isa.named_tuple import NamedTuple


class Version(NamedTuple):
    """A tiling of some work for rows of up to `most` elements, unless the versions before it take them. Few
    rows have up to `of_few` elements. A workgroup has `rows` rows.
    """

    name: str
    work: Work
    tiling: Tiling
    rows: int = 1
    most: int = 0
    of_few: int = 0


class Written(Protocol):
    """A kernel of rows, or a version of it in a kernel that is begun."""

    def write(self) -> None:
        """Write the statements."""


Writer = Callable[[Graph, Work, Tiling, Page | None, int | None], Written]


def versions(
    graph: Graph,
    of_long: Version,
    shorter: Sequence[Version],
    many: int,
    apart: Version | None = None,
    writer: Writer = Reduction,
) -> Kernel:
    """The kernel that takes rows by the first version of `shorter`, in order of their elements, that has so
    many elements; fewer rows than `many` are few. `of_long` takes longer rows. If the last dim has more than
    the elements of `apart`, that takes the rows.
    """
    work = of_long.work
    rows = prod([work.dims[axis] for axis in work.kept])
    is_apart = constant(0) if apart is None else _is_more(apart, apart.most)
    few = 1 - (constant(rows) // many).at_most(1)
    beyond = [_is_beyond(version, few, is_apart) for version in shorter]
    grid = grid_of(work, of_long.tiling.piece(1))
    if shorter:
        grid["row"] = _groups(grid["row"], shorter, beyond)
    page = begun(graph, of_long.tiling, grid)

    def write(version: Version, is_taken: Index, longest: int | None = None) -> None:
        def written(_: Index, __: Sequence[TileValue]) -> Sequence[TileValue]:
            writer(graph, version.work, version.tiling, page, longest).write()
            return ()

        _ = page.builder.for_(version.name, 0, is_taken, 1, (), written)

    def write_shorter(_: Index, __: Sequence[TileValue]) -> Sequence[TileValue]:
        write(shorter[0], 1 - beyond[0], shorter[0].most)
        if len(shorter) > 2:  # a branch of their own shows that no other of them has rows of the first
            return page.builder.for_("others", 0, beyond[0], 1, (), write_others)
        return write_others(beyond[0], ())

    def write_others(_: Index, __: Sequence[TileValue]) -> Sequence[TileValue]:
        is_left = beyond[0]
        for version, is_more in zip(shorter[1:], beyond[1:], strict=True):
            write(version, is_left - is_more, version.most)
            is_left = is_more
        return ()

    is_long = beyond[-1] if beyond else constant(1)
    write(of_long, is_long.times(1 - is_apart))
    if apart is not None:
        write(apart, is_apart)
    if len(shorter) == 1:
        _ = write_shorter(constant(0), ())
    elif shorter:  # after the long versions a single branch skips all others
        _ = page.builder.for_("shorter", 0, 1 - beyond[-1], 1, (), write_shorter)
    return page.builder.kernel()


def _is_more(version: Version, most: int) -> Index:
    """1 if a row has more than so many elements along the axis of its pieces, else 0."""
    return (constant(version.work.dims[version.tiling.axis]) // (most + 1)).at_most(1)


def _is_beyond(version: Version, few: Index, is_apart: Index) -> Index:
    """1 if neither a version nor those before it take the rows, else 0."""
    beyond = _is_more(version, version.most) + is_apart
    if version.of_few < version.most:
        beyond += few.times(_is_more(version, version.of_few))
    return beyond.at_most(1)


def _groups(of_long: Dim, shorter: Sequence[Version], beyond: Sequence[Index]) -> Dim:
    """The workgroups of the version that takes the rows."""
    first = shorter[0]
    least = constant(grid_of(first.work, first.tiling.piece(1))["row"])
    lanes = [first.rows // version.rows for version in shorter]
    groups = least + beyond[-1] * ALL_GROUPS
    for before, after, is_beyond in zip(lanes, lanes[1:], beyond, strict=False):
        groups += least.times(is_beyond) * (after - before)
    return size_of(constant(of_long).smaller(groups))
