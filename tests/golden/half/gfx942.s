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
	v_lshlrev_b32_e32 v8, 4, v0                            ; vector_load :2
	global_load_dwordx4 v[0:3], v8, s[2:3]                 ; vector_load :2
	.loc	1 3 5
	global_load_dwordx4 v[10:13], v8, s[4:5]               ; vector_load :3
	.loc	1 4 1
	s_mov_b64 s[0:1], 0x3fb8aa3b                           ; fma :4
	v_mov_b64_e32 v[4:5], 0x4b400000                       ; fma :4
	s_mov_b32 s2, 0x4b3fff68                               ; med3 :4
	v_mov_b32_e32 v6, 0x4b400081                           ; med3 :4
	s_mov_b64 s[4:5], 0xcb400000                           ; sub :4
	s_mov_b64 s[8:9], 0x32a57060                           ; fma :4
	s_mov_b32 s3, 0x39000000                               ; less :4
	s_mov_b64 s[10:11], 0x3f317218                         ; fma :4
	.loc	1 2 5
	s_waitcnt vmcnt(1)                                     ; convert :2, vmcnt: global_load_dwordx4, <text>.gen:2:5
	v_cvt_f32_f16_e32 v14, v0                              ; convert :2
	v_cvt_f32_f16_sdwa v15, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :2
	v_cvt_f32_f16_e32 v16, v1                              ; convert :2
	v_cvt_f32_f16_sdwa v17, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :2
	v_cvt_f32_f16_e32 v18, v2                              ; convert :2
	v_cvt_f32_f16_sdwa v19, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :2
	v_cvt_f32_f16_e32 v20, v3                              ; convert :2
	v_cvt_f32_f16_sdwa v21, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :2
	.loc	1 4 1
	v_pk_fma_f32 v[22:23], v[14:15], s[0:1], v[4:5] op_sel_hi:[1,0,0] ; fma :4
	v_pk_fma_f32 v[24:25], v[16:17], s[0:1], v[4:5] op_sel_hi:[1,0,0] ; fma :4
	v_pk_fma_f32 v[26:27], v[18:19], s[0:1], v[4:5] op_sel_hi:[1,0,0] ; fma :4
	v_pk_fma_f32 v[28:29], v[20:21], s[0:1], v[4:5] op_sel_hi:[1,0,0] ; fma :4
	v_med3_f32 v22, v22, s2, v6                            ; med3 :4
	v_med3_f32 v23, v23, s2, v6                            ; med3 :4
	v_med3_f32 v24, v24, s2, v6                            ; med3 :4
	v_med3_f32 v25, v25, s2, v6                            ; med3 :4
	v_med3_f32 v26, v26, s2, v6                            ; med3 :4
	v_med3_f32 v27, v27, s2, v6                            ; med3 :4
	v_med3_f32 v28, v28, s2, v6                            ; med3 :4
	v_med3_f32 v29, v29, s2, v6                            ; med3 :4
	v_pk_add_f32 v[0:1], v[22:23], s[4:5] op_sel_hi:[1,0]  ; sub :4
	v_pk_add_f32 v[2:3], v[24:25], s[4:5] op_sel_hi:[1,0]  ; sub :4
	v_pk_add_f32 v[4:5], v[26:27], s[4:5] op_sel_hi:[1,0]  ; sub :4
	v_pk_add_f32 v[6:7], v[28:29], s[4:5] op_sel_hi:[1,0]  ; sub :4
	v_pk_fma_f32 v[0:1], v[14:15], s[0:1], v[0:1] op_sel_hi:[1,0,1] neg_lo:[0,0,1] neg_hi:[0,0,1] ; fma :4
	v_pk_fma_f32 v[2:3], v[16:17], s[0:1], v[2:3] op_sel_hi:[1,0,1] neg_lo:[0,0,1] neg_hi:[0,0,1] ; fma :4
	v_pk_fma_f32 v[4:5], v[18:19], s[0:1], v[4:5] op_sel_hi:[1,0,1] neg_lo:[0,0,1] neg_hi:[0,0,1] ; fma :4
	v_pk_fma_f32 v[6:7], v[20:21], s[0:1], v[6:7] op_sel_hi:[1,0,1] neg_lo:[0,0,1] neg_hi:[0,0,1] ; fma :4
	v_pk_fma_f32 v[0:1], v[14:15], s[8:9], v[0:1] op_sel_hi:[1,0,1] ; fma :4
	v_pk_fma_f32 v[2:3], v[16:17], s[8:9], v[2:3] op_sel_hi:[1,0,1] ; fma :4
	v_pk_fma_f32 v[4:5], v[18:19], s[8:9], v[4:5] op_sel_hi:[1,0,1] ; fma :4
	v_pk_fma_f32 v[6:7], v[20:21], s[8:9], v[6:7] op_sel_hi:[1,0,1] ; fma :4
	v_exp_f32_e32 v14, v0                                  ; hw_exp2 :4
	v_exp_f32_e32 v15, v1                                  ; hw_exp2 :4
	v_exp_f32_e32 v16, v2                                  ; hw_exp2 :4
	v_exp_f32_e32 v17, v3                                  ; hw_exp2 :4
	v_exp_f32_e32 v18, v4                                  ; hw_exp2 :4
	v_exp_f32_e32 v19, v5                                  ; hw_exp2 :4
	v_exp_f32_e32 v20, v6                                  ; hw_exp2 :4
	v_exp_f32_e32 v21, v7                                  ; hw_exp2 :4
	v_cmp_lt_f32_e64 vcc, |v0|, s3                         ; less :4
	v_cmp_lt_f32_e64 s[0:1], |v1|, s3                      ; less :4
	v_cmp_lt_f32_e64 s[4:5], |v2|, s3                      ; less :4
	v_cmp_lt_f32_e64 s[8:9], |v3|, s3                      ; less :4
	v_cmp_lt_f32_e64 s[12:13], |v4|, s3                    ; less :4
	v_cmp_lt_f32_e64 s[14:15], |v5|, s3                    ; less :4
	v_cmp_lt_f32_e64 s[16:17], |v6|, s3                    ; less :4
	v_cmp_lt_f32_e64 s[2:3], |v7|, s3                      ; less :4
	v_pk_fma_f32 v[0:1], v[0:1], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :4
	v_pk_fma_f32 v[2:3], v[2:3], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :4
	v_pk_fma_f32 v[4:5], v[4:5], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :4
	v_pk_fma_f32 v[6:7], v[6:7], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :4
	v_subrev_u32_e32 v22, 0x4b400000, v22                  ; sub :4
	v_subrev_u32_e32 v23, 0x4b400000, v23                  ; sub :4
	v_subrev_u32_e32 v24, 0x4b400000, v24                  ; sub :4
	v_subrev_u32_e32 v25, 0x4b400000, v25                  ; sub :4
	v_subrev_u32_e32 v26, 0x4b400000, v26                  ; sub :4
	v_subrev_u32_e32 v27, 0x4b400000, v27                  ; sub :4
	v_subrev_u32_e32 v28, 0x4b400000, v28                  ; sub :4
	v_subrev_u32_e32 v29, 0x4b400000, v29                  ; sub :4
	v_cndmask_b32_e32 v0, v14, v0, vcc                     ; where :4
	v_cndmask_b32_e64 v1, v15, v1, s[0:1]                  ; where :4
	v_cndmask_b32_e64 v2, v16, v2, s[4:5]                  ; where :4
	v_cndmask_b32_e64 v3, v17, v3, s[8:9]                  ; where :4
	v_cndmask_b32_e64 v4, v18, v4, s[12:13]                ; where :4
	v_cndmask_b32_e64 v5, v19, v5, s[14:15]                ; where :4
	v_cndmask_b32_e64 v6, v20, v6, s[16:17]                ; where :4
	v_cndmask_b32_e64 v7, v21, v7, s[2:3]                  ; where :4
	v_ldexp_f32 v0, v0, v22                                ; ldexp :4
	v_ldexp_f32 v1, v1, v23                                ; ldexp :4
	v_ldexp_f32 v2, v2, v24                                ; ldexp :4
	v_ldexp_f32 v3, v3, v25                                ; ldexp :4
	v_ldexp_f32 v4, v4, v26                                ; ldexp :4
	v_ldexp_f32 v5, v5, v27                                ; ldexp :4
	v_ldexp_f32 v6, v6, v28                                ; ldexp :4
	v_ldexp_f32 v7, v7, v29                                ; ldexp :4
	.loc	1 3 5
	s_waitcnt vmcnt(0)                                     ; convert :3, vmcnt: global_load_dwordx4, <text>.gen:3:5
	v_cvt_f32_f16_e32 v14, v10                             ; convert :3
	v_cvt_f32_f16_sdwa v15, v10 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :3
	v_cvt_f32_f16_e32 v16, v11                             ; convert :3
	v_cvt_f32_f16_sdwa v17, v11 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :3
	v_cvt_f32_f16_e32 v18, v12                             ; convert :3
	v_cvt_f32_f16_sdwa v19, v12 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :3
	v_cvt_f32_f16_e32 v20, v13                             ; convert :3
	v_cvt_f32_f16_sdwa v21, v13 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :3
	.loc	1 5 1
	v_pk_mul_f32 v[0:1], v[0:1], v[14:15]                  ; mul :5
	v_pk_mul_f32 v[2:3], v[2:3], v[16:17]                  ; mul :5
	v_pk_mul_f32 v[4:5], v[4:5], v[18:19]                  ; mul :5
	v_pk_mul_f32 v[6:7], v[6:7], v[20:21]                  ; mul :5
	.loc	1 6 1
	v_cvt_f16_f32_e32 v0, v0                               ; convert :6
	v_cvt_f16_f32_e32 v1, v1                               ; convert :6
	v_cvt_f16_f32_e32 v2, v2                               ; convert :6
	v_cvt_f16_f32_e32 v3, v3                               ; convert :6
	v_cvt_f16_f32_e32 v4, v4                               ; convert :6
	v_cvt_f16_f32_e32 v5, v5                               ; convert :6
	v_cvt_f16_f32_e32 v6, v6                               ; convert :6
	v_cvt_f16_f32_e32 v7, v7                               ; convert :6
	v_pack_b32_f16 v0, v0, v1                              ; convert :6
	v_pack_b32_f16 v1, v2, v3                              ; convert :6
	v_pack_b32_f16 v2, v4, v5                              ; convert :6
	v_pack_b32_f16 v3, v6, v7                              ; convert :6
	global_store_dwordx4 v8, v[0:3], s[6:7]                ; vector_store :6
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
		.amdhsa_next_free_vgpr 30
		.amdhsa_next_free_sgpr 18
		.amdhsa_accum_offset 32
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
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
    .sgpr_count: 24
    .vgpr_count: 30
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
