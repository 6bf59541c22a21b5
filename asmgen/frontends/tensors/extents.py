"""Sizes that only the launch knows, as values of a program: `get_dimension_size`, and shapes made of them.

A dynamic dim of an argument is a named dim of the graph. Its size is not a number of the program: only shapes
may be made of it, by sums, products and concatenations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from asmgen.index.size import Dim, Size
from asmgen.mlir.source import Operation
from isa.diagnostics import InputError


class Extents(Struct, frozen=True):
    """A size, or a list of sizes, in place of integers."""

    sizes: tuple[Dim, ...]


_SIZE = "stablehlo.get_dimension_size"
_DIM = "tensor.dim"
SIZES_OF = frozenset([_SIZE, _DIM])
READS_SHAPES = frozenset(
    [
        "stablehlo.dynamic_broadcast_in_dim", "stablehlo.dynamic_reshape", "stablehlo.dynamic_iota",
        "tensor.empty", "tensor.expand_shape", "bufferization.alloc_tensor",
    ]
)  # fmt: skip
"""The ops with a rule that takes a shape as an operand."""
_ASSERTION = "shape_assertion"
_SAME = frozenset(["convert", "reshape", "broadcast_in_dim", "index_cast", "index_castui", "sitofp"])
_FUNCTIONS: Mapping[str, Callable[[Dim, Dim], Dim]] = {
    "add": lambda a, b: a + b, "addi": lambda a, b: a + b, "subtract": lambda a, b: a - b,
    "subi": lambda a, b: a - b, "multiply": lambda a, b: a * b, "muli": lambda a, b: a * b,
}  # fmt: skip


def extents_of(operation: Operation, given: Sequence[Extents | None]) -> list[Extents]:
    """The results of an op with operands that are sizes; None is an operand that is no size.

    `InputError` TNS005 for an op that makes no shape.
    """
    name = operation.name.partition(".")[2]
    sizes = [each.sizes for each in given if each is not None]
    if operation.text("call_target_name") == _ASSERTION:
        return []
    if len(sizes) == len(given) and sizes:
        if name in _SAME:
            return [Extents(sizes[0])]
        if name == "concatenate":
            return [Extents(tuple([size for each in sizes for size in each]))]
        if name == "compare":  # for an assertion
            return [Extents(())]
        if name in _FUNCTIONS and len(sizes) == 2 and len(sizes[0]) == len(sizes[1]):
            return [Extents(tuple([_FUNCTIONS[name](a, b) for a, b in zip(*sizes, strict=True)]))]
        if name == "slice":
            start, end = operation.integers("start_indices"), operation.integers("limit_indices")
            return [Extents(sizes[0][start[0] : end[0]])]
    message = f"{operation.name}: got a size that only the launch knows, wanted numbers"
    help = "shapes may be made of sizes by add, subtract, multiply and concatenate"
    raise InputError(operation.place, "TNS005", message, help=help)


def size_of_axis(operation: Operation, dims: Sequence[Dim], second: Extents | None) -> Extents | None:
    """The size of an axis, if only the launch knows it. The axis of `tensor.dim` is its second operand."""
    if operation.name == _DIM and second is None:
        return None
    axis = second.sizes[0] if second is not None else operation.integer("dimension")
    assert isinstance(axis, int), "an axis is a constant"
    size = dims[axis]
    return Extents((size,)) if isinstance(size, Size) else None
