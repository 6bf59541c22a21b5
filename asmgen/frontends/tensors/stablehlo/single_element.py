"""Ops of a block that computes each element by itself, as ops on a single element.

A value of the dims of the loop, or of rank 0, is a number. So a broadcast is the number itself, and whether
any element is true is whether this element is.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.frontends.tensors.op_call import Item, NotOfElements
from asmgen.frontends.tensors.regions import single_op
from asmgen.frontends.tensors.stablehlo import elementwise
from asmgen.frontends.tensors.types import element_of
from asmgen.frontends.traced.array import Array, Tracer
from asmgen.ir.types import BOOL
from asmgen.mlir.source import Dense, Operation
from asmgen.mlir.types import TensorType

BROADCASTS = ("stablehlo.broadcast_in_dim", "stablehlo.dynamic_broadcast_in_dim")
_CONSTANT, _REDUCE = "stablehlo.constant", "stablehlo.reduce"
_CONTROL = (
    "stablehlo.if",
    "stablehlo.case",
    "stablehlo.while",
    "stablehlo.tuple",
    "stablehlo.get_tuple_element",
)


def single_element(operation: Operation, given: Sequence[Item], tracer: Tracer) -> Item | None:
    """The result of an op, if it is not the op of a single element; None for such an op.

    Raises `NotOfElements` for an op that reads other elements.
    """
    if operation.name == _CONSTANT:
        return _constant(operation, tracer)
    if operation.name in BROADCASTS:
        own, wanted = (value.type for value in (operation.operands[0], operation.result))
        if isinstance(own, TensorType) and isinstance(wanted, TensorType) and own.dims in ((), wanted.dims):
            axes = operation.integers("broadcast_dimensions")
            if list(axes) == sorted(axes):
                return given[0]
        raise NotOfElements
    if operation.name == _REDUCE and is_any(operation):
        return given[0]
    if operation.name in elementwise.RULES or operation.name in _CONTROL:
        return None
    raise NotOfElements


def is_any(operation: Operation) -> bool:
    """Whether a reduction says whether any element of a tensor is true."""
    first, of, result = operation.operands[-1].owner, operation.operands[0].type, operation.results[0].type
    return (
        len(operation.operands) == 2
        and isinstance(of, TensorType)
        and of.element is BOOL
        and isinstance(result, TensorType)
        and not result.dims
        and single_op(operation.body) == "stablehlo.or"
        and first is not None
        and first.name == _CONSTANT
        and isinstance(value := first.attributes["value"], Dense)
        and not any(value.values)
    )


def _constant(operation: Operation, tracer: Tracer) -> Item:
    """The number of a constant."""
    value = operation.attributes["value"]
    if not isinstance(value, Dense) or len(set(value.values)) != 1:
        raise NotOfElements
    element = element_of(operation.result.type, operation.place)
    number = bool(value.values[0]) if element is BOOL else value.values[0]
    return Array(tracer.number(number, element, operation.place), tracer)
