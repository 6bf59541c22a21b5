"""Bits of whole numbers: fields, bytes, counts, the first and last set bit, any function of three bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from isa.semantics.lane import LaneFunction, pure
from isa.semantics.mode import I32, U32, U64, Array


def bfe_u32(x: Array, offset: Array, width: Array) -> Array:
    field = x >> (offset & U32(31))
    return field & ((U32(1) << (width & U32(31))) - U32(1))


def bfe_i32(x: Array, offset: Array, width: Array) -> Array:
    """The field sign-extended from its top bit; width 0 gives 0."""
    bits = width.astype(U32) & U32(31)
    field = (x >> (offset.astype(U32) & U32(31)).astype(I32)).astype(U32) & ((U32(1) << bits) - U32(1))
    sign = (U32(1) << bits) >> U32(1)
    return ((field ^ sign) - sign).astype(U32).astype(I32)


def bfi(mask: Array, a: Array, b: Array) -> Array:
    return (mask & a) | (~mask & b)


def bfm(width: Array, offset: Array) -> Array:
    return ((U32(1) << (width & U32(31))) - U32(1)) << (offset & U32(31))


def align_bit(high: Array, low: Array, shift: Array) -> Array:
    pair = (high.astype(U64) << U64(32)) | low
    return (pair >> (shift.astype(U64) & U64(31))).astype(U32)


def align_byte(high: Array, low: Array, shift: Array) -> Array:
    pair = (high.astype(U64) << U64(32)) | low
    return (pair >> (U64(8) * (shift.astype(U64) & U64(3)))).astype(U32)


def byte_permute(high: Array, low: Array, selector: Array) -> Array:
    """V_PERM_B32: selectors 0-7 take a byte of {high, low}, 8-11 a sign, 12 is 0x00, above 0xff."""
    pair = (high.astype(U64) << U64(32)) | low
    result = np.zeros(np.broadcast(pair, selector).shape, U32)
    for position in range(4):
        select = ((selector >> U32(8 * position)) & U32(0xFF)).astype(U64)
        plain = (pair >> (U64(8) * (select & U64(7)))) & U64(0xFF)
        sign = ((pair >> (U64(16) * (select & U64(3)) + U64(15))) & U64(1)) * U64(0xFF)
        byte = np.where(
            select < 8, plain, np.where(select < 12, sign, np.where(select == 12, U64(0), U64(0xFF)))
        )
        result = result | (byte.astype(U32) << U32(8 * position))
    return result


def population_count(x: Array) -> Array:
    return np.bitwise_count(x).astype(U32)


def reverse_bits(x: Array) -> Array:
    for shift, mask in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF)):
        x = ((x >> U32(shift)) & U32(mask)) | ((x & U32(mask)) << U32(shift))
    return (x >> U32(16)) | (x << U32(16))


def highest_one(x: Array) -> Array:
    """Zeros above the highest set bit of 32 bits; -1 if no bit is set (V_FFBH_U32)."""
    exponent = np.frexp(x.astype(np.float64))[1]
    return np.where(x == 0, I32(-1), 32 - exponent).astype(I32)


def highest_sign_change(x: Array) -> Array:
    """Bits above the first that differs from the sign, the sign included; -1 if all are equal
    (V_FFBH_I32)."""
    plain = x.astype(U32)
    folded = np.where(x.astype(I32) < 0, ~plain, plain)
    return np.where(folded == 0, I32(-1), highest_one(folded)).astype(I32)


def lowest_one(x: Array) -> Array:
    """The index of the lowest set bit; -1 if no bit is set (V_FFBL_B32)."""
    lowest = x & (~x + U32(1))
    return np.where(x == 0, I32(-1), np.frexp(lowest.astype(np.float64))[1] - 1).astype(I32)


def cndmask(zero: Array, one: Array, mask: Array) -> Array:
    """src1 in lanes with their mask bit set, src0 in others, by bit select."""
    full = zero.dtype.type(0) - mask.astype(zero.dtype)
    return zero ^ ((zero ^ one) & full)


def not_(x: Array) -> Array:
    return ~x


def bit_function(truth: int) -> LaneFunction:
    """The function of three bits with bit 4a + 2b + c of `truth` as its value for (a, b, c)
    (V_BITOP3_B32)."""

    def call(a: Array, b: Array, c: Array) -> Array:
        result: Any = (a ^ a) | (b ^ b) | (c ^ c)
        for row in range(8):
            if truth >> row & 1:
                result = result | ((a if row & 4 else ~a) & (b if row & 2 else ~b) & (c if row & 1 else ~c))
        return result

    return pure(call)
