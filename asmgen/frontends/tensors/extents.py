"""Sizes that only the launch knows, as values of a program: `get_dimension_size`, and shapes made of them.

A dynamic dim of an argument is a named dim of the graph. Shapes are made of its size by sums, products and
concatenations; for any other op `size_numbers` makes it a number of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from asmgen.frontends.tensors.types import element_of
from asmgen.index.size import Dim, Size
from asmgen.mlir.source import Operation
from asmgen.mlir.types import TensorType


class Extents(Struct, frozen=True):
    """Sizes in place of integers, row-major. A single size may be that of every element."""

    sizes: tuple[Dim, ...]


_SIZE = "stablehlo.get_dimension_size"
_DIM = "tensor.dim"
SIZES_OF = frozenset([_SIZE, _DIM])
READS_SHAPES: Mapping[str, int] = {
    "stablehlo.dynamic_broadcast_in_dim": 1, "stablehlo.dynamic_reshape": 1, "stablehlo.dynamic_iota": 0,
    "stablehlo.real_dynamic_slice": 1, "stablehlo.dynamic_slice": 1, "stablehlo.dynamic_update_slice": 2,
    "stablehlo.dynamic_gather": 2, "stablehlo.dynamic_reduce_window": 2,
    "tensor.empty": 0, "tensor.expand_shape": 1, "bufferization.alloc_tensor": 0,
}  # fmt: skip
"""The ops with a rule that takes a shape as an operand, or its dims as several: the number of the first."""
_ASSERTION = "shape_assertion"
_ENDS = ("start_indices", "limit_indices", "strides")  # of a slice
_LEAST_BITS = 32  # of a type in which a size is the same number
_SAME = frozenset(["convert", "reshape", "broadcast_in_dim", "index_cast", "index_castui", "sitofp"])
_FUNCTIONS: Mapping[str, Callable[[Dim, Dim], Dim]] = {
    "add": lambda a, b: a + b, "addi": lambda a, b: a + b, "subtract": lambda a, b: a - b,
    "subi": lambda a, b: a - b, "multiply": lambda a, b: a * b, "muli": lambda a, b: a * b,
}  # fmt: skip


def is_assertion(operation: Operation) -> bool:
    """Whether an operation only asserts that sizes are legal, which a call checks."""
    return operation.text("call_target_name") == _ASSERTION


def extents_of(operation: Operation, given: Sequence[Extents | None]) -> list[Extents] | None:
    """The results of an op that makes a shape of its operands; None for any other op. An operand that is no
    size is None."""
    name = operation.name.partition(".")[2]
    sizes = [each.sizes for each in given if each is not None]
    if len(sizes) != len(given) or not sizes:
        return None
    if name in _SAME and (len(sizes[0]) == 1 or name != "broadcast_in_dim"):
        return [Extents(sizes[0])] if _keeps(operation) else None
    if name == "concatenate" and operation.integer("dimension") == 0:
        return [Extents(tuple([size for each in sizes for size in each]))]
    if name in _FUNCTIONS and len(sizes) == 2 and len(sizes[0]) == len(sizes[1]):
        return [Extents(tuple([_FUNCTIONS[name](a, b) for a, b in zip(*sizes, strict=True)]))]
    if name == "slice" and _is_list(operation):
        (start,), (end,), (step,) = [operation.integers(each) for each in _ENDS]
        return [Extents(sizes[0][start:end:step])]
    return None


def _keeps(operation: Operation) -> bool:
    """Whether the type of a result has every size."""
    return element_of(operation.result.type, operation.place).bits >= _LEAST_BITS


def _is_list(operation: Operation) -> bool:
    type_ = operation.result.type
    return isinstance(type_, TensorType) and len(type_.dims) == 1


def size_of_axis(operation: Operation, dims: Sequence[Dim], second: Extents | None) -> Extents | None:
    """The size of an axis, if only the launch knows it. The axis of `tensor.dim` is its second operand."""
    if operation.name == _DIM and second is None:
        return None
    axis = second.sizes[0] if second is not None else operation.integer("dimension")
    assert isinstance(axis, int), "an axis is a constant"
    size = dims[axis]
    return Extents((size,)) if isinstance(size, Size) else None
