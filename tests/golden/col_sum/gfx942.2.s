	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "col_sum"
	.protected	col_sum_1
	.globl	col_sum_1
	.p2align	8
	.type	col_sum_1,@function
col_sum_1:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx2 s[4:5], s[0:1], 0x8                     ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Lcol_sum_1.entry
	.p2align	8
.Lcol_sum_1.entry:
	.loc	1 2 1
	s_lshl_b32 s0, s6, 5                                   ; multiple :2
	v_and_b32_e32 v1, 7, v0                                ; bitwise_and :2
	s_lshl_b32 s1, s0, 2                                   ; vector_load :2
	v_lshrrev_b32_e32 v2, 3, v0                            ; shift_right :2
	v_lshl_add_u32 v1, v1, 4, s1                           ; vector_load :2
	v_lshl_add_u32 v1, v2, 12, v1                          ; vector_load :2
	global_load_dwordx4 v[2:5], v1, s[2:3]                 ; vector_load :2
	v_add_u32_e32 v6, 0x10000, v1                          ; vector_load :2
	v_add_u32_e32 v7, 0x20000, v1                          ; vector_load :2
	v_add_u32_e32 v8, 0x30000, v1                          ; vector_load :2
	v_add_u32_e32 v9, 0x40000, v1                          ; vector_load :2
	v_add_u32_e32 v10, 0x50000, v1                         ; vector_load :2
	v_add_u32_e32 v11, 0x60000, v1                         ; vector_load :2
	v_add_u32_e32 v12, 0x70000, v1                         ; vector_load :2
	global_load_dwordx4 v[14:17], v6, s[2:3]               ; vector_load :2
	global_load_dwordx4 v[18:21], v7, s[2:3]               ; vector_load :2
	global_load_dwordx4 v[22:25], v8, s[2:3]               ; vector_load :2
	v_add_u32_e32 v34, 0x80000, v1                         ; vector_load :2
	global_load_dwordx4 v[6:9], v9, s[2:3]                 ; vector_load :2
	v_add_u32_e32 v35, 0x90000, v1                         ; vector_load :2
	global_load_dwordx4 v[26:29], v10, s[2:3]              ; vector_load :2
	global_load_dwordx4 v[30:33], v11, s[2:3]              ; vector_load :2
	v_add_u32_e32 v36, 0xa0000, v1                         ; vector_load :2
	global_load_dwordx4 v[10:13], v12, s[2:3]              ; vector_load :2
	v_add_u32_e32 v37, 0xb0000, v1                         ; vector_load :2
	global_load_dwordx4 v[38:41], v34, s[2:3]              ; vector_load :2
	global_load_dwordx4 v[42:45], v35, s[2:3]              ; vector_load :2
	global_load_dwordx4 v[46:49], v36, s[2:3]              ; vector_load :2
	v_add_u32_e32 v50, 0xc0000, v1                         ; vector_load :2
	global_load_dwordx4 v[34:37], v37, s[2:3]              ; vector_load :2
	v_add_u32_e32 v51, 0xd0000, v1                         ; vector_load :2
	v_add_u32_e32 v52, 0xe0000, v1                         ; vector_load :2
	v_add_u32_e32 v1, 0xf0000, v1                          ; vector_load :2
	global_load_dwordx4 v[54:57], v50, s[2:3]              ; vector_load :2
	v_lshrrev_b32_e32 v50, 5, v0                           ; shift_right :2
	v_lshlrev_b32_e32 v50, 1, v50                          ; multiple :2
	v_xor_b32_e32 v50, v0, v50                             ; bitwise_xor :2
	s_movk_i32 s1, 0x88                                    ; add :2
	v_lshlrev_b32_e32 v58, 4, v50                          ; lds_store :2
	s_waitcnt vmcnt(11)                                    ; add :2, vmcnt: global_load_dwordx4, col_sum:2:1
	v_pk_add_f32 v[2:3], v[2:3], v[14:15]                  ; add :2
	v_pk_add_f32 v[4:5], v[4:5], v[16:17]                  ; add :2
	global_load_dwordx4 v[14:17], v51, s[2:3]              ; vector_load :2
	s_waitcnt vmcnt(10)                                    ; add :2, vmcnt: global_load_dwordx4, col_sum:2:1
	v_pk_add_f32 v[18:19], v[18:19], v[22:23]              ; add :2
	global_load_dwordx4 v[50:53], v52, s[2:3]              ; vector_load :2
	v_pk_add_f32 v[20:21], v[20:21], v[24:25]              ; add :2
	s_waitcnt vmcnt(9)                                     ; add :2, vmcnt: global_load_dwordx4, col_sum:2:1
	v_pk_add_f32 v[6:7], v[6:7], v[26:27]                  ; add :2
	global_load_dwordx4 v[22:25], v1, s[2:3]               ; vector_load :2
	v_pk_add_f32 v[8:9], v[8:9], v[28:29]                  ; add :2
	s_waitcnt vmcnt(8)                                     ; add :2, vmcnt: global_load_dwordx4, col_sum:2:1
	v_pk_add_f32 v[10:11], v[30:31], v[10:11]              ; add :2
	v_pk_add_f32 v[12:13], v[32:33], v[12:13]              ; add :2
	v_pk_add_f32 v[2:3], v[2:3], v[18:19]                  ; add :2
	v_pk_add_f32 v[4:5], v[4:5], v[20:21]                  ; add :2
	v_pk_add_f32 v[6:7], v[6:7], v[10:11]                  ; add :2
	v_pk_add_f32 v[8:9], v[8:9], v[12:13]                  ; add :2
	s_waitcnt vmcnt(6)                                     ; add :2, vmcnt: global_load_dwordx4, col_sum:2:1
	v_pk_add_f32 v[10:11], v[38:39], v[42:43]              ; add :2
	v_pk_add_f32 v[12:13], v[40:41], v[44:45]              ; add :2
	s_waitcnt vmcnt(4)                                     ; add :2, vmcnt: global_load_dwordx4, col_sum:2:1
	v_pk_add_f32 v[18:19], v[46:47], v[34:35]              ; add :2
	v_pk_add_f32 v[20:21], v[48:49], v[36:37]              ; add :2
	v_pk_add_f32 v[2:3], v[2:3], v[6:7]                    ; add :2
	v_pk_add_f32 v[4:5], v[4:5], v[8:9]                    ; add :2
	v_pk_add_f32 v[6:7], v[10:11], v[18:19]                ; add :2
	v_pk_add_f32 v[8:9], v[12:13], v[20:21]                ; add :2
	v_pk_add_f32 v[2:3], v[2:3], v[6:7]                    ; add :2
	v_pk_add_f32 v[4:5], v[4:5], v[8:9]                    ; add :2
	v_bfe_u32 v1, v0, 1, 1                                 ; bitwise_and :2
	v_and_b32_e32 v6, 1, v0                                ; bitwise_and :2
	v_mul_u32_u24_e32 v1, 0x110, v1                        ; add :2
	v_mad_u32_u24 v1, v6, s1, v1                           ; add :2
	v_lshrrev_b32_e32 v6, 2, v0                            ; shift_right :2
	v_xor_b32_e32 v1, v1, v6                               ; bitwise_xor :2
	v_lshlrev_b32_e32 v1, 2, v1                            ; lds_load :2
	s_waitcnt vmcnt(2)                                     ; add :2, vmcnt: global_load_dwordx4, col_sum:2:1
	v_pk_add_f32 v[8:9], v[54:55], v[14:15]                ; add :2
	v_pk_add_f32 v[10:11], v[56:57], v[16:17]              ; add :2
	s_waitcnt vmcnt(0)                                     ; add :2, vmcnt: global_load_dwordx4, col_sum:2:1
	v_pk_add_f32 v[12:13], v[50:51], v[22:23]              ; add :2
	v_pk_add_f32 v[14:15], v[52:53], v[24:25]              ; add :2
	v_pk_add_f32 v[8:9], v[8:9], v[12:13]                  ; add :2
	v_pk_add_f32 v[10:11], v[10:11], v[14:15]              ; add :2
	v_pk_add_f32 v[2:3], v[2:3], v[8:9]                    ; add :2
	v_pk_add_f32 v[4:5], v[4:5], v[10:11]                  ; add :2
	ds_write_b128 v58, v[2:5]                              ; lds_store :2
	s_waitcnt lgkmcnt(0)                                   ; barrier :2, lgkmcnt: ds_write_b128, col_sum:2:1
	s_barrier                                              ; barrier :2
	ds_read2_b32 v[2:3], v1 offset1:32                     ; lds_load :2
	ds_read2_b32 v[4:5], v1 offset0:64 offset1:96          ; lds_load :2
	s_waitcnt lgkmcnt(0)                                   ; add :2, lgkmcnt: ds_read2_b32, col_sum:2:1; lgkmcnt: ds_read2_b32, col_sum:2:1
	v_add_f32_e32 v1, v2, v3                               ; add :2
	v_add_f32_e32 v2, v4, v5                               ; add :2
	v_add_f32_e32 v1, v1, v2                               ; add :2
	.loc	1 3 1
	v_and_b32_e32 v0, 3, v0                                ; bitwise_and :3
	v_add_lshl_u32 v2, s0, v6, 2                           ; store :3
	.loc	1 2 1
	v_add_f32_dpp v1, v1, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	.loc	1 3 1
	v_cmp_eq_u32_e32 vcc, 0, v0                            ; if :3
	.loc	1 2 1
	s_nop 0                                                ; dpp_reduce :2, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	.loc	1 3 1
	s_and_b64 exec, exec, vcc                              ; if :3
	s_cbranch_execz .Lcol_sum_1.end                        ; if :3
	global_store_dword v2, v1, s[4:5]                      ; store :3
.Lcol_sum_1.end:
	s_endpgm
.Lcol_sum_1.end.of.code:
	.size	col_sum_1, .Lcol_sum_1.end.of.code-col_sum_1
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel col_sum_1
		.amdhsa_group_segment_fixed_size 2048
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
		.amdhsa_next_free_vgpr 59
		.amdhsa_next_free_sgpr 7
		.amdhsa_accum_offset 60
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
  - .name: col_sum_1
    .symbol: col_sum_1.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 2048
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 13
    .vgpr_count: 59
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 128
    .reqd_workgroup_size:
      - 128
      - 1
      - 1
    .args:
      - .name: "o_partial"
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
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
