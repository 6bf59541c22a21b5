"""Whole numbers of 8 to 128 bits."""

from __future__ import annotations

import base64
import math
from typing import Any

import numpy as np

from isa.targets import TargetId
from tests.compiled.case import Array, Case, Out, case, kernels_of, random, words
from tests.compiled.references.atomics import signed
from tests.compiled.references.calls import MASK

LONG = (1 << 64) - 1


def any_of(kind: type[np.integer[Any]], seed: int, *shape: int) -> Array:
    limits = np.iinfo(kind)
    return random(seed).integers(limits.min, limits.max, shape, kind, endpoint=True)


def spread_longs(seed: int, count: int) -> Array:
    """Longs of every size, none of them zero."""
    values = any_of(np.int64, seed, count) >> random(seed + 1).integers(0, 63, count)
    return np.where(values == 0, 3, values)


def saturated_bytes(target: TargetId) -> Case:
    a, b = any_of(np.uint8, 1, 128), any_of(np.int8, 2, 128)
    sums = np.clip(a.astype(int) + (b & 127), 0, 255).astype(np.uint8)
    return case(2, 64, a, b, Out(sums), Out(np.clip(b.astype(int) - (a >> 1), -128, 127).astype(np.int8)))


def byte_vectors(target: TargetId) -> Case:
    x, y = any_of(np.uint8, 3, 128, 4), any_of(np.uint8, 4, 128, 4)
    d = np.maximum(x, y) - np.minimum(x, y)
    mixed = np.stack([x[:, 3], y[:, 2], x[:, 1] + y[:, 1], x[:, 0] * y[:, 0]], -1)
    return case(2, 64, x, y, Out(mixed ^ d[:, [1, 0, 3, 2]]), Out(d.sum(1).astype(np.uint32)))


def short_arithmetic(target: TargetId) -> Case:
    x, y = any_of(np.int16, 5, 128), any_of(np.int16, 6, 128)
    y[::7] = 0
    wide, by = x.astype(int), y.astype(int)
    quotient = np.where(y == 0, -1, np.trunc(wide / np.where(y == 0, 1, by)).astype(int))
    out = quotient * 3 + np.minimum(wide, by) - (wide >> (by & 7))
    unsigned = x.view(np.uint16).astype(np.uint64)
    shifted = unsigned << (by & 15).astype(np.uint64) | unsigned >> (16 - (by & 15) & 15).astype(np.uint64)
    return case(2, 64, x, y, Out(out.astype(np.int16)), Out(shifted.astype(np.uint16)))


