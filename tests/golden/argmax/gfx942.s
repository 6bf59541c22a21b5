	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "argmax"
	.protected	argmax
	.globl	argmax
	.p2align	8
	.type	argmax,@function
argmax:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx2 s[4:5], s[0:1], 0x8                     ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Largmax.entry
	.p2align	8
.Largmax.entry:
	.loc	1 1 5
	v_and_b32_e32 v38, 63, v0                              ; bitwise_and :1
	s_lshl_b32 s0, s6, 14                                  ; vector_load :1
	v_lshrrev_b32_e32 v37, 6, v0                           ; shift_right :1
	v_lshl_add_u32 v38, v38, 4, s0                         ; vector_load :1
	v_lshl_add_u32 v38, v37, 13, v38                       ; vector_load :1
	global_load_dwordx4 v[0:3], v38, s[2:3]                ; vector_load :1
	global_load_dwordx4 v[4:7], v38, s[2:3] offset:1024    ; vector_load :1
	global_load_dwordx4 v[8:11], v38, s[2:3] offset:2048   ; vector_load :1
	global_load_dwordx4 v[12:15], v38, s[2:3] offset:3072  ; vector_load :1
	v_add_u32_e32 v38, 0x2000, v38                         ; vector_load :1
	global_load_dwordx4 v[16:19], v38, s[2:3] offset:-4096 ; vector_load :1
	global_load_dwordx4 v[20:23], v38, s[2:3] offset:-3072 ; vector_load :1
	global_load_dwordx4 v[24:27], v38, s[2:3] offset:-2048 ; vector_load :1
	global_load_dwordx4 v[28:31], v38, s[2:3] offset:-1024 ; vector_load :1
	.loc	1 2 1
	s_waitcnt vmcnt(6)                                     ; max :2, vmcnt: global_load_dwordx4, argmax:1:5; vmcnt: global_load_dwordx4, argmax:1:5
	v_max_f32_e32 v38, v0, v1                              ; max :2
	v_max_f32_e32 v36, v4, v5                              ; max :2
	v_max3_f32 v35, v2, v3, v38                            ; max :2
	v_max3_f32 v34, v6, v7, v36                            ; max :2
	s_waitcnt vmcnt(4)                                     ; max :2, vmcnt: global_load_dwordx4, argmax:1:5; vmcnt: global_load_dwordx4, argmax:1:5
	v_max_f32_e32 v33, v8, v9                              ; max :2
	v_max_f32_e32 v32, v12, v13                            ; max :2
	v_max3_f32 v13, v10, v11, v33                          ; max :2
	v_max3_f32 v15, v14, v15, v32                          ; max :2
	v_max_f32_e32 v11, v35, v34                            ; max :2
	v_max3_f32 v9, v13, v15, v11                           ; max :2
	s_waitcnt vmcnt(2)                                     ; max :2, vmcnt: global_load_dwordx4, argmax:1:5; vmcnt: global_load_dwordx4, argmax:1:5
	v_max_f32_e32 v17, v16, v17                            ; max :2
	v_max_f32_e32 v21, v20, v21                            ; max :2
	v_max3_f32 v19, v18, v19, v17                          ; max :2
	v_max3_f32 v23, v22, v23, v21                          ; max :2
	s_waitcnt vmcnt(0)                                     ; max :2, vmcnt: global_load_dwordx4, argmax:1:5; vmcnt: global_load_dwordx4, argmax:1:5
	v_max_f32_e32 v25, v24, v25                            ; max :2
	v_max_f32_e32 v29, v28, v29                            ; max :2
	v_max3_f32 v27, v26, v27, v25                          ; max :2
	v_max3_f32 v31, v30, v31, v29                          ; max :2
	v_max_f32_e32 v7, v19, v23                             ; max :2
	v_max_f32_dpp v9, v9, v9 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_max3_f32 v5, v27, v31, v7                            ; max :2
	.loc	1 3 1
	s_lshl_b32 s0, s6, 2                                   ; add :3
	.loc	1 2 1
	v_max_f32_dpp v9, v9, v9 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_max_f32_dpp v5, v5, v5 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	.loc	1 3 1
	v_lshl_add_u32 v37, v37, 1, s0                         ; add :3
	.loc	1 2 1
	v_max_f32_dpp v9, v9, v9 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_max_f32_dpp v5, v5, v5 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	.loc	1 3 1
	v_mov_b32_e32 v1, 0                                    ; vector_store :3
	.loc	1 2 1
	v_max_f32_dpp v9, v9, v9 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_max_f32_dpp v5, v5, v5 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	.loc	1 3 1
	v_mov_b32_e32 v3, 0                                    ; vector_store :3
	.loc	1 2 1
	v_max_f32_dpp v9, v9, v9 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_max_f32_dpp v5, v5, v5 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	.loc	1 3 1
	v_lshlrev_b32_e32 v37, 3, v37                          ; vector_store :3
	.loc	1 2 1
	v_max_f32_dpp v9, v9, v9 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_max_f32_dpp v5, v5, v5 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_readlane_b32 s0, v9, 63                              ; lane_shuffle :2
	s_nop 0                                                ; dpp_reduce :2, VGPR written, then read by DPP: v5 of v_max_f32_dpp
	v_max_f32_dpp v5, v5, v5 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_cmp_eq_f32_e32 vcc, s0, v11                          ; equal :2
	v_readlane_b32 s1, v5, 63                              ; lane_shuffle :2
	s_cbranch_vccz .Largmax.else                           ; if :2
	v_cmp_eq_f32_e32 vcc, s0, v35                          ; equal :2
	s_ff1_i32_b64 s2, vcc                                  ; find_lane :2
	s_cbranch_vccz .Largmax.else_1                         ; if :2
	v_cmp_neq_f32_e32 vcc, s0, v38                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s3, s2, s2                                  ; add_carry :2
	v_cndmask_b32_e32 v38, v0, v2, vcc                     ; where :2
	v_cmp_neq_f32_e32 vcc, s0, v38                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s0, s3, s3                                  ; add_carry :2
	s_branch .Largmax.join
