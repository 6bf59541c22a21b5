	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "cumsum"
	.protected	cumsum
	.globl	cumsum
	.p2align	8
	.type	cumsum,@function
cumsum:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx2 s[4:5], s[0:1], 0x8                     ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Lcumsum.entry
	.p2align	8
.Lcumsum.entry:
	.loc	1 2 1
	v_mov_b32_e32 v1, 0                                    ; lane_before :2
	.loc	1 1 5
	s_lshl_b32 s0, s6, 12                                  ; vector_load :1
	v_mov_b32_e32 v2, 0                                    ; register copy
	s_mov_b32 s1, 0                                        ; register copy
.Lcumsum.loop:
	s_lshl2_add_u32 s6, s1, s0                             ; vector_load :1
	v_lshl_add_u32 v3, v0, 5, s6                           ; vector_load :1
	global_load_dwordx4 v[4:7], v3, s[2:3]                 ; vector_load :1
	global_load_dwordx4 v[8:11], v3, s[2:3] offset:16      ; vector_load :1
	.loc	1 2 1
	s_waitcnt vmcnt(1)                                     ; add :2, vmcnt: global_load_dwordx4, cumsum:1:5
	v_add_f32_e32 v5, v4, v5                               ; add :2
	v_add_f32_e32 v6, v5, v6                               ; add :2
	v_add_f32_e32 v7, v6, v7                               ; add :2
	s_waitcnt vmcnt(0)                                     ; add :2, vmcnt: global_load_dwordx4, cumsum:1:5
	v_add_f32_e32 v8, v7, v8                               ; add :2
	v_add_f32_e32 v9, v8, v9                               ; add :2
	v_add_f32_e32 v10, v9, v10                             ; add :2
	v_add_f32_e32 v11, v10, v11                            ; add :2
	v_mov_b32_e32 v12, v11                                 ; register copy
	v_mov_b32_e32 v13, v1                                  ; register copy
	.loc	1 3 1
	s_add_u32 s1, s1, 0x200                                ; for :3
	.loc	1 2 1
	v_add_f32_dpp v12, v11, v11 row_shr:1 row_mask:0xf bank_mask:0xf ; dpp_scan :2
	.loc	1 3 1
	s_cmp_lt_u32 s1, 0x400                                 ; for :3
	.loc	1 2 1
	s_nop 0                                                ; dpp_scan :2, VGPR written, then read by DPP: v12 of v_add_f32_dpp
	v_add_f32_dpp v12, v12, v12 row_shr:2 row_mask:0xf bank_mask:0xf ; dpp_scan :2
	s_nop 1                                                ; dpp_scan :2, VGPR written, then read by DPP: v12 of v_add_f32_dpp
	v_add_f32_dpp v12, v12, v12 row_shr:4 row_mask:0xf bank_mask:0xf ; dpp_scan :2
	s_nop 1                                                ; dpp_scan :2, VGPR written, then read by DPP: v12 of v_add_f32_dpp
	v_add_f32_dpp v12, v12, v12 row_shr:8 row_mask:0xf bank_mask:0xf ; dpp_scan :2
	s_nop 1                                                ; dpp_scan :2, VGPR written, then read by DPP: v12 of v_add_f32_dpp
	v_add_f32_dpp v12, v12, v12 row_bcast:15 row_mask:0xa bank_mask:0xf ; dpp_scan :2
	s_nop 1                                                ; dpp_scan :2, VGPR written, then read by DPP: v12 of v_add_f32_dpp
	v_add_f32_dpp v12, v12, v12 row_bcast:31 row_mask:0xc bank_mask:0xf ; dpp_scan :2
	s_nop 1                                                ; lane_before :2, VGPR written, then read by DPP: v12 of v_add_f32_dpp
	v_mov_b32_dpp v13, v12 wave_shr:1 row_mask:0xf bank_mask:0xf ; lane_before :2
	v_readlane_b32 s6, v12, 63                             ; lane_shuffle :2
	v_add_f32_e32 v12, v2, v13                             ; add :2
	v_add_f32_e32 v4, v12, v4                              ; add :2
	v_add_f32_e32 v5, v12, v5                              ; add :2
	v_add_f32_e32 v6, v12, v6                              ; add :2
	v_add_f32_e32 v7, v12, v7                              ; add :2
	v_add_f32_e32 v8, v12, v8                              ; add :2
	v_add_f32_e32 v9, v12, v9                              ; add :2
	v_add_f32_e32 v10, v12, v10                            ; add :2
	v_add_f32_e32 v11, v12, v11                            ; add :2
	v_add_f32_e32 v2, s6, v2                               ; add :2
	.loc	1 3 1
	global_store_dwordx4 v3, v[4:7], s[4:5]                ; vector_store :3
	global_store_dwordx4 v3, v[8:11], s[4:5] offset:16     ; vector_store :3
	s_cbranch_scc1 .Lcumsum.loop                           ; for :3
	s_endpgm
.Lcumsum.end.of.code:
	.size	cumsum, .Lcumsum.end.of.code-cumsum
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel cumsum
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
		.amdhsa_next_free_vgpr 14
		.amdhsa_next_free_sgpr 7
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
  - .name: cumsum
    .symbol: cumsum.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 13
    .vgpr_count: 14
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
