"""Slices of the results of reductions, or of a product, which the kernel of these stores itself.

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
from asmgen.ir.slices import ends_of
from isa.named_tuple import NamedTuple

_TILE = 16  # rows and columns of most matrix instructions


class PartOfRows(NamedTuple):
    """The slice `part` of results, which are `rows` in the dims of the reductions or of the product."""

    rows: Value
    part: Statement

    def is_of_tiles(self, value: Value) -> bool:
        """Whether `value` is a slice of results of a product along the last axis alone, which begins and ends
        with a tile of a matrix instruction, without a reshape before the slice or after it. Of others the
        rule of races does not always show that no workgroup stores what another stores."""
        of, dims = [tensor_type(each).dims for each in (self.part.operands[0], self.part.result)]
        if tensor_type(self.rows).dims != of or tensor_type(value).dims != dims or of[:-1] != dims[:-1]:
            return False
        return all(size % _TILE == 0 for size in (_first(self.part), dims[-1], of[-1]))


def part_of_rows(defined: Mapping[Value, Statement], value: Value, row_dims: Sizes) -> PartOfRows | None:
    """The slice that a value is, before reshapes, of results of these dims; None if it is none, or if only
    the launch knows its dims."""
    part = defined[value]
    while part.op.keeps_order:
        part = defined[part.operands[0]]
    if part.op is not SLICE or not _is_known(part.result, part.operands[0]):
        return None
    rows = in_dims(defined, part.operands[0], (row_dims,))
    return None if rows is None else PartOfRows(rows, part)


def _first(part: Statement) -> int:
    """The first element of a slice along the last axis."""
    dims = tensor_type(part.operands[0]).dims
    axes, starts, ends = [part.attributes[name] for name in ("axes", "starts", "ends")]
    assert isinstance(axes, tuple) and isinstance(starts, tuple) and isinstance(ends, tuple), part
    for axis, start, end in zip(axes, starts, ends, strict=True):
        assert isinstance(axis, int) and isinstance(start, int) and isinstance(end, int), "the dims are known"
        if axis % len(dims) == len(dims) - 1:
            first, _ = ends_of(dims[-1], start, end)
            assert isinstance(first, int), "the dims are known"
            return first
    return 0


def _is_known(*values: Value) -> bool:
    return all(isinstance(dim, int) for value in values for dim in tensor_type(value).dims)
