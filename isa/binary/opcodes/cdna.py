"""The opcodes of cdna by target and list. Made by `python -m tools.opcodes`."""

TABLE = (
    ("gfx950", "BITOP3", """
        v_bitop3_b16 563, v_bitop3_b32 564
    """),
    ("gfx90a gfx942 gfx950", "DS", """
        ds_add_u32 0, ds_sub_u32 1, ds_rsub_u32 2, ds_inc_u32 3, ds_dec_u32 4, ds_min_i32 5, ds_max_i32 6,
        ds_min_u32 7, ds_max_u32 8, ds_and_b32 9, ds_or_b32 10, ds_xor_b32 11, ds_mskor_b32 12,
        ds_write_b32 13, ds_write2_b32 14, ds_write2st64_b32 15, ds_cmpst_b32 16, ds_cmpst_f32 17,
        ds_min_f32 18, ds_max_f32 19, ds_add_f32 21, ds_write_addtid_b32 29, ds_write_b8 30, ds_write_b16 31,
        ds_add_rtn_u32 32, ds_sub_rtn_u32 33, ds_rsub_rtn_u32 34, ds_inc_rtn_u32 35, ds_dec_rtn_u32 36,
        ds_min_rtn_i32 37, ds_max_rtn_i32 38, ds_min_rtn_u32 39, ds_max_rtn_u32 40, ds_and_rtn_b32 41,
        ds_or_rtn_b32 42, ds_xor_rtn_b32 43, ds_mskor_rtn_b32 44, ds_wrxchg_rtn_b32 45, ds_wrxchg2_rtn_b32 46,
        ds_wrxchg2st64_rtn_b32 47, ds_cmpst_rtn_b32 48, ds_cmpst_rtn_f32 49, ds_min_rtn_f32 50,
        ds_max_rtn_f32 51, ds_wrap_rtn_b32 52, ds_add_rtn_f32 53, ds_read_b32 54, ds_read2_b32 55,
        ds_read2st64_b32 56, ds_read_i8 57, ds_read_u8 58, ds_read_i16 59, ds_read_u16 60, ds_swizzle_b32 61,
        ds_permute_b32 62, ds_bpermute_b32 63, ds_add_u64 64, ds_sub_u64 65, ds_rsub_u64 66, ds_inc_u64 67,
        ds_dec_u64 68, ds_min_i64 69, ds_max_i64 70, ds_min_u64 71, ds_max_u64 72, ds_and_b64 73,
        ds_or_b64 74, ds_xor_b64 75, ds_mskor_b64 76, ds_write_b64 77, ds_write2_b64 78, ds_write2st64_b64 79,
        ds_cmpst_b64 80, ds_cmpst_f64 81, ds_min_f64 82, ds_max_f64 83, ds_write_b8_d16_hi 84,
        ds_write_b16_d16_hi 85, ds_read_u8_d16 86, ds_read_u8_d16_hi 87, ds_read_i8_d16 88,
        ds_read_i8_d16_hi 89, ds_read_u16_d16 90, ds_read_u16_d16_hi 91, ds_add_f64 92, ds_add_rtn_u64 96,
        ds_sub_rtn_u64 97, ds_rsub_rtn_u64 98, ds_inc_rtn_u64 99, ds_dec_rtn_u64 100, ds_min_rtn_i64 101,
        ds_max_rtn_i64 102, ds_min_rtn_u64 103, ds_max_rtn_u64 104, ds_and_rtn_b64 105, ds_or_rtn_b64 106,
        ds_xor_rtn_b64 107, ds_mskor_rtn_b64 108, ds_wrxchg_rtn_b64 109, ds_wrxchg2_rtn_b64 110,
        ds_wrxchg2st64_rtn_b64 111, ds_cmpst_rtn_b64 112, ds_cmpst_rtn_f64 113, ds_min_rtn_f64 114,
        ds_max_rtn_f64 115, ds_read_b64 118, ds_read2_b64 119, ds_read2st64_b64 120, ds_add_rtn_f64 124,
        ds_condxchg32_rtn_b64 126, ds_read_addtid_b32 182, ds_consume 189, ds_append 190, ds_write_b96 222,
        ds_write_b128 223, ds_read_b96 254, ds_read_b128 255
    """),
    ("gfx942 gfx950", "DS", """
        ds_pk_add_f16 23, ds_pk_add_bf16 24, ds_pk_add_rtn_f16 183, ds_pk_add_rtn_bf16 184
    """),
    ("gfx950", "DS", """
        ds_read_b64_tr_b4 224, ds_read_b96_tr_b6 225, ds_read_b64_tr_b8 226, ds_read_b64_tr_b16 227
    """),
    ("gfx90a gfx942 gfx950", "FLAT", """
        flat_load_ubyte 16, flat_load_sbyte 17, flat_load_ushort 18, flat_load_sshort 19, flat_load_dword 20,
        flat_load_dwordx2 21, flat_load_dwordx3 22, flat_load_dwordx4 23, flat_store_byte 24,
        flat_store_byte_d16_hi 25, flat_store_short 26, flat_store_short_d16_hi 27, flat_store_dword 28,
        flat_store_dwordx2 29, flat_store_dwordx3 30, flat_store_dwordx4 31, flat_load_ubyte_d16 32,
        flat_load_ubyte_d16_hi 33, flat_load_sbyte_d16 34, flat_load_sbyte_d16_hi 35, flat_load_short_d16 36,
        flat_load_short_d16_hi 37, flat_atomic_swap 64, flat_atomic_cmpswap 65, flat_atomic_add 66,
        flat_atomic_sub 67, flat_atomic_smin 68, flat_atomic_umin 69, flat_atomic_smax 70,
        flat_atomic_umax 71, flat_atomic_and 72, flat_atomic_or 73, flat_atomic_xor 74, flat_atomic_inc 75,
        flat_atomic_dec 76, flat_atomic_add_f64 79, flat_atomic_min_f64 80, flat_atomic_max_f64 81,
        flat_atomic_swap_x2 96, flat_atomic_cmpswap_x2 97, flat_atomic_add_x2 98, flat_atomic_sub_x2 99,
        flat_atomic_smin_x2 100, flat_atomic_umin_x2 101, flat_atomic_smax_x2 102, flat_atomic_umax_x2 103,
        flat_atomic_and_x2 104, flat_atomic_or_x2 105, flat_atomic_xor_x2 106, flat_atomic_inc_x2 107,
        flat_atomic_dec_x2 108
    """),
    ("gfx942 gfx950", "FLAT", """
        flat_atomic_add_f32 77, flat_atomic_pk_add_f16 78, flat_atomic_pk_add_bf16 82
    """),
    ("gfx90a gfx942 gfx950", "GLOBAL", """
        global_load_ubyte 16, global_load_sbyte 17, global_load_ushort 18, global_load_sshort 19,
        global_load_dword 20, global_load_dwordx2 21, global_load_dwordx3 22, global_load_dwordx4 23,
        global_store_byte 24, global_store_byte_d16_hi 25, global_store_short 26,
        global_store_short_d16_hi 27, global_store_dword 28, global_store_dwordx2 29, global_store_dwordx3 30,
        global_store_dwordx4 31, global_load_ubyte_d16 32, global_load_ubyte_d16_hi 33,
        global_load_sbyte_d16 34, global_load_sbyte_d16_hi 35, global_load_short_d16 36,
        global_load_short_d16_hi 37, global_atomic_swap 64, global_atomic_cmpswap 65, global_atomic_add 66,
        global_atomic_sub 67, global_atomic_smin 68, global_atomic_umin 69, global_atomic_smax 70,
        global_atomic_umax 71, global_atomic_and 72, global_atomic_or 73, global_atomic_xor 74,
        global_atomic_inc 75, global_atomic_dec 76, global_atomic_add_f32 77, global_atomic_pk_add_f16 78,
        global_atomic_add_f64 79, global_atomic_min_f64 80, global_atomic_max_f64 81,
        global_atomic_swap_x2 96, global_atomic_cmpswap_x2 97, global_atomic_add_x2 98,
        global_atomic_sub_x2 99, global_atomic_smin_x2 100, global_atomic_umin_x2 101,
        global_atomic_smax_x2 102, global_atomic_umax_x2 103, global_atomic_and_x2 104,
        global_atomic_or_x2 105, global_atomic_xor_x2 106, global_atomic_inc_x2 107, global_atomic_dec_x2 108
    """),
    ("gfx942 gfx950", "GLOBAL", """
        global_load_lds_ubyte 38, global_load_lds_sbyte 39, global_load_lds_ushort 40,
        global_load_lds_sshort 41, global_load_lds_dword 42, global_atomic_pk_add_bf16 82
    """),
    ("gfx950", "GLOBAL", """
        global_load_lds_dwordx4 125, global_load_lds_dwordx3 126
    """),
    ("gfx90a", "MAI", """
        v_mfma_f32_32x32x1f32 64, v_mfma_f32_16x16x1f32 65, v_mfma_f32_4x4x1f32 66, v_mfma_f32_32x32x2f32 68,
        v_mfma_f32_16x16x4f32 69, v_mfma_f32_32x32x4f16 72, v_mfma_f32_16x16x4f16 73, v_mfma_f32_4x4x4f16 74,
        v_mfma_f32_32x32x8f16 76, v_mfma_f32_16x16x16f16 77, v_mfma_i32_32x32x4i8 80, v_mfma_i32_16x16x4i8 81,
        v_mfma_i32_4x4x4i8 82, v_mfma_i32_32x32x8i8 84, v_mfma_i32_16x16x16i8 85,
        v_mfma_f32_32x32x4bf16_1k 99, v_mfma_f32_16x16x4bf16_1k 100, v_mfma_f32_4x4x4bf16_1k 101,
        v_mfma_f32_32x32x8bf16_1k 102, v_mfma_f32_16x16x16bf16_1k 103, v_mfma_f32_32x32x2bf16 104,
        v_mfma_f32_16x16x2bf16 105, v_mfma_f32_4x4x2bf16 107, v_mfma_f32_32x32x4bf16 108,
        v_mfma_f32_16x16x8bf16 109, v_mfma_f64_16x16x4f64 110, v_mfma_f64_4x4x4f64 111
    """),
    ("gfx942", "MAI", """
        v_mfma_f32_16x16x8_xf32 62, v_mfma_f32_32x32x4_xf32 63
    """),
    ("gfx942 gfx950", "MAI", """
        v_mfma_f32_32x32x1_2b_f32 64, v_mfma_f32_16x16x1_4b_f32 65, v_mfma_f32_4x4x1_16b_f32 66,
        v_mfma_f32_32x32x2_f32 68, v_mfma_f32_16x16x4_f32 69, v_mfma_f32_32x32x4_2b_f16 72,
        v_mfma_f32_16x16x4_4b_f16 73, v_mfma_f32_4x4x4_16b_f16 74, v_mfma_f32_32x32x8_f16 76,
        v_mfma_f32_16x16x16_f16 77, v_mfma_i32_32x32x4_2b_i8 80, v_mfma_i32_16x16x4_4b_i8 81,
        v_mfma_i32_4x4x4_16b_i8 82, v_mfma_i32_32x32x16_i8 86, v_mfma_i32_16x16x32_i8 87,
        v_mfma_f32_32x32x4_2b_bf16 93, v_mfma_f32_16x16x4_4b_bf16 94, v_mfma_f32_4x4x4_16b_bf16 95,
        v_mfma_f32_32x32x8_bf16 96, v_mfma_f32_16x16x16_bf16 97, v_smfmac_f32_16x16x32_f16 98,
        v_smfmac_f32_32x32x16_f16 100, v_smfmac_f32_16x16x32_bf16 102, v_smfmac_f32_32x32x16_bf16 104,
        v_smfmac_i32_16x16x64_i8 106, v_smfmac_i32_32x32x32_i8 108, v_mfma_f64_16x16x4_f64 110,
        v_mfma_f64_4x4x4_4b_f64 111, v_mfma_f32_16x16x32_bf8_bf8 112, v_mfma_f32_16x16x32_bf8_fp8 113,
        v_mfma_f32_16x16x32_fp8_bf8 114, v_mfma_f32_16x16x32_fp8_fp8 115, v_mfma_f32_32x32x16_bf8_bf8 116,
        v_mfma_f32_32x32x16_bf8_fp8 117, v_mfma_f32_32x32x16_fp8_bf8 118, v_mfma_f32_32x32x16_fp8_fp8 119,
        v_smfmac_f32_16x16x64_bf8_bf8 120, v_smfmac_f32_16x16x64_bf8_fp8 121,
        v_smfmac_f32_16x16x64_fp8_bf8 122, v_smfmac_f32_16x16x64_fp8_fp8 123,
        v_smfmac_f32_32x32x32_bf8_bf8 124, v_smfmac_f32_32x32x32_bf8_fp8 125,
        v_smfmac_f32_32x32x32_fp8_bf8 126, v_smfmac_f32_32x32x32_fp8_fp8 127
    """),
    ("gfx950", "MAI", """
        v_mfma_f32_16x16x128_f8f6f4 45, v_mfma_f32_32x32x64_f8f6f4 46, v_mfma_f32_16x16x32_bf16 53,
        v_mfma_i32_16x16x64_i8 54, v_mfma_f32_32x32x16_bf16 55, v_mfma_i32_32x32x32_i8 56,
        v_smfmac_f32_16x16x64_bf16 57, v_smfmac_i32_16x16x128_i8 58, v_smfmac_f32_16x16x128_bf8_bf8 59,
        v_smfmac_f32_16x16x128_bf8_fp8 60, v_smfmac_f32_16x16x128_fp8_bf8 61,
        v_smfmac_f32_16x16x128_fp8_fp8 67, v_smfmac_f32_32x32x32_bf16 70, v_smfmac_i32_32x32x64_i8 71,
        v_smfmac_f32_32x32x64_bf8_bf8 75, v_smfmac_f32_32x32x64_bf8_fp8 78, v_smfmac_f32_32x32x64_fp8_bf8 79,
        v_smfmac_f32_32x32x64_fp8_fp8 83, v_mfma_f32_16x16x32_f16 84, v_mfma_f32_32x32x16_f16 85,
        v_smfmac_f32_16x16x64_f16 90, v_smfmac_f32_32x32x32_f16 91
    """),
    ("gfx950", "MAI_SCALE", """
        v_mfma_scale_f32_16x16x128_f8f6f4 45, v_mfma_scale_f32_32x32x64_f8f6f4 46
    """),
    ("gfx90a", "MUBUF", """
        buffer_invl2 41, buffer_wbinvl1 62, buffer_wbinvl1_vol 63
    """),
    ("gfx90a gfx942 gfx950", "MUBUF", """
        buffer_load_ubyte 16, buffer_load_sbyte 17, buffer_load_ushort 18, buffer_load_sshort 19,
        buffer_load_dword 20, buffer_load_dwordx2 21, buffer_load_dwordx3 22, buffer_load_dwordx4 23,
        buffer_store_byte 24, buffer_store_byte_d16_hi 25, buffer_store_short 26,
        buffer_store_short_d16_hi 27, buffer_store_dword 28, buffer_store_dwordx2 29, buffer_store_dwordx3 30,
        buffer_store_dwordx4 31, buffer_load_ubyte_d16 32, buffer_load_ubyte_d16_hi 33,
        buffer_load_sbyte_d16 34, buffer_load_sbyte_d16_hi 35, buffer_load_short_d16 36,
        buffer_load_short_d16_hi 37, buffer_wbl2 40, buffer_atomic_swap 64, buffer_atomic_cmpswap 65,
        buffer_atomic_add 66, buffer_atomic_sub 67, buffer_atomic_smin 68, buffer_atomic_umin 69,
        buffer_atomic_smax 70, buffer_atomic_umax 71, buffer_atomic_and 72, buffer_atomic_or 73,
        buffer_atomic_xor 74, buffer_atomic_inc 75, buffer_atomic_dec 76, buffer_atomic_add_f32 77,
        buffer_atomic_pk_add_f16 78, buffer_atomic_add_f64 79, buffer_atomic_min_f64 80,
        buffer_atomic_max_f64 81, buffer_atomic_swap_x2 96, buffer_atomic_cmpswap_x2 97,
        buffer_atomic_add_x2 98, buffer_atomic_sub_x2 99, buffer_atomic_smin_x2 100,
        buffer_atomic_umin_x2 101, buffer_atomic_smax_x2 102, buffer_atomic_umax_x2 103,
        buffer_atomic_and_x2 104, buffer_atomic_or_x2 105, buffer_atomic_xor_x2 106, buffer_atomic_inc_x2 107,
        buffer_atomic_dec_x2 108
    """),
    ("gfx942 gfx950", "MUBUF", """
        buffer_inv 41
    """),
    ("gfx950", "MUBUF", """
        buffer_atomic_pk_add_bf16 82
    """),
    ("gfx90a gfx942 gfx950", "SCRATCH", """
        scratch_load_ubyte 16, scratch_load_sbyte 17, scratch_load_ushort 18, scratch_load_sshort 19,
        scratch_load_dword 20, scratch_load_dwordx2 21, scratch_load_dwordx3 22, scratch_load_dwordx4 23,
        scratch_store_byte 24, scratch_store_byte_d16_hi 25, scratch_store_short 26,
        scratch_store_short_d16_hi 27, scratch_store_dword 28, scratch_store_dwordx2 29,
        scratch_store_dwordx3 30, scratch_store_dwordx4 31, scratch_load_ubyte_d16 32,
        scratch_load_ubyte_d16_hi 33, scratch_load_sbyte_d16 34, scratch_load_sbyte_d16_hi 35,
        scratch_load_short_d16 36, scratch_load_short_d16_hi 37
    """),
    ("gfx942 gfx950", "SCRATCH", """
        scratch_load_lds_ubyte 38, scratch_load_lds_sbyte 39, scratch_load_lds_ushort 40,
        scratch_load_lds_sshort 41, scratch_load_lds_dword 42
    """),
    ("gfx90a gfx942 gfx950", "SMEM", """
        s_load_dword 0, s_load_dwordx2 1, s_load_dwordx4 2, s_load_dwordx8 3, s_load_dwordx16 4,
        s_buffer_load_dword 8, s_buffer_load_dwordx2 9, s_buffer_load_dwordx4 10, s_buffer_load_dwordx8 11,
        s_buffer_load_dwordx16 12, s_dcache_inv 32, s_dcache_wb 33, s_memtime 36, s_memrealtime 37
    """),
    ("gfx90a gfx942 gfx950", "SOP1", """
        s_mov_b32 0, s_mov_b64 1, s_cmov_b32 2, s_cmov_b64 3, s_not_b32 4, s_not_b64 5, s_wqm_b32 6,
        s_wqm_b64 7, s_brev_b32 8, s_brev_b64 9, s_bcnt0_i32_b32 10, s_bcnt0_i32_b64 11, s_bcnt1_i32_b32 12,
        s_bcnt1_i32_b64 13, s_ff0_i32_b32 14, s_ff0_i32_b64 15, s_ff1_i32_b32 16, s_ff1_i32_b64 17,
        s_flbit_i32_b32 18, s_flbit_i32_b64 19, s_flbit_i32 20, s_flbit_i32_i64 21, s_sext_i32_i8 22,
        s_sext_i32_i16 23, s_bitset0_b32 24, s_bitset0_b64 25, s_bitset1_b32 26, s_bitset1_b64 27,
        s_getpc_b64 28, s_setpc_b64 29, s_swappc_b64 30, s_and_saveexec_b64 32, s_or_saveexec_b64 33,
        s_xor_saveexec_b64 34, s_andn2_saveexec_b64 35, s_orn2_saveexec_b64 36, s_nand_saveexec_b64 37,
        s_nor_saveexec_b64 38, s_xnor_saveexec_b64 39, s_quadmask_b32 40, s_quadmask_b64 41, s_movrels_b32 42,
        s_movrels_b64 43, s_movreld_b32 44, s_movreld_b64 45, s_abs_i32 48, s_set_gpr_idx_idx 50,
        s_andn1_saveexec_b64 51, s_orn1_saveexec_b64 52, s_andn1_wrexec_b64 53, s_andn2_wrexec_b64 54,
        s_bitreplicate_b64_b32 55
    """),
    ("gfx90a gfx942 gfx950", "SOP2", """
        s_add_u32 0, s_sub_u32 1, s_add_i32 2, s_sub_i32 3, s_addc_u32 4, s_subb_u32 5, s_min_i32 6,
        s_min_u32 7, s_max_i32 8, s_max_u32 9, s_cselect_b32 10, s_cselect_b64 11, s_and_b32 12, s_and_b64 13,
        s_or_b32 14, s_or_b64 15, s_xor_b32 16, s_xor_b64 17, s_andn2_b32 18, s_andn2_b64 19, s_orn2_b32 20,
        s_orn2_b64 21, s_nand_b32 22, s_nand_b64 23, s_nor_b32 24, s_nor_b64 25, s_xnor_b32 26, s_xnor_b64 27,
        s_lshl_b32 28, s_lshl_b64 29, s_lshr_b32 30, s_lshr_b64 31, s_ashr_i32 32, s_ashr_i64 33,
        s_bfm_b32 34, s_bfm_b64 35, s_mul_i32 36, s_bfe_u32 37, s_bfe_i32 38, s_bfe_u64 39, s_bfe_i64 40,
        s_absdiff_i32 42, s_mul_hi_u32 44, s_mul_hi_i32 45, s_lshl1_add_u32 46, s_lshl2_add_u32 47,
        s_lshl3_add_u32 48, s_lshl4_add_u32 49, s_pack_ll_b32_b16 50, s_pack_lh_b32_b16 51,
        s_pack_hh_b32_b16 52
    """),
    ("gfx90a gfx942 gfx950", "SOPC", """
        s_cmp_eq_i32 0, s_cmp_lg_i32 1, s_cmp_gt_i32 2, s_cmp_ge_i32 3, s_cmp_lt_i32 4, s_cmp_le_i32 5,
        s_cmp_eq_u32 6, s_cmp_lg_u32 7, s_cmp_gt_u32 8, s_cmp_ge_u32 9, s_cmp_lt_u32 10, s_cmp_le_u32 11,
        s_bitcmp0_b32 12, s_bitcmp1_b32 13, s_bitcmp0_b64 14, s_bitcmp1_b64 15, s_set_gpr_idx_on 17,
        s_cmp_eq_u64 18, s_cmp_lg_u64 19
    """),
    ("gfx90a gfx942 gfx950", "SOPK", """
        s_movk_i32 0, s_cmovk_i32 1, s_cmpk_eq_i32 2, s_cmpk_lg_i32 3, s_cmpk_gt_i32 4, s_cmpk_ge_i32 5,
        s_cmpk_lt_i32 6, s_cmpk_le_i32 7, s_cmpk_eq_u32 8, s_cmpk_lg_u32 9, s_cmpk_gt_u32 10,
        s_cmpk_ge_u32 11, s_cmpk_lt_u32 12, s_cmpk_le_u32 13, s_addk_i32 14, s_mulk_i32 15, s_getreg_b32 17,
        s_setreg_b32 18, s_setreg_imm32_b32 20, s_call_b64 21
    """),
    ("gfx90a gfx942 gfx950", "SOPP", """
        s_nop 0, s_endpgm 1, s_branch 2, s_wakeup 3, s_cbranch_scc0 4, s_cbranch_scc1 5, s_cbranch_vccz 6,
        s_cbranch_vccnz 7, s_cbranch_execz 8, s_cbranch_execnz 9, s_barrier 10, s_setkill 11, s_waitcnt 12,
        s_sethalt 13, s_sleep 14, s_setprio 15, s_sendmsg 16, s_sendmsghalt 17, s_trap 18, s_icache_inv 19,
        s_incperflevel 20, s_decperflevel 21, s_ttracedata 22, s_endpgm_saved 27, s_set_gpr_idx_off 28,
        s_set_gpr_idx_mode 29
    """),
    ("gfx90a gfx942 gfx950", "VOP1", """
        v_nop 0, v_mov_b32 1, v_readfirstlane_b32 2, v_cvt_i32_f64 3, v_cvt_f64_i32 4, v_cvt_f32_i32 5,
        v_cvt_f32_u32 6, v_cvt_u32_f32 7, v_cvt_i32_f32 8, v_cvt_f16_f32 10, v_cvt_f32_f16 11,
        v_cvt_rpi_i32_f32 12, v_cvt_flr_i32_f32 13, v_cvt_off_f32_i4 14, v_cvt_f32_f64 15, v_cvt_f64_f32 16,
        v_cvt_f32_ubyte0 17, v_cvt_f32_ubyte1 18, v_cvt_f32_ubyte2 19, v_cvt_f32_ubyte3 20, v_cvt_u32_f64 21,
        v_cvt_f64_u32 22, v_trunc_f64 23, v_ceil_f64 24, v_rndne_f64 25, v_floor_f64 26, v_fract_f32 27,
        v_trunc_f32 28, v_ceil_f32 29, v_rndne_f32 30, v_floor_f32 31, v_exp_f32 32, v_log_f32 33,
        v_rcp_f32 34, v_rcp_iflag_f32 35, v_rsq_f32 36, v_rcp_f64 37, v_rsq_f64 38, v_sqrt_f32 39,
        v_sqrt_f64 40, v_sin_f32 41, v_cos_f32 42, v_not_b32 43, v_bfrev_b32 44, v_ffbh_u32 45, v_ffbl_b32 46,
        v_ffbh_i32 47, v_frexp_exp_i32_f64 48, v_frexp_mant_f64 49, v_fract_f64 50, v_frexp_exp_i32_f32 51,
        v_frexp_mant_f32 52, v_cvt_f16_u16 57, v_cvt_f16_i16 58, v_cvt_u16_f16 59, v_cvt_i16_f16 60,
        v_rcp_f16 61, v_sqrt_f16 62, v_rsq_f16 63, v_log_f16 64, v_exp_f16 65, v_frexp_mant_f16 66,
        v_frexp_exp_i16_f16 67, v_floor_f16 68, v_ceil_f16 69, v_trunc_f16 70, v_rndne_f16 71, v_fract_f16 72,
        v_sin_f16 73, v_cos_f16 74, v_exp_legacy_f32 75, v_log_legacy_f32 76, v_cvt_norm_i16_f16 77,
        v_cvt_norm_u16_f16 78, v_sat_pk_u8_i16 79, v_swap_b32 81, v_accvgpr_mov_b32 82
    """),
    ("gfx942 gfx950", "VOP1", """
        v_mov_b64 56, v_cvt_f32_fp8 84, v_cvt_f32_bf8 85, v_cvt_pk_f32_fp8 86, v_cvt_pk_f32_bf8 87
    """),
    ("gfx950", "VOP1", """
        v_prng_b32 88, v_permlane16_swap_b32 89, v_permlane32_swap_b32 90, v_cvt_f32_bf16 91
    """),
    ("gfx90a", "VOP2", """
        v_mac_f32 22, v_madmk_f32 23, v_madak_f32 24
    """),
    ("gfx90a gfx942 gfx950", "VOP2", """
        v_cndmask_b32 0, v_add_f32 1, v_sub_f32 2, v_subrev_f32 3, v_fmac_f64 4, v_mul_f32 5, v_mul_i32_i24 6,
        v_mul_hi_i32_i24 7, v_mul_u32_u24 8, v_mul_hi_u32_u24 9, v_min_f32 10, v_max_f32 11, v_min_i32 12,
        v_max_i32 13, v_min_u32 14, v_max_u32 15, v_lshrrev_b32 16, v_ashrrev_i32 17, v_lshlrev_b32 18,
        v_and_b32 19, v_or_b32 20, v_xor_b32 21, v_add_co_u32 25, v_sub_co_u32 26, v_subrev_co_u32 27,
        v_addc_co_u32 28, v_subb_co_u32 29, v_subbrev_co_u32 30, v_add_f16 31, v_sub_f16 32, v_subrev_f16 33,
        v_mul_f16 34, v_mac_f16 35, v_madmk_f16 36, v_madak_f16 37, v_add_u16 38, v_sub_u16 39,
        v_subrev_u16 40, v_mul_lo_u16 41, v_lshlrev_b16 42, v_lshrrev_b16 43, v_ashrrev_i16 44, v_max_f16 45,
        v_min_f16 46, v_max_u16 47, v_max_i16 48, v_min_u16 49, v_min_i16 50, v_ldexp_f16 51, v_add_u32 52,
        v_sub_u32 53, v_subrev_u32 54, v_dot2c_f32_f16 55, v_dot2c_i32_i16 56, v_dot4c_i32_i8 57,
        v_dot8c_i32_i4 58, v_fmac_f32 59, v_pk_fmac_f16 60, v_xnor_b32 61
    """),
    ("gfx942 gfx950", "VOP2", """
        v_fmamk_f32 23, v_fmaak_f32 24
    """),
    ("gfx950", "VOP2", """
        v_dot2c_f32_bf16 22
    """),
    ("gfx90a", "VOP3A", """
        v_mac_f32 278, v_mad_legacy_f32 448, v_mad_f32 449
    """),
    ("gfx90a gfx942 gfx950", "VOP3A", """
        v_cmp_class_f32 16, v_cmpx_class_f32 17, v_cmp_class_f64 18, v_cmpx_class_f64 19, v_cmp_class_f16 20,
        v_cmpx_class_f16 21, v_cmp_f_f16 32, v_cmp_lt_f16 33, v_cmp_eq_f16 34, v_cmp_le_f16 35,
        v_cmp_gt_f16 36, v_cmp_lg_f16 37, v_cmp_ge_f16 38, v_cmp_o_f16 39, v_cmp_u_f16 40, v_cmp_nge_f16 41,
        v_cmp_nlg_f16 42, v_cmp_ngt_f16 43, v_cmp_nle_f16 44, v_cmp_neq_f16 45, v_cmp_nlt_f16 46,
        v_cmp_tru_f16 47, v_cmpx_f_f16 48, v_cmpx_lt_f16 49, v_cmpx_eq_f16 50, v_cmpx_le_f16 51,
        v_cmpx_gt_f16 52, v_cmpx_lg_f16 53, v_cmpx_ge_f16 54, v_cmpx_o_f16 55, v_cmpx_u_f16 56,
        v_cmpx_nge_f16 57, v_cmpx_nlg_f16 58, v_cmpx_ngt_f16 59, v_cmpx_nle_f16 60, v_cmpx_neq_f16 61,
        v_cmpx_nlt_f16 62, v_cmpx_tru_f16 63, v_cmp_f_f32 64, v_cmp_lt_f32 65, v_cmp_eq_f32 66,
        v_cmp_le_f32 67, v_cmp_gt_f32 68, v_cmp_lg_f32 69, v_cmp_ge_f32 70, v_cmp_o_f32 71, v_cmp_u_f32 72,
        v_cmp_nge_f32 73, v_cmp_nlg_f32 74, v_cmp_ngt_f32 75, v_cmp_nle_f32 76, v_cmp_neq_f32 77,
        v_cmp_nlt_f32 78, v_cmp_tru_f32 79, v_cmpx_f_f32 80, v_cmpx_lt_f32 81, v_cmpx_eq_f32 82,
        v_cmpx_le_f32 83, v_cmpx_gt_f32 84, v_cmpx_lg_f32 85, v_cmpx_ge_f32 86, v_cmpx_o_f32 87,
        v_cmpx_u_f32 88, v_cmpx_nge_f32 89, v_cmpx_nlg_f32 90, v_cmpx_ngt_f32 91, v_cmpx_nle_f32 92,
        v_cmpx_neq_f32 93, v_cmpx_nlt_f32 94, v_cmpx_tru_f32 95, v_cmp_f_f64 96, v_cmp_lt_f64 97,
        v_cmp_eq_f64 98, v_cmp_le_f64 99, v_cmp_gt_f64 100, v_cmp_lg_f64 101, v_cmp_ge_f64 102,
        v_cmp_o_f64 103, v_cmp_u_f64 104, v_cmp_nge_f64 105, v_cmp_nlg_f64 106, v_cmp_ngt_f64 107,
        v_cmp_nle_f64 108, v_cmp_neq_f64 109, v_cmp_nlt_f64 110, v_cmp_tru_f64 111, v_cmpx_f_f64 112,
        v_cmpx_lt_f64 113, v_cmpx_eq_f64 114, v_cmpx_le_f64 115, v_cmpx_gt_f64 116, v_cmpx_lg_f64 117,
        v_cmpx_ge_f64 118, v_cmpx_o_f64 119, v_cmpx_u_f64 120, v_cmpx_nge_f64 121, v_cmpx_nlg_f64 122,
        v_cmpx_ngt_f64 123, v_cmpx_nle_f64 124, v_cmpx_neq_f64 125, v_cmpx_nlt_f64 126, v_cmpx_tru_f64 127,
        v_cmp_f_i16 160, v_cmp_lt_i16 161, v_cmp_eq_i16 162, v_cmp_le_i16 163, v_cmp_gt_i16 164,
        v_cmp_ne_i16 165, v_cmp_ge_i16 166, v_cmp_t_i16 167, v_cmp_f_u16 168, v_cmp_lt_u16 169,
        v_cmp_eq_u16 170, v_cmp_le_u16 171, v_cmp_gt_u16 172, v_cmp_ne_u16 173, v_cmp_ge_u16 174,
        v_cmp_t_u16 175, v_cmpx_f_i16 176, v_cmpx_lt_i16 177, v_cmpx_eq_i16 178, v_cmpx_le_i16 179,
        v_cmpx_gt_i16 180, v_cmpx_ne_i16 181, v_cmpx_ge_i16 182, v_cmpx_t_i16 183, v_cmpx_f_u16 184,
        v_cmpx_lt_u16 185, v_cmpx_eq_u16 186, v_cmpx_le_u16 187, v_cmpx_gt_u16 188, v_cmpx_ne_u16 189,
        v_cmpx_ge_u16 190, v_cmpx_t_u16 191, v_cmp_f_i32 192, v_cmp_lt_i32 193, v_cmp_eq_i32 194,
        v_cmp_le_i32 195, v_cmp_gt_i32 196, v_cmp_ne_i32 197, v_cmp_ge_i32 198, v_cmp_t_i32 199,
        v_cmp_f_u32 200, v_cmp_lt_u32 201, v_cmp_eq_u32 202, v_cmp_le_u32 203, v_cmp_gt_u32 204,
        v_cmp_ne_u32 205, v_cmp_ge_u32 206, v_cmp_t_u32 207, v_cmpx_f_i32 208, v_cmpx_lt_i32 209,
        v_cmpx_eq_i32 210, v_cmpx_le_i32 211, v_cmpx_gt_i32 212, v_cmpx_ne_i32 213, v_cmpx_ge_i32 214,
        v_cmpx_t_i32 215, v_cmpx_f_u32 216, v_cmpx_lt_u32 217, v_cmpx_eq_u32 218, v_cmpx_le_u32 219,
        v_cmpx_gt_u32 220, v_cmpx_ne_u32 221, v_cmpx_ge_u32 222, v_cmpx_t_u32 223, v_cmp_f_i64 224,
        v_cmp_lt_i64 225, v_cmp_eq_i64 226, v_cmp_le_i64 227, v_cmp_gt_i64 228, v_cmp_ne_i64 229,
        v_cmp_ge_i64 230, v_cmp_t_i64 231, v_cmp_f_u64 232, v_cmp_lt_u64 233, v_cmp_eq_u64 234,
        v_cmp_le_u64 235, v_cmp_gt_u64 236, v_cmp_ne_u64 237, v_cmp_ge_u64 238, v_cmp_t_u64 239,
        v_cmpx_f_i64 240, v_cmpx_lt_i64 241, v_cmpx_eq_i64 242, v_cmpx_le_i64 243, v_cmpx_gt_i64 244,
        v_cmpx_ne_i64 245, v_cmpx_ge_i64 246, v_cmpx_t_i64 247, v_cmpx_f_u64 248, v_cmpx_lt_u64 249,
        v_cmpx_eq_u64 250, v_cmpx_le_u64 251, v_cmpx_gt_u64 252, v_cmpx_ne_u64 253, v_cmpx_ge_u64 254,
        v_cmpx_t_u64 255, v_cndmask_b32 256, v_add_f32 257, v_sub_f32 258, v_subrev_f32 259, v_fmac_f64 260,
        v_mul_f32 261, v_mul_i32_i24 262, v_mul_hi_i32_i24 263, v_mul_u32_u24 264, v_mul_hi_u32_u24 265,
        v_min_f32 266, v_max_f32 267, v_min_i32 268, v_max_i32 269, v_min_u32 270, v_max_u32 271,
        v_lshrrev_b32 272, v_ashrrev_i32 273, v_lshlrev_b32 274, v_and_b32 275, v_or_b32 276, v_xor_b32 277,
        v_add_f16 287, v_sub_f16 288, v_subrev_f16 289, v_mul_f16 290, v_mac_f16 291, v_add_u16 294,
        v_sub_u16 295, v_subrev_u16 296, v_mul_lo_u16 297, v_lshlrev_b16 298, v_lshrrev_b16 299,
        v_ashrrev_i16 300, v_max_f16 301, v_min_f16 302, v_max_u16 303, v_max_i16 304, v_min_u16 305,
        v_min_i16 306, v_ldexp_f16 307, v_add_u32 308, v_sub_u32 309, v_subrev_u32 310, v_fmac_f32 315,
        v_xnor_b32 317, v_mov_b32 321, v_cvt_i32_f64 323, v_cvt_f64_i32 324, v_cvt_f32_i32 325,
        v_cvt_f32_u32 326, v_cvt_u32_f32 327, v_cvt_i32_f32 328, v_cvt_f16_f32 330, v_cvt_f32_f16 331,
        v_cvt_rpi_i32_f32 332, v_cvt_flr_i32_f32 333, v_cvt_off_f32_i4 334, v_cvt_f32_f64 335,
        v_cvt_f64_f32 336, v_cvt_f32_ubyte0 337, v_cvt_f32_ubyte1 338, v_cvt_f32_ubyte2 339,
        v_cvt_f32_ubyte3 340, v_cvt_u32_f64 341, v_cvt_f64_u32 342, v_trunc_f64 343, v_ceil_f64 344,
        v_rndne_f64 345, v_floor_f64 346, v_fract_f32 347, v_trunc_f32 348, v_ceil_f32 349, v_rndne_f32 350,
        v_floor_f32 351, v_exp_f32 352, v_log_f32 353, v_rcp_f32 354, v_rcp_iflag_f32 355, v_rsq_f32 356,
        v_rcp_f64 357, v_rsq_f64 358, v_sqrt_f32 359, v_sqrt_f64 360, v_sin_f32 361, v_cos_f32 362,
        v_not_b32 363, v_bfrev_b32 364, v_ffbh_u32 365, v_ffbl_b32 366, v_ffbh_i32 367,
        v_frexp_exp_i32_f64 368, v_frexp_mant_f64 369, v_fract_f64 370, v_frexp_exp_i32_f32 371,
        v_frexp_mant_f32 372, v_cvt_f16_u16 377, v_cvt_f16_i16 378, v_cvt_u16_f16 379, v_cvt_i16_f16 380,
        v_rcp_f16 381, v_sqrt_f16 382, v_rsq_f16 383, v_log_f16 384, v_exp_f16 385, v_frexp_mant_f16 386,
        v_frexp_exp_i16_f16 387, v_floor_f16 388, v_ceil_f16 389, v_trunc_f16 390, v_rndne_f16 391,
        v_fract_f16 392, v_sin_f16 393, v_cos_f16 394, v_exp_legacy_f32 395, v_log_legacy_f32 396,
        v_cvt_norm_i16_f16 397, v_cvt_norm_u16_f16 398, v_sat_pk_u8_i16 399, v_mad_i32_i24 450,
        v_mad_u32_u24 451, v_cubeid_f32 452, v_cubesc_f32 453, v_cubetc_f32 454, v_cubema_f32 455,
        v_bfe_u32 456, v_bfe_i32 457, v_bfi_b32 458, v_fma_f32 459, v_fma_f64 460, v_lerp_u8 461,
        v_alignbit_b32 462, v_alignbyte_b32 463, v_min3_f32 464, v_min3_i32 465, v_min3_u32 466,
        v_max3_f32 467, v_max3_i32 468, v_max3_u32 469, v_med3_f32 470, v_med3_i32 471, v_med3_u32 472,
        v_sad_u8 473, v_sad_hi_u8 474, v_sad_u16 475, v_sad_u32 476, v_cvt_pk_u8_f32 477, v_div_fixup_f32 478,
        v_div_fixup_f64 479, v_div_fmas_f32 482, v_div_fmas_f64 483, v_msad_u8 484, v_qsad_pk_u16_u8 485,
        v_mqsad_pk_u16_u8 486, v_mqsad_u32_u8 487, v_mad_legacy_f16 490, v_mad_legacy_u16 491,
        v_mad_legacy_i16 492, v_perm_b32 493, v_fma_legacy_f16 494, v_div_fixup_legacy_f16 495,
        v_cvt_pkaccum_u8_f32 496, v_mad_u32_u16 497, v_mad_i32_i16 498, v_xad_u32 499, v_min3_f16 500,
        v_min3_i16 501, v_min3_u16 502, v_max3_f16 503, v_max3_i16 504, v_max3_u16 505, v_med3_f16 506,
        v_med3_i16 507, v_med3_u16 508, v_lshl_add_u32 509, v_add_lshl_u32 510, v_add3_u32 511,
        v_lshl_or_b32 512, v_and_or_b32 513, v_or3_b32 514, v_mad_f16 515, v_mad_u16 516, v_mad_i16 517,
        v_fma_f16 518, v_div_fixup_f16 519, v_add_f64 640, v_mul_f64 641, v_min_f64 642, v_max_f64 643,
        v_ldexp_f64 644, v_mul_lo_u32 645, v_mul_hi_u32 646, v_mul_hi_i32 647, v_ldexp_f32 648,
        v_readlane_b32 649, v_writelane_b32 650, v_bcnt_u32_b32 651, v_mbcnt_lo_u32_b32 652,
        v_mbcnt_hi_u32_b32 653, v_lshlrev_b64 655, v_lshrrev_b64 656, v_ashrrev_i64 657, v_trig_preop_f64 658,
        v_bfm_b32 659, v_cvt_pknorm_i16_f32 660, v_cvt_pknorm_u16_f32 661, v_cvt_pkrtz_f16_f32 662,
        v_cvt_pk_u16_u32 663, v_cvt_pk_i16_i32 664, v_cvt_pknorm_i16_f16 665, v_cvt_pknorm_u16_f16 666,
        v_add_i32 668, v_sub_i32 669, v_add_i16 670, v_sub_i16 671, v_pack_b32_f16 672, v_mul_legacy_f32 673
    """),
    ("gfx942 gfx950", "VOP3A", """
        v_mov_b64 376, v_cvt_f32_fp8 404, v_cvt_f32_bf8 405, v_cvt_pk_f32_fp8 406, v_cvt_pk_f32_bf8 407,
        v_lshl_add_u64 520, v_cvt_pk_fp8_f32 674, v_cvt_pk_bf8_f32 675, v_cvt_sr_fp8_f32 676,
        v_cvt_sr_bf8_f32 677
    """),
    ("gfx950", "VOP3A", """
        v_prng_b32 408, v_permlane16_swap_b32 409, v_permlane32_swap_b32 410, v_cvt_f32_bf16 411,
        v_cvt_scalef32_pk_fp8_f32 565, v_cvt_scalef32_pk_bf8_f32 566, v_cvt_scalef32_sr_fp8_f32 567,
        v_cvt_scalef32_sr_bf8_f32 568, v_cvt_scalef32_pk_f32_fp8 569, v_cvt_scalef32_pk_f32_bf8 570,
        v_cvt_scalef32_f32_fp8 571, v_cvt_scalef32_f32_bf8 572, v_cvt_scalef32_pk_fp4_f32 573,
        v_cvt_scalef32_sr_pk_fp4_f32 574, v_cvt_scalef32_pk_f32_fp4 575, v_cvt_scalef32_pk_fp8_f16 576,
        v_cvt_scalef32_pk_bf8_f16 577, v_cvt_scalef32_sr_fp8_f16 578, v_cvt_scalef32_sr_bf8_f16 579,
        v_cvt_scalef32_pk_fp8_bf16 580, v_cvt_scalef32_pk_bf8_bf16 581, v_cvt_scalef32_sr_fp8_bf16 582,
        v_cvt_scalef32_sr_bf8_bf16 583, v_cvt_scalef32_pk_f16_fp8 584, v_cvt_scalef32_pk_f16_bf8 585,
        v_cvt_scalef32_f16_fp8 586, v_cvt_scalef32_f16_bf8 587, v_cvt_scalef32_pk_fp4_f16 588,
        v_cvt_scalef32_pk_fp4_bf16 589, v_cvt_scalef32_sr_pk_fp4_f16 590, v_cvt_scalef32_sr_pk_fp4_bf16 591,
        v_cvt_scalef32_pk_f16_fp4 592, v_cvt_scalef32_pk_bf16_fp4 593, v_cvt_scalef32_2xpk16_fp6_f32 594,
        v_cvt_scalef32_2xpk16_bf6_f32 595, v_cvt_scalef32_sr_pk32_fp6_f32 596,
        v_cvt_scalef32_sr_pk32_bf6_f32 597, v_cvt_scalef32_pk32_f32_fp6 598, v_cvt_scalef32_pk32_f32_bf6 599,
        v_cvt_scalef32_pk32_fp6_f16 600, v_cvt_scalef32_pk32_fp6_bf16 601, v_cvt_scalef32_pk32_bf6_f16 602,
        v_cvt_scalef32_pk32_bf6_bf16 603, v_cvt_scalef32_sr_pk32_fp6_f16 604,
        v_cvt_scalef32_sr_pk32_fp6_bf16 605, v_cvt_scalef32_sr_pk32_bf6_f16 606,
        v_cvt_scalef32_sr_pk32_bf6_bf16 607, v_cvt_scalef32_pk32_f16_fp6 608,
        v_cvt_scalef32_pk32_bf16_fp6 609, v_cvt_scalef32_pk32_f16_bf6 610, v_cvt_scalef32_pk32_bf16_bf6 611,
        v_ashr_pk_i8_i32 613, v_ashr_pk_u8_i32 614, v_cvt_pk_f16_f32 615, v_cvt_pk_bf16_f32 616,
        v_cvt_scalef32_pk_bf16_fp8 617, v_cvt_scalef32_pk_bf16_bf8 618, v_cvt_sr_f16_f32 678,
        v_cvt_sr_bf16_f32 679, v_minimum3_f32 680, v_maximum3_f32 681
    """),
    ("gfx90a gfx942 gfx950", "VOP3B", """
        v_add_co_u32 281, v_sub_co_u32 282, v_subrev_co_u32 283, v_addc_co_u32 284, v_subb_co_u32 285,
        v_subbrev_co_u32 286, v_div_scale_f32 480, v_div_scale_f64 481, v_mad_u64_u32 488, v_mad_i64_i32 489
    """),
    ("gfx90a gfx942 gfx950", "VOP3P", """
        v_pk_mad_i16 0, v_pk_mul_lo_u16 1, v_pk_add_i16 2, v_pk_sub_i16 3, v_pk_lshlrev_b16 4,
        v_pk_lshrrev_b16 5, v_pk_ashrrev_i16 6, v_pk_max_i16 7, v_pk_min_i16 8, v_pk_mad_u16 9,
        v_pk_add_u16 10, v_pk_sub_u16 11, v_pk_max_u16 12, v_pk_min_u16 13, v_pk_fma_f16 14, v_pk_add_f16 15,
        v_pk_mul_f16 16, v_pk_min_f16 17, v_pk_max_f16 18, v_fma_mix_f32 32, v_fma_mixlo_f16 33,
        v_fma_mixhi_f16 34, v_dot2_f32_f16 35, v_dot2_i32_i16 38, v_dot2_u32_u16 39, v_dot4_i32_i8 40,
        v_dot4_u32_u8 41, v_dot8_i32_i4 42, v_dot8_u32_u4 43, v_pk_fma_f32 48, v_pk_mul_f32 49,
        v_pk_add_f32 50, v_pk_mov_b32 51, v_accvgpr_read_b32 88, v_accvgpr_write_b32 89
    """),
    ("gfx950", "VOP3P", """
        v_dot2_f32_bf16 26, v_pk_minimum3_f16 27, v_pk_maximum3_f16 28
    """),
    ("gfx90a gfx942 gfx950", "VOPC", """
        v_cmp_class_f32 16, v_cmpx_class_f32 17, v_cmp_class_f64 18, v_cmpx_class_f64 19, v_cmp_class_f16 20,
        v_cmpx_class_f16 21, v_cmp_f_f16 32, v_cmp_lt_f16 33, v_cmp_eq_f16 34, v_cmp_le_f16 35,
        v_cmp_gt_f16 36, v_cmp_lg_f16 37, v_cmp_ge_f16 38, v_cmp_o_f16 39, v_cmp_u_f16 40, v_cmp_nge_f16 41,
        v_cmp_nlg_f16 42, v_cmp_ngt_f16 43, v_cmp_nle_f16 44, v_cmp_neq_f16 45, v_cmp_nlt_f16 46,
        v_cmp_tru_f16 47, v_cmpx_f_f16 48, v_cmpx_lt_f16 49, v_cmpx_eq_f16 50, v_cmpx_le_f16 51,
        v_cmpx_gt_f16 52, v_cmpx_lg_f16 53, v_cmpx_ge_f16 54, v_cmpx_o_f16 55, v_cmpx_u_f16 56,
        v_cmpx_nge_f16 57, v_cmpx_nlg_f16 58, v_cmpx_ngt_f16 59, v_cmpx_nle_f16 60, v_cmpx_neq_f16 61,
        v_cmpx_nlt_f16 62, v_cmpx_tru_f16 63, v_cmp_f_f32 64, v_cmp_lt_f32 65, v_cmp_eq_f32 66,
        v_cmp_le_f32 67, v_cmp_gt_f32 68, v_cmp_lg_f32 69, v_cmp_ge_f32 70, v_cmp_o_f32 71, v_cmp_u_f32 72,
        v_cmp_nge_f32 73, v_cmp_nlg_f32 74, v_cmp_ngt_f32 75, v_cmp_nle_f32 76, v_cmp_neq_f32 77,
        v_cmp_nlt_f32 78, v_cmp_tru_f32 79, v_cmpx_f_f32 80, v_cmpx_lt_f32 81, v_cmpx_eq_f32 82,
        v_cmpx_le_f32 83, v_cmpx_gt_f32 84, v_cmpx_lg_f32 85, v_cmpx_ge_f32 86, v_cmpx_o_f32 87,
        v_cmpx_u_f32 88, v_cmpx_nge_f32 89, v_cmpx_nlg_f32 90, v_cmpx_ngt_f32 91, v_cmpx_nle_f32 92,
        v_cmpx_neq_f32 93, v_cmpx_nlt_f32 94, v_cmpx_tru_f32 95, v_cmp_f_f64 96, v_cmp_lt_f64 97,
        v_cmp_eq_f64 98, v_cmp_le_f64 99, v_cmp_gt_f64 100, v_cmp_lg_f64 101, v_cmp_ge_f64 102,
        v_cmp_o_f64 103, v_cmp_u_f64 104, v_cmp_nge_f64 105, v_cmp_nlg_f64 106, v_cmp_ngt_f64 107,
        v_cmp_nle_f64 108, v_cmp_neq_f64 109, v_cmp_nlt_f64 110, v_cmp_tru_f64 111, v_cmpx_f_f64 112,
        v_cmpx_lt_f64 113, v_cmpx_eq_f64 114, v_cmpx_le_f64 115, v_cmpx_gt_f64 116, v_cmpx_lg_f64 117,
        v_cmpx_ge_f64 118, v_cmpx_o_f64 119, v_cmpx_u_f64 120, v_cmpx_nge_f64 121, v_cmpx_nlg_f64 122,
        v_cmpx_ngt_f64 123, v_cmpx_nle_f64 124, v_cmpx_neq_f64 125, v_cmpx_nlt_f64 126, v_cmpx_tru_f64 127,
        v_cmp_f_i16 160, v_cmp_lt_i16 161, v_cmp_eq_i16 162, v_cmp_le_i16 163, v_cmp_gt_i16 164,
        v_cmp_ne_i16 165, v_cmp_ge_i16 166, v_cmp_t_i16 167, v_cmp_f_u16 168, v_cmp_lt_u16 169,
        v_cmp_eq_u16 170, v_cmp_le_u16 171, v_cmp_gt_u16 172, v_cmp_ne_u16 173, v_cmp_ge_u16 174,
        v_cmp_t_u16 175, v_cmpx_f_i16 176, v_cmpx_lt_i16 177, v_cmpx_eq_i16 178, v_cmpx_le_i16 179,
        v_cmpx_gt_i16 180, v_cmpx_ne_i16 181, v_cmpx_ge_i16 182, v_cmpx_t_i16 183, v_cmpx_f_u16 184,
        v_cmpx_lt_u16 185, v_cmpx_eq_u16 186, v_cmpx_le_u16 187, v_cmpx_gt_u16 188, v_cmpx_ne_u16 189,
        v_cmpx_ge_u16 190, v_cmpx_t_u16 191, v_cmp_f_i32 192, v_cmp_lt_i32 193, v_cmp_eq_i32 194,
        v_cmp_le_i32 195, v_cmp_gt_i32 196, v_cmp_ne_i32 197, v_cmp_ge_i32 198, v_cmp_t_i32 199,
        v_cmp_f_u32 200, v_cmp_lt_u32 201, v_cmp_eq_u32 202, v_cmp_le_u32 203, v_cmp_gt_u32 204,
        v_cmp_ne_u32 205, v_cmp_ge_u32 206, v_cmp_t_u32 207, v_cmpx_f_i32 208, v_cmpx_lt_i32 209,
        v_cmpx_eq_i32 210, v_cmpx_le_i32 211, v_cmpx_gt_i32 212, v_cmpx_ne_i32 213, v_cmpx_ge_i32 214,
        v_cmpx_t_i32 215, v_cmpx_f_u32 216, v_cmpx_lt_u32 217, v_cmpx_eq_u32 218, v_cmpx_le_u32 219,
        v_cmpx_gt_u32 220, v_cmpx_ne_u32 221, v_cmpx_ge_u32 222, v_cmpx_t_u32 223, v_cmp_f_i64 224,
        v_cmp_lt_i64 225, v_cmp_eq_i64 226, v_cmp_le_i64 227, v_cmp_gt_i64 228, v_cmp_ne_i64 229,
        v_cmp_ge_i64 230, v_cmp_t_i64 231, v_cmp_f_u64 232, v_cmp_lt_u64 233, v_cmp_eq_u64 234,
        v_cmp_le_u64 235, v_cmp_gt_u64 236, v_cmp_ne_u64 237, v_cmp_ge_u64 238, v_cmp_t_u64 239,
        v_cmpx_f_i64 240, v_cmpx_lt_i64 241, v_cmpx_eq_i64 242, v_cmpx_le_i64 243, v_cmpx_gt_i64 244,
        v_cmpx_ne_i64 245, v_cmpx_ge_i64 246, v_cmpx_t_i64 247, v_cmpx_f_u64 248, v_cmpx_lt_u64 249,
        v_cmpx_eq_u64 250, v_cmpx_le_u64 251, v_cmpx_gt_u64 252, v_cmpx_ne_u64 253, v_cmpx_ge_u64 254,
        v_cmpx_t_u64 255
    """),
)  # fmt: skip
