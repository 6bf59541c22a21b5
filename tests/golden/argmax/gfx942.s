	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "argmax"
	.protected	argmax
	.globl	argmax
	.p2align	8
	.type	argmax,@function
argmax:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx2 s[4:5], s[0:1], 0x8                     ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Largmax.entry
	.p2align	8
.Largmax.entry:
	.loc	1 1 5
	v_and_b32_e32 v1, 63, v0                               ; bitwise_and :1
	v_lshrrev_b32_e32 v0, 6, v0                            ; shift_right :1
	s_lshl_b32 s0, s6, 14                                  ; vector_load :1
	v_lshl_add_u32 v2, v1, 4, s0                           ; vector_load :1
	v_lshl_add_u32 v2, v0, 12, v2                          ; vector_load :1
	global_load_dwordx4 v[4:7], v2, s[2:3]                 ; vector_load :1
	global_load_dwordx4 v[8:11], v2, s[2:3] offset:1024    ; vector_load :1
	global_load_dwordx4 v[12:15], v2, s[2:3] offset:2048   ; vector_load :1
	global_load_dwordx4 v[16:19], v2, s[2:3] offset:3072   ; vector_load :1
	.loc	1 2 1
	s_waitcnt vmcnt(3)                                     ; max :2, vmcnt: global_load_dwordx4, argmax:1:5
	v_max_f32_e32 v2, v4, v5                               ; max :2
	v_max_f32_e32 v2, v2, v6                               ; max :2
	v_max_f32_e32 v2, v2, v7                               ; max :2
	s_waitcnt vmcnt(2)                                     ; max :2, vmcnt: global_load_dwordx4, argmax:1:5
	v_max_f32_e32 v3, v8, v9                               ; max :2
	v_max_f32_e32 v3, v3, v10                              ; max :2
	v_max_f32_e32 v3, v3, v11                              ; max :2
	s_waitcnt vmcnt(1)                                     ; max :2, vmcnt: global_load_dwordx4, argmax:1:5
	v_max_f32_e32 v7, v12, v13                             ; max :2
	v_max_f32_e32 v7, v7, v14                              ; max :2
	v_max_f32_e32 v7, v7, v15                              ; max :2
	s_waitcnt vmcnt(0)                                     ; max :2, vmcnt: global_load_dwordx4, argmax:1:5
	v_max_f32_e32 v11, v16, v17                            ; max :2
	v_max_f32_e32 v11, v11, v18                            ; max :2
	v_max_f32_e32 v11, v11, v19                            ; max :2
	v_max_f32_e32 v15, v2, v3                              ; max :2
	v_max_f32_e32 v19, v7, v11                             ; max :2
	v_max_f32_e32 v19, v15, v19                            ; max :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v19 of v_max_f32_e32
	v_max_f32_dpp v19, v19, v19 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v19 of v_max_f32_dpp
	v_max_f32_dpp v19, v19, v19 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v19 of v_max_f32_dpp
	v_max_f32_dpp v19, v19, v19 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v19 of v_max_f32_dpp
	v_max_f32_dpp v19, v19, v19 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v19 of v_max_f32_dpp
	v_max_f32_dpp v19, v19, v19 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v19 of v_max_f32_dpp
	v_max_f32_dpp v19, v19, v19 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 0                                                ; lane_shuffle :2, VALU result read across lanes: v19 of v_max_f32_dpp
	v_readlane_b32 s0, v19, 63                             ; lane_shuffle :2
	s_nop 1                                                ; equal :2, VALU-written SGPR read as VALU constant or mask: s0 of v_readlane_b32
	v_cmp_eq_f32_e32 vcc, s0, v15                          ; equal :2
	s_ff1_i32_b64 s1, vcc                                  ; find_lane :2
	s_cmp_le_i32 0, s1                                     ; if :2
	s_cbranch_scc0 .Largmax.else                           ; if :2
	v_cmp_eq_f32_e32 vcc, s0, v2                           ; equal :2
	s_ff1_i32_b64 s1, vcc                                  ; find_lane :2
	s_cmp_le_i32 0, s1                                     ; if :2
	s_cbranch_scc0 .Largmax.else_1                         ; if :2
	v_cmp_eq_f32_e32 vcc, s0, v6                           ; equal :2
	v_cmp_eq_f32_e64 s[2:3], v5, s0                        ; equal :2
	v_cmp_eq_f32_e64 s[8:9], v4, s0                        ; equal :2
	v_cndmask_b32_e64 v2, 3, 2, vcc                        ; where :2
	v_cndmask_b32_e64 v2, v2, 1, s[2:3]                    ; where :2
	v_cndmask_b32_e64 v2, v2, 0, s[8:9]                    ; where :2
	s_nop 0                                                ; lane_shuffle :2, VALU result read across lanes: v2 of v_cndmask_b32_e64
	v_readlane_b32 s0, v2, s1                              ; lane_shuffle :2
	s_lshl2_add_u32 s0, s1, s0                             ; add :2
	s_branch .Largmax.join
