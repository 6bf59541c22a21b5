"""The products of a workgroup by the single matrix that has its columns, if the second factor is several
matrices next to each other (`joined_columns`).

    w = concat[axis=0](wq, wk)      {5120,4096} of {4096,4096} and {1024,4096}, tiles of 4 columns

A workgroup from 0 to 1023 reads wq alone, and any other reads wk. The loop over k is in the code for each
matrix. Around it is a loop of a single trip or none. Its counter is the number of the workgroup, within
bounds that say which matrix it reads, so no load has a condition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.elements.joined_columns import joined_columns
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.graph.ops import DOT
from asmgen.index import Index

Sums = Callable[[Index, Sequence[TileValue]], Sequence[TileValue]]


def groups_of_parts(graph: Graph, choice: Contract) -> tuple[int, ...]:
    """How many workgroups along the columns read each of the matrices that the second factor of the only
    product has next to each other; empty if a workgroup reads two of them, or if the choice does not fit."""
    if not (choice.reads_parts and graph.products[0].op is DOT):
        return ()
    columns = joined_columns(graph.defined, graph.products[0].operands[1])
    is_whole = not any(count % choice.n for count in columns)
    return tuple([count // choice.n for count in columns]) if is_whole else ()


def in_parts(
    builder: TileBuilder, number: Index, counts: Sequence[int], zeros: Sequence[TileValue], sums: Sums
) -> Sequence[TileValue]:
    """The sums of the workgroup with this `number` along the columns. `counts` are the workgroups of each
    matrix. `sums` adds the products of a matrix, from the number within bounds and the sums so far."""
    first, totals = 0, zeros
    for count in counts:
        last = first + count - 1
        inside = -(-number.at_most(last)).at_most(-first)
        stop = inside + 1 - _is_over(number - last) - _is_over(first - number)
        totals = builder.for_("part", inside, stop, 1, totals, sums)
        first += count
    return totals


def _is_over(index: Index) -> Index:
    """1 if an index is more than 0, else 0."""
    return (-(-index).at_most(0)).at_most(1)
