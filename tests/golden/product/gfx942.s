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
	v_lshrrev_b32_e32 v5, 4, v0                            ; shift_right :17
	.loc	1 11 12
	v_and_b32_e32 v22, 7, v5                               ; bitwise_and :11
	s_lshl_b32 s0, s10, 7                                  ; vector_load :11
	v_lshl_add_u32 v23, v22, 4, s0                         ; vector_load :11
	global_load_dwordx4 v[24:27], v23, s[6:7]              ; vector_load :11
	.loc	1 17 5
	v_mov_b64_e32 v[28:29], 0                              ; for :17
	v_mov_b64_e32 v[30:31], 0                              ; for :17
	s_movk_i32 s6, 0x42                                    ; add :17
	v_and_b32_e32 v23, 7, v2                               ; bitwise_and :17
	v_xor_b32_e32 v23, v0, v23                             ; bitwise_xor :17
	v_and_b32_e32 v32, 1, v0                               ; bitwise_and :17
	v_bfe_u32 v33, v0, 1, 1                                ; bitwise_and :17
	v_mul_u32_u24_e32 v33, 0x84, v33                       ; add :17
	v_mad_u32_u24 v32, v32, s6, v33                        ; add :17
	v_lshrrev_b32_e32 v33, 2, v0                           ; shift_right :17
	v_and_b32_e32 v34, 15, v33                             ; bitwise_and :17
	v_xor_b32_e32 v32, v32, v34                            ; bitwise_xor :17
	v_bfe_u32 v34, v0, 6, 1                                ; bitwise_and :17
	v_mul_u32_u24_e32 v35, 0x143, v34                      ; multiple :17
	v_xor_b32_e32 v32, v32, v35                            ; bitwise_xor :17
	v_lshrrev_b32_e32 v35, 7, v0                           ; shift_right :17
	v_lshl_add_u32 v36, v35, 4, v32                        ; lds_store :17
	v_and_b32_e32 v37, 15, v0                              ; bitwise_and :17
	v_lshl_add_u32 v1, v37, 3, v1                          ; add :17
	v_lshl_add_u32 v1, v35, 8, v1                          ; add :17
	v_and_b32_e32 v38, 3, v5                               ; bitwise_and :17
	v_xor_b32_e32 v1, v1, v38                              ; bitwise_xor :17
	v_and_b32_e32 v38, 3, v0                               ; bitwise_and :17
	v_lshlrev_b32_e32 v38, 1, v38                          ; multiple :17
	v_and_b32_e32 v33, 1, v33                              ; bitwise_and :17
	v_mul_u32_u24_e32 v33, 0x143, v33                      ; multiple :17
	v_xor_b32_e32 v33, v38, v33                            ; bitwise_xor :17
	v_and_b32_e32 v2, 1, v2                                ; bitwise_and :17
	v_lshl_add_u32 v2, v2, 4, v33                          ; add :17
	v_and_b32_e32 v5, 1, v5                                ; bitwise_and :17
	v_mul_u32_u24_e32 v5, 0x42, v5                         ; multiple :17
	v_xor_b32_e32 v2, v2, v5                               ; bitwise_xor :17
	v_bfe_u32 v0, v0, 5, 1                                 ; bitwise_and :17
	v_mul_u32_u24_e32 v0, 0x84, v0                         ; multiple :17
	v_xor_b32_e32 v0, v2, v0                               ; bitwise_xor :17
	v_lshl_add_u32 v2, v34, 5, v0                          ; lds_load :17
	v_mov_b64_e32 v[38:39], v[28:29]                       ; register copy
	v_mov_b64_e32 v[40:41], v[30:31]                       ; register copy
	v_mov_b64_e32 v[42:43], v[28:29]                       ; register copy
	v_mov_b64_e32 v[44:45], v[30:31]                       ; register copy
	v_mov_b64_e32 v[46:47], v[28:29]                       ; register copy
	v_mov_b64_e32 v[48:49], v[30:31]                       ; register copy
	s_mov_b32 s6, 0                                        ; register copy
