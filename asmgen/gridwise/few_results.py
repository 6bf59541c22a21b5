"""The parts of reductions of which only the launch knows how many results there are: few results are in
parts, so that all units read. Many results are not.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable
from math import prod

from asmgen.blockwise.schedules.choosing.column import SEGMENT_BYTES
from asmgen.blockwise.schedules.choosing.parts import UNITS_OF_STORED_ROW, Share
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.work import Work
from asmgen.graph.at_sizes import module_at
from asmgen.index.size import Dim, Size, at, at_least, number
from isa.target import Target

# Bytes that a workgroup reads for a row, or for columns of a line of memory, at least: softmax of {m,50257}
# of f16 takes 17,986 clocks on gfx942 for up to 64 rows, and 21,499 to 28,176 in parts.
LEAST_BYTES = 1 << 17
MOST_BITS = 12  # of the sizes for which parts are tried
BITS_OF_COLUMNS = 6  # of the least number of adjacent columns for which they are tried


def share_of_few_results(graph: Graph, target: Target, share_of: Callable[[Graph, Target], Share]) -> Share:
    """The share for few results of named dims, if that is in parts: `rows` is the most results. `share_of`
    has the share of a graph of known dims. If memory is contiguous along the reduced dims, a workgroup for
    every eighth unit is enough: sums of {64,128000} f32 take 22,109 clocks on gfx942, and 26,309 in parts."""
    work = graph.work
    is_chain_of_columns = work.levels > 1 and not work.reduces_fast
    if is_chain_of_columns or _bytes_of_group(work) < LEAST_BYTES:
        return Share(1)
    first = BITS_OF_COLUMNS if isinstance(work.dims[-1], Size) else 0
    few = share_of(_at(graph, first), target)
    if few.parts == 1:
        return few

    def is_whole(bits: int) -> bool:
        return share_of(_at(graph, bits), target).parts == 1

    kept = prod([work.dims[axis] for axis in work.kept])
    rows = _results(kept, graph, first + bisect(range(first + 1, MOST_BITS), False, key=is_whole))
    if work.reduces_fast:
        rows = min(rows, max(_results(kept, graph, 0), target.compute_units // UNITS_OF_STORED_ROW))
    return few._replace(rows=rows if at_least(kept, rows + 1).is_possible else 0)


def _bytes_of_group(work: Work) -> int:
    of_result = prod([work.planned[axis] for axis in work.reduced]) * work.streams
    return of_result * (work.element if work.reduces_fast else SEGMENT_BYTES)


def _results(kept: Dim, graph: Graph, bits: int) -> int:
    return number(at((kept,), _sizes(graph, bits))[0])


def _at(graph: Graph, bits: int) -> Graph:
    """The graph for named dims of 2**bits, or as near to it as they may be."""
    module = module_at(graph.module, _sizes(graph, bits))
    return Graph(module, graph.outputs, graph.propagates_nan, graph.room, graph.rounds_factors)


def _sizes(graph: Graph, bits: int) -> dict[str, int]:
    return {symbol.name: min(max(1 << bits, symbol.low), symbol.high) for symbol in graph.named}
