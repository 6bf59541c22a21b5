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
	v_and_b32_e32 v1, 63, v0                               ; bitwise_and :1
	v_lshrrev_b32_e32 v0, 6, v0                            ; shift_right :1
	s_lshl_b32 s0, s8, 14                                  ; vector_load :1
	v_lshl_add_u32 v2, v1, 4, s0                           ; vector_load :1
	v_lshl_add_u32 v0, v0, 12, v2                          ; vector_load :1
	global_load_dwordx4 v[2:5], v0, s[2:3]                 ; vector_load :1
	global_load_dwordx4 v[6:9], v0, s[2:3] offset:1024     ; vector_load :1
	global_load_dwordx4 v[10:13], v0, s[2:3] offset:2048   ; vector_load :1
	global_load_dwordx4 v[14:17], v0, s[2:3] offset:3072   ; vector_load :1
	.loc	1 2 9
	v_lshlrev_b32_e32 v1, 4, v1                            ; vector_load :2
	global_load_dwordx4 v[18:21], v1, s[4:5]               ; vector_load :2
	global_load_dwordx4 v[22:25], v1, s[4:5] offset:1024   ; vector_load :2
	global_load_dwordx4 v[26:29], v1, s[4:5] offset:2048   ; vector_load :2
	global_load_dwordx4 v[30:33], v1, s[4:5] offset:3072   ; vector_load :2
	.loc	1 3 1
	s_waitcnt vmcnt(6)                                     ; mul :3, vmcnt: global_load_dwordx4, rmsnorm:1:5
	v_pk_mul_f32 v[34:35], v[6:7], v[6:7]                  ; mul :3
	v_pk_mul_f32 v[36:37], v[8:9], v[8:9]                  ; mul :3
	s_waitcnt vmcnt(4)                                     ; mul :3, vmcnt: global_load_dwordx4, rmsnorm:1:5
	v_pk_mul_f32 v[38:39], v[14:15], v[14:15]              ; mul :3
	v_pk_mul_f32 v[40:41], v[16:17], v[16:17]              ; mul :3
	v_pk_fma_f32 v[34:35], v[2:3], v[2:3], v[34:35]        ; fma :3
	v_pk_fma_f32 v[36:37], v[4:5], v[4:5], v[36:37]        ; fma :3
	v_pk_fma_f32 v[38:39], v[10:11], v[10:11], v[38:39]    ; fma :3
	v_pk_fma_f32 v[40:41], v[12:13], v[12:13], v[40:41]    ; fma :3
	v_pk_add_f32 v[34:35], v[34:35], v[38:39]              ; add :3
	v_pk_add_f32 v[36:37], v[36:37], v[40:41]              ; add :3
	v_add_f32_e32 v1, v34, v35                             ; add :3
	v_add_f32_e32 v34, v36, v37                            ; add :3
	v_add_f32_e32 v1, v1, v34                              ; add :3
	v_mov_b32_e32 v34, 0x3727c5ac                          ; fma :3
	s_nop 0                                                ; dpp_reduce :3, VGPR written, then read by DPP: v1 of v_add_f32_e32
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
	v_fmamk_f32 v1, v1, 0x3a800000, v34                    ; fma :3
	v_rsq_f32_e32 v34, v1                                  ; hw_rsq :3
	s_nop 0                                                ; mul :3, transcendental result read by VALU: v34 of v_rsq_f32_e32
	v_mul_f32_e32 v1, v1, v34                              ; mul :3
	v_fma_f32 v1, -v1, v34, 1.0                            ; fma :3
	v_mul_f32_e32 v35, 0.5, v34                            ; mul :3
	v_max_f32_e32 v1, -1.0, v1                             ; max :3
	v_fmac_f32_e32 v34, v35, v1                            ; fma :3
	s_nop 0                                                ; lane_shuffle :3, VALU result read across lanes: v34 of v_fmac_f32_e32
	v_readlane_b32 s0, v34, 63                             ; lane_shuffle :3
	s_nop 1                                                ; mul :3, VALU-written SGPR read as VALU constant or mask: s0 of v_readlane_b32
	v_pk_mul_f32 v[2:3], v[2:3], s[0:1] op_sel_hi:[1,0]    ; mul :3
	v_pk_mul_f32 v[4:5], v[4:5], s[0:1] op_sel_hi:[1,0]    ; mul :3
	v_pk_mul_f32 v[6:7], v[6:7], s[0:1] op_sel_hi:[1,0]    ; mul :3
	v_pk_mul_f32 v[8:9], v[8:9], s[0:1] op_sel_hi:[1,0]    ; mul :3
	v_pk_mul_f32 v[10:11], v[10:11], s[0:1] op_sel_hi:[1,0] ; mul :3
	v_pk_mul_f32 v[12:13], v[12:13], s[0:1] op_sel_hi:[1,0] ; mul :3
	v_pk_mul_f32 v[14:15], v[14:15], s[0:1] op_sel_hi:[1,0] ; mul :3
	v_pk_mul_f32 v[16:17], v[16:17], s[0:1] op_sel_hi:[1,0] ; mul :3
	s_waitcnt vmcnt(3)                                     ; mul :3, vmcnt: global_load_dwordx4, rmsnorm:2:9
	v_pk_mul_f32 v[2:3], v[2:3], v[18:19]                  ; mul :3
	v_pk_mul_f32 v[4:5], v[4:5], v[20:21]                  ; mul :3
	s_waitcnt vmcnt(2)                                     ; mul :3, vmcnt: global_load_dwordx4, rmsnorm:2:9
	v_pk_mul_f32 v[6:7], v[6:7], v[22:23]                  ; mul :3
	v_pk_mul_f32 v[8:9], v[8:9], v[24:25]                  ; mul :3
	s_waitcnt vmcnt(1)                                     ; mul :3, vmcnt: global_load_dwordx4, rmsnorm:2:9
	v_pk_mul_f32 v[10:11], v[10:11], v[26:27]              ; mul :3
	v_pk_mul_f32 v[12:13], v[12:13], v[28:29]              ; mul :3
	s_waitcnt vmcnt(0)                                     ; mul :3, vmcnt: global_load_dwordx4, rmsnorm:2:9
	v_pk_mul_f32 v[14:15], v[14:15], v[30:31]              ; mul :3
	v_pk_mul_f32 v[16:17], v[16:17], v[32:33]              ; mul :3
	.loc	1 4 1
	global_store_dwordx4 v0, v[2:5], s[6:7]                ; vector_store :4
	global_store_dwordx4 v0, v[6:9], s[6:7] offset:1024    ; vector_store :4
	global_store_dwordx4 v0, v[10:13], s[6:7] offset:2048  ; vector_store :4
	global_store_dwordx4 v0, v[14:17], s[6:7] offset:3072  ; vector_store :4
	s_endpgm
.Lrmsnorm.end.of.code:
	.size	rmsnorm, .Lrmsnorm.end.of.code-rmsnorm
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel rmsnorm
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
		.amdhsa_next_free_vgpr 42
		.amdhsa_next_free_sgpr 9
		.amdhsa_accum_offset 44
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
  - .name: rmsnorm
    .symbol: rmsnorm.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 15
    .vgpr_count: 42
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
