	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "col_sum"
	.protected	col_sum
	.globl	col_sum
	.p2align	8
	.type	col_sum,@function
col_sum:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx2 s[4:5], s[0:1], 0x8                     ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Lcol_sum.entry
	.p2align	8
.Lcol_sum.entry:
	.loc	1 1 5
	s_and_b32 s0, s6, 3                                    ; bitwise_and :1
	s_lshr_b32 s1, s6, 2                                   ; shift_right :1
	s_lshl_b32 s0, s0, 10                                  ; vector_load :1
	s_lshl_b32 s1, s1, 16                                  ; vector_load :1
	s_add_u32 s0, s1, s0                                   ; vector_load :1
	v_lshl_add_u32 v57, v0, 4, s0                          ; vector_load :1
	global_load_dwordx4 v[2:5], v57, s[2:3]                ; vector_load :1
	v_add_u32_e32 v6, 0x2000, v57                          ; vector_load :1
	v_add_u32_e32 v7, 0x4000, v57                          ; vector_load :1
	v_add_u32_e32 v55, 0x6000, v57                         ; vector_load :1
	v_add_u32_e32 v56, 0x8000, v57                         ; vector_load :1
	global_load_dwordx4 v[8:11], v6, s[2:3] offset:-4096   ; vector_load :1
	global_load_dwordx4 v[14:17], v6, s[2:3]               ; vector_load :1
	global_load_dwordx4 v[18:21], v7, s[2:3] offset:-4096  ; vector_load :1
	global_load_dwordx4 v[22:25], v7, s[2:3]               ; vector_load :1
	global_load_dwordx4 v[26:29], v55, s[2:3] offset:-4096 ; vector_load :1
	global_load_dwordx4 v[30:33], v55, s[2:3]              ; vector_load :1
	global_load_dwordx4 v[34:37], v56, s[2:3] offset:-4096 ; vector_load :1
	v_add_u32_e32 v6, 0xa000, v57                          ; vector_load :1
	v_add_u32_e32 v7, 0xc000, v57                          ; vector_load :1
	global_load_dwordx4 v[38:41], v56, s[2:3]              ; vector_load :1
	global_load_dwordx4 v[42:45], v6, s[2:3] offset:-4096  ; vector_load :1
	global_load_dwordx4 v[46:49], v6, s[2:3]               ; vector_load :1
	global_load_dwordx4 v[50:53], v7, s[2:3] offset:-4096  ; vector_load :1
	v_add_u32_e32 v13, 0xe000, v57                         ; vector_load :1
	v_add_u32_e32 v1, 0x10000, v57                         ; vector_load :1
	global_load_dwordx4 v[54:57], v7, s[2:3]               ; vector_load :1
	.loc	1 3 1
	s_lshl_b32 s0, s6, 10                                  ; vector_store :3
	v_lshl_add_u32 v0, v0, 4, s0                           ; vector_store :3
	.loc	1 2 1
	s_waitcnt vmcnt(11)                                    ; add :2, vmcnt: global_load_dwordx4, col_sum:1:5
	v_pk_add_f32 v[2:3], v[2:3], v[8:9]                    ; add :2
	v_pk_add_f32 v[6:7], v[4:5], v[10:11]                  ; add :2
	.loc	1 1 5
	global_load_dwordx4 v[8:11], v13, s[2:3] offset:-4096  ; vector_load :1
	.loc	1 2 1
	s_waitcnt vmcnt(10)                                    ; add :2, vmcnt: global_load_dwordx4, col_sum:1:5
	v_pk_add_f32 v[4:5], v[14:15], v[18:19]                ; add :2
	.loc	1 1 5
	global_load_dwordx4 v[12:15], v13, s[2:3]              ; vector_load :1
	.loc	1 2 1
	v_pk_add_f32 v[20:21], v[16:17], v[20:21]              ; add :2
	s_waitcnt vmcnt(9)                                     ; add :2, vmcnt: global_load_dwordx4, col_sum:1:5
	v_pk_add_f32 v[26:27], v[22:23], v[26:27]              ; add :2
	.loc	1 1 5
	global_load_dwordx4 v[16:19], v1, s[2:3] offset:-4096  ; vector_load :1
	.loc	1 2 1
	v_pk_add_f32 v[28:29], v[24:25], v[28:29]              ; add :2
	s_waitcnt vmcnt(8)                                     ; add :2, vmcnt: global_load_dwordx4, col_sum:1:5
	v_pk_add_f32 v[22:23], v[30:31], v[34:35]              ; add :2
	v_pk_add_f32 v[24:25], v[32:33], v[36:37]              ; add :2
	v_pk_add_f32 v[2:3], v[2:3], v[4:5]                    ; add :2
	v_pk_add_f32 v[4:5], v[6:7], v[20:21]                  ; add :2
	v_pk_add_f32 v[6:7], v[26:27], v[22:23]                ; add :2
	v_pk_add_f32 v[26:27], v[28:29], v[24:25]              ; add :2
	s_waitcnt vmcnt(6)                                     ; add :2, vmcnt: global_load_dwordx4, col_sum:1:5
	v_pk_add_f32 v[28:29], v[38:39], v[42:43]              ; add :2
	v_pk_add_f32 v[20:21], v[40:41], v[44:45]              ; add :2
	s_waitcnt vmcnt(4)                                     ; add :2, vmcnt: global_load_dwordx4, col_sum:1:5
	v_pk_add_f32 v[22:23], v[46:47], v[50:51]              ; add :2
	v_pk_add_f32 v[24:25], v[48:49], v[52:53]              ; add :2
	v_pk_add_f32 v[2:3], v[2:3], v[6:7]                    ; add :2
	v_pk_add_f32 v[4:5], v[4:5], v[26:27]                  ; add :2
	v_pk_add_f32 v[6:7], v[28:29], v[22:23]                ; add :2
	v_pk_add_f32 v[20:21], v[20:21], v[24:25]              ; add :2
	v_pk_add_f32 v[2:3], v[2:3], v[6:7]                    ; add :2
	v_pk_add_f32 v[4:5], v[4:5], v[20:21]                  ; add :2
	s_waitcnt vmcnt(2)                                     ; add :2, vmcnt: global_load_dwordx4, col_sum:1:5
	v_pk_add_f32 v[6:7], v[54:55], v[8:9]                  ; add :2
	v_pk_add_f32 v[8:9], v[56:57], v[10:11]                ; add :2
	s_waitcnt vmcnt(0)                                     ; add :2, vmcnt: global_load_dwordx4, col_sum:1:5
	v_pk_add_f32 v[10:11], v[12:13], v[16:17]              ; add :2
	v_pk_add_f32 v[12:13], v[14:15], v[18:19]              ; add :2
	v_pk_add_f32 v[6:7], v[6:7], v[10:11]                  ; add :2
	v_pk_add_f32 v[8:9], v[8:9], v[12:13]                  ; add :2
	v_pk_add_f32 v[2:3], v[2:3], v[6:7]                    ; add :2
	v_pk_add_f32 v[4:5], v[4:5], v[8:9]                    ; add :2
	.loc	1 3 1
	global_store_dwordx4 v0, v[2:5], s[4:5]                ; vector_store :3
	s_endpgm
.Lcol_sum.end.of.code:
	.size	col_sum, .Lcol_sum.end.of.code-col_sum
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel col_sum
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
		.amdhsa_next_free_vgpr 58
		.amdhsa_next_free_sgpr 7
		.amdhsa_accum_offset 60
		.amdhsa_reserve_vcc 0
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
  - .name: col_sum
    .symbol: col_sum.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 13
    .vgpr_count: 58
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
      - .name: "o_partial"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
