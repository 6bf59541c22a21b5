"""Along which axis of a value its elements are neighbours in memory, and how many bytes an element is made
of."""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.blockwise.schedules.elements.indices import Indices, total
from asmgen.blockwise.schedules.elements.maps import Leaf, leaves
from asmgen.blockwise.schedules.elements.merged_dims import coordinate_symbols, stride
from asmgen.graph.ops import PARAM
from asmgen.index import Index
from asmgen.index.size import Size, most
from asmgen.ir.program import Statement, Value, tensor_type
from isa.target import WIDEST_ACCESS


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
    if steps[0] is None and _is_packed_along(address, at[axis], value, largest):
        return True
    return steps[0] == 1 or (steps[1] != 1 and axis == -1)


def _is_packed_along(address: Index, along: Index, value: Value, leaf: Leaf) -> bool:
    """Whether an element of a leaf at `address` has several neighbours `along` an axis of a value, as a byte
    has two of 4 bits."""
    together = _together(value, leaf)
    return together > 1 and along.symbols.isdisjoint((address - along // together).symbols)


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


def elements_of_load(defined: Mapping[Value, Statement], value: Value) -> int:
    """How many neighbouring elements of a value a lane makes of its widest load: 8 of f16 in memory, 16 of
    bytes, 32 of 4 bits each. Buffers without both of the last two axes, such as scales of rows, do not
    count, and a buffer of wider elements counts as one of the value's own."""
    own = tensor_type(value).element.bytes
    at = coordinate_symbols(tensor_type(value).dims)
    read = [leaf for leaf in leaves(defined, value, at) if defined[leaf.value].op is PARAM]
    sizes = [_bytes_of_element(leaf, value, at) for leaf in read if _has_both_axes(leaf, at)]
    return int(WIDEST_ACCESS / min(own, max(sizes, default=own)))


def _bytes_of_element(leaf: Leaf, value: Value, at: Indices) -> float:
    """The bytes of a leaf for an element of a value."""
    size = tensor_type(leaf.value).element.bytes
    address = total(leaf.indices, tensor_type(leaf.value).strides)
    if not any(_is_packed_along(address, along, value, leaf) for along in at[-2:]):
        return size
    return size / _together(value, leaf)


def _together(value: Value, leaf: Leaf) -> int:
    """How many elements of a value have an element of a leaf."""
    return most(tensor_type(value).elements) // most(tensor_type(leaf.value).elements)


def _has_both_axes(leaf: Leaf, at: Indices) -> bool:
    """Whether the elements of a leaf differ along both of the last two axes of a value."""
    address = total(leaf.indices, tensor_type(leaf.value).strides)
    steps = [stride(address, symbol) for symbol in at[-2:]]
    return all(step is None or isinstance(step, Size) or bool(step) for step in steps)
