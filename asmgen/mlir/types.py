"""The types of values. A type that kernels do not compute with is an `OtherType`; lowering a value of it is
an error."""

from __future__ import annotations

from enum import Enum
from math import prod

from msgspec import Struct

from asmgen.ir.types import ELEMENT_TYPES, ElementType


class Space(Enum):
    """The memory of a memref or a pointer, with its number among LLVM's address spaces for AMDGPU."""

    GLOBAL = 1
    WORKGROUP = 3
    PRIVATE = 5


class IntegerType(Struct, frozen=True):
    """A signless integer."""

    width: int

    def __str__(self) -> str:
        return f"i{self.width}"


class IndexType(Struct, frozen=True):
    """`index`: 64 bits wide."""

    def __str__(self) -> str:
        return "index"


class FloatType(Struct, frozen=True):
    """A float. `name` is that of gen text: f32, bf16, fp8e4m3fn. It prints as in MLIR: f8E4M3FN."""

    name: str

    def __str__(self) -> str:
        name = self.name.removeprefix("fp8")
        return self.name if name == self.name else f"f8{name.upper()}"


class OtherType(Struct, frozen=True):
    """A type that kernels do not compute with, as MLIR prints it."""

    text: str

    def __str__(self) -> str:
        return self.text


ScalarType = IntegerType | IndexType | FloatType | OtherType


class VectorType(Struct, frozen=True):
    """A vector of static dims."""

    dims: tuple[int, ...]
    element: ScalarType

    @property
    def elements(self) -> int:
        return prod(self.dims)

    def __str__(self) -> str:
        return f"vector<{''.join(f'{dim}x' for dim in self.dims)}{self.element}>"


class MemrefType(Struct, frozen=True):
    """A buffer. Dims, strides and offset count elements; None if they are dynamic."""

    dims: tuple[int | None, ...]
    element: ScalarType | VectorType
    strides: tuple[int | None, ...]
    offset: int | None
    space: Space
    text: str

    @property
    def elements(self) -> int | None:
        """The number of elements; None if a dim is dynamic."""
        count = 1
        for dim in self.dims:
            if dim is None:
                return None
            count *= dim
        return count

    @property
    def has_static_layout(self) -> bool:
        """Whether strides and offset are numbers."""
        return self.offset is not None and None not in self.strides

    def __str__(self) -> str:
        return self.text


class TensorType(Struct, frozen=True):
    """A tensor. Dims are None if they are dynamic. Elements without a type in gen text are an `OtherType`.
    `bounds` has the largest value of each dim, None if it is not stated; it is empty without bounds."""

    dims: tuple[int | None, ...]
    element: ElementType | OtherType
    text: str
    bounds: tuple[int | None, ...] = ()

    def __str__(self) -> str:
        return self.text


class PointerType(Struct, frozen=True):
    """LLVM's opaque pointer."""

    space: Space

    def __str__(self) -> str:
        return "!llvm.ptr" if self.space is Space.GLOBAL else f"!llvm.ptr<{self.space.value}>"


class ArrayType(Struct, frozen=True):
    """`!llvm.array<count x element>`."""

    count: int
    element: Type

    def __str__(self) -> str:
        return f"!llvm.array<{self.count} x {self.element}>"


class StructType(Struct, frozen=True):
    """`!llvm.struct<(fields)>`, with aligned fields."""

    fields: tuple[Type, ...]

    def __str__(self) -> str:
        return f"!llvm.struct<({', '.join(map(str, self.fields))})>"


class FunctionType(Struct, frozen=True):
    """The types of the arguments and the results of a function."""

    inputs: tuple[Type, ...]
    results: tuple[Type, ...]

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.inputs))}) -> ({', '.join(map(str, self.results))})"


Type = (
    IntegerType
    | IndexType
    | FloatType
    | VectorType
    | MemrefType
    | TensorType
    | PointerType
    | ArrayType
    | StructType
    | FunctionType
    | OtherType
)

_UNSIGNED = {1: "bool", 8: "u8", 16: "u16", 32: "u32", 64: "u64"}
I32_BOUNDS = {1: "bool", 8: "i8", 16: "i16", 32: "i32", 64: "i64"}


def lane_element(type_: Type) -> ElementType | None:
    """The element type of a number in a lane; None if lanes do not have the type. Signless integers are
    unsigned."""
    if isinstance(type_, IntegerType):
        name = _UNSIGNED.get(type_.width)
        return None if name is None else ELEMENT_TYPES[name]
    return ELEMENT_TYPES[type_.name] if isinstance(type_, FloatType) else None


def memory_element(type_: Type) -> ElementType | None:
    """The element type of a number in memory. Integers are signed, as in numpy and C; an index has 64
    bits."""
    if isinstance(type_, IndexType):
        return ELEMENT_TYPES["i64"]
    if isinstance(type_, IntegerType):
        name = I32_BOUNDS.get(type_.width)
        return None if name is None else ELEMENT_TYPES[name]
    return lane_element(type_)


_POINTER_BYTES = {Space.GLOBAL: 8, Space.WORKGROUP: 4, Space.PRIVATE: 4}


def size_of(type_: Type) -> int | None:
    """The bytes from an element of an array to the next; None for a type without a size."""
    if isinstance(type_, ArrayType):
        inner = size_of(type_.element)
        return None if inner is None else inner * type_.count
    if isinstance(type_, StructType):
        end = field_offset(type_, len(type_.fields))
        return None if end is None else -(-end // alignment_of(type_)) * alignment_of(type_)
    if isinstance(type_, PointerType):
        return _POINTER_BYTES[type_.space]
    if isinstance(type_, VectorType):
        element = memory_element(type_.element)
        return None if element is None else _power(prod(type_.dims) * element.bytes)
    element = memory_element(type_)
    return None if element is None else element.bytes


def alignment_of(type_: Type) -> int:
    """The natural alignment in bytes of a type with a size."""
    if isinstance(type_, ArrayType):
        return alignment_of(type_.element)
    if isinstance(type_, StructType):
        return max([alignment_of(field) for field in type_.fields], default=1)
    return size_of(type_) or 1


def field_offset(type_: StructType, number: int) -> int | None:
    """The byte offset of a field; the end of the last field if `number` is the number of fields."""
    place = 0
    for position, field in enumerate(type_.fields):
        place = -(-place // alignment_of(field)) * alignment_of(field)
        if position == number:
            return place
        size = size_of(field)
        if size is None:
            return None
        place += size
    return place


def _power(number: int) -> int:
    """The next power of two: a vector of 3 elements takes the space of 4."""
    return 1 << max(number - 1, 0).bit_length()
