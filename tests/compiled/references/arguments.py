"""The arguments of a launch."""

from __future__ import annotations

import numpy as np

from isa.targets import TargetId
from tests.compiled.case import Case, Out, case, kernels_of, random, words
from tests.compiled.references.calls import MASK


def many_scalars(target: TargetId) -> Case:
    values = (
        np.int8(-5),
        np.uint8(250),
        np.int16(-300),
        np.uint16(65000),
        np.int32(-(10**9)),
        np.uint32(4 * 10**9),
        np.int64(-(10**18)),
        np.uint64(1 << 63),
        np.float32(-2.75),
        np.float64(1e10 + 0.125),
        np.uint8(1),
        np.int8(-1),
    )
    whole = [int(value) for value in values[:8]] + [-11, 80000000001, 1, -1]
    return case(1, 64, Out(np.array([value & (1 << 64) - 1 for value in whole], np.uint64)), *values)


def small_struct(target: TargetId) -> Case:
    point = np.array((1.5, 8.25, 1), np.dtype([("x", "<f4"), ("y", "<f4"), ("kind", "u1")], align=True))
    return case(
        2,
        64,
        Out(np.arange(100, dtype=np.float32) * np.float32(1.5) + np.float32(8.25)),
        point,
        np.uint32(100),
    )


def large_struct(target: TargetId) -> Case:
    x, rows = words(43, 64), words(44, 40, below=1 << 30)
    table = np.array((77, rows, 0.5), np.dtype([("head", "<u2"), ("rows", "<u4", 40), ("scale", "<f8")], align=True))
    return case(1, 64, x, Out((rows[x % 40] + np.uint32(77)) * 0.5), table)


def changed_struct(target: TargetId) -> Case:
    x, start = words(45, 64, 6), words(46, 8, below=1 << 20)
    bins = np.array((start,), np.dtype([("counts", "<u4", 8)]))
    out = np.tile(start, (64, 1))
    for k in range(6):
        out[np.arange(64), x[:, k] % 8] += np.uint32(k + 1)
    return case(1, 64, x, Out(out), bins)


def packed_struct(target: TargetId) -> Case:
    kind = np.dtype([("first", "u1"), ("second", "<u4"), ("third", "<u2"), ("fourth", "<u8")])
    value = np.array((200, 4 * 10**9, 50000, (1 << 63) + 5), kind)
    fourth = (1 << 63) + 5 ^ 99
    out = [200 + 4 * 10**9 * 3 + (50000 * i & MASK) + fourth & (1 << 64) - 1 for i in range(64)]
    return case(1, 64, Out(np.array(out, np.uint64)), value, np.uint8(99))


def grid_of_three(target: TargetId) -> Case:
    z, y, x = np.mgrid[:6, :6, :15].astype(np.uint32)
    return case((3, 2, 2), (5, 3, 3), Out(x + 100 * y + 10000 * z + np.uint32(6 * 1000000)))


def hidden_arguments(target: TargetId) -> Case:
    row = np.array([3, 2, 1, 32, 2, 1, 0, 0, 0, 0, 0, 0, 2], np.uint64)
    return case((3, 2, 1), (32, 2, 1), Out(np.tile(row, 6)))


def odd_workgroups(target: TargetId) -> Case:
    x, wave = words(47, 3, 100), target.target.wave_size
    lanes = np.minimum(100 - np.arange(100) // wave * wave, wave).astype(np.uint32)
    return case(3, 100, x, Out(x[:, ::-1] * np.uint32(2) + lanes), Out(x.sum(1, dtype=np.uint32)))


def largest_workgroup(target: TargetId) -> Case:
    x = words(48, 1024)
    row = x
    while len(row) > 1:
        half = len(row) // 2
        row = row[:half] ^ row[half:] * np.uint32(3)
    return case(1, 1024, x, Out(row[0] + np.arange(1024, dtype=np.uint32)))


def vectors_by_value(target: TargetId) -> Case:
    i = np.arange(64)
    a, b, c = (
        np.array([1.5, -2.25, 1e10, 0], np.float32),
        words(49, 8).astype(np.uint16),
        random(50).standard_normal(4),
    )
    kinds = (("<f4", 4), ("<u2", 8), ("<f8", 4))
    records = [np.array((value,), np.dtype([("v", *kind)])) for value, kind in zip((a, b, c), kinds, strict=True)]
    return case(1, 64, Out(a[i % 3].astype(np.float64) * b[i % 8] + c[i % 4]), *records)


def no_arguments_but_one(target: TargetId) -> Case:
    return case(5, 96, Out(np.arange(480, dtype=np.uint32) * np.uint32(2654435761)))


KERNELS = kernels_of(
    "arguments.hip",
    many_scalars,
    small_struct,
    large_struct,
    changed_struct,
    packed_struct,
    grid_of_three,
    hidden_arguments,
    odd_workgroups,
    largest_workgroup,
    vectors_by_value,
    no_arguments_but_one,
)
