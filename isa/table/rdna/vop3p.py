"""RDNA's packed vector rows and dot products (RDNA3 ISA, section 16.10 and RDNA4 ISA likewise)."""

from __future__ import annotations

from isa.instruction import Trait
from isa.table.declare import RDNA3, RDNA4
from isa.table.declared import Declaration
from isa.table.rdna.vector import LANES_ANY, V, mixed, packed

COMMUTES, DOT = Trait.COMMUTES, Trait.DOT


def dot_bytes(first: str, second: str) -> tuple[Declaration]:
    """Four products of 8-bit floats of the OCP formats, added to an f32 (gfx1201)."""
    return packed(
        f"v_dot4_f32_{first}_{second}", "f32 = fp8x4 fp8x4 f32", DOT, neg=False, clamp=False, halves=False,
        lanes=(V, V), targets=RDNA4,
    )  # fmt: skip


ROWS: tuple[Declaration, ...] = (
    *packed("v_pk_add_f16", "f16x2 = f16x2 f16x2", COMMUTES),
    *packed("v_pk_mul_f16", "f16x2 = f16x2 f16x2", COMMUTES),
    *packed("v_pk_fma_f16", "f16x2 = f16x2 f16x2 f16x2", COMMUTES),
    *packed("v_pk_min_f16", "f16x2 = f16x2 f16x2", COMMUTES, targets=RDNA3),
    *packed("v_pk_max_f16", "f16x2 = f16x2 f16x2", COMMUTES, targets=RDNA3),
    *packed(
        "v_pk_min_num_f16", "f16x2 = f16x2 f16x2", COMMUTES, targets=RDNA4, operation="v_pk_min_f16",
        semantics="v_pk_min_num_f16",
    ),
    *packed(
        "v_pk_max_num_f16", "f16x2 = f16x2 f16x2", COMMUTES, targets=RDNA4, operation="v_pk_max_f16",
        semantics="v_pk_max_num_f16",
    ),
    *packed("v_pk_minimum_f16", "f16x2 = f16x2 f16x2", COMMUTES, targets=RDNA4),
    *packed("v_pk_maximum_f16", "f16x2 = f16x2 f16x2", COMMUTES, targets=RDNA4),
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
    *packed("v_dot2_f32_f16", "f32 = f16x2 f16x2 f32", DOT, COMMUTES, lanes=(LANES_ANY, LANES_ANY)),
    *packed(
        "v_dot2_f32_bf16", "f32 = bf16x2 bf16x2 f32", DOT, COMMUTES, lanes=(V, LANES_ANY),
        semantics="v_dot2c_f32_bf16",
    ),
    *packed("v_dot4_i32_iu8", "i32 = b32 b32 i32", DOT, neg=False, signs=True, halves=False),
    *packed("v_dot8_i32_iu4", "i32 = b32 b32 i32", DOT, neg=False, signs=True, halves=False),
    *packed("v_dot4_u32_u8", "u32 = u8x4 u8x4 u32", DOT, COMMUTES, neg=False, halves=False),
    *packed("v_dot8_u32_u4", "u32 = b32 b32 u32", DOT, COMMUTES, neg=False, halves=False),
    *dot_bytes("fp8", "fp8"),
    *dot_bytes("fp8", "bf8"),
    *dot_bytes("bf8", "fp8"),
    *dot_bytes("bf8", "bf8"),
)  # fmt: skip
