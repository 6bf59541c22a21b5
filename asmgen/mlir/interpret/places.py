"""Memory of the interpreter: flat numpy arrays, and places in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from asmgen.ir.arrays import numpy_dtype
from asmgen.mlir.source import Operation
from asmgen.mlir.types import (
    FloatType,
    IndexType,
    IntegerType,
    MemrefType,
    ScalarType,
    Type,
    VectorType,
    memory_element,
)
from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple

Number = Any  # an int, a numpy scalar, a list of them, or a Place
Array = NDArray[Any]


class Place(NamedTuple):
    """A memref: an offset into `memory`, sizes and strides, in elements. `lanes` of them are an element of
    the memref."""

    memory: Array
    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    lanes: int = 1


class Bytes(NamedTuple):
    """A pointer to a byte of a memory."""

    memory: Array
    offset: int


def pointer_to(array: Array) -> Bytes:
    """A pointer to the beginning of an array."""
    return Bytes(array.reshape(-1).view(np.uint8), 0)


def scalar_type(type_: MemrefType | VectorType) -> tuple[ScalarType, int]:
    """The scalar type of the elements of a memref, and the number of scalars per element."""
    element = type_.element
    return (element.element, element.elements) if isinstance(element, VectorType) else (element, 1)


def dtype_of(type_: Type) -> np.dtype[Any]:
    """The numpy type of a scalar in memory."""
    element = memory_element(type_)
    assert element is not None, type_
    return numpy_dtype(element)


def allocated(type_: MemrefType) -> Place:
    """A buffer of a static type."""
    assert None not in type_.dims, type_
    return allocated_as(type_, [dim or 0 for dim in type_.dims])


def allocated_as(type_: MemrefType, dims: Sequence[int]) -> Place:
    """A buffer with these dims and the offset and strides of the type. It is zero, but no test may depend on
    memory that was not written."""
    scalar, lanes = scalar_type(type_)
    steps = zip(dims, strides_of(type_, dims), strict=True)
    last = (type_.offset or 0) + sum((dim - 1) * stride for dim, stride in steps)
    count = 0 if 0 in dims else last + 1
    return place_in(np.zeros(max(count * lanes, 1), dtype_of(scalar)), type_, dims)


def place_in(memory: Array, type_: MemrefType, dims: Sequence[int]) -> Place:
    """A memref with these dims in a memory, with the type's offset and strides."""
    _, lanes = scalar_type(type_)
    strides = tuple([stride * lanes for stride in strides_of(type_, dims)])
    return Place(memory, (type_.offset or 0) * lanes, tuple(dims), strides, lanes)


def strides_of(type_: MemrefType, dims: Sequence[int]) -> list[int]:
    """The strides of a memref with these dims. They are packed if the type does not say them."""
    strides: list[int] = []
    packed = 1
    for dim, known in zip(reversed(dims), reversed(type_.strides), strict=True):
        strides.append(packed if known is None else known)
        packed = strides[-1] * dim
    return strides[::-1]


def place_of_array(array: Array, type_: MemrefType) -> Place:
    """The memref of an array argument. Its last dims are those of the vectors. Stores go to the array."""
    _, lanes = scalar_type(type_)
    sizes = array.shape[: len(type_.dims)]
    strides = tuple([stride // array.itemsize for stride in array.strides[: len(type_.dims)]])
    return Place(array.reshape(-1), 0, sizes, strides, lanes)


def element_number(place: Place, indices: Sequence[int], operation: Operation, count: int) -> int:
    """The number of an element in its memory; `InputError` MLIR090 if it is outside of the memref."""
    for position, (index, size) in enumerate(zip(indices, place.sizes, strict=True)):
        if not 0 <= index < size:
            message = f"{operation.name} of index {index} along dim {position} of size {size}"
            raise InputError(operation.place, "MLIR090", f"{message}, wanted an index inside")
    return number_inside(place, indices, operation, count)


def number_inside(place: Place, indices: Sequence[int], operation: Operation, count: int) -> int:
    number = place.offset + sum(i * stride for i, stride in zip(indices, place.strides, strict=True))
    if not 0 <= number <= place.memory.size - count:
        message = f"{operation.name} of element {number} of memory of {place.memory.size} elements"
        raise InputError(operation.place, "MLIR090", f"{message}, wanted an element inside")
    return number


def read(place: Place, indices: Sequence[int], type_: Type, operation: Operation) -> Number:
    """The element at some indices."""
    count = type_.elements if isinstance(type_, VectorType) else 1
    number = element_number(place, indices, operation, count)
    scalar = type_.element if isinstance(type_, VectorType) else type_
    elements = [from_memory(element, scalar) for element in place.memory[number : number + count]]
    return elements if isinstance(type_, VectorType) else elements[0]


def write(place: Place, indices: Sequence[int], value: Number, operation: Operation) -> None:
    parts = cast("list[Number]", value) if isinstance(value, list) else [value]
    number = element_number(place, indices, operation, len(parts))
    for i, part in enumerate(parts):
        place.memory[number + i] = to_memory(part, place.memory.dtype)


def from_memory(value: Any, type_: Type) -> Number:
    """A number from memory, in the form that ops take."""
    if isinstance(type_, IntegerType):
        return int(bool(value)) if type_.width == 1 else int(value) & ((1 << type_.width) - 1)
    if isinstance(type_, IndexType):
        return int(value)
    assert isinstance(type_, FloatType), type_
    return value


def to_memory(value: Number, dtype: np.dtype[Any]) -> Any:
    """A number in the form of memory: integers are signed."""
    if dtype.kind in "iu":
        bits = 8 * dtype.itemsize
        low = int(value) & ((1 << bits) - 1)
        return dtype.type(low - (1 << bits) if dtype.kind == "i" and low >> (bits - 1) else low)
    return bool(value) if dtype.kind == "b" else value
