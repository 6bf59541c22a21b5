"""Arrays and structs of the LLVM dialect: their text, and where their parts are."""

from __future__ import annotations

import re
from math import prod

from asmgen.mlir.types import (
    ArrayType,
    FloatType,
    IntegerType,
    OtherType,
    PointerType,
    ScalarType,
    Space,
    StructType,
    Type,
    VectorType,
    memory_element,
)

_SCALARS: dict[str, ScalarType] = {
    **{f"i{width}": IntegerType(width) for width in (1, 8, 16, 32, 64)},
    **{name: FloatType(name) for name in ("f16", "bf16", "f32", "f64")},
}
SPACES = {"": Space.GLOBAL, "0": Space.GLOBAL, "1": Space.GLOBAL, "3": Space.WORKGROUP, "5": Space.PRIVATE}
_POINTER = re.compile(r"ptr(?:<(\d*)>)?\Z")
_COUNTED = re.compile(r"(array|vector)<(\d+) ?x ?(.*)>\Z", re.DOTALL)
_STRUCT = re.compile(r"struct<(packed )?\((.*)\)>\Z", re.DOTALL)
_POINTER_BYTES = {Space.GLOBAL: 8, Space.WORKGROUP: 4, Space.PRIVATE: 4}


def llvm_type(text: str) -> Type:
    """A type as the LLVM dialect prints it, with or without `!llvm.` before it; `OtherType` where it is none
    of a pointer, an array, a struct without a name, or what they are made of."""
    plain = text.strip().removeprefix("!llvm.")
    if plain in _SCALARS:
        return _SCALARS[plain]
    pointer = _POINTER.match(plain)
    if pointer is not None and (pointer[1] or "") in SPACES:
        return PointerType(SPACES[pointer[1] or ""])
    counted = _COUNTED.match(plain)
    if counted is not None:
        return _counted(text, counted[1], int(counted[2]), llvm_type(counted[3]))
    struct = _STRUCT.match(plain)
    if struct is None or struct[1]:
        return OtherType(text)
    fields = tuple([llvm_type(one) for one in _parts(struct[2])])
    return OtherType(text) if any(isinstance(one, OtherType) for one in fields) else StructType(fields)


def _counted(text: str, kind: str, count: int, element: Type) -> Type:
    if kind == "vector":
        is_scalar = isinstance(element, IntegerType | FloatType)
        return VectorType((count,), element) if is_scalar else OtherType(text)
    return OtherType(text) if isinstance(element, OtherType) else ArrayType(count, element)


def _parts(text: str) -> list[str]:
    """A list with commas, of which those in brackets part nothing."""
    found: list[str] = [""]
    depth = 0
    for letter in text:
        depth += (letter in "<(") - (letter in ">)")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [one for one in found if one.strip()]


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
