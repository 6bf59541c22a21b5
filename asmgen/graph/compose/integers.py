"""Arithmetic of integers and their bits as sequences of simpler ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from asmgen.graph import ops
from asmgen.graph.compose.writer import Writer
from asmgen.ir.program import Op, Value
from asmgen.ir.types import BOOL, I32, U8, U32, NumberKind

Number = TypeVar("Number")  # a value of a graph, or an array that is traced


def fmod(write: Writer, a: Value, b: Value) -> Value:
    """Of integers; by 0 it is 0."""
    is_unsigned = a.type.element.kind is NumberKind.UNSIGNED
    if is_unsigned and _is_power_of_two(write.whole(b)):
        return _lowest_bits(write, a, b)
    whole = write.apply(ops.MUL, write.apply(ops.DIV, a, b), b)
    rest = write.apply(ops.SUB, a, whole)
    return write.apply(ops.WHERE, write.is_equal(b, 0), write.number(0, a), rest)


def mod(write: Writer, a: Value, b: Value) -> Value:
    """Of integers; it has the sign of b. By a positive power of two it is the lowest bits of a, whatever the
    sign of a: two's complement repeats them every power of two."""
    number = write.whole(b)
    if _is_power_of_two(number):
        return _lowest_bits(write, a, b)
    if number is not None and number > 0 and a.type.element is I32:
        quotient = floor_quotient(write.apply, a, b, write.number(I32.bits - 1, a))
        return write.apply(ops.SUB, a, write.apply(ops.MUL, quotient, b))
    rest = fmod(write, a, b)
    if a.type.element.kind is NumberKind.UNSIGNED:
        return rest
    differs = write.apply(ops.LOGICAL_XOR, write.is_less(rest, 0), write.is_less(b, 0))
    is_some = write.apply(ops.NOT, write.is_equal(rest, 0))
    moves = write.apply(ops.LOGICAL_AND, differs, is_some)
    return write.apply(ops.WHERE, moves, write.apply(ops.ADD, rest, b), rest)


def floor_quotient(
    apply: Callable[[Op, Number, Number], Number], a: Number, b: Number, sign_bit: Number
) -> Number:
    """The quotient of a signed integer by a positive number, rounded down; `sign_bit` is the number of the
    highest bit. The bits of a negative number are inverted before the division and after it: of -1 - n, the
    quotient is -1 - n // b."""
    sign = apply(ops.RIGHT_SHIFT, a, sign_bit)
    quotient = apply(ops.DIV, apply(ops.BITWISE_XOR, a, sign), b)
    return apply(ops.BITWISE_XOR, quotient, sign)


def _is_power_of_two(number: int | None) -> bool:
    return number is not None and number > 0 and number & (number - 1) == 0


def _lowest_bits(write: Writer, a: Value, power: Value) -> Value:
    """The bits of a below a power of two that is known."""
    number = write.whole(power)
    assert number is not None, "its callers ask"
    return write.apply(ops.BITWISE_AND, a, write.number(number - 1, a))


def power(write: Writer, a: Value, b: Value) -> Value:
    """Of integers, by squares; to a negative power it is the whole part of the quotient, and 0 of 0."""
    element = a.type.element
    result, square = write.number(1, a), a
    digits = element.bits - int(element.kind is NumberKind.SIGNED)
    for digit in range(digits):
        if digit:
            square = write.apply(ops.MUL, square, square)
        factor = write.apply(ops.WHERE, _has_bit(write, b, digit), square, write.number(1, a))
        result = write.apply(ops.MUL, result, factor)
    if element.kind is NumberKind.UNSIGNED:
        return result
    is_odd = _has_bit(write, b, 0)
    minus_one = write.apply(ops.SUB, write.number(0, a), write.number(1, a))
    sign = write.apply(ops.WHERE, is_odd, minus_one, write.number(1, a))
    is_minus_one = write.apply(ops.EQUAL, a, minus_one)
    of_one = write.apply(ops.WHERE, write.is_equal(a, 1), write.number(1, a), write.number(0, a))
    negative = write.apply(ops.WHERE, is_minus_one, sign, of_one)
    return write.apply(ops.WHERE, write.is_less(b, 0), negative, result)


def _has_bit(write: Writer, x: Value, bit: int) -> Value:
    digit = write.apply(ops.BITWISE_AND, x, write.number(1 << bit, x))
    return write.apply(ops.NOT, write.is_equal(digit, 0))


def bitwise_and(write: Writer, a: Value, b: Value) -> Value:
    return write.apply(ops.LOGICAL_AND, a, b)


def bitwise_or(write: Writer, a: Value, b: Value) -> Value:
    return write.apply(ops.LOGICAL_OR, a, b)


def bitwise_xor(write: Writer, a: Value, b: Value) -> Value:
    return write.apply(ops.LOGICAL_XOR, a, b)


def popcount(write: Writer, x: Value) -> Value:
    """The bit count of a signed integer. Registers have copies of its sign above it, so its bits are counted
    as unsigned."""
    unsigned = write.apply(ops.BIT_CAST, x, target_type=f"u{x.type.element.bits}")
    return write.apply(ops.POPCOUNT, unsigned)


def leading_zeros(write: Writer, x: Value) -> Value:
    """The leading zeros of an integer that is computed in 32 bits."""
    bits = x.type.element.bits
    unsigned = x
    if x.type.element.kind is NumberKind.SIGNED:
        unsigned = write.apply(ops.BIT_CAST, x, target_type=f"u{bits}")
    zeros = write.apply(ops.LEADING_ZEROS, write.wide(unsigned, U32))
    return write.apply(ops.SUB, zeros, write.number(U32.bits - bits, zeros))


def bit_cast(write: Writer, x: Value) -> Value:
    """A bool is the byte 0 or 1, and a byte other than 0 is true."""
    result = write.origin.result.type.element
    if x.type.element is BOOL and (result.is_float or result.is_code):
        x = write.apply(ops.CONVERT, x, target_type=U8.name)
        return write.apply(ops.BIT_CAST, x, target_type=result.name)
    return (
        write.apply(ops.BIT_CAST, x, target_type=U8.name)
        if x.type.element.is_float or x.type.element.is_code
        else x
    )
