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
	s_mul_i32 s0, s8, 0x1800                               ; vector_load :2
	s_lshl_b32 s1, s9, 6                                   ; vector_load :2
	v_and_b32_e32 v40, 7, v0                               ; bitwise_and :2
	s_add_u32 s0, s1, s0                                   ; vector_load :2
	v_mov_b32_e32 v39, 0x300                               ; vector_load :2
	v_lshrrev_b32_e32 v38, 3, v0                           ; shift_right :2
	v_mad_u32_u24 v39, v40, v39, s0                        ; vector_load :2
	v_lshl_add_u32 v39, v38, 3, v39                        ; vector_load :2
	global_load_dwordx2 v[0:1], v39, s[2:3]                ; vector_load :2
	.loc	1 3 5
	v_lshl_add_u32 v37, v38, 3, s1                         ; vector_load :3
	.loc	1 2 5
	global_load_dwordx2 v[2:3], v39, s[2:3] offset:192     ; vector_load :2
	global_load_dwordx2 v[4:5], v39, s[2:3] offset:384     ; vector_load :2
	global_load_dwordx2 v[6:7], v39, s[2:3] offset:576     ; vector_load :2
	.loc	1 3 5
	global_load_dwordx2 v[8:9], v37, s[4:5]                ; vector_load :3
	.loc	1 5 1
	s_mov_b64 s[0:1], 0x4038aa3b                           ; mul :5
	s_mov_b64 s[2:3], 0x3c86a81b                           ; fma :5
	v_mov_b64_e32 v[10:11], 0xbd57be66                     ; fma :5
	s_mov_b64 s[4:5], 0x3e08677b                           ; fma :5
	s_mov_b64 s[10:11], 0xbeaaaa29                         ; fma :5
	s_mov_b32 s12, 0x3f0ccccd                              ; less :5
	.loc	1 6 1
	s_lshl_b32 s8, s8, 7                                   ; vector_store :6
	s_lshl_b32 s9, s9, 12                                  ; vector_store :6
	.loc	1 5 1
	s_mov_b32 s13, 0x7fffffff                              ; copysign :5
	.loc	1 6 1
	s_add_u32 s8, s9, s8                                   ; vector_store :6
	v_lshl_add_u32 v40, v40, 4, s8                         ; vector_store :6
	v_lshl_add_u32 v40, v38, 9, v40                        ; vector_store :6
	.loc	1 4 1
	s_waitcnt vmcnt(0)                                     ; add :4, vmcnt: global_load_dwordx2, <text>.gen:3:5
	v_pk_add_f32 v[0:1], v[0:1], v[8:9]                    ; add :4
	v_pk_add_f32 v[2:3], v[2:3], v[8:9]                    ; add :4
	v_pk_add_f32 v[4:5], v[4:5], v[8:9]                    ; add :4
	v_pk_add_f32 v[6:7], v[6:7], v[8:9]                    ; add :4
	.loc	1 5 1
	v_pk_mul_f32 v[8:9], v[0:1], s[0:1] op_sel_hi:[1,0]    ; mul :5
	v_pk_mul_f32 v[12:13], v[2:3], s[0:1] op_sel_hi:[1,0]  ; mul :5
	v_pk_mul_f32 v[14:15], v[4:5], s[0:1] op_sel_hi:[1,0]  ; mul :5
	v_pk_mul_f32 v[16:17], v[6:7], s[0:1] op_sel_hi:[1,0]  ; mul :5
	v_exp_f32_e64 v8, -|v8|                                ; hw_exp2 :5
	v_exp_f32_e64 v9, -|v9|                                ; hw_exp2 :5
	v_exp_f32_e64 v12, -|v12|                              ; hw_exp2 :5
	v_exp_f32_e64 v13, -|v13|                              ; hw_exp2 :5
	v_exp_f32_e64 v14, -|v14|                              ; hw_exp2 :5
	v_exp_f32_e64 v15, -|v15|                              ; hw_exp2 :5
	v_exp_f32_e64 v16, -|v16|                              ; hw_exp2 :5
	v_exp_f32_e64 v17, -|v17|                              ; hw_exp2 :5
	v_pk_add_f32 v[18:19], v[8:9], 1.0 op_sel_hi:[1,0]     ; add :5
	v_pk_add_f32 v[20:21], v[12:13], 1.0 op_sel_hi:[1,0]   ; add :5
	v_pk_add_f32 v[22:23], v[14:15], 1.0 op_sel_hi:[1,0]   ; add :5
	v_pk_add_f32 v[24:25], v[16:17], 1.0 op_sel_hi:[1,0]   ; add :5
	v_pk_mul_f32 v[26:27], v[0:1], v[0:1]                  ; mul :5
	v_pk_mul_f32 v[28:29], v[2:3], v[2:3]                  ; mul :5
	v_pk_mul_f32 v[30:31], v[4:5], v[4:5]                  ; mul :5
	v_pk_mul_f32 v[32:33], v[6:7], v[6:7]                  ; mul :5
	v_rcp_f32_e32 v18, v18                                 ; hw_rcp :5
	v_rcp_f32_e32 v19, v19                                 ; hw_rcp :5
	v_rcp_f32_e32 v20, v20                                 ; hw_rcp :5
	v_rcp_f32_e32 v21, v21                                 ; hw_rcp :5
	v_rcp_f32_e32 v22, v22                                 ; hw_rcp :5
	v_rcp_f32_e32 v23, v23                                 ; hw_rcp :5
	v_rcp_f32_e32 v24, v24                                 ; hw_rcp :5
	v_rcp_f32_e32 v25, v25                                 ; hw_rcp :5
	v_pk_fma_f32 v[34:35], s[2:3], v[26:27], v[10:11] op_sel_hi:[0,1,0] ; fma :5
	v_pk_fma_f32 v[36:37], s[2:3], v[28:29], v[10:11] op_sel_hi:[0,1,0] ; fma :5
	v_pk_fma_f32 v[38:39], s[2:3], v[30:31], v[10:11] op_sel_hi:[0,1,0] ; fma :5
	v_pk_fma_f32 v[10:11], s[2:3], v[32:33], v[10:11] op_sel_hi:[0,1,0] ; fma :5
	v_pk_fma_f32 v[34:35], v[34:35], v[26:27], s[4:5] op_sel_hi:[1,1,0] ; fma :5
	v_pk_fma_f32 v[36:37], v[36:37], v[28:29], s[4:5] op_sel_hi:[1,1,0] ; fma :5
	v_pk_fma_f32 v[38:39], v[38:39], v[30:31], s[4:5] op_sel_hi:[1,1,0] ; fma :5
	v_pk_fma_f32 v[10:11], v[10:11], v[32:33], s[4:5] op_sel_hi:[1,1,0] ; fma :5
	v_pk_mul_f32 v[8:9], v[8:9], v[18:19]                  ; mul :5
	v_pk_mul_f32 v[18:19], v[0:1], v[26:27]                ; mul :5
	v_pk_fma_f32 v[26:27], v[34:35], v[26:27], s[10:11] op_sel_hi:[1,1,0] ; fma :5
	v_pk_mul_f32 v[12:13], v[12:13], v[20:21]              ; mul :5
	v_pk_mul_f32 v[20:21], v[2:3], v[28:29]                ; mul :5
	v_pk_fma_f32 v[28:29], v[36:37], v[28:29], s[10:11] op_sel_hi:[1,1,0] ; fma :5
	v_pk_mul_f32 v[14:15], v[14:15], v[22:23]              ; mul :5
	v_pk_mul_f32 v[22:23], v[4:5], v[30:31]                ; mul :5
	v_pk_fma_f32 v[30:31], v[38:39], v[30:31], s[10:11] op_sel_hi:[1,1,0] ; fma :5
	v_pk_mul_f32 v[16:17], v[16:17], v[24:25]              ; mul :5
	v_pk_mul_f32 v[24:25], v[6:7], v[32:33]                ; mul :5
	v_pk_fma_f32 v[10:11], v[10:11], v[32:33], s[10:11] op_sel_hi:[1,1,0] ; fma :5
	v_cmp_lt_f32_e64 vcc, |v0|, s12                        ; less :5
	v_cmp_lt_f32_e64 s[0:1], |v1|, s12                     ; less :5
	v_cmp_lt_f32_e64 s[2:3], |v2|, s12                     ; less :5
	v_cmp_lt_f32_e64 s[4:5], |v3|, s12                     ; less :5
	v_cmp_lt_f32_e64 s[8:9], |v4|, s12                     ; less :5
	v_cmp_lt_f32_e64 s[10:11], |v5|, s12                   ; less :5
	v_cmp_lt_f32_e64 s[14:15], |v6|, s12                   ; less :5
	v_cmp_lt_f32_e64 s[16:17], |v7|, s12                   ; less :5
	v_pk_fma_f32 v[8:9], v[8:9], -2.0, 1.0 op_sel_hi:[1,0,0] ; fma :5
	v_pk_fma_f32 v[18:19], v[18:19], v[26:27], v[0:1]      ; fma :5
	v_pk_fma_f32 v[12:13], v[12:13], -2.0, 1.0 op_sel_hi:[1,0,0] ; fma :5
	v_pk_fma_f32 v[20:21], v[20:21], v[28:29], v[2:3]      ; fma :5
	v_pk_fma_f32 v[14:15], v[14:15], -2.0, 1.0 op_sel_hi:[1,0,0] ; fma :5
	v_pk_fma_f32 v[22:23], v[22:23], v[30:31], v[4:5]      ; fma :5
	v_pk_fma_f32 v[16:17], v[16:17], -2.0, 1.0 op_sel_hi:[1,0,0] ; fma :5
	v_pk_fma_f32 v[10:11], v[24:25], v[10:11], v[6:7]      ; fma :5
	v_cndmask_b32_e32 v8, v8, v18, vcc                     ; where :5
	v_cndmask_b32_e64 v9, v9, v19, s[0:1]                  ; where :5
	v_cndmask_b32_e64 v12, v12, v20, s[2:3]                ; where :5
	v_cndmask_b32_e64 v13, v13, v21, s[4:5]                ; where :5
	v_cndmask_b32_e64 v14, v14, v22, s[8:9]                ; where :5
	v_cndmask_b32_e64 v15, v15, v23, s[10:11]              ; where :5
	v_cndmask_b32_e64 v10, v16, v10, s[14:15]              ; where :5
	v_cndmask_b32_e64 v11, v17, v11, s[16:17]              ; where :5
	v_bfi_b32 v0, s13, v8, v0                              ; copysign :5
	v_bfi_b32 v1, s13, v9, v1                              ; copysign :5
	v_bfi_b32 v2, s13, v12, v2                             ; copysign :5
	v_bfi_b32 v3, s13, v13, v3                             ; copysign :5
	v_bfi_b32 v4, s13, v14, v4                             ; copysign :5
	v_bfi_b32 v5, s13, v15, v5                             ; copysign :5
	v_bfi_b32 v6, s13, v10, v6                             ; copysign :5
	v_bfi_b32 v7, s13, v11, v7                             ; copysign :5
	.loc	1 6 1
	v_mov_b32_e32 v8, v0                                   ; vector_store :6
	v_mov_b32_e32 v9, v2                                   ; vector_store :6
	v_mov_b32_e32 v10, v4                                  ; vector_store :6
	v_mov_b32_e32 v11, v6                                  ; vector_store :6
	v_mov_b32_e32 v2, v1                                   ; vector_store :6
	v_mov_b32_e32 v4, v5                                   ; vector_store :6
	v_mov_b32_e32 v5, v7                                   ; vector_store :6
	global_store_dwordx4 v40, v[8:11], s[6:7]              ; vector_store :6
	global_store_dwordx4 v40, v[2:5], s[6:7] offset:256    ; vector_store :6
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
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 41
		.amdhsa_next_free_sgpr 18
		.amdhsa_accum_offset 44
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
    .sgpr_count: 24
    .vgpr_count: 41
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 64
    .reqd_workgroup_size:
      - 64
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
