	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "muladd"
	.protected	muladd
	.globl	muladd
	.p2align	8
	.type	muladd,@function
muladd:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx4 s[4:7], s[0:1], 0x8                     ; preload
	s_load_dwordx2 s[8:9], s[0:1], 0x18                    ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Lmuladd.entry
	.p2align	8
.Lmuladd.entry:
	.loc	1 2 13
	s_lshl_b32 s0, s10, 12                                 ; vector_load :2
	v_lshl_add_u32 v12, v0, 4, s0                          ; vector_load :2
	global_load_dwordx4 v[0:3], v12, s[2:3]                ; vector_load :2
	.loc	1 4 13
	global_load_dwordx4 v[4:7], v12, s[6:7]                ; vector_load :4
	.loc	1 3 13
	global_load_dwordx4 v[8:11], v12, s[4:5]               ; vector_load :3
	.loc	1 8 9
	s_waitcnt vmcnt(1)                                     ; fma :8, vmcnt: global_load_dwordx4, muladd:4:13
	v_pk_fma_f32 v[4:5], 2.0, v[0:1], v[4:5] op_sel_hi:[0,1,1] ; fma :8
	v_pk_fma_f32 v[6:7], 2.0, v[2:3], v[6:7] op_sel_hi:[0,1,1] ; fma :8
	.loc	1 10 9
	v_pk_mul_f32 v[0:1], v[0:1], 4.0 op_sel_hi:[1,0]       ; mul :10
	v_pk_mul_f32 v[2:3], v[2:3], 4.0 op_sel_hi:[1,0]       ; mul :10
	.loc	1 11 9
	s_waitcnt vmcnt(0)                                     ; fma :11, vmcnt: global_load_dwordx4, muladd:3:13
	v_pk_fma_f32 v[0:1], v[4:5], v[8:9], v[0:1]            ; fma :11
	v_pk_fma_f32 v[2:3], v[6:7], v[10:11], v[2:3]          ; fma :11
	.loc	1 12 9
	global_store_dwordx4 v12, v[0:3], s[8:9]               ; vector_store :12
	s_endpgm
.Lmuladd.end.of.code:
	.size	muladd, .Lmuladd.end.of.code-muladd
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel muladd
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
		.amdhsa_next_free_vgpr 13
		.amdhsa_next_free_sgpr 11
		.amdhsa_accum_offset 16
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
  - .name: muladd
    .symbol: muladd.kd
    .kernarg_segment_size: 32
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 17
    .vgpr_count: 13
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
      - .name: "y"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: read_only
      - .name: "b"
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
