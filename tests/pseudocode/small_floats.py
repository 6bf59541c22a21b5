"""Floats of 8, 6 and 4 bits by the values that their codes stand for (OCP's formats and AMD's own), and how numbers become codes.

What lies beyond a format gives its infinity, else its NaN, else its largest number.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
from msgspec import Struct

from tests.pseudocode.values import Value, brain, float_value, round_exact, to_float

FNUZ, OCP = "fnuz", "ocp"
_TYPES: dict[tuple[str, str], Any] = {
    ("fp8", OCP): ml_dtypes.float8_e4m3fn, ("bf8", OCP): ml_dtypes.float8_e5m2,
    ("fp8", FNUZ): ml_dtypes.float8_e4m3fnuz, ("bf8", FNUZ): ml_dtypes.float8_e5m2fnuz,
    ("fp6", OCP): ml_dtypes.float6_e2m3fn, ("bf6", OCP): ml_dtypes.float6_e3m2fn, ("fp4", OCP): ml_dtypes.float4_e2m1fn,
}  # fmt: skip
_BITS = {"fp8": 8, "bf8": 8, "fp6": 6, "bf6": 6, "fp4": 4}
_FRACTION = {"fp8": 3, "bf8": 2, "fp6": 3, "bf6": 2, "fp4": 1}


class Small(Struct, frozen=True):
    """`positive` are the finite numbers from 0 up, with their positions as codes; `beyond` is the code of
    numbers that are too large, and `nans` are those of a NaN of either sign (no manual says which of several,
    or which number if there is none)."""

    bits: int
    numbers: tuple[float, ...]
    positive: tuple[float, ...]
    beyond: int
    nans: tuple[int, int]
    signed_zero: bool


@cache
def small(name: str, flavour: str) -> Small:
    """A format by its name in the pseudocode; of the widths below 8 there is OCP's alone."""
    bits = _BITS[name]
    codes = np.arange(1 << bits, dtype=np.uint8)
    dtype = _TYPES[name, flavour if bits == 8 else OCP]
    numbers = tuple(float(x) for x in codes.view(dtype))
    half = 1 << bits - 1
    positive = tuple(x for x in numbers[:half] if math.isfinite(x))
    with np.errstate(all="ignore"):
        nan, negative = (int(x) for x in np.array([np.nan, -np.nan], np.float32).astype(codes.view(dtype).dtype).view(np.uint8))
    infinite = next((code for code, x in enumerate(numbers) if math.isinf(x)), None)
    beyond = infinite if infinite is not None else nan if numbers[nan] != numbers[nan] else len(positive) - 1
    return Small(bits, numbers, positive, beyond, (nan, negative), numbers[half] == 0)


def encode(form: Small, number: float) -> int:
    """The code nearest to a number, ties to the even code."""
    sign = 1 << form.bits - 1
    negative = math.copysign(1, number) < 0
    if number != number:
        return form.nans[negative]
    magnitude = abs(number)
    step = form.positive[-1] - form.positive[-2]
    grid = (*form.positive, form.positive[-1] + step)
    code = bisect_left(grid, magnitude) if magnitude < grid[-1] else len(grid) - 1
    if code and magnitude < grid[-1]:
        below, above = Fraction(grid[code - 1]), Fraction(grid[code])
        middle = (below + above) / 2
        if Fraction(magnitude) < middle or (Fraction(magnitude) == middle and code & 1):
            code -= 1
    if code == len(form.positive):
        code = form.beyond
    if code == 0 and not form.signed_zero:
        return 0
    return code | sign if negative else code


def _scale(match: re.Match[str], arguments: list[Value], state: dict[str, Any]) -> Value:
    """`f32_to_fp8_sr_scale(x, random, scale)`: divided by 2**(scale - 127), rounded to nearest even or by random bits."""
    name = match[2]
    form, scale = small(name, state["BYTES"]), arguments[-1].value
    x = math.ldexp(to_float(arguments[0]), 127 - scale)
    if match[3]:
        x = _with_random_bits(float_value(32, x), arguments[1].value, 23 - _FRACTION[name])
    return Value("b", form.bits, encode(form, x))


def _with_random_bits(x: Value, seed: int, dropped: int) -> float:
    """As V_CVT_SR_FP8_F32's text, of as many random bits as the fraction loses."""
    if not math.isfinite(to_float(x)):
        return to_float(x)
    return to_float(Value("f", 32, (x.value + (seed >> 32 - dropped)) >> dropped << dropped))


def with_random_bits(x: Value, seed: Value, dropped: Value) -> Value:
    return float_value(32, _with_random_bits(x, seed.value, dropped.value))


def _random(match: re.Match[str], arguments: list[Value], state: dict[str, Any]) -> Value:
    """`f32_to_f16_sr(x, random)`."""
    dropped = 13 if match[1] == "f16" else 16
    x = _with_random_bits(arguments[0], arguments[1].value, dropped)
    return float_value(16, x) if match[1] == "f16" else brain(float_value(32, x))


def _unscale(match: re.Match[str], arguments: list[Value], state: dict[str, Any]) -> Value:
    """`fp8_to_f16_scale(x, scale)`: times 2**(scale - 127), rounded once."""
    form = small(match[1], state["BYTES"])
    x = math.ldexp(form.numbers[arguments[0].value], arguments[1].value - 127)
    if match[2] == "bf16":
        return brain(float_value(64, x))
    if math.isfinite(x) and x:
        return round_exact(int(match[2][1:]), Fraction(x))
    return float_value(int(match[2][1:]), x)


def _from_byte(match: re.Match[str], arguments: list[Value], state: dict[str, Any]) -> Value:
    return float_value(32, small(match[1], state["BYTES"]).numbers[arguments[0].value])


def _to_byte(match: re.Match[str], arguments: list[Value], state: dict[str, Any]) -> Value:
    """Rounded to nearest even (MODE.FP16_OVFL is 0)."""
    return Value("b", 8, encode(small(match[1], state["BYTES"]), to_float(arguments[0])))


SMALL_FLOAT_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], list[Value], dict[str, Any]], Value]], ...] = (
    (re.compile(r"(fp8|bf8)_to_f32"), _from_byte),
    (re.compile(r"f32_to_(fp8|bf8)"), _to_byte),
    (re.compile(r"(f32|f16|bf16)_to_(fp8|bf8|fp6|bf6|fp4)(_sr)?_scale"), _scale),
    (re.compile(r"(fp8|bf8|fp6|bf6|fp4)_to_(f32|f16|bf16)_scale"), _unscale),
    (re.compile(r"f32_to_(f16|bf16)_(?:sr|SR)"), _random),
)
