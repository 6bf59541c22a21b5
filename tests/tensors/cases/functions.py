"""Cases of StableHLO's and CHLO's functions of one operand, and of conversions, comparisons, clamps and selections."""

from __future__ import annotations

from collections.abc import Callable
from math import erf, erfc
from typing import Any

import ml_dtypes
import mpmath
import numpy as np

from tests.tensors.case import BF16, Array, Case, array, case, element, numbers, t, type_of

F8, F8_WIDE = np.dtype(ml_dtypes.float8_e4m3fn), np.dtype(ml_dtypes.float8_e5m2)
NAN, INF = np.nan, np.inf
FEW = array([-3.5, -1.0, -0.25, 0.0, 1e-6, 0.5, 1.0, 2.75, 10.0])
POSITIVE = array([1e-6, 0.25, 1.0, 2.0, 9.0, 1234.5])
UNIT = array([-1.0, -0.7, -1e-5, 0.0, 0.3, 0.99])

# The function, the reference in f64, the arguments and the bound of docs/numerics.md, or 8 for a composition of functions, and half an ULP
# for the rounding of the wanted number.
FUNCTIONS: tuple[tuple[str, Callable[[Any], Any], Array, float], ...] = (
    ("abs", np.abs, FEW, 0),
    ("cbrt", np.cbrt, array([-27.0, -0.001, 0, 8, 1e10]), 8),
    ("ceil", np.ceil, FEW, 0),
    ("cosine", np.cos, FEW, 4.5),
    ("exponential", np.exp, FEW, 2.5),
    ("exponential_minus_one", np.expm1, FEW, 8),
    ("floor", np.floor, FEW, 0),
    ("log", np.log, POSITIVE, 2.5),
    ("log_plus_one", np.log1p, array([-0.5, -1e-6, 0, 1e-7, 0.3, 1000]), 8),
    ("logistic", lambda x: 1 / (1 + np.exp(-x)), FEW, 4.5),
    ("negate", np.negative, FEW, 0),
    ("round_nearest_afz", lambda x: np.sign(x) * np.floor(np.abs(x) + 0.5), array([-2.5, -0.5, 0.4, 0.5, 1.5, 2.5, 7.49]), 0),
    ("round_nearest_even", np.rint, array([-2.5, -0.5, 0.4, 0.5, 1.5, 2.5, 7.49]), 0),
    ("rsqrt", lambda x: 1 / np.sqrt(x), POSITIVE, 1.5),
    ("sign", np.sign, array([-3.0, 0, 2, NAN, -INF]), 0),
    ("sine", np.sin, FEW, 4.5),
    ("sqrt", np.sqrt, POSITIVE, 1.5),
    ("tan", np.tan, FEW, 6.5),
    ("tanh", np.tanh, FEW, 4.5),
)


def _by_mpmath(function: Callable[[Any], Any]) -> Callable[[Array], Array]:
    return lambda x: np.array([float(function(float(each))) for each in x])


HALVES = frozenset({"abs", "ceil", "exponential", "logistic", "negate", "round_nearest_afz", "rsqrt", "sign", "tanh", "exponential_minus_one"})
DOUBLES = frozenset({"cosine", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "sqrt", "tanh", "cbrt"})
CHLO: tuple[tuple[str, Callable[[Any], Any], Array, float], ...] = (
    ("acos", np.arccos, UNIT, 8),
    ("acosh", np.arccosh, array([1.0, 1.5, 20]), 8),
    ("asin", np.arcsin, UNIT, 8),
    ("asinh", np.arcsinh, FEW, 8),
    ("atan", np.arctan, FEW, 8),
    ("atanh", np.arctanh, array([-0.9, -1e-4, 0, 0.5]), 8),
    ("cosh", np.cosh, FEW, 8),
    ("erf", np.vectorize(erf), FEW, 4.5),
    ("sinh", np.sinh, FEW, 8),
    ("square", np.square, array([-3.0, 0.5, 7]), 0),
    ("erfc", np.vectorize(erfc), array([-20, -2.0, -0.5, 0, 0.49999997, 0.5, 1, 2.3, 4.376, 6.1, 9.1, INF, NAN]), 16),
    ("digamma", _by_mpmath(mpmath.digamma), array([-7.75, -1.9990234, -0.3, -1e-3, -1e-9, 1e-6, 0.5, 1, 2, 3.9999998, 4, 77, 1e20]), 16),
    ("lgamma", _by_mpmath(lambda x: mpmath.re(mpmath.loggamma(x))), array([-7.75, -0.3, -1e-6, 1e-30, 0.5, 2.7, 3.9999998, 4, 77, 1e20]), 16),
    ("erf_inv", _by_mpmath(mpmath.erfinv), array([-1, -0.99999994, -0.999, -0.82, -0.1, 0, 1e-30, 0.3, 0.9999, 1]), 4),
)