def long_division(target: TargetId) -> Case:
    a, b = spread_longs(7, 128), spread_longs(9, 128)
    a[:3], b[:3] = [1, -(2**63), 2**63 - 1], [-(2**63), 3, -1]
    quotients = [abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    rests = [x - q * y for x, y, q in zip(a.tolist(), b.tolist(), quotients, strict=True)]
    return case(2, 64, a, b, Out(np.array(quotients, np.int64)), Out(np.array(rests, np.int64)))


def unsigned_long_division(target: TargetId) -> Case:
    a, b, by = any_of(np.uint64, 11, 128), spread_longs(12, 128).view(np.uint64), np.uint64(0x123456789AB)
    million = np.uint64(1000000007)
    return case(2, 64, a, b, Out(np.stack([a // b, a // by], -1)), Out(np.stack([a % b, a % million], -1)), by)


def word_division(target: TargetId) -> Case:
    a, b = (
        any_of(np.int32, 13, 128),
        (any_of(np.int32, 14, 128) >> random(15).integers(0, 31, 128)).astype(np.int32),
    )
    b[b == 0] = 5
    wholes, naturals = [], []
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        wholes.append(signed(quotient * 7 + x - quotient * y, 32))
        p, q = x & MASK, y & MASK
        naturals.append(p // q + p % q * 3 + p // 10 + p % 641 & MASK)
    return case(2, 64, a, b, Out(np.array(wholes, np.int32)), Out(np.array(naturals, np.uint32)))


def wide_products(target: TargetId) -> Case:
    a, b = any_of(np.uint64, 16, 128), any_of(np.uint64, 17, 128)
    products = [x * y + x for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    out = np.array([[p & LONG, p >> 64 & LONG] for p in products], np.uint64)
    upper = [(x & MASK) * (y & MASK) >> 32 & MASK ^ (signed(x, 32) * signed(y, 32) >> 32) & MASK for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    return case(2, 64, a, b, Out(out), Out(np.array(upper, np.uint32)))


def long_shifts(target: TargetId) -> Case:
    x, by = any_of(np.uint64, 18, 64), np.arange(64, dtype=np.uint64)
    turned = x << by | x >> ((np.uint64(64) - by) & np.uint64(63))
    arithmetic = (x.view(np.int64) >> by.astype(np.int64)).view(np.uint64)
    return case(1, 64, x, Out(np.stack([x << by, x >> by, arithmetic, np.where(by == 0, x, turned)], -1)))


def bit_counts(target: TargetId) -> Case:
    x = any_of(np.uint64, 19, 128) >> random(20).integers(0, 64, 128).astype(np.uint64)
    x[:3] = [0, 1 << 32, 1 << 63]
    rows = []
    for value in x.tolist():
        low, high = value & MASK, value >> 32
        swapped = int.from_bytes(high.to_bytes(4, "little"), "big")
        rows.append(
            [
                value.bit_count() * 100 + low.bit_count(),
                64 - value.bit_length(),
                (low & -low).bit_length() - 1 if low else 32,
                int(f"{low:032b}"[::-1], 2) ^ swapped,
                low >> 5 & 0x7F | (high >> 3 & 0x1FF) << 7,
            ]
        )
    return case(2, 64, x, Out(np.array(rows, np.uint32)))


def big_additions(target: TargetId) -> Case:
    a, b = words(21, 64, 8), words(22, 64, 8)
    a[:8], b[:8] = MASK, [1, 0, 0, 0, 0, 0, 0, 0]
    out = np.zeros((64, 9), np.uint32)
    for i in range(64):
        total = int.from_bytes(a[i].tobytes(), "little") + int.from_bytes(b[i].tobytes(), "little")
        out[i] = np.frombuffer(total.to_bytes(36, "little"), np.uint32)
    return case(1, 64, a, b, Out(out))


def modular_powers(target: TargetId) -> Case:
    base, exponent, modulus = any_of(np.uint64, 23, 64), words(24, 64, below=1 << 12), 4294967291
    out = [pow(x, n, modulus) for x, n in zip(base.tolist(), exponent.tolist(), strict=True)]
    return case(1, 64, base, exponent, Out(np.array(out, np.uint64)), np.uint64(modulus))


def whole_roots(target: TargetId) -> Case:
    x = any_of(np.uint64, 25, 64) >> np.arange(64, dtype=np.uint64)
    return case(1, 64, x, Out(np.array([math.isqrt(value) for value in x.tolist()], np.uint32)))


def hashed_blocks(target: TargetId) -> Case:
    blocks, keys = words(26, 64, 16), words(27, 32)
    w = [blocks[:, k].copy() for k in range(16)]
    start = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
    s = [np.full(64, value, np.uint32) for value in start]

    def turned(x: Array, *by: int) -> Array:
        return np.bitwise_xor.reduce([x >> np.uint32(n) | x << np.uint32(32 - n) for n in by])

    for k in range(32):
        at = k & 15
        t1 = s[7] + turned(s[4], 6, 11, 25) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + keys[k] + w[at]
        t2 = turned(s[0], 2, 13, 22) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]))
        s = [t1 + t2, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]]
        w[at] = w[at] + w[(k + 9) & 15] + (turned(w[(k + 1) & 15], 7) ^ w[(k + 1) & 15] >> np.uint32(3))
    return case(1, 64, blocks, Out(np.stack(s, -1)), keys)


def random_walks(target: TargetId) -> Case:
    seeds = words(28, 64) | np.uint32(1)
    state, place = seeds, np.zeros((64, 2), np.int32)
    moves = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]], np.int32)
    for _ in range(30):
        state = state ^ state << np.uint32(13)
        state = state ^ state >> np.uint32(17)
        state = state ^ state << np.uint32(5)
        place += moves[state >> 30]
    return case(1, 64, seeds, Out(place), np.uint32(30))


def base_64(target: TargetId) -> Case:
    x = any_of(np.uint8, 29, 384)
    return case(2, 64, x, Out(np.frombuffer(base64.b64encode(x.tobytes()), np.uint8)))


def bit_transposes(target: TargetId) -> Case:
    x = any_of(np.uint64, 30, 64)
    bits = np.unpackbits(x.view(np.uint8).reshape(64, 8), axis=1, bitorder="little").reshape(64, 8, 8)
    turned = np.packbits(bits.transpose(0, 2, 1).reshape(64, 64), axis=1, bitorder="little").view(np.uint64).ravel()
    return case(1, 64, x, Out(turned))


def decimal_digits(target: TargetId) -> Case:
    x = words(31, 64)
    return case(1, 64, x, Out(np.frombuffer("".join(f"{value:010d}" for value in x.tolist()).encode(), np.uint8)))


def dot_products_of_bytes(target: TargetId) -> Case:
    a, b = words(32, 128), words(33, 128)
    signed_bytes = [x.view(np.int8).reshape(-1, 4).astype(int) for x in (a, b)]
    plain_bytes = [x.view(np.uint8).reshape(-1, 4).astype(int) for x in (a, b)]
    out = (signed_bytes[0] * signed_bytes[1]).sum(1) + 100 + 2 * ((plain_bytes[0] * plain_bytes[1]).sum(1) + 5)
    return case(2, 64, a.view(np.int32), b.view(np.int32), Out(out.astype(np.int32)))


KERNELS = kernels_of(
    "integers.cl",
    saturated_bytes,
    byte_vectors,
    short_arithmetic,
    long_division,
    unsigned_long_division,
    word_division,
    wide_products,
    long_shifts,
    bit_counts,
    big_additions,
    modular_powers,
    whole_roots,
    hashed_blocks,
    random_walks,
    base_64,
    bit_transposes,
    decimal_digits,
    dot_products_of_bytes,
)
