"""The first ten: reductions, loops, divergence, ids in three dimensions, f64, division, bytes, atomics, scratch, lanes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from isa.targets import TargetId
from tests.unit.isa.kernel_cases import Array, Case, Kernel, has_row_share, kernels_of


def lds_reduction(target: TargetId) -> Case:
    data = np.random.default_rng(1).random((3, 256), np.float32)
    sums = data.copy()
    half = 128
    while half:
        sums[:, :half] += sums[:, half : 2 * half]
        half //= 2
    return Case((3, 1, 1), (256, 1, 1), [data, np.zeros(3, np.float32)], {1: sums[:, 0]}, (1,))


def loop(target: TargetId) -> Case:
    rng = np.random.default_rng(2)
    trips, stride, lanes = 13, 5, 256
    a = rng.standard_normal(lanes + trips * stride).astype(np.float32)
    b = rng.standard_normal(trips).astype(np.float32)
    total = np.zeros(lanes, np.float32)
    for k in range(trips):
        total = fma32(a[k * stride : k * stride + lanes], b[k], total)
    return Case((2, 1, 1), (128, 1, 1), [a, b, np.zeros(lanes, np.float32), np.uint32(trips), np.uint32(stride)], {2: total}, (2,))


def fma32(a: Array, b: Any, c: Array) -> Array:
    """Correctly rounded f32 fma, in 80-bit arithmetic: a 48-bit product and an addend near it in size lose nothing that counts."""
    return (a.astype(np.longdouble) * np.longdouble(b) + c.astype(np.longdouble)).astype(np.float32)


def divergence(target: TargetId) -> Case:
    count = 150
    values = np.random.default_rng(3).integers(1, 2000, count).astype(np.uint32)
    steps, largest = np.zeros(count, np.uint32), np.zeros(count, np.uint32)
    for i, start in enumerate(values):
        value, top, taken = int(start), int(start), 0
        while value != 1:
            value = 3 * value + 1 if value & 1 else value // 2
            top, taken = max(top, value), taken + 1
        steps[i], largest[i] = taken, top
    outputs = [np.zeros(count, np.uint32), np.zeros(count, np.uint32)]
    return Case((3, 1, 1), (64, 1, 1), [values, *outputs, np.uint32(count)], {1: steps, 2: largest}, (1, 2))


def ids(target: TargetId) -> Case:
    grid, block = (2, 3, 2), (5, 3, 7)
    nx, ny, nz = (g * b for g, b in zip(grid, block, strict=True))
    z, y, x = np.meshgrid(np.arange(nz), np.arange(ny), np.arange(nx), indexing="ij")
    expected = np.stack([x, y, z, np.full_like(x, 50307)], -1).astype(np.uint32)
    return Case(grid, block, [np.zeros((nz, ny, nx, 4), np.uint32)], {0: expected}, (0,))


def doubles(target: TargetId) -> Case:
    rng = np.random.default_rng(4)
    a, b = rng.standard_normal(128) * 1e3, rng.standard_normal(128)
    a[:6] = [0.0, -0.0, 5e-324, 1e308, -1e-300, 4.0]
    b[:6] = [1.0, 3.0, 2.0, 1e-3, 1e20, 0.25]
    with np.errstate(all="ignore"):
        inner = [exact_fma(x, 0.25, -1.5) for x in a]
        p = np.array([exact_fma(x, i, y) for x, i, y in zip(a, inner, b, strict=True)])
        i = (np.arange(128) * 77).astype(np.float64)
        out = np.stack([p, a / b, np.sqrt(np.where(a < 0, -a, a)), a.astype(np.float32).astype(np.float64) + i], -1)
        whole = np.clip(np.trunc(b * 1000.0), -(2**31), 2**31 - 1).astype(np.int64) + (a > b)
    args = [a, b, np.zeros((128, 4)), np.zeros(128, np.int32)]
    return Case((2, 1, 1), (64, 1, 1), args, {2: out, 3: whole.astype(np.int32)}, (2, 3))


def exact_fma(x: float, y: float, z: float) -> float:
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    try:
        return float(exact) if exact else x * y + z
    except OverflowError:
        return float(np.inf if x * y > 0 else -np.inf)


def long_division(target: TargetId) -> Case:
    rng = np.random.default_rng(5)
    a = rng.integers(-(2**63), 2**63 - 1, 128)
    b = rng.integers(-(2**62), 2**62, 128) >> rng.integers(0, 60, 128)
    b[b == 0] = 7
    a[:4], b[:4] = [1, -1, 2**63 - 1, -(2**63)], [3, 1, -1, 2**32 + 1]
    quotient = np.array([int(abs(int(x)) // abs(int(y))) * (1 if (x < 0) == (y < 0) else -1) for x, y in zip(a, b, strict=True)])
    rest = a.view(np.uint64) % b.view(np.uint64)
    return Case((2, 1, 1), (64, 1, 1), [a, b, np.zeros(128, np.int64), np.zeros(128, np.uint64)], {2: quotient, 3: rest}, (2, 3))


def bytes_(target: TargetId) -> Case:
    count = 100
    data = np.random.default_rng(6).integers(0, 256, count + 2).astype(np.uint8)
    weights = np.array([-100, 127, 3], np.int8)
    total = sum((data[k : k + count].astype(np.int32) * int(weights[k]) for k in range(3)), np.zeros(count, np.int32))
    out = np.clip(total >> 4, 0, 255).astype(np.uint8)
    args = [data, weights, np.zeros(count, np.uint8), np.zeros(count, np.int16), np.uint32(count)]
    return Case((2, 1, 1), (64, 1, 1), args, {2: out, 3: total.astype(np.int16)}, (2, 3))


def atomics(target: TargetId) -> Case:
    values = np.random.default_rng(7).integers(0, 1 << 20, 256).astype(np.uint32)
    histogram = np.append(np.bincount(values & 15, minlength=16), 256).astype(np.uint32)
    extreme = (values * np.uint32(2654435761)).view(np.int32).max()
    product = 1
    for value in values:
        product = product * (int(value) | 1) & 0xFFFFFFFF
    total = np.float32((values & 3).sum())
    args = [
        values, np.zeros(17, np.uint32), np.zeros(256, np.uint32), np.full(1, -(2**31), np.int32), np.ones(1, np.uint32), np.zeros(1, np.float32),
    ]  # fmt: skip
    expected = {1: histogram, 3: np.array([extreme]), 4: np.array([product], np.uint32), 5: np.array([total])}
    return Case((1, 1, 1), (256, 1, 1), args, expected, (2,))


def scratch(target: TargetId) -> Case:
    order = np.random.default_rng(8).integers(0, 1 << 30, 128).astype(np.uint32)
    out = np.zeros(128, np.uint32)
    for i in range(128):
        table = [k * k + i for k in range(24)]
        at, total = int(order[i]) % 24, 0
        for _ in range(24):
            total = (total * 31 + table[at]) & 0xFFFFFFFF
            table[at] = total >> 3
            at = (at * 5 + 7) % 24
        out[i] = total
    return Case((2, 1, 1), (64, 1, 1), [order, np.zeros(128, np.uint32)], {1: out}, (1,))


def cross_lane(target: TargetId) -> Case:
    wave, shares = target.target.wave_size, has_row_share(target)
    data = np.random.default_rng(9).integers(-1000, 1000, 128).astype(np.int32)
    lane = np.arange(wave)
    rows: list[Array] = []
    for x in data.reshape(-1, wave):
        odd = (x & 1).astype(np.bool_)
        total = x.copy()
        for move in (lane ^ 1, lane ^ 2, (lane & ~7) | (7 - (lane & 7)), (lane & ~15) | (15 - (lane & 15))):
            total = total + total[move]
        partner = lane ^ 16
        total = np.where(odd, total + np.where(odd[partner], total[partner], 0), total)
        rows.append(
            np.stack(
                [
                    x[(lane & 32) | ((lane * 7 + 3) & 31)],
                    np.where(lane & 15, x[lane - 1], -1),
                    x[lane ^ 3],
                    x[lane | 15] if shares else np.where(lane >= 16, x[(lane & ~15) - 1], -1),
                    np.full(wave, x[17] + x[0]),
                    np.cumsum(odd) - odd,
                    x[lane ^ 16],
                    total,
                ],
                -1,
            )
        )  # fmt: skip
    return Case((2, 1, 1), (64, 1, 1), [data, np.zeros((128, 8), np.int32)], {1: np.concatenate(rows).astype(np.int32)}, (1,))


KERNELS = kernels_of("first", lds_reduction, loop, divergence, ids, doubles, long_division, atomics, scratch, cross_lane) | {
    "bytes": Kernel("first", bytes_),
}
