	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "concat_add"
	.protected	concat_add
	.globl	concat_add
	.p2align	8
	.type	concat_add,@function
concat_add:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx4 s[4:7], s[0:1], 0x8                     ; preload
	s_load_dwordx2 s[8:9], s[0:1], 0x18                    ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Lconcat_add.entry
	.p2align	8
.Lconcat_add.entry:
	.loc	1 2 13
	s_lshl_b32 s0, s10, 12                                 ; vector_load :2
	v_lshl_add_u32 v0, v0, 4, s0                           ; vector_load :2
	global_load_dwordx4 v[2:5], v0, s[2:3]                 ; vector_load :2
	.loc	1 4 13
	global_load_dwordx4 v[6:9], v0, s[6:7]                 ; vector_load :4
	.loc	1 3 13
	global_load_dwordx4 v[10:13], v0, s[4:5]               ; vector_load :3
	.loc	1 4 13
	v_add_u32_e32 v1, 0x400000, v0                         ; vector_load :4
	global_load_dwordx4 v[14:17], v1, s[6:7]               ; vector_load :4
	.loc	1 6 9
	s_waitcnt vmcnt(2)                                     ; add :6, vmcnt: global_load_dwordx4, concat_add:4:13
	v_pk_add_f32 v[2:3], v[2:3], v[6:7]                    ; add :6
	v_pk_add_f32 v[4:5], v[4:5], v[8:9]                    ; add :6
	.loc	1 7 9
	global_store_dwordx4 v0, v[2:5], s[8:9]                ; vector_store :7
	.loc	1 6 9
	s_waitcnt vmcnt(1)                                     ; add :6, vmcnt: global_load_dwordx4, concat_add:4:13
	s_nop 0                                                ; add :6, data of a wide store overwritten by VALU: v[2:5] of global_store_dwordx4
	v_pk_add_f32 v[2:3], v[10:11], v[14:15]                ; add :6
	v_pk_add_f32 v[4:5], v[12:13], v[16:17]                ; add :6
	.loc	1 7 9
	global_store_dwordx4 v1, v[2:5], s[8:9]                ; vector_store :7
	s_endpgm
.Lconcat_add.end.of.code:
	.size	concat_add, .Lconcat_add.end.of.code-concat_add
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel concat_add
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
		.amdhsa_next_free_vgpr 18
		.amdhsa_next_free_sgpr 11
		.amdhsa_accum_offset 20
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
  - .name: concat_add
    .symbol: concat_add.kd
    .kernarg_segment_size: 32
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 17
    .vgpr_count: 18
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 256
    .reqd_workgroup_size:
      - 256
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
      - .name: "y"
        .offset: 16
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: read_only
      - .name: "o"
        .offset: 24
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
