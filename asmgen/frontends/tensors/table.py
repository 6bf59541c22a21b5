"""The rules of all dialects by the names of their ops."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NoReturn

from asmgen.frontends.tensors.linalg import arith, packs, structured, tensor_ops, tm_tensor
from asmgen.frontends.tensors.op_call import Item, OpCall, Results, check_numbers
from asmgen.frontends.tensors.stablehlo import (
    blocks,
    control,
    convolution,
    custom_calls,
    dynamic,
    elementwise,
    gamma_functions,
    indexing,
    inverse_erf,
    norms,
    products,
    reductions,
    shapes,
    sorts,
    turned,
    windows,
)
from asmgen.frontends.traced.array import Array
from asmgen.mlir.source import Operation
from isa.diagnostics import InputError, close_names

Rule = Callable[[OpCall], Results]

_PARTS = (
    blocks, control, convolution, custom_calls, dynamic, elementwise, gamma_functions, indexing, inverse_erf,
    norms, products, reductions, shapes, sorts, turned, windows, structured, packs, tensor_ops, tm_tensor,
    arith,
)  # fmt: skip
TABLE: Mapping[str, Rule] = MappingProxyType(
    {name: rule for part in _PARTS for name, rule in part.RULES.items()}
)

_OF_SIZES = frozenset(
    [
        "tensor.cast", "tensor.collapse_shape", "tensor.dim", "tensor.empty", "tensor.expand_shape",
        "tensor.rank", "bufferization.alloc_tensor",
    ]
)  # fmt: skip
_STATIC = frozenset(
    name for part in (norms, packs, tensor_ops, tm_tensor) for name in part.RULES if name not in _OF_SIZES
) | {"linalg.broadcast"}
"""The ops with rules that need dims which are numbers."""

# The feature that an op of each name would need, and the way out.
_REASONS = {
    "stablehlo.rng": "its numbers are not defined; pass random numbers as an argument",
    "stablehlo.rng_bit_generator": "pass random numbers as an argument",
    "stablehlo.complex": "gen text has no complex numbers; pass real and imaginary parts",
    "stablehlo.fft": "gen text has no complex numbers",
    "stablehlo.all_reduce": "a program runs on one GPU; split the module at its communication",
}  # fmt: skip


def check_static(operation: Operation, items: Sequence[Item]) -> None:
    """`InputError` TNS003 for an operand with a dim that only the launch knows, if the op needs numbers."""
    if operation.name in _STATIC:
        arrays = [item for item in items if isinstance(item, Array)]
        check_numbers(operation, [dim for array in arrays for dim in array.type.dims])


def refuse_unknown(operation: Operation) -> NoReturn:
    """`InputError` TNS001 for an op without a rule."""
    name = operation.name
    message = f"{name} is not an op that becomes a graph, wanted one of docs/tensors.md"
    raise InputError(operation.place, "TNS001", message, help=_REASONS.get(name) or close_names(name, TABLE))
