"""The ends of parts of a padded dim that is reduced: how many elements the part of a workgroup has.

    x {m,n}
    padded = pad[pads={0,0,512,0}](x)
    whole = slice[axes={0}, starts={0}, ends={512 * (m floordiv 512) + 512}](padded)
    parts = reshape[dims={m floordiv 512 + 1,512,n}](whole)
    y = reduce_sum[axes={1}](parts)

Part p has the rows of x from 512 p on: at most 512, and m - 512 p if they are fewer. The other rows are
zeros, which change no sum, so a loop over the part may end before them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set

from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.graph.ops import PAD, REDUCTIONS, RESHAPE, SLICE
from asmgen.index import Index, Symbol, constant
from asmgen.index.size import Dim, Size, at_most
from asmgen.ir.identities import filling
from asmgen.ir.program import Statement, Value, tensor_type

At = Callable[[int], Index]


def end_of_part(graph: Graph, axis: int, at: At, uniform: Set[Symbol]) -> Index | None:
    """The number of elements along `axis` of the graph's dims that the part of a workgroup has; it may be
    more than the dim. `at` gives the coordinate along another axis, and `uniform` has the symbols that are
    the same in a workgroup. None if the reductions of a graph are not those of parts of a padded dim, if a
    part may begin after the end of that dim, or if lanes of a workgroup have several parts."""
    sizes = {_padded_run(graph, reduction, axis) for reduction in graph.reductions}
    size, part = sizes.pop() if len(sizes) == 1 else None, at(axis - 1)
    return None if size is None or not part.symbols <= uniform else constant(size) - part * graph.dims[axis]


def _padded_run(graph: Graph, reduction: Statement, axis: int) -> Dim | None:
    """The elements of the dim before the padding of which a reduction has parts along `axis`. No part begins
    after the last of them, since the padding is at most as long as a part."""
    parts = graph.defined[reduction.operands[0]]
    if parts.op is not RESHAPE or axis == 0:
        return None
    run, before = axis - 1, tensor_type(parts.operands[0]).dims
    if (*before[:run], *before[axis:]) != (*graph.dims[:run], *graph.dims[axis + 1 :]):
        return None
    padded = _before_slice(graph.defined, parts.operands[0], run)
    if padded.op is not PAD or padded.attributes["mode"] != "constant":
        return None
    pads, value = padded.attributes["pads"], padded.attributes["value"]
    assert isinstance(pads, tuple)
    nothing = filling(REDUCTIONS[reduction.op], padded.result.type.element, graph.propagates_nan)
    is_neutral = value == nothing or (value != value and nothing != nothing)  # both may be NaN
    is_of_run = not any(
        pads[: len(before)] + pads[len(before) : len(before) + run] + pads[len(before) + axis :]
    )
    more = pads[len(before) + run]
    assert isinstance(more, int | Size)
    is_short = at_most(more, graph.dims[axis]).is_shown
    return tensor_type(padded.operands[0]).dims[run] if is_neutral and is_of_run and is_short else None


def _before_slice(defined: Mapping[Value, Statement], value: Value, axis: int) -> Statement:
    """The statement that makes a value, or the value of which it is the first elements along an axis."""
    statement = defined[value]
    given = statement.attributes
    is_first = statement.op is SLICE and given["axes"] == (axis,) and given["starts"] == (0,)
    return defined[statement.operands[0]] if is_first else statement
