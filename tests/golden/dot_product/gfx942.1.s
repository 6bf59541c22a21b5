	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "dot_product"
	.protected	dot_product
	.globl	dot_product
	.p2align	8
	.type	dot_product,@function
dot_product:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx4 s[4:7], s[0:1], 0x8                     ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Ldot_product.entry
	.p2align	8
.Ldot_product.entry:
	.loc	1 2 13
	v_and_b32_e32 v1, 63, v0                               ; bitwise_and :2
	s_lshl_b32 s0, s8, 13                                  ; vector_load :2
	v_lshrrev_b32_e32 v0, 6, v0                            ; shift_right :2
	v_lshl_add_u32 v1, v1, 4, s0                           ; vector_load :2
	v_lshl_add_u32 v1, v0, 12, v1                          ; vector_load :2
	global_load_dwordx4 v[2:5], v1, s[2:3] offset:1024     ; vector_load :2
	global_load_dwordx4 v[6:9], v1, s[2:3] offset:3072     ; vector_load :2
	.loc	1 3 13
	global_load_dwordx4 v[10:13], v1, s[4:5] offset:1024   ; vector_load :3
	global_load_dwordx4 v[14:17], v1, s[4:5] offset:3072   ; vector_load :3
	.loc	1 2 13
	global_load_dwordx4 v[18:21], v1, s[2:3]               ; vector_load :2
	global_load_dwordx4 v[22:25], v1, s[2:3] offset:2048   ; vector_load :2
	.loc	1 3 13
	global_load_dwordx4 v[26:29], v1, s[4:5]               ; vector_load :3
	global_load_dwordx4 v[30:33], v1, s[4:5] offset:2048   ; vector_load :3
	.loc	1 4 9
	s_waitcnt vmcnt(5)                                     ; mul :4, vmcnt: global_load_dwordx4, dot_product:3:13
	v_pk_mul_f32 v[2:3], v[2:3], v[10:11]                  ; mul :4
	v_pk_mul_f32 v[4:5], v[4:5], v[12:13]                  ; mul :4
	s_waitcnt vmcnt(4)                                     ; mul :4, vmcnt: global_load_dwordx4, dot_product:3:13
	v_pk_mul_f32 v[6:7], v[6:7], v[14:15]                  ; mul :4
	v_pk_mul_f32 v[8:9], v[8:9], v[16:17]                  ; mul :4
	.loc	1 5 9
	s_waitcnt vmcnt(1)                                     ; fma :5, vmcnt: global_load_dwordx4, dot_product:3:13
	v_pk_fma_f32 v[2:3], v[18:19], v[26:27], v[2:3]        ; fma :5
	v_pk_fma_f32 v[4:5], v[20:21], v[28:29], v[4:5]        ; fma :5
	s_waitcnt vmcnt(0)                                     ; fma :5, vmcnt: global_load_dwordx4, dot_product:3:13
	v_pk_fma_f32 v[6:7], v[22:23], v[30:31], v[6:7]        ; fma :5
	v_pk_fma_f32 v[8:9], v[24:25], v[32:33], v[8:9]        ; fma :5
	v_pk_add_f32 v[2:3], v[2:3], v[6:7]                    ; add :5
	v_pk_add_f32 v[4:5], v[4:5], v[8:9]                    ; add :5
	v_add_f32_e32 v1, v2, v3                               ; add :5
	v_add_f32_e32 v2, v4, v5                               ; add :5
	v_add_f32_e32 v1, v1, v2                               ; add :5
	.loc	1 6 9
	v_lshl_add_u32 v0, s8, 1, v0                           ; add :6
	v_lshlrev_b32_e32 v0, 2, v0                            ; store :6
	.loc	1 5 9
	v_add_f32_dpp v1, v1, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :5
	s_nop 1                                                ; dpp_reduce :5, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :5
	s_nop 1                                                ; dpp_reduce :5, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :5
	s_nop 1                                                ; dpp_reduce :5, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :5
	s_nop 1                                                ; dpp_reduce :5, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :5
	s_nop 1                                                ; dpp_reduce :5, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :5
	.loc	1 6 9
	s_lshl_b64 exec, 1, 63                                 ; if :6
	global_store_dword v0, v1, s[6:7]                      ; store :6
	s_endpgm
.Ldot_product.end.of.code:
	.size	dot_product, .Ldot_product.end.of.code-dot_product
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel dot_product
		.amdhsa_group_segment_fixed_size 0
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
		.amdhsa_next_free_vgpr 34
		.amdhsa_next_free_sgpr 9
		.amdhsa_accum_offset 36
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
  - .name: dot_product
    .symbol: dot_product.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 15
    .vgpr_count: 34
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
      - .name: "y"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: read_only
      - .name: "o_partial"
        .offset: 16
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
