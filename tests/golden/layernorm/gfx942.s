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
	v_and_b32_e32 v1, 63, v0                               ; bitwise_and :1
	v_lshrrev_b32_e32 v0, 6, v0                            ; shift_right :1
	s_lshl_b32 s0, s10, 14                                 ; vector_load :1
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
	.loc	1 3 8
	global_load_dwordx4 v[34:37], v1, s[6:7]               ; vector_load :3
	global_load_dwordx4 v[38:41], v1, s[6:7] offset:1024   ; vector_load :3
	global_load_dwordx4 v[42:45], v1, s[6:7] offset:2048   ; vector_load :3
	global_load_dwordx4 v[46:49], v1, s[6:7] offset:3072   ; vector_load :3
	.loc	1 4 1
	s_waitcnt vmcnt(10)                                    ; add :4, vmcnt: global_load_dwordx4, layernorm:1:5
	v_pk_add_f32 v[50:51], v[2:3], v[6:7]                  ; add :4
	v_pk_add_f32 v[52:53], v[4:5], v[8:9]                  ; add :4
	s_waitcnt vmcnt(8)                                     ; add :4, vmcnt: global_load_dwordx4, layernorm:1:5
	v_pk_add_f32 v[54:55], v[10:11], v[14:15]              ; add :4
	v_pk_add_f32 v[56:57], v[12:13], v[16:17]              ; add :4
	v_pk_add_f32 v[50:51], v[50:51], v[54:55]              ; add :4
	v_pk_add_f32 v[52:53], v[52:53], v[56:57]              ; add :4
	v_add_f32_e32 v1, v50, v51                             ; add :4
	v_add_f32_e32 v50, v52, v53                            ; add :4
	v_add_f32_e32 v1, v1, v50                              ; add :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v1 of v_add_f32_e32
	v_add_f32_dpp v1, v1, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	v_mul_f32_e32 v1, 0x3a800000, v1                       ; mul :4
	s_nop 0                                                ; lane_shuffle :4, VALU result read across lanes: v1 of v_mul_f32_e32
	v_readlane_b32 s0, v1, 63                              ; lane_shuffle :4
	s_nop 1                                                ; sub :4, VALU-written SGPR read as VALU constant or mask: s0 of v_readlane_b32
	v_pk_add_f32 v[2:3], v[2:3], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :4
	v_pk_add_f32 v[4:5], v[4:5], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :4
	v_pk_add_f32 v[6:7], v[6:7], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :4
	v_pk_add_f32 v[8:9], v[8:9], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :4
	v_pk_add_f32 v[10:11], v[10:11], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :4
	v_pk_add_f32 v[12:13], v[12:13], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :4
	v_pk_add_f32 v[14:15], v[14:15], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :4
	v_pk_add_f32 v[16:17], v[16:17], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :4
	v_pk_mul_f32 v[50:51], v[6:7], v[6:7]                  ; mul :4
	v_pk_mul_f32 v[52:53], v[8:9], v[8:9]                  ; mul :4
	v_pk_mul_f32 v[54:55], v[14:15], v[14:15]              ; mul :4
	v_pk_mul_f32 v[56:57], v[16:17], v[16:17]              ; mul :4
	v_pk_fma_f32 v[50:51], v[2:3], v[2:3], v[50:51]        ; fma :4
	v_pk_fma_f32 v[52:53], v[4:5], v[4:5], v[52:53]        ; fma :4
	v_pk_fma_f32 v[54:55], v[10:11], v[10:11], v[54:55]    ; fma :4
	v_pk_fma_f32 v[56:57], v[12:13], v[12:13], v[56:57]    ; fma :4
	v_pk_add_f32 v[50:51], v[50:51], v[54:55]              ; add :4
	v_pk_add_f32 v[52:53], v[52:53], v[56:57]              ; add :4
	v_add_f32_e32 v1, v50, v51                             ; add :4
	v_add_f32_e32 v50, v52, v53                            ; add :4
	v_add_f32_e32 v1, v1, v50                              ; add :4
	v_mov_b32_e32 v50, 0x3727c5ac                          ; fma :4
	s_nop 0                                                ; dpp_reduce :4, VGPR written, then read by DPP: v1 of v_add_f32_e32
	v_add_f32_dpp v1, v1, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	s_nop 1                                                ; dpp_reduce :4, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :4
	v_fmamk_f32 v1, v1, 0x3a800000, v50                    ; fma :4
	v_rsq_f32_e32 v50, v1                                  ; hw_rsq :4
	s_nop 0                                                ; mul :4, transcendental result read by VALU: v50 of v_rsq_f32_e32
	v_mul_f32_e32 v1, v1, v50                              ; mul :4
	v_fma_f32 v1, -v1, v50, 1.0                            ; fma :4
	v_mul_f32_e32 v51, 0.5, v50                            ; mul :4
	v_max_f32_e32 v1, -1.0, v1                             ; max :4
	v_fmac_f32_e32 v50, v51, v1                            ; fma :4
	s_nop 0                                                ; lane_shuffle :4, VALU result read across lanes: v50 of v_fmac_f32_e32
	v_readlane_b32 s0, v50, 63                             ; lane_shuffle :4
	s_nop 1                                                ; mul :4, VALU-written SGPR read as VALU constant or mask: s0 of v_readlane_b32
	v_pk_mul_f32 v[2:3], v[2:3], s[0:1] op_sel_hi:[1,0]    ; mul :4
	v_pk_mul_f32 v[4:5], v[4:5], s[0:1] op_sel_hi:[1,0]    ; mul :4
	v_pk_mul_f32 v[6:7], v[6:7], s[0:1] op_sel_hi:[1,0]    ; mul :4
	v_pk_mul_f32 v[8:9], v[8:9], s[0:1] op_sel_hi:[1,0]    ; mul :4
	v_pk_mul_f32 v[10:11], v[10:11], s[0:1] op_sel_hi:[1,0] ; mul :4
	v_pk_mul_f32 v[12:13], v[12:13], s[0:1] op_sel_hi:[1,0] ; mul :4
	v_pk_mul_f32 v[14:15], v[14:15], s[0:1] op_sel_hi:[1,0] ; mul :4
	v_pk_mul_f32 v[16:17], v[16:17], s[0:1] op_sel_hi:[1,0] ; mul :4
	s_waitcnt vmcnt(3)                                     ; fma :4, vmcnt: global_load_dwordx4, layernorm:3:8
	v_pk_fma_f32 v[2:3], v[2:3], v[18:19], v[34:35]        ; fma :4
	v_pk_fma_f32 v[4:5], v[4:5], v[20:21], v[36:37]        ; fma :4
	s_waitcnt vmcnt(2)                                     ; fma :4, vmcnt: global_load_dwordx4, layernorm:3:8
	v_pk_fma_f32 v[6:7], v[6:7], v[22:23], v[38:39]        ; fma :4
	v_pk_fma_f32 v[8:9], v[8:9], v[24:25], v[40:41]        ; fma :4
	s_waitcnt vmcnt(1)                                     ; fma :4, vmcnt: global_load_dwordx4, layernorm:3:8
	v_pk_fma_f32 v[10:11], v[10:11], v[26:27], v[42:43]    ; fma :4
	v_pk_fma_f32 v[12:13], v[12:13], v[28:29], v[44:45]    ; fma :4
	s_waitcnt vmcnt(0)                                     ; fma :4, vmcnt: global_load_dwordx4, layernorm:3:8
	v_pk_fma_f32 v[14:15], v[14:15], v[30:31], v[46:47]    ; fma :4
	v_pk_fma_f32 v[16:17], v[16:17], v[32:33], v[48:49]    ; fma :4
	.loc	1 5 1
	global_store_dwordx4 v0, v[2:5], s[8:9]                ; vector_store :5
	global_store_dwordx4 v0, v[6:9], s[8:9] offset:1024    ; vector_store :5
	global_store_dwordx4 v0, v[10:13], s[8:9] offset:2048  ; vector_store :5
	global_store_dwordx4 v0, v[14:17], s[8:9] offset:3072  ; vector_store :5
	s_endpgm
.Llayernorm.end.of.code:
	.size	layernorm, .Llayernorm.end.of.code-layernorm
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel layernorm
		.amdhsa_group_segment_fixed_size 0
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
		.amdhsa_next_free_vgpr 58
		.amdhsa_next_free_sgpr 11
		.amdhsa_accum_offset 60
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
  - .name: layernorm
    .symbol: layernorm.kd
    .kernarg_segment_size: 32
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 17
    .vgpr_count: 58
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