.Lproduct.loop:
	s_lshr_b32 s7, s6, 6                                   ; shift_right :17
	s_and_b32 s7, s7, 1                                    ; bitwise_and :17
	s_lshl_b32 s7, s7, 13                                  ; lds_store :17
	v_lshl_add_u32 v5, v36, 4, s7                          ; lds_store :17
	v_lshl_add_u32 v33, v23, 4, s7                         ; lds_store :17
	s_waitcnt vmcnt(1)                                     ; lds_store :17, vmcnt: global_load_dwordx4, <text>.gen:10:9
	ds_write_b128 v5, v[14:17] offset:16384                ; lds_store :17
	ds_write_b128 v33, v[6:9]                              ; lds_store :17
	.loc	1 9 9
	v_add_u32_e32 v14, 0x4000, v4                          ; vector_load :9
	.loc	1 17 5
	ds_write_b128 v33, v[10:13] offset:4096                ; lds_store :17
	.loc	1 10 9
	v_add_u32_e32 v33, 0x4000, v3                          ; vector_load :10
	.loc	1 17 5
	s_waitcnt vmcnt(0)                                     ; lds_store :17, vmcnt: global_load_dwordx4, <text>.gen:10:9
	ds_write_b128 v5, v[18:21] offset:16896                ; lds_store :17
	.loc	1 9 9
	global_load_dwordx4 v[6:9], v4, s[2:3] offset:128      ; vector_load :9
	global_load_dwordx4 v[10:13], v14, s[2:3] offset:128   ; vector_load :9
	.loc	1 17 5
	v_lshl_add_u32 v5, v1, 4, s7                           ; lds_load :17
	.loc	1 10 9
	global_load_dwordx4 v[14:17], v3, s[4:5] offset:128    ; vector_load :10
	global_load_dwordx4 v[18:21], v33, s[4:5] offset:128   ; vector_load :10
	.loc	1 17 5
	s_waitcnt lgkmcnt(0)                                   ; barrier :17, lgkmcnt: ds_write_b128, <text>.gen:17:5
	s_barrier                                              ; barrier :17
	v_lshl_add_u32 v33, v2, 4, s7                          ; lds_load :17
	ds_read_b128 v[50:53], v5                              ; lds_load :17
	ds_read_b128 v[54:57], v5 offset:2048                  ; lds_load :17
	ds_read_b128 v[58:61], v33 offset:16384                ; lds_load :17
	ds_read_b128 v[62:65], v33 offset:16512                ; lds_load :17
	v_xor_b32_e32 v5, 64, v5                               ; lds_load :17
	v_xor_b32_e32 v33, 16, v33                             ; lds_load :17
	ds_read_b128 v[66:69], v5                              ; lds_load :17
	ds_read_b128 v[70:73], v5 offset:2048                  ; lds_load :17
	ds_read_b128 v[74:77], v33 offset:16384                ; lds_load :17
	ds_read_b128 v[78:81], v33 offset:16512                ; lds_load :17
	s_waitcnt lgkmcnt(5)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[28:31], v[58:59], v[50:51], v[28:31] ; matrix :17
	s_waitcnt lgkmcnt(4)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[38:41], v[62:63], v[50:51], v[38:41] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[42:45], v[58:59], v[54:55], v[42:45] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[46:49], v[62:63], v[54:55], v[46:49] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[28:31], v[60:61], v[52:53], v[28:31] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[38:41], v[64:65], v[52:53], v[38:41] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[42:45], v[60:61], v[56:57], v[42:45] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[46:49], v[64:65], v[56:57], v[46:49] ; matrix :17
	s_waitcnt lgkmcnt(1)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[28:31], v[74:75], v[66:67], v[28:31] ; matrix :17
	s_waitcnt lgkmcnt(0)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[38:41], v[78:79], v[66:67], v[38:41] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[42:45], v[74:75], v[70:71], v[42:45] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[46:49], v[78:79], v[70:71], v[46:49] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[28:31], v[76:77], v[68:69], v[28:31] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[38:41], v[80:81], v[68:69], v[38:41] ; matrix :17
	s_add_u32 s6, s6, 64                                   ; for :17
	v_mfma_f32_16x16x16_f16 v[42:45], v[76:77], v[72:73], v[42:45] ; matrix :17
	s_cmp_lt_u32 s6, 0xc0                                  ; for :17
	v_add_u32_e32 v3, 0x80, v3                             ; for :17
	v_add_u32_e32 v4, 0x80, v4                             ; for :17
	v_mfma_f32_16x16x16_f16 v[46:49], v[80:81], v[72:73], v[46:49] ; matrix :17
	s_cbranch_scc1 .Lproduct.loop                          ; for :17
	v_lshlrev_b32_e32 v2, 4, v32                           ; lds_store :17
	v_lshl_add_u32 v2, v35, 8, v2                          ; lds_store :17
	v_lshlrev_b32_e32 v3, 4, v23                           ; lds_store :17
	v_lshlrev_b32_e32 v0, 4, v0                            ; lds_load :17
	v_lshlrev_b32_e32 v1, 4, v1                            ; lds_load :17
	v_lshl_add_u32 v0, v34, 9, v0                          ; lds_load :17
	v_xor_b32_e32 v4, 64, v1                               ; lds_load :17
	v_xor_b32_e32 v5, 16, v0                               ; lds_load :17
	s_waitcnt vmcnt(1)                                     ; lds_store :17, vmcnt: global_load_dwordx4, <text>.gen:10:9
	ds_write_b128 v2, v[14:17] offset:24576                ; lds_store :17
	ds_write_b128 v3, v[6:9] offset:8192                   ; lds_store :17
	ds_write_b128 v3, v[10:13] offset:12288                ; lds_store :17
	s_waitcnt vmcnt(0)                                     ; lds_store :17, vmcnt: global_load_dwordx4, <text>.gen:10:9
	ds_write_b128 v2, v[18:21] offset:25088                ; lds_store :17
	s_waitcnt lgkmcnt(0)                                   ; barrier :17, lgkmcnt: ds_write_b128, <text>.gen:17:5
	s_barrier                                              ; barrier :17
	ds_read_b128 v[6:9], v1 offset:8192                    ; lds_load :17
	ds_read_b128 v[10:13], v0 offset:24576                 ; lds_load :17
	ds_read_b128 v[14:17], v1 offset:10240                 ; lds_load :17
	ds_read_b128 v[0:3], v0 offset:24704                   ; lds_load :17
	ds_read_b128 v[18:21], v4 offset:8192                  ; lds_load :17
	ds_read_b128 v[50:53], v5 offset:24576                 ; lds_load :17
	ds_read_b128 v[54:57], v4 offset:10240                 ; lds_load :17
	ds_read_b128 v[58:61], v5 offset:24704                 ; lds_load :17
	s_waitcnt lgkmcnt(6)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[28:31], v[10:11], v[6:7], v[28:31] ; matrix :17
	s_waitcnt lgkmcnt(5)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[42:45], v[10:11], v[14:15], v[42:45] ; matrix :17
	s_waitcnt lgkmcnt(4)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[38:41], v[0:1], v[6:7], v[38:41] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[46:49], v[0:1], v[14:15], v[46:49] ; matrix :17
	.loc	1 15 5
	v_cvt_f32_f16_sdwa v5, v26 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :15
	v_cvt_f32_f16_sdwa v7, v27 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :15
	.loc	1 17 5
	v_mfma_f32_16x16x16_f16 v[28:31], v[12:13], v[8:9], v[28:31] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[42:45], v[12:13], v[16:17], v[42:45] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[38:41], v[2:3], v[8:9], v[38:41] ; matrix :17
	v_mfma_f32_16x16x16_f16 v[46:49], v[2:3], v[16:17], v[46:49] ; matrix :17
	s_waitcnt lgkmcnt(2)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[28:31], v[50:51], v[18:19], v[28:31] ; matrix :17
	s_add_u32 s0, s1, s0                                   ; vector_store :17
	s_waitcnt lgkmcnt(1)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[42:45], v[50:51], v[54:55], v[42:45] ; matrix :17
	v_lshl_add_u32 v0, v22, 4, s0                          ; vector_store :17
	s_waitcnt lgkmcnt(0)                                   ; matrix :17, lgkmcnt: ds_read_b128, <text>.gen:17:5
	v_mfma_f32_16x16x16_f16 v[38:41], v[58:59], v[18:19], v[38:41] ; matrix :17
	v_lshl_add_u32 v0, v37, 8, v0                          ; vector_store :17
	v_mfma_f32_16x16x16_f16 v[46:49], v[58:59], v[54:55], v[46:49] ; matrix :17
	v_lshl_add_u32 v8, v35, 13, v0                         ; vector_store :17
	v_mfma_f32_16x16x16_f16 v[28:31], v[52:53], v[20:21], v[28:31] ; matrix :17
	v_add_u32_e32 v9, 0x2000, v8                           ; vector_store :17
	v_mfma_f32_16x16x16_f16 v[42:45], v[52:53], v[56:57], v[42:45] ; matrix :17
	.loc	1 15 5
	v_cvt_f32_f16_e32 v2, v25                              ; convert :15
	v_cvt_f32_f16_sdwa v1, v24 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :15
	v_cvt_f32_f16_e32 v0, v24                              ; convert :15
	.loc	1 17 5
	v_mfma_f32_16x16x16_f16 v[32:35], v[60:61], v[20:21], v[38:41] ; matrix :17
	.loc	1 15 5
	v_cvt_f32_f16_e32 v6, v27                              ; convert :15
	v_cvt_f32_f16_e32 v4, v26                              ; convert :15
	v_cvt_f32_f16_sdwa v3, v25 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; convert :15
	.loc	1 17 5
	v_mfma_f32_16x16x16_f16 v[46:49], v[60:61], v[56:57], v[46:49] ; matrix :17
	v_fma_mixlo_f16 v28, v28, 1.0, v0                      ; convert :17
	v_fma_mixhi_f16 v28, v29, 1.0, v1                      ; convert :17
	v_fma_mixlo_f16 v42, v42, 1.0, v0                      ; convert :17
	v_fma_mixlo_f16 v29, v30, 1.0, v2                      ; convert :17
	v_fma_mixhi_f16 v42, v43, 1.0, v1                      ; convert :17
	v_fma_mixhi_f16 v29, v31, 1.0, v3                      ; convert :17
	v_fma_mixlo_f16 v43, v44, 1.0, v2                      ; convert :17
	v_fma_mixlo_f16 v30, v32, 1.0, v4                      ; convert :17
	v_fma_mixlo_f16 v31, v34, 1.0, v6                      ; convert :17
	v_fma_mixhi_f16 v43, v45, 1.0, v3                      ; convert :17
	v_fma_mixhi_f16 v30, v33, 1.0, v5                      ; convert :17
	v_fma_mixhi_f16 v31, v35, 1.0, v7                      ; convert :17
	v_fma_mixlo_f16 v44, v46, 1.0, v4                      ; convert :17
	v_fma_mixlo_f16 v45, v48, 1.0, v6                      ; convert :17
	v_pk_max_f16 v0, v28, 0 op_sel_hi:[1,0]                ; max :17
	v_pk_max_f16 v1, v29, 0 op_sel_hi:[1,0]                ; max :17
	v_pk_max_f16 v2, v30, 0 op_sel_hi:[1,0]                ; max :17
	v_pk_max_f16 v3, v31, 0 op_sel_hi:[1,0]                ; max :17
	v_fma_mixhi_f16 v44, v47, 1.0, v5                      ; convert :17
	v_fma_mixhi_f16 v45, v49, 1.0, v7                      ; convert :17
	v_pk_max_f16 v4, v42, 0 op_sel_hi:[1,0]                ; max :17
	v_pk_max_f16 v5, v43, 0 op_sel_hi:[1,0]                ; max :17
	v_pk_max_f16 v6, v44, 0 op_sel_hi:[1,0]                ; max :17
	v_pk_max_f16 v7, v45, 0 op_sel_hi:[1,0]                ; max :17
	global_store_dwordx4 v8, v[0:3], s[8:9]                ; vector_store :17
	global_store_dwordx4 v9, v[4:7], s[8:9] offset:-4096   ; vector_store :17
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
		.amdhsa_next_free_vgpr 82
		.amdhsa_next_free_sgpr 12
		.amdhsa_accum_offset 84
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
    .vgpr_count: 82
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
