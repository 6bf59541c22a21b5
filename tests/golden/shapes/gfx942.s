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
	.loc	1 6 1
	s_cmp_lt_u32 s10, 1                                    ; if :6
	s_cbranch_scc0 .L_text_.join                           ; if :6
	v_lshl_add_u32 v20, s10, 7, v0                         ; add :6
	v_cmp_gt_u32_e32 vcc, 0x4b, v20                        ; if :6
	s_and_saveexec_b64 s[0:1], vcc                         ; if :6
	s_cbranch_execz .L_text_.join_1                        ; if :6
	.loc	1 2 5
	v_lshlrev_b32_e32 v20, 4, v20                          ; vector_load :2
	global_load_dwordx4 v[2:5], v20, s[2:3]                ; vector_load :2
	.loc	1 4 1
	s_waitcnt vmcnt(0)                                     ; frexp_mantissa :4, vmcnt: global_load_dwordx4, <text>.gen:2:5
	v_frexp_mant_f32_e32 v6, v2                            ; frexp_mantissa :4
	v_frexp_mant_f32_e32 v7, v3                            ; frexp_mantissa :4
	v_frexp_mant_f32_e32 v8, v4                            ; frexp_mantissa :4
	v_frexp_mant_f32_e32 v9, v5                            ; frexp_mantissa :4
	v_rcp_f32_e32 v10, v6                                  ; hw_rcp :4
	v_rcp_f32_e32 v11, v7                                  ; hw_rcp :4
	v_rcp_f32_e32 v12, v8                                  ; hw_rcp :4
	v_rcp_f32_e32 v13, v9                                  ; hw_rcp :4
	v_pk_fma_f32 v[6:7], v[6:7], v[10:11], 1.0 op_sel_hi:[1,1,0] neg_lo:[1,0,0] neg_hi:[1,0,0] ; fma :4
	v_pk_fma_f32 v[8:9], v[8:9], v[12:13], 1.0 op_sel_hi:[1,1,0] neg_lo:[1,0,0] neg_hi:[1,0,0] ; fma :4
	v_pk_fma_f32 v[6:7], v[6:7], v[10:11], v[10:11]        ; fma :4
	v_pk_fma_f32 v[8:9], v[8:9], v[12:13], v[12:13]        ; fma :4
	v_frexp_exp_i32_f32_e32 v10, v2                        ; frexp_exponent :4
	v_frexp_exp_i32_f32_e32 v11, v3                        ; frexp_exponent :4
	v_frexp_exp_i32_f32_e32 v12, v4                        ; frexp_exponent :4
	v_frexp_exp_i32_f32_e32 v13, v5                        ; frexp_exponent :4
	v_sub_u32_e32 v10, 0, v10                              ; sub :4
	v_sub_u32_e32 v11, 0, v11                              ; sub :4
	v_sub_u32_e32 v12, 0, v12                              ; sub :4
	v_sub_u32_e32 v13, 0, v13                              ; sub :4
	v_ldexp_f32 v6, v6, v10                                ; ldexp :4
	v_ldexp_f32 v7, v7, v11                                ; ldexp :4
	v_ldexp_f32 v8, v8, v12                                ; ldexp :4
	v_ldexp_f32 v9, v9, v13                                ; ldexp :4
	v_div_fixup_f32 v2, v6, v2, 1.0                        ; div_fixup :4
	v_div_fixup_f32 v3, v7, v3, 1.0                        ; div_fixup :4
	v_div_fixup_f32 v4, v8, v4, 1.0                        ; div_fixup :4
	v_div_fixup_f32 v5, v9, v5, 1.0                        ; div_fixup :4
	.loc	1 6 1
	global_store_dwordx4 v20, v[2:5], s[4:5]               ; vector_store :6
.L_text_.join_1:
	s_mov_b64 exec, s[0:1]
