"""Variables of the program, and LDS whose size the launch decides."""

from __future__ import annotations

import zlib

import numpy as np

from isa.targets import TargetId
from tests.compiled.case import Array, Case, Changed, Local, Out, case, kernels_of, random, words, zeros
from tests.compiled.references.calls import MASK, each

PRIMES = np.array([2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53], np.uint32)
MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)


def constant_table(target: TargetId) -> Case:
    x = words(1, 2, 64)
    return case(2, 64, x, Out(PRIMES[x & 15] * PRIMES[x >> 4 & 15] + PRIMES[:2, None]))


def writable_counter(target: TargetId) -> Case:
    x = words(2, 256)
    odd = int((x & 1).sum())
    seen = (np.arange(256) < odd).astype(np.uint32)
    return case(1, 256, x, Changed(zeros(256), seen), Out(np.array([1000 + odd], np.uint32)))


def zero_rows(target: TargetId) -> Case:
    x = words(3, 128)
    return case(1, 128, x, Out(x[::-1][np.arange(128) ^ 1] + x))


def names_of_months(target: TargetId) -> Case:
    hashes: list[int] = []
    for name in MONTHS:
        value = 5381
        for letter in name.encode():
            value = (value * 33 + letter) & MASK
        hashes.append(value)
    return case(2, 64, Out(np.array([hashes[i % 12] for i in range(128)], np.uint32)))


def linked_records(target: TargetId) -> Case:
    weight = np.arange(64, dtype=np.uint32) % 4 + np.uint32(1)
    return case(1, 64, Out(10 + 20 * weight + 30 * weight * weight))


def records_with_functions(target: TargetId) -> Case:
    x = words(4, 64)
    out = np.choose(x % 3, [x + np.uint32(17), x - np.uint32(17), x * np.uint32(17)])
    return case(1, 64, x, Out(out), Out((x % 3 + 0.5).astype(np.float32)))


def crc_by_table(target: TargetId) -> Case:
    x = random(5).integers(0, 256, (128, 9)).astype(np.uint8)
    return case(2, 64, x, Out(np.array([zlib.crc32(row.tobytes()) for row in x], np.uint32)))


def static_in_function(target: TargetId) -> Case:
    return case(3, 64, Changed(zeros(192), zeros(192) + np.uint32(1)))


