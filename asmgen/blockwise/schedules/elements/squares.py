"""The two axes of a transpose: buffers that are read, and the outputs, are contiguous along different dims.

{8,56,56,64} from {8,64,56,56}      the dims are 8, 3136 and 64. The input is contiguous along the 3136
                                    pixels, and the output along the 64 channels
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from asmgen.blockwise.schedules.elements.indices import total
from asmgen.blockwise.schedules.elements.maps import leaves
from asmgen.blockwise.schedules.elements.merged_dims import (
    Dims,
    apart_at_sizes,
    coordinate_symbols,
    merged,
    stride,
)
from asmgen.graph.ops import PARAM
from asmgen.index import Index
from asmgen.index.size import Sizes, at_most
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import row_major
from isa.named_tuple import NamedTuple


class Axes(NamedTuple):
    """`groups` are the merged dims of the outputs. Buffers are read along the group at position `read`, and
    the outputs are written along the last group.
    """

    groups: tuple[Dims, ...]
    read: int

    @property
    def written(self) -> int:
        return len(self.groups) - 1

    def sizes(self, dims: Sizes) -> Sizes:
        """The sizes of the groups."""
        return tuple([prod([dims[axis] for axis in group]) for group in self.groups])


def axes_of(defined: Mapping[Value, Statement], outputs: Sequence[Value]) -> Axes | None:
    """The axes of a transpose; None of a kernel that is none, or has outputs of several shapes."""
    shapes = {tensor_type(value).dims for value in outputs}
    if len(shapes) != 1:
        return None
    (dims,) = shapes
    long = [axis for axis, dim in enumerate(dims) if not at_most(dim, 1).is_shown]
    if 0 in dims or len(long) < 2:
        return None
    symbols = coordinate_symbols(dims)
    reached = dict.fromkeys([leaf for value in outputs for leaf in leaves(defined, value, symbols)])
    addresses = {
        leaf: total(leaf.indices, tensor_type(leaf.value).strides)
        for leaf in reached
        if defined[leaf.value].op is PARAM
    }
    read = next(filter(None, [_read(address, symbols, long) for address in addresses.values()]), None)
    if read is None:
        return None
    every = dict.fromkeys([total(symbols, row_major(dims)), *addresses.values()])
    groups = apart_at_sizes(dims, merged(dims, (), symbols, list(every)))
    (position,) = [position for position, group in enumerate(groups) if read[0] in group]
    return Axes(groups, position) if position + 1 < len(groups) else None


def _read(address: Index, symbols: Sequence[Index], long: Sequence[int]) -> tuple[int] | None:
    """The dim along which a buffer is contiguous, if that is another than the last dim of the outputs, and
    the buffer has elements of its own along both."""
    *others, written = long
    if stride(address, symbols[written]) in (None, 0, 1):
        return None
    return next(((axis,) for axis in others if stride(address, symbols[axis]) == 1), None)
