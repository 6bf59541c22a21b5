"""Control flow: nested divergent loops, switches, state machines, selections, sorts with barriers, lanes that leave early."""

from __future__ import annotations

from math import gcd

import numpy as np

from isa.targets import TargetId
from tests.unit.isa.kernel_cases import Array, Case, Kernel, each, kernels_of, lanes, rows

COUNT = 128
MASK = 0xFFFFFFFF


def words(seed: int, count: int = COUNT) -> Array:
    return np.random.default_rng(seed).integers(0, 2**32, count, dtype=np.uint64).astype(np.uint32)


def nest(x: int) -> int:
    total = 0
    for outer in range((x & 7) + 1):
        if (x >> outer & 3) == 3:
            continue
        inner = 0
        while True:
            total = total * 3 + inner & MASK
            if inner > (x >> 8 & 5) + outer:
                break
            inner += 1
            if total & 1:
                continue
            total = total + (x >> 16) & MASK
            if total % 11 == 4:
                return total
        total ^= outer << 20
    return total + 1000000


def nested_loops(target: TargetId) -> Case:
    a = words(1)
    return lanes([a], [rows(np.uint32, each(nest, a))[:, 0]])


def chosen(which: int, x: int) -> int:
    results = {
        0: x + 5, 1: x * x, 2: (x ^ 0x55) << 3, 3: x << 3, 4: x // 3, 5: ~x, 6: x >> (x & 7), 7: x * 17 - 4, 9: x % 100,
    }  # fmt: skip
    return results.get(which, 42) & MASK


def switches(target: TargetId) -> Case:
    a, uniform = words(2), 6

    def several(x: int) -> int:
        total = 0
        for step in range(4):
            total = total * 31 + chosen((x >> 4 * step) % 11, x + total & MASK) & MASK
        return total

    return lanes([a], [rows(np.uint32, each(several, a), each(lambda x: chosen(uniform, x), a))], [np.uint32(uniform)])


def states(target: TargetId) -> Case:
    a = words(3) & words(4)

    def last(x: int) -> int:
        state = seen = 0
        for at in range(32):
            if state == 4:
                break
            seen += state == 2
            up, down = {0: (1, 0), 1: (2, 0), 2: (3, 1), 3: (4, 2)}[state]
            state = up if x >> at & 1 else down
        return state * 100 + seen

    return lanes([a], [rows(np.uint32, each(last, a))[:, 0]])


def selections(target: TargetId) -> Case:
    rng = np.random.default_rng(5)
    a, b = rng.integers(-100, 200, COUNT).astype(np.int32), rng.uniform(-1, 1, COUNT).astype(np.float32)
    uniform = 7
    a[5] = uniform
    second = np.where((a > 10) & ((a < 60) | (b > 0)), a, uniform)
    parity = np.where((a < 0) ^ (b < 0.5), np.where(a & 1, 11, 12), np.where(a & 2, 13, 14))
    out = rows(np.int32, np.select([a > 100, a > 50, a > 0, a > -50], [1, 2, 3, 4], 5), second, a + (a == uniform) * 1000, parity)
    floats = rows(np.float32, np.select([b < 0, b > 0.5], [-b, 1 - b], b * 2), np.where(a & 1, b, a.astype(np.float32)))
    return lanes([a, b], [out, floats], [np.int32(uniform)])


def common_divisors(target: TargetId) -> Case:
    rng = np.random.default_rng(6)
    common = rng.integers(1, 1000, COUNT)
    a, b = ((rng.integers(0, 5000, COUNT) * common).astype(np.uint32) for _ in range(2))
    powers = each(lambda x, y: pow(x, y & 31, 1 << 64), a, b)
    return lanes([a, b], [rows(np.uint32, each(gcd, a, b))[:, 0], rows(np.uint64, powers)[:, 0]])


def lds_sort(target: TargetId) -> Case:
    a = words(7, 2 * COUNT)
    ordered = np.sort(a.reshape(-1, 128), axis=1)
    sums = np.cumsum(ordered[:, ::2], axis=1, dtype=np.uint32)
    return Case((2, 1, 1), (64, 1, 1), [a, np.zeros_like(a), np.zeros(COUNT, np.uint32)], {1: ordered.ravel(), 2: sums.ravel()}, (1, 2))


def escape_times(target: TargetId) -> Case:
    rng = np.random.default_rng(8)
    a, b = rng.uniform(-1.6, 0.6, COUNT).astype(np.float32), rng.uniform(-1, 1, COUNT).astype(np.float32)
    # their types are stated because the checker takes 7 s to infer them around the loop
    x: Array = np.zeros_like(a)
    y: Array = np.zeros_like(a)
    steps = np.zeros(COUNT, np.uint32)
    with np.errstate(all="ignore"):
        for _ in range(60):
            inside: Array = x * x + y * y <= 4
            x, y = np.where(inside, x * x - y * y + a, x), np.where(inside, np.float32(2) * x * y + b, y)
            steps += inside
    return lanes([a, b], [steps])


def early_exits(target: TargetId) -> Case:
    a, count = np.random.default_rng(9).integers(-9, 10, COUNT).astype(np.int32), 100
    out = np.full(COUNT, -1, np.int32)
    wave = target.target.wave_size
    for start in range(0, COUNT, wave):
        here = [i for i in range(start, min(start + wave, count)) if a[i] >= 0 or not a[i] & 1]
        above = sum(abs(a[i]) > 3 for i in here)
        out[start : min(start + wave, count)] = -2
        for i in here:
            out[i] = abs(a[i]) + above * 1000
    return lanes([a], [out], [np.uint32(count)])


# The lane mask of a loop's exit begins undefined: clang ors lanes in and only reads those bits.
KERNELS = {"nested_loops": Kernel("control", nested_loops)} | kernels_of(
    "control", switches, states, selections, common_divisors, lds_sort, escape_times, early_exits
)
