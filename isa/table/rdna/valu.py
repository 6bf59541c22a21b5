"""RDNA's vector ALU rows: VOP1, VOP2, VOP3 and VOPC (RDNA3 ISA, chapter 7 and sections 16.7 to 16.12; RDNA4 ISA likewise).

`operation` is CDNA3's name where that has the instruction under another one. Where a result may differ in a bit, so that
AMD's newer minimum and maximum treat NaNs otherwise, `semantics` is the target's own name.
"""

from __future__ import annotations

from isa.instruction import Row, Trait, Unit
from isa.table.rdna.vector import E32, GFX11, GFX12, LONG, PAIR, vop, vop3, vopc, vopcx

COMMUTES, MOVE = Trait.COMMUTES, Trait.MOVE
TRANS = Unit.TRANS

MOVES: tuple[Row, ...] = (
    *vop("v_mov_b32", "b32 = b32", MOVE),
    *vop("v_cndmask_b32", "b32 = b32 b32 mask", negatable=0b11),
)

ONE_SOURCE: tuple[Row, ...] = (
    *vop("v_cvt_f32_i32", "f32 = i32"),
    *vop("v_cvt_f32_u32", "f32 = u32"),
    *vop("v_cvt_u32_f32", "u32 = f32", clamp=True),
    *vop("v_cvt_i32_f32", "i32 = f32", clamp=True),
    *vop("v_cvt_nearest_i32_f32", "i32 = f32", clamp=True, operation="v_cvt_rpi_i32_f32"),
    *vop("v_cvt_floor_i32_f32", "i32 = f32", clamp=True, operation="v_cvt_flr_i32_f32"),
    *vop("v_cvt_off_f32_i4", "f32 = b32"),
    *vop("v_cvt_f32_ubyte0", "f32 = u32"),
    *vop("v_cvt_f32_ubyte1", "f32 = u32"),
    *vop("v_cvt_f32_ubyte2", "f32 = u32"),
    *vop("v_cvt_f32_ubyte3", "f32 = u32"),
    *vop("v_cvt_f64_i32", "f64 = i32", encodings=PAIR),
    *vop("v_cvt_f64_u32", "f64 = u32", encodings=PAIR),
    *vop("v_cvt_i32_f64", "i32 = f64", encodings=PAIR, clamp=True),
    *vop("v_cvt_u32_f64", "u32 = f64", encodings=PAIR, clamp=True),
    *vop("v_cvt_f32_f64", "f32 = f64", encodings=PAIR),
    *vop("v_cvt_f64_f32", "f64 = f32", encodings=PAIR),
    *vop("v_fract_f32", "f32 = f32"),
    *vop("v_trunc_f32", "f32 = f32"),
    *vop("v_ceil_f32", "f32 = f32"),
    *vop("v_rndne_f32", "f32 = f32"),
    *vop("v_floor_f32", "f32 = f32"),
    *vop("v_exp_f32", "f32 = f32", unit=TRANS),
    *vop("v_log_f32", "f32 = f32", unit=TRANS),
    *vop("v_rcp_f32", "f32 = f32", unit=TRANS),
    *vop("v_rcp_iflag_f32", "f32 = f32", unit=TRANS),
    *vop("v_rsq_f32", "f32 = f32", unit=TRANS),
    *vop("v_sqrt_f32", "f32 = f32", unit=TRANS),
    *vop("v_sin_f32", "f32 = f32", unit=TRANS),
    *vop("v_cos_f32", "f32 = f32", unit=TRANS),
    *vop("v_frexp_exp_i32_f32", "i32 = f32"),
    *vop("v_frexp_mant_f32", "f32 = f32"),
    *vop("v_fract_f64", "f64 = f64", encodings=PAIR),
    *vop("v_trunc_f64", "f64 = f64", encodings=PAIR),
    *vop("v_ceil_f64", "f64 = f64", encodings=PAIR),
    *vop("v_rndne_f64", "f64 = f64", encodings=PAIR),
    *vop("v_floor_f64", "f64 = f64", encodings=PAIR),
    *vop("v_rcp_f64", "f64 = f64", encodings=PAIR, unit=TRANS),
    *vop("v_rsq_f64", "f64 = f64", encodings=PAIR, unit=TRANS),
    *vop("v_sqrt_f64", "f64 = f64", encodings=PAIR, unit=TRANS),
    *vop("v_frexp_exp_i32_f64", "i32 = f64", encodings=PAIR),
    *vop("v_frexp_mant_f64", "f64 = f64", encodings=PAIR),
    *vop("v_not_b32", "b32 = b32"),
    *vop("v_bfrev_b32", "b32 = b32"),
    *vop("v_clz_i32_u32", "u32 = u32", operation="v_ffbh_u32"),
    *vop("v_ctz_i32_b32", "b32 = b32", operation="v_ffbl_b32"),
    *vop("v_cls_i32", "i32 = i32", operation="v_ffbh_i32"),
)

