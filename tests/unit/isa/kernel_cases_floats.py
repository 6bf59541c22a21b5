"""Floats of 32 and 64 bits: arithmetic, rounding, conversions, constants, denormals, the approximate functions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from msgspec.structs import replace

from isa.targets import TargetId
from tests.unit.isa.kernel_cases import Array, Case, Kernel, clamp, each, kernels_of, lanes, rows

COUNT = 128
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-40, -3e-39, 3.4e38, -3.4e38, 0.5, -0.5, 1.5, 2.5, -2.5, 8388607.5, 1e-45, 16777217.0]


def floats(seed: int, kind: Any, span: float = 20.0, special: bool = True) -> Array:
    """Numbers of many sizes, with the corners in an order of the seed's."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(COUNT) * np.exp2(rng.uniform(-span, span, COUNT))
    if special:
        values[: len(SPECIAL)] = rng.permutation(SPECIAL)
    with np.errstate(over="ignore"):
        return values.astype(kind)


def exact_fma(x: Any, y: Any, z: Any, kind: Callable[[float], Any] = np.float32) -> Any:
    """One rounding: f32 from the exact value in f64, in which a value halfway between two f32 keeps its
    direction."""
    if not (np.isfinite(x) and np.isfinite(y) and np.isfinite(z)):
        return kind(float(x) * float(y) + float(z))
    exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
    if exact == 0:
        return kind(float(x) * float(y) + float(z))
    near = float(exact)
    if Fraction(near) != exact and not int(np.float64(near).view(np.int64)) & 1:
        near = float(np.nextafter(near, np.inf if exact > near else -np.inf))  # round to odd
    with np.errstate(over="ignore"):
        return kind(near)


def fma_column(a: Array, b: Any, c: Array) -> Array:
    return np.array([exact_fma(*values) for values in np.broadcast(a, b, c)], np.float32)


def comparisons(*truths: Any) -> Array:
    return sum((np.asarray(truth).astype(np.uint32) << np.uint32(k) for k, truth in enumerate(truths)), np.zeros(COUNT, np.uint32))


def singles(target: TargetId) -> Case:
    a, b, c = floats(1, np.float32), floats(2, np.float32), floats(3, np.float32)
    b[30:40] = a[30:40]
    zero, one = np.float32(0), np.float32(1)
    with np.errstate(all="ignore"):
        out = rows(
            np.float32, a + b, a - b, a * b, fma_column(a, b, c), a / b, np.sqrt(c), np.fmin(a, b), np.fmax(a, b), -np.abs(a), np.copysign(a, b),
            one / c, np.fmin(np.fmax(a, zero), one), np.fmax(np.fmax(a, b), c), -a * b,
        )  # fmt: skip
    normal = np.isfinite(a) & (np.abs(a) >= np.finfo(np.float32).tiny)
    truths = (a < b, a <= b, a > b, a >= b, a == b, a != b, ~(a < b), np.isnan(a) | np.isnan(b), np.isinf(a), normal, a > 1.5)
    return lanes([a, b, c], [out, comparisons(*truths)])


def rounded(kind: Any, seed: int) -> Case:
    a = floats(seed, kind)
    a[np.isnan(a) | np.isinf(a)] = 7.75  # what frexp gives for these is not one thing on every machine
    b = np.random.default_rng(seed).integers(-200, 200, COUNT).astype(np.int32)
    mantissa, exponent = np.frexp(a)
    below_one = np.nextafter(kind(1), kind(0))
    with np.errstate(all="ignore"):
        fraction = np.minimum(a - np.floor(a), below_one)
        out = rows(kind, np.trunc(a), np.floor(a), np.ceil(a), np.rint(a), fraction, mantissa, np.ldexp(a, b))
    return lanes([a, b], [out, exponent.astype(np.int32)])


def rounding(target: TargetId) -> Case:
    return rounded(np.float32, 4)


def rounding_doubles(target: TargetId) -> Case:
    return rounded(np.float64, 5)


