"""Shape algebra on dims: numpy's broadcasting, axes, and how types read in messages."""

from __future__ import annotations

from collections.abc import Iterable

from asmgen.index.size import Dim, Sizes
from asmgen.ir.types import TensorType, ValueType, row_major

Dims = Sizes
MOST_WORK_ITEMS = 1 << 31  # along an axis of a grid that the launch gives: their numbers are an i32


def broadcast_dims(shapes: tuple[Dims, ...]) -> Dims | None:
    """The shape to which all of `shapes` broadcast by numpy's rule, or None if they do not."""
    rank = max(map(len, shapes))
    result: list[Dim] = []
    for axis in range(-rank, 0):
        sizes = {shape[axis] for shape in shapes if len(shape) >= -axis} - {1}
        if len(sizes) > 1:
            return None
        result.append(sizes.pop() if sizes else 1)
    return tuple(result)


def broadcast_strides(type_: TensorType, dims: Dims) -> Dims | None:
    """The strides that read `type_` as a tensor of shape `dims`: 0 along repeated axes; None if it does
    not broadcast."""
    missing = len(dims) - type_.rank
    if missing < 0:
        return None
    strides: list[Dim] = [0] * missing
    for have, stride, want in zip(type_.dims, type_.strides, dims[missing:], strict=True):
        if have not in (1, want):
            return None
        strides.append(stride if have == want else 0)
    return tuple(strides)


def same_layout(dims: Dims, left: Dims, right: Dims) -> bool:
    """Whether two lists of strides reach the same elements: the stride of a dim of size 0 or 1 does not
    matter."""
    return 0 in dims or all(dim == 1 or a == b for dim, a, b in zip(dims, left, right, strict=True))


def format_list(numbers: Iterable[object]) -> str:
    return "{" + ",".join(map(str, numbers)) + "}"


def format_type(type_: ValueType) -> str:
    """A type as gen text has it after the arrow."""
    if not isinstance(type_, TensorType):
        return str(type_)
    text = f"{type_.element}, {format_list(type_.dims)}"
    if type_.strides != row_major(type_.dims):
        text += f", {format_list(type_.strides)}"
    return text
