"""Ops on rows and on groups of channels as reductions and pointwise ops."""

from __future__ import annotations

from asmgen.graph import ops
from asmgen.graph.compose.pointwise import isnan
from asmgen.graph.compose.writer import Writer, last_place
from asmgen.graph.infer.reduce import MOST_PLACES
from asmgen.graph.rounded import rounded_to
from asmgen.index.size import Dim, Size, least
from asmgen.ir.program import Op, Value, tensor_type
from asmgen.ir.types import BOOL, I32


def any_of(write: Writer, x: Value) -> Value:
    return _of_truths(write, x, ops.REDUCE_MAX, ops.REDUCE_SUM)


def all_of(write: Writer, x: Value) -> Value:
    return _of_truths(write, x, ops.REDUCE_MIN, ops.REDUCE_PROD)


def _of_truths(write: Writer, x: Value, op: Op, of_nothing: Op) -> Value:
    """A reduction of 1 for each element that is not 0. If the axis is or may be empty, it is a sum or a
    product."""
    truth = x if x.type.element is BOOL else write.wide(x, BOOL)
    if tensor_type(x).dims == tensor_type(write.origin.result).dims:
        return truth
    used = of_nothing if 0 in map(least, tensor_type(x).dims) else op
    return write.apply(used, write.wide(truth, I32), axes=write.origin.attributes["axes"])


def argmax(write: Writer, x: Value) -> Value:
    return _arg(write, x, ops.REDUCE_MAX)


def argmin(write: Writer, x: Value) -> Value:
    return _arg(write, x, ops.REDUCE_MIN)


def _arg(write: Writer, x: Value, op: Op) -> Value:
    """The first or the last index of the extreme element. All steps are in the type of computation:
    elements are compared with the extreme as it is rounded there.

    If a NaN wins and the extreme is NaN, the index is that of a NaN. If a NaN loses, the extreme is NaN
    only in a row of NaN alone, which equals no element: the index is then the first or the last of the
    row.
    """
    x = write.wide(x)
    axis, is_last = write.origin.attributes["axis"], write.origin.attributes["select_last_index"]
    assert isinstance(axis, int)
    dims = tensor_type(x).dims
    axis %= len(dims)
    extreme = write.apply(op, x, axes=(axis,))
    is_found = write.apply(ops.EQUAL, x, extreme)
    if x.type.element.is_float and write.propagates_nan:
        both = write.apply(ops.LOGICAL_AND, isnan(write, x), isnan(write, extreme))
        is_found = write.apply(ops.LOGICAL_OR, is_found, both)
    index = write.apply(ops.IOTA, axis=axis, out_lens=dims)
    nowhere = _nowhere(dims[axis], bool(is_last))
    places = write.apply(ops.WHERE, is_found, index, write.number(nowhere, index))
    place = write.apply(ops.REDUCE_MAX if is_last else ops.REDUCE_MIN, places, axes=(axis,))
    if not x.type.element.is_float or write.propagates_nan:
        return place
    only = last_place(write, index, axis) if is_last else write.number(0, place)
    return write.apply(ops.WHERE, write.is_equal(place, nowhere), only, place)


def _nowhere(size: Dim, is_last: bool) -> int:
    """A number outside of all indices that loses against each: before the first index, or after the last."""
    if is_last:
        return -1
    return MOST_PLACES if isinstance(size, Size) else size


def logsoftmax(write: Writer, x: Value) -> Value:
    """x - m - log(sum(exp(x - m))), m the greatest of the row."""
    wide, axes = write.wide(x), (write.origin.attributes["axis"],)
    shifted = write.apply(ops.SUB, wide, write.apply(ops.REDUCE_MAX, wide, axes=axes))
    exp, log = (rounded_to(op, x.type.element) for op in (ops.EXP, ops.LOG))
    total = write.apply(ops.REDUCE_SUM, write.apply(exp, shifted), axes=axes)
    return write.apply(ops.SUB, shifted, write.apply(log, total))


def instancenorm(write: Writer, x: Value, *others: Value) -> Value:
    return _of_groups(write, x, tensor_type(x).dims[1], others)


def groupnorm(write: Writer, x: Value, *others: Value) -> Value:
    return _of_groups(write, x, int(write.attribute("groups")), others)


def _of_groups(write: Writer, x: Value, groups: Dim, others: tuple[Value, ...]) -> Value:
    """(x - m) / sqrt(v + epsilon) with the mean and the variance of each group of channels, times scale and
    with bias, which channels have.
    """
    batch, channels, *rest = tensor_type(x).dims
    grouped = (batch, groups, channels // (max(groups, 1) if isinstance(groups, int) else groups), *rest)
    axes = tuple(range(2, len(grouped)))
    wide = write.wide(x)
    if 0 in grouped:
        return x
    wide = write.apply(ops.RESHAPE, wide, dims=grouped)
    centred = write.apply(ops.SUB, wide, write.apply(ops.REDUCE_MEAN, wide, axes=axes))
    square = write.apply(ops.REDUCE_MEAN, write.apply(ops.MUL, centred, centred), axes=axes)
    epsilon = write.number(write.attribute("epsilon"), wide)
    root = rounded_to(ops.RSQRT, x.type.element)
    value = write.apply(ops.MUL, centred, write.apply(root, write.apply(ops.ADD, square, epsilon)))
    for op, other in zip((ops.MUL, ops.ADD), others, strict=False):
        dims = (1, *grouped[1:3], *[1] * (len(grouped) - 3))
        value = write.apply(op, value, write.apply(ops.RESHAPE, write.wide(other), dims=dims))
    value = write.wide(value, x.type.element)
    same = tensor_type(x).dims
    return value if grouped == same else write.apply(ops.RESHAPE, value, dims=same)
