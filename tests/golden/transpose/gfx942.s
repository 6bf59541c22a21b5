	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "transpose"
	.protected	transpose
	.globl	transpose
	.p2align	8
	.type	transpose,@function
transpose:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx2 s[4:5], s[0:1], 0x8                     ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Ltranspose.entry
	.p2align	8
.Ltranspose.entry:
	.loc	1 1 5
	s_lshl_b32 s0, s7, 7                                   ; vector_load :1
	s_lshl_b32 s1, s6, 17                                  ; vector_load :1
	v_lshrrev_b32_e32 v1, 3, v0                            ; shift_right :1
	s_add_u32 s0, s1, s0                                   ; vector_load :1
	v_and_b32_e32 v0, 7, v0                                ; bitwise_and :1
	v_lshl_add_u32 v2, v1, 4, s0                           ; vector_load :1
	v_lshl_add_u32 v2, v0, 14, v2                          ; vector_load :1
	v_add_u32_e32 v3, 0x2000, v2                           ; vector_load :1
	v_add_u32_e32 v4, 0x4000, v2                           ; vector_load :1
	global_load_dwordx4 v[6:9], v2, s[2:3]                 ; vector_load :1
	global_load_dwordx4 v[18:21], v3, s[2:3] offset:-4096  ; vector_load :1
	global_load_dwordx4 v[22:25], v3, s[2:3]               ; vector_load :1
	global_load_dwordx4 v[12:15], v4, s[2:3] offset:-4096  ; vector_load :1
	.loc	1 3 1
	s_lshl_b32 s0, s6, 7                                   ; vector_store :3
	s_lshl_b32 s1, s7, 19                                  ; vector_store :3
	s_add_u32 s0, s1, s0                                   ; vector_store :3
	v_lshl_add_u32 v0, v0, 4, s0                           ; vector_store :3
	v_lshl_add_u32 v26, v1, 16, v0                         ; vector_store :3
	v_add_u32_e32 v16, 0x4000, v26                         ; vector_store :3
	v_add_u32_e32 v17, 0x8000, v26                         ; vector_store :3
	v_add_u32_e32 v27, 0xc000, v26                         ; vector_store :3
	s_waitcnt vmcnt(2)                                     ; vector_store :3, vmcnt: global_load_dwordx4, transpose:1:5; vmcnt: global_load_dwordx4, transpose:1:5
	v_mov_b32_e32 v0, v6                                   ; vector_store :3
	v_mov_b32_e32 v1, v18                                  ; vector_store :3
	s_waitcnt vmcnt(0)                                     ; vector_store :3, vmcnt: global_load_dwordx4, transpose:1:5; vmcnt: global_load_dwordx4, transpose:1:5
	v_mov_b32_e32 v2, v22                                  ; vector_store :3
	v_mov_b32_e32 v3, v12                                  ; vector_store :3
	v_mov_b32_e32 v4, v7                                   ; vector_store :3
	v_mov_b32_e32 v5, v19                                  ; vector_store :3
	v_mov_b32_e32 v6, v23                                  ; vector_store :3
	v_mov_b32_e32 v7, v13                                  ; vector_store :3
	v_mov_b32_e32 v10, v8                                  ; vector_store :3
	v_mov_b32_e32 v11, v20                                 ; vector_store :3
	v_mov_b32_e32 v12, v24                                 ; vector_store :3
	v_mov_b32_e32 v13, v14                                 ; vector_store :3
	v_mov_b32_e32 v20, v9                                  ; vector_store :3
	v_mov_b32_e32 v22, v25                                 ; vector_store :3
	v_mov_b32_e32 v23, v15                                 ; vector_store :3
	global_store_dwordx4 v26, v[0:3], s[4:5]               ; vector_store :3
	global_store_dwordx4 v16, v[4:7], s[4:5]               ; vector_store :3
	global_store_dwordx4 v17, v[10:13], s[4:5]             ; vector_store :3
	global_store_dwordx4 v27, v[20:23], s[4:5]             ; vector_store :3
	s_endpgm
.Ltranspose.end.of.code:
	.size	transpose, .Ltranspose.end.of.code-transpose
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel transpose
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
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 28
		.amdhsa_next_free_sgpr 8
		.amdhsa_accum_offset 28
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
  - .name: transpose
    .symbol: transpose.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 14
    .vgpr_count: 28
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
      - .name: "o"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
