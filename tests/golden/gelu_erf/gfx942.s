	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "gelu_erf"
	.protected	gelu_erf
	.globl	gelu_erf
	.p2align	8
	.type	gelu_erf,@function
gelu_erf:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx2 s[4:5], s[0:1], 0x8                     ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Lgelu_erf.entry
	.p2align	8
.Lgelu_erf.entry:
	.loc	1 2 13
	s_lshl_b32 s0, s6, 12                                  ; vector_load :2
	v_lshl_add_u32 v12, v0, 4, s0                          ; vector_load :2
	global_load_dwordx4 v[0:3], v12, s[2:3]                ; vector_load :2
	.loc	1 10 9
	s_mov_b64 s[0:1], 0xbc893d0c                           ; fma :10
	v_mov_b64_e32 v[4:5], 0x3df2f79d                       ; fma :10
	s_mov_b64 s[2:3], 0xbed76be8                           ; fma :10
	s_mov_b64 s[6:7], 0xbfeb2089                           ; fma :10
	s_mov_b64 s[8:9], 0xc013571c                           ; fma :10
	s_waitcnt vmcnt(0)                                     ; mul :10, vmcnt: global_load_dwordx4, gelu_erf:2:13
	v_pk_mul_f32 v[0:1], v[0:1], 0.5 op_sel_hi:[1,0]       ; mul :10
	v_pk_mul_f32 v[2:3], v[2:3], 0.5 op_sel_hi:[1,0]       ; mul :10
	v_max_f32_e64 v6, v0, -v0                              ; max :10
	v_max_f32_e64 v7, v1, -v1                              ; max :10
	v_max_f32_e64 v8, v2, -v2                              ; max :10
	v_max_f32_e64 v9, v3, -v3                              ; max :10
	v_pk_fma_f32 v[10:11], s[0:1], v[6:7], v[4:5] op_sel_hi:[0,1,0] ; fma :10
	v_pk_fma_f32 v[4:5], s[0:1], v[8:9], v[4:5] op_sel_hi:[0,1,0] ; fma :10
	v_pk_fma_f32 v[10:11], v[10:11], v[6:7], s[2:3] op_sel_hi:[1,1,0] ; fma :10
	v_pk_fma_f32 v[4:5], v[4:5], v[8:9], s[2:3] op_sel_hi:[1,1,0] ; fma :10
	v_pk_fma_f32 v[10:11], v[10:11], v[6:7], s[6:7] op_sel_hi:[1,1,0] ; fma :10
	v_pk_fma_f32 v[4:5], v[4:5], v[8:9], s[6:7] op_sel_hi:[1,1,0] ; fma :10
	v_pk_fma_f32 v[10:11], v[10:11], v[6:7], s[8:9] op_sel_hi:[1,1,0] ; fma :10
	v_pk_fma_f32 v[4:5], v[4:5], v[8:9], s[8:9] op_sel_hi:[1,1,0] ; fma :10
	v_pk_mul_f32 v[10:11], v[6:7], v[10:11]                ; mul :10
	v_pk_mul_f32 v[4:5], v[8:9], v[4:5]                    ; mul :10
	v_exp_f32_e32 v10, v10                                 ; hw_exp2 :10
	v_exp_f32_e32 v11, v11                                 ; hw_exp2 :10
	v_exp_f32_e32 v4, v4                                   ; hw_exp2 :10
	v_exp_f32_e32 v5, v5                                   ; hw_exp2 :10
	v_pk_add_f32 v[10:11], 1.0, v[10:11] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :10
	v_pk_add_f32 v[4:5], 1.0, v[4:5] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :10
	v_pk_fma_f32 v[0:1], v[6:7], v[10:11], v[0:1]          ; fma :10
	v_pk_fma_f32 v[2:3], v[8:9], v[4:5], v[2:3]            ; fma :10
	.loc	1 11 9
	global_store_dwordx4 v12, v[0:3], s[4:5]               ; vector_store :11
	s_endpgm
.Lgelu_erf.end.of.code:
	.size	gelu_erf, .Lgelu_erf.end.of.code-gelu_erf
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel gelu_erf
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
		.amdhsa_next_free_vgpr 13
		.amdhsa_next_free_sgpr 10
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
  - .name: gelu_erf
    .symbol: gelu_erf.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 16
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
      - .name: "o"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
