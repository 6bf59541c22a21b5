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
	.loc	1 1 5
	s_lshl_b32 s0, s6, 12                                  ; vector_load :1
	v_lshl_add_u32 v0, v0, 5, s0                           ; vector_load :1
	global_load_dwordx4 v[2:5], v0, s[2:3]                 ; vector_load :1
	global_load_dwordx4 v[10:13], v0, s[2:3] offset:2048   ; vector_load :1
	global_load_dwordx4 v[6:9], v0, s[2:3] offset:16       ; vector_load :1
	global_load_dwordx4 v[14:17], v0, s[2:3] offset:2064   ; vector_load :1
	.loc	1 2 1
	v_mov_b32_e32 v1, 0                                    ; lane_before :2
	s_waitcnt vmcnt(3)                                     ; add :2, vmcnt: global_load_dwordx4, cumsum:1:5
	v_add_f32_e32 v3, v2, v3                               ; add :2
	v_add_f32_e32 v4, v3, v4                               ; add :2
	v_add_f32_e32 v5, v4, v5                               ; add :2
	s_waitcnt vmcnt(1)                                     ; add :2, vmcnt: global_load_dwordx4, cumsum:1:5; vmcnt: global_load_dwordx4, cumsum:1:5
	v_add_f32_e32 v11, v10, v11                            ; add :2
	v_add_f32_e32 v6, v5, v6                               ; add :2
	v_add_f32_e32 v12, v11, v12                            ; add :2
	v_add_f32_e32 v7, v6, v7                               ; add :2
	v_add_f32_e32 v13, v12, v13                            ; add :2
	v_add_f32_e32 v8, v7, v8                               ; add :2
	s_waitcnt vmcnt(0)                                     ; add :2, vmcnt: global_load_dwordx4, cumsum:1:5
	v_add_f32_e32 v14, v13, v14                            ; add :2
	v_add_f32_e32 v9, v8, v9                               ; add :2
	v_add_f32_e32 v15, v14, v15                            ; add :2
	v_add_f32_e32 v16, v15, v16                            ; add :2
	v_add_f32_e32 v17, v16, v17                            ; add :2
	v_mov_b32_e32 v18, v9                                  ; register copy
	v_mov_b32_e32 v19, v17                                 ; register copy
	v_mov_b32_e32 v20, v1                                  ; register copy
	v_add_f32_dpp v18, v9, v9 row_shr:1 row_mask:0xf bank_mask:0xf ; dpp_scan :2
	v_add_f32_dpp v19, v17, v17 row_shr:1 row_mask:0xf bank_mask:0xf ; dpp_scan :2
	s_nop 0                                                ; dpp_scan :2, VGPR written, then read by DPP: v18 of v_add_f32_dpp
	v_add_f32_dpp v18, v18, v18 row_shr:2 row_mask:0xf bank_mask:0xf ; dpp_scan :2
	v_add_f32_dpp v19, v19, v19 row_shr:2 row_mask:0xf bank_mask:0xf ; dpp_scan :2
	s_nop 0                                                ; dpp_scan :2, VGPR written, then read by DPP: v18 of v_add_f32_dpp
	v_add_f32_dpp v18, v18, v18 row_shr:4 row_mask:0xf bank_mask:0xf ; dpp_scan :2
	v_add_f32_dpp v19, v19, v19 row_shr:4 row_mask:0xf bank_mask:0xf ; dpp_scan :2
	s_nop 0                                                ; dpp_scan :2, VGPR written, then read by DPP: v18 of v_add_f32_dpp
	v_add_f32_dpp v18, v18, v18 row_shr:8 row_mask:0xf bank_mask:0xf ; dpp_scan :2
	v_add_f32_dpp v19, v19, v19 row_shr:8 row_mask:0xf bank_mask:0xf ; dpp_scan :2
	s_nop 0                                                ; dpp_scan :2, VGPR written, then read by DPP: v18 of v_add_f32_dpp
	v_add_f32_dpp v18, v18, v18 row_bcast:15 row_mask:0xa bank_mask:0xf ; dpp_scan :2
	v_add_f32_dpp v19, v19, v19 row_bcast:15 row_mask:0xa bank_mask:0xf ; dpp_scan :2
	s_nop 0                                                ; dpp_scan :2, VGPR written, then read by DPP: v18 of v_add_f32_dpp
	v_add_f32_dpp v18, v18, v18 row_bcast:31 row_mask:0xc bank_mask:0xf ; dpp_scan :2
	v_add_f32_dpp v19, v19, v19 row_bcast:31 row_mask:0xc bank_mask:0xf ; dpp_scan :2
	v_readlane_b32 s0, v18, 63                             ; lane_shuffle :2
	v_mov_b32_dpp v20, v18 wave_shr:1 row_mask:0xf bank_mask:0xf ; lane_before :2
	v_mov_b32_dpp v1, v19 wave_shr:1 row_mask:0xf bank_mask:0xf ; lane_before :2
	v_add_f32_e64 v18, 0, s0                               ; add :2
	v_add_f32_e32 v19, 0, v20                              ; add :2
	v_add_f32_e32 v1, v18, v1                              ; add :2
	v_add_f32_e32 v2, v19, v2                              ; add :2
	v_add_f32_e32 v3, v19, v3                              ; add :2
	v_add_f32_e32 v4, v19, v4                              ; add :2
	v_add_f32_e32 v5, v19, v5                              ; add :2
	v_add_f32_e32 v6, v19, v6                              ; add :2
	v_add_f32_e32 v7, v19, v7                              ; add :2
	v_add_f32_e32 v8, v19, v8                              ; add :2
	v_add_f32_e32 v9, v19, v9                              ; add :2
	v_add_f32_e32 v10, v1, v10                             ; add :2
	v_add_f32_e32 v11, v1, v11                             ; add :2
	v_add_f32_e32 v12, v1, v12                             ; add :2
	v_add_f32_e32 v13, v1, v13                             ; add :2
	v_add_f32_e32 v14, v1, v14                             ; add :2
	v_add_f32_e32 v15, v1, v15                             ; add :2
	v_add_f32_e32 v16, v1, v16                             ; add :2
	v_add_f32_e32 v17, v1, v17                             ; add :2
	.loc	1 3 1
	global_store_dwordx4 v0, v[2:5], s[4:5]                ; vector_store :3
	global_store_dwordx4 v0, v[6:9], s[4:5] offset:16      ; vector_store :3
	global_store_dwordx4 v0, v[10:13], s[4:5] offset:2048  ; vector_store :3
	global_store_dwordx4 v0, v[14:17], s[4:5] offset:2064  ; vector_store :3
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
		.amdhsa_next_free_vgpr 21
		.amdhsa_next_free_sgpr 7
		.amdhsa_accum_offset 24
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
    .vgpr_count: 21
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