.Largmax.else_1:
	v_cmp_eq_f32_e32 vcc, s0, v10                          ; equal :2
	v_cmp_eq_f32_e64 s[2:3], v9, s0                        ; equal :2
	v_cmp_eq_f32_e64 s[8:9], v8, s0                        ; equal :2
	v_cndmask_b32_e64 v2, 3, 2, vcc                        ; where :2
	v_cndmask_b32_e64 v2, v2, 1, s[2:3]                    ; where :2
	v_cmp_eq_f32_e32 vcc, s0, v3                           ; equal :2
	v_cndmask_b32_e64 v2, v2, 0, s[8:9]                    ; where :2
	s_ff1_i32_b64 s0, vcc                                  ; find_lane :2
	s_lshl2_add_u32 s1, s0, 0x100                          ; add :2
	v_readlane_b32 s0, v2, s0                              ; lane_shuffle :2
	s_add_u32 s0, s1, s0                                   ; add :2
	s_branch .Largmax.join
.Largmax.else:
	v_cmp_eq_f32_e32 vcc, s0, v7                           ; equal :2
	s_ff1_i32_b64 s1, vcc                                  ; find_lane :2
	s_cmp_le_i32 0, s1                                     ; if :2
	s_cbranch_scc0 .Largmax.else_2                         ; if :2
	v_cmp_eq_f32_e32 vcc, s0, v14                          ; equal :2
	v_cmp_eq_f32_e64 s[2:3], v13, s0                       ; equal :2
	v_cmp_eq_f32_e64 s[8:9], v12, s0                       ; equal :2
	v_cndmask_b32_e64 v2, 3, 2, vcc                        ; where :2
	v_cndmask_b32_e64 v2, v2, 1, s[2:3]                    ; where :2
	v_cndmask_b32_e64 v2, v2, 0, s[8:9]                    ; where :2
	s_lshl2_add_u32 s0, s1, 0x200                          ; add :2
	v_readlane_b32 s1, v2, s1                              ; lane_shuffle :2
	s_add_u32 s0, s0, s1                                   ; add :2
	s_branch .Largmax.join
.Largmax.else_2:
	v_cmp_eq_f32_e32 vcc, s0, v18                          ; equal :2
	v_cmp_eq_f32_e64 s[2:3], v17, s0                       ; equal :2
	v_cmp_eq_f32_e64 s[8:9], v16, s0                       ; equal :2
	v_cndmask_b32_e64 v2, 3, 2, vcc                        ; where :2
	v_cndmask_b32_e64 v2, v2, 1, s[2:3]                    ; where :2
	v_cmp_eq_f32_e32 vcc, s0, v11                          ; equal :2
	v_cndmask_b32_e64 v2, v2, 0, s[8:9]                    ; where :2
	s_ff1_i32_b64 s0, vcc                                  ; find_lane :2
	s_lshl2_add_u32 s1, s0, 0x300                          ; add :2
	v_readlane_b32 s2, v2, s0                              ; lane_shuffle :2
	s_add_u32 s1, s1, s2                                   ; add :2
	s_cmp_le_i32 0, s0                                     ; where :2
	s_cselect_b32 s0, s1, 0x400                            ; where :2
.Largmax.join:
	s_cmp_eq_i32 s0, 0x400                                 ; where :2
	s_cselect_b32 s0, 0, s0                                ; where :2
	s_ashr_i32 s1, s0, 31                                  ; shift_right :2
	.loc	1 3 1
	v_lshl_add_u32 v0, s6, 2, v0                           ; add :3
	v_cmp_eq_u32_e32 vcc, 0, v1                            ; if :3
	s_and_b64 exec, exec, vcc                              ; if :3
	s_cbranch_execz .Largmax.end                           ; if :3
	v_mov_b64_e32 v[2:3], s[0:1]                           ; store :3
	v_lshlrev_b32_e32 v0, 3, v0                            ; store :3
	global_store_dwordx2 v0, v[2:3], s[4:5]                ; store :3
.Largmax.end:
	s_endpgm
.Largmax.end.of.code:
	.size	argmax, .Largmax.end.of.code-argmax
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel argmax
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
		.amdhsa_next_free_vgpr 20
		.amdhsa_next_free_sgpr 10
		.amdhsa_accum_offset 20
		.amdhsa_reserve_vcc 1
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
  - .name: argmax
    .symbol: argmax.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 20
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
      - .name: "o"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "i64"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
