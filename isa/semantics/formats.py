"""Floats of 16 bits and fewer as bit patterns: their formats, the value of a pattern, and the pattern nearest
to a number.

8-bit floats are AMD's own (FNUZ) on gfx942 and OCP's on other targets. A number beyond a format gives its
infinity or NaN, or its largest number if it has neither (CDNA4 ISA, section 12.11; RDNA4 ISA,
V_CVT_PK_FP8_F32). ml_dtypes does the arithmetic.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from isa.named_tuple import NamedTuple
from isa.semantics.mode import U8, U16, U32, Array, bits_of, quiet


class SmallFloat(NamedTuple):
    """A small float: its name in ml_dtypes, its width and the bits of its fraction."""

    name: str
    bits: int
    fraction: int


OCP_FP8, OCP_BF8 = SmallFloat("float8_e4m3fn", 8, 3), SmallFloat("float8_e5m2", 8, 2)
FNUZ_FP8, FNUZ_BF8 = SmallFloat("float8_e4m3fnuz", 8, 3), SmallFloat("float8_e5m2fnuz", 8, 2)
FP6, BF6, FP4 = (
    SmallFloat("float6_e2m3fn", 6, 3),
    SmallFloat("float6_e3m2fn", 6, 2),
    SmallFloat("float4_e2m1fn", 4, 1),
)


@cache
def _dtype(name: str) -> Any:
    import ml_dtypes

    return np.dtype(getattr(ml_dtypes, name))


def decode(codes: Array, form: SmallFloat) -> Array:
    """Codes in the low bits of integers to f32."""
    return (
        (codes & codes.dtype.type((1 << form.bits) - 1)).astype(U8).view(_dtype(form.name)).astype(np.float32)
    )


def encode(x: Array, form: SmallFloat) -> Array:
    """f32 to codes, rounded to nearest even."""
    return np.ascontiguousarray(x).astype(_dtype(form.name)).view(U8) & U8((1 << form.bits) - 1)


def encode_random(x: Array, seed: Array, form: SmallFloat) -> Array:
    """f32 to codes: the seed's highest bits are added to those of the fraction that are dropped
    (V_CVT_SR_FP8_F32)."""
    return encode(with_random_bits(x, seed, 23 - form.fraction), form)


def with_random_bits(x: Array, seed: Array, dropped: int) -> Array:
    """An f32 with random bits added to its `dropped` lowest bits, which are then cleared; infinities stay,
    NaNs become quiet."""
    bits = bits_of(x)
    moved = (bits + (seed >> U32(32 - dropped))) & ~U32((1 << dropped) - 1)
    return np.where(np.isfinite(x), moved, bits_of(quiet(x))).view(np.float32)


def to_bf16(x: Array) -> Array:
    """f32 to bf16 patterns, rounded to nearest even; a NaN becomes a quiet NaN."""
    bits = bits_of(np.ascontiguousarray(x))
    rounded = (bits + U32(0x7FFF) + (bits >> U32(16) & U32(1))) >> U32(16)
    return np.where(np.isnan(x), bits >> U32(16) | U32(0x40), rounded).astype(U16)


def from_bf16(x: Array) -> Array:
    return (x.astype(U32) << U32(16)).view(np.float32)


def pack_sixes(codes: Array) -> Array:
    """[..., 32] codes of 6 bits to [..., 6] words."""
    bits = (codes[..., None] >> np.arange(6, dtype=U8) & U8(1)).reshape(*codes.shape[:-1], 192)
    return np.packbits(bits, axis=-1, bitorder="little").view(U32)


def fields(words: Array, bits: int) -> Array:
    """[..., element]: fields of `bits` bits of [..., word], low field first; fields of 6 bits cross word
    boundaries."""
    if bits == 8:
        return words.view(U8)
    if bits == 4:
        pairs = words.view(U8)[..., None] >> np.array([0, 4], U8)
        return (pairs & U8(15)).reshape(*words.shape[:-1], -1)
    every = np.unpackbits(np.ascontiguousarray(words).view(U8), axis=-1, bitorder="little")
    apart = every.reshape(*words.shape[:-1], -1, bits)
    return (apart.astype(np.intp) << np.arange(bits)).sum(-1)
