"""one_hot and nll_loss as sequences of simpler ops."""

from __future__ import annotations

from asmgen.graph import ops
from asmgen.graph.compose.writer import Writer
from asmgen.graph.infer.choice import class_axis
from asmgen.ir.program import Value, tensor_type
from asmgen.ir.types import I32, computed


def one_hot(write: Writer, indices: Value) -> Value:
    """Whether the place along the axis is the index."""
    result, axis = tensor_type(write.origin.result), int(write.attribute("axis"))
    axis %= result.rank
    along = tuple([dim if at == axis else 1 for at, dim in enumerate(result.dims)])
    place = write.wide(write.apply(ops.IOTA, axis=axis, out_lens=along), indices.type.element)
    is_there = write.apply(ops.EQUAL, write.apply(ops.UNSQUEEZE, indices, axes=(axis,)), place)
    return write.wide(is_there, result.element)


def nll_loss(write: Writer, x: Value, target: Value, *weight: Value) -> Value:
    """-x at the target, times the weight of its class; 0 if the target is ignored. The mean divides by the
    weights of the other targets."""
    axis, wide = class_axis(tensor_type(x).rank), computed(x.type.element)
    target = write.apply(ops.UNSQUEEZE, target, axes=(axis,))
    loss = write.apply(ops.NEG, write.wide(write.apply(ops.TAKE_ALONG_AXIS, x, target, axis=axis), wide))
    weights = [write.wide(write.apply(ops.GATHER, each, target, axis=0), wide) for each in weight]
    for each in weights:
        loss = write.apply(ops.MUL, loss, each)
    is_ignored = write.is_equal(target, write.attribute("ignore_index"))
    loss = write.apply(ops.WHERE, is_ignored, write.number(0, loss), loss)
    if write.origin.attributes["reduction"] == "none":
        return write.apply(ops.SQUEEZE, loss, axes=(axis,))
    total = _sum(write, loss)
    if write.origin.attributes["reduction"] == "sum":
        return total
    if weights:
        left = write.apply(ops.WHERE, is_ignored, write.number(0, loss), weights[0])
        return write.apply(ops.DIV, total, _sum(write, left))
    count = _sum(write, write.wide(write.apply(ops.NOT, is_ignored), I32))
    return write.apply(ops.DIV, total, write.wide(count, wide))


def _sum(write: Writer, x: Value) -> Value:
    """The sum of all elements, without dims."""
    axes = tuple(range(tensor_type(x).rank))
    return write.apply(ops.SQUEEZE, write.apply(ops.REDUCE_SUM, x, axes=axes), axes=axes)
