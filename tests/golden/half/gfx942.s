	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "<text>.gen"
	.protected	_text_
	.globl	_text_
	.p2align	8
	.type	_text_,@function
_text_:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx4 s[4:7], s[0:1], 0x8                     ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .L_text_.entry
	.p2align	8
.L_text_.entry:
	.loc	1 2 5
	v_lshlrev_b32_e32 v0, 4, v0                            ; vector_load :2
	global_load_dwordx4 v[2:5], v0, s[2:3]                 ; vector_load :2
	.loc	1 3 5
	global_load_dwordx4 v[6:9], v0, s[4:5]                 ; vector_load :3
	.loc	1 4 1
	s_mov_b64 s[0:1], 0x3fb8aa3b                           ; fma :4
	v_mov_b64_e32 v[10:11], 0x4b400000                     ; fma :4
	s_mov_b32 s2, 0x4b3fff68                               ; med3 :4
	v_mov_b32_e32 v1, 0x4b400081                           ; med3 :4
	s_mov_b64 s[4:5], 0xcb400000                           ; sub :4
	s_mov_b64 s[8:9], 0x32a57060                           ; fma :4
	s_mov_b32 s3, 0x39000000                               ; less :4
	s_mov_b64 s[10:11], 0x3f317218                         ; fma :4
	s_waitcnt vmcnt(1)                                     ; convert :4, vmcnt: global_load_dwordx4, <text>.gen:2:5
	v_cvt_f32_f16_e32 v12, v2                              ; convert :4
	v_cvt_f32_f16_sdwa v13, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :4
	v_cvt_f32_f16_e32 v2, v3                               ; convert :4
	v_cvt_f32_f16_sdwa v3, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :4
	v_cvt_f32_f16_e32 v14, v4                              ; convert :4
	v_cvt_f32_f16_sdwa v15, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :4
	v_cvt_f32_f16_e32 v4, v5                               ; convert :4
	v_cvt_f32_f16_sdwa v5, v5 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :4
	v_pk_fma_f32 v[16:17], v[12:13], s[0:1], v[10:11] op_sel_hi:[1,0,0] ; fma :4
	v_pk_fma_f32 v[18:19], v[2:3], s[0:1], v[10:11] op_sel_hi:[1,0,0] ; fma :4
	v_pk_fma_f32 v[20:21], v[14:15], s[0:1], v[10:11] op_sel_hi:[1,0,0] ; fma :4
	v_pk_fma_f32 v[10:11], v[4:5], s[0:1], v[10:11] op_sel_hi:[1,0,0] ; fma :4
	v_med3_f32 v16, v16, s2, v1                            ; med3 :4
	v_med3_f32 v17, v17, s2, v1                            ; med3 :4
	v_med3_f32 v18, v18, s2, v1                            ; med3 :4
	v_med3_f32 v19, v19, s2, v1                            ; med3 :4
	v_med3_f32 v20, v20, s2, v1                            ; med3 :4
	v_med3_f32 v21, v21, s2, v1                            ; med3 :4
	v_med3_f32 v10, v10, s2, v1                            ; med3 :4
	v_med3_f32 v11, v11, s2, v1                            ; med3 :4
	v_pk_add_f32 v[22:23], v[16:17], s[4:5] op_sel_hi:[1,0] ; sub :4
	v_pk_add_f32 v[24:25], v[18:19], s[4:5] op_sel_hi:[1,0] ; sub :4
	v_pk_add_f32 v[26:27], v[20:21], s[4:5] op_sel_hi:[1,0] ; sub :4
	v_pk_add_f32 v[28:29], v[10:11], s[4:5] op_sel_hi:[1,0] ; sub :4
	v_pk_fma_f32 v[22:23], v[12:13], s[0:1], v[22:23] op_sel_hi:[1,0,1] neg_lo:[0,0,1] neg_hi:[0,0,1] ; fma :4
	v_pk_fma_f32 v[24:25], v[2:3], s[0:1], v[24:25] op_sel_hi:[1,0,1] neg_lo:[0,0,1] neg_hi:[0,0,1] ; fma :4
	v_pk_fma_f32 v[26:27], v[14:15], s[0:1], v[26:27] op_sel_hi:[1,0,1] neg_lo:[0,0,1] neg_hi:[0,0,1] ; fma :4
	v_pk_fma_f32 v[28:29], v[4:5], s[0:1], v[28:29] op_sel_hi:[1,0,1] neg_lo:[0,0,1] neg_hi:[0,0,1] ; fma :4
	v_pk_fma_f32 v[12:13], v[12:13], s[8:9], v[22:23] op_sel_hi:[1,0,1] ; fma :4
	v_pk_fma_f32 v[2:3], v[2:3], s[8:9], v[24:25] op_sel_hi:[1,0,1] ; fma :4
	v_pk_fma_f32 v[14:15], v[14:15], s[8:9], v[26:27] op_sel_hi:[1,0,1] ; fma :4
	v_pk_fma_f32 v[4:5], v[4:5], s[8:9], v[28:29] op_sel_hi:[1,0,1] ; fma :4
	v_exp_f32_e32 v1, v12                                  ; hw_exp2 :4
	v_exp_f32_e32 v22, v2                                  ; hw_exp2 :4
	v_exp_f32_e32 v23, v14                                 ; hw_exp2 :4
	v_exp_f32_e32 v24, v4                                  ; hw_exp2 :4
	v_cmp_lt_f32_e64 vcc, |v12|, s3                        ; less :4
	v_cmp_lt_f32_e64 s[0:1], |v2|, s3                      ; less :4
	v_cmp_lt_f32_e64 s[4:5], |v14|, s3                     ; less :4
	v_cmp_lt_f32_e64 s[8:9], |v4|, s3                      ; less :4
	v_exp_f32_e32 v25, v13                                 ; hw_exp2 :4
	v_exp_f32_e32 v26, v3                                  ; hw_exp2 :4
	v_exp_f32_e32 v27, v15                                 ; hw_exp2 :4
	v_exp_f32_e32 v36, v5                                  ; hw_exp2 :4
	v_pk_fma_f32 v[30:31], v[12:13], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :4
	v_pk_fma_f32 v[32:33], v[2:3], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :4
	v_pk_fma_f32 v[34:35], v[14:15], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :4
	v_pk_fma_f32 v[28:29], v[4:5], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :4
	v_cmp_lt_f32_e64 s[10:11], |v13|, s3                   ; less :4
	v_cmp_lt_f32_e64 s[12:13], |v3|, s3                    ; less :4
	v_cmp_lt_f32_e64 s[14:15], |v15|, s3                   ; less :4
	v_cmp_lt_f32_e64 s[2:3], |v5|, s3                      ; less :4
	v_subrev_u32_e32 v2, 0x4b400000, v16                   ; sub :4
	v_subrev_u32_e32 v3, 0x4b400000, v18                   ; sub :4
	v_subrev_u32_e32 v4, 0x4b400000, v20                   ; sub :4
	v_subrev_u32_e32 v5, 0x4b400000, v10                   ; sub :4
	v_cndmask_b32_e32 v1, v1, v30, vcc                     ; where :4
	v_cndmask_b32_e64 v10, v22, v32, s[0:1]                ; where :4
	v_cndmask_b32_e64 v12, v23, v34, s[4:5]                ; where :4
	v_cndmask_b32_e64 v13, v24, v28, s[8:9]                ; where :4
	v_subrev_u32_e32 v14, 0x4b400000, v17                  ; sub :4
	v_subrev_u32_e32 v15, 0x4b400000, v19                  ; sub :4
	v_subrev_u32_e32 v16, 0x4b400000, v21                  ; sub :4
	v_subrev_u32_e32 v11, 0x4b400000, v11                  ; sub :4
	v_cndmask_b32_e64 v17, v25, v31, s[10:11]              ; where :4
	v_cndmask_b32_e64 v18, v26, v33, s[12:13]              ; where :4
	v_cndmask_b32_e64 v19, v27, v35, s[14:15]              ; where :4
	v_cndmask_b32_e64 v20, v36, v29, s[2:3]                ; where :4
	v_ldexp_f32 v1, v1, v2                                 ; ldexp :4
	v_ldexp_f32 v2, v10, v3                                ; ldexp :4
	v_ldexp_f32 v3, v12, v4                                ; ldexp :4
	v_ldexp_f32 v4, v13, v5                                ; ldexp :4
	v_ldexp_f32 v5, v17, v14                               ; ldexp :4
	v_ldexp_f32 v10, v18, v15                              ; ldexp :4
	v_ldexp_f32 v12, v19, v16                              ; ldexp :4
	v_ldexp_f32 v11, v20, v11                              ; ldexp :4
	.loc	1 6 1
	s_waitcnt vmcnt(0)                                     ; convert :6, vmcnt: global_load_dwordx4, <text>.gen:3:5
	v_fma_mixlo_f16 v6, v1, v6, neg(0) op_sel_hi:[0,1,0]   ; convert :6
	v_fma_mixlo_f16 v7, v2, v7, neg(0) op_sel_hi:[0,1,0]   ; convert :6
	v_fma_mixlo_f16 v8, v3, v8, neg(0) op_sel_hi:[0,1,0]   ; convert :6
	v_fma_mixlo_f16 v9, v4, v9, neg(0) op_sel_hi:[0,1,0]   ; convert :6
	v_fma_mixhi_f16 v6, v5, v6, neg(0) op_sel:[0,1,0] op_sel_hi:[0,1,0] ; convert :6
	v_fma_mixhi_f16 v7, v10, v7, neg(0) op_sel:[0,1,0] op_sel_hi:[0,1,0] ; convert :6
	v_fma_mixhi_f16 v8, v12, v8, neg(0) op_sel:[0,1,0] op_sel_hi:[0,1,0] ; convert :6
	v_fma_mixhi_f16 v9, v11, v9, neg(0) op_sel:[0,1,0] op_sel_hi:[0,1,0] ; convert :6
	global_store_dwordx4 v0, v[6:9], s[6:7]                ; vector_store :6
	s_endpgm
.L_text_.end.of.code:
	.size	_text_, .L_text_.end.of.code-_text_
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel _text_
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_count 8
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_user_sgpr_kernarg_preload_length 6
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 0
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 37
		.amdhsa_next_free_sgpr 16
		.amdhsa_accum_offset 40
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 0
		.amdhsa_tg_split 0
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: _text_
    .symbol: _text_.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 22
    .vgpr_count: 37
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
