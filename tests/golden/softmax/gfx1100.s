	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 5
	.text
	.file	1 "softmax"
	.protected	softmax
	.globl	softmax
	.p2align	8
	.type	softmax,@function
softmax:
	s_load_b128 s[0:3], s[0:1], 0x0
	.loc	1 1 5
	s_lshl_b32 s4, s15, 12                                 ; vector_load :1
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_4) | instid1(VALU_DEP_1) ; vector_load :1
	v_lshl_add_u32 v1, v0, 4, s4                           ; vector_load :1
	s_waitcnt lgkmcnt(0)                                   ; vector_load :1, lgkmcnt: s_load_b128
	global_load_b128 v[2:5], v1, s[0:1]                    ; vector_load :1
	.loc	1 2 1
	s_waitcnt vmcnt(0)                                     ; max :2, vmcnt: global_load_b128, softmax:1:5
	v_dual_max_f32 v6, v2, v3 :: v_dual_max_f32 v7, v4, v5 ; max :2
	v_max_f32_e32 v6, v6, v7                               ; max :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_max_f32_dpp v6, v6, v6 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_max_f32_dpp v6, v6, v6 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_max_f32_dpp v6, v6, v6 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_max_f32_dpp v6, v6, v6 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_permlanex16_b32 v7, v6, 0, 0 op_sel:[0,1]            ; dpp_reduce :2
	v_max_f32_e32 v6, v6, v7                               ; dpp_reduce :2
	v_lshrrev_b32_e32 v7, 5, v0                            ; shift_right :2
	s_delay_alu instid0(VALU_DEP_1)                        ; if :2
	v_dual_mov_b32 v7, 0 :: v_dual_lshlrev_b32 v0, 2, v7   ; if :2
	s_mov_b32 s0, 0x4b400000                               ; fma :2
	s_mov_b32 s1, 0x4b400081                               ; med3 :2
	s_and_saveexec_b32 s4, 0x80000000                      ; if :2
	ds_store_b32 v0, v6                                    ; lds_store :2
	s_mov_b32 exec_lo, s4
	s_waitcnt lgkmcnt(0)                                   ; barrier :2, lgkmcnt: ds_store_b32, softmax:2:1
	s_barrier                                              ; barrier :2
	ds_load_b128 v[8:11], v7                               ; lds_load :2
	ds_load_b128 v[12:15], v7 offset:16                    ; lds_load :2
	s_waitcnt lgkmcnt(0)                                   ; max :2, lgkmcnt: ds_load_b128, softmax:2:1
	v_dual_max_f32 v8, v8, v12 :: v_dual_max_f32 v9, v9, v13 ; max :2
	v_dual_max_f32 v10, v10, v14 :: v_dual_max_f32 v11, v11, v15 ; max :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; max :2
	v_dual_max_f32 v9, v8, v9 :: v_dual_max_f32 v6, v10, v11 ; max :2
	v_max_f32_e32 v9, v9, v6                               ; max :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_2) | instid1(VALU_DEP_3) ; sub :2
	v_dual_subrev_f32 v2, v9, v2 :: v_dual_sub_f32 v3, v3, v9 ; sub :2
	v_sub_f32_e32 v4, v4, v9                               ; sub :2
	v_sub_f32_e32 v5, v5, v9                               ; sub :2
	v_fma_f32 v8, v2, 0x3fb8aa3b, s0                       ; fma :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; fma :2
	v_fma_f32 v9, v3, 0x3fb8aa3b, s0                       ; fma :2
	v_fma_f32 v10, v4, 0x3fb8aa3b, s0                      ; fma :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; fma :2
	v_fma_f32 v11, v5, 0x3fb8aa3b, s0                      ; fma :2
	v_med3_f32 v8, v8, 0x4b3fff68, s1                      ; med3 :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; med3 :2
	v_med3_f32 v9, v9, 0x4b3fff68, s1                      ; med3 :2
	v_med3_f32 v10, v10, 0x4b3fff68, s1                    ; med3 :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_3) ; med3 :2
	v_med3_f32 v11, v11, 0x4b3fff68, s1                    ; med3 :2
	v_dual_subrev_f32 v12, 0x4b400000, v8 :: v_dual_subrev_f32 v13, 0x4b400000, v9 ; sub :2
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2) ; sub :2
	v_dual_subrev_f32 v14, 0x4b400000, v10 :: v_dual_subrev_f32 v15, 0x4b400000, v11 ; sub :2
	v_fma_f32 v12, v2, 0x3fb8aa3b, -v12                    ; fma :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3) ; fma :2
	v_fma_f32 v13, v3, 0x3fb8aa3b, -v13                    ; fma :2
	v_fma_f32 v14, v4, 0x3fb8aa3b, -v14                    ; fma :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_3) ; fma :2
	v_fma_f32 v15, v5, 0x3fb8aa3b, -v15                    ; fma :2
	v_dual_fmac_f32 v12, 0x32a57060, v2 :: v_dual_fmac_f32 v13, 0x32a57060, v3 ; fma :2
	s_delay_alu instid0(VALU_DEP_2)                        ; fma :2
	v_dual_fmac_f32 v14, 0x32a57060, v4 :: v_dual_fmac_f32 v15, 0x32a57060, v5 ; fma :2
	v_subrev_nc_u32_e32 v2, 0x4b400000, v8                 ; sub :2
	v_subrev_nc_u32_e32 v3, 0x4b400000, v9                 ; sub :2
	v_subrev_nc_u32_e32 v4, 0x4b400000, v10                ; sub :2
	v_subrev_nc_u32_e32 v5, 0x4b400000, v11                ; sub :2
	v_fma_f32 v8, v12, 0x3f317218, 1.0                     ; fma :2
	v_fma_f32 v9, v13, 0x3f317218, 1.0                     ; fma :2
	v_fma_f32 v10, v14, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v11, v15, 0x3f317218, 1.0                    ; fma :2
	v_cmp_lt_f32_e64 vcc_lo, |v12|, 0x39000000             ; less :2
	v_cmp_lt_f32_e64 s0, |v13|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s1, |v14|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s4, |v15|, 0x39000000                 ; less :2
	v_exp_f32_e32 v12, v12                                 ; hw_exp2 :2
	v_exp_f32_e32 v13, v13                                 ; hw_exp2 :2
	v_exp_f32_e32 v14, v14                                 ; hw_exp2 :2
	v_exp_f32_e32 v15, v15                                 ; hw_exp2 :2
	v_cndmask_b32_e32 v8, v12, v8, vcc_lo                  ; where :2
	s_delay_alu instid0(TRANS32_DEP_3)                     ; where :2
	v_cndmask_b32_e64 v9, v13, v9, s0                      ; where :2
	s_waitcnt_depctr depctr_va_vdst(0)                     ; transcendental result read by VALU too early: v14 of v_exp_f32_e32
	v_cndmask_b32_e64 v10, v14, v10, s1                    ; where :2
	v_cndmask_b32_e64 v11, v15, v11, s4                    ; where :2
	v_ldexp_f32 v2, v8, v2                                 ; ldexp :2
	v_ldexp_f32 v3, v9, v3                                 ; ldexp :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; ldexp :2
	v_ldexp_f32 v4, v10, v4                                ; ldexp :2
	v_ldexp_f32 v5, v11, v5                                ; ldexp :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; add :2
	v_dual_add_f32 v9, v2, v3 :: v_dual_add_f32 v6, v4, v5 ; add :2
	v_add_f32_e32 v9, v9, v6                               ; add :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_add_f32_dpp v9, v9, v9 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_add_f32_dpp v9, v9, v9 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_add_f32_dpp v9, v9, v9 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_add_f32_dpp v9, v9, v9 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_permlanex16_b32 v6, v9, 0, 0 op_sel:[0,1]            ; dpp_reduce :2
	v_add_f32_e32 v9, v9, v6                               ; dpp_reduce :2
	s_and_saveexec_b32 s0, 0x80000000                      ; if :2
	ds_store_b32 v0, v9 offset:32                          ; lds_store :2
	s_mov_b32 exec_lo, s0
	s_waitcnt lgkmcnt(0)                                   ; barrier :2, lgkmcnt: ds_store_b32, softmax:2:1
	s_barrier                                              ; barrier :2
	ds_load_b128 v[8:11], v7 offset:32                     ; lds_load :2
	ds_load_b128 v[12:15], v7 offset:48                    ; lds_load :2
	s_waitcnt lgkmcnt(0)                                   ; add :2, lgkmcnt: ds_load_b128, softmax:2:1
	v_dual_add_f32 v6, v8, v12 :: v_dual_add_f32 v7, v9, v13 ; add :2
	v_dual_add_f32 v8, v10, v14 :: v_dual_add_f32 v9, v11, v15 ; add :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; add :2
	v_dual_add_f32 v7, v6, v7 :: v_dual_add_f32 v0, v8, v9 ; add :2
	v_add_f32_e32 v7, v7, v0                               ; add :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; frexp_mantissa :2
	v_frexp_mant_f32_e32 v0, v7                            ; frexp_mantissa :2
	v_rcp_f32_e32 v9, v0                                   ; hw_rcp :2
	s_waitcnt_depctr depctr_va_vdst(0)                     ; transcendental result read by VALU too early: v9 of v_rcp_f32_e32
	v_fma_f32 v0, -v0, v9, 1.0                             ; fma :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_1) ; fma :2
	v_fmac_f32_e32 v9, v0, v9                              ; fma :2
	v_frexp_exp_i32_f32_e32 v0, v7                         ; frexp_exponent :2
	v_sub_nc_u32_e32 v11, 0, v0                            ; sub :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; ldexp :2
	v_ldexp_f32 v0, v9, v11                                ; ldexp :2
	v_div_fixup_f32 v7, v0, v7, 1.0                        ; div_fixup :2
	s_delay_alu instid0(VALU_DEP_1)                        ; mul :2
	v_dual_mul_f32 v2, v7, v2 :: v_dual_mul_f32 v5, v5, v7 ; mul :2
	v_mul_f32_e32 v3, v3, v7                               ; mul :2
	v_mul_f32_e32 v4, v4, v7                               ; mul :2
	.loc	1 3 1
	global_store_b128 v1, v[2:5], s[2:3]                   ; vector_store :3
	s_endpgm
.Lsoftmax.end.of.code:
	.size	softmax, .Lsoftmax.end.of.code-softmax
	.p2alignl	7, 0xbf9f0000
	.fill	96, 4, 0xbf9f0000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel softmax
		.amdhsa_group_segment_fixed_size 64
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 16
		.amdhsa_user_sgpr_count 15
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_wavefront_size32 1
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 16
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_workgroup_processor_mode 1
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_inst_pref_size 8
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.target: amdgcn-amd-amdhsa--gfx1100
amdhsa.kernels:
  - .name: softmax
    .symbol: softmax.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 64
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 32
    .sgpr_count: 18
    .vgpr_count: 16
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 256
    .reqd_workgroup_size:
      - 256
      - 1
      - 1
    .args:
      - .name: "x"
        .offset: 0
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: read_only
      - .name: "o"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
