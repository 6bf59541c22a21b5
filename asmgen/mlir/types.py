"""The types of MLIR values that a kernel may have; anything else is an `OtherType`, which is refused where a
value of it is lowered."""

from __future__ import annotations

from enum import Enum
from math import prod

from msgspec import Struct

from asmgen.ir.types import ELEMENT_TYPES, ElementType


class Space(Enum):
    """The memory that a memref or a pointer is in, with its number in LLVM's address spaces for AMDGPU."""

    GLOBAL = 1
    WORKGROUP = 3
    PRIVATE = 5


class IntegerType(Struct, frozen=True):
    """A signless integer of so many bits."""

    width: int

    def __str__(self) -> str:
        return f"i{self.width}"


class IndexType(Struct, frozen=True):
    """`index`: 64 bits wide."""

    def __str__(self) -> str:
        return "index"


class FloatType(Struct, frozen=True):
    """A float; `name` is that of gen text: f32, bf16, fp8e4m3fn. As text it has MLIR's: f8E4M3FN."""

    name: str

    def __str__(self) -> str:
        name = self.name.removeprefix("fp8")
        return self.name if name == self.name else f"f8{name.upper()}"


class OtherType(Struct, frozen=True):
    """A type that no kernel computes with, as MLIR prints it."""

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
    """A buffer: dims, strides and offset count elements, and are None where only the program knows them."""

    dims: tuple[int | None, ...]
    element: ScalarType | VectorType
    strides: tuple[int | None, ...]
    offset: int | None
    space: Space
    text: str

    @property
    def elements(self) -> int | None:
        """How many elements the dims have; None where one is dynamic."""
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
    """`!llvm.struct<(fields)>`, whose fields are aligned."""

    fields: tuple[Type, ...]

    def __str__(self) -> str:
        return f"!llvm.struct<({', '.join(map(str, self.fields))})>"


class FunctionType(Struct, frozen=True):
    """What a function takes and gives."""

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
    | PointerType
    | ArrayType
    | StructType
    | FunctionType
    | OtherType
)

_UNSIGNED = {1: "bool", 8: "u8", 16: "u16", 32: "u32", 64: "u64"}
I32_BOUNDS = {1: "bool", 8: "i8", 16: "i16", 32: "i32", 64: "i64"}


def lane_element(type_: Type) -> ElementType | None:
    """The element type in which a lane holds a number: signless integers are unsigned, of 8 to 64 bits. None
    for a type that lanes do not hold."""
    if isinstance(type_, IntegerType):
        name = _UNSIGNED.get(type_.width)
        return None if name is None else ELEMENT_TYPES[name]
    return ELEMENT_TYPES[type_.name] if isinstance(type_, FloatType) else None


def memory_element(type_: Type) -> ElementType | None:
    """The element type of a number in memory: integers are signed there, as numpy's and C's are; an index has
    64 bits."""
    if isinstance(type_, IndexType):
        return ELEMENT_TYPES["i64"]
    if isinstance(type_, IntegerType):
        name = I32_BOUNDS.get(type_.width)
        return None if name is None else ELEMENT_TYPES[name]
    return lane_element(type_)


_POINTER_BYTES = {Space.GLOBAL: 8, Space.WORKGROUP: 4, Space.PRIVATE: 4}


def size_of(type_: Type) -> int | None:
    """The bytes from one element of an array of the type to the next; None of a type without a size."""
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
    """The natural alignment of a type that has a size, in bytes."""
    if isinstance(type_, ArrayType):
        return alignment_of(type_.element)
    if isinstance(type_, StructType):
        return max([alignment_of(field) for field in type_.fields], default=1)
    return size_of(type_) or 1


def field_offset(type_: StructType, number: int) -> int | None:
    """The byte at which a field of a struct begins; that after the last one where the number is theirs."""
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
    """The next power of two: a vector of 3 is as large as one of 4."""
    return 1 << max(number - 1, 0).bit_length()