def double_sums(target: TargetId) -> Case:
    a, b = floats(6, np.float64, 300), floats(7, np.float64, 300)
    b[30:40] = a[30:40]
    with np.errstate(all="ignore"):
        out = rows(
            np.float64, a + b, a - b, a * b, np.fmin(a, b), np.fmax(a, b), -np.abs(a) * 0.15915494309189535, np.copysign(a, b) + 123456.789,
        )  # fmt: skip
    return lanes([a, b], [out, comparisons(a < b, a <= b, a == b, a != b, a > 0.5)])


def approximate(target: TargetId) -> Case:
    """1 ULP for each (CDNA3 and RDNA ISA, VOP1), 2**-20 absolute for sine and cosine; an ULP more for numpy's own rounding."""
    a = floats(8, np.float32, 6, special=False)
    size = np.abs(a).astype(np.float64)
    turns = (a * np.float32(0.15915494)).astype(np.float64) * (2 * np.pi)
    columns = [np.exp2(a.astype(np.float64)), np.log2(size), 1 / a.astype(np.float64), 1 / np.sqrt(size), np.sqrt(size), np.sin(turns), np.cos(turns)]
    out = rows(np.float32, *columns)
    error = 2 * np.spacing(np.abs(out))
    error[:, 1] = np.maximum(error[:, 1], 2.0**-22)
    error[:, 5:] = 2.0**-20
    return replace(lanes([a], [out]), error={1: error})


def saturated(column: Array, bits: int, is_signed: bool) -> list[int]:
    with np.errstate(invalid="ignore"):
        return [
            0 if np.isnan(x) else clamp((1 if x > 0 else -1) << 80 if np.isinf(x) else int(x), bits, is_signed)
            for x in column.astype(np.float64)
        ]  # fmt: skip


def conversions(target: TargetId) -> Case:
    a, b = floats(9, np.float32, 40), floats(10, np.float64, 66)
    kinds = [(32, True), (32, False), (64, True), (64, False), (8, False), (8, True), (16, True), (16, False)]
    out = rows(np.int64, *(saturated(a, *kind) for kind in kinds), *(saturated(b, *kind) for kind in kinds[:4]))
    return lanes([a, b], [out])


def conversions_back(target: TargetId) -> Case:
    rng = np.random.default_rng(11)
    a = rng.integers(-(2**63), 2**63 - 1, COUNT) >> rng.integers(0, 62, COUNT)
    a[:5] = [0, -1, 2**63 - 1, -(2**63), 2**24 + 1]
    unsigned, low = a.view(np.uint64), a.astype(np.int32)
    single = rows(
        np.float32, low.astype(np.float32), low.view(np.uint32).astype(np.float32), a.astype(np.float32), unsigned.astype(np.float32),
        a.astype(np.uint8).astype(np.float32), (a >> 16).astype(np.uint8).astype(np.float32), a.astype(np.int16).astype(np.float32),
        low.astype(np.float64).astype(np.float32),
    )  # fmt: skip
    wide = rows(
        np.float64, low.astype(np.float64), low.view(np.uint32).astype(np.float64), a.astype(np.float64), unsigned.astype(np.float64),
    )  # fmt: skip
    return lanes([a], [single, wide])


def towards_zero(x: Array) -> Array:
    """f16 bits of finite f32, rounded to zero."""
    limited = np.clip(x, -65504, 65504)
    near = limited.astype(np.float16)
    step = np.nextafter(near, np.float16(0))
    return np.where(np.abs(near.astype(np.float32)) > np.abs(limited), step, near).view(np.uint16)


def packed_conversions(target: TargetId) -> Case:
    rng = np.random.default_rng(12)
    a, b = (rng.uniform(-2, 2, (2, COUNT)) * np.exp2(rng.uniform(-4, 9, (2, COUNT)))).astype(np.float32)
    a[:6], b[:6] = [0.5, 1.5, -3.0, 255.5, 300.0, 1e-3], [1.0, -1.0, 0.25, -0.25, 2.0, -2.0]
    byte = np.clip(np.rint(a), 0, 255).astype(np.int64)

    def normal(x: Array, scale: int, low: int) -> Array:
        return np.rint(np.clip(x.astype(np.float64), low, 1) * scale).astype(np.int64) & 0xFFFF

    def pairs(low: Array, high: Array) -> Any:
        return each(lambda p, q: p | q << 16, low, high)

    out = rows(
        np.uint32,
        each(lambda x: 0x11003344 | x << 16, byte),
        pairs(normal(a, 32767, -1), normal(b, 32767, -1)),
        pairs(normal(a, 65535, 0), normal(b, 65535, 0)),
        pairs(towards_zero(a), towards_zero(b)),
        byte,
    )
    return lanes([a, b], [out])


