"""Halves, shorts and bytes: alone, packed, in vectors, in dot products."""

from __future__ import annotations

from typing import Any

import numpy as np

from isa.targets import TargetId
from tests.unit.isa.kernel_cases import Array, Case, clamp, each, kernels_of, lanes, rows, signed
from tests.unit.isa.kernel_cases_floats import exact_fma, saturated

COUNT = 128
HALF = np.float16


def random_halves(seed: int, *shape: int) -> Array:
    rng = np.random.default_rng(seed)
    values = (rng.standard_normal((COUNT, *shape)) * np.exp2(rng.uniform(-9, 9, (COUNT, *shape)))).astype(HALF)
    corners = rng.permutation(np.array([0, -0.0, 1, 65504, -65504, np.inf, -np.inf, np.nan, 6e-8, -3e-5, 0.5, 2.5, -1.5], HALF))
    values.reshape(-1)[: len(corners)] = corners
    return values


def fma_halves(a: Array, b: Array, c: Array) -> Array:
    flat = [exact_fma(x, y, z, HALF) for x, y, z in zip(a.ravel(), b.ravel(), c.ravel(), strict=True)]
    return np.array(flat, HALF).reshape(a.shape)


def halves(target: TargetId) -> Case:
    a, b, c = random_halves(1), random_halves(2), random_halves(3)
    single = np.float32
    with np.errstate(all="ignore"):
        out = rows(
            HALF, a + b, a - b, a * b, fma_halves(a, b, c), a / b, np.sqrt(c), np.fmin(a, b), np.fmax(a, b), np.trunc(a), np.floor(a), np.rint(a),
            np.abs(a) - HALF(1), a.astype(single) * single(3) + b.astype(single), np.where(a < b, b, c),
        )  # fmt: skip
    compared = (a < b) | (a == b) << 1 | (a > 2).astype(np.int32) << 2 | np.isnan(a).astype(np.int32) << 3
    whole = rows(np.int32, saturated(a, 32, True), compared, saturated(b, 16, True))
    return lanes([a, b, c], [out, whole])


def packed_halves(target: TargetId) -> Case:
    a, b, c = random_halves(4, 2), random_halves(5, 2), random_halves(6, 4)
    two = np.full_like(c, 2)
    with np.errstate(all="ignore"):
        turned = np.stack([b[:, 1], -b[:, 0]], -1)
        mixed = np.stack([a[:, 1], np.full(COUNT, 0.5, HALF)], -1)
        columns = [
            a + b, a * b, fma_halves(a, b, b), np.fmin(a, b), np.fmax(a, b), -a * b[:, ::-1], a[:, :1] + turned, mixed * HALF(4),
        ]  # fmt: skip
        wide = [c * c[:, ::-1], fma_halves(c, two, c[:, [1, 0, 3, 2]])]
    return lanes([a, b, c], [np.stack(columns, 1), np.stack(wide, 1)])


def packed_shorts(target: TargetId) -> Case:
    rng = np.random.default_rng(7)
    a, b = rng.integers(-(2**15), 2**15, (2, COUNT, 2)).astype(np.int16)
    a[:3, 0], b[:3, 0] = [-(2**15), 2**15 - 1, -1], [-(2**15), -1, 1]
    p, q, count = a.view(np.uint16), b.view(np.uint16), b & np.int16(15)
    columns = [
        a + b, a - b[:, ::-1], a * b, a * b + a, np.minimum(a, b), np.maximum(a, b), np.minimum(p, q).view(np.int16), np.maximum(p, q).view(np.int16),
        a << count, a >> count, (p >> count.view(np.uint16)).view(np.int16), np.stack([a[:, 1], b[:, 0]], -1) ^ np.int16(0x0FF0),
    ]  # fmt: skip
    return lanes([a, b], [np.stack(columns, 1)])


def byte_vectors(target: TargetId) -> Case:
    rng = np.random.default_rng(8)
    a, b = rng.integers(-128, 128, (COUNT, 4)).astype(np.int8), rng.integers(0, 256, (COUNT, 4)).astype(np.uint8)
    c, d = rng.integers(-(2**15), 2**15, (COUNT, 4)).astype(np.int16), rng.integers(0, 256, (COUNT, 16)).astype(np.uint8)
    outputs = [
        np.stack([a * np.int8(3) + b.view(np.int8), a >> np.int8(2)], 1),
        np.stack([(b >> np.uint8(1)) + b[:, ::-1], np.maximum(a, -a).view(np.uint8)], 1),
        np.stack([c * a.astype(np.int16), b.astype(np.int16) - c[:, ::-1]], 1),
        d[:, ::-1] + np.arange(1, 17, dtype=np.uint8),
    ]
    return lanes([a, b, c, d], outputs)


def narrow_memory(target: TargetId) -> Case:
    rng = np.random.default_rng(9)
    a, b, c = rng.integers(-128, 128, COUNT + 4).astype(np.int8), rng.integers(0, 65536, COUNT).astype(np.uint16), random_halves(10)
    groups = range(0, COUNT, 64)
    lane = np.arange(64)
    outputs: list[list[Array]] = [[], [], [], []]
    for start in groups:
        here = a[start : start + 64]
        wide = np.stack([c[start : start + 64].view(np.uint16), b[start : start + 64]], -1).ravel()
        outputs[0].append(np.stack([here[::-1], here + here[lane ^ 1], (wide[lane] >> 8).astype(np.uint8).view(np.int8)], -1))
        joined = here[lane ^ 2].view(np.uint8).astype(np.uint16) | here.view(np.uint8).astype(np.uint16) << np.uint16(8)
        outputs[1].append(np.stack([wide[127 - lane], joined], -1))
        with np.errstate(all="ignore"):
            outputs[2].append(c[start : start + 64][lane ^ 1] + HALF(1))
        word = np.array([int.from_bytes(a[k + 1 : k + 5].tobytes(), "little") for k in range(start, start + 64)], np.uint32)
        outputs[3].append(word)
    case = lanes([b, c], [np.concatenate(parts) for parts in outputs])
    return Case(case.grid, case.block, [a, *case.args], {1 + at: array for at, array in case.expected.items()}, (3, 4, 5, 6))


def dots(target: TargetId) -> Case:
    rng = np.random.default_rng(11)
    a, b, c = (rng.integers(0, 2**32, COUNT, dtype=np.uint64).astype(np.uint32) for _ in range(3))
    c[::7] = 0xFFFFFF00

    def dot(width: int, is_signed: bool, x: int, y: int, z: int) -> int:
        def part(value: int, k: int) -> int:
            return signed(value >> k, width) if is_signed else value >> k & (1 << width) - 1

        return sum(part(x, k) * part(y, k) for k in range(0, 32, width)) + z

    def single(x: int, y: int, z: int) -> float:
        return signed(x, 8) * signed(x >> 8, 8) + signed(y, 8) * signed(y >> 8, 8) + signed(z, 16)

    out = rows(
        np.int32,
        each(lambda x, y, z: dot(8, True, x, y, z), a, b, c),
        each(lambda x, y, z: dot(4, True, x, y, z), a, b, c),
        each(lambda x, y, z: dot(8, False, x, y, z), a, b, c),
        each(lambda x, y, z: dot(4, False, x, y, z), a, b, c),
        each(lambda x, y, z: clamp(dot(8, False, x, y, z), 32, False), a, b, c),
    )
    values: list[Any] = [v.view(np.int32) for v in (a, b, c)]
    return lanes(values, [out, np.array(each(single, a, b, c), np.float32)])


KERNELS = kernels_of("halves", halves, packed_halves, packed_shorts, byte_vectors, narrow_memory, dots)
