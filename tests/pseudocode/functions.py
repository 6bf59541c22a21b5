"""Operators and built-in functions of the pseudocode. The manual names the functions and does not spell them."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from tests.pseudocode.small_floats import SMALL_FLOAT_PATTERNS, with_random_bits
from tests.pseudocode.values import (
    FORMATS,
    TRUE,
    Value,
    bits,
    boolean,
    brain,
    float_value,
    fused,
    is_nan,
    nan,
    quiet_bit,
    round_exact,
    to_float,
    wrap,
)  # fmt: skip

_COMPARES: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
}  # fmt: skip
_INTEGERS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
LARGEST_POWER = 1 << 12  # beyond every format's range


def compare(sign: str, left: Value, right: Value) -> bool:
    if right.kind == "d":  # `x == DENORM.f32`: x is denormal
        number = abs(to_float(left))
        return 0 < number < 2.0 ** (FORMATS[left.width].least + FORMATS[left.width].precision - 1)
    if left.kind not in "fe" and right.kind not in "fe":
        return left.value != right.value if sign == "<>" else _COMPARES[sign](left.value, right.value)
    a, b = to_float(left), to_float(right)
    return a < b or a > b if sign == "<>" else _COMPARES[sign](a, b)  # "less or greater": false of a NaN


def arithmetic(sign: str, left: Value, right: Value, exact: bool) -> Value:
    if sign == "**":
        exponent = max(-LARGEST_POWER, min(LARGEST_POWER, right.value))
        return Value("r", left.width, Fraction(to_float(left)) ** exponent)
    if left.kind == "e" or right.kind == "e":
        return brain(_real(sign, convert(left, "f", 32), convert(right, "f", 32)))
    if left.kind in "frt" or right.kind in "frt":
        return _real(sign, left, right)
    if sign in ("<<", ">>"):
        width = max(left.width, 32) if left.width else 0
        amount = right.value
        result = left.value << amount if sign == "<<" else left.value >> amount
    else:
        width = max(left.width, right.width, 32) if left.width and right.width else 0
        result = _INTEGERS[sign](left.value, right.value)
    if exact and sign in ("+", "-", "*", "<<"):
        return Value("i", 0, result)
    if not width:
        return Value("i", 0, result)
    if sign in ("<<", ">>"):
        return wrap(left.kind, width, result)
    signed = [v for v in (left, right) if v.width == width or v.width < 32]
    kind = "i" if left.kind == "i" and right.kind == "i" else "u" if "u" in (left.kind, right.kind) else "b"
    return wrap("i" if kind == "b" and all(v.kind == "i" for v in signed) else kind, width, result)


def _real(sign: str, left: Value, right: Value) -> Value:
    if "t" in (left.kind, right.kind):
        other, turn = (left, right) if right.kind == "t" else (right, left)
        x = to_float(other)
        if other.kind == "f" and not math.isfinite(x):
            return nan(other.width)
        return Value("t", other.width, Fraction(x) * turn.value)
    if "r" in (left.kind, right.kind):
        return _scaled(left, right)
    if "f" not in (left.kind, right.kind):
        raise ValueError(f"{sign} of {left} and {right}")
    width = max(v.width for v in (left, right) if v.kind == "f")
    a, b = to_float(left), to_float(right)
    if sign == "/":
        return float_value(width, _quotient(a, b))
    return float_value(width, {"+": operator.add, "-": operator.sub, "*": operator.mul}[sign](a, b))


def _quotient(a: float, b: float) -> float:
    with np.errstate(all="ignore"):
        return float(np.float64(a) / np.float64(b))


def _scaled(left: Value, right: Value) -> Value:
    """A float times an exact power, rounded once."""
    number, power = (left, right) if left.kind == "f" else (right, left)
    x = to_float(number)
    if x == 0 or not math.isfinite(x):
        return number
    return round_exact(number.width, Fraction(x) * power.value)


def convert(value: Value, kind: str, width: int) -> Value:
    """`32'F(x)`, `64'U(x)`: the number, rounded or extended."""
    if kind == "e":
        return value if value.kind == "e" else brain(value)
    if kind != "f":
        return wrap(kind, width, value.value)
    if value.kind == "e":
        return convert(Value("f", 32, value.value << 16), "f", width)
    if value.kind == "t" or value.kind == "r":
        return value._replace(width=width) if value.kind == "t" or not FORMATS.get(width) else value
    if value.kind == "f":
        if value.width == width:
            return value
        if is_nan(value.value, value.width):
            return _wide_nan(value, width)
        return float_value(width, to_float(value))
    return round_exact(width, Fraction(value.value))


def _wide_nan(value: Value, width: int) -> Value:
    """A NaN in another format, its sign, quiet bit and the top of its payload kept."""
    moved = FORMATS[width].precision - FORMATS[value.width].precision
    payload = value.value & ((1 << (FORMATS[value.width].precision - 1)) - 1)
    payload = payload << moved if moved > 0 else payload >> -moved
    infinity = ((1 << FORMATS[width].exponent_bits) - 1) << (FORMATS[width].precision - 1)
    return Value("f", width, (value.value >> (value.width - 1)) << (width - 1) | infinity | (payload or 1))


def _signalling(x: Value) -> bool:
    return is_nan(x.value, x.width) and not x.value & quiet_bit(x.width)


def _exponent(x: Value) -> Value:
    """The exponent field."""
    shape = FORMATS[x.width]
    return Value("i", 32, x.value >> (shape.precision - 1) & ((1 << shape.exponent_bits) - 1))


def _mantissa(x: Value) -> Value:
    """The significand in [0.5, 1), with the sign."""
    return float_value(x.width, math.frexp(to_float(x))[0])


def _whole(rounding: Callable[[float], int]) -> Callable[[Value], Value]:
    def function(x: Value) -> Value:
        number = to_float(x)
        if not math.isfinite(number):
            return x
        return float_value(x.width, math.copysign(float(rounding(number)), number))

    return function


def _root(x: Value) -> Value:
    number = to_float(x)
    return float_value(x.width, math.sqrt(number) if number >= 0 else math.nan) if number else x


def _logarithm(x: Value) -> Value:
    number = to_float(x)
    if number == 0:
        return float_value(x.width, -math.inf)
    return float_value(x.width, math.log2(number) if number > 0 else math.nan)


def _power(base: Value, exponent: Value) -> Value:
    number = to_float(exponent)
    with np.errstate(all="ignore"):
        return float_value(exponent.width, float(np.float64(to_float(base)) ** np.float64(number)))


def _circular(function: Callable[[float], float], quarter: int) -> Callable[[Value], Value]:
    """sin or cos of a multiple of π, exact at the quarters of a turn."""

    def call(x: Value) -> Value:
        if x.kind == "f":
            return nan(x.width)
        reduced = x.value % 2
        if (2 * reduced).denominator == 1:
            exact = (0.0, 1.0, 0.0, -1.0)[(int(2 * reduced) + quarter) % 4]
            return float_value(x.width, math.copysign(exact, x.value) if exact == 0 else exact)
        if reduced > 1:
            reduced -= 2
        return float_value(x.width, function(float(reduced) * math.pi))

    return call


def _from_bit(x: Value, size: Value) -> Value:
    """An integer with the sign in bit `size` - 1; 0 if it has no bits."""
    if not size.value:
        return Value("i", x.width, 0)
    return wrap("i", x.width, wrap("i", min(size.value, x.width), x.value).value)


def _fract(x: Value) -> Value:
    number = to_float(x)
    return float_value(x.width, number - math.floor(number)) if math.isfinite(number) else nan(x.width)


def _fused_scaled(a: Value, b: Value, c: Value, power: Value) -> Value:
    """(a b + c) 2**power, rounded once."""
    numbers = [to_float(x) for x in (a, b, c)]
    if not all(map(math.isfinite, numbers)):
        return fused(a, b, c)
    x, y, z = map(Fraction, numbers)
    plain = fused(a, b, c)
    return round_exact(a.width, (x * y + z) * Fraction(2) ** power.value, to_float(plain)) if x * y + z else plain


def _first_one(x: Value) -> Value:
    """The lowest bit that is 1."""
    pattern = bits(x)
    return Value("i", 32, (pattern & -pattern).bit_length() - 1)


def _ldexp(x: Value, exponent: Value) -> Value:
    return _scaled(x, Value("r", 64, Fraction(2) ** exponent.value))


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "trunc": _whole(math.trunc),
    "floor": _whole(math.floor),
    "fract": _fract,
    "sqrt": _root,
    "log2": _logarithm,
    "pow": _power,
    "sin": _circular(math.sin, 0),
    "cos": _circular(math.cos, 1),
    "fma": fused,
    "fma_scaled": _fused_scaled,  # of a mended text
    "ldexp": _ldexp,
    "abs": lambda x: Value("f", x.width, x.value & ~(1 << (x.width - 1))),
    "sign": lambda x: Value("u", 1, x.value >> (x.width - 1)),
    "exponent": _exponent,
    "mantissa": _mantissa,
    "isNAN": lambda x: boolean(is_nan(x.value, x.width)),
    "isSignalNAN": lambda x: boolean(_signalling(x)),
    "isQuietNAN": lambda x: boolean(is_nan(x.value, x.width) and not _signalling(x)),
    "cvtToQuietNAN": lambda x: Value("f", x.width, x.value | quiet_bit(x.width)),
    "isEven": lambda x: boolean(math.isfinite(to_float(x)) and to_float(x) % 2 == 0),
    "signext": lambda x: wrap("i", max(x.width, 32), x.value),
    "signext_from_bit": _from_bit,
    "with_random_bits": with_random_bits,  # of a mended text
    "count_ones": lambda x: Value("i", 32, bits(x).bit_count()),
    "s_ff1_i32_b32": _first_one,
    "s_ff1_i32_b64": _first_one,
    "s_nop": lambda x: x,
    "nop": lambda: TRUE,
    "v_cvt_i16_f32": lambda x: _to_integer("i", 16, x),  # of V_CVT_PK_I16_F32, instructions of their own nowhere
    "v_cvt_u16_f32": lambda x: _to_integer("u", 16, x),
}


def _to_integer(kind: str, width: int, x: Value) -> Value:
    """Truncated, saturated; a NaN gives 0."""
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if kind == "i" else (0, (1 << width) - 1)
    if x.kind != "f":
        return Value(kind, width, max(low, min(high, x.value)))
    number = to_float(x)
    if number != number:
        return Value(kind, width, 0)
    if math.isinf(number):
        return Value(kind, width, high if number > 0 else low)
    return Value(kind, width, max(low, min(high, math.trunc(number))))


def _conversion(match: re.Match[str], arguments: list[Value], state: dict[str, Any]) -> Value:
    (value,) = arguments
    kind, width = match[2][0], int(match[2][1:])
    if kind != "f":
        return _to_integer(kind, width, value)
    toward_zero = "ROUND_MODE" in state and state["ROUND_MODE"].value == 3
    if toward_zero and math.isfinite(to_float(value)):
        return round_exact(width, Fraction(to_float(value)), to_float(value), truncate=True)
    return convert(value, "f", width)


def _normalised(match: re.Match[str], arguments: list[Value], state: dict[str, Any]) -> Value:
    """To a 16-bit fraction of 1: scaled, rounded to nearest even, saturated; a NaN gives 0."""
    number = to_float(arguments[0])
    signed = match[1] == "s"
    if number != number:
        return Value("i", 16, 0)
    limited = max(-1.0 if signed else 0.0, min(1.0, number))
    return Value("i" if signed else "u", 16, round(Fraction(limited) * (32767 if signed else 65535)))


PATTERNS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], list[Value], dict[str, Any]], Value]], ...] = (
    (re.compile(r"([uif]\d+)_to_([uif]\d+)"), _conversion),
    (re.compile(r"f\d+_to_([su])norm"), _normalised),
    (re.compile(r"bf16_to_(f)(32)"), lambda match, arguments, state: convert(arguments[0], "f", 32)),
    (re.compile(r"f32_to_bf16"), lambda match, arguments, state: brain(arguments[0])),
    *SMALL_FLOAT_PATTERNS,
)
__all__ = ["FUNCTIONS", "PATTERNS", "TRUE", "arithmetic", "compare", "convert"]