def unary(op: str, about: str, x: Array, wanted: Array, ulps: float = 0) -> Case:
    return case(op, about, f"%r = stablehlo.{op} %a : {_signature(x, wanted)}", {"a": x}, wanted, ulps=ulps)


def _signature(x: Array, wanted: Array) -> str:
    return t(x) if x.dtype == wanted.dtype else f"({t(x)}) -> {t(wanted)}"


def _functions() -> list[Case]:
    made: list[Case] = []
    for op, reference, x, ulps in FUNCTIONS:
        made.append(unary(op, "f32", x, reference(x.astype(np.float64)).astype(np.float32), ulps))
        if op in DOUBLES:
            wide = x.astype(np.float64)
            made.append(unary(op, "f64", wide, reference(wide), ulps))
        if op in HALVES:
            half = x.astype(np.float16) if op != "rsqrt" else x[1:].astype(np.float16)
            made.append(unary(op, "f16", half, reference(half.astype(np.float64)).astype(np.float16), 1 if ulps else 0))
            half = x.astype(BF16)
            made.append(unary(op, "bf16", half, reference(half.astype(np.float64)).astype(BF16), 1 if ulps else 0))
    for op, reference, x, ulps in CHLO:
        if op in ("digamma", "erfc", "lgamma"):
            few, wide = x[(np.abs(x) > 1e-5) & (np.abs(x) < 1e3)].astype(np.float16), x.astype(np.float64)
            halves, doubles = reference(few.astype(np.float64)).astype(np.float16), reference(wide)
            made.append(case(op, "f16", f"%r = chlo.{op} %a : {t(few)} -> {t(few)}", {"a": few}, halves, ulps=1, dialect="chlo."))
            made.append(case(op, "f64", f"%r = chlo.{op} %a : {t(wide)} -> {t(wide)}", {"a": wide}, doubles, ulps=64, dialect="chlo."))
        wanted = reference(x.astype(np.float64)).astype(np.float32)
        made.append(case(op, "f32", f"%r = chlo.{op} %a : {t(x)} -> {t(x)}", {"a": x}, wanted, ulps=ulps, dialect="chlo."))
    return made


def _neighbours() -> list[Case]:
    made: list[Case] = []
    for dtype in (np.float32, np.float16, BF16):
        x = array([1, 1, -1, 0, 0, -0.0, 2, INF, NAN, 1, 2.0**-14, -2], dtype)
        y = array([2, 0, 0, 1, -1, 0, 2, 0, 1, NAN, 0, INF], dtype)
        text = f"%r = chlo.next_after %a, %b : {t(x)}, {t(y)} -> {t(x)}"
        made.append(case("next_after", element(dtype), text, {"a": x, "b": y}, np.nextafter(x, y), dialect="chlo."))
    return made


def _special() -> list[Case]:
    x = array([1.0, NAN, INF, -INF, 0])
    poles = array([0, -0.0, -1, -2.0**24, -3e38, -INF, INF, NAN])
    of_poles = [
        case(op, "poles", f"%r = chlo.{op} %a : {t(poles)} -> {t(poles)}", {"a": poles}, array(wanted), dialect="chlo.")
        for op, wanted in (("lgamma", [INF] * 7 + [NAN]), ("digamma", [NAN] * 6 + [INF, NAN]))
    ]
    return [
        *of_poles,
        unary("exponential", "special numbers", x, array([np.e, NAN, INF, 0, 1]), 2.5),
        unary("log", "special numbers", array([0.0, -1, INF, 1]), array([-INF, NAN, INF, 0])),
        unary("sqrt", "special numbers", array([-1.0, INF, 0]), array([NAN, INF, 0])),
        unary("rsqrt", "special numbers", array([0.0, INF, -2]), array([INF, 0, NAN])),
        unary("tanh", "special numbers", array([INF, -INF, NAN]), array([1, -1, NAN])),
        unary("logistic", "far from 0", array([200.0, -200, INF, -INF]), array([1.0, np.exp(-200.0), 1, 0]), 4.5),
        unary("is_finite", "f32", x, array([1, 0, 0, 0, 1], bool)),
        unary("is_finite", "f16", x.astype(np.float16), array([1, 0, 0, 0, 1], bool)),
        unary(
            "exponential_minus_one", "small arguments keep their digits", array([1e-7, -3e-5, 1e-12]), np.expm1([1e-7, -3e-5, 1e-12]).astype("f4"), 8
        ),
        unary("log_plus_one", "small arguments keep their digits", array([1e-7, -3e-5, 1e-12]), np.log1p([1e-7, -3e-5, 1e-12]).astype("f4"), 8),
        unary("tanh", "a scalar", array(0.5), array(np.tanh(0.5)), 4.5),
    ]


