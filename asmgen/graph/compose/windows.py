"""Reductions of windows and pooling as reductions of the windows' elements."""

from __future__ import annotations

from functools import reduce

from asmgen.graph import ops
from asmgen.graph.compose.writer import Writer, last_place
from asmgen.graph.infer.windows import Window, windows_of
from asmgen.index.size import Dim
from asmgen.ir.identities import filling
from asmgen.ir.program import Op, Value, tensor_type

_REDUCES: dict[str, Op] = {kind: op for op, kind in ops.REDUCTIONS.items()}


def reduce_window(write: Writer, x: Value) -> Value:
    return _pooled(write, x, str(write.origin.attributes["combine"]))


def max_pool(write: Writer, x: Value) -> Value:
    return _pooled(write, x, "max")


def avg_pool(write: Writer, x: Value) -> Value:
    """The sum of the elements that exist by their number, or the mean of whole windows."""
    windows = windows_of(write.origin.op, write.origin.attributes, tensor_type(x).rank)
    padded = [window for window in windows if window.before or window.after]
    if not padded or write.origin.attributes["count_pads"]:
        return _pooled(write, x, "mean")
    total = _of_windows(write, write.wide(x), "sum")
    counts = [_count_of(write, number, window, x, total) for number, window in enumerate(windows)]
    count = reduce(lambda a, b: write.apply(ops.MUL, a, b), counts)
    inverse = write.apply(ops.RECIP, write.wide(count, total.type.element))
    return _squeezed(write, write.apply(ops.MUL, total, inverse), windows)


def _pooled(write: Writer, x: Value, combine: str) -> Value:
    windows = windows_of(write.origin.op, write.origin.attributes, tensor_type(x).rank)
    return _squeezed(write, _of_windows(write, x, combine), windows)


def _squeezed(write: Writer, pooled: Value, windows: tuple[Window, ...]) -> Value:
    """Without the dims of the elements of windows."""
    axes = tuple([window.axis + number for number, window in enumerate(windows, 1)])
    return write.apply(ops.SQUEEZE, pooled, axes=axes)


def _of_windows(write: Writer, x: Value, combine: str) -> Value:
    """The elements of each window combined, with the identity element in the padding; a dim of 1 is next to
    each dim of windows.
    """
    type_ = tensor_type(x)
    windows = windows_of(write.origin.op, write.origin.attributes, type_.rank)
    pads = {window.axis: (window.before, window.after) for window in windows}
    widths = [pads.get(axis, (0, 0)) for axis in range(type_.rank)]
    if any(map(any, widths)):
        number = filling(combine, type_.element, write.propagates_nan)
        before, after = zip(*widths, strict=True)
        x = write.apply(ops.PAD, x, pads=(*before, *after), mode="constant", value=number)
    listed = {
        "axes": tuple([window.axis for window in windows]),
        "sizes": tuple([window.length for window in windows]),
        "strides": tuple([window.stride for window in windows]),
        "dilations": tuple([window.dilation for window in windows]),
    }
    own = tuple([window.axis + number for number, window in enumerate(windows, 1)])
    spread = write.apply(ops.WINDOWS, x, **listed)
    return write.apply(_REDUCES[combine], spread, axes=own)


def _count_of(write: Writer, before: int, window: Window, x: Value, total: Value) -> Value:
    """How many elements each window along an axis has: those from index 0 on and before the last. `before`
    axes of windows are before it.
    """
    own, rank, size = window.axis + before, tensor_type(total).rank, tensor_type(x).dims[window.axis]

    def along(dim: Dim) -> Value:
        dims = tuple([dim if axis == own else 1 for axis in range(rank)])
        return write.apply(ops.IOTA, axis=own, out_lens=dims)

    def number(value: int) -> Value:
        return write.number(value, place)

    def by_dilation(value: Value) -> Value:
        positive = write.apply(ops.MAX, value, number(0))
        return positive if window.dilation == 1 else write.apply(ops.DIV, positive, number(window.dilation))

    place = along(tensor_type(total).dims[own])
    moved = place if window.stride == 1 else write.apply(ops.MUL, place, number(window.stride))
    first = write.apply(ops.SUB, number(window.before + window.dilation - 1), moved)
    if isinstance(size, int):
        after = write.apply(ops.ADD, first, number(size))
    else:
        last = last_place(write, along(size), own)
        after = write.apply(ops.ADD, write.apply(ops.ADD, first, last), number(1))
    end = write.apply(ops.MIN, by_dilation(after), number(window.length))
    return write.apply(ops.MAX, write.apply(ops.SUB, end, by_dilation(first)), number(0))
