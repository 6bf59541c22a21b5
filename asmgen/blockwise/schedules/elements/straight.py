"""The values that copies can move from memory straight to LDS (`async_copy`)."""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.blockwise.actions import Below
from asmgen.blockwise.rules.copies import REACH
from asmgen.blockwise.schedules.elements.indices import total
from asmgen.blockwise.schedules.elements.maps import leaves, moves
from asmgen.blockwise.schedules.elements.merged_dims import coordinate_symbols, stride
from asmgen.graph.ops import PARAM
from asmgen.index.size import Size, at_most
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import ElementType


def is_copied(defined: Mapping[Value, Statement], value: Value, element: ElementType, size: int) -> bool:
    """Whether a value has the elements of a parameter of a type, in runs of `size` bytes next to each other
    in memory and along one of the last two axes."""
    if tensor_type(value).element is not element:
        return False
    width = size // element.bytes
    dims, place = tensor_type(value).dims, coordinate_symbols(tensor_type(value).dims)
    conditions: set[Below] = set()
    found = list(leaves(defined, value, place, conditions))
    read = value
    while moves(defined[read]):
        read = defined[read].operands[0]
    if conditions or [leaf.value for leaf in found] != [read] or defined[read].op is not PARAM:
        return False
    buffer = tensor_type(read)
    address = total(found[0].indices, buffer.strides)
    steps = [stride(address, index) for index in place]
    apart = [step for step, dim in zip(steps, dims, strict=True) if step != 1 and dim != 1]
    return (
        not any(isinstance(size, Size) for size in (*dims, *buffer.dims, *buffer.strides))
        and at_most(buffer.span * buffer.element.bytes, REACH).is_shown
        and all(step is not None and step % width == 0 for step in apart)
        and any(step == 1 and dim % width == 0 for step, dim in zip(steps[-2:], dims[-2:], strict=True))
    )
