"""interpolate as a sequence of simpler ops: along one axis after the other, elements at their places, or
between the two elements next to their places."""

from __future__ import annotations

from asmgen.graph import ops
from asmgen.graph.compose.writer import Writer
from asmgen.graph.infer.resample import LINEAR, Resampled, resampled_of
from asmgen.ir.program import Value, tensor_type
from asmgen.ir.types import U32


def interpolate(write: Writer, x: Value) -> Value:
    origin = write.origin
    is_linear = origin.attributes["mode"] == LINEAR
    made = write.wide(x) if is_linear else x
    for each in resampled_of(origin.op, tensor_type(x), origin.attributes):
        made = _between(write, made, each) if is_linear else _nearest(write, made, each, each.place.plus)
    return made


def _nearest(write: Writer, x: Value, axis: Resampled, plus: int) -> Value:
    by, _, over = axis.place
    return write.apply(ops.RESAMPLE, x, axis=axis.axis, size=(axis.size,), by=by, plus=plus, over=over)


def _between(write: Writer, x: Value, axis: Resampled) -> Value:
    """(1 - t) a + t b, of the elements a before a place and b after it."""
    before = _nearest(write, x, axis, axis.place.plus)
    after = _nearest(write, x, axis, axis.place.plus + axis.place.over)
    t = _part(write, x, axis)
    rest = write.apply(ops.SUB, write.number(1, t), t)
    return write.apply(ops.ADD, write.apply(ops.MUL, before, rest), write.apply(ops.MUL, after, t))


def _part(write: Writer, x: Value, axis: Resampled) -> Value:
    """How far the places are beyond the element before them: 0 to 1, in the type of x."""
    rank, (by, plus, over) = tensor_type(x).rank, axis.place
    dims = tuple([axis.size if each == axis.axis else 1 for each in range(rank)])
    place = write.wide(write.apply(ops.IOTA, axis=axis.axis, out_lens=dims), U32)  # divided without a sign
    place = write.apply(ops.MUL, place, write.number(by, place))
    if plus < 0:
        place = write.apply(ops.MAX, place, write.number(-plus, place))
        place = write.apply(ops.SUB, place, write.number(-plus, place))
    elif plus:
        place = write.apply(ops.ADD, place, write.number(plus, place))
    whole = write.apply(
        ops.MUL, write.apply(ops.DIV, place, write.number(over, place)), write.number(over, place)
    )
    part = write.wide(write.apply(ops.SUB, place, whole), x.type.element)
    return write.apply(ops.MUL, part, write.number(1 / over, part))
