"""Shape algebra on dims: numpy's broadcasting, axes, and how types read in messages."""

from __future__ import annotations

from collections.abc import Iterable

from asmgen.index.size import Dim, Size, Sizes
from asmgen.ir.types import TensorType, ValueType, row_major
from isa.named_tuple import NamedTuple

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


class SharedParts(NamedTuple):
    """For each dim of an operand, and for each dim of its reshape, the parts that it is the product of. In
    order, the parts of the operand are those of the reshape."""

    own: tuple[Dims, ...]
    made: tuple[Dims, ...]


def shared_parts(dims: Dims, to: Dims) -> SharedParts | None:
    """The parts that dims have in common with those of their reshape: 6, 4 and 2 for {6,8} and {24,2}. None
    if there are none, as for {6,8} and {8,6}, or if a dim that only the launch knows is merged or split."""
    own: list[list[Dim]] = [[] for _ in dims]
    made: list[list[Dim]] = [[] for _ in to]
    axis, new = len(dims), len(to)
    left: Dim = 1  # of the dim `axis` of the operand, without the parts that are found
    right: Dim = 1
    while True:
        while left == 1 and axis > 0:
            axis -= 1
            left = dims[axis]
        while right == 1 and new > 0:
            new -= 1
            right = to[new]
        if left == 1 and right == 1:
            return SharedParts(*[tuple([tuple(reversed(parts)) for parts in side]) for side in (own, made)])
        part = _shared(left, right)
        if part == 1:
            return None
        own[axis].append(part)
        made[new].append(part)
        left, right = left // part, right // part


def _shared(left: Dim, right: Dim) -> Dim:
    """The smaller of two dims, if it divides the other; else 1."""
    if left == right:
        return left
    if isinstance(left, Size) or isinstance(right, Size) or min(left, right) < 1:
        return 1
    return 1 if max(left, right) % min(left, right) else min(left, right)


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