def _integers() -> list[Case]:
    words = array([0, 1, -1, 255, 2**30, -(2**31)], np.int32)
    return [
        unary("abs", "i32, the least number stays", array([-5, 0, 7, -(2**31)], np.int32), array([5, 0, 7, -(2**31)], np.int32)),
        unary("abs", "i64", array([-(2**40), 3], np.int64), array([2**40, 3], np.int64)),
        unary("negate", "i8 wraps", array([-128, 5, 0], np.int8), array([-128, -5, 0], np.int8)),
        unary("negate", "ui32 wraps", array([1, 0, 2**31], np.uint32), array([2**32 - 1, 0, 2**31], np.uint32)),
        unary("sign", "i16", array([-300, 0, 12], np.int16), array([-1, 0, 1], np.int16)),
        unary("not", "i32", words, ~words),
        unary("not", "i1", array([0, 1], bool), array([1, 0], bool)),
        unary("not", "ui8", array([0, 170], np.uint8), array([255, 85], np.uint8)),
        unary("popcnt", "i32", words, array([0, 1, 32, 8, 1, 1], np.int32)),
        unary("popcnt", "ui8", array([0, 255, 170], np.uint8), array([0, 8, 4], np.uint8)),
        unary("popcnt", "i64", array([-1, 2**40 + 1], np.int64), array([64, 2], np.int64)),
        unary("count_leading_zeros", "i32", words, array([32, 31, 0, 24, 1, 0], np.int32)),
        unary("count_leading_zeros", "i16", array([0, 1, -1], np.int16), array([16, 15, 0], np.int16)),
        unary("count_leading_zeros", "ui64", array([0, 1, 2**40], np.uint64), array([64, 63, 23], np.uint64)),
    ]


def _converted(about: str, x: Array, wanted: Array, ulps: float = 0) -> Case:
    return case("convert", about, f"%r = stablehlo.convert %a : ({t(x)}) -> {t(wanted)}", {"a": x}, wanted, ulps=ulps)


def _conversions() -> list[Case]:
    odd = array([0, 1, -2, 3.75])
    return [
        _converted("i32 to f32 rounds to even", array([7, -3, 2**24 + 1], np.int32), array([7, -3, 2**24])),
        _converted("f32 to i32 truncates", array([2.9, -2.9, 0.5]), array([2, -2, 0], np.int32)),
        _converted("f32 to i8", array([100.7, -7.9]), array([100, -7], np.int8)),
        _converted("f32 to ui8", array([200.2, 3.9]), array([200, 3], np.uint8)),
        _converted("f32 to bf16 rounds to even", array([1.00390625, 1.01171875, 3.0]), array([1.0, 1.015625, 3], BF16)),
        _converted("f32 to f16", array([1e5, 0.1, -2]), array([INF, 0.1, -2], np.float16)),
        _converted("f16 to f32", odd.astype(np.float16), odd),
        _converted("bf16 to f64", odd.astype(BF16), odd.astype(np.float64)),
        _converted("f64 to f32", array([0.1, 1e300], np.float64), array([0.1, INF])),
        _converted("f32 to f8E4M3FN", array([1.0, 0.3, -7]), array([1.0, 0.3, -7], F8)),
        _converted("f8E5M2 to f32", array([1.0, 0.25, -7], F8_WIDE), array([1, 0.25, -7])),
        _converted("i1 to f32", array([0, 1], bool), array([0, 1])),
        _converted("i1 to i32", array([0, 1], bool), array([0, 1], np.int32)),
        _converted("f32 to i1 is not 0", array([0, 0.25, -3, -0.0]), array([0, 1, 1, 0], bool)),
        _converted("i32 to i1 is not 0", array([0, 256, -1], np.int32), array([0, 1, 1], bool)),
        _converted("i32 to i8 wraps", array([300, -200, 5], np.int32), array([44, 56, 5], np.int8)),
        _converted("i8 to i64 keeps the sign", array([-5, 127], np.int8), array([-5, 127], np.int64)),
        _converted("ui8 to i32 has no sign", array([255, 1], np.uint8), array([255, 1], np.int32)),
        _converted("ui32 to f32", array([2**32 - 1, 5], np.uint32), array([2**32, 5])),
        _converted("i64 to ui16", array([2**40 + 9, -1], np.int64), array([9, 65535], np.uint16)),
        _converted("of the same type", odd, odd),
    ]


