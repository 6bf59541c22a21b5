"""Along which axis of a value its elements are neighbours in memory, and how many bytes an element is made
of."""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.blockwise.schedules.elements.indices import Indices, total
from asmgen.blockwise.schedules.elements.maps import Leaf, leaves
from asmgen.blockwise.schedules.elements.merged_dims import coordinate_symbols, stride
from asmgen.graph.ops import PARAM
from asmgen.index.size import Size, most
from asmgen.ir.program import Statement, Value, tensor_type


def is_along(defined: Mapping[Value, Statement], value: Value, axis: int) -> bool:
    """Whether the largest buffer that a value is made of has neighbours in memory along `axis`, one of the
    last two axes of the value."""
    at = coordinate_symbols(tensor_type(value).dims)
    buffers = [leaf for leaf in leaves(defined, value, at) if defined[leaf.value].op is PARAM]
    if not buffers:
        return axis == -1
    largest = max(buffers, key=lambda leaf: most(tensor_type(leaf.value).elements))
    address = total(largest.indices, tensor_type(largest.value).strides)
    steps = [stride(address, at[each]) for each in (axis, -3 - axis)]
    return steps[0] == 1 or (steps[1] != 1 and axis == -1)


def loaded_bytes(defined: Mapping[Value, Statement], value: Value) -> int:
    """The bytes that are loaded for an element of a value: of each buffer with half as many elements or more,
    and of each part of a concatenation, which is loaded for the elements of the others too. Smaller buffers,
    such as scales of rows, do not count."""
    type_ = tensor_type(value)
    at = coordinate_symbols(type_.dims)
    read = {leaf for leaf in leaves(defined, value, at) if defined[leaf.value].op is PARAM}
    sizes = [
        tensor_type(leaf.value).element.bytes
        for leaf in read
        if 2 * most(tensor_type(leaf.value).elements) >= most(type_.elements) or _has_both_axes(leaf, at)
    ]
    return sum(sizes) or type_.element.bytes


def _has_both_axes(leaf: Leaf, at: Indices) -> bool:
    """Whether the elements of a leaf differ along both of the last two axes of a value."""
    address = total(leaf.indices, tensor_type(leaf.value).strides)
    steps = [stride(address, symbol) for symbol in at[-2:]]
    return all(isinstance(step, Size) or bool(step) for step in steps)
