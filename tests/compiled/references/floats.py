"""f64, f32, f16 and bf16."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from isa.targets import TargetId
from tests.compiled.case import Array, Case, Out, case, kernels_of, random, words


def normal(seed: int, *shape: int, dtype: Any = np.float64) -> Array:
    return random(seed).standard_normal(shape).astype(dtype)


def quadratic_roots(target: TargetId) -> Case:
    a, b, c = normal(1, 128), normal(2, 128), normal(3, 128)
    p, q = b / a, c / a
    inner = p * p / 4 - q
    root = np.sqrt(np.abs(inner))
    out = np.where(inner[:, None] < 0, np.stack([-p / 2, root], -1), np.stack([-p / 2 + root, -p / 2 - root], -1))
    return case(2, 64, a, b, c, Out(out))


def double_exponential(target: TargetId) -> Case:
    x = random(4).uniform(-50, 50, 128)
    out = np.array([math.exp(value) for value in x])
    return case(2, 64, x, Out(out, 4e-16 * out))


def double_newton(target: TargetId) -> Case:
    x = random(5).uniform(1e-3, 1e4, 64)
    return case(1, 64, x, Out(np.cbrt(x), 1e-15 * np.cbrt(x)))


def double_rounding(target: TargetId) -> Case:
    x = np.append(normal(6, 120) * 1e3, [0.5, -0.5, 1.5, 2.5, -0.0, 4.0, -1e9, 1e9])
    fraction = np.minimum(x - np.floor(x), np.nextafter(1, 0))
    last = np.trunc(x) - x.astype(np.float32) + np.trunc(np.abs(x))
    return case(2, 64, x, Out(np.stack([np.floor(x), np.ceil(x), np.trunc(x), np.rint(x), fraction, last], -1)))


def double_comparisons(target: TargetId) -> Case:
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 5e-324])
    x, y = (values.ravel() for values in np.meshgrid(special, special))
    bits = [
        x < y,
        x <= y,
        x == y,
        x != y,
        x >= y,
        x > y,
        np.isnan(x),
        ~(x < y),
        np.isinf(x),
        np.isfinite(y),
        np.signbit(x),
    ]
    out = sum(bit.astype(np.uint32) << np.uint32(k) for k, bit in enumerate(bits))
    return case(1, 64, x, y, Out(np.asarray(out, np.uint32)))


def compensated_sums(target: TargetId) -> Case:
    x = (normal(7, 200, 64) * 10.0 ** random(8).integers(-3, 4, (200, 64))).astype(np.float32)
    total, lost = np.zeros(64, np.float32), np.zeros(64, np.float32)
    for row in x:
        term = row - lost
        following = total + term
        lost = (following - total) - term
        total = following
    return case(1, 64, x, Out(total), np.uint32(200))


def float_to_integers(target: TargetId) -> Case:
    x = (normal(9, 120) * 10.0 ** random(10).integers(0, 11, 120)).astype(np.float32)
    x = np.append(x, [0, -0.0, 1e10, -1e10, 2.0**31, -(2.0**31), 2.0**32, 0.99]).astype(np.float32)
    x = np.where(np.abs(x) > 1e9, np.sign(x) * np.float32(2.0**30), x)
    whole = np.clip(np.trunc(x.astype(np.float64)), -(2**31), 2147483520).astype(np.int64).astype(np.int32)
    natural = np.clip(np.trunc(x.astype(np.float64)), 0, 4294967040).astype(np.uint32)
    small = np.where(x < 0, -x, np.float32(0)).astype(np.float64).astype(np.int64) & 255
    wide = (x * np.float32(1000)).astype(np.float64).astype(np.int64) + small
    return case(2, 64, x.astype(np.float32), Out(whole), Out(natural), Out(wide))


def integers_to_float(target: TargetId) -> Case:
    x = words(11, 128).astype(np.int64) << random(12).integers(0, 32, 128)
    x[::3] = -x[::3]
    x[:6] = [0, -1, (1 << 53) + 1, -(1 << 63), (1 << 63) - 1, (1 << 24) + 1]
    unsigned = x.view(np.uint64)
    singles = np.array([[nearest(value, 24), nearest(whole, 24)] for value, whole in zip(x.tolist(), unsigned.tolist(), strict=True)])
    doubles = np.stack([x.astype(np.float64), unsigned.astype(np.float64)], -1)
    halves = x.astype(np.int16).astype(np.float64).astype(np.float16)
    return case(2, 64, x, Out(singles.astype(np.float32)), Out(doubles), Out(halves))


def nearest(value: int, bits: int) -> float:
    """A whole number rounded to so many bits, to even if two are as near."""
    size = abs(value)
    shift = max(0, size.bit_length() - bits)
    low = size >> shift << shift
    rest, half = size - low, (1 << shift) >> 1
    up = rest > half or (rest == half and shift and low >> shift & 1)
    return float(low + (1 << shift if up else 0)) * (-1 if value < 0 else 1)


def half_polynomials(target: TargetId) -> Case:
    x = normal(13, 128, dtype=np.float16)
    y = x * x
    quotient = (y * np.float16(0.5) - x) / (y + np.float16(1))
    exact = quotient + np.abs(x) * np.sqrt(y + np.float16(2))
    # the quotient and the root are correctly rounded or one unit off; OpenCL allows that for half
    return case(
        2,
        64,
        x,
        Out(exact, 2.0**-9 * (np.abs(quotient) + np.abs(exact)).astype(np.float64) + 2.0**-10 * np.abs(x)),
    )


def half_vectors(target: TargetId) -> Case:
    x, y = normal(14, 64, 4, dtype=np.float16), normal(15, 64, 4, dtype=np.float16)
    low, high = np.minimum(x, y[:, ::-1]), np.maximum(x, y)
    last = np.concatenate([y[:, :2], np.full((64, 2), 0.25, np.float16)], 1)
    return case(1, 64, x, y, Out(low * high + x[:, [1, 0, 3, 2]] - last))


def half_sums_in_float(target: TargetId) -> Case:
    x = normal(16, 64, 16, dtype=np.float16)
    wide, total = x.astype(np.float32), np.zeros(64, np.float32)
    for k in range(16):
        total += wide[:, k] * wide[:, k]
    return case(1, 64, x, Out(total), Out((wide * np.float32(1.7)).astype(np.float16)))


def brain_floats(target: TargetId) -> Case:
    pairs = (normal(17, 128, 2, dtype=np.float32).view(np.uint32) >> 16).astype(np.uint16)
    x = (pairs.astype(np.uint32) << np.uint32(16)).view(np.float32)
    bits = (x[:, 0] * x[:, 1] + np.float32(0.5)).view(np.uint32)
    bits = bits + np.uint32(0x7FFF) + (bits >> 16 & 1)
    return case(2, 64, pairs, Out((bits >> 16).astype(np.uint16)))


def complex_powers(target: TargetId) -> Case:
    values = normal(18, 64, 2, dtype=np.float32)
    out = np.zeros_like(values)
    for i in range(64):
        x, y = values[i]
        a, b = np.float32(1), np.float32(0)
        left = i & 15
        while left:
            if left & 1:
                a, b = a * x - b * y, a * y + b * x
            x, y = x * x - y * y, np.float32(2) * x * y
            left >>= 1
        out[i] = a, b
    return case(1, 64, values, Out(out))


def fourier_transform(target: TargetId) -> Case:
    x = normal(19, 2, 64) + 1j * normal(20, 2, 64)
    roots = np.exp(-2j * np.pi * np.arange(32) / 64)
    out = np.fft.fft(x, axis=1)
    pairs = (array.view(np.float64).reshape(*array.shape, 2) for array in (x, roots, np.ascontiguousarray(out)))
    given, factors, expected = pairs
    return case(2, 64, given, factors, Out(expected, 1e-13))


def gravity(target: TargetId) -> Case:
    x = normal(21, 128, 4, dtype=np.float32)
    x[:, 3] = np.abs(x[:, 3])
    wide = x.astype(np.float64)
    d = wide[None, :, :3] - wide[:, None, :3]
    square = (d * d).sum(-1) + 0.01
    terms = d * (wide[None, :, 3] / (square * np.sqrt(square)))[..., None]
    out = np.concatenate([terms.sum(1), wide[:, 3:]], 1)
    error = np.concatenate([2e-5 * np.abs(terms).sum(1), np.zeros((128, 1))], 1)
    return case(2, 64, x, Out(out.astype(np.float32), error), np.uint32(128))


def julia_steps(target: TargetId) -> Case:
    cx, cy = -0.7269, 0.1889
    x: Array = np.broadcast_to(np.arange(32.0) * 0.1 - 1.6, (16, 32))
    y: Array = np.broadcast_to(np.arange(16.0)[:, None] * 0.125 - 1, (16, 32))
    steps = np.zeros((16, 32), np.uint32)
    inside = np.ones((16, 32), np.bool_)
    for _ in range(50):
        inside &= x * x + y * y < 4
        steps += inside
        x, y = np.where(inside, x * x - y * y + cx, x), np.where(inside, 2 * x * y + cy, y)
    return case((4, 2, 1), (8, 8, 1), Out(steps), np.float64(cx), np.float64(cy))


def parts_of_numbers(target: TargetId) -> Case:
    x = (normal(22, 64) * 10.0 ** random(23).integers(-20, 20, 64)).astype(np.float32)
    mantissas, exponents = np.frexp(x)
    scaled = np.ldexp(x, (np.arange(64) & 31) - 16)
    return case(1, 64, x, Out(mantissas), Out(exponents.astype(np.int32)), Out(scaled))


KERNELS = kernels_of(
    "floats.cl",
    quadratic_roots,
    double_exponential,
    double_newton,
    double_rounding,
    double_comparisons,
    compensated_sums,
    float_to_integers,
    integers_to_float,
    half_polynomials,
    half_vectors,
    half_sums_in_float,
    brain_floats,
    complex_powers,
    fourier_transform,
    gravity,
    julia_steps,
    parts_of_numbers,
)
