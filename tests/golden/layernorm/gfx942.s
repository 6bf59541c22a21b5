	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "layernorm"
	.protected	layernorm
	.globl	layernorm
	.p2align	8
	.type	layernorm,@function
layernorm:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx4 s[4:7], s[0:1], 0x8                     ; preload
	s_load_dwordx2 s[8:9], s[0:1], 0x18                    ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Llayernorm.entry
	.p2align	8
.Llayernorm.entry:
	.loc	1 1 5
	s_lshl_b32 s0, s10, 12                                 ; vector_load :1
	v_lshl_add_u32 v1, v0, 4, s0                           ; vector_load :1
	global_load_dwordx4 v[2:5], v1, s[2:3]                 ; vector_load :1
	.loc	1 2 9
	v_lshlrev_b32_e32 v6, 4, v0                            ; vector_load :2
	global_load_dwordx4 v[8:11], v6, s[4:5]                ; vector_load :2
	.loc	1 3 8
	global_load_dwordx4 v[12:15], v6, s[6:7]               ; vector_load :3
	.loc	1 4 1
	s_waitcnt vmcnt(2)                                     ; add :4, vmcnt: global_load_dwordx4, layernorm:1:5
	v_add_f32_e32 v6, v2, v3                               ; add :4
	v_add_f32_e32 v7, v4, v5                               ; add :4
	v_add_f32_e32 v6, v6, v7                               ; add :4
	v_lshrrev_b32_e32 v0, 6, v0                            ; shift_right :4
	s_lshl_b64 s[0:1], 1, 63                               ; is_lane :4
	v_add_f32_dpp v6, v6, v6 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	v_lshlrev_b32_e32 v0, 2, v0                            ; if :4
	v_mov_b32_e32 v7, 0                                    ; lds_load :4
	v_add_f32_dpp v6, v6, v6 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	v_mov_b32_e32 v16, 0x3727c5ac                          ; fma :4
	s_nop 0                                                ; dpp_reduce :4, VGPR written, then read by DPP: v6 of v_add_f32_dpp
	v_add_f32_dpp v6, v6, v6 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v6 of v_add_f32_dpp
	v_add_f32_dpp v6, v6, v6 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v6 of v_add_f32_dpp
	v_add_f32_dpp v6, v6, v6 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v6 of v_add_f32_dpp
	v_add_f32_dpp v6, v6, v6 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_and_saveexec_b64 s[2:3], s[0:1]                      ; if :4
	ds_write_b32 v0, v6                                    ; lds_store :4
	s_mov_b64 exec, s[2:3]
	s_waitcnt lgkmcnt(0)                                   ; barrier :4, lgkmcnt: ds_write_b32, layernorm:4:1
	s_barrier                                              ; barrier :4
	ds_read_b128 v[18:21], v7                              ; lds_load :4
	s_waitcnt lgkmcnt(0)                                   ; add :4, lgkmcnt: ds_read_b128, layernorm:4:1
	v_add_f32_e32 v6, v18, v19                             ; add :4
	v_add_f32_e32 v17, v20, v21                            ; add :4
	v_add_f32_e32 v6, v6, v17                              ; add :4
	v_mul_f32_e32 v6, 0x3a800000, v6                       ; mul :4
	v_pk_add_f32 v[2:3], v[2:3], v[6:7] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :4
	v_pk_add_f32 v[4:5], v[4:5], v[6:7] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :4
	v_mul_f32_e32 v6, v2, v2                               ; mul :4
	v_fmac_f32_e32 v6, v3, v3                              ; fma :4
	v_fmac_f32_e32 v6, v4, v4                              ; fma :4
	v_fmac_f32_e32 v6, v5, v5                              ; fma :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v6 of v_fmac_f32_e32
	v_add_f32_dpp v6, v6, v6 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v6 of v_add_f32_dpp
	v_add_f32_dpp v6, v6, v6 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v6 of v_add_f32_dpp
	v_add_f32_dpp v6, v6, v6 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v6 of v_add_f32_dpp
	v_add_f32_dpp v6, v6, v6 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v6 of v_add_f32_dpp
	v_add_f32_dpp v6, v6, v6 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v6 of v_add_f32_dpp
	v_add_f32_dpp v6, v6, v6 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_and_saveexec_b64 s[0:1], s[0:1]                      ; if :4
	ds_write_b32 v0, v6 offset:16                          ; lds_store :4
	s_mov_b64 exec, s[0:1]
	s_waitcnt lgkmcnt(0)                                   ; barrier :4, lgkmcnt: ds_write_b32, layernorm:4:1
	s_barrier                                              ; barrier :4
	ds_read_b128 v[18:21], v7 offset:16                    ; lds_load :4
	s_waitcnt lgkmcnt(0)                                   ; add :4, lgkmcnt: ds_read_b128, layernorm:4:1
	v_add_f32_e32 v0, v18, v19                             ; add :4
	v_add_f32_e32 v6, v20, v21                             ; add :4
	v_add_f32_e32 v0, v0, v6                               ; add :4
	v_fmamk_f32 v0, v0, 0x3a800000, v16                    ; fma :4
	v_rsq_f32_e32 v6, v0                                   ; hw_rsq :4
	s_nop 0                                                ; mul :4, transcendental result read by VALU: v6 of v_rsq_f32_e32
	v_mul_f32_e32 v0, v0, v6                               ; mul :4
	v_fma_f32 v0, -v0, v6, 1.0                             ; fma :4
	v_mul_f32_e32 v7, 0.5, v6                              ; mul :4
	v_max_f32_e32 v0, -1.0, v0                             ; max :4
	v_fmac_f32_e32 v6, v7, v0                              ; fma :4
	v_pk_mul_f32 v[2:3], v[2:3], v[6:7] op_sel_hi:[1,0]    ; mul :4
	v_pk_mul_f32 v[4:5], v[4:5], v[6:7] op_sel_hi:[1,0]    ; mul :4
	s_waitcnt vmcnt(0)                                     ; fma :4, vmcnt: global_load_dwordx4, layernorm:3:8
	v_pk_fma_f32 v[2:3], v[2:3], v[8:9], v[12:13]          ; fma :4
	v_pk_fma_f32 v[4:5], v[4:5], v[10:11], v[14:15]        ; fma :4
	.loc	1 5 1
	global_store_dwordx4 v1, v[2:5], s[8:9]                ; vector_store :5
	s_endpgm
.Llayernorm.end.of.code:
	.size	layernorm, .Llayernorm.end.of.code-layernorm
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel layernorm
		.amdhsa_group_segment_fixed_size 32
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
		.amdhsa_next_free_vgpr 22
		.amdhsa_next_free_sgpr 11
		.amdhsa_accum_offset 24
		.amdhsa_reserve_vcc 0
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_tg_split 0
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: layernorm
    .symbol: layernorm.kd
    .kernarg_segment_size: 32
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 32
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 17
    .vgpr_count: 22
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
      - .name: "scale"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: read_only
      - .name: "bias"
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