def _bit_casts() -> list[Case]:
    words = array([[0, -1], [0x3F800000, -(2**31)]], np.int32)
    bytes_ = array([[1, 2, 3, 4], [250, 251, 252, 253]], np.uint8)
    cases = [
        ("i32 to f32", array([0x3F800000, 0x40490FDB], np.int32), array([1, np.pi])),
        ("f32 to ui32", array([1.0, -0.0]), array([0x3F800000, 0x80000000], np.uint32)),
        ("f16 to i16", array([1.0, -2], np.float16), array([1.0, -2], np.float16).view(np.int16)),
        ("bf16 to ui16", array([1.0, -2], BF16), array([1.0, -2], BF16).view(np.uint16)),
        ("f64 to i64", array([1.5], np.float64), array([1.5], np.float64).view(np.int64)),
        ("i32 to four i8", words, words.view(np.int8).reshape(2, 2, 4)),
        ("i32 to two f16", words[:, :1], np.ascontiguousarray(words[:, :1]).view(np.float16).reshape(2, 1, 2)),
        ("four ui8 to i32", bytes_, bytes_.view(np.int32).reshape(2)),
        ("two i16 to f32", array([[0, 0x3F80], [0, 0x4000]], np.int16), array([1, 2])),
    ]
    return [
        case("bitcast_convert", about, f"%r = stablehlo.bitcast_convert %a : ({t(x)}) -> {t(wanted)}", {"a": x}, wanted) for about, x, wanted in cases
    ]


def _compare(about: str, direction: str, a: Array, b: Array, wanted: object, kind: str = "") -> Case:
    result = array(wanted, bool)
    text = f"%r = stablehlo.compare {direction}, %a, %b{kind and f', {kind}'} : ({t(a)}, {t(b)}) -> {t(result)}"
    return case("compare", f"{direction} {about}", text, {"a": a, "b": b}, result)


def _comparisons() -> list[Case]:
    a, b = array([1.0, 2, NAN, NAN, -0.0]), array([2.0, 2, NAN, 1, 0])
    i, j = array([-1, 4, 4], np.int32), array([1, 4, 3], np.int32)
    u, v = array([200, 4], np.uint8), array([100, 4], np.uint8)
    made = [
        _compare("f32", direction, a, b, wanted, "FLOAT")
        for direction, wanted in (
            ("EQ", [0, 1, 0, 0, 1]), ("NE", [1, 0, 1, 1, 0]), ("LT", [1, 0, 0, 0, 0]),
            ("LE", [1, 1, 0, 0, 1]), ("GT", [0, 0, 0, 0, 0]), ("GE", [0, 1, 0, 0, 1]),
        )
    ]  # fmt: skip
    made += [
        _compare("i32", direction, i, j, wanted, "SIGNED")
        for direction, wanted in (("EQ", [0, 1, 0]), ("NE", [1, 0, 1]), ("LT", [1, 0, 0]), ("LE", [1, 1, 0]), ("GT", [0, 0, 1]), ("GE", [0, 1, 1]))
    ]
    low, high = array([-0.0, 1, -NAN, INF]), array([0.0, 1, -INF, NAN])
    return [
        *made,
        _compare("ui8 is unsigned", "GT", u, v, [1, 0], "UNSIGNED"),
        _compare("i1", "EQ", array([0, 1, 1], bool), array([0, 0, 1], bool), [1, 0, 1]),
        _compare("i1, false is less", "LT", array([0, 1, 0], bool), array([1, 1, 0], bool), [1, 0, 0], "UNSIGNED"),
        _compare("i64 without a kind", "LT", array([-(2**40), 5], np.int64), array([0, 5], np.int64), [1, 0]),
        _compare("bf16", "GE", array([1.5, -2], BF16), array([1.5, 3], BF16), [1, 0]),
        _compare("in the total order: -0 before 0, NaN last", "LT", low, high, [1, 0, 1, 1], "TOTALORDER"),
        _compare("in the total order: NaN is NaN", "EQ", array([NAN, 0.0, 3]), array([NAN, -0.0, 3]), [1, 0, 1], "TOTALORDER"),
    ]


