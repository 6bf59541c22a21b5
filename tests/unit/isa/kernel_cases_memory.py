"""Memory: LDS, wide accesses, raw buffers, flat pointers, scratch, arguments by value, arrays in registers."""

from __future__ import annotations

import numpy as np

from isa.targets import TargetId
from tests.unit.isa.kernel_cases import Array, Case, kernels_of, lanes

COUNT = 128


def words(seed: int, *shape: int) -> Array:
    return np.random.default_rng(seed).integers(0, 2**32, shape, dtype=np.uint64).astype(np.uint32)


def lds_transpose(target: TargetId) -> Case:
    height, width = 23, 40
    a = np.random.default_rng(1).random((height, width), np.float32)
    args = [a, np.zeros((width, height), np.float32), np.uint32(height), np.uint32(width)]
    return Case((3, 2, 1), (16, 16, 1), args, {1: a.T.copy()}, (1,))


def wide_memory(target: TargetId) -> Case:
    a, b = words(2, COUNT, 16), np.random.default_rng(3).integers(0, 2**63, (COUNT, 2)).astype(np.uint64)
    lane = np.arange(64)
    out, longs = a.copy(), b.copy()
    for start in range(0, COUNT, 64):
        here, pair = a[start : start + 64], b[start : start + 64]
        shared = here[:, :4] + here[:, 12:]
        mixed = here.copy()
        mixed[:, :4] ^= shared[::-1]
        out[start : start + 64] = np.concatenate([mixed[:, 7::-1], mixed[:, :7:-1]], 1)
        longs[start : start + 64] = np.stack([pair[(lane + 1) & 63, 0], pair[(lane + 5) & 63, 1]], -1)
    return lanes([a, b], [out, longs, a.ravel()[: 3 * COUNT] + np.uint32(7)])


def raw_buffers(target: TargetId) -> Case:
    size = 352  # no access reaches over the end: what of it is read then differs
    a = words(4, COUNT)
    memory = a.tobytes()[:size]

    def load(at: int, count: int) -> int:
        return int.from_bytes(memory[at : at + count], "little") if at >= 0 and at + count <= size else 0

    out = [
        [
            load(4 * i, 4), load(8 * i, 4), load(8 * i + 4, 4), *(load(16 * i + 16 + 4 * k, 4) for k in range(4)),
            load(7 * i, 1), load(6 * i, 2), load(4 * i - 64, 4), load(4 * (i & 15) + 64, 4),
        ]
        for i in range(COUNT)
    ]  # fmt: skip
    before = words(5, 2 * COUNT)
    written = bytearray(before.tobytes())

    def store(at: int, value: int, count: int) -> None:
        if at + count <= size:
            written[at : at + count] = (value & (1 << 8 * count) - 1).to_bytes(count, "little")

    for i in range(COUNT):
        store(8 * i, i + 1, 4)
        store(8 * i + 4, 3 * i, 2)
        store(8 * i + 7, i, 1)
    after = np.frombuffer(bytes(written), np.uint32)
    args = [a, np.zeros((COUNT, 11), np.uint32), before, np.uint32(size)]
    return Case((2, 1, 1), (64, 1, 1), args, {1: np.array(out, np.uint32), 2: after}, (1,))


def struct_arguments(target: TargetId) -> Case:
    parts = np.zeros((), {"names": "abcde", "formats": ["i1", "f8", ("i2", 3), ("u4", 2), "f4"], "offsets": [0, 8, 16, 24, 32], "itemsize": 40})
    parts["a"], parts["b"], parts["c"], parts["d"], parts["e"] = -7, 2.5e100, [-300, 5, 32767], [4000000000, 6], 1.25
    small = np.zeros((), {"names": "ab", "formats": ["i8", ("u1", 5)], "offsets": [0, 8], "itemsize": 16})
    small["a"], small["b"] = -(2**40), [1, 20, 255, 128, 77]
    values = [-7 - 100, 2.5e100, -300, 5, 32767, 4000000000, 6, 1.25, 65000, -(2.0**40), 0, 0.5]
    out = np.array([values] * COUNT, np.float64)
    out[:, 10] = small["b"][np.arange(COUNT) % 5]
    scalars = [np.int8(-100), parts[()], np.uint16(65000), small[()], np.float16(0.5)]
    return Case((2, 1, 1), (64, 1, 1), [np.zeros_like(out), *scalars], {0: out}, (0,))


def generic_pointers(target: TargetId) -> Case:
    a = words(6, COUNT)
    lane = np.arange(64)
    counts, out = np.zeros(COUNT, np.uint32), np.zeros(COUNT, np.uint32)
    for start in range(0, COUNT, 64):
        here = a[start : start + 64]
        shared = here * np.uint32(3)
        value = np.where(lane & 1, shared[63 - lane], here)
        final = value + np.uint32(1) + (value & np.uint32(0xFF))
        counts[start : start + 64] = np.where(lane & 2, 0, final)
        out[start : start + 64] = np.where(lane & 2, final, shared)
    return Case((2, 1, 1), (64, 1, 1), [a, np.zeros(COUNT, np.uint32), np.zeros(COUNT, np.uint32)], {1: out, 2: counts}, (1,))


def private_arrays(target: TargetId) -> Case:
    a = words(7, COUNT)
    out: list[int] = []
    for x in a.tolist():
        octets = [(x + k * 37) & 0xFF for k in range(20)]
        shorts = [x * (k + 1) & 0xFFFF for k in range(12)]
        at = x % 20
        octets[(at + 7) % 20] = octets[at]
        shorts[x % 12] ^= 0x5500 | octets[(at + 7) % 20]
        total = 0
        for value in octets:
            total = total * 3 + value
        for value in shorts:
            total = total * 5 + (value - (value >> 15 << 16))
        k = x >> 12 & 3
        total += (x << (x >> 8 & 7) * 4) + x + (x + k) * 2 % 2**32 + (x ^ k) * 3 % 2**32 + k
        out.append(total % 2**64)
    return lanes([a], [np.array(out, np.uint64)])


def register_arrays(target: TargetId) -> Case:
    a, which = words(8, COUNT), 0x53
    out = np.zeros(COUNT, np.uint32)
    for i in range(COUNT):
        v = [int(a[(i + k) & 127]) * (k + 1) & 0xFFFFFFFF for k in range(8)]
        v[which >> 4 & 7] = v[which & 7] + 5
        total = v[int(a[i]) >> 3 & 7]
        for value in v:
            total = total * 7 + value
        out[i] = total & 0xFFFFFFFF
    return lanes([a], [out], [np.uint32(which)])


KERNELS = kernels_of("memory", lds_transpose, wide_memory, raw_buffers, struct_arguments, generic_pointers, private_arrays, register_arrays)
