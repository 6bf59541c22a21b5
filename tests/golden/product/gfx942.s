	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "<text>.gen"
	.protected	product
	.globl	product
	.p2align	8
	.type	product,@function
product:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx4 s[4:7], s[0:1], 0x8                     ; preload
	s_load_dwordx2 s[8:9], s[0:1], 0x18                    ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Lproduct.entry
	.p2align	8
.Lproduct.entry:
	.loc	1 10 9
	s_lshl_b32 s0, s10, 14                                 ; multiple :10
	s_lshl_b32 s0, s0, 1                                   ; vector_load :10
	.loc	1 9 9
	s_lshl_b32 s1, s11, 14                                 ; multiple :9
	v_and_b32_e32 v1, 7, v0                                ; bitwise_and :9
	v_lshrrev_b32_e32 v2, 3, v0                            ; shift_right :9
	v_lshlrev_b32_e32 v3, 8, v2                            ; add :9
	v_lshl_add_u32 v3, v1, 3, v3                           ; add :9
	s_lshl_b32 s11, s1, 1                                  ; vector_load :9
	v_lshl_add_u32 v4, v3, 1, s11                          ; vector_load :9
	global_load_dwordx4 v[6:9], v4, s[2:3]                 ; vector_load :9
	v_add_u32_e32 v5, 0x4000, v4                           ; vector_load :9
	global_load_dwordx4 v[10:13], v5, s[2:3]               ; vector_load :9
	.loc	1 10 9
	v_lshl_add_u32 v3, v3, 1, s0                           ; vector_load :10
	global_load_dwordx4 v[14:17], v3, s[4:5]               ; vector_load :10
	v_add_u32_e32 v5, 0x4000, v3                           ; vector_load :10
	global_load_dwordx4 v[18:21], v5, s[4:5]               ; vector_load :10
	.loc	1 17 5
	v_bfe_u32 v5, v0, 4, 2                                 ; bitwise_and :17
	v_bfe_u32 v22, v0, 6, 1                                ; bitwise_and :17
	.loc	1 11 12
	s_lshl_b32 s0, s10, 7                                  ; vector_load :11
	v_lshl_add_u32 v23, v5, 3, s0                          ; vector_load :11
	v_lshl_add_u32 v23, v22, 6, v23                        ; vector_load :11
	global_load_dwordx2 v[24:25], v23, s[6:7]              ; vector_load :11
	global_load_dwordx2 v[26:27], v23, s[6:7] offset:32    ; vector_load :11
	.loc	1 17 5
	v_mov_b64_e32 v[28:29], 0                              ; for :17
	v_mov_b64_e32 v[30:31], 0                              ; for :17
	v_and_b32_e32 v2, 7, v2                                ; bitwise_and :17
	v_xor_b32_e32 v2, v0, v2                               ; bitwise_xor :17
	v_and_b32_e32 v23, 15, v0                              ; bitwise_and :17
	v_lshrrev_b32_e32 v0, 7, v0                            ; shift_right :17
	v_lshl_add_u32 v1, v23, 3, v1                          ; add :17
	v_lshl_add_u32 v32, v0, 8, v1                          ; add :17
	v_xor_b32_e32 v32, v32, v5                             ; bitwise_xor :17
	v_lshl_add_u32 v1, v22, 8, v1                          ; add :17
	v_xor_b32_e32 v1, v1, v5                               ; bitwise_xor :17
	s_waitcnt vmcnt(4)                                     ; register copy, vmcnt: global_load_dwordx4, <text>.gen:9:9
	v_mov_b32_e32 v34, v10                                 ; register copy
	v_mov_b32_e32 v10, v28                                 ; register copy
	v_mov_b32_e32 v35, v11                                 ; register copy
	v_mov_b32_e32 v11, v29                                 ; register copy
	v_mov_b32_e32 v36, v12                                 ; register copy
	v_mov_b32_e32 v12, v30                                 ; register copy
	v_mov_b32_e32 v37, v13                                 ; register copy
	v_mov_b32_e32 v13, v31                                 ; register copy
	s_waitcnt vmcnt(3)                                     ; register copy, vmcnt: global_load_dwordx4, <text>.gen:10:9
	v_mov_b32_e32 v38, v14                                 ; register copy
	v_mov_b32_e32 v14, v28                                 ; register copy
	v_mov_b32_e32 v39, v15                                 ; register copy
	v_mov_b32_e32 v15, v29                                 ; register copy
	v_mov_b32_e32 v40, v16                                 ; register copy
	v_mov_b32_e32 v16, v30                                 ; register copy
	v_mov_b32_e32 v41, v17                                 ; register copy
	v_mov_b32_e32 v17, v31                                 ; register copy
	s_waitcnt vmcnt(2)                                     ; register copy, vmcnt: global_load_dwordx4, <text>.gen:10:9
	v_mov_b32_e32 v42, v18                                 ; register copy
	v_mov_b32_e32 v18, v6                                  ; register copy
	v_mov_b32_e32 v6, v28                                  ; register copy
	v_mov_b32_e32 v43, v19                                 ; register copy
	v_mov_b32_e32 v19, v7                                  ; register copy
	v_mov_b32_e32 v7, v29                                  ; register copy
	v_mov_b32_e32 v44, v20                                 ; register copy
	v_mov_b32_e32 v20, v8                                  ; register copy
	v_mov_b32_e32 v8, v30                                  ; register copy
	v_mov_b32_e32 v45, v21                                 ; register copy
	v_mov_b32_e32 v21, v9                                  ; register copy
	v_mov_b32_e32 v9, v31                                  ; register copy
	s_mov_b32 s6, 0                                        ; register copy