TWO_SOURCES: tuple[Row, ...] = (
    *vop("v_add_f32", "f32 = f32 f32", COMMUTES),
    *vop("v_sub_f32", "f32 = f32 f32"),
    *vop("v_subrev_f32", "f32 = f32 f32"),
    *vop("v_mul_f32", "f32 = f32 f32", COMMUTES),
    *vop("v_mul_dx9_zero_f32", "f32 = f32 f32", COMMUTES, operation="v_mul_legacy_f32"),
    *vop("v_min_f32", "f32 = f32 f32", COMMUTES, targets=GFX11),
    *vop("v_max_f32", "f32 = f32 f32", COMMUTES, targets=GFX11),
    *vop("v_min_num_f32", "f32 = f32 f32", COMMUTES, targets=GFX12, operation="v_min_f32", semantics="v_min_num_f32"),
    *vop("v_max_num_f32", "f32 = f32 f32", COMMUTES, targets=GFX12, operation="v_max_f32", semantics="v_max_num_f32"),
    *vop("v_fmac_f32", "f32 = f32 f32", COMMUTES, accumulates=True),
    *vop("v_fmac_dx9_zero_f32", "f32 = f32 f32", COMMUTES, accumulates=True, encodings=PAIR, targets=GFX11),
    *vop("v_mul_i32_i24", "i32 = i32 i32", COMMUTES, clamp=True),
    *vop("v_mul_hi_i32_i24", "i32 = i32 i32", COMMUTES),
    *vop("v_mul_u32_u24", "u32 = u32 u32", COMMUTES, clamp=True),
    *vop("v_mul_hi_u32_u24", "u32 = u32 u32", COMMUTES),
    *vop("v_min_i32", "i32 = i32 i32", COMMUTES),
    *vop("v_max_i32", "i32 = i32 i32", COMMUTES),
    *vop("v_min_u32", "u32 = u32 u32", COMMUTES),
    *vop("v_max_u32", "u32 = u32 u32", COMMUTES),
    *vop("v_lshrrev_b32", "b32 = u32 b32"),
    *vop("v_ashrrev_i32", "i32 = u32 i32"),
    *vop("v_lshlrev_b32", "b32 = u32 b32"),
    *vop("v_and_b32", "b32 = b32 b32", COMMUTES),
    *vop("v_or_b32", "b32 = b32 b32", COMMUTES),
    *vop("v_xor_b32", "b32 = b32 b32", COMMUTES),
    *vop("v_xnor_b32", "b32 = b32 b32", COMMUTES),
    *vop("v_add_nc_u32", "u32 = u32 u32", COMMUTES, clamp=True, operation="v_add_u32"),
    *vop("v_sub_nc_u32", "u32 = u32 u32", clamp=True, operation="v_sub_u32"),
    *vop("v_subrev_nc_u32", "u32 = u32 u32", clamp=True, operation="v_subrev_u32"),
    *vop("v_add_co_ci_u32", "u32 mask = u32 u32 mask", COMMUTES, clamp=True, operation="v_addc_co_u32"),
    *vop("v_sub_co_ci_u32", "u32 mask = u32 u32 mask", clamp=True, operation="v_subb_co_u32"),
    *vop("v_subrev_co_ci_u32", "u32 mask = u32 u32 mask", clamp=True, operation="v_subbrev_co_u32"),
    *vop("v_cvt_pk_rtz_f16_f32", "f16x2 = f32 f32", operation="v_cvt_pkrtz_f16_f32"),
    *vop("v_add_f64", "f64 = f64 f64", COMMUTES, targets=GFX12, encodings=PAIR),
    *vop("v_mul_f64", "f64 = f64 f64", COMMUTES, targets=GFX12, encodings=PAIR),
    *vop("v_min_num_f64", "f64 = f64 f64", COMMUTES, targets=GFX12, encodings=PAIR, operation="v_min_f64", semantics="v_min_num_f64"),
    *vop("v_max_num_f64", "f64 = f64 f64", COMMUTES, targets=GFX12, encodings=PAIR, operation="v_max_f64", semantics="v_max_num_f64"),
    *vop("v_lshlrev_b64", "b64 = u32 b64", targets=GFX12, encodings=PAIR),
)