def mixed_fields(target: TargetId) -> Case:
    x = words(6, 64)
    rows: list[tuple[int, int, int, int, float, tuple[int, ...]]] = [
        (1, -300, 17, 1000, 0.5, (1, 2, 3)),
        (200, 12, 31, 2047, -2.25, (9, 8, 7)),
        (7, 0, 1, 2, 1e10, (0, 255, 4)),
    ]
    out = np.zeros(64)
    for i in range(64):
        value = int(x[i])
        kind, shift, low, high, scale, name = rows[value % 3]
        whole = (kind + shift * 2 + low * 3 + high * 5 + name[value // 3 % 3]) & MASK
        out[i] = (whole if whole < 1 << 31 else whole - (1 << 32)) * scale
    return case(1, 64, x, Out(out))


def polynomial_table(target: TargetId) -> Case:
    x = random(7).standard_normal(64)
    table = np.array([[1, 2, 3, 4], [0.5, -0.25, 0.125, 1], [1e3, -1e-3, 7, 0], [-1, 0, 0, 2]])[np.arange(64) % 4]
    total = np.zeros(64)
    for k in (3, 2, 1, 0):
        total = total * x + table[:, k]
    return case(1, 64, x, Out(total))


def table_of_tables(target: TargetId) -> Case:
    x = words(8, 64)
    tables = np.array([[1, 3, 105, 7], [2, 4, 6, 8]], np.uint32)
    return case(1, 64, x, Out(tables[x & 1, x >> 1 & 3]))


def visible_globals(target: TargetId) -> Case:
    x = words(9, 64, below=1 << 20)
    return case(1, 64, x, Out(np.append(3 * x, 50 + (3 * x & 7).sum()).astype(np.uint32)))


def visible_functions(target: TargetId) -> Case:
    x = words(10, 128)
    return case(
        2,
        64,
        x,
        Out(np.where(x & 4, x * np.uint32(5) + np.uint32(1), x ^ x >> 3) * np.uint32(5) + np.uint32(1)),
    )


def switch_to_table(target: TargetId) -> Case:
    x = words(11, 64)
    table = np.array([901, 77, 65537, 4, 1 << 31, 12345, 678, 90, 31, 0, MASK, MASK], np.uint32)
    return case(1, 64, x, Out(table[x % 12]))


def lds_without_language(target: TargetId) -> Case:
    x, i = words(12, 2, 64), np.arange(64)
    return case(2, 64, x, Out(x[:, i ^ 9] - x[:, 63 - i]))


def switch_of_work(target: TargetId) -> Case:
    x, more = words(13, 128), words(14, 128)

    def worked(a: int, y: int) -> int:
        match a % 7:
            case 0:
                while y > 100:
                    y -= y // 3
                return y
            case 1:
                return y * y + a
            case 2:
                return y + a
            case 3:
                for k in range(a & 15):
                    y = (y << 1 & MASK) ^ k
                return y
            case 4:
                return y // (a | 1)
            case 5:
                return int(more[y % 64])
            case _:
                return ~y

    return case(2, 64, x, Out(each(worked, x, more)), more)


def dynamic_reverse(target: TargetId) -> Case:
    x = words(15, 2, 96)
    return case(2, 96, x, Out(x[:, ::-1]), lds_bytes=4 * 96)


def static_and_dynamic(target: TargetId) -> Case:
    x, i = words(16, 2, 64), np.arange(64)
    return case(2, 64, x, Out(x[:, i ^ 1] + np.uint32(2) * x[:, i % 33]), lds_bytes=256)


def dynamic_parts(target: TargetId) -> Case:
    x = random(17).random((2, 64), np.float32)
    read = x[:, (np.arange(64) * 5 + 3) % 64]
    return case(2, 64, x, Out(np.where(read > 0.5, read, -x)), np.uint32(64), lds_bytes=7 * 64)


def dynamic_size_known(target: TargetId) -> Case:
    out = np.arange(64, dtype=np.uint32) % 5 + sum(k * k for k in range(100))
    out[0] = 400
    return case(1, 64, Out(out.astype(np.uint32)), lds_bytes=400)


def dynamic_transpose(target: TargetId) -> Case:
    x = random(18).random((24, 40), np.float32)
    return case((3, 2, 1), (16, 16, 1), x, Out(x.T.copy()), np.uint32(40), np.uint32(24), lds_bytes=4 * 16 * 17)


def dynamic_histogram(target: TargetId) -> Case:
    x = words(19, 3 * 4 * 64)
    return case(
        3,
        64,
        x,
        Changed(zeros(50), np.bincount(x % 50).astype(np.uint32)),
        np.uint32(50),
        np.uint32(4),
        lds_bytes=200,
    )


def dynamic_doubles_scan(target: TargetId) -> Case:
    x = random(20).integers(-1000, 1000, (2, 128)).astype(np.float64)
    return case(2, 128, x, Out(np.cumsum(x, 1)), lds_bytes=2 * 8 * 128)


def local_pointer(target: TargetId) -> Case:
    x = words(21, 2, 64)
    return case(2, 64, x, Out(x[:, np.arange(64) ^ 5] * np.uint32(3)), Local(256))


def two_local_pointers(target: TargetId) -> Case:
    x, i = words(22, 2, 64), np.arange(64)
    order = (i * 7 + 3) & 63
    return case(2, 64, Local(128), x, Out(x[:, order] + order[63 - i].astype(np.uint32)), Local(256), np.uint32(3))


def local_pointer_beside_array(target: TargetId) -> Case:
    x = words(23, 2, 64)
    return case(2, 64, x, Out((x ^ x[:, np.arange(64) ^ 1])[:, ::-1] + x), Local(256))


def local_pointer_passed_on(target: TargetId) -> Case:
    x = words(24, 2, 64)
    most: Array = np.maximum.accumulate(x, 1)
    return case(2, 64, x, Out(most), Local(256))


KERNELS = (
    kernels_of(
        "globals.hip",
        constant_table,
        writable_counter,
        zero_rows,
        names_of_months,
        linked_records,
        records_with_functions,
        crc_by_table,
        static_in_function,
        mixed_fields,
        polynomial_table,
        table_of_tables,
    )
    | kernels_of("linked.c", visible_globals, visible_functions, switch_to_table, lds_without_language, switch_of_work)
    | kernels_of(
        "dynamic_lds.hip",
        dynamic_reverse,
        static_and_dynamic,
        dynamic_parts,
        dynamic_size_known,
        dynamic_transpose,
        dynamic_histogram,
        dynamic_doubles_scan,
    )
    | kernels_of(
        "local_pointers.cl",
        local_pointer,
        two_local_pointers,
        local_pointer_beside_array,
        local_pointer_passed_on,
    )
)
