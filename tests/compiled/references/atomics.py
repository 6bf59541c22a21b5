"""Operations on atomics, in memory and in LDS."""

from __future__ import annotations

from functools import reduce

import numpy as np

from isa.targets import TargetId
from tests.compiled.case import Array, Case, Changed, Out, case, kernels_of, random, words, zeros


def signed(value: int, bits: int) -> int:
    """The low bits as a two's complement number."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def updated(before: list[int], values: list[int], bits: int, masks: tuple[int, int]) -> list[int]:
    """The contents of nine cells after add, sub, and, or, xor, min, max, and both of unsigned numbers, in any
    order."""
    whole = (1 << bits) - 1
    after = [
        before[0] + sum(values),
        before[1] - sum(values),
        reduce(lambda p, q: p & (q | masks[0]), values, before[2]),
        reduce(lambda p, q: p | q & masks[1], values, before[3]),
        reduce(lambda p, q: p ^ q, values, before[4]),
        min(before[5], *values),
        max(before[6], *values),
        min(value & whole for value in (before[7], *values)),
        max(value & whole for value in (before[8], *values)),
    ]
    return [signed(value, bits) for value in after]


def updates(bits: int, masks: tuple[int, int]) -> Case:
    kind = np.dtype(f"i{bits // 8}")
    low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    x, rows = (
        random(bits).integers(low, high, (16, 8), kind),
        random(bits + 1).integers(low, high, (16, 9), kind),
    )
    after = [updated(row.tolist(), values.tolist(), bits, masks) for row, values in zip(rows, x, strict=True)]
    return case(2, 64, x, Changed(rows, np.array(after, kind)))


def word_updates(target: TargetId) -> Case:
    return updates(32, (0x0F0F, 0xFF00FF))


def long_updates(target: TargetId) -> Case:
    return updates(64, (0x0F0F0F0F0F0F, 0xFF00FF00FF00FF))


def own_words(kind: type[np.int32 | np.int64], names: tuple[str, ...]) -> Case:
    """Old and new values if every work-item has cells of its own, a cell for each operation."""
    rng, limits = random(3), np.iinfo(kind)
    x = rng.integers(limits.min, limits.max, 128, kind)
    before = rng.integers(limits.min, limits.max, (128, len(names)), kind)
    half = np.array([abs(value) // 2 * (1 if value >= 0 else -1) for value in x.tolist()], kind)
    before[::3, -1] = half[::3]
    after = before.copy()
    unsigned = np.dtype(kind).str.replace("i", "u")
    for k, name in enumerate(names):
        old = before[:, k]
        match name:
            case "add":
                after[:, k] = old + x
            case "umax":
                after[:, k] = np.maximum(old.view(unsigned), x.view(unsigned)).view(kind)
            case "umin":
                after[:, k] = np.minimum(np.ascontiguousarray(old).view(unsigned), x.view(unsigned)).view(kind)
            case "swap":
                after[:, k] = x
            case "compare":
                after[:, k] = np.where(old == half, ~x, old)
            case _:
                functions = {
                    "and": np.bitwise_and,
                    "or": np.bitwise_or,
                    "xor": np.bitwise_xor,
                    "min": np.minimum,
                    "max": np.maximum,
                }
                after[:, k] = functions[name](old, x)
    seen = before.copy()
    seen[:, -1] = np.where(before[:, -1] == half, -7, before[:, -1])
    return case(2, 64, x, Changed(before, after), Out(seen))


def word_old_values(target: TargetId) -> Case:
    return own_words(np.int32, ("add", "and", "or", "xor", "min", "umax", "swap", "compare"))


def long_old_values(target: TargetId) -> Case:
    return own_words(np.int64, ("add", "xor", "max", "umin", "swap", "compare"))


def wrapping_counters(target: TargetId) -> Case:
    limit, seen, up, down = 9, zeros(10), 4, 3
    for _ in range(128):
        seen[up] += 1
        up = 0 if up >= limit else up + 1
        down = limit if down == 0 or down > limit else down - 1
    counts = (np.array([value], np.uint32) for value in (4, up, 3, down))
    first, second, third, fourth = counts
    return case(2, 64, Changed(first, second), Changed(third, fourth), Changed(zeros(10), seen), np.uint32(limit))


def group_word_updates(target: TargetId) -> Case:
    x = random(4).integers(-(1 << 31), 1 << 31, (2, 64)).astype(np.int32)
    out = np.zeros((2, 11), np.int32)
    counter = 3
    for _ in range(64):
        counter = 0 if counter >= 40 else counter + 1
    for group, values in enumerate(x.tolist()):
        out[group] = [*updated([5, 5, -1, 5, 5, 5, 5, 5, 5], values, 32, (0xFF, 0x1111)), 5 + 64, counter]
    return case(2, 64, x, Out(out))


def group_long_updates(target: TargetId) -> Case:
    x = random(5).integers(-(1 << 63), (1 << 63) - 1, (2, 128))
    i = np.arange(128)
    out = np.zeros((2, 6), np.int64)
    for group, values in enumerate(x.tolist()):
        cells = [
            sum(values),
            reduce(lambda p, q: p ^ q, values, 1),
            max(2, *values),
            min(3, *values),
            reduce(lambda p, q: p | q, values, 4),
            5 - sum(values),
        ]
        out[group] = [signed(cell, 64) for cell in cells]
    old = np.stack([np.broadcast_to(np.where(i & 1, -1, i), (2, 128)), np.where(i & 1, x, i)], -1)
    return case(2, 128, x, Out(out), Out(old))


def compare_and_swap_loops(target: TargetId) -> Case:
    x = words(6, 96)
    product = 1
    for value in x.tolist():
        product = product * (value | 1) & 0xFFFFFFFF
    total = min(int(x.sum(dtype=np.uint64)) + 7, 0xFFFFFFFF)
    most = np.array([(x >> 8).astype(np.float32).max() * np.float32(0.25)])
    cells = Changed(np.array([1, 7], np.uint32), np.array([product, total], np.uint32))
    return case(3, 32, x, cells, Changed(zeros(1, dtype=np.float32), most))


def float_sums(target: TargetId) -> Case:
    x = random(7).integers(-50, 50, 128).astype(np.float32)
    start = np.arange(129, dtype=np.float32)
    after = start + np.append(x.sum(), x).astype(np.float32)
    return case(2, 64, x, Changed(start, after), Out(start[1:]))


def double_sums(target: TargetId) -> Case:
    x = random(8).integers(-500, 500, 128) / 8
    return case(2, 64, x, Changed(np.zeros(3), np.array([x.sum(), x.min(), x.max()])))


def fenced_flags(target: TargetId) -> Case:
    data = [3]
    while len(data) < 6:
        data.append(data[-1] * 3 + len(data))
    return case(
        6,
        64,
        Out(np.array(data, np.uint32)),
        Changed(zeros(6), zeros(6) + np.uint32(1)),
        Out(np.array([1, *data[:-1]], np.uint32)),
    )


def scopes(target: TargetId) -> Case:
    x = words(9, 4, 64)
    cells = zeros(32)
    cells[:2] = x.sum(dtype=np.uint32)
    cells[2:6] = x.sum(1, dtype=np.uint32)
    of_waves = x.reshape(-1, target.target.wave_size).sum(1, dtype=np.uint32)
    cells[16 : 16 + len(of_waves)] = of_waves
    own = words(10, 256)
    return case(4, 64, x, Changed(zeros(32), cells), Changed(own, own + x.ravel()))


def byte_counters(target: TargetId) -> Case:
    x = words(11, 128)
    sums = np.array([x[x % 3 == k].sum(dtype=np.uint32) & 0xFFFF for k in range(3)])
    counts = np.bincount(x % 6, minlength=8).astype(np.uint8)
    return case(
        2,
        64,
        x,
        Changed(zeros(8, dtype=np.uint8), counts),
        Changed(zeros(4, dtype=np.uint16), np.append(sums, 0).astype(np.uint16)),
    )


def rare_updates(target: TargetId) -> Case:
    x, before = words(12, 64), words(13, 64, 4)
    after = before.copy()
    after[:, 0] = ~(before[:, 0] & x)
    after[:, 1] = np.minimum(before[:, 1].astype(np.int32), x.view(np.int32)).astype(np.uint32)
    after[:, 2] = before[:, 2] << 3 ^ x
    after[:, 3] = after[:, 2] + np.uint32(1)
    return case(1, 64, x, Changed(before, after))


def generic_atomics(target: TargetId) -> Case:
    x = words(14, 2, 64)
    out = [0] * 4 + [200] * 4
    for value in x.ravel().tolist():
        out[(value >> 1 & 3) + 4 * (value & 1)] += value >> 3
    after = np.array([total & 0xFFFFFFFF for total in out], np.uint32)
    return case(2, 64, x, Changed(zeros(8), after))


def packed_half_sums(target: TargetId) -> Case:
    x = random(15).integers(-5, 6, 128).astype(np.int32)
    return case(2, 64, x, Changed(zeros(2, dtype=np.float16), np.array([x.sum(), 128], np.float16)))


def minimum_of_floats(target: TargetId) -> Case:
    x = random(16).standard_normal((3, 64)).astype(np.float32)
    before = np.array([[0.5, -0.5], [-100, 100], [0, 0]], np.float32)
    after = np.stack([np.minimum(before[:, 0], x.min(1)), np.maximum(before[:, 1], x.max(1))], -1)
    return case(3, 64, x, Changed(before, after))


def swapped_ranks(target: TargetId) -> Case:
    x: Array = words(17, 2, 128, below=40)
    return case(2, 128, x, Out(np.sort(x, 1)))


KERNELS = kernels_of(
    "atomics.cl",
    word_updates,
    word_old_values,
    long_updates,
    long_old_values,
    wrapping_counters,
    group_word_updates,
    group_long_updates,
    compare_and_swap_loops,
    float_sums,
    double_sums,
    fenced_flags,
    scopes,
) | kernels_of(
    "small_atomics.hip",
    byte_counters,
    rare_updates,
    generic_atomics,
    packed_half_sums,
    minimum_of_floats,
    swapped_ranks,
)