def constants(target: TargetId) -> Case:
    a, b, c = floats(13, np.float32), floats(14, np.float64), floats(15, np.float16, 4)
    d = np.random.default_rng(16).integers(0, 2**64, COUNT, dtype=np.uint64)
    with np.errstate(all="ignore"):
        x = [a * np.float32(0.15915494), a + np.float32(0.5), a * np.float32(-0.5), a + np.float32(1), a - np.float32(2), a * np.float32(4)]
        x += [a * np.float32(-4), a + np.float32(3.25)]
        y = [b * 0.15915494309189532, b + 0.5, b * -0.5, b + 1.0, b * 2.0, b + 4.0, b - 4.0, b + 3.1]
        half = np.float16
        z = [c * half(0.15915494), c + half(0.5), c * half(-2), c + half(4), c * half(3.25), c - half(1)]
    w = [
        each(lambda v: v + 64, d), each(lambda v: v - 16, d), each(lambda v: v & ~15, d), each(lambda v: v ^ 0x123456789ABCDEF0, d),
        each(lambda v: v | 1 << 63, d), each(lambda v: v * 5, d), each(lambda v: v + 0x3FF0000000000000, d), each(lambda v: v >> 32 << 32, d),
    ]  # fmt: skip
    return lanes([a, b, c, d], [rows(np.float32, *x), rows(np.float64, *y), rows(np.float16, *z), rows(np.uint64, *w)])


def tiny(seed: int, kind: Any) -> Array:
    """Denormals, and normal numbers near them."""
    rng = np.random.default_rng(seed)
    smallest = float(np.finfo(kind).tiny)
    return (rng.uniform(-4, 4, COUNT) * np.float64(smallest)).astype(kind)


def flushed(x: Array, off: bool) -> Array:
    return np.where(np.abs(x) < np.finfo(x.dtype).tiny, np.copysign(x.dtype.type(0), x), x) if off else x


def denormal_case(single: bool, others: bool) -> Case:
    """The results if f32 denormals count as zero, and if those of f16 and f64 do."""
    a, b, c, d = tiny(17, np.float32), tiny(18, np.float32), tiny(19, np.float64), tiny(20, np.float16)
    x, y = flushed(a, single), flushed(b, single)
    z, w = flushed(c, others), flushed(d, others)
    half = np.float16
    first = [x + y, x * y, fma_column(x, np.float32(0.5), y), flushed(x * np.float32(2), single) - y]
    second = [z * 0.5, z + float(flushed(np.array([2.0**-1070]), others)[0])]
    third = [w * half(0.5), w + flushed(np.array([2.0**-24], half), others)[0]]
    outputs = [
        rows(np.float32, *(flushed(column, single) for column in first)),
        rows(np.float64, *(flushed(column, others) for column in second)),
        rows(np.float16, *(flushed(column, others) for column in third)),
    ]
    return lanes([a, b, c, d], outputs)


FLUSH_ALL = ("-fdenormal-fp-math=preserve-sign",)
FLUSH_SINGLE = ("-cl-denorms-are-zero",)
KERNELS = kernels_of(
    "floats", singles, rounding, rounding_doubles, double_sums, approximate, conversions, conversions_back, packed_conversions, constants
) | {
    "denormals": Kernel("denormals", lambda target: denormal_case(False, False)),
    "denormals_flushed": Kernel("denormals", lambda target: denormal_case(True, False), options=FLUSH_SINGLE, entry="denormals"),
    "all_denormals_flushed": Kernel("denormals", lambda target: denormal_case(True, True), options=FLUSH_ALL, entry="denormals"),
}
