"""The two axes of a permutation. The inputs and the outputs of a transpose are contiguous along different
dims. Other permutations keep the last dim.

{8,56,56,64} from {8,64,56,56}      the dims are 8, 3136 and 64. The input is contiguous along the 3136
                                    pixels, and the output along the 64 channels
{4,12,512,64} from {4,512,12,64}    the dims are the same. A lane has accesses of four of the 12 heads
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from asmgen.blockwise.schedules.elements.indices import Indices, total
from asmgen.blockwise.schedules.elements.maps import has_border, leaves, moves
from asmgen.blockwise.schedules.elements.merged_dims import (
    Dims,
    apart_at_sizes,
    coordinate_symbols,
    merged,
    stride,
)
from asmgen.graph.ops import PARAM
from asmgen.index import Index
from asmgen.index.size import Dim, Size, Sizes, at_most
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import row_major
from isa.named_tuple import NamedTuple
from isa.target import CACHE_LINE

ACCESSES = 4  # of a lane, if it is read along the same axis as it is written


class Axes(NamedTuple):
    """`groups` are the merged dims of the outputs, which are written along the last group.

    Buffers are read along the group at position `read`. If `is_kept`, all are read along the last group, and
    `read` is a group along which a lane has several accesses.
    """

    groups: tuple[Dims, ...]
    read: int
    is_kept: bool = False

    @property
    def written(self) -> int:
        return len(self.groups) - 1

    def sizes(self, dims: Sizes) -> Sizes:
        """The sizes of the groups."""
        return tuple([prod([dims[axis] for axis in group]) for group in self.groups])


def axes_of(defined: Mapping[Value, Statement], outputs: Sequence[Value]) -> Axes | None:
    """The axes of a kernel that permutes axes; None of another kernel, or if outputs have several shapes."""
    shapes = {tensor_type(value).dims for value in outputs}
    if len(shapes) != 1:
        return None
    (dims,) = shapes
    long = [axis for axis, dim in enumerate(dims) if not at_most(dim, 1).is_shown]
    if 0 in dims or len(long) < 2:
        return None
    symbols = coordinate_symbols(dims)
    read = _addresses(defined, outputs, symbols)
    along = next(filter(None, [_read(address, symbols, long) for address in read]), None)
    is_kept = (
        along is None and _is_moved(defined) and any(_is_permuted(address, symbols, long) for address in read)
    )
    if along is None and not is_kept:
        return None
    addresses = list(dict.fromkeys([total(symbols, row_major(dims)), *read]))
    groups = apart_at_sizes(dims, merged(dims, (), symbols, addresses))
    if along is None:
        element = min([tensor_type(value).element.bytes for value in outputs])
        return _kept(groups, dims, symbols, addresses, element)
    (position,) = [position for position, group in enumerate(groups) if along[0] in group]
    return Axes(groups, position) if position + 1 < len(groups) else None


def _addresses(defined: Mapping[Value, Statement], outputs: Sequence[Value], symbols: Indices) -> list[Index]:
    """The addresses of parameters that an element of the outputs is made from."""
    reached = dict.fromkeys([leaf for value in outputs for leaf in leaves(defined, value, symbols)])
    return [
        total(leaf.indices, tensor_type(leaf.value).strides)
        for leaf in reached
        if defined[leaf.value].op is PARAM
    ]


def _is_moved(defined: Mapping[Value, Statement]) -> bool:
    """Whether every element is made of elements at known places."""
    return all(
        statement.op.pointwise or not statement.operands or (moves(statement) and not has_border(statement))
        for statement in defined.values()
    )


def _read(address: Index, symbols: Sequence[Index], long: Sequence[int]) -> tuple[int] | None:
    """The dim along which a buffer is contiguous, forwards or backwards, if that is another than the last dim
    of the outputs, and the buffer has elements of its own along both."""
    *others, written = long
    if stride(address, symbols[written]) in (None, 0, 1, -1):
        return None
    return next(((axis,) for axis in others if stride(address, symbols[axis]) in (1, -1)), None)


def _is_permuted(address: Index, symbols: Sequence[Index], long: Sequence[int]) -> bool:
    """Whether a buffer has the dims of the outputs in another order, and the last dim is the same."""
    strides = [stride(address, symbols[axis]) for axis in long]
    numbers = [size for size in strides if isinstance(size, int)]
    return strides[-1] == 1 and 0 not in numbers and numbers != sorted(numbers, reverse=True)


def _kept(
    groups: tuple[Dims, ...], dims: Sizes, symbols: Sequence[Index], addresses: Sequence[Index], element: int
) -> Axes | None:
    """The axes if each address steps along each group by a number. The accesses of a lane are along the group
    without which the number of an access has the fewest divisions; the innermost such group has the smallest
    steps. Lanes fill lines of the cache: if rows are shorter, a lane has no rows that are next to each other.
    """
    strides = [[stride(address, symbols[group[-1]]) for group in groups] for address in addresses]
    sizes = Axes(groups, 0).sizes(dims)
    if isinstance(sizes[-1], Size) or any(None in of_groups for of_groups in strides):
        return None
    is_short = sizes[-1] * element < CACHE_LINE
    known = [
        (axis, size)
        for axis, size in enumerate(sizes[:-1])
        if not isinstance(size, Size)
        and not (is_short and any(of_groups[axis] == sizes[-1] for of_groups in strides))
    ]
    divided = sum(_is_divided(size) for size in sizes)
    costs = {
        axis: (divided - _is_divided(size), size % ACCESSES != 0, -axis) for axis, size in known if size > 1
    }
    return Axes(groups, min(costs, key=lambda axis: costs[axis]), True) if costs else None


def _is_divided(size: Dim) -> bool:
    """Whether a number is divided by a size, and not shifted."""
    return not isinstance(size, Size) and size & (size - 1) != 0