.Largmax.else_1:
	v_cmp_eq_f32_e32 vcc, s0, v34                          ; equal :2
	s_ff1_i32_b64 s2, vcc                                  ; find_lane :2
	v_cmp_neq_f32_e32 vcc, s0, v36                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s3, s2, s2                                  ; add_carry :2
	v_cndmask_b32_e32 v38, v4, v6, vcc                     ; where :2
	v_cmp_neq_f32_e32 vcc, s0, v38                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s0, s3, s3                                  ; add_carry :2
	s_add_u32 s0, s0, 0x100                                ; add :2
	s_branch .Largmax.join
.Largmax.else:
	v_cmp_eq_f32_e32 vcc, s0, v13                          ; equal :2
	s_ff1_i32_b64 s2, vcc                                  ; find_lane :2
	s_cbranch_vccz .Largmax.else_2                         ; if :2
	v_cmp_neq_f32_e32 vcc, s0, v33                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s3, s2, s2                                  ; add_carry :2
	v_cndmask_b32_e32 v38, v8, v10, vcc                    ; where :2
	v_cmp_neq_f32_e32 vcc, s0, v38                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s0, s3, s3                                  ; add_carry :2
	s_add_u32 s0, s0, 0x200                                ; add :2
	s_branch .Largmax.join
.Largmax.else_2:
	v_cmp_eq_f32_e32 vcc, s0, v15                          ; equal :2
	s_ff1_i32_b64 s2, vcc                                  ; find_lane :2
	v_cmp_neq_f32_e32 vcc, s0, v32                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s3, s2, s2                                  ; add_carry :2
	v_cndmask_b32_e32 v38, v12, v14, vcc                   ; where :2
	v_cmp_neq_f32_e32 vcc, s0, v38                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s0, s3, s3                                  ; add_carry :2
	s_add_u32 s0, s0, 0x300                                ; add :2
	s_cmp_le_i32 0, s2                                     ; where :2
	s_cselect_b32 s0, s0, 0                                ; where :2
.Largmax.join:
	v_cmp_eq_f32_e32 vcc, s1, v7                           ; equal :2
	s_cbranch_vccz .Largmax.else_3                         ; if :2
	v_cmp_eq_f32_e32 vcc, s1, v19                          ; equal :2
	s_ff1_i32_b64 s2, vcc                                  ; find_lane :2
	s_cbranch_vccz .Largmax.else_4                         ; if :2
	v_cmp_neq_f32_e32 vcc, s1, v17                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s3, s2, s2                                  ; add_carry :2
	v_cndmask_b32_e32 v38, v16, v18, vcc                   ; where :2
	v_cmp_neq_f32_e32 vcc, s1, v38                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s1, s3, s3                                  ; add_carry :2
	s_branch .Largmax.join_3
.Largmax.else_4:
	v_cmp_eq_f32_e32 vcc, s1, v23                          ; equal :2
	s_ff1_i32_b64 s2, vcc                                  ; find_lane :2
	v_cmp_neq_f32_e32 vcc, s1, v21                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s3, s2, s2                                  ; add_carry :2
	v_cndmask_b32_e32 v38, v20, v22, vcc                   ; where :2
	v_cmp_neq_f32_e32 vcc, s1, v38                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s1, s3, s3                                  ; add_carry :2
	s_add_u32 s1, s1, 0x100                                ; add :2
	s_branch .Largmax.join_3
.Largmax.else_3:
	v_cmp_eq_f32_e32 vcc, s1, v27                          ; equal :2
	s_ff1_i32_b64 s2, vcc                                  ; find_lane :2
	s_cbranch_vccz .Largmax.else_5                         ; if :2
	v_cmp_neq_f32_e32 vcc, s1, v25                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s3, s2, s2                                  ; add_carry :2
	v_cndmask_b32_e32 v38, v24, v26, vcc                   ; where :2
	v_cmp_neq_f32_e32 vcc, s1, v38                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s1, s3, s3                                  ; add_carry :2
	s_add_u32 s1, s1, 0x200                                ; add :2
	s_branch .Largmax.join_3
.Largmax.else_5:
	v_cmp_eq_f32_e32 vcc, s1, v31                          ; equal :2
	s_ff1_i32_b64 s2, vcc                                  ; find_lane :2
	v_cmp_neq_f32_e32 vcc, s1, v29                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s3, s2, s2                                  ; add_carry :2
	v_cndmask_b32_e32 v38, v28, v30, vcc                   ; where :2
	v_cmp_neq_f32_e32 vcc, s1, v38                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s1, s3, s3                                  ; add_carry :2
	s_add_u32 s1, s1, 0x300                                ; add :2
	s_cmp_le_i32 0, s2                                     ; where :2
	s_cselect_b32 s1, s1, 0                                ; where :2
.Largmax.join_3:
	.loc	1 3 1
	s_lshl_b64 exec, 1, 0                                  ; if :3
	v_mov_b32_e32 v0, s0                                   ; vector_store :3
	v_mov_b32_e32 v2, s1                                   ; vector_store :3
	global_store_dwordx4 v37, v[0:3], s[4:5]               ; vector_store :3
	s_endpgm
.Largmax.end.of.code:
	.size	argmax, .Largmax.end.of.code-argmax
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel argmax
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
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 39
		.amdhsa_next_free_sgpr 7
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
  - .name: argmax
    .symbol: argmax.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 13
    .vgpr_count: 39
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
      - .name: "o"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "i64"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
