"""Vectors as their elements: bytes by way of words, since no instruction packs bytes or takes them apart."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.ir.program import Value
from asmgen.ir.types import BOOL, ELEMENT_TYPES, U32, ElementType, LaneType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.mlir.integers import lanes_of

BYTE = ELEMENT_TYPES["u8"]


def parts_of(builder: LaneBuilder, value: Value) -> list[Value]:
    """The elements of a vector."""
    type_ = lanes_of(value)
    if type_.lanes == 1:
        return [value]
    if not has_bytes(type_):
        return [builder.extract(value, i) for i in range(type_.lanes)]
    element = type_.element
    wide = builder.convert(_cast(builder, value, BYTE), U32)
    parts = [builder.convert(builder.extract(wide, i), BYTE) for i in range(type_.lanes)]
    return [_cast(builder, part, element) for part in parts]


def packed(builder: LaneBuilder, parts: Sequence[Value]) -> Value:
    """A vector of elements."""
    element = lanes_of(parts[0]).element
    if len(parts) == 1:
        return parts[0]
    if not has_bytes(lanes_of(parts[0])):
        return builder.pack(*parts)
    words = [builder.convert(_cast(builder, part, BYTE), U32) for part in parts]
    return _cast(builder, builder.convert(builder.pack(*words), BYTE), element)


def has_bytes(type_: LaneType) -> bool:
    """Whether elements have 8 bits."""
    return type_.element.bits == BYTE.bits and type_.element is not BOOL


def _cast(builder: LaneBuilder, value: Value, element: ElementType) -> Value:
    return value if lanes_of(value).element is element else builder.bit_cast(value, element)
