	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 5
	.text
	.file	1 "row_sum"
	.protected	row_sum
	.globl	row_sum
	.p2align	8
	.type	row_sum,@function
row_sum:
	s_load_b128 s[4:7], s[0:1], 0x0
	.loc	1 1 5
	v_and_b32_e32 v1, 63, v0                               ; bitwise_and :1
	v_lshrrev_b32_e32 v0, 6, v0                            ; shift_right :1
	s_lshl_b32 s0, s2, 13                                  ; vector_load :1
	s_delay_alu instid0(VALU_DEP_2) | instid1(SALU_CYCLE_1) ; vector_load :1
	v_lshl_add_u32 v1, v1, 4, s0                           ; vector_load :1
	s_delay_alu instid0(VALU_DEP_1)                        ; vector_load :1
	v_lshl_add_u32 v1, v0, 12, v1                          ; vector_load :1
	s_waitcnt lgkmcnt(0)                                   ; vector_load :1, lgkmcnt: s_load_b128
	s_clause 0x3                                           ; vector_load :1
	global_load_b128 v[2:5], v1, s[4:5]                    ; vector_load :1
	global_load_b128 v[6:9], v1, s[4:5] offset:1024        ; vector_load :1
	global_load_b128 v[10:13], v1, s[4:5] offset:2048      ; vector_load :1
	global_load_b128 v[14:17], v1, s[4:5] offset:3072      ; vector_load :1
	.loc	1 2 1
	s_waitcnt vmcnt(2)                                     ; add :2, vmcnt: global_load_b128, row_sum:1:5
	v_add_f32_e32 v1, v2, v6                               ; add :2
	v_add_f32_e32 v2, v3, v7                               ; add :2
	v_add_f32_e32 v3, v4, v8                               ; add :2
	v_add_f32_e32 v4, v5, v9                               ; add :2
	s_waitcnt vmcnt(0)                                     ; add :2, vmcnt: global_load_b128, row_sum:1:5
	v_add_f32_e32 v5, v10, v14                             ; add :2
	v_add_f32_e32 v6, v11, v15                             ; add :2
	v_add_f32_e32 v7, v12, v16                             ; add :2
	v_add_f32_e32 v8, v13, v17                             ; add :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; add :2
	v_add_f32_e32 v1, v1, v5                               ; add :2
	v_add_f32_e32 v2, v2, v6                               ; add :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; add :2
	v_add_f32_e32 v3, v3, v7                               ; add :2
	v_add_f32_e32 v4, v4, v8                               ; add :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; add :2
	v_add_f32_e32 v1, v1, v2                               ; add :2
	v_add_f32_e32 v2, v3, v4                               ; add :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; add :2
	v_add_f32_e32 v1, v1, v2                               ; add :2
	v_add_f32_dpp v1, v1, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_add_f32_dpp v1, v1, v1 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_add_f32_dpp v1, v1, v1 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_add_f32_dpp v1, v1, v1 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_permlanex16_b32 v2, v1, 0, 0 op_sel:[0,1]            ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_add_f32_e32 v1, v1, v2                               ; dpp_reduce :2
	v_permlane64_b32 v2, v1                                ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_add_f32_e32 v1, v1, v2                               ; dpp_reduce :2
	.loc	1 3 1
	v_lshl_add_u32 v0, s2, 1, v0                           ; add :3
	v_lshlrev_b32_e32 v0, 2, v0                            ; store :3
	s_lshl_b64 exec, 1, 63                                 ; if :3
	global_store_b32 v0, v1, s[6:7]                        ; store :3
	s_endpgm
.Lrow_sum.end.of.code:
	.size	row_sum, .Lrow_sum.end.of.code-row_sum
	.p2alignl	7, 0xbf9f0000
	.fill	96, 4, 0xbf9f0000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel row_sum
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 16
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_wavefront_size32 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 18
		.amdhsa_next_free_sgpr 8
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
		.amdhsa_inst_pref_size 3
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.target: amdgcn-amd-amdhsa--gfx1100
amdhsa.kernels:
  - .name: row_sum
    .symbol: row_sum.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 10
    .vgpr_count: 18
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
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
