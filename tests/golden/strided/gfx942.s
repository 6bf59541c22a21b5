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
	v_and_b32_e32 v20, 15, v0                              ; bitwise_and :2
	v_lshrrev_b32_e32 v19, 4, v0                           ; shift_right :2
	s_lshl_b32 s0, s8, 6                                   ; load :2
	v_mov_b32_e32 v18, 0x300                               ; load :2
	v_mad_u32_u24 v20, v20, v18, s0                        ; load :2
	.loc	1 3 5
	v_lshl_add_u32 v18, v19, 2, s0                         ; load :3
	.loc	1 2 5
	v_lshl_add_u32 v20, v19, 2, v20                        ; load :2
	.loc	1 3 5
	global_load_dword v19, v18, s[4:5]                     ; load :3
	.loc	1 2 5
	global_load_dword v2, v20, s[2:3]                      ; load :2
	global_load_dword v3, v20, s[2:3] offset:192           ; load :2
	global_load_dword v4, v20, s[2:3] offset:384           ; load :2
	global_load_dword v5, v20, s[2:3] offset:576           ; load :2
	.loc	1 5 1
	s_mov_b64 s[0:1], 0x4038aa3b                           ; mul :5
	s_mov_b64 s[2:3], 0x3c86a81b                           ; fma :5
	v_mov_b64_e32 v[6:7], 0xbd57be66                       ; fma :5
	s_mov_b64 s[4:5], 0x3e08677b                           ; fma :5
	s_mov_b64 s[10:11], 0xbeaaaa29                         ; fma :5
	s_mov_b32 s9, 0x3f0ccccd                               ; less :5
	s_mov_b32 s12, 0x7fffffff                              ; copysign :5
	.loc	1 6 1
	s_lshl_b32 s8, s8, 12                                  ; vector_store :6
	v_lshl_add_u32 v20, v0, 4, s8                          ; vector_store :6
	.loc	1 4 1
	s_waitcnt vmcnt(2)                                     ; splat :4, vmcnt: global_load_dword, <text>.gen:3:5; vmcnt: global_load_dword, <text>.gen:2:5
	v_mov_b32_e32 v18, v19                                 ; splat :4
	v_pk_add_f32 v[0:1], v[2:3], v[18:19]                  ; add :4
	s_waitcnt vmcnt(0)                                     ; add :4, vmcnt: global_load_dword, <text>.gen:2:5
	v_pk_add_f32 v[2:3], v[4:5], v[18:19]                  ; add :4
	.loc	1 5 1
	v_pk_mul_f32 v[8:9], v[0:1], s[0:1] op_sel_hi:[1,0]    ; mul :5
	v_pk_mul_f32 v[10:11], v[2:3], s[0:1] op_sel_hi:[1,0]  ; mul :5
	v_exp_f32_e64 v8, -|v8|                                ; hw_exp2 :5
	v_exp_f32_e64 v9, -|v9|                                ; hw_exp2 :5
	v_exp_f32_e64 v10, -|v10|                              ; hw_exp2 :5
	v_exp_f32_e64 v11, -|v11|                              ; hw_exp2 :5
	v_pk_add_f32 v[12:13], v[8:9], 1.0 op_sel_hi:[1,0]     ; add :5
	v_pk_add_f32 v[14:15], v[10:11], 1.0 op_sel_hi:[1,0]   ; add :5
	v_pk_mul_f32 v[16:17], v[0:1], v[0:1]                  ; mul :5
	v_pk_mul_f32 v[18:19], v[2:3], v[2:3]                  ; mul :5
	v_rcp_f32_e32 v12, v12                                 ; hw_rcp :5
	v_rcp_f32_e32 v13, v13                                 ; hw_rcp :5
	v_rcp_f32_e32 v14, v14                                 ; hw_rcp :5
	v_rcp_f32_e32 v15, v15                                 ; hw_rcp :5
	v_pk_fma_f32 v[4:5], s[2:3], v[16:17], v[6:7] op_sel_hi:[0,1,0] ; fma :5
	v_pk_fma_f32 v[6:7], s[2:3], v[18:19], v[6:7] op_sel_hi:[0,1,0] ; fma :5
	v_pk_fma_f32 v[4:5], v[4:5], v[16:17], s[4:5] op_sel_hi:[1,1,0] ; fma :5
	v_pk_fma_f32 v[6:7], v[6:7], v[18:19], s[4:5] op_sel_hi:[1,1,0] ; fma :5
	v_pk_mul_f32 v[8:9], v[8:9], v[12:13]                  ; mul :5
	v_pk_mul_f32 v[10:11], v[10:11], v[14:15]              ; mul :5
	v_pk_mul_f32 v[12:13], v[0:1], v[16:17]                ; mul :5
	v_pk_mul_f32 v[14:15], v[2:3], v[18:19]                ; mul :5
	v_pk_fma_f32 v[4:5], v[4:5], v[16:17], s[10:11] op_sel_hi:[1,1,0] ; fma :5
	v_pk_fma_f32 v[6:7], v[6:7], v[18:19], s[10:11] op_sel_hi:[1,1,0] ; fma :5
	v_cmp_lt_f32_e64 vcc, |v0|, s9                         ; less :5
	v_cmp_lt_f32_e64 s[0:1], |v1|, s9                      ; less :5
	v_cmp_lt_f32_e64 s[2:3], |v2|, s9                      ; less :5
	v_cmp_lt_f32_e64 s[4:5], |v3|, s9                      ; less :5
	v_pk_fma_f32 v[8:9], v[8:9], -2.0, 1.0 op_sel_hi:[1,0,0] ; fma :5
	v_pk_fma_f32 v[10:11], v[10:11], -2.0, 1.0 op_sel_hi:[1,0,0] ; fma :5
	v_pk_fma_f32 v[4:5], v[12:13], v[4:5], v[0:1]          ; fma :5
	v_pk_fma_f32 v[6:7], v[14:15], v[6:7], v[2:3]          ; fma :5
	v_cndmask_b32_e32 v4, v8, v4, vcc                      ; where :5
	v_cndmask_b32_e64 v5, v9, v5, s[0:1]                   ; where :5
	v_cndmask_b32_e64 v6, v10, v6, s[2:3]                  ; where :5
	v_cndmask_b32_e64 v7, v11, v7, s[4:5]                  ; where :5
	v_bfi_b32 v0, s12, v4, v0                              ; copysign :5
	v_bfi_b32 v1, s12, v5, v1                              ; copysign :5
	v_bfi_b32 v2, s12, v6, v2                              ; copysign :5
	v_bfi_b32 v3, s12, v7, v3                              ; copysign :5
	.loc	1 6 1
	global_store_dwordx4 v20, v[0:3], s[6:7]               ; vector_store :6
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
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 21
		.amdhsa_next_free_sgpr 13
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
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 19
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
      - .name: "b"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: read_only
      - .name: "t"
        .offset: 16
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
