"""Numbers of the element types, without numpy: rounding, ranges and text that reads back to the same
value."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

from asmgen.ir.types import ElementType, NumberKind
from isa.named_tuple import NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction


class FloatFormat(NamedTuple):
    """A binary float format: significand bits with the hidden bit, the exponent of its smallest normal,
    its largest value.

    `infinities` is False for formats without infinities: an overflow is a NaN there. `negative_zero`
    likewise. Sources: IEEE 754-2019 table 3.5; OCP 8-bit Floating Point Specification 1.0 (fn); the "fnuz"
    formats as ml_dtypes has them.
    """

    precision: int
    minimum_exponent: int
    largest: float
    infinities: bool = True
    negative_zero: bool = True


FLOAT_FORMATS: dict[str, FloatFormat] = {
    "f64": FloatFormat(53, -1022, 1.7976931348623157e308),
    "f32": FloatFormat(24, -126, 3.4028234663852886e38),
    "f16": FloatFormat(11, -14, 65504.0),
    "bf16": FloatFormat(8, -126, 3.3895313892515355e38),
    "fp8e4m3fn": FloatFormat(4, -6, 448.0, infinities=False),
    "fp8e5m2": FloatFormat(3, -14, 57344.0),
    "fp8e4m3fnuz": FloatFormat(4, -7, 240.0, infinities=False, negative_zero=False),
    "fp8e5m2fnuz": FloatFormat(3, -15, 57344.0, infinities=False, negative_zero=False),
}


_PACKED = {
    "f64": struct.Struct("<d"),
    "f32": struct.Struct("<f"),
    "f16": struct.Struct("<e"),
}  # what Python itself rounds to
_EXACT = 1 << 53  # no integer up to it is rounded to make it a float
_SHORT = 8  # characters; a Python repr no longer than this needs no search for a shorter text


def integer_range(element: ElementType) -> tuple[int, int]:
    """The smallest and largest value of an integer type or bool."""
    if element.kind is NumberKind.BOOL:
        return 0, 1
    if element.kind is NumberKind.SIGNED:
        return -(1 << element.bits - 1), (1 << element.bits - 1) - 1
    return 0, (1 << element.bits) - 1


def round_float(value: float | Fraction, element: ElementType) -> float:
    """The value of a float type nearest to `value`, ties to even; an overflow is infinite, or NaN if the
    type has no infinity."""
    form = FLOAT_FORMATS[element.name]
    if isinstance(value, float) and (math.isnan(value) or math.isinf(value)):
        return value if form.infinities or math.isnan(value) else math.nan
    if value == 0:
        return value if isinstance(value, float) and form.negative_zero else 0.0
    if isinstance(value, int) and abs(value) <= _EXACT:
        value = float(value)
    packed = _PACKED.get(element.name)
    if packed is not None and isinstance(value, float):
        return _round_packed(value, packed)
    exponent = max(_exponent(value), form.minimum_exponent) - form.precision + 1
    scaled = _exactly(value) / _exactly(2) ** exponent
    rounded = round(scaled) * _exactly(2) ** exponent  # round() of a Fraction is to nearest, ties to even
    if abs(rounded) > _exactly(form.largest):
        return math.copysign(math.inf, 1 if value > 0 else -1) if form.infinities else math.nan
    if rounded == 0:
        return math.copysign(0.0, value) if form.negative_zero else 0.0
    return float(rounded)


def round_to(value: float, element: ElementType) -> int | float | bool:
    """`value` rounded to the element type: floats to nearest even (overflow gives infinity), integers
    wrapped."""
    packed = _PACKED.get(element.name)
    if packed is not None:
        return _round_packed(float(value), packed)
    if element.is_float:
        return round_float(float(value), element)
    if element.kind is NumberKind.BOOL:
        return bool(value)
    low, _ = integer_range(element)
    return (int(value) - low) % (1 << element.bits) + low


def float_pattern(value: float, element: ElementType) -> int:
    """The bits of a number in a format of `ml_dtypes`: bf16, or a format of 8 bits."""
    import ml_dtypes
    import numpy as np

    held = np.array([value], np.dtype(getattr(ml_dtypes, element.numpy)))
    return int(held.view(f"u{element.bytes}")[0])


def _exactly(value: float | str | Fraction) -> Fraction:
    """A number, or the number that a decimal text says, without rounding."""
    from fractions import Fraction  # takes 5 ms to load, and most programs need none

    return Fraction(value)


def _round_packed(value: float, packed: struct.Struct) -> float:
    """The nearest value of a format that `struct` has, which rounds ties to even."""
    try:
        (rounded,) = packed.unpack(packed.pack(value))
    except OverflowError:
        return math.copysign(math.inf, value)
    return rounded


def _exponent(value: float | Fraction) -> int:
    """floor(log2(|value|)) of a value other than 0."""
    if isinstance(value, float):
        return math.frexp(value)[1] - 1
    numerator, denominator = abs(value.numerator), value.denominator
    exponent = numerator.bit_length() - denominator.bit_length()
    return exponent if numerator << max(0, -exponent) >= denominator << max(0, exponent) else exponent - 1


def read_number(text: str) -> int | float:
    """The number of a NUMBER token, `inf` or `nan`: an int if it is written as an integer."""
    digits = text.lstrip("+-")
    if digits[:2] in ("0x", "0X"):
        return int(text, 16)
    if digits.isdigit():
        return int(text)
    return float(text)


def read_as(text: str, element: ElementType) -> int | float | bool | None:
    """The value of a number's text in `element`: rounded once for a float type; None if it is out of an
    integer type's range."""
    number = read_number(text)
    if element.is_float:
        if isinstance(number, float) and not math.isfinite(number):
            return round_float(number, element)
        if number == 0:
            return -0.0 if text[0] == "-" and FLOAT_FORMATS[element.name].negative_zero else 0.0
        if isinstance(number, int):
            return round_float(float(number) if abs(number) <= _EXACT else _exactly(number), element)
        return _round_text(text, number, element)
    return number_as(number, element)