.L_text_.join:
	s_add_u32 s0, s10, 1                                   ; add :6
	s_cmp_lt_u32 1, s0                                     ; if :6
	s_cbranch_scc0 .L_text_.join_2                         ; if :6
	v_add_u32_e32 v20, 0x80, v0                            ; add :6
	v_cmp_gt_u32_e32 vcc, 0x82, v20                        ; if :6
	s_and_saveexec_b64 s[0:1], vcc                         ; if :6
	s_cbranch_execz .L_text_.join_3                        ; if :6
	.loc	1 3 5
	v_lshlrev_b32_e32 v20, 2, v20                          ; multiple :3
	v_min_u32_e32 v20, 0x201, v20                          ; min :3
	v_lshlrev_b32_e32 v20, 2, v20                          ; vector_load :3
	global_load_dwordx4 v[0:3], v20, s[8:9] offset:-2048   ; vector_load :3
	.loc	1 5 1
	s_mov_b32 s2, 0x800000                                 ; less :5
	v_mov_b32_e32 v19, 0x4f800000                          ; where :5
	s_mov_b64 s[4:5], 0x3db2e397                           ; fma :5
	v_mov_b64_e32 v[4:5], 0xbe128250                       ; fma :5
	s_mov_b64 s[8:9], 0x3e18c299                           ; fma :5
	s_mov_b64 s[10:11], 0xbe29ae98                         ; fma :5
	s_mov_b64 s[12:13], 0x3e4c695f                         ; fma :5
	s_mov_b64 s[14:15], 0xbe80024d                         ; fma :5
	s_mov_b64 s[16:17], 0xb1b17218                         ; fma :5
	v_mov_b64_e32 v[6:7], 0x31b17218                       ; fma :5
	s_mov_b64 s[18:19], 0x3eaaab7a                         ; fma :5
	s_mov_b64 s[20:21], 0xbefffffd                         ; fma :5
	s_mov_b64 s[22:23], 0xb5bfbe8e                         ; fma :5
	s_mov_b64 s[24:25], 0xbf317200                         ; fma :5
	s_waitcnt vmcnt(0)                                     ; less :5, vmcnt: global_load_dwordx4, <text>.gen:3:5
	v_cmp_gt_f32_e32 vcc, s2, v0                           ; less :5
	v_cmp_lt_f32_e64 s[26:27], v1, s2                      ; less :5
	v_cmp_lt_f32_e64 s[28:29], v2, s2                      ; less :5
	v_cmp_lt_f32_e64 s[2:3], v3, s2                        ; less :5
	v_cndmask_b32_e32 v8, 1.0, v19, vcc                    ; where :5
	v_cndmask_b32_e64 v9, 1.0, v19, s[26:27]               ; where :5
	v_cndmask_b32_e64 v10, 1.0, v19, s[28:29]              ; where :5
	v_cndmask_b32_e64 v11, 1.0, v19, s[2:3]                ; where :5
	v_pk_mul_f32 v[0:1], v[0:1], v[8:9]                    ; mul :5
	v_pk_mul_f32 v[2:3], v[2:3], v[10:11]                  ; mul :5
	v_log_f32_e32 v12, v0                                  ; hw_log2 :5
	v_log_f32_e32 v13, v1                                  ; hw_log2 :5
	v_log_f32_e32 v14, v2                                  ; hw_log2 :5
	v_log_f32_e32 v15, v3                                  ; hw_log2 :5
	v_rndne_f32_e64 v12, -v12                              ; nearbyint :5
	v_rndne_f32_e64 v13, -v13                              ; nearbyint :5
	v_rndne_f32_e64 v14, -v14                              ; nearbyint :5
	v_rndne_f32_e64 v15, -v15                              ; nearbyint :5
	v_cvt_i32_f32_e32 v16, v12                             ; convert :5
	v_cvt_i32_f32_e32 v17, v13                             ; convert :5
	v_cvt_i32_f32_e32 v18, v14                             ; convert :5
	v_cvt_i32_f32_e32 v19, v15                             ; convert :5
	v_ldexp_f32 v0, v0, v16                                ; ldexp :5
	v_ldexp_f32 v1, v1, v17                                ; ldexp :5
	v_ldexp_f32 v2, v2, v18                                ; ldexp :5
	v_ldexp_f32 v3, v3, v19                                ; ldexp :5
	v_pk_add_f32 v[0:1], v[0:1], -1.0 op_sel_hi:[1,0]      ; sub :5
	v_pk_add_f32 v[2:3], v[2:3], -1.0 op_sel_hi:[1,0]      ; sub :5
	v_pk_fma_f32 v[16:17], s[4:5], v[0:1], v[4:5] op_sel_hi:[0,1,0] ; fma :5
	v_pk_fma_f32 v[18:19], s[4:5], v[2:3], v[4:5] op_sel_hi:[0,1,0] ; fma :5
	v_pk_fma_f32 v[16:17], v[16:17], v[0:1], s[8:9] op_sel_hi:[1,1,0] ; fma :5
	v_pk_fma_f32 v[18:19], v[18:19], v[2:3], s[8:9] op_sel_hi:[1,1,0] ; fma :5
	v_pk_fma_f32 v[16:17], v[16:17], v[0:1], s[10:11] op_sel_hi:[1,1,0] ; fma :5
	v_pk_fma_f32 v[18:19], v[18:19], v[2:3], s[10:11] op_sel_hi:[1,1,0] ; fma :5
	v_pk_fma_f32 v[16:17], v[16:17], v[0:1], s[12:13] op_sel_hi:[1,1,0] ; fma :5
	v_pk_fma_f32 v[18:19], v[18:19], v[2:3], s[12:13] op_sel_hi:[1,1,0] ; fma :5
	v_pk_fma_f32 v[16:17], v[16:17], v[0:1], s[14:15] op_sel_hi:[1,1,0] ; fma :5
	v_pk_fma_f32 v[18:19], v[18:19], v[2:3], s[14:15] op_sel_hi:[1,1,0] ; fma :5
	v_pk_fma_f32 v[4:5], v[8:9], s[16:17], v[6:7] op_sel_hi:[1,0,0] ; fma :5
	v_pk_fma_f32 v[6:7], v[10:11], s[16:17], v[6:7] op_sel_hi:[1,0,0] ; fma :5
	v_pk_fma_f32 v[8:9], v[16:17], v[0:1], s[18:19] op_sel_hi:[1,1,0] ; fma :5
	v_pk_fma_f32 v[10:11], v[18:19], v[2:3], s[18:19] op_sel_hi:[1,1,0] ; fma :5
	v_pk_mul_f32 v[16:17], v[0:1], v[0:1]                  ; mul :5
	v_pk_mul_f32 v[18:19], v[2:3], v[2:3]                  ; mul :5
	v_pk_fma_f32 v[8:9], v[8:9], v[0:1], s[20:21] op_sel_hi:[1,1,0] ; fma :5
	v_pk_fma_f32 v[10:11], v[10:11], v[2:3], s[20:21] op_sel_hi:[1,1,0] ; fma :5
	v_pk_fma_f32 v[4:5], v[12:13], s[22:23], v[4:5] op_sel_hi:[1,0,1] ; fma :5
	v_pk_fma_f32 v[6:7], v[14:15], s[22:23], v[6:7] op_sel_hi:[1,0,1] ; fma :5
	v_pk_fma_f32 v[4:5], v[16:17], v[8:9], v[4:5]          ; fma :5
	v_pk_fma_f32 v[6:7], v[18:19], v[10:11], v[6:7]        ; fma :5
	v_pk_add_f32 v[0:1], v[0:1], v[4:5]                    ; add :5
	v_pk_add_f32 v[2:3], v[2:3], v[6:7]                    ; add :5
	v_pk_fma_f32 v[0:1], v[12:13], s[24:25], v[0:1] op_sel_hi:[1,0,1] ; fma :5
	v_pk_fma_f32 v[2:3], v[14:15], s[24:25], v[2:3] op_sel_hi:[1,0,1] ; fma :5
	.loc	1 6 1
	global_store_dwordx4 v20, v[0:3], s[6:7] offset:-2048  ; vector_store :6
.L_text_.join_3:
	s_mov_b64 exec, s[0:1]
.L_text_.join_2:
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
		.amdhsa_next_free_vgpr 21
		.amdhsa_next_free_sgpr 30
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
    .sgpr_count: 36
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
        .type_name: "f32"
        .address_space: global
        .actual_access: read_only
      - .name: "r"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
      - .name: "l"
        .offset: 16
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
      - .name: "t"
        .offset: 24
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: read_only
...
	.end_amdgpu_metadata
