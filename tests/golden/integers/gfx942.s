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
	s_lshl_b32 s0, s10, 10                                 ; load :2
	v_lshl_add_u32 v0, v0, 2, s0                           ; load :2
	.loc	1 3 5
	global_load_dword v1, v0, s[4:5]                       ; load :3
	.loc	1 2 5
	global_load_dword v2, v0, s[2:3]                       ; load :2
	.loc	1 6 1
	s_mov_b32 s0, 0x66666667                               ; multiply_high :6
	.loc	1 8 1
	v_mov_b32_e32 v3, 0x5f800000                           ; where :8
	s_movk_i32 s2, 0x260                                   ; is_class :8
	v_mov_b32_e32 v4, 0x2f800000                           ; where :8
	.loc	1 5 1
	s_waitcnt vmcnt(1)                                     ; sub :5, vmcnt: global_load_dword, <text>.gen:3:5
	v_sub_u32_e32 v5, 0, v1                                ; sub :5
	v_max_i32_e32 v5, v1, v5                               ; max :5
	v_cvt_f32_u32_e32 v6, v5                               ; convert :5
	v_rcp_f32_e32 v6, v6                                   ; hw_rcp :5
	v_sub_u32_e32 v7, 0, v5                                ; sub :5
	v_mul_f32_e32 v6, 0x4f7ffff8, v6                       ; mul :5
	v_cvt_u32_f32_e32 v6, v6                               ; convert :5
	v_mul_lo_u32 v7, v7, v6                                ; mul :5
	s_waitcnt vmcnt(0)                                     ; sub :5, vmcnt: global_load_dword, <text>.gen:2:5
	v_sub_u32_e32 v8, 0, v2                                ; sub :5
	v_mul_hi_u32 v7, v6, v7                                ; multiply_high :5
	v_max_i32_e32 v8, v2, v8                               ; max :5
	v_add_u32_e32 v6, v7, v6                               ; add :5
	v_mul_hi_u32 v6, v8, v6                                ; multiply_high :5
	v_mul_lo_u32 v7, v6, v5                                ; mul :5
	v_sub_u32_e32 v7, v8, v7                               ; sub :5
	v_cmp_ge_u32_e64 s[4:5], v7, v5                        ; greater_equal :5
	v_sub_u32_e32 v8, v7, v5                               ; sub :5
	v_add_u32_e32 v9, 1, v6                                ; add :5
	v_cndmask_b32_e64 v7, v7, v8, s[4:5]                   ; where :5
	v_cmp_ge_u32_e32 vcc, v7, v5                           ; where :5
	v_cndmask_b32_e64 v6, v6, v9, s[4:5]                   ; where :5
	v_add_u32_e32 v7, 1, v6                                ; add :5
	v_cndmask_b32_e32 v6, v6, v7, vcc                      ; where :5
	v_cmp_eq_u32_e32 vcc, 0, v5                            ; where :5
	v_xor_b32_e32 v1, v2, v1                               ; bitwise_xor :5
	v_ashrrev_i32_e32 v1, 31, v1                           ; shift_right :5
	v_cndmask_b32_e64 v2, v6, 0, vcc                       ; where :5
	v_xor_b32_e32 v2, v2, v1                               ; bitwise_xor :5
	v_sub_u32_e32 v1, v2, v1                               ; sub :5
	.loc	1 6 1
	v_mul_hi_i32 v2, v1, s0                                ; multiply_high :6
	v_ashrrev_i32_e32 v2, 2, v2                            ; shift_right :6
	v_ashrrev_i32_e32 v1, 31, v1                           ; shift_right :6
	v_sub_u32_e32 v1, v2, v1                               ; sub :6
	.loc	1 7 1
	v_cvt_f32_i32_e32 v2, v1                               ; convert :7
	.loc	1 8 1
	v_cmp_gt_f32_e32 vcc, 0xf800000, v2                    ; less :8
	v_cmp_class_f32_e64 s[0:1], v2, s2                     ; is_class :8
	.loc	1 9 1
	global_store_dword v0, v1, s[6:7]                      ; store :9
	.loc	1 8 1
	v_cndmask_b32_e32 v1, 1.0, v3, vcc                     ; where :8
	v_mul_f32_e32 v1, v2, v1                               ; mul :8
	v_rsq_f32_e32 v3, v1                                   ; hw_rsq :8
	s_nop 0                                                ; mul :8, transcendental result read by VALU: v3 of v_rsq_f32_e32
	v_mul_f32_e32 v5, v1, v3                               ; mul :8
	v_fma_f32 v1, -v5, v5, v1                              ; fma :8
	v_mul_f32_e32 v3, 0.5, v3                              ; mul :8
	v_fmac_f32_e32 v5, v1, v3                              ; fma :8
	v_cndmask_b32_e32 v1, 1.0, v4, vcc                     ; where :8
	v_mul_f32_e32 v1, v5, v1                               ; mul :8
	v_cndmask_b32_e64 v1, v1, v2, s[0:1]                   ; where :8
	.loc	1 9 1
	global_store_dword v0, v1, s[8:9]                      ; store :9
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
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 11
		.amdhsa_accum_offset 12
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
    .sgpr_count: 17
    .vgpr_count: 10
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
