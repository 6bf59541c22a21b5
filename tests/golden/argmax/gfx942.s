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
	v_and_b32_e32 v1, 63, v0                               ; bitwise_and :1
	s_lshl_b32 s0, s6, 14                                  ; vector_load :1
	v_lshrrev_b32_e32 v0, 6, v0                            ; shift_right :1
	v_lshl_add_u32 v1, v1, 4, s0                           ; vector_load :1
	v_lshl_add_u32 v1, v0, 13, v1                          ; vector_load :1
	global_load_dwordx4 v[2:5], v1, s[2:3]                 ; vector_load :1
	global_load_dwordx4 v[6:9], v1, s[2:3] offset:1024     ; vector_load :1
	global_load_dwordx4 v[10:13], v1, s[2:3] offset:2048   ; vector_load :1
	global_load_dwordx4 v[14:17], v1, s[2:3] offset:3072   ; vector_load :1
	v_add_u32_e32 v1, 0x2000, v1                           ; vector_load :1
	global_load_dwordx4 v[18:21], v1, s[2:3] offset:-4096  ; vector_load :1
	global_load_dwordx4 v[22:25], v1, s[2:3] offset:-3072  ; vector_load :1
	global_load_dwordx4 v[26:29], v1, s[2:3] offset:-2048  ; vector_load :1
	global_load_dwordx4 v[30:33], v1, s[2:3] offset:-1024  ; vector_load :1
	.loc	1 2 1
	s_waitcnt vmcnt(6)                                     ; max :2, vmcnt: global_load_dwordx4, argmax:1:5; vmcnt: global_load_dwordx4, argmax:1:5
	v_max_f32_e32 v1, v2, v3                               ; max :2
	v_max_f32_e32 v3, v6, v7                               ; max :2
	v_max3_f32 v5, v4, v5, v1                              ; max :2
	v_max3_f32 v7, v8, v9, v3                              ; max :2
	s_waitcnt vmcnt(4)                                     ; max :2, vmcnt: global_load_dwordx4, argmax:1:5; vmcnt: global_load_dwordx4, argmax:1:5
	v_max_f32_e32 v9, v10, v11                             ; max :2
	v_max_f32_e32 v11, v14, v15                            ; max :2
	v_max3_f32 v13, v12, v13, v9                           ; max :2
	v_max3_f32 v38, v16, v17, v11                          ; max :2
	v_max_f32_e32 v37, v5, v7                              ; max :2
	v_max3_f32 v34, v13, v38, v37                          ; max :2
	s_waitcnt vmcnt(2)                                     ; max :2, vmcnt: global_load_dwordx4, argmax:1:5; vmcnt: global_load_dwordx4, argmax:1:5
	v_max_f32_e32 v19, v18, v19                            ; max :2
	v_max_f32_e32 v23, v22, v23                            ; max :2
	v_max3_f32 v21, v20, v21, v19                          ; max :2
	v_max3_f32 v25, v24, v25, v23                          ; max :2
	s_waitcnt vmcnt(0)                                     ; max :2, vmcnt: global_load_dwordx4, argmax:1:5; vmcnt: global_load_dwordx4, argmax:1:5
	v_max_f32_e32 v27, v26, v27                            ; max :2
	v_max_f32_e32 v31, v30, v31                            ; max :2
	v_max3_f32 v29, v28, v29, v27                          ; max :2
	v_max3_f32 v33, v32, v33, v31                          ; max :2
	v_max_f32_e32 v35, v21, v25                            ; max :2
	v_max_f32_dpp v34, v34, v34 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_max3_f32 v36, v29, v33, v35                          ; max :2
	.loc	1 3 1
	s_lshl_b32 s0, s6, 2                                   ; add :3
	.loc	1 2 1
	v_max_f32_dpp v34, v34, v34 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_max_f32_dpp v36, v36, v36 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	.loc	1 3 1
	v_lshl_add_u32 v0, v0, 1, s0                           ; add :3
	.loc	1 2 1
	v_max_f32_dpp v34, v34, v34 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_max_f32_dpp v36, v36, v36 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	.loc	1 3 1
	v_mov_b32_e32 v15, 0                                   ; vector_store :3
	.loc	1 2 1
	v_max_f32_dpp v34, v34, v34 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_max_f32_dpp v36, v36, v36 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	.loc	1 3 1
	v_mov_b32_e32 v17, 0                                   ; vector_store :3
	.loc	1 2 1
	v_max_f32_dpp v34, v34, v34 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_max_f32_dpp v36, v36, v36 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 0                                                ; dpp_reduce :2, VGPR written, then read by DPP: v34 of v_max_f32_dpp
	v_max_f32_dpp v34, v34, v34 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_max_f32_dpp v36, v36, v36 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_readlane_b32 s0, v34, 63                             ; lane_shuffle :2
	s_nop 0                                                ; dpp_reduce :2, VGPR written, then read by DPP: v36 of v_max_f32_dpp
	v_max_f32_dpp v36, v36, v36 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_cmp_eq_f32_e32 vcc, s0, v37                          ; equal :2
	v_readlane_b32 s1, v36, 63                             ; lane_shuffle :2
	s_cbranch_vccz .Largmax.else                           ; if :2
	v_cmp_eq_f32_e32 vcc, s0, v5                           ; equal :2
	s_ff1_i32_b64 s2, vcc                                  ; find_lane :2
	s_cbranch_vccz .Largmax.else_1                         ; if :2
	v_cmp_neq_f32_e32 vcc, s0, v1                          ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s3, s2, s2                                  ; add_carry :2
	v_cndmask_b32_e32 v1, v2, v4, vcc                      ; where :2
	v_cmp_neq_f32_e32 vcc, s0, v1                          ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s0, s3, s3                                  ; add_carry :2
	s_branch .Largmax.join
