"""Slices of the results of reductions, which the kernel of the reductions stores itself.

    y = reduce_sum[axes={1}](p)                          {6144,1} of {6144,4096}
    q = slice[axes={0}, starts={0}, ends={4096}](y)      the kernel of y stores q and k: a row is in one of
    k = slice[axes={0}, starts={4096}, ends={6144}](y)   them, and no launch copies rows
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph.ops import SLICE
from asmgen.graph.rewritings.reshapes import in_dims
from asmgen.index.size import Sizes
from asmgen.ir.program import Statement, Value, tensor_type
from isa.named_tuple import NamedTuple


class PartOfRows(NamedTuple):
    """The slice `part` of results, which are `rows` in the dims of the reductions."""

    rows: Value
    part: Statement


def part_of_rows(defined: Mapping[Value, Statement], value: Value, row_dims: Sizes) -> PartOfRows | None:
    """The slice that a value is, before reshapes, of results of reductions with these dims; None if it is
    none, or if only the launch knows its dims."""
    part = defined[value]
    while part.op.keeps_order:
        part = defined[part.operands[0]]
    if part.op is not SLICE or not _is_known(part.result, part.operands[0]):
        return None
    rows = in_dims(defined, part.operands[0], (row_dims,))
    return None if rows is None else PartOfRows(rows, part)


def _is_known(*values: Value) -> bool:
    return all(isinstance(dim, int) for value in values for dim in tensor_type(value).dims)
