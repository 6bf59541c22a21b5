"""Signless integers: unsigned in lanes, signed where an op looks at the sign."""

from __future__ import annotations

from asmgen.ir.program import Op, Value
from asmgen.ir.types import BOOL, ELEMENT_TYPES, I64, U32, ElementType, LaneType, NumberKind
from asmgen.lanewise.builder import LaneBuilder
from asmgen.mlir.indices import FULL, Indices
from asmgen.mlir.lowered import Index

_WORD_BITS = 32


def lanes_of(value: Value) -> LaneType:
    assert isinstance(value.type, LaneType), value
    return value.type


def signed_element(element: ElementType) -> ElementType:
    """The signed type of as many bits."""
    return ELEMENT_TYPES[f"i{element.bits}"] if element.kind is NumberKind.UNSIGNED else element


def unsigned_element(element: ElementType) -> ElementType:
    """The unsigned type of as many bits."""
    return ELEMENT_TYPES[f"u{element.bits}"] if element.kind is NumberKind.SIGNED else element


def as_signed(builder: LaneBuilder, value: Value) -> Value:
    """The bits of an integer as a signed one; a bool and a float stay as they are."""
    wanted = signed_element(lanes_of(value).element)
    return value if wanted is lanes_of(value).element else builder.bit_cast(value, wanted)


def as_unsigned(builder: LaneBuilder, value: Value) -> Value:
    """The bits of an integer as an unsigned one."""
    wanted = unsigned_element(lanes_of(value).element)
    return value if wanted is lanes_of(value).element else builder.bit_cast(value, wanted)


def extended(builder: LaneBuilder, value: Value, element: ElementType, *, signed: bool) -> Value:
    """An integer or a bool in more bits, by its sign or by zeros; `element` is unsigned, and so is the
    result."""
    type_ = lanes_of(value)
    if type_.element is element:
        return value
    if type_.element is BOOL:
        wide = element if element.bits >= _WORD_BITS else U32
        ones = (1 << wide.bits) - 1 if signed else 1
        one, zero = (builder.constant(number, LaneType(wide, type_.lanes)) for number in (ones, 0))
        return truncated(builder, builder.where(value, one, zero), element)
    if not signed:
        return builder.convert(value, element)
    return as_unsigned(builder, builder.convert(as_signed(builder, value), signed_element(element)))


def truncated(builder: LaneBuilder, value: Value, element: ElementType) -> Value:
    """The lower bits of an integer; `element` is unsigned, or bool."""
    type_ = lanes_of(value)
    if element is not BOOL:
        return value if type_.element is element else builder.convert(value, element)
    one, zero = (builder.constant(number, type_) for number in (1, 0))
    return builder.not_equal(builder.bitwise_and(value, one), zero)


def bitwise(builder: LaneBuilder, op: Op, a: Value, b: Value) -> Value:
    """An op on the bits of integers; of 8 and 16 bits in 32."""
    element = lanes_of(a).element
    if element.bits >= _WORD_BITS:
        return builder.value(op, a, b)
    wide = [extended(builder, one, U32, signed=False) for one in (a, b)]
    return truncated(builder, builder.value(op, *wide), element)


def index_of_integer(indices: Indices, value: Value, *, signed: bool) -> Index:
    """An integer as an index, extended by its sign or by zeros."""
    bits = lanes_of(value).element.bits if lanes_of(value).element is not BOOL else 1
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    literal = indices.builder.literal_of(value)
    if literal is not None:
        number = int(literal)
        return indices.constant(number - (1 << bits) if signed and number > high else number)
    if bits <= _WORD_BITS:
        word = extended(indices.builder, value, U32, signed=signed) if bits < _WORD_BITS else value
        return indices.of_word(word, low, high)
    wide = indices.builder.bit_cast(value, I64)
    return indices.of_wide(wide, *FULL)


def integer_of_index(indices: Indices, index: Index, element: ElementType) -> Value:
    """The lower bits of an index, as an unsigned integer."""
    if element.bits > _WORD_BITS:
        return indices.builder.bit_cast(indices.wide(index), element)
    return truncated(indices.builder, indices.word(index), element)