.Largmax.else_1:
	v_cmp_eq_f32_e32 vcc, s0, v7                           ; equal :2
	s_ff1_i32_b64 s2, vcc                                  ; find_lane :2
	v_cmp_neq_f32_e32 vcc, s0, v3                          ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s3, s2, s2                                  ; add_carry :2
	v_cndmask_b32_e32 v1, v6, v8, vcc                      ; where :2
	v_cmp_neq_f32_e32 vcc, s0, v1                          ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s0, s3, s3                                  ; add_carry :2
	s_add_u32 s0, s0, 0x100                                ; add :2
	s_branch .Largmax.join
.Largmax.else:
	v_cmp_eq_f32_e32 vcc, s0, v13                          ; equal :2
	s_ff1_i32_b64 s2, vcc                                  ; find_lane :2
	s_cbranch_vccz .Largmax.else_2                         ; if :2
	v_cmp_neq_f32_e32 vcc, s0, v9                          ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s3, s2, s2                                  ; add_carry :2
	v_cndmask_b32_e32 v1, v10, v12, vcc                    ; where :2
	v_cmp_neq_f32_e32 vcc, s0, v1                          ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s0, s3, s3                                  ; add_carry :2
	s_add_u32 s0, s0, 0x200                                ; add :2
	s_branch .Largmax.join
.Largmax.else_2:
	v_cmp_eq_f32_e32 vcc, s0, v38                          ; equal :2
	s_ff1_i32_b64 s2, vcc                                  ; find_lane :2
	v_cmp_neq_f32_e32 vcc, s0, v11                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s3, s2, s2                                  ; add_carry :2
	v_cndmask_b32_e32 v1, v14, v16, vcc                    ; where :2
	v_cmp_neq_f32_e32 vcc, s0, v1                          ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s0, s3, s3                                  ; add_carry :2
	s_add_u32 s0, s0, 0x300                                ; add :2
	s_cmp_le_i32 0, s2                                     ; where :2
	s_cselect_b32 s0, s0, 0                                ; where :2
.Largmax.join:
	v_cmp_eq_f32_e32 vcc, s1, v35                          ; equal :2
	s_cbranch_vccz .Largmax.else_3                         ; if :2
	v_cmp_eq_f32_e32 vcc, s1, v21                          ; equal :2
	s_ff1_i32_b64 s2, vcc                                  ; find_lane :2
	s_cbranch_vccz .Largmax.else_4                         ; if :2
	v_cmp_neq_f32_e32 vcc, s1, v19                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s3, s2, s2                                  ; add_carry :2
	v_cndmask_b32_e32 v1, v18, v20, vcc                    ; where :2
	v_cmp_neq_f32_e32 vcc, s1, v1                          ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s1, s3, s3                                  ; add_carry :2
	s_branch .Largmax.join_3
.Largmax.else_4:
	v_cmp_eq_f32_e32 vcc, s1, v25                          ; equal :2
	s_ff1_i32_b64 s2, vcc                                  ; find_lane :2
	v_cmp_neq_f32_e32 vcc, s1, v23                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s3, s2, s2                                  ; add_carry :2
	v_cndmask_b32_e32 v1, v22, v24, vcc                    ; where :2
	v_cmp_neq_f32_e32 vcc, s1, v1                          ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s1, s3, s3                                  ; add_carry :2
	s_add_u32 s1, s1, 0x100                                ; add :2
	s_branch .Largmax.join_3
.Largmax.else_3:
	v_cmp_eq_f32_e32 vcc, s1, v29                          ; equal :2
	s_ff1_i32_b64 s2, vcc                                  ; find_lane :2
	s_cbranch_vccz .Largmax.else_5                         ; if :2
	v_cmp_neq_f32_e32 vcc, s1, v27                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s3, s2, s2                                  ; add_carry :2
	v_cndmask_b32_e32 v1, v26, v28, vcc                    ; where :2
	v_cmp_neq_f32_e32 vcc, s1, v1                          ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s1, s3, s3                                  ; add_carry :2
	s_add_u32 s1, s1, 0x200                                ; add :2
	s_branch .Largmax.join_3
.Largmax.else_5:
	v_cmp_eq_f32_e32 vcc, s1, v33                          ; equal :2
	s_ff1_i32_b64 s2, vcc                                  ; find_lane :2
	v_cmp_neq_f32_e32 vcc, s1, v31                         ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s3, s2, s2                                  ; add_carry :2
	v_cndmask_b32_e32 v1, v30, v32, vcc                    ; where :2
	v_cmp_neq_f32_e32 vcc, s1, v1                          ; not_equal :2
	s_bitcmp1_b64 vcc, s2                                  ; add_carry :2
	s_addc_u32 s1, s3, s3                                  ; add_carry :2
	s_add_u32 s1, s1, 0x300                                ; add :2
	s_cmp_le_i32 0, s2                                     ; where :2
	s_cselect_b32 s1, s1, 0                                ; where :2
.Largmax.join_3:
	.loc	1 3 1
	s_lshl_b64 exec, 1, 0                                  ; if :3
	v_mov_b32_e32 v14, s0                                  ; vector_store :3
	v_mov_b32_e32 v16, s1                                  ; vector_store :3
	v_lshlrev_b32_e32 v0, 3, v0                            ; vector_store :3
	global_store_dwordx4 v0, v[14:17], s[4:5]              ; vector_store :3
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
