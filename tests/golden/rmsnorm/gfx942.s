	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "rmsnorm"
	.protected	rmsnorm
	.globl	rmsnorm
	.p2align	8
	.type	rmsnorm,@function
rmsnorm:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx4 s[4:7], s[0:1], 0x8                     ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Lrmsnorm.entry
	.p2align	8
.Lrmsnorm.entry:
	.loc	1 1 5
	s_lshl_b32 s0, s8, 12                                  ; vector_load :1
	v_lshl_add_u32 v1, v0, 4, s0                           ; vector_load :1
	global_load_dwordx4 v[2:5], v1, s[2:3]                 ; vector_load :1
	.loc	1 2 9
	v_lshlrev_b32_e32 v6, 4, v0                            ; vector_load :2
	global_load_dwordx4 v[6:9], v6, s[4:5]                 ; vector_load :2
	.loc	1 3 1
	s_waitcnt vmcnt(1)                                     ; mul :3, vmcnt: global_load_dwordx4, rmsnorm:1:5
	v_mul_f32_e32 v10, v2, v2                              ; mul :3
	v_fmac_f32_e32 v10, v3, v3                             ; fma :3
	v_fmac_f32_e32 v10, v4, v4                             ; fma :3
	v_fmac_f32_e32 v10, v5, v5                             ; fma :3
	v_lshrrev_b32_e32 v0, 6, v0                            ; shift_right :3
	s_lshl_b64 s[0:1], 1, 63                               ; is_lane :3
	v_add_f32_dpp v10, v10, v10 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :3
	v_lshlrev_b32_e32 v0, 2, v0                            ; if :3
	v_mov_b32_e32 v11, 0                                   ; lds_load :3
	v_add_f32_dpp v10, v10, v10 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :3
	s_nop 1                                                ; dpp_reduce :3, VGPR written, then read by DPP: v10 of v_add_f32_dpp
	v_add_f32_dpp v10, v10, v10 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :3
	s_nop 1                                                ; dpp_reduce :3, VGPR written, then read by DPP: v10 of v_add_f32_dpp
	v_add_f32_dpp v10, v10, v10 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :3
	s_nop 1                                                ; dpp_reduce :3, VGPR written, then read by DPP: v10 of v_add_f32_dpp
	v_add_f32_dpp v10, v10, v10 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :3
	s_nop 1                                                ; dpp_reduce :3, VGPR written, then read by DPP: v10 of v_add_f32_dpp
	v_add_f32_dpp v10, v10, v10 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :3
	s_and_saveexec_b64 s[0:1], s[0:1]                      ; if :3
	ds_write_b32 v0, v10                                   ; lds_store :3
	s_mov_b64 exec, s[0:1]
	s_waitcnt lgkmcnt(0)                                   ; barrier :3, lgkmcnt: ds_write_b32, rmsnorm:3:1
	s_barrier                                              ; barrier :3
	ds_read_b128 v[10:13], v11                             ; lds_load :3
	s_waitcnt lgkmcnt(0)                                   ; add :3, lgkmcnt: ds_read_b128, rmsnorm:3:1
	v_add_f32_e32 v0, v10, v11                             ; add :3
	v_add_f32_e32 v10, v12, v13                            ; add :3
	v_add_f32_e32 v0, v0, v10                              ; add :3
	v_mov_b32_e32 v10, 0x3727c5ac                          ; fma :3
	v_fmamk_f32 v0, v0, 0x3a800000, v10                    ; fma :3
	v_rsq_f32_e32 v10, v0                                  ; hw_rsq :3
	s_nop 0                                                ; mul :3, transcendental result read by VALU: v10 of v_rsq_f32_e32
	v_mul_f32_e32 v0, v0, v10                              ; mul :3
	v_fma_f32 v0, -v0, v10, 1.0                            ; fma :3
	v_mul_f32_e32 v11, 0.5, v10                            ; mul :3
	v_max_f32_e32 v0, -1.0, v0                             ; max :3
	v_fmac_f32_e32 v10, v11, v0                            ; fma :3
	v_pk_mul_f32 v[2:3], v[2:3], v[10:11] op_sel_hi:[1,0]  ; mul :3
	v_pk_mul_f32 v[4:5], v[4:5], v[10:11] op_sel_hi:[1,0]  ; mul :3
	s_waitcnt vmcnt(0)                                     ; mul :3, vmcnt: global_load_dwordx4, rmsnorm:2:9
	v_pk_mul_f32 v[2:3], v[2:3], v[6:7]                    ; mul :3
	v_pk_mul_f32 v[4:5], v[4:5], v[8:9]                    ; mul :3
	.loc	1 4 1
	global_store_dwordx4 v1, v[2:5], s[6:7]                ; vector_store :4
	s_endpgm
.Lrmsnorm.end.of.code:
	.size	rmsnorm, .Lrmsnorm.end.of.code-rmsnorm
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel rmsnorm
		.amdhsa_group_segment_fixed_size 16
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_count 8
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_user_sgpr_kernarg_preload_length 6
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 14
		.amdhsa_next_free_sgpr 9
		.amdhsa_accum_offset 16
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
  - .name: rmsnorm
    .symbol: rmsnorm.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 16
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 15
    .vgpr_count: 14
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
      - .name: "o"
        .offset: 16
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
