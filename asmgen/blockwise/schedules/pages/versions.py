"""Two versions of a reduction in a kernel: rows of a length that only the launch knows belong to a workgroup
each, or to a few lanes each if they are short. A scalar test at the start chooses.

    softmax {rows,n}, gfx942    n <= 1024: 32 lanes a row, 32 rows a workgroup; otherwise 16 waves a row

The grid has as many workgroups as the version needs. Its number is a minimum, which shows that a workgroup of
the long version has a row:

    min(rows, (rows + 31) floordiv 32 + 2**30 * min(1, n floordiv 1025))
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from asmgen.blockwise.program import Kernel, TileValue
from asmgen.blockwise.schedules.pages.pieces import Tiling, grid_of
from asmgen.blockwise.schedules.pages.reduction import Reduction, begun
from asmgen.blockwise.schedules.work import Graph
from asmgen.index import Index, Symbol, constant
from asmgen.index.size import Dim, size_of

ALL = 1 << 30  # more workgroups than a version needs


def versions(graph: Graph, of_short: Tiling, of_long: Tiling, short: int, many: int) -> Kernel:
    """The kernel that takes rows of up to `short` columns by the tiling `of_short`, if it has `many` rows."""
    work = graph.work
    columns, rows = work.dims[of_long.axis], prod([work.dims[axis] for axis in work.kept])
    few = 1 - (constant(rows) // many).at_most(1)
    is_long = (constant(columns) // (short + 1) + few).at_most(1)
    whole, part = [grid_of(work, tiling.piece(1)) for tiling in (of_long, of_short)]
    grid: dict[str, Dim] = {**whole, "row": _smaller(whole["row"], constant(part["row"]) + is_long * ALL)}
    page = begun(graph, of_long, grid)
    longest = short if _is_named(columns) else None
    for name, version, is_taken in (
        ("long", Reduction(graph, work, of_long, page), is_long),
        ("short", Reduction(graph, work, of_short, page, longest), 1 - is_long),
    ):

        def write(_: Index, __: Sequence[TileValue], version: Reduction = version) -> Sequence[TileValue]:
            version.write()
            return ()

        _ = page.builder.for_(name, 0, is_taken, 1, (), write)
    return page.builder.kernel()


def _is_named(columns: Dim) -> bool:
    """Whether a length is that of a single named dim. The places of an element along several dims are not
    shown to be within these if a loop ends at a minimum."""
    length = constant(columns)
    return not length.constant and [(type(atom), number) for atom, number in length.terms] == [(Symbol, 1)]


def _smaller(count: Dim, other: Index) -> Dim:
    return size_of(constant(count).smaller(other))
