	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 5
	.text
	.file	1 "vecadd"
	.protected	vecadd
	.globl	vecadd
	.p2align	8
	.type	vecadd,@function
vecadd:
	s_load_b128 s[4:7], s[0:1], 0x0
	s_load_b64 s[0:1], s[0:1], 0x10
	.loc	1 2 13
	v_and_b32_e32 v1, 31, v0                               ; bitwise_and :2
	v_lshrrev_b32_e32 v0, 5, v0                            ; shift_right :2
	s_lshl_b32 s2, s15, 13                                 ; vector_load :2
	s_delay_alu instid0(VALU_DEP_2) | instid1(SALU_CYCLE_1) ; vector_load :2
	v_lshl_add_u32 v1, v1, 4, s2                           ; vector_load :2
	s_delay_alu instid0(VALU_DEP_1)                        ; vector_load :2
	v_lshl_add_u32 v0, v0, 11, v1                          ; vector_load :2
	s_waitcnt lgkmcnt(0)                                   ; vector_load :2, lgkmcnt: s_load_b128
	s_clause 0x7                                           ; vector_load :2
	global_load_b128 v[1:4], v0, s[4:5]                    ; vector_load :2
	global_load_b128 v[5:8], v0, s[4:5] offset:512         ; vector_load :2
	global_load_b128 v[9:12], v0, s[4:5] offset:1024       ; vector_load :2
	global_load_b128 v[13:16], v0, s[4:5] offset:1536      ; vector_load :2
	.loc	1 3 13
	global_load_b128 v[17:20], v0, s[6:7]                  ; vector_load :3
	global_load_b128 v[21:24], v0, s[6:7] offset:512       ; vector_load :3
	global_load_b128 v[25:28], v0, s[6:7] offset:1024      ; vector_load :3
	global_load_b128 v[29:32], v0, s[6:7] offset:1536      ; vector_load :3
	.loc	1 4 9
	s_waitcnt vmcnt(2)                                     ; add :4, vmcnt: global_load_b128, vecadd:3:13; vmcnt: global_load_b128, vecadd:3:13
	v_dual_add_f32 v1, v1, v17 :: v_dual_add_f32 v2, v2, v18 ; add :4
	v_dual_add_f32 v3, v3, v19 :: v_dual_add_f32 v4, v4, v20 ; add :4
	v_dual_add_f32 v5, v5, v21 :: v_dual_add_f32 v6, v6, v22 ; add :4
	v_dual_add_f32 v7, v7, v23 :: v_dual_add_f32 v8, v8, v24 ; add :4
	s_waitcnt vmcnt(0)                                     ; add :4, vmcnt: global_load_b128, vecadd:3:13; vmcnt: global_load_b128, vecadd:3:13
	v_dual_add_f32 v9, v9, v25 :: v_dual_add_f32 v10, v10, v26 ; add :4
	v_dual_add_f32 v11, v11, v27 :: v_dual_add_f32 v12, v12, v28 ; add :4
	v_dual_add_f32 v13, v13, v29 :: v_dual_add_f32 v14, v14, v30 ; add :4
	v_dual_add_f32 v15, v15, v31 :: v_dual_add_f32 v16, v16, v32 ; add :4
	.loc	1 5 9
	s_clause 0x3                                           ; vector_store :5
	global_store_b128 v0, v[1:4], s[0:1]                   ; vector_store :5
	global_store_b128 v0, v[5:8], s[0:1] offset:512        ; vector_store :5
	global_store_b128 v0, v[9:12], s[0:1] offset:1024      ; vector_store :5
	global_store_b128 v0, v[13:16], s[0:1] offset:1536     ; vector_store :5
	s_endpgm
.Lvecadd.end.of.code:
	.size	vecadd, .Lvecadd.end.of.code-vecadd
	.p2alignl	7, 0xbf9f0000
	.fill	96, 4, 0xbf9f0000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel vecadd
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_count 15
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_wavefront_size32 1
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 33
		.amdhsa_next_free_sgpr 16
		.amdhsa_reserve_vcc 0
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_workgroup_processor_mode 1
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 0
		.amdhsa_inst_pref_size 2
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.target: amdgcn-amd-amdhsa--gfx1100
amdhsa.kernels:
  - .name: vecadd
    .symbol: vecadd.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 32
    .sgpr_count: 18
    .vgpr_count: 33
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 128
    .reqd_workgroup_size:
      - 128
      - 1
      - 1
    .args:
      - .name: "a"
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
      - .name: "o"
        .offset: 16
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
