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
	s_load_dwordx2 s[4:5], s[0:1], 0x8                     ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .L_text_.entry
	.p2align	8
.L_text_.entry:
	.loc	1 2 5
	v_lshlrev_b32_e32 v20, 2, v0                           ; multiple :2
	v_min_u32_e32 v20, 0x3f9, v20                          ; min :2
	v_lshlrev_b32_e32 v20, 2, v20                          ; vector_load :2
	global_load_dwordx4 v[0:3], v20, s[2:3]                ; vector_load :2
	.loc	1 3 1
	s_mov_b64 s[0:1], 0x3fb8aa3b                           ; fma :3
	v_mov_b64_e32 v[4:5], 0x4b400000                       ; fma :3
	s_mov_b32 s2, 0x4b3fff68                               ; med3 :3
	v_mov_b32_e32 v19, 0x4b400081                          ; med3 :3
	s_mov_b64 s[6:7], 0x4b400000                           ; sub :3
	s_mov_b64 s[8:9], 0x32a57060                           ; fma :3
	s_waitcnt vmcnt(0)                                     ; min :3, vmcnt: global_load_dwordx4, <text>.gen:2:5
	v_min_f32_e64 v6, v0, -v0                              ; min :3
	v_min_f32_e64 v7, v1, -v1                              ; min :3
	v_min_f32_e64 v8, v2, -v2                              ; min :3
	v_min_f32_e64 v9, v3, -v3                              ; min :3
	v_pk_fma_f32 v[10:11], v[6:7], s[0:1], v[4:5] op_sel_hi:[1,0,0] ; fma :3
	v_pk_fma_f32 v[12:13], v[8:9], s[0:1], v[4:5] op_sel_hi:[1,0,0] ; fma :3
	v_med3_f32 v10, v10, s2, v19                           ; med3 :3
	v_med3_f32 v11, v11, s2, v19                           ; med3 :3
	v_med3_f32 v12, v12, s2, v19                           ; med3 :3
	v_med3_f32 v13, v13, s2, v19                           ; med3 :3
	v_pk_add_f32 v[14:15], s[6:7], v[10:11] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :3
	v_pk_add_f32 v[16:17], s[6:7], v[12:13] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :3
	v_pk_fma_f32 v[14:15], v[6:7], s[0:1], v[14:15] op_sel_hi:[1,0,1] ; fma :3
	v_pk_fma_f32 v[16:17], v[8:9], s[0:1], v[16:17] op_sel_hi:[1,0,1] ; fma :3
	v_pk_fma_f32 v[4:5], v[6:7], s[8:9], v[14:15] op_sel_hi:[1,0,1] ; fma :3
	v_pk_fma_f32 v[6:7], v[8:9], s[8:9], v[16:17] op_sel_hi:[1,0,1] ; fma :3
	v_exp_f32_e32 v4, v4                                   ; hw_exp2 :3
	v_exp_f32_e32 v5, v5                                   ; hw_exp2 :3
	v_exp_f32_e32 v6, v6                                   ; hw_exp2 :3
	v_exp_f32_e32 v7, v7                                   ; hw_exp2 :3
	v_subrev_u32_e32 v8, 0x4b400000, v10                   ; sub :3
	v_subrev_u32_e32 v9, 0x4b400000, v11                   ; sub :3
	v_subrev_u32_e32 v10, 0x4b400000, v12                  ; sub :3
	v_subrev_u32_e32 v11, 0x4b400000, v13                  ; sub :3
	v_ldexp_f32 v4, v4, v8                                 ; ldexp :3
	v_ldexp_f32 v5, v5, v9                                 ; ldexp :3
	v_ldexp_f32 v6, v6, v10                                ; ldexp :3
	v_ldexp_f32 v7, v7, v11                                ; ldexp :3
	v_pk_add_f32 v[8:9], v[4:5], 1.0 op_sel_hi:[1,0]       ; add :3
	v_pk_add_f32 v[10:11], v[6:7], 1.0 op_sel_hi:[1,0]     ; add :3
	v_rcp_f32_e32 v8, v8                                   ; hw_rcp :3
	v_rcp_f32_e32 v9, v9                                   ; hw_rcp :3
	v_rcp_f32_e32 v10, v10                                 ; hw_rcp :3
	v_rcp_f32_e32 v11, v11                                 ; hw_rcp :3
	v_pk_add_f32 v[12:13], 1.0, v[8:9] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :3
	v_pk_add_f32 v[14:15], 1.0, v[10:11] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :3
	v_pk_fma_f32 v[16:17], v[4:5], v[8:9], v[12:13] neg_lo:[1,0,0] neg_hi:[1,0,0] ; fma :3
	v_pk_fma_f32 v[18:19], v[6:7], v[10:11], v[14:15] neg_lo:[1,0,0] neg_hi:[1,0,0] ; fma :3
	v_cmp_gt_f32_e32 vcc, 0, v0                            ; less :3
	v_cmp_lt_f32_e64 s[0:1], v1, 0                         ; less :3
	v_cmp_lt_f32_e64 s[2:3], v2, 0                         ; less :3
	v_cmp_lt_f32_e64 s[6:7], v3, 0                         ; less :3
	v_pk_fma_f32 v[0:1], v[16:17], v[8:9], v[12:13] neg_lo:[0,0,1] neg_hi:[0,0,1] ; fma :3
	v_pk_fma_f32 v[2:3], v[18:19], v[10:11], v[14:15] neg_lo:[0,0,1] neg_hi:[0,0,1] ; fma :3
	v_cndmask_b32_e32 v4, 1.0, v4, vcc                     ; where :3
	v_cndmask_b32_e64 v5, 1.0, v5, s[0:1]                  ; where :3
	v_cndmask_b32_e64 v6, 1.0, v6, s[2:3]                  ; where :3
	v_cndmask_b32_e64 v7, 1.0, v7, s[6:7]                  ; where :3
	v_pk_fma_f32 v[0:1], v[4:5], v[0:1], v[4:5]            ; fma :3
	v_pk_fma_f32 v[2:3], v[6:7], v[2:3], v[6:7]            ; fma :3
	.loc	1 4 1
	global_store_dwordx4 v20, v[0:3], s[4:5]               ; vector_store :4
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
		.amdhsa_kernarg_size 16
		.amdhsa_user_sgpr_count 6
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_user_sgpr_kernarg_preload_length 4
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
    .kernarg_segment_size: 16
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
      - .name: "y"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
