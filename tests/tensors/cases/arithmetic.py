"""Cases of StableHLO's arithmetic on two operands: element by element, on each kind of type."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from tests.tensors.case import BF16, Array, Case, array, case, numbers, t

F8 = np.dtype(ml_dtypes.float8_e4m3fn)
NAN, INF = np.nan, np.inf


def binary(op: str, about: str, a: Array, b: Array, wanted: Array, ulps: float = 0) -> Case:
    return case(op, about, f"%r = stablehlo.{op} %a, %b : {t(a)}", {"a": a, "b": b}, wanted, ulps=ulps)


def _add() -> list[Case]:
    a, b = array([1.5, -2.25, 1e30, INF, -0.5]), array([2.25, 2.25, 1e30, -INF, 0.5])
    yield_ = [binary("add", "f32", a, b, array([3.75, 0, 2e30, NAN, 0]), ulps=1)]
    for dtype in (np.float16, BF16, np.float64):
        a, b = numbers(1, (3, 5), dtype, per=4), numbers(2, (3, 5), dtype, per=4)
        yield_.append(binary("add", np.dtype(dtype).name, a, b, (a.astype(np.float64) + b.astype(np.float64)).astype(dtype)))
    a8, b8 = array([1, 2, -4, 0.5], F8), array([0.5, 2, 1, 0.25], F8)
    yield_.append(binary("add", "f8E4M3FN", a8, b8, array([1.5, 4, -3, 0.75], F8)))
    yield_.append(binary("add", "i8 wraps", array([100, -100, 127], np.int8), array([100, -100, 1], np.int8), array([-56, 56, -128], np.int8)))
    yield_.append(binary("add", "ui16 wraps", array([65000, 1], np.uint16), array([1000, 1], np.uint16), array([464, 2], np.uint16)))
    yield_.append(binary("add", "i64 wraps", array([2**63 - 1, -1], np.int64), array([1, 2**40], np.int64), array([-(2**63), 2**40 - 1], np.int64)))
    yield_.append(binary("add", "ui32", array([2**32 - 1, 7], np.uint32), array([2, 8], np.uint32), array([1, 15], np.uint32)))
    yield_.append(binary("add", "i1 is or", array([0, 0, 1, 1], bool), array([0, 1, 0, 1], bool), array([0, 1, 1, 1], bool)))
    yield_.append(binary("add", "a scalar", array(2.5), array(-1.0), array(1.5)))
    yield_.append(binary("add", "no elements", array(np.zeros((0, 3))), array(np.zeros((0, 3))), array(np.zeros((0, 3)))))
    return yield_


def _subtract() -> list[Case]:
    return [
        binary("subtract", "f32", array([[5.0, 1], [0.25, -7]]), array([[2.0, 3], [0.75, -7]]), array([[3.0, -2], [-0.5, 0]])),
        binary("subtract", "ui8 wraps", array([3, 200], np.uint8), array([5, 100], np.uint8), array([254, 100], np.uint8)),
        binary("subtract", "i16 wraps", array([-32768, 5], np.int16), array([1, 9], np.int16), array([32767, -4], np.int16)),
        binary("subtract", "i32", array([-(2**31), 40], np.int32), array([1, 2], np.int32), array([2**31 - 1, 38], np.int32)),
        binary("subtract", "bf16", array([3.0, 0.5], BF16), array([1.5, 2.0], BF16), array([1.5, -1.5], BF16)),
    ]


def _multiply() -> list[Case]:
    a, b = array([[1.5, -2.0, 0.0]]), array([[4.0, 0.25, -3.0]])
    return [
        binary("multiply", "f32", a, b, array([[6, -0.5, 0]])),
        binary("multiply", "f32 overflows to infinity, and 0 times infinity is NaN", array([1e30, 0]), array([1e30, INF]), array([INF, NAN])),
        binary("multiply", "f16", array([1.5, 300], np.float16), array([2, 300], np.float16), array([3, INF], np.float16)),
        binary("multiply", "i1 is and", array([0, 0, 1, 1], bool), array([0, 1, 0, 1], bool), array([0, 0, 0, 1], bool)),
        binary("multiply", "i32 wraps", array([2**16 + 1, -7], np.int32), array([2**16, 6], np.int32), array([2**16, -42], np.int32)),
        binary(
            "multiply", "ui64 wraps", array([2**40, 3], np.uint64), array([2**30 + 1, 5], np.uint64), array([2**40 + (2**70 % 2**64), 15], np.uint64)
        ),
        binary("multiply", "i8 wraps", array([16, -5], np.int8), array([17, 4], np.int8), array([16, -20], np.int8)),
    ]


def _divide() -> list[Case]:
    signed = array([17, -17, 17, -17, 0], np.int32), array([5, 5, -5, -5, 3], np.int32)
    return [
        binary("divide", "f32", array([1.0, -7, 6, 1, 0]), array([4.0, 2, -3, 0, 0]), array([0.25, -3.5, -2, INF, NAN]), ulps=1),
        binary("divide", "f64", array([1.0, 10], np.float64), array([3.0, -7], np.float64), array([1 / 3, 10 / -7], np.float64), ulps=1),
        binary("divide", "bf16", array([1.0, 5], BF16), array([3.0, 2], BF16), array([1 / 3, 2.5], BF16), ulps=1),
        binary("divide", "i32 truncates", *signed, array([3, -3, -3, 3, 0], np.int32)),
        binary("divide", "i8 truncates", array([-128, 127], np.int8), array([3, -2], np.int8), array([-42, -63], np.int8)),
        binary(
            "divide", "ui32 is unsigned", array([2**32 - 1, 2**31], np.uint32), array([2, 2**31 + 1], np.uint32), array([2**31 - 1, 0], np.uint32)
        ),
        binary("divide", "i64", array([-(2**40) - 1, 10**18], np.int64), array([2**20, 7], np.int64), array([-(2**20), 10**18 // 7], np.int64)),
    ]


def _remainder() -> list[Case]:
    a, b = [17.0, -17, 17, -17, 5.5], [5.0, 5, -5, -5, 1.25]
    return [
        binary("remainder", "f32 has the sign of the dividend", array(a), array(b), array([2.0, -2, 2, -2, 0.5])),
        binary("remainder", "f32 by infinity and of infinity", array([3.0, INF, 1]), array([INF, 3.0, 0]), array([3, NAN, NAN])),
        binary("remainder", "f16", array(a, np.float16), array(b, np.float16), array([2.0, -2, 2, -2, 0.5], np.float16)),
        binary("remainder", "i32 has the sign of the dividend", array(a[:4], np.int32), array(b[:4], np.int32), array([2, -2, 2, -2], np.int32)),
        binary("remainder", "ui8", array([255, 7], np.uint8), array([16, 9], np.uint8), array([15, 7], np.uint8)),
    ]


def _extremes() -> list[Case]:
    a, b = array([1.0, NAN, 2, INF]), array([3.0, 1, NAN, -INF])
    return [
        binary("maximum", "f32, NaN wins", a, b, array([3, NAN, NAN, INF])),
        binary("minimum", "f32, NaN wins", a, b, array([1, NAN, NAN, -INF])),
        binary("maximum", "f16, NaN wins", a.astype(np.float16), b.astype(np.float16), array([3, NAN, NAN, INF], np.float16)),
        binary("minimum", "bf16, NaN wins", a.astype(BF16), b.astype(BF16), array([1, NAN, NAN, -INF], BF16)),
        binary("maximum", "i32", array([-5, 7], np.int32), array([3, -9], np.int32), array([3, 7], np.int32)),
        binary("minimum", "i32", array([-5, 7], np.int32), array([3, -9], np.int32), array([-5, -9], np.int32)),
        binary("maximum", "ui8 is unsigned", array([200, 3], np.uint8), array([100, 5], np.uint8), array([200, 5], np.uint8)),
        binary("minimum", "ui64 is unsigned", array([2**63, 3], np.uint64), array([1, 5], np.uint64), array([1, 3], np.uint64)),
        binary("maximum", "i1 is or", array([0, 0, 1, 1], bool), array([0, 1, 0, 1], bool), array([0, 1, 1, 1], bool)),
        binary("minimum", "i1 is and", array([0, 0, 1, 1], bool), array([0, 1, 0, 1], bool), array([0, 0, 0, 1], bool)),
    ]


def _power() -> list[Case]:
    a, b = array([2.0, -2, 0.5, 3, 0, 9]), array([10.0, 3, -2, 0, 0, 0.5])
    wanted = array([1024.0, -8, 4, 1, 1, 3])
    y = array([1.0, -1, 0, 0, 1, -2.5, 1e-3]), array([1.0, -1, -2, 3, 0, 0.5, -4])
    angles = np.arctan2(y[0].astype(np.float64), y[1].astype(np.float64))
    return [
        binary("power", "f32", a, b, wanted, ulps=5),
        binary("power", "f32, special numbers", array([-2.0, INF, 0, 1]), array([0.5, -1, -1, NAN]), array([NAN, 0, INF, 1])),
        binary("power", "f64", a.astype(np.float64), b.astype(np.float64), wanted.astype(np.float64), ulps=5),
        binary("power", "i32", array([2, -3, 7, 10], np.int32), array([10, 3, 0, 9], np.int32), array([1024, -27, 1, 10**9], np.int32)),
        binary("power", "ui8 wraps", array([3, 2], np.uint8), array([6, 7], np.uint8), array([729 % 256, 128], np.uint8)),
        binary("atan2", "f32, the four quadrants", *y, angles.astype(np.float32), ulps=8),
        binary("atan2", "f64", y[0].astype(np.float64), y[1].astype(np.float64), np.arctan2(*(part.astype(np.float64) for part in y)), ulps=8),
    ]


def _bits() -> list[Case]:
    a, b = array([12, -1, 2**30], np.int32), array([10, 255, -(2**30)], np.int32)
    p, q = array([0, 0, 1, 1], bool), array([0, 1, 0, 1], bool)
    few = array([0, 1, 7, 8, 31], np.uint8)
    by = array([1, 31, 32, 33, 4], np.int32)
    words = array([3, -1, 5, -9, -256], np.int32)
    return [
        binary("and", "i32", a, b, a & b),
        binary("and", "i1", p, q, p & q),
        binary("or", "i32", a, b, a | b),
        binary("or", "ui16", a.astype(np.uint16), b.astype(np.uint16), (a | b).astype(np.uint16)),
        binary("or", "i1", p, q, p | q),
        binary("xor", "i64", a.astype(np.int64), b.astype(np.int64), a.astype(np.int64) ^ b.astype(np.int64)),
        binary("xor", "i1", p, q, p ^ q),
        binary("shift_left", "i32, by all bits and more gives 0", words, by, array([6, -(2**31), 0, 0, -4096], np.int32)),
        binary("shift_left", "ui8", array([1, 3, 1, 1, 1], np.uint8), few, array([1, 6, 128, 0, 0], np.uint8)),
        binary("shift_right_arithmetic", "i32, by all bits and more fills with the sign", words, by, array([1, -1, 0, -1, -16], np.int32)),
        binary("shift_right_arithmetic", "i8", array([-128, 64], np.int8), array([3, 2], np.int8), array([-16, 16], np.int8)),
        binary("shift_right_arithmetic", "ui8, whose highest bit is the sign", array([128, 64, 255], np.uint8), array([3, 2, 200], np.uint8), array([240, 16, 255], np.uint8)),
        binary("shift_right_logical", "i32, by all bits and more gives 0", words, by, array([1, 1, 0, 0, 268435440], np.int32)),
        binary("shift_right_logical", "ui8", array([255, 255, 255, 255, 255], np.uint8), few, array([255, 127, 1, 0, 0], np.uint8)),
        binary("shift_right_logical", "i64", array([-1, 2**40], np.int64), array([60, 39], np.int64), array([15, 2], np.int64)),
    ]


CASES = (*_add(), *_subtract(), *_multiply(), *_divide(), *_remainder(), *_extremes(), *_power(), *_bits())
