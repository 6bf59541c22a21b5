"""The values of an interpreted program: numpy arrays, f64 for all floats; or tuples of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.types import BOOL, F64, ElementType
from asmgen.mlir.types import FloatType, IndexType, IntegerType, OtherType, TensorType, Type, memory_element

Array = np.ndarray[Any, Any]
Value = Array | tuple["Value", ...]


def element_of(type_: Type) -> ElementType:
    """The element type of a tensor or a number that the front end has accepted."""
    if isinstance(type_, TensorType):
        assert not isinstance(type_.element, OtherType), str(type_)
        return type_.element
    element = memory_element(type_) if isinstance(type_, IntegerType | IndexType | FloatType) else None
    assert element is not None, str(type_)
    return element


def dims_of(type_: Type) -> tuple[int | None, ...]:
    """The dims that a tensor states, None for a dynamic dim; a number has none."""
    return type_.dims if isinstance(type_, TensorType) else ()


def sum_type(element: ElementType) -> type[np.number[Any]]:
    """The type in which elements are added up, so that their order does not matter."""
    if not element.is_float:
        return np.int64
    return np.longdouble if element is F64 else np.float64


def rounded(numbers: Any, element: ElementType) -> Array:
    """Numbers in a type: floats rounded to it, integers wrapped."""
    array = np.asarray(numbers)
    if element.is_float:
        return array.astype(np.float64).astype(numpy_dtype(element)).astype(np.float64)
    return array.astype(bool) if element is BOOL else array.astype(numpy_dtype(element))


def converted(array: Array, element: ElementType) -> Array:
    """A conversion: to integers it truncates and saturates, NaN gives 0; to bool it compares with 0."""
    if element is BOOL:
        return array != 0
    if array.dtype.kind != "f" or element.is_float:
        return rounded(array, element)
    info = np.iinfo(numpy_dtype(element))
    whole = np.trunc(np.nan_to_num(array, nan=0.0, posinf=np.inf, neginf=-np.inf))
    result = np.where(np.abs(whole) < 2.0**63, whole, 0).astype(np.int64).astype(numpy_dtype(element))
    if info.bits == 64 and info.min == 0:
        large = (whole >= 2.0**63) & (whole < 2.0**64)
        result = np.where(large, np.where(large, whole, 0).astype(np.uint64), result)
    result = np.where(whole >= float(info.max), info.max, result)
    return np.where(whole <= float(info.min), info.min, result).astype(numpy_dtype(element))
