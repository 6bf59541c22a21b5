"""Lane values: signless integers, floats, and the elements of vectors.

MLIR's integers have no sign. Lanes have them as unsigned integers, and as signed integers for ops that read
the sign. No instruction packs bytes, so vectors of bytes go through words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.ir.program import Op, Value
from asmgen.ir.types import BOOL, ELEMENT_TYPES, F32, I64, U32, ElementType, LaneType, NumberKind
from asmgen.lanewise.builder import LaneBuilder
from asmgen.mlir.lowering.arithmetic.index_builder import IndexBuilder
from asmgen.mlir.lowering.values import Index

_WORD_BITS = 32


def lanes_of(value: Value) -> LaneType:
    assert isinstance(value.type, LaneType), value
    return value.type


def bits_as(builder: LaneBuilder, value: Value, element: ElementType) -> Value:
    """The bits of a value as elements of another type of the same width."""
    return value if lanes_of(value).element is element else builder.bit_cast(value, element)


def zero(builder: LaneBuilder, type_: LaneType) -> Value:
    """The number 0 of a type."""
    return builder.constant(0.0 if type_.element.is_float else 0, type_)


def signed_element(element: ElementType) -> ElementType:
    """The signed type of the same width."""
    return ELEMENT_TYPES[f"i{element.bits}"] if element.kind is NumberKind.UNSIGNED else element


def unsigned_element(element: ElementType) -> ElementType:
    """The unsigned type of the same width."""
    return ELEMENT_TYPES[f"u{element.bits}"] if element.kind is NumberKind.SIGNED else element


def as_signed(builder: LaneBuilder, value: Value) -> Value:
    """The bits of an integer as a signed integer. Bools and floats stay as they are."""
    return bits_as(builder, value, signed_element(lanes_of(value).element))


def as_unsigned(builder: LaneBuilder, value: Value) -> Value:
    """The bits of an integer as an unsigned integer."""
    return bits_as(builder, value, unsigned_element(lanes_of(value).element))


def extended(builder: LaneBuilder, value: Value, element: ElementType, *, signed: bool) -> Value:
    """An integer or a bool, extended by its sign or by zeros to the unsigned type `element`."""
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
    """The lower bits of an integer, as the unsigned type or bool `element`."""
    type_ = lanes_of(value)
    if element is not BOOL:
        return value if type_.element is element else builder.convert(value, element)
    one, zero = (builder.constant(number, type_) for number in (1, 0))
    return builder.not_equal(builder.bitwise_and(value, one), zero)


def bitwise(builder: LaneBuilder, op: Op, a: Value, b: Value) -> Value:
    """A bitwise op on integers. Integers of 8 and 16 bits are computed in 32 bits."""
    element = lanes_of(a).element
    if element.bits >= _WORD_BITS:
        return builder.value(op, a, b)
    wide = [extended(builder, number, U32, signed=False) for number in (a, b)]
    return truncated(builder, builder.value(op, *wide), element)


def index_of_integer(indices: IndexBuilder, value: Value, *, signed: bool) -> Index:
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
    return indices.of_wide(wide)


def integer_of_index(indices: IndexBuilder, index: Index, element: ElementType) -> Value:
    """The lower bits of an index, as an unsigned integer."""
    if element.bits > _WORD_BITS:
        return indices.builder.bit_cast(indices.wide(index), element)
    return truncated(indices.builder, indices.word(index), element)


def parts_of(builder: LaneBuilder, value: Value) -> list[Value]:
    """The elements of a vector."""
    lanes = lanes_of(value).lanes
    return [value] if lanes == 1 else [builder.extract(value, i) for i in range(lanes)]


def packed(builder: LaneBuilder, parts: Sequence[Value]) -> Value:
    """A vector of elements."""
    return parts[0] if len(parts) == 1 else builder.pack(*parts)


Function = Callable[..., Value]


def computed(builder: LaneBuilder, function: Function, *operands: Value) -> Value:
    """The result of a function on floats, computed in f32 if they are narrower."""
    element = lanes_of(operands[0]).element
    if element.bits >= F32.bits:
        return function(builder, *operands)
    wide = [builder.convert(operand, F32) for operand in operands]
    return builder.convert(function(builder, *wide), element)


def with_sign(builder: LaneBuilder, magnitude: Value, sign: Value) -> Value:
    """The magnitude of the first operand with the sign of the second."""
    type_ = lanes_of(magnitude)
    bits = type_.element.bits
    word = ELEMENT_TYPES[f"u{bits}"]
    top = builder.constant(1 << (bits - 1), LaneType(word, type_.lanes))
    low = builder.constant((1 << (bits - 1)) - 1, LaneType(word, type_.lanes))
    kept = builder.bitwise_and(builder.bit_cast(magnitude, word), low)
    signed = builder.bitwise_and(builder.bit_cast(sign, word), top)
    return builder.bit_cast(builder.bitwise_or(kept, signed), type_.element)


def nan_or(builder: LaneBuilder, op: Op, a: Value, b: Value) -> Value:
    """The first operand that is NaN, else the result of the op."""
    result = builder.where(builder.not_equal(b, b), b, builder.value(op, a, b))
    return builder.where(builder.not_equal(a, a), a, result)