THREE_OPERANDS: tuple[Row, ...] = (
    *vop3("v_fma_f32", "f32 = f32 f32 f32", COMMUTES),
    *vop3("v_fma_f64", "f64 = f64 f64 f64", COMMUTES, lanes=False),
    *vop3("v_fma_dx9_zero_f32", "f32 = f32 f32 f32", COMMUTES, lanes=False),
    *vop3("v_mad_i32_i24", "i32 = i32 i32 i32", COMMUTES, clamp=True),
    *vop3("v_mad_u32_u24", "u32 = u32 u32 u32", COMMUTES, clamp=True),
    *vop3("v_mad_u64_u32", "u64 mask = u32 u32 u64", COMMUTES, clamp=True, lanes=False, targets=GFX11),
    *vop3("v_mad_i64_i32", "i64 mask = i32 i32 i64", COMMUTES, clamp=True, lanes=False, targets=GFX11),
    *vop3("v_mad_co_u64_u32", "u64 mask = u32 u32 u64", COMMUTES, clamp=True, lanes=False, targets=GFX12, operation="v_mad_u64_u32"),
    *vop3("v_mad_co_i64_i32", "i64 mask = i32 i32 i64", COMMUTES, clamp=True, lanes=False, targets=GFX12, operation="v_mad_i64_i32"),
    *vop3("v_mul_lo_u32", "u32 = u32 u32", COMMUTES, lanes=False),
    *vop3("v_mul_hi_u32", "u32 = u32 u32", COMMUTES, lanes=False),
    *vop3("v_mul_hi_i32", "i32 = i32 i32", COMMUTES, lanes=False),
    *vop3("v_add_co_u32", "u32 mask = u32 u32", COMMUTES, clamp=True),
    *vop3("v_sub_co_u32", "u32 mask = u32 u32", clamp=True),
    *vop3("v_subrev_co_u32", "u32 mask = u32 u32", clamp=True),
    *vop3("v_add_nc_i32", "i32 = i32 i32", COMMUTES, clamp=True, operation="v_add_i32"),
    *vop3("v_sub_nc_i32", "i32 = i32 i32", clamp=True, operation="v_sub_i32"),
    *vop3("v_lshl_add_u32", "u32 = u32 u32 u32"),
    *vop3("v_add_lshl_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_lshl_or_b32", "b32 = b32 u32 b32"),
    *vop3("v_and_or_b32", "b32 = b32 b32 b32", COMMUTES),
    *vop3("v_or3_b32", "b32 = b32 b32 b32", COMMUTES),
    *vop3("v_xor3_b32", "b32 = b32 b32 b32", COMMUTES),
    *vop3("v_xad_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_add3_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_lshlrev_b64", "b64 = u32 b64", lanes=False, targets=GFX11),
    *vop3("v_lshrrev_b64", "b64 = u32 b64", lanes=False),
    *vop3("v_ashrrev_i64", "i64 = u32 i64", lanes=False),
    *vop3("v_add_f64", "f64 = f64 f64", COMMUTES, lanes=False, targets=GFX11),
    *vop3("v_mul_f64", "f64 = f64 f64", COMMUTES, lanes=False, targets=GFX11),
    *vop3("v_min_f64", "f64 = f64 f64", COMMUTES, lanes=False, targets=GFX11),
    *vop3("v_max_f64", "f64 = f64 f64", COMMUTES, lanes=False, targets=GFX11),
    *vop3("v_minimum_f64", "f64 = f64 f64", COMMUTES, lanes=False, targets=GFX12),
    *vop3("v_maximum_f64", "f64 = f64 f64", COMMUTES, lanes=False, targets=GFX12),
    *vop3("v_minimum_f32", "f32 = f32 f32", COMMUTES, targets=GFX12),
    *vop3("v_maximum_f32", "f32 = f32 f32", COMMUTES, targets=GFX12),
    *vop3("v_minimum3_f32", "f32 = f32 f32 f32", COMMUTES, targets=GFX12),
    *vop3("v_maximum3_f32", "f32 = f32 f32 f32", COMMUTES, targets=GFX12),
    *vop3("v_minimummaximum_f32", "f32 = f32 f32 f32", COMMUTES, targets=GFX12),
    *vop3("v_maximumminimum_f32", "f32 = f32 f32 f32", COMMUTES, targets=GFX12),
    *vop3("v_ldexp_f64", "f64 = f64 i32", lanes=False),
    *vop3("v_ldexp_f32", "f32 = f32 i32"),
    *vop3("v_trig_preop_f64", "f64 = f64 i32", lanes=False),
    *vop3("v_cubeid_f32", "f32 = f32 f32 f32"),
    *vop3("v_cubesc_f32", "f32 = f32 f32 f32"),
    *vop3("v_cubetc_f32", "f32 = f32 f32 f32"),
    *vop3("v_cubema_f32", "f32 = f32 f32 f32"),
    *vop3("v_mullit_f32", "f32 = f32 f32 f32"),
    *vop3("v_min3_f32", "f32 = f32 f32 f32", COMMUTES, targets=GFX11),
    *vop3("v_max3_f32", "f32 = f32 f32 f32", COMMUTES, targets=GFX11),
    *vop3("v_med3_f32", "f32 = f32 f32 f32", targets=GFX11),
    *vop3("v_minmax_f32", "f32 = f32 f32 f32", COMMUTES, targets=GFX11),
    *vop3("v_maxmin_f32", "f32 = f32 f32 f32", COMMUTES, targets=GFX11),
    *vop3("v_min3_num_f32", "f32 = f32 f32 f32", COMMUTES, targets=GFX12, operation="v_min3_f32", semantics="v_min3_num_f32"),
    *vop3("v_max3_num_f32", "f32 = f32 f32 f32", COMMUTES, targets=GFX12, operation="v_max3_f32", semantics="v_max3_num_f32"),
    *vop3("v_med3_num_f32", "f32 = f32 f32 f32", targets=GFX12, operation="v_med3_f32", semantics="v_med3_num_f32"),
    *vop3("v_minmax_num_f32", "f32 = f32 f32 f32", COMMUTES, targets=GFX12, operation="v_minmax_f32", semantics="v_minmax_num_f32"),
    *vop3("v_maxmin_num_f32", "f32 = f32 f32 f32", COMMUTES, targets=GFX12, operation="v_maxmin_f32", semantics="v_maxmin_num_f32"),
    *vop3("v_min3_i32", "i32 = i32 i32 i32", COMMUTES),
    *vop3("v_max3_i32", "i32 = i32 i32 i32", COMMUTES),
    *vop3("v_med3_i32", "i32 = i32 i32 i32", COMMUTES),
    *vop3("v_min3_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_max3_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_med3_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_minmax_i32", "i32 = i32 i32 i32", COMMUTES),
    *vop3("v_maxmin_i32", "i32 = i32 i32 i32", COMMUTES),
    *vop3("v_minmax_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_maxmin_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_bfe_u32", "u32 = u32 u32 u32"),
    *vop3("v_bfe_i32", "i32 = i32 u32 u32"),
    *vop3("v_bfi_b32", "b32 = b32 b32 b32"),
    *vop3("v_bfm_b32", "b32 = b32 b32"),
    *vop3("v_perm_b32", "b32 = b32 b32 b32"),
    *vop3("v_bcnt_u32_b32", "u32 = b32 u32"),
    *vop3("v_mbcnt_lo_u32_b32", "u32 = b32 u32"),
    *vop3("v_mbcnt_hi_u32_b32", "u32 = b32 u32"),
    *vop3("v_sad_u32", "u32 = u32 u32 u32", COMMUTES, clamp=True),
    *vop3("v_sad_u16", "u32 = b32 b32 u32", COMMUTES, clamp=True),
    *vop3("v_sad_hi_u8", "u32 = u8x4 u8x4 u32", COMMUTES, clamp=True),
    *vop3("v_msad_u8", "u32 = u8x4 u8x4 u32", clamp=True),
    *vop3("v_lerp_u8", "u8x4 = u8x4 u8x4 u8x4"),
    *vop3("v_sad_u8", "u32 = u8x4 u8x4 u32", COMMUTES, clamp=True),
    *vop3("v_cvt_pk_norm_i16_f32", "i16x2 = f32 f32", omod=False, operation="v_cvt_pknorm_i16_f32"),
    *vop3("v_cvt_pk_norm_u16_f32", "u16x2 = f32 f32", omod=False, operation="v_cvt_pknorm_u16_f32"),
    *vop3("v_cvt_pk_i16_f32", "i16x2 = f32 f32", omod=False),
    *vop3("v_cvt_pk_u16_f32", "u16x2 = f32 f32", omod=False),
    *vop3("v_cvt_pk_u16_u32", "u16x2 = u32 u32"),
    *vop3("v_cvt_pk_i16_i32", "i16x2 = i32 i32"),
    *vop3("v_cvt_pk_u8_f32", "b32 = f32 u32 b32"),
)

