"""Reduces the axes that a reshape has merged, if their elements are not equally far apart in memory, or may
not be: after a transpose.

    t of {8,3,3}, with strides of {1,64,1}            y = reduce_max[axes={1,2}](t)    {8,1,1}
    r = reshape[dims={8,9}](t)            becomes     z = reshape[dims={8,1}](y)
    z = reduce_max[axes={1}](r)

A merged axis of such elements has an index with divisions, and its length does not say which elements follow
each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from asmgen.graph.ops import REDUCTIONS, RESHAPE, TRANSPOSE
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import Size
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type
from asmgen.ir.types import TensorType
from isa.named_tuple import NamedTuple


def with_split_axes(module: Module) -> Module:
    """The module with each such reduction of the value before its reshape."""
    defined = definitions(module)
    rewriter = Rewriter(module)
    for statement in module.statements:
        axes = _split(statement, defined) if statement.op in REDUCTIONS else None
        if axes is None:
            rewriter.keep(statement)
        else:
            before = defined[statement.operands[0]].operands
            reduced = rewriter.apply(statement.op, before, statement, axes=axes)
            rewriter.finish(RESHAPE, (reduced,), statement, dims=tensor_type(statement.result).dims)
    return rewriter.module()


def _split(reduction: Statement, defined: Mapping[Value, Statement]) -> tuple[int, ...] | None:
    """The axes to reduce before the reshape; None if the reduction is to stay."""
    reshape = defined[reduction.operands[0]]
    if reshape.op is not RESHAPE:
        return None
    is_moved = defined[reshape.operands[0]].op is TRANSPOSE
    before, after = tensor_type(reshape.operands[0]), tensor_type(reshape.result)
    reduced = [
        axis
        for axis, (dim, left) in enumerate(zip(after.dims, tensor_type(reduction.result).dims, strict=True))
        if dim != left
    ]
    axes: list[int] = []
    is_strided = False
    for group in _groups(before, after):
        in_group = [axis in reduced for axis in group.after if after.dims[axis] != 1]
        if not any(in_group):
            continue
        if not all(in_group):
            return None
        axes += group.before
        is_strided |= is_moved or not _is_one_axis(before, group.before)
    return tuple(axes) if is_strided else None


class _Group(NamedTuple):
    """Successive axes before and after a reshape which have the same elements."""

    before: range
    after: range


def _groups(before: TensorType, after: TensorType) -> list[_Group]:
    """The smallest groups; empty if only the launch knows a dim, or if
    there are no elements."""
    given = [dim for dim in before.dims if not isinstance(dim, Size) and dim]
    wanted = [dim for dim in after.dims if not isinstance(dim, Size) and dim]
    if len(given) != len(before.dims) or len(wanted) != len(after.dims):
        return []
    groups: list[_Group] = []
    first = second = 0
    while first < len(given) and second < len(wanted):
        begin, start = first, second
        left, right = given[first], wanted[second]
        first, second = first + 1, second + 1
        while left != right:
            if left < right:
                left, first = left * given[first], first + 1
            else:
                right, second = right * wanted[second], second + 1
        groups.append(_Group(range(begin, first), range(start, second)))
    return groups


def _is_one_axis(type_: TensorType, axes: range) -> bool:
    """Whether the elements of successive axes are equally far apart."""
    long = [axis for axis in axes if type_.dims[axis] != 1]
    return all(
        type_.strides[axis] == type_.strides[inner] * type_.dims[inner] for axis, inner in pairwise(long)
    )
