"""Packed vector rows: two 16-bit or two 32-bit values a lane (CDNA3 ISA, section 12.12)."""

from __future__ import annotations

from isa.instruction import Trait
from isa.table.cdna.vector import mixed, packed
from isa.table.declare import on
from isa.table.declared import Declared

COMMUTES = Trait.COMMUTES

ROWS: tuple[Declared, ...] = (
    *packed("v_pk_add_f32", "f32x2 = f32x2 f32x2", COMMUTES),
    *packed("v_pk_mul_f32", "f32x2 = f32x2 f32x2", COMMUTES),
    *packed("v_pk_fma_f32", "f32x2 = f32x2 f32x2 f32x2", COMMUTES),
    *packed("v_pk_mov_b32", "b32x2 = b32x2 b32x2", neg=False, clamp=False),
    *packed("v_pk_add_f16", "f16x2 = f16x2 f16x2", COMMUTES),
    *packed("v_pk_mul_f16", "f16x2 = f16x2 f16x2", COMMUTES),
    *packed("v_pk_fma_f16", "f16x2 = f16x2 f16x2 f16x2", COMMUTES),
    *packed("v_pk_min_f16", "f16x2 = f16x2 f16x2", COMMUTES),
    *packed("v_pk_max_f16", "f16x2 = f16x2 f16x2", COMMUTES),
    *packed("v_pk_add_u16", "u16x2 = u16x2 u16x2", COMMUTES, neg=False),
    *packed("v_pk_add_i16", "i16x2 = i16x2 i16x2", COMMUTES, neg=False),
    *packed("v_pk_sub_u16", "u16x2 = u16x2 u16x2", neg=False),
    *packed("v_pk_sub_i16", "i16x2 = i16x2 i16x2", neg=False),
    *packed("v_pk_mul_lo_u16", "u16x2 = u16x2 u16x2", COMMUTES, neg=False, clamp=False),
    *packed("v_pk_mad_u16", "u16x2 = u16x2 u16x2 u16x2", COMMUTES, neg=False),
    *packed("v_pk_mad_i16", "i16x2 = i16x2 i16x2 i16x2", COMMUTES, neg=False),
    *packed("v_pk_min_u16", "u16x2 = u16x2 u16x2", COMMUTES, neg=False, clamp=False),
    *packed("v_pk_min_i16", "i16x2 = i16x2 i16x2", COMMUTES, neg=False, clamp=False),
    *packed("v_pk_max_u16", "u16x2 = u16x2 u16x2", COMMUTES, neg=False, clamp=False),
    *packed("v_pk_max_i16", "i16x2 = i16x2 i16x2", COMMUTES, neg=False, clamp=False),
    *packed("v_pk_lshlrev_b16", "u16x2 = u16x2 u16x2", neg=False, clamp=False),
    *packed("v_pk_lshrrev_b16", "u16x2 = u16x2 u16x2", neg=False, clamp=False),
    *packed("v_pk_ashrrev_i16", "i16x2 = u16x2 i16x2", neg=False, clamp=False),
    *mixed("v_fma_mix_f32", "f32"),
    *mixed("v_fma_mixlo_f16", "f16", Trait.HALF_WRITE),
    *mixed("v_fma_mixhi_f16", "f16", Trait.HALF_WRITE),
    *on("gfx950", *packed("v_pk_minimum3_f16", "f16x2 = f16x2 f16x2 f16x2", COMMUTES)),
    *on("gfx950", *packed("v_pk_maximum3_f16", "f16x2 = f16x2 f16x2 f16x2", COMMUTES)),
    *on("gfx950", *packed("v_dot2_f32_bf16", "f32 = bf16x2 bf16x2 f32", Trait.DOT, COMMUTES, halves=False)),
    # PyTorch's documentation, Numerical accuracy: MI200's V_DOT2 flushes denormals of f16 as its MFMA does
    *on("gfx90a", *packed("v_dot2_f32_f16", "f32 = f16x2 f16x2 f32", Trait.DOT, Trait.FLUSHES, COMMUTES)),
    *on(
        "gfx942 gfx950", *packed("v_dot2_f32_f16", "f32 = f16x2 f16x2 f32", Trait.DOT, COMMUTES, halves=False)
    ),
    *on("gfx90a", *packed("v_dot2_i32_i16", "i32 = i16x2 i16x2 i32", Trait.DOT, COMMUTES, neg=False)),
    *on(
        "gfx942 gfx950",
        *packed("v_dot2_i32_i16", "i32 = i16x2 i16x2 i32", Trait.DOT, COMMUTES, neg=False, halves=False),
    ),
    *on("gfx90a", *packed("v_dot2_u32_u16", "u32 = u16x2 u16x2 u32", Trait.DOT, COMMUTES, neg=False)),
    *on(
        "gfx942 gfx950",
        *packed("v_dot2_u32_u16", "u32 = u16x2 u16x2 u32", Trait.DOT, COMMUTES, neg=False, halves=False),
    ),
    *packed("v_dot4_i32_i8", "i32 = i8x4 i8x4 i32", Trait.DOT, COMMUTES, neg=False, halves=False),
    *packed("v_dot4_u32_u8", "u32 = u8x4 u8x4 u32", Trait.DOT, COMMUTES, neg=False, halves=False),
    *packed("v_dot8_i32_i4", "i32 = b32 b32 i32", Trait.DOT, COMMUTES, neg=False, halves=False),
    *packed("v_dot8_u32_u4", "u32 = b32 b32 u32", Trait.DOT, COMMUTES, neg=False, halves=False),
)