.Lproduct.loop:
	s_lshr_b32 s7, s6, 6                                   ; shift_right :17
	s_and_b32 s7, s7, 1                                    ; bitwise_and :17
	s_lshl_b32 s7, s7, 13                                  ; lds_store :17
	v_lshl_add_u32 v33, v2, 4, s7                          ; lds_store :17
	s_waitcnt vmcnt(3)                                     ; lds_store :17, vmcnt: global_load_dwordx4, <text>.gen:9:9
	ds_write_b128 v33, v[18:21]                            ; lds_store :17
	.loc	1 9 9
	v_add_u32_e32 v46, 0x4000, v4                          ; vector_load :9
	.loc	1 17 5
	s_waitcnt vmcnt(2)                                     ; lds_store :17, vmcnt: global_load_dwordx4, <text>.gen:9:9
	ds_write_b128 v33, v[34:37] offset:4096                ; lds_store :17
	s_waitcnt vmcnt(1)                                     ; lds_store :17, vmcnt: global_load_dwordx4, <text>.gen:10:9
	ds_write_b128 v33, v[38:41] offset:16384               ; lds_store :17
	.loc	1 10 9
	v_add_u32_e32 v47, 0x4000, v3                          ; vector_load :10
	.loc	1 17 5
	s_waitcnt vmcnt(0)                                     ; lds_store :17, vmcnt: global_load_dwordx4, <text>.gen:10:9
	ds_write_b128 v33, v[42:45] offset:20480               ; lds_store :17
	.loc	1 9 9
	global_load_dwordx4 v[18:21], v4, s[2:3] offset:128    ; vector_load :9
	global_load_dwordx4 v[34:37], v46, s[2:3] offset:128   ; vector_load :9
	.loc	1 10 9
	global_load_dwordx4 v[38:41], v3, s[4:5] offset:128    ; vector_load :10
	global_load_dwordx4 v[42:45], v47, s[4:5] offset:128   ; vector_load :10
	.loc	1 17 5
	s_waitcnt lgkmcnt(0)                                   ; barrier :17, lgkmcnt: ds_write_b128, <text>.gen:17:5
	s_barrier                                              ; barrier :17
	v_lshl_add_u32 v33, v32, 4, s7                         ; lds_load :17
	v_lshl_add_u32 v46, v1, 4, s7                          ; lds_load :17
	ds_read_b128 v[48:51], v33                             ; lds_load :17
	ds_read_b128 v[52:55], v33 offset:2048                 ; lds_load :17
	ds_read_b128 v[56:59], v46 offset:16384                ; lds_load :17
	ds_read_b128 v[60:63], v46 offset:18432                ; lds_load :17
	v_xor_b32_e32 v33, 64, v33                             ; lds_load :17
	v_xor_b32_e32 v46, 64, v46                             ; lds_load :17
	ds_read_b128 v[64:67], v33                             ; lds_load :17
	ds_read_b128 v[68:71], v33 offset:2048                 ; lds_load :17
	ds_read_b128 v[72:75], v46 offset:16384                ; lds_load :17
	ds_read_b128 v[76:79], v46 offset:18432                ; lds_load :17
	s_waitcnt lgkmcnt(5)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[28:31], v[56:57], v[48:49], v[28:31] ; matrix :17
	s_waitcnt lgkmcnt(4)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[6:9], v[60:61], v[48:49], v[6:9] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[10:13], v[56:57], v[52:53], v[10:13] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[14:17], v[60:61], v[52:53], v[14:17] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[28:31], v[58:59], v[50:51], v[28:31] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[6:9], v[62:63], v[50:51], v[6:9] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[10:13], v[58:59], v[54:55], v[10:13] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[14:17], v[62:63], v[54:55], v[14:17] ; matrix :17
	s_waitcnt lgkmcnt(1)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[28:31], v[72:73], v[64:65], v[28:31] ; matrix :17
	s_waitcnt lgkmcnt(0)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[6:9], v[76:77], v[64:65], v[6:9] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[10:13], v[72:73], v[68:69], v[10:13] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[14:17], v[76:77], v[68:69], v[14:17] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[28:31], v[74:75], v[66:67], v[28:31] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[6:9], v[78:79], v[66:67], v[6:9] ; matrix :17
	s_add_u32 s6, s6, 64                                   ; for :17
	v_mfma_f32_16x16x16_f16 v[10:13], v[74:75], v[70:71], v[10:13] ; matrix :17
	s_cmp_lt_u32 s6, 0xc0                                  ; for :17
	v_add_u32_e32 v3, 0x80, v3                             ; for :17
	v_add_u32_e32 v4, 0x80, v4                             ; for :17
	v_mfma_f32_16x16x16_f16 v[14:17], v[78:79], v[70:71], v[14:17] ; matrix :17
	s_cbranch_scc1 .Lproduct.loop                          ; for :17
	v_lshlrev_b32_e32 v2, 4, v2                            ; lds_store :17
	v_lshlrev_b32_e32 v3, 4, v32                           ; lds_load :17
	v_lshlrev_b32_e32 v1, 4, v1                            ; lds_load :17
	v_xor_b32_e32 v4, 64, v3                               ; lds_load :17
	v_xor_b32_e32 v32, 64, v1                              ; lds_load :17
	s_waitcnt vmcnt(3)                                     ; lds_store :17, vmcnt: global_load_dwordx4, <text>.gen:9:9
	ds_write_b128 v2, v[18:21] offset:8192                 ; lds_store :17
	s_waitcnt vmcnt(2)                                     ; lds_store :17, vmcnt: global_load_dwordx4, <text>.gen:9:9
	ds_write_b128 v2, v[34:37] offset:12288                ; lds_store :17
	s_waitcnt vmcnt(1)                                     ; lds_store :17, vmcnt: global_load_dwordx4, <text>.gen:10:9
	ds_write_b128 v2, v[38:41] offset:24576                ; lds_store :17
	s_waitcnt vmcnt(0)                                     ; lds_store :17, vmcnt: global_load_dwordx4, <text>.gen:10:9
	ds_write_b128 v2, v[42:45] offset:28672                ; lds_store :17
	s_waitcnt lgkmcnt(0)                                   ; barrier :17, lgkmcnt: ds_write_b128, <text>.gen:17:5
	s_barrier                                              ; barrier :17
	ds_read_b128 v[18:21], v3 offset:8192                  ; lds_load :17
	ds_read_b128 v[34:37], v1 offset:24576                 ; lds_load :17
	ds_read_b128 v[38:41], v1 offset:26624                 ; lds_load :17
	ds_read_b128 v[42:45], v3 offset:10240                 ; lds_load :17
	ds_read_b128 v[46:49], v4 offset:8192                  ; lds_load :17
	ds_read_b128 v[50:53], v32 offset:24576                ; lds_load :17
	ds_read_b128 v[54:57], v32 offset:26624                ; lds_load :17
	ds_read_b128 v[58:61], v4 offset:10240                 ; lds_load :17
	s_waitcnt lgkmcnt(6)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[28:31], v[34:35], v[18:19], v[28:31] ; matrix :17
	s_waitcnt lgkmcnt(5)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[6:9], v[38:39], v[18:19], v[6:9] ; matrix :17
	s_waitcnt lgkmcnt(4)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[10:13], v[34:35], v[42:43], v[10:13] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[14:17], v[38:39], v[42:43], v[14:17] ; matrix :17
	.loc	1 15 5
	v_cvt_f32_f16_e32 v2, v27                              ; convert :15
	v_cvt_f32_f16_sdwa v3, v27 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :15
	.loc	1 17 5
	v_mfma_f32_16x16x16_f16 v[28:31], v[36:37], v[20:21], v[28:31] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[6:9], v[40:41], v[20:21], v[6:9] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[10:13], v[36:37], v[44:45], v[10:13] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[14:17], v[40:41], v[44:45], v[14:17] ; matrix :17
	s_add_u32 s0, s1, s0                                   ; vector_store :17
	s_waitcnt lgkmcnt(2)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[28:31], v[50:51], v[46:47], v[28:31] ; matrix :17
	v_lshl_add_u32 v1, v5, 3, s0                           ; vector_store :17
	s_waitcnt lgkmcnt(1)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[6:9], v[54:55], v[46:47], v[6:9] ; matrix :17
	v_lshl_add_u32 v1, v22, 6, v1                          ; vector_store :17
	s_waitcnt lgkmcnt(0)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[10:13], v[50:51], v[58:59], v[10:13] ; matrix :17
	v_lshl_add_u32 v1, v23, 8, v1                          ; vector_store :17
	v_mfma_f32_16x16x16_f16 v[14:17], v[54:55], v[58:59], v[14:17] ; matrix :17
	v_lshl_add_u32 v4, v0, 13, v1                          ; vector_store :17
	v_mfma_f32_16x16x16_f16 v[28:31], v[52:53], v[48:49], v[28:31] ; matrix :17
	v_add_u32_e32 v5, 0x2000, v4                           ; vector_store :17
	v_mfma_f32_16x16x16_f16 v[6:9], v[56:57], v[48:49], v[6:9] ; matrix :17
	.loc	1 15 5
	v_cvt_f32_f16_e32 v0, v26                              ; convert :15
	v_cvt_f32_f16_sdwa v19, v24 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :15
	v_cvt_f32_f16_e32 v18, v24                             ; convert :15
	.loc	1 17 5
	v_mfma_f32_16x16x16_f16 v[10:13], v[52:53], v[60:61], v[10:13] ; matrix :17
	.loc	1 15 5
	v_cvt_f32_f16_sdwa v21, v25 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :15
	v_cvt_f32_f16_sdwa v1, v26 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :15
	v_cvt_f32_f16_e32 v20, v25                             ; convert :15
	.loc	1 17 5
	v_mfma_f32_16x16x16_f16 v[14:17], v[56:57], v[60:61], v[14:17] ; matrix :17
	v_fma_mixlo_f16 v28, v28, 1.0, v18                     ; convert :17
	v_fma_mixhi_f16 v28, v29, 1.0, v19                     ; convert :17
	v_fma_mixlo_f16 v6, v6, 1.0, v0                        ; convert :17
	v_fma_mixlo_f16 v29, v30, 1.0, v20                     ; convert :17
	v_fma_mixhi_f16 v6, v7, 1.0, v1                        ; convert :17
	v_fma_mixlo_f16 v10, v10, 1.0, v18                     ; convert :17
	v_fma_mixhi_f16 v29, v31, 1.0, v21                     ; convert :17
	v_fma_mixlo_f16 v7, v8, 1.0, v2                        ; convert :17
	v_fma_mixhi_f16 v10, v11, 1.0, v19                     ; convert :17
	v_fma_mixlo_f16 v14, v14, 1.0, v0                      ; convert :17
	v_pk_max_f16 v18, v28, 0 op_sel_hi:[1,0]               ; max :17
	v_pk_max_f16 v19, v29, 0 op_sel_hi:[1,0]               ; max :17
	v_fma_mixhi_f16 v7, v9, 1.0, v3                        ; convert :17
	v_fma_mixlo_f16 v11, v12, 1.0, v20                     ; convert :17
	v_fma_mixhi_f16 v14, v15, 1.0, v1                      ; convert :17
	v_pk_max_f16 v0, v6, 0 op_sel_hi:[1,0]                 ; max :17
	v_pk_max_f16 v1, v7, 0 op_sel_hi:[1,0]                 ; max :17
	v_fma_mixhi_f16 v11, v13, 1.0, v21                     ; convert :17
	v_fma_mixlo_f16 v15, v16, 1.0, v2                      ; convert :17
	global_store_dwordx2 v4, v[18:19], s[8:9]              ; vector_store :17
	v_pk_max_f16 v6, v10, 0 op_sel_hi:[1,0]                ; max :17
	v_pk_max_f16 v7, v11, 0 op_sel_hi:[1,0]                ; max :17
	v_fma_mixhi_f16 v15, v17, 1.0, v3                      ; convert :17
	global_store_dwordx2 v4, v[0:1], s[8:9] offset:32      ; vector_store :17
	v_pk_max_f16 v0, v14, 0 op_sel_hi:[1,0]                ; max :17
	v_pk_max_f16 v1, v15, 0 op_sel_hi:[1,0]                ; max :17
	global_store_dwordx2 v5, v[6:7], s[8:9] offset:-4096   ; vector_store :17
	global_store_dwordx2 v5, v[0:1], s[8:9] offset:-4064   ; vector_store :17
	s_endpgm
.Lproduct.end.of.code:
	.size	product, .Lproduct.end.of.code-product
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel product
		.amdhsa_group_segment_fixed_size 32768
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
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 80
		.amdhsa_next_free_sgpr 12
		.amdhsa_accum_offset 80
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
  - .name: product
    .symbol: product.kd
    .kernarg_segment_size: 32
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 32768
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 18
    .vgpr_count: 80
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
        .type_name: "f16"
        .address_space: global
        .actual_access: read_only
      - .name: "w"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "f16"
        .address_space: global
        .actual_access: read_only
      - .name: "bias"
        .offset: 16
        .size: 8
        .value_kind: global_buffer
        .type_name: "f16"
        .address_space: global
        .actual_access: read_only
      - .name: "z"
        .offset: 24
        .size: 8
        .value_kind: global_buffer
        .type_name: "f16"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
