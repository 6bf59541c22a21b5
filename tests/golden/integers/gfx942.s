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
	s_load_dwordx2 s[8:9], s[0:1], 0x18                    ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .L_text_.entry
	.p2align	8
.L_text_.entry:
	.loc	1 2 5
	v_lshlrev_b32_e32 v20, 4, v0                           ; vector_load :2
	global_load_dwordx4 v[0:3], v20, s[2:3]                ; vector_load :2
	.loc	1 3 5
	global_load_dwordx4 v[4:7], v20, s[4:5]                ; vector_load :3
	.loc	1 5 1
	s_waitcnt vmcnt(0)                                     ; bitwise_xor :5, vmcnt: global_load_dwordx4, <text>.gen:3:5
	v_xor_b32_e32 v8, v0, v4                               ; bitwise_xor :5
	v_xor_b32_e32 v9, v1, v5                               ; bitwise_xor :5
	v_xor_b32_e32 v10, v2, v6                              ; bitwise_xor :5
	v_xor_b32_e32 v11, v3, v7                              ; bitwise_xor :5
	v_ashrrev_i32_e32 v8, 31, v8                           ; shift_right :5
	v_ashrrev_i32_e32 v9, 31, v9                           ; shift_right :5
	v_ashrrev_i32_e32 v10, 31, v10                         ; shift_right :5
	v_ashrrev_i32_e32 v11, 31, v11                         ; shift_right :5
	v_sub_u32_e32 v12, 0, v0                               ; sub :5
	v_sub_u32_e32 v13, 0, v1                               ; sub :5
	v_sub_u32_e32 v14, 0, v2                               ; sub :5
	v_sub_u32_e32 v15, 0, v3                               ; sub :5
	v_max_i32_e32 v0, v0, v12                              ; max :5
	v_max_i32_e32 v1, v1, v13                              ; max :5
	v_max_i32_e32 v2, v2, v14                              ; max :5
	v_max_i32_e32 v3, v3, v15                              ; max :5
	v_sub_u32_e32 v12, 0, v4                               ; sub :5
	v_sub_u32_e32 v13, 0, v5                               ; sub :5
	v_sub_u32_e32 v14, 0, v6                               ; sub :5
	v_sub_u32_e32 v15, 0, v7                               ; sub :5
	v_max_i32_e32 v4, v4, v12                              ; max :5
	v_max_i32_e32 v5, v5, v13                              ; max :5
	v_max_i32_e32 v6, v6, v14                              ; max :5
	v_max_i32_e32 v7, v7, v15                              ; max :5
	v_cvt_f32_u32_e32 v12, v4                              ; convert :5
	v_cvt_f32_u32_e32 v13, v5                              ; convert :5
	v_cvt_f32_u32_e32 v14, v6                              ; convert :5
	v_cvt_f32_u32_e32 v15, v7                              ; convert :5
	v_rcp_f32_e32 v12, v12                                 ; hw_rcp :5
	v_rcp_f32_e32 v13, v13                                 ; hw_rcp :5
	v_rcp_f32_e32 v14, v14                                 ; hw_rcp :5
	v_rcp_f32_e32 v15, v15                                 ; hw_rcp :5
	s_mov_b64 s[0:1], 0x4f7ffff8                           ; mul :5
	v_pk_mul_f32 v[12:13], v[12:13], s[0:1] op_sel_hi:[1,0] ; mul :5
	v_pk_mul_f32 v[14:15], v[14:15], s[0:1] op_sel_hi:[1,0] ; mul :5
	v_cvt_u32_f32_e32 v12, v12                             ; convert :5
	v_cvt_u32_f32_e32 v13, v13                             ; convert :5
	v_cvt_u32_f32_e32 v14, v14                             ; convert :5
	v_cvt_u32_f32_e32 v15, v15                             ; convert :5
	v_sub_u32_e32 v16, 0, v4                               ; sub :5
	v_sub_u32_e32 v17, 0, v5                               ; sub :5
	v_sub_u32_e32 v18, 0, v6                               ; sub :5
	v_sub_u32_e32 v19, 0, v7                               ; sub :5
	v_mul_lo_u32 v16, v16, v12                             ; mul :5
	v_mul_lo_u32 v17, v17, v13                             ; mul :5
	v_mul_lo_u32 v18, v18, v14                             ; mul :5
	v_mul_lo_u32 v19, v19, v15                             ; mul :5
	v_mul_hi_u32 v16, v12, v16                             ; multiply_high :5
	v_mul_hi_u32 v17, v13, v17                             ; multiply_high :5
	v_mul_hi_u32 v18, v14, v18                             ; multiply_high :5
	v_mul_hi_u32 v19, v15, v19                             ; multiply_high :5
	v_add_u32_e32 v12, v12, v16                            ; add :5
	v_add_u32_e32 v13, v13, v17                            ; add :5
	v_add_u32_e32 v14, v14, v18                            ; add :5
	v_add_u32_e32 v15, v15, v19                            ; add :5
	v_mul_hi_u32 v12, v0, v12                              ; multiply_high :5
	v_mul_hi_u32 v13, v1, v13                              ; multiply_high :5
	v_mul_hi_u32 v14, v2, v14                              ; multiply_high :5
	v_mul_hi_u32 v15, v3, v15                              ; multiply_high :5
	v_mul_lo_u32 v16, v12, v4                              ; mul :5
	v_mul_lo_u32 v17, v13, v5                              ; mul :5
	v_mul_lo_u32 v18, v14, v6                              ; mul :5
	v_mul_lo_u32 v19, v15, v7                              ; mul :5
	v_sub_u32_e32 v0, v0, v16                              ; sub :5
	v_sub_u32_e32 v1, v1, v17                              ; sub :5
	v_sub_u32_e32 v2, v2, v18                              ; sub :5
	v_sub_u32_e32 v3, v3, v19                              ; sub :5
	v_cmp_ge_u32_e32 vcc, v0, v4                           ; greater_equal :5
	v_cmp_ge_u32_e64 s[0:1], v1, v5                        ; greater_equal :5
	v_cmp_ge_u32_e64 s[2:3], v2, v6                        ; greater_equal :5
	v_cmp_ge_u32_e64 s[4:5], v3, v7                        ; greater_equal :5
	v_add_u32_e32 v16, 1, v12                              ; add :5
	v_add_u32_e32 v17, 1, v13                              ; add :5
	v_add_u32_e32 v18, 1, v14                              ; add :5
	v_add_u32_e32 v19, 1, v15                              ; add :5
	v_cndmask_b32_e32 v12, v12, v16, vcc                   ; where :5
	v_cndmask_b32_e64 v13, v13, v17, s[0:1]                ; where :5
	v_cndmask_b32_e64 v14, v14, v18, s[2:3]                ; where :5
	v_cndmask_b32_e64 v15, v15, v19, s[4:5]                ; where :5
	v_sub_u32_e32 v16, v0, v4                              ; sub :5
	v_sub_u32_e32 v17, v1, v5                              ; sub :5
	v_sub_u32_e32 v18, v2, v6                              ; sub :5
	v_sub_u32_e32 v19, v3, v7                              ; sub :5
	v_cndmask_b32_e32 v0, v0, v16, vcc                     ; where :5
	v_cndmask_b32_e64 v1, v1, v17, s[0:1]                  ; where :5
	v_cndmask_b32_e64 v2, v2, v18, s[2:3]                  ; where :5
	v_cndmask_b32_e64 v3, v3, v19, s[4:5]                  ; where :5
	v_cmp_ge_u32_e32 vcc, v0, v4                           ; greater_equal :5
	v_cmp_ge_u32_e64 s[0:1], v1, v5                        ; greater_equal :5
	v_cmp_ge_u32_e64 s[2:3], v2, v6                        ; greater_equal :5
	v_cmp_ge_u32_e64 s[4:5], v3, v7                        ; greater_equal :5
	v_add_u32_e32 v0, 1, v12                               ; add :5
	v_add_u32_e32 v1, 1, v13                               ; add :5
	v_add_u32_e32 v2, 1, v14                               ; add :5
	v_add_u32_e32 v3, 1, v15                               ; add :5
	v_cndmask_b32_e32 v0, v12, v0, vcc                     ; where :5
	v_cndmask_b32_e64 v1, v13, v1, s[0:1]                  ; where :5
	v_cndmask_b32_e64 v2, v14, v2, s[2:3]                  ; where :5
	v_cndmask_b32_e64 v3, v15, v3, s[4:5]                  ; where :5
	v_cmp_eq_u32_e32 vcc, 0, v4                            ; equal :5
	v_cmp_eq_u32_e64 s[0:1], v5, 0                         ; equal :5
	v_cmp_eq_u32_e64 s[2:3], v6, 0                         ; equal :5
	v_cmp_eq_u32_e64 s[4:5], v7, 0                         ; equal :5
	v_cndmask_b32_e64 v0, v0, 0, vcc                       ; where :5
	v_cndmask_b32_e64 v1, v1, 0, s[0:1]                    ; where :5
	v_cndmask_b32_e64 v2, v2, 0, s[2:3]                    ; where :5
	v_cndmask_b32_e64 v3, v3, 0, s[4:5]                    ; where :5
	v_xor_b32_e32 v0, v0, v8                               ; bitwise_xor :5
	v_xor_b32_e32 v1, v1, v9                               ; bitwise_xor :5
	v_xor_b32_e32 v2, v2, v10                              ; bitwise_xor :5
	v_xor_b32_e32 v3, v3, v11                              ; bitwise_xor :5
	v_sub_u32_e32 v0, v0, v8                               ; sub :5
	v_sub_u32_e32 v1, v1, v9                               ; sub :5
	v_sub_u32_e32 v2, v2, v10                              ; sub :5
	v_sub_u32_e32 v3, v3, v11                              ; sub :5
	.loc	1 6 1
	s_mov_b32 s0, 0x66666667                               ; multiply_high :6
	v_mul_hi_i32 v4, v0, s0                                ; multiply_high :6
	v_mul_hi_i32 v5, v1, s0                                ; multiply_high :6
	v_mul_hi_i32 v6, v2, s0                                ; multiply_high :6
	v_mul_hi_i32 v7, v3, s0                                ; multiply_high :6
	v_ashrrev_i32_e32 v4, 2, v4                            ; shift_right :6
	v_ashrrev_i32_e32 v5, 2, v5                            ; shift_right :6
	v_ashrrev_i32_e32 v6, 2, v6                            ; shift_right :6
	v_ashrrev_i32_e32 v7, 2, v7                            ; shift_right :6
	v_ashrrev_i32_e32 v0, 31, v0                           ; shift_right :6
	v_ashrrev_i32_e32 v1, 31, v1                           ; shift_right :6
	v_ashrrev_i32_e32 v2, 31, v2                           ; shift_right :6
	v_ashrrev_i32_e32 v3, 31, v3                           ; shift_right :6
	v_sub_u32_e32 v0, v4, v0                               ; sub :6
	v_sub_u32_e32 v1, v5, v1                               ; sub :6
	v_sub_u32_e32 v2, v6, v2                               ; sub :6
	v_sub_u32_e32 v3, v7, v3                               ; sub :6
	.loc	1 9 1
	global_store_dwordx4 v20, v[0:3], s[6:7]               ; vector_store :9
	.loc	1 8 1
	s_mov_b32 s0, 0xf800000                                ; less :8
	v_mov_b32_e32 v19, 0x5f800000                          ; where :8
	.loc	1 7 1
	v_cvt_f32_i32_e32 v0, v0                               ; convert :7
	v_cvt_f32_i32_e32 v1, v1                               ; convert :7
	v_cvt_f32_i32_e32 v2, v2                               ; convert :7
	v_cvt_f32_i32_e32 v3, v3                               ; convert :7
	.loc	1 8 1
	v_cmp_gt_f32_e32 vcc, s0, v0                           ; less :8
	v_cmp_lt_f32_e64 s[2:3], v1, s0                        ; less :8
	v_cmp_lt_f32_e64 s[4:5], v2, s0                        ; less :8
	v_cmp_lt_f32_e64 s[0:1], v3, s0                        ; less :8
	v_cndmask_b32_e32 v4, 1.0, v19, vcc                    ; where :8
	v_cndmask_b32_e64 v5, 1.0, v19, s[2:3]                 ; where :8
	v_cndmask_b32_e64 v6, 1.0, v19, s[4:5]                 ; where :8
	v_cndmask_b32_e64 v7, 1.0, v19, s[0:1]                 ; where :8
	v_pk_mul_f32 v[4:5], v[0:1], v[4:5]                    ; mul :8
	v_pk_mul_f32 v[6:7], v[2:3], v[6:7]                    ; mul :8
	v_rsq_f32_e32 v8, v4                                   ; hw_rsq :8
	v_rsq_f32_e32 v9, v5                                   ; hw_rsq :8
	v_rsq_f32_e32 v10, v6                                  ; hw_rsq :8
	v_rsq_f32_e32 v11, v7                                  ; hw_rsq :8
	v_pk_mul_f32 v[12:13], v[4:5], v[8:9]                  ; mul :8
	v_pk_mul_f32 v[14:15], v[6:7], v[10:11]                ; mul :8
	v_pk_fma_f32 v[4:5], v[12:13], v[12:13], v[4:5] neg_lo:[1,0,0] neg_hi:[1,0,0] ; fma :8
	v_pk_fma_f32 v[6:7], v[14:15], v[14:15], v[6:7] neg_lo:[1,0,0] neg_hi:[1,0,0] ; fma :8
	v_pk_mul_f32 v[8:9], v[8:9], 0.5 op_sel_hi:[1,0]       ; mul :8
	v_pk_mul_f32 v[10:11], v[10:11], 0.5 op_sel_hi:[1,0]   ; mul :8
	v_pk_fma_f32 v[4:5], v[4:5], v[8:9], v[12:13]          ; fma :8
	v_pk_fma_f32 v[6:7], v[6:7], v[10:11], v[14:15]        ; fma :8
	v_mov_b32_e32 v19, 0x2f800000                          ; where :8
	v_cndmask_b32_e32 v8, 1.0, v19, vcc                    ; where :8
	v_cndmask_b32_e64 v9, 1.0, v19, s[2:3]                 ; where :8
	v_cndmask_b32_e64 v10, 1.0, v19, s[4:5]                ; where :8
	v_cndmask_b32_e64 v11, 1.0, v19, s[0:1]                ; where :8
	v_pk_mul_f32 v[4:5], v[4:5], v[8:9]                    ; mul :8
	v_pk_mul_f32 v[6:7], v[6:7], v[10:11]                  ; mul :8
	s_movk_i32 s0, 0x260                                   ; is_class :8
	v_cmp_class_f32_e64 vcc, v0, s0                        ; is_class :8
	v_cmp_class_f32_e64 s[2:3], v1, s0                     ; is_class :8
	v_cmp_class_f32_e64 s[4:5], v2, s0                     ; is_class :8
	v_cmp_class_f32_e64 s[0:1], v3, s0                     ; is_class :8
	v_cndmask_b32_e32 v0, v4, v0, vcc                      ; where :8
	v_cndmask_b32_e64 v1, v5, v1, s[2:3]                   ; where :8
	v_cndmask_b32_e64 v2, v6, v2, s[4:5]                   ; where :8
	v_cndmask_b32_e64 v3, v7, v3, s[0:1]                   ; where :8
	.loc	1 9 1
	global_store_dwordx4 v20, v[0:3], s[8:9]               ; vector_store :9
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
		.amdhsa_kernarg_size 32
		.amdhsa_user_sgpr_count 10
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_user_sgpr_kernarg_preload_length 8
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 0
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 21
		.amdhsa_next_free_sgpr 10
		.amdhsa_accum_offset 24
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
    .kernarg_segment_size: 32
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 21
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 128
    .reqd_workgroup_size:
      - 128
      - 1
      - 1
    .args:
      - .name: "x"
        .offset: 0
        .size: 8
        .value_kind: global_buffer
        .type_name: "i32"
        .address_space: global
        .actual_access: read_only
      - .name: "y"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "i32"
        .address_space: global
        .actual_access: read_only
      - .name: "d"
        .offset: 16
        .size: 8
        .value_kind: global_buffer
        .type_name: "i32"
        .address_space: global
        .actual_access: write_only
      - .name: "s"
        .offset: 24
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
