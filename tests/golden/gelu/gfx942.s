	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "gelu"
	.protected	gelu
	.globl	gelu
	.p2align	8
	.type	gelu,@function
gelu:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx2 s[4:5], s[0:1], 0x8                     ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Lgelu.entry
	.p2align	8
.Lgelu.entry:
	.loc	1 2 13
	s_lshl_b32 s0, s6, 12                                  ; vector_load :2
	v_lshl_add_u32 v10, v0, 4, s0                          ; vector_load :2
	global_load_dwordx4 v[0:3], v10, s[2:3]                ; vector_load :2
	.loc	1 15 9
	s_waitcnt vmcnt(0)                                     ; mul :15, vmcnt: global_load_dwordx4, gelu:2:13
	v_pk_mul_f32 v[4:5], v[0:1], v[0:1]                    ; mul :15
	v_pk_mul_f32 v[6:7], v[2:3], v[2:3]                    ; mul :15
	s_mov_b64 s[0:1], 0xbdd2d3e8                           ; fma :15
	v_mov_b64_e32 v[8:9], 0xc0135761                       ; fma :15
	v_pk_fma_f32 v[4:5], s[0:1], v[4:5], v[8:9] op_sel_hi:[0,1,0] ; fma :15
	v_pk_fma_f32 v[6:7], s[0:1], v[6:7], v[8:9] op_sel_hi:[0,1,0] ; fma :15
	v_pk_mul_f32 v[4:5], v[0:1], v[4:5]                    ; mul :15
	v_pk_mul_f32 v[6:7], v[2:3], v[6:7]                    ; mul :15
	v_exp_f32_e32 v4, v4                                   ; hw_exp2 :15
	v_exp_f32_e32 v5, v5                                   ; hw_exp2 :15
	v_exp_f32_e32 v6, v6                                   ; hw_exp2 :15
	v_exp_f32_e32 v7, v7                                   ; hw_exp2 :15
	v_pk_add_f32 v[4:5], v[4:5], 1.0 op_sel_hi:[1,0]       ; add :15
	v_pk_add_f32 v[6:7], v[6:7], 1.0 op_sel_hi:[1,0]       ; add :15
	v_rcp_f32_e32 v4, v4                                   ; hw_rcp :15
	v_rcp_f32_e32 v5, v5                                   ; hw_rcp :15
	v_rcp_f32_e32 v6, v6                                   ; hw_rcp :15
	v_rcp_f32_e32 v7, v7                                   ; hw_rcp :15
	v_pk_mul_f32 v[0:1], v[0:1], v[4:5]                    ; mul :15
	v_pk_mul_f32 v[2:3], v[2:3], v[6:7]                    ; mul :15
	.loc	1 16 9
	global_store_dwordx4 v10, v[0:3], s[4:5]               ; vector_store :16
	s_endpgm
.Lgelu.end.of.code:
	.size	gelu, .Lgelu.end.of.code-gelu
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel gelu
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
		.amdhsa_next_free_vgpr 11
		.amdhsa_next_free_sgpr 7
		.amdhsa_accum_offset 12
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
  - .name: gelu
    .symbol: gelu.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 13
    .vgpr_count: 11
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
      - .name: "o"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
