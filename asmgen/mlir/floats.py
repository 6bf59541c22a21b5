"""Functions of floats: those of fewer bits than f32 are computed in f32 and rounded once."""

from __future__ import annotations

from collections.abc import Callable

from asmgen.ir.program import Op, Value
from asmgen.ir.types import ELEMENT_TYPES, F32, LaneType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.mlir.integers import lanes_of

Function = Callable[..., Value]


def computed(builder: LaneBuilder, function: Function, *operands: Value) -> Value:
    """What `function` of the builder and the operands gives, in f32 at least."""
    element = lanes_of(operands[0]).element
    if element.bits >= F32.bits:
        return function(builder, *operands)
    wide = [builder.convert(operand, F32) for operand in operands]
    return builder.convert(function(builder, *wide), element)


def with_sign(builder: LaneBuilder, magnitude: Value, sign: Value) -> Value:
    """The first operand's magnitude with the second one's sign, of f32 or f64."""
    type_ = lanes_of(magnitude)
    bits = type_.element.bits
    word = ELEMENT_TYPES[f"u{bits}"]
    top = builder.constant(1 << (bits - 1), LaneType(word, type_.lanes))
    low = builder.constant((1 << (bits - 1)) - 1, LaneType(word, type_.lanes))
    kept = builder.bitwise_and(builder.bit_cast(magnitude, word), low)
    signed = builder.bitwise_and(builder.bit_cast(sign, word), top)
    return builder.bit_cast(builder.bitwise_or(kept, signed), type_.element)


def nan_or(builder: LaneBuilder, op: Op, a: Value, b: Value) -> Value:
    """The op's result, or the first operand that is a NaN."""
    found = builder.where(builder.not_equal(b, b), b, builder.value(op, a, b))
    return builder.where(builder.not_equal(a, a), a, found)
