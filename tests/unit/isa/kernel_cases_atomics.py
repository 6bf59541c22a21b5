"""Atomics: every operation on 32 and 64 bits, in memory and in LDS, and those of floats that a target has."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np

from isa.table import table_of
from isa.targets import TargetId
from tests.unit.isa.kernel_cases import Array, Case, kernels_of, signed

COUNT = 128


def counted_up(limit: int) -> Callable[[int], int]:
    return lambda value: 0 if value >= limit else value + 1


def counted_down(limit: int) -> Callable[[int], int]:
    return lambda value: limit if value == 0 or value > limit else value - 1


def repeated(step: Callable[[int], int], value: int) -> int:
    for _ in range(COUNT):
        value = step(value)
    return value


def atomics_of(bits: int, mask: int) -> Case:
    rng = np.random.default_rng(bits)
    kind = np.dtype(f"i{bits // 8}")
    low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    a = rng.integers(low, high, COUNT, dtype=kind)
    x = a.tolist()
    whole = (1 << bits) - 1
    unsigned = [value & whole for value in x]
    before = np.zeros(16 + 4 * COUNT, kind)
    before[:11] = [0, 5, -1, 0, 3, high, low, -1, 0, 90, 20]
    before[16:] = rng.integers(low, high, 4 * COUNT, dtype=kind)
    before[18::4] = 7
    after = before.copy()
    results = [
        sum(x), 5 - sum(x), reduce(lambda p, q: p & (q | 0xFF), x, -1), reduce(lambda p, q: p | q & mask, x, 0), reduce(lambda p, q: p ^ q, x, 3),
        min(x), max(x), min(unsigned), max(unsigned), repeated(counted_up(100), 90), repeated(counted_down(50), 20),
    ]  # fmt: skip
    after[:11] = [signed(value, bits) for value in results]
    own = before[16:].reshape(COUNT, 4)
    odd = (a & 1).astype(np.bool_)
    after[16:] = np.stack([a, np.maximum(own[:, 1], a), np.where(odd, a, 7), own[:, 3] ^ a], -1).ravel()
    old = np.stack([own[:, 0], own[:, 1], np.where(odd, 1 + 14, 0 + 14).astype(kind), own[:, 3]], -1)
    return Case((2, 1, 1), (64, 1, 1), [a, before, np.zeros_like(old)], {1: after, 2: old}, (2,))


def memory_atomics(target: TargetId) -> Case:
    return atomics_of(32, 0x0F0F)


def long_atomics(target: TargetId) -> Case:
    return atomics_of(64, 0x0F0F0F0F0F0F)


def lds_atomics(target: TargetId) -> Case:
    a = np.random.default_rng(1).integers(-(2**31), 2**31, COUNT).astype(np.int32)
    out: list[list[int]] = []
    wide: list[list[int]] = []
    for group in a.reshape(-1, 64).tolist():
        counter = 0
        for _ in group:
            counter = counted_up(40)(counter)
        cells = [
            sum(group), max(0, *group), reduce(lambda p, q: p & (q | 0xF0), group, -1), min(0, *group), reduce(lambda p, q: p | q & 0x33, group, 0),
            reduce(lambda p, q: p ^ q, group, 0), sum((x & 3) + 1 for x in group), counter,
        ]  # fmt: skip
        out.append([signed(cell, 32) for cell in cells])
        longs = [
            sum(x << 20 for x in group), reduce(lambda p, q: p ^ q * 0x100000001, group, 1) & (1 << 64) - 1,
            max((x & 0xFFFFFFFF) << 16 for x in group), 0x123456789AB,
        ]  # fmt: skip
        wide.append([value & (1 << 64) - 1 for value in longs])
    old = np.stack([a >> 1, a], -1)
    expected: dict[int, Array] = {1: np.array(out, np.int32), 2: np.array(wide, np.uint64), 3: old}
    return Case((2, 1, 1), (64, 1, 1), [a, *(np.zeros_like(array) for array in expected.values())], expected, (1, 2, 3))


def float_atomics(target: TargetId) -> Case:
    """Small whole numbers, whose sums are exact in any order."""
    table = table_of(target.target)
    a = np.random.default_rng(2).integers(-5, 6, COUNT).astype(np.float32)
    sums = np.arange(COUNT + 1, dtype=np.float32)
    own = sums[1:].copy()
    wide, pairs = np.zeros(3), np.zeros(2, np.float16)
    wide[1:] = [-1e300, 1e300]
    expected: dict[int, Array] = {1: np.append(sums[0] + a.sum(), own + a), 4: own}
    if table.find("global_atomic_add_f64") is not None:
        expected[2] = np.array([a.sum(), a.max(), a.min()], np.float64)
    if table.find("global_atomic_pk_add_f16") is not None:
        expected[3] = np.array([a.sum(), COUNT], np.float16)
    expected[5] = np.array([(group.sum(), max(0, group.max())) for group in a.reshape(-1, 64)], np.float32)
    args = [a, sums, wide, pairs, np.zeros_like(own), np.zeros((2, 2), np.float32)]
    return Case((2, 1, 1), (64, 1, 1), args, expected, (4, 5))


KERNELS = kernels_of("more_atomics", memory_atomics, long_atomics, lds_atomics, float_atomics)
