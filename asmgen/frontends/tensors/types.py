"""Types of tensors as types of the graph."""

from __future__ import annotations

from asmgen.ir.types import ElementType, TensorType, tensor
from asmgen.mlir.types import FloatType, IndexType, IntegerType, OtherType, Type, memory_element
from asmgen.mlir.types import TensorType as MlirTensor
from isa.diagnostics import InputError, Place

_KNOWN = "i1, i8 to i64, ui8 to ui64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2, f8E4M3FNUZ or f8E5M2FNUZ"


def graph_type(type_: Type, place: Place) -> TensorType:
    """The type of a tensor in the graph; a number has rank 0.

    `InputError` TNS002 for another type, TNS003 for a dynamic dim that no operand gives.
    """
    element = element_of(type_, place)
    if not isinstance(type_, MlirTensor):
        return tensor(element, ())
    dims = tuple([dim for dim in type_.dims if dim is not None])
    if len(dims) != len(type_.dims):
        message = f"{type_} has a dynamic dim that no operand gives, wanted a number"
        raise InputError(place, "TNS003", message)
    return tensor(element, dims)


def element_of(type_: Type, place: Place) -> ElementType:
    """The element type of a tensor, or the type of a number. `InputError` TNS002 for another type."""
    if isinstance(type_, MlirTensor):
        if isinstance(type_.element, OtherType):
            message = f"{type_} has elements of {type_.element}, wanted {_KNOWN}"
            raise InputError(place, "TNS002", message)
        return type_.element
    element = memory_element(type_) if isinstance(type_, IntegerType | IndexType | FloatType) else None
    if element is None:
        raise InputError(place, "TNS002", f"got a value of type {type_}, wanted a tensor")
    return element
