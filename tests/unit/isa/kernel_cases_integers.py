"""Whole numbers: products, quotients, carries, bits, extremes, saturation."""

from __future__ import annotations

from typing import Any

import numpy as np

from isa.targets import TargetId
from tests.unit.isa.kernel_cases import Array, Case, clamp, each, kernels_of, lanes, quotient, rows, signed

COUNT = 128
U32, U64 = 1 << 32, 1 << 64


def random_bits(seed: int, bits: int) -> Array:
    """Numbers of every length, the corners first."""
    rng = np.random.default_rng(seed)
    values = [int(rng.integers(0, U64, dtype=np.uint64)) >> int(rng.integers(64 - bits, 64)) for _ in range(COUNT)]
    corners = [0, 1, (1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1, 0x8000, 0x7FFF, 0xFFFF]
    turned = corners[seed % 3 :] + corners[: seed % 3]
    return np.array(turned + values[len(turned) :], f"u{bits // 8}")


def i32(column: Any) -> list[int]:
    return [signed(int(x), 32) for x in column]


def long_product(target: TargetId) -> Case:
    a, b = random_bits(1, 64), random_bits(2, 64)
    out = rows(
        np.uint64,
        each(lambda x, y: x * y, a, b),
        each(lambda x, y: x * y >> 64, a, b),
        each(lambda x, y: signed(x, 64) * signed(y, 64) >> 64, a, b),
        each(lambda x, y: x % U32 * (y % U32) + y, a, b),
        each(lambda x, y: signed(x, 32) * signed(y, 32) + x, a, b),
        each(lambda x: x * 0x123456789ABCDEF, a),
    )
    return lanes([a, b], [out])


def carries(target: TargetId) -> Case:
    a, b = random_bits(3, 64), random_bits(4, 64)
    uniform, other = 0xFFFFFFFF00000001, 0xFEDCBA9876543210
    u = uniform << 64 | other
    out: list[list[int]] = []
    for x64, y64 in zip(a.tolist(), b.tolist(), strict=True):
        x, y = x64 << 64 | y64, y64 << 64 | (~x64 % U64)
        wide = [x + y, x - y, -x, x << (x64 & 127), signed(y, 128) >> (y64 & 127), u * 3 - (~u % (1 << 128))]
        words = [part for value in wide for part in (value % U64, (value >> 64) % U64)]
        out.append([*words, int(x < y), int(signed(x, 128) < signed(y, 128))])
    return lanes([a, b], [np.array(out, np.uint64)], [np.uint64(uniform), np.uint64(other)])


def division(target: TargetId) -> Case:
    a, b = random_bits(5, 32), random_bits(6, 32)
    b[b == 0] = 3
    a[:2], b[:2] = [0x80000001, 0xFFFFFFFF], [0xFFFFFFFF, 0x80000000]

    def remainder(x: int, y: int) -> int:
        return x - quotient(x, y) * y

    out = rows(
        np.int32,
        each(quotient, i32(a), i32(b)),
        each(remainder, i32(a), i32(b)),
        each(quotient, a, b),
        each(remainder, a, b),
        each(lambda x: quotient(x, 7), i32(a)),
        each(lambda x: x % 1000, a),
        each(lambda x, y: quotient(signed(x, 16), signed(y | 1, 16)), a, b),
        each(lambda x, y: x % 65536 % ((y | 1) % 65536), a, b),
        each(lambda x, y: quotient(signed(x, 8), signed(y | 1, 8)), a, b),
        each(lambda x, y: x % 256 % ((y | 1) % 256), a, b),
    )
    return lanes([a.view(np.int32), b.view(np.int32)], [out])


def long_remainder(target: TargetId) -> Case:
    a, b = random_bits(7, 64), random_bits(8, 64)
    b[b == 0] = 3
    x, y = a.view(np.int64), b.view(np.int64)
    x[(x == -(2**63)) & (y == -1)] = 5
    out = rows(
        np.int64,
        each(lambda p, q: p - quotient(p, q) * q, x, y),
        each(quotient, a, b),
        each(lambda p: quotient(p, 10), x),
        each(lambda p: p % 3600, a),
        each(lambda p, q: quotient(p, signed(q | 1, 32)), x, y),
    )
    return lanes([x, y], [out])


def reversed_bits(value: int, bits: int) -> int:
    return int(f"{value:0{bits}b}"[::-1], 2)


def rotated(value: int, count: int, bits: int) -> int:
    """To the left."""
    count %= bits
    return (value << count | value >> (bits - count)) % (1 << bits)


def permuted(high: int, low: int, selector: int) -> int:
    """v_perm_b32 for selectors of bytes 0 to 7 (the low source's first) and 12, which is zero."""
    source = (high << 32 | low).to_bytes(8, "little")
    chosen = [0 if which == 12 else source[which] for which in selector.to_bytes(4, "little")]
    return int.from_bytes(bytes(chosen), "little")


def trailing(value: int, bits: int) -> int:
    return (value & -value).bit_length() - 1 if value else bits


def bits(target: TargetId) -> Case:
    a, b, c = random_bits(9, 32), random_bits(10, 32), random_bits(11, 64)
    low = [int(z) % U32 for z in c]
    out = rows(
        np.uint32,
        each(int.bit_count, a),
        each(int.bit_count, c),
        each(lambda x: 32 - x.bit_length(), a),
        each(lambda x: trailing(x, 32), a),
        each(lambda z: 64 - z.bit_length(), c),
        each(lambda z: trailing(z, 64), c),
        each(lambda x: reversed_bits(x, 32), a),
        a.byteswap(),
        each(lambda x, y: rotated(x, y, 32), a, b),
        each(lambda x: rotated(x, 32 - 11, 32), a),
        each(lambda x, y: (x >> (y & 31)) & 31, a, b),
        each(lambda x, y: signed(signed(x, 32) >> 7, y & 31) if y & 31 else 0, a, b),
        each(lambda x: (x >> 5) & 0x3FF, a),
        each(lambda x: signed(x << 7, 32) >> 20, a),
        each(lambda x, y, z: (x & y) | (~x & z), a, b, low),
        each(lambda x, y: permuted(x, y, 0x0C060107), a, b),
        each(lambda x, y, z: (x << 32 | y) >> (z & 31), a, b, low),
        each(lambda x, y, z: (x << 32 | y) >> 8 * (z & 3), a, b, low),
        each(lambda x, y: ~(x ^ y), a, b),
        each(lambda x, y: x << 3 | y, a, b),
        each(lambda x, y, z: x & y | z, a, b, low),
        each(lambda x, y, z: x ^ y ^ z, a, b, low),
        each(lambda x, y: x & 0xFFFF00FF | (y & 0xFF) << 8, a, b),
        each(lambda x, y, z: (x << (y & 31)) + z, a, b, low),
    )
    wide = rows(
        np.uint64,
        each(lambda z: reversed_bits(z, 64), c),
        c.byteswap(),
        each(lambda z, y: rotated(z, y, 64), c, b),
        each(lambda z, y: z << (y & 63), c, b),
        each(lambda z, y: z >> (y & 63), c, b),
        each(lambda z, y: signed(z, 64) >> (y & 63), c, b),
        each(lambda z: (z >> 13 & 0x7FFFFFFFF) ^ ~z, c),
    )
    return lanes([a, b, c], [out, wide])


def short_products(target: TargetId) -> Case:
    a, b, c = random_bits(12, 32), random_bits(13, 32), random_bits(14, 32)
    top = 1 << 24

    def distance(width: int, x: int, y: int) -> int:
        mask = (1 << width) - 1
        return sum(abs((x >> k & mask) - (y >> k & mask)) for k in range(0, 32, width))

    def averages(x: int, y: int) -> int:
        return sum(((x >> k & 255) + (y >> k & 255) + (0x01000101 >> k & 1) >> 1) << k for k in range(0, 32, 8))

    out = rows(
        np.uint32,
        each(lambda x, y: x % top * (y % top), a, b),
        each(lambda x, y, z: x % top * (y % top) + z, a, b, c),
        each(lambda x, y, z: signed(x, 24) * signed(y, 24) + z, a, b, c),
        each(lambda x, y: x % top * (y % top) >> 32, a, b),
        each(lambda x, y: signed(x, 24) * signed(y, 24) >> 32, a, b),
        each(lambda x, y, z: (x * y + z) % 65536, a, b, c),
        each(lambda x, y, z: signed(x, 16) * signed(y, 16) + z, a, b, c),
        each(lambda x, y: x * y >> 32, a, b),
        each(lambda x, y: signed(x, 32) * signed(y, 32) >> 32, a, b),
        each(lambda x, y, z: distance(8, x, y) + z, a, b, c),
        each(lambda x, y, z: distance(16, x, y) + z, a, b, c),
        each(averages, a, b),
    )
    return lanes([a, b, c], [out])


def extremes(target: TargetId) -> Case:
    a, b, c = random_bits(15, 32), random_bits(16, 32), random_bits(17, 32)
    x, y, z = i32(a), i32(b), i32(c)

    def median(*values: int) -> int:
        return sorted(values)[1]

    out = rows(
        np.int32,
        each(min, x, y, z),
        each(max, x, y, z),
        each(median, x, y, z),
        each(min, a, b, c),
        each(max, a, b, c),
        each(median, a, b, c),
        each(lambda *values: min(signed(value, 16) for value in values), a, b, c),
        each(lambda *values: max(value % 65536 for value in values), a, b, c),
        each(lambda value: clamp(value, 8, True), x),
        each(abs, x),
        each(lambda p, q, r: max(min(p, q), r), x, y, z),
        each(lambda value: signed(abs(signed(value, 16)), 16), a),
    )
    return lanes([a.view(np.int32), b.view(np.int32), c.view(np.int32)], [out])


def saturated_sums(target: TargetId) -> Case:
    a, b = random_bits(18, 32), random_bits(19, 32)
    c, d = random_bits(20, 64), random_bits(21, 64)
    x, y = i32(a), i32(b)

    def pair(low: int, high: int) -> int:
        return low % 65536 | high % 65536 << 16

    def differences(p: int, q: int) -> int:
        return pair(*(clamp(signed(p >> k, 16) - signed(q >> k, 16), 16, True) for k in (0, 16)))

    out = rows(
        np.int32,
        each(lambda p, q: clamp(p + q, 32, True), x, y),
        each(lambda p, q: clamp(p - q, 32, True), x, y),
        each(lambda p, q: clamp(p + q, 32, False), a, b),
        each(lambda p, q: clamp(p - q, 32, False), a, b),
        each(lambda p, q: clamp(signed(p, 16) + signed(q, 16), 16, True), a, b),
        each(lambda p, q: clamp(p % 65536 - q % 65536, 16, False), a, b),
        each(lambda p, q: clamp(signed(p, 8) + signed(q, 8), 8, True), a, b),
        each(differences, a, b),
        each(lambda p, q: pair(clamp(p, 16, True), clamp(q, 16, True)), x, y),
        each(lambda p, q: pair(clamp(p, 16, False), clamp(q, 16, False)), a, b),
    )
    wide = rows(
        np.int64,
        each(lambda p, q: clamp(p + q, 64, True), c.view(np.int64), d.view(np.int64)),
        each(lambda p, q: clamp(p - q, 64, False), c, d),
    )
    return lanes([a.view(np.int32), b.view(np.int32), c.view(np.int64), d.view(np.int64)], [out, wide])


KERNELS = kernels_of("integers", long_product, carries, division, long_remainder, bits, short_products, extremes, saturated_sums)
