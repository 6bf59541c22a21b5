"""Values of the pseudocode: integers of a width, floats by their bits, exact reals, and multiples of π.

Arithmetic on floats is IEEE 754 in the wider operand's format, rounded to nearest even once.
"""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from typing import Any, NamedTuple


class Value(NamedTuple):
    """`kind` u, i or b: an integer in `value`, of `width` bits. f: a float's bit pattern; e: a bfloat16's. r: an exact real (a
    Fraction). t: a multiple of π, the Fraction `value` times it."""

    kind: str
    width: int
    value: Any


class Format(NamedTuple):
    precision: int
    least: int  # exponent of the smallest denormal
    exponent_bits: int
    code: str


FORMATS = {16: Format(11, -24, 5, "<e"), 32: Format(24, -149, 8, "<f"), 64: Format(53, -1074, 11, "<d")}
BRAIN = Format(8, -133, 8, "")  # bfloat16
TRUE, FALSE = Value("u", 1, 1), Value("u", 1, 0)


def boolean(condition: bool) -> Value:
    return TRUE if condition else FALSE


def number(text: str) -> Value:
    """A literal: `1`, `0x10ULL`, `16'0.5`, `1'1U`, `2.0F`."""
    size, _, digits = text.rpartition("'")
    hexadecimal = digits.startswith("0x")
    stripped = digits.rstrip("UL") if hexadecimal else digits.rstrip("ULF")
    suffix = digits[len(stripped) :]
    if "." in stripped:
        width = int(size) if size else 32 if suffix == "F" else 64
        return float_value(width, float(stripped))
    value = int(stripped, 0)
    width = int(size) if size else 64 if suffix.endswith("LL") or value >> 32 else 32
    return Value("u" if suffix.startswith("U") or hexadecimal or size else "i", width, value)


def wrap(kind: str, width: int, value: int) -> Value:
    """The low bits of an integer as a type."""
    value &= (1 << width) - 1
    if kind == "i" and value >> (width - 1):
        value -= 1 << width
    return Value(kind, width, value)


def saturated(kind: str, width: int, value: int) -> Value:
    """The nearest integer of a type."""
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if kind == "i" else (0, (1 << width) - 1)
    return Value(kind, width, max(low, min(high, value)))


def bits(value: Value) -> int:
    """The pattern of an integer or float in its width."""
    return value.value if value.kind in "fe" else value.value & ((1 << value.width) - 1)


def is_nan(pattern: int, width: int, shape: Format | None = None) -> bool:
    shape = shape or FORMATS[width]
    return pattern & ((1 << (width - 1)) - 1) > ((1 << shape.exponent_bits) - 1) << (shape.precision - 1)


def quiet_bit(width: int) -> int:
    return 1 << (FORMATS[width].precision - 2)


def nan(width: int) -> Value:
    shape = FORMATS[width]
    return Value("f", width, (((1 << shape.exponent_bits) - 1) << (shape.precision - 1)) | quiet_bit(width))


def to_float(value: Value) -> float:
    """A float of any format, or an integer, as Python's double; exact for floats."""
    if value.kind == "e":
        return to_float(Value("f", 32, value.value << 16))
    if value.kind == "f":
        if is_nan(value.value, value.width):
            return math.copysign(math.nan, -1.0 if value.value >> (value.width - 1) else 1.0)
        return struct.unpack(FORMATS[value.width].code, value.value.to_bytes(value.width // 8, "little"))[0]
    return float(value.value)


def float_value(width: int, x: float) -> Value:
    """A double rounded to a format."""
    if x != x:
        return nan(width)._replace(value=nan(width).value | (1 << width - 1 if math.copysign(1, x) < 0 else 0))
    try:
        raw = struct.pack(FORMATS[width].code, x)
    except OverflowError:
        raw = struct.pack(FORMATS[width].code, math.copysign(math.inf, x))
    return Value("f", width, int.from_bytes(raw, "little"))


def round_exact(width: int, exact: Fraction, zero: float = 0.0, truncate: bool = False) -> Value:
    """A real rounded to a format, to nearest even or towards zero; `zero` if it is 0."""
    if exact == 0:
        return float_value(width, zero)
    return Value("f", width, rounded(FORMATS[width], exact, truncate) | (1 << (width - 1) if exact < 0 else 0))


def rounded(shape: Format, exact: Fraction, truncate: bool = False) -> int:
    """The pattern of a real's magnitude in a format; beyond it the infinity's, or the largest number's if it
    is truncated."""
    magnitude = abs(exact)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    least = max(exponent - shape.precision + 1, shape.least)
    scaled = magnitude / Fraction(2) ** least
    steps = math.floor(scaled) if truncate else round(scaled)
    largest = (1 << shape.exponent_bits) - 1 << (shape.precision - 1)
    # a step beyond the last significand carries into the exponent field, as it should
    pattern = ((least - shape.least) << (shape.precision - 1)) + steps
    return min(pattern, largest - 1 if truncate else largest)


def brain(x: Value) -> Value:
    """A float of any format as a bfloat16: rounded to nearest even, NaNs quiet."""
    number = to_float(x)
    if number != number:
        return Value("e", 16, x.value >> (x.width - 16) | 0x40 if x.width >= 32 else 0x7FC0)
    sign = 0x8000 if math.copysign(1, number) < 0 else 0
    if math.isinf(number):
        return Value("e", 16, sign | 0x7F80)
    return Value("e", 16, sign | (rounded(BRAIN, Fraction(number)) if number else 0))


def fused(a: Value, b: Value, c: Value) -> Value:
    """a b + c, rounded once."""
    width = a.width
    x, y, z = to_float(a), to_float(b), to_float(c)
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        if math.isfinite(x) and math.isfinite(y):
            return float_value(width, z)
        product = math.copysign(1, x) * math.copysign(1, y) * math.inf if x == x and y == y and x and y else math.nan
        return float_value(width, product + z)
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    return round_exact(width, exact, math.copysign(0.0, x) * math.copysign(1, y) + z if exact == 0 and (x == 0 or y == 0) else 0.0)
