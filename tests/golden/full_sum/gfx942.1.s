	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "full_sum"
	.protected	full_sum
	.globl	full_sum
	.p2align	8
	.type	full_sum,@function
full_sum:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx2 s[4:5], s[0:1], 0x8                     ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Lfull_sum.entry
	.p2align	8
.Lfull_sum.entry:
	.loc	1 2 13
	v_and_b32_e32 v1, 63, v0                               ; bitwise_and :2
	v_lshrrev_b32_e32 v0, 6, v0                            ; shift_right :2
	s_lshl_b32 s0, s6, 14                                  ; vector_load :2
	v_lshl_add_u32 v1, v1, 4, s0                           ; vector_load :2
	v_lshl_add_u32 v1, v0, 12, v1                          ; vector_load :2
	global_load_dwordx4 v[2:5], v1, s[2:3]                 ; vector_load :2
	global_load_dwordx4 v[6:9], v1, s[2:3] offset:1024     ; vector_load :2
	global_load_dwordx4 v[10:13], v1, s[2:3] offset:2048   ; vector_load :2
	global_load_dwordx4 v[14:17], v1, s[2:3] offset:3072   ; vector_load :2
	.loc	1 3 9
	s_waitcnt vmcnt(2)                                     ; add :3, vmcnt: global_load_dwordx4, full_sum:2:13
	v_pk_add_f32 v[2:3], v[2:3], v[6:7]                    ; add :3
	v_pk_add_f32 v[4:5], v[4:5], v[8:9]                    ; add :3
	s_waitcnt vmcnt(0)                                     ; add :3, vmcnt: global_load_dwordx4, full_sum:2:13
	v_pk_add_f32 v[6:7], v[10:11], v[14:15]                ; add :3
	v_pk_add_f32 v[8:9], v[12:13], v[16:17]                ; add :3
	v_pk_add_f32 v[2:3], v[2:3], v[6:7]                    ; add :3
	v_pk_add_f32 v[4:5], v[4:5], v[8:9]                    ; add :3
	v_add_f32_e32 v1, v2, v3                               ; add :3
	v_add_f32_e32 v2, v4, v5                               ; add :3
	v_add_f32_e32 v1, v1, v2                               ; add :3
	.loc	1 4 9
	v_lshl_add_u32 v0, s6, 2, v0                           ; add :4
	v_lshlrev_b32_e32 v0, 2, v0                            ; store :4
	.loc	1 3 9
	v_add_f32_dpp v1, v1, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :3
	s_nop 1                                                ; dpp_reduce :3, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :3
	s_nop 1                                                ; dpp_reduce :3, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :3
	s_nop 1                                                ; dpp_reduce :3, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :3
	s_nop 1                                                ; dpp_reduce :3, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :3
	s_nop 1                                                ; dpp_reduce :3, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :3
	.loc	1 4 9
	s_lshl_b64 exec, 1, 63                                 ; if :4
	global_store_dword v0, v1, s[4:5]                      ; store :4
	s_endpgm
.Lfull_sum.end.of.code:
	.size	full_sum, .Lfull_sum.end.of.code-full_sum
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel full_sum
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
		.amdhsa_next_free_vgpr 18
		.amdhsa_next_free_sgpr 7
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
  - .name: full_sum
    .symbol: full_sum.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 13
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
