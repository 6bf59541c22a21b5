	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 5
	.text
	.file	1 "<text>.gen"
	.protected	_text_
	.globl	_text_
	.p2align	8
	.type	_text_,@function
_text_:
	s_load_b128 s[4:7], s[0:1], 0x0
	.loc	1 2 5
	v_lshlrev_b32_e32 v0, 4, v0                            ; vector_load :2
	.loc	1 4 1
	s_mov_b32 s2, 0x4b400000                               ; fma :4
	s_mov_b32 s3, 0x4b400081                               ; med3 :4
	s_load_b64 s[0:1], s[0:1], 0x10
	.loc	1 2 5
	s_waitcnt lgkmcnt(0)                                   ; vector_load :2, lgkmcnt: s_load_b128
	s_clause 0x1                                           ; vector_load :2
	global_load_b128 v[1:4], v0, s[4:5]                    ; vector_load :2
	.loc	1 3 5
	global_load_b128 v[5:8], v0, s[6:7]                    ; vector_load :3
	.loc	1 4 1
	s_waitcnt vmcnt(1)                                     ; convert :4, vmcnt: global_load_b128, <text>.gen:2:5
	v_cvt_f32_f16_e32 v9, v1.l                             ; convert :4
	v_cvt_f32_f16_e32 v10, v2.l                            ; convert :4
	v_cvt_f32_f16_e32 v11, v3.l                            ; convert :4
	v_cvt_f32_f16_e32 v12, v4.l                            ; convert :4
	v_cvt_f32_f16_e64 v1, v1.h op_sel:[1,0]                ; convert :4
	v_cvt_f32_f16_e64 v2, v2.h op_sel:[1,0]                ; convert :4
	v_cvt_f32_f16_e64 v3, v3.h op_sel:[1,0]                ; convert :4
	v_cvt_f32_f16_e64 v4, v4.h op_sel:[1,0]                ; convert :4
	v_fma_f32 v13, v9, 0x3fb8aa3b, s2                      ; fma :4
	v_fma_f32 v14, v10, 0x3fb8aa3b, s2                     ; fma :4
	v_fma_f32 v15, v11, 0x3fb8aa3b, s2                     ; fma :4
	v_fma_f32 v16, v12, 0x3fb8aa3b, s2                     ; fma :4
	v_fma_f32 v17, v1, 0x3fb8aa3b, s2                      ; fma :4
	v_fma_f32 v18, v2, 0x3fb8aa3b, s2                      ; fma :4
	v_fma_f32 v19, v3, 0x3fb8aa3b, s2                      ; fma :4
	v_fma_f32 v20, v4, 0x3fb8aa3b, s2                      ; fma :4
	v_med3_f32 v13, v13, 0x4b3fff68, s3                    ; med3 :4
	v_med3_f32 v14, v14, 0x4b3fff68, s3                    ; med3 :4
	v_med3_f32 v15, v15, 0x4b3fff68, s3                    ; med3 :4
	v_med3_f32 v16, v16, 0x4b3fff68, s3                    ; med3 :4
	v_med3_f32 v17, v17, 0x4b3fff68, s3                    ; med3 :4
	v_med3_f32 v18, v18, 0x4b3fff68, s3                    ; med3 :4
	v_med3_f32 v19, v19, 0x4b3fff68, s3                    ; med3 :4
	v_med3_f32 v20, v20, 0x4b3fff68, s3                    ; med3 :4
	v_dual_subrev_f32 v21, 0x4b400000, v13 :: v_dual_subrev_f32 v22, 0x4b400000, v14 ; sub :4
	v_dual_subrev_f32 v23, 0x4b400000, v15 :: v_dual_subrev_f32 v24, 0x4b400000, v16 ; sub :4
	v_dual_subrev_f32 v25, 0x4b400000, v17 :: v_dual_subrev_f32 v26, 0x4b400000, v18 ; sub :4
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; sub :4
	v_dual_subrev_f32 v27, 0x4b400000, v19 :: v_dual_subrev_f32 v28, 0x4b400000, v20 ; sub :4
	v_fma_f32 v21, v9, 0x3fb8aa3b, -v21                    ; fma :4
	v_fma_f32 v22, v10, 0x3fb8aa3b, -v22                   ; fma :4
	v_fma_f32 v23, v11, 0x3fb8aa3b, -v23                   ; fma :4
	v_fma_f32 v24, v12, 0x3fb8aa3b, -v24                   ; fma :4
	v_fma_f32 v25, v1, 0x3fb8aa3b, -v25                    ; fma :4
	v_fma_f32 v26, v2, 0x3fb8aa3b, -v26                    ; fma :4
	v_fma_f32 v27, v3, 0x3fb8aa3b, -v27                    ; fma :4
	v_fma_f32 v28, v4, 0x3fb8aa3b, -v28                    ; fma :4
	v_dual_fmac_f32 v21, 0x32a57060, v9 :: v_dual_fmac_f32 v22, 0x32a57060, v10 ; fma :4
	v_dual_fmac_f32 v23, 0x32a57060, v11 :: v_dual_fmac_f32 v24, 0x32a57060, v12 ; fma :4
	v_dual_fmac_f32 v25, 0x32a57060, v1 :: v_dual_fmac_f32 v26, 0x32a57060, v2 ; fma :4
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; fma :4
	v_dual_fmac_f32 v27, 0x32a57060, v3 :: v_dual_fmac_f32 v28, 0x32a57060, v4 ; fma :4
	v_exp_f32_e32 v1, v21                                  ; hw_exp2 :4
	v_exp_f32_e32 v2, v22                                  ; hw_exp2 :4
	v_exp_f32_e32 v3, v23                                  ; hw_exp2 :4
	v_exp_f32_e32 v4, v24                                  ; hw_exp2 :4
	v_fma_f32 v9, v21, 0x3f317218, 1.0                     ; fma :4
	v_fma_f32 v10, v22, 0x3f317218, 1.0                    ; fma :4
	v_fma_f32 v11, v23, 0x3f317218, 1.0                    ; fma :4
	v_fma_f32 v12, v24, 0x3f317218, 1.0                    ; fma :4
	v_cmp_lt_f32_e64 vcc_lo, |v21|, 0x39000000             ; less :4
	v_cmp_lt_f32_e64 s2, |v22|, 0x39000000                 ; less :4
	v_cmp_lt_f32_e64 s3, |v23|, 0x39000000                 ; less :4
	v_cmp_lt_f32_e64 s4, |v24|, 0x39000000                 ; less :4
	v_exp_f32_e32 v21, v25                                 ; hw_exp2 :4
	v_exp_f32_e32 v22, v26                                 ; hw_exp2 :4
	v_exp_f32_e32 v23, v27                                 ; hw_exp2 :4
	v_exp_f32_e32 v24, v28                                 ; hw_exp2 :4
	v_subrev_nc_u32_e32 v13, 0x4b400000, v13               ; sub :4
	v_subrev_nc_u32_e32 v14, 0x4b400000, v14               ; sub :4
	v_subrev_nc_u32_e32 v15, 0x4b400000, v15               ; sub :4
	v_subrev_nc_u32_e32 v16, 0x4b400000, v16               ; sub :4
	v_fma_f32 v29, v25, 0x3f317218, 1.0                    ; fma :4
	v_fma_f32 v30, v26, 0x3f317218, 1.0                    ; fma :4
	v_fma_f32 v31, v27, 0x3f317218, 1.0                    ; fma :4
	v_fma_f32 v32, v28, 0x3f317218, 1.0                    ; fma :4
	v_cmp_lt_f32_e64 s5, |v25|, 0x39000000                 ; less :4
	v_cmp_lt_f32_e64 s6, |v26|, 0x39000000                 ; less :4
	v_cmp_lt_f32_e64 s7, |v27|, 0x39000000                 ; less :4
	v_cmp_lt_f32_e64 s8, |v28|, 0x39000000                 ; less :4
	v_cndmask_b32_e32 v1, v1, v9, vcc_lo                   ; where :4
	v_cndmask_b32_e64 v2, v2, v10, s2                      ; where :4
	v_cndmask_b32_e64 v3, v3, v11, s3                      ; where :4
	v_cndmask_b32_e64 v4, v4, v12, s4                      ; where :4
	v_subrev_nc_u32_e32 v9, 0x4b400000, v17                ; sub :4
	v_subrev_nc_u32_e32 v10, 0x4b400000, v18               ; sub :4
	v_subrev_nc_u32_e32 v11, 0x4b400000, v19               ; sub :4
	v_subrev_nc_u32_e32 v12, 0x4b400000, v20               ; sub :4
	v_cndmask_b32_e64 v17, v21, v29, s5                    ; where :4
	v_cndmask_b32_e64 v18, v22, v30, s6                    ; where :4
	v_cndmask_b32_e64 v19, v23, v31, s7                    ; where :4
	v_cndmask_b32_e64 v20, v24, v32, s8                    ; where :4
	v_ldexp_f32 v1, v1, v13                                ; ldexp :4
	v_ldexp_f32 v2, v2, v14                                ; ldexp :4
	v_ldexp_f32 v3, v3, v15                                ; ldexp :4
	v_ldexp_f32 v4, v4, v16                                ; ldexp :4
	v_ldexp_f32 v9, v17, v9                                ; ldexp :4
	v_ldexp_f32 v10, v18, v10                              ; ldexp :4
	v_ldexp_f32 v11, v19, v11                              ; ldexp :4
	v_ldexp_f32 v12, v20, v12                              ; ldexp :4
	.loc	1 6 1
	s_waitcnt vmcnt(0)                                     ; convert :6, vmcnt: global_load_b128, <text>.gen:3:5
	v_fma_mixlo_f16 v5, v1, v5, neg(0) op_sel_hi:[0,1,0]   ; convert :6
	v_fma_mixlo_f16 v6, v2, v6, neg(0) op_sel_hi:[0,1,0]   ; convert :6
	v_fma_mixlo_f16 v7, v3, v7, neg(0) op_sel_hi:[0,1,0]   ; convert :6
	v_fma_mixlo_f16 v8, v4, v8, neg(0) op_sel_hi:[0,1,0]   ; convert :6
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; convert :6
	v_fma_mixhi_f16 v5, v9, v5, neg(0) op_sel:[0,1,0] op_sel_hi:[0,1,0] ; convert :6
	v_fma_mixhi_f16 v6, v10, v6, neg(0) op_sel:[0,1,0] op_sel_hi:[0,1,0] ; convert :6
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; convert :6
	v_fma_mixhi_f16 v7, v11, v7, neg(0) op_sel:[0,1,0] op_sel_hi:[0,1,0] ; convert :6
	v_fma_mixhi_f16 v8, v12, v8, neg(0) op_sel:[0,1,0] op_sel_hi:[0,1,0] ; convert :6
	global_store_b128 v0, v[5:8], s[0:1]                   ; vector_store :6
	s_endpgm
.L_text_.end.of.code:
	.size	_text_, .L_text_.end.of.code-_text_
	.p2alignl	7, 0xbf9f0000
	.fill	96, 4, 0xbf9f0000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel _text_
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_count 16
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_wavefront_size32 1
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 0
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 33
		.amdhsa_next_free_sgpr 9
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_workgroup_processor_mode 1
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 0
		.amdhsa_inst_pref_size 8
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.target: amdgcn-amd-amdhsa--gfx1100
amdhsa.kernels:
  - .name: _text_
    .symbol: _text_.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 32
    .sgpr_count: 11
    .vgpr_count: 33
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
        .type_name: "f16"
        .address_space: global
        .actual_access: read_only
      - .name: "y"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "f16"
        .address_space: global
        .actual_access: read_only
      - .name: "z"
        .offset: 16
        .size: 8
        .value_kind: global_buffer
        .type_name: "f16"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
