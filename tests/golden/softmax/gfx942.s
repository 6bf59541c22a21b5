	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "softmax"
	.protected	softmax
	.globl	softmax
	.p2align	8
	.type	softmax,@function
softmax:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx2 s[4:5], s[0:1], 0x8                     ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Lsoftmax.entry
	.p2align	8
.Lsoftmax.entry:
	.loc	1 1 5
	s_lshl_b32 s0, s6, 12                                  ; vector_load :1
	v_lshl_add_u32 v1, v0, 4, s0                           ; vector_load :1
	global_load_dwordx4 v[2:5], v1, s[2:3]                 ; vector_load :1
	.loc	1 2 1
	s_waitcnt vmcnt(0)                                     ; max :2, vmcnt: global_load_dwordx4, softmax:1:5
	v_max_f32_e32 v6, v2, v3                               ; max :2
	v_max_f32_e32 v7, v4, v5                               ; max :2
	v_max_f32_e32 v6, v6, v7                               ; max :2
	v_lshrrev_b32_e32 v0, 6, v0                            ; shift_right :2
	s_lshl_b64 s[0:1], 1, 63                               ; is_lane :2
	v_max_f32_dpp v6, v6, v6 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_lshlrev_b32_e32 v0, 2, v0                            ; if :2
	v_mov_b32_e32 v7, 0                                    ; lds_load :2
	v_max_f32_dpp v6, v6, v6 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_mov_b64 s[2:3], 0x3fb8aa3b                           ; fma :2
	s_mov_b32 s6, 0x4b3fff68                               ; med3 :2
	v_max_f32_dpp v6, v6, v6 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_mov_b64 s[8:9], 0xcb400000                           ; sub :2
	s_mov_b64 s[10:11], 0x32a57060                         ; fma :2
	v_max_f32_dpp v6, v6, v6 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_mov_b64 s[12:13], 0x3f317218                         ; fma :2
	s_mov_b32 s7, 0x39000000                               ; less :2
	v_max_f32_dpp v6, v6, v6 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v6 of v_max_f32_dpp
	v_max_f32_dpp v6, v6, v6 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_and_saveexec_b64 s[14:15], s[0:1]                    ; if :2
	ds_write_b32 v0, v6                                    ; lds_store :2
	s_mov_b64 exec, s[14:15]
	s_waitcnt lgkmcnt(0)                                   ; barrier :2, lgkmcnt: ds_write_b32, softmax:2:1
	s_barrier                                              ; barrier :2
	ds_read_b128 v[8:11], v7                               ; lds_load :2
	s_waitcnt lgkmcnt(0)                                   ; max :2, lgkmcnt: ds_read_b128, softmax:2:1
	v_max_f32_e32 v6, v8, v9                               ; max :2
	v_max_f32_e32 v8, v10, v11                             ; max :2
	v_max_f32_e32 v6, v6, v8                               ; max :2
	v_pk_add_f32 v[2:3], v[2:3], v[6:7] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[4:5], v[4:5], v[6:7] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_mov_b64_e32 v[8:9], 0x4b400000                       ; fma :2
	v_pk_fma_f32 v[10:11], v[2:3], s[2:3], v[8:9] op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[12:13], v[4:5], s[2:3], v[8:9] op_sel_hi:[1,0,0] ; fma :2
	v_mov_b32_e32 v6, 0x4b400081                           ; med3 :2
	v_med3_f32 v8, v10, s6, v6                             ; med3 :2
	v_med3_f32 v9, v11, s6, v6                             ; med3 :2
	v_med3_f32 v10, v12, s6, v6                            ; med3 :2
	v_med3_f32 v11, v13, s6, v6                            ; med3 :2
	v_pk_add_f32 v[12:13], v[8:9], s[8:9] op_sel_hi:[1,0]  ; sub :2
	v_pk_add_f32 v[14:15], v[10:11], s[8:9] op_sel_hi:[1,0] ; sub :2
	v_pk_fma_f32 v[12:13], v[2:3], s[2:3], v[12:13] op_sel_hi:[1,0,1] neg_lo:[0,0,1] neg_hi:[0,0,1] ; fma :2
	v_pk_fma_f32 v[14:15], v[4:5], s[2:3], v[14:15] op_sel_hi:[1,0,1] neg_lo:[0,0,1] neg_hi:[0,0,1] ; fma :2
	v_pk_fma_f32 v[2:3], v[2:3], s[10:11], v[12:13] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[4:5], v[4:5], s[10:11], v[14:15] op_sel_hi:[1,0,1] ; fma :2
	v_subrev_u32_e32 v8, 0x4b400000, v8                    ; sub :2
	v_subrev_u32_e32 v9, 0x4b400000, v9                    ; sub :2
	v_subrev_u32_e32 v10, 0x4b400000, v10                  ; sub :2
	v_subrev_u32_e32 v11, 0x4b400000, v11                  ; sub :2
	v_pk_fma_f32 v[12:13], v[2:3], s[12:13], 1.0 op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[14:15], v[4:5], s[12:13], 1.0 op_sel_hi:[1,0,0] ; fma :2
	v_cmp_lt_f32_e64 vcc, |v2|, s7                         ; less :2
	v_cmp_lt_f32_e64 s[2:3], |v3|, s7                      ; less :2
	v_cmp_lt_f32_e64 s[8:9], |v4|, s7                      ; less :2
	v_cmp_lt_f32_e64 s[6:7], |v5|, s7                      ; less :2
	v_exp_f32_e32 v2, v2                                   ; hw_exp2 :2
	v_exp_f32_e32 v3, v3                                   ; hw_exp2 :2
	v_exp_f32_e32 v4, v4                                   ; hw_exp2 :2
	v_exp_f32_e32 v5, v5                                   ; hw_exp2 :2
	v_cndmask_b32_e32 v2, v2, v12, vcc                     ; where :2
	v_cndmask_b32_e64 v3, v3, v13, s[2:3]                  ; where :2
	v_cndmask_b32_e64 v4, v4, v14, s[8:9]                  ; where :2
	v_cndmask_b32_e64 v5, v5, v15, s[6:7]                  ; where :2
	v_ldexp_f32 v2, v2, v8                                 ; ldexp :2
	v_ldexp_f32 v3, v3, v9                                 ; ldexp :2
	v_ldexp_f32 v4, v4, v10                                ; ldexp :2
	v_ldexp_f32 v5, v5, v11                                ; ldexp :2
	v_add_f32_e32 v6, v2, v3                               ; add :2
	v_add_f32_e32 v8, v4, v5                               ; add :2
	v_add_f32_e32 v6, v6, v8                               ; add :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v6 of v_add_f32_e32
	v_add_f32_dpp v6, v6, v6 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v6 of v_add_f32_dpp
	v_add_f32_dpp v6, v6, v6 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v6 of v_add_f32_dpp
	v_add_f32_dpp v6, v6, v6 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v6 of v_add_f32_dpp
	v_add_f32_dpp v6, v6, v6 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v6 of v_add_f32_dpp
	v_add_f32_dpp v6, v6, v6 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v6 of v_add_f32_dpp
	v_add_f32_dpp v6, v6, v6 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_and_saveexec_b64 s[0:1], s[0:1]                      ; if :2
	ds_write_b32 v0, v6 offset:16                          ; lds_store :2
	s_mov_b64 exec, s[0:1]
	s_waitcnt lgkmcnt(0)                                   ; barrier :2, lgkmcnt: ds_write_b32, softmax:2:1
	s_barrier                                              ; barrier :2
	ds_read_b128 v[6:9], v7 offset:16                      ; lds_load :2
	s_waitcnt lgkmcnt(0)                                   ; add :2, lgkmcnt: ds_read_b128, softmax:2:1
	v_add_f32_e32 v0, v6, v7                               ; add :2
	v_add_f32_e32 v6, v8, v9                               ; add :2
	v_add_f32_e32 v0, v0, v6                               ; add :2
	v_frexp_mant_f32_e32 v6, v0                            ; frexp_mantissa :2
	v_rcp_f32_e32 v7, v6                                   ; hw_rcp :2
	s_nop 0                                                ; fma :2, transcendental result read by VALU: v7 of v_rcp_f32_e32
	v_fma_f32 v6, -v6, v7, 1.0                             ; fma :2
	v_fmac_f32_e32 v7, v6, v7                              ; fma :2
	v_frexp_exp_i32_f32_e32 v6, v0                         ; frexp_exponent :2
	v_sub_u32_e32 v6, 0, v6                                ; sub :2
	v_ldexp_f32 v6, v7, v6                                 ; ldexp :2
	v_div_fixup_f32 v0, v6, v0, 1.0                        ; div_fixup :2
	v_pk_mul_f32 v[2:3], v[2:3], v[0:1] op_sel_hi:[1,0]    ; mul :2
	v_pk_mul_f32 v[4:5], v[4:5], v[0:1] op_sel_hi:[1,0]    ; mul :2
	.loc	1 3 1
	global_store_dwordx4 v1, v[2:5], s[4:5]                ; vector_store :3
	s_endpgm
.Lsoftmax.end.of.code:
	.size	softmax, .Lsoftmax.end.of.code-softmax
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel softmax
		.amdhsa_group_segment_fixed_size 32
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
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 16
		.amdhsa_accum_offset 16
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
  - .name: softmax
    .symbol: softmax.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 32
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 22
    .vgpr_count: 16
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
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