def _round_text(text: str, nearest: float, element: ElementType) -> float:
    """The value of a decimal text in a float type, rounded once; `nearest` is the f64 nearest to it.

    Rounding `nearest` instead of the text gives another value only if it lies halfway between two values
    of the type.
    """
    if element.name not in _PACKED:
        return round_float(_exactly(text), element)
    rounded = round_float(nearest, element)
    beyond = 2 * nearest - rounded  # as far from `nearest` as `rounded` is, on the other side: exact
    is_halfway = beyond != rounded and round_float(beyond, element) == beyond
    return round_float(_exactly(text), element) if is_halfway or math.isinf(rounded) else rounded


def number_as(number: float, element: ElementType) -> int | float | bool | None:
    """A Python number as a value of `element`: rounded for a float type; None if it is out of an integer
    type's range."""
    if element.is_float:
        return round_float(_exactly(number) if isinstance(number, int) else number, element)
    if isinstance(number, float):
        if not number.is_integer():  # infinities and NaN are not either
            return None
        number = int(number)
    low, high = integer_range(element)
    if not low <= number <= high:
        return None
    return bool(number) if element.kind is NumberKind.BOOL else number


def format_float(value: float, element: ElementType) -> str:
    """A short decimal text, with a point or an exponent, that `read_as` reads back to this value of the
    type."""
    if math.isnan(value):
        return "nan"
    exact = repr(value)
    if len(exact) <= _SHORT or math.isinf(value):
        return exact
    form = FLOAT_FORMATS[element.name]
    for digits in range(max(1, form.precision * 30103 // 100000), 17):
        text = f"{value:.{digits}g}"
        if round_float(_exactly(text), element) == value:
            return repr(float(text))
    return exact


def format_number(value: float, element: ElementType) -> str:
    """A value of an element type as `@literal` shows it."""
    if element.is_float:
        return format_float(float(value), element)
    if element.kind is NumberKind.BOOL:
        return "true" if value else "false"
    return str(int(value))
