	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "dot_product"
	.protected	dot_product_1
	.globl	dot_product_1
	.p2align	8
	.type	dot_product_1,@function
dot_product_1:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx2 s[4:5], s[0:1], 0x8                     ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Ldot_product_1.entry
	.p2align	8
.Ldot_product_1.entry:
	.loc	1 5 9
	v_lshlrev_b32_e32 v1, 4, v0                            ; vector_load :5
	global_load_dwordx4 v[2:5], v1, s[2:3]                 ; vector_load :5
	s_waitcnt vmcnt(0)                                     ; add :5, vmcnt: global_load_dwordx4, dot_product:5:9
	v_add_f32_e32 v1, v2, v3                               ; add :5
	v_add_f32_e32 v2, v4, v5                               ; add :5
	v_add_f32_e32 v1, v1, v2                               ; add :5
	s_lshl_b64 s[0:1], 1, 63                               ; is_lane :5
	v_lshrrev_b32_e32 v2, 6, v0                            ; shift_right :5
	v_add_f32_dpp v1, v1, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :5
	v_mov_b32_e32 v6, 0                                    ; lds_load :5
	v_lshlrev_b32_e32 v2, 2, v2                            ; if :5
	v_add_f32_dpp v1, v1, v1 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :5
	s_nop 1                                                ; dpp_reduce :5, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :5
	s_nop 1                                                ; dpp_reduce :5, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :5
	s_nop 1                                                ; dpp_reduce :5, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :5
	s_nop 1                                                ; dpp_reduce :5, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :5
	s_and_saveexec_b64 s[0:1], s[0:1]                      ; if :5
	ds_write_b32 v2, v1                                    ; lds_store :5
	s_mov_b64 exec, s[0:1]
	s_waitcnt lgkmcnt(0)                                   ; barrier :5, lgkmcnt: ds_write_b32, dot_product:5:9
	s_barrier                                              ; barrier :5
	ds_read_b128 v[2:5], v6                                ; lds_load :5
	.loc	1 6 9
	v_cmp_eq_u32_e32 vcc, 0, v0                            ; if :6
	.loc	1 5 9
	s_waitcnt lgkmcnt(0)                                   ; add :5, lgkmcnt: ds_read_b128, dot_product:5:9
	v_add_f32_e32 v0, v2, v3                               ; add :5
	v_add_f32_e32 v1, v4, v5                               ; add :5
	v_add_f32_e32 v0, v0, v1                               ; add :5
	.loc	1 6 9
	s_and_b64 exec, exec, vcc                              ; if :6
	s_cbranch_execz .Ldot_product_1.end                    ; if :6
	global_store_dword v6, v0, s[4:5]                      ; store :6
.Ldot_product_1.end:
	s_endpgm
.Ldot_product_1.end.of.code:
	.size	dot_product_1, .Ldot_product_1.end.of.code-dot_product_1
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel dot_product_1
		.amdhsa_group_segment_fixed_size 16
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
		.amdhsa_system_sgpr_workgroup_id_x 0
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 7
		.amdhsa_next_free_sgpr 6
		.amdhsa_accum_offset 8
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
  - .name: dot_product_1
    .symbol: dot_product_1.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 16
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 12
    .vgpr_count: 7
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 256
    .reqd_workgroup_size:
      - 256
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