FLOAT_RELATIONS = "lt eq le gt lg ge o u nge nlg ngt nle neq nlt"
INTEGER_RELATIONS = "lt eq le gt ne ge"
SYMMETRIC = frozenset({"f", "t", "eq", "ne", "neq", "lg", "nlg", "o", "u"})


def relations(type_name: str, names: str, always: str = "", never: str = "") -> tuple[Row, ...]:
    """Compares by relation, to a mask and to EXEC; gfx1100 also has those that always or never hold."""
    rows: list[Row] = []
    for relation in (*names.split(), *filter(None, (always, never))):
        targets = GFX11 if relation in (always, never) else GFX11 | GFX12
        # RDNA shortens CDNA's "tru"
        old = "tru" if relation == "t" and type_name.startswith("f") else relation
        traits = (COMMUTES,) if relation in SYMMETRIC else ()
        for prefix, helper in (("v_cmp", vopc), ("v_cmpx", vopcx)):
            rows += helper(f"{prefix}_{relation}_{type_name}", type_name, *traits, targets=targets, operation=f"{prefix}_{old}_{type_name}")
    return tuple(rows)


COMPARES: tuple[Row, ...] = (
    *relations("f32", FLOAT_RELATIONS, "t", "f"),
    *relations("f64", FLOAT_RELATIONS, "t", "f"),
    *relations("i32", INTEGER_RELATIONS, "t", "f"),
    *relations("u32", INTEGER_RELATIONS, "t", "f"),
    *relations("i64", INTEGER_RELATIONS, "t", "f"),
    *relations("u64", INTEGER_RELATIONS, "t", "f"),
    *vopc("v_cmp_class_f32", "f32", second="b32"),
    *vopc("v_cmp_class_f64", "f64", second="b32"),
    *vopcx("v_cmpx_class_f32", "f32", second="b32"),
    *vopcx("v_cmpx_class_f64", "f64", second="b32"),
)

ROWS: tuple[Row, ...] = (*MOVES, *ONE_SOURCE, *TWO_SOURCES, *THREE_OPERANDS, *COMPARES)