def _clamp(about: str, low: Array, x: Array, high: Array, wanted: Array) -> Case:
    text = f"%r = stablehlo.clamp %lo, %a, %hi : ({t(low)}, {t(x)}, {t(high)}) -> {t(x)}"
    return case("clamp", about, text, {"lo": low, "a": x, "hi": high}, wanted)


def _select(about: str, p: Array, a: Array, b: Array) -> Case:
    return case("select", about, f"%r = stablehlo.select %p, %a, %b : {t(p)}, {t(a)}", {"p": p, "a": a, "b": b}, np.where(p, a, b).astype(a.dtype))


def _choices() -> list[Case]:
    x = array([-5.0, 0.5, 9])
    a, b = numbers(4, (2, 3)), numbers(5, (2, 3))
    mask = array([[1, 0, 1], [0, 0, 1]], bool)
    return [
        _clamp("tensors", array([-1.0, 1, 2]), x, array([1.0, 3, 4]), array([-1, 1, 4])),
        _clamp("scalars as limits", array(-1.0), x, array(1.0), array([-1, 0.5, 1])),
        _clamp("i32", array(0, np.int32), array([-5, 3, 300], np.int32), array(255, np.int32), array([0, 3, 255], np.int32)),
        _clamp("ui8", array(10, np.uint8), array([5, 200], np.uint8), array(100, np.uint8), array([10, 100], np.uint8)),
        _clamp("f16", array(-2, np.float16), array([-5, 1.5], np.float16), array(2, np.float16), array([-2, 1.5], np.float16)),
        _select("a mask", mask, a, b),
        _select("a scalar condition", array(True, bool), a, b),
        _select("a scalar condition that is false", array(False, bool), a, b),
        _select("i64", mask, a.astype(np.int64), b.astype(np.int64)),
        _select("i1", mask, ~mask, mask),
        _select("bf16", mask, a.astype(BF16), b.astype(BF16)),
    ]


def _precision(about: str, exponent: int, mantissa: int, x: Array, wanted: Array) -> Case:
    text = f"%r = stablehlo.reduce_precision %a, format = e{exponent}m{mantissa} : {t(x)}"
    return case("reduce_precision", about, text, {"a": x}, wanted)


def _others() -> list[Case]:
    x = array([0.1, -3.14159, 1e6, NAN, 65519])
    a, b = numbers(8, (2, 3), per=2), numbers(9, (2, 3), per=2)
    scalar = type_of((), np.float32)
    region = f"{{\n^bb0(%p: {scalar}, %q: {scalar}):\n%s = stablehlo.multiply %p, %q : {scalar}\n%u = stablehlo.add %s, %p : {scalar}\n"
    text = f'%r = "stablehlo.map"(%a, %b) ({region}stablehlo.return %u : {scalar}\n}}) {{dimensions = array<i64: 0, 1>}} : ({t(a)}, {t(b)}) -> {t(a)}'
    return [
        _precision("to f16", 5, 10, x, array([0.099975586, -3.140625, INF, NAN, 65504])),
        _precision("to bf16", 8, 7, array([0.1, -3.14159, NAN]), array([0.1, -3.14159, NAN], BF16).astype(np.float32)),
        _precision("to f32 keeps all", 8, 23, x, x),
        case("map", "two operands", text, {"a": a, "b": b}, a * b + a),
    ]


CASES = (
    *_functions(), *_special(), *_neighbours(), *_integers(), *_conversions(), *_bit_casts(), *_comparisons(), *_choices(), *_others(),
)  # fmt: skip
