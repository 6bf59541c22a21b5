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
	v_and_b32_e32 v1, 63, v0                               ; bitwise_and :1
	v_lshrrev_b32_e32 v0, 6, v0                            ; shift_right :1
	s_lshl_b32 s0, s6, 14                                  ; vector_load :1
	v_lshl_add_u32 v1, v1, 4, s0                           ; vector_load :1
	v_lshl_add_u32 v0, v0, 12, v1                          ; vector_load :1
	global_load_dwordx4 v[2:5], v0, s[2:3]                 ; vector_load :1
	global_load_dwordx4 v[6:9], v0, s[2:3] offset:1024     ; vector_load :1
	global_load_dwordx4 v[10:13], v0, s[2:3] offset:2048   ; vector_load :1
	global_load_dwordx4 v[14:17], v0, s[2:3] offset:3072   ; vector_load :1
	.loc	1 2 1
	s_waitcnt vmcnt(2)                                     ; max :2, vmcnt: global_load_dwordx4, softmax:1:5
	v_max_f32_e32 v18, v2, v6                              ; max :2
	v_max_f32_e32 v19, v3, v7                              ; max :2
	v_max_f32_e32 v20, v4, v8                              ; max :2
	v_max_f32_e32 v21, v5, v9                              ; max :2
	s_waitcnt vmcnt(0)                                     ; max :2, vmcnt: global_load_dwordx4, softmax:1:5
	v_max3_f32 v18, v10, v14, v18                          ; max :2
	v_max3_f32 v19, v11, v15, v19                          ; max :2
	v_max3_f32 v20, v12, v16, v20                          ; max :2
	v_max3_f32 v21, v13, v17, v21                          ; max :2
	v_max3_f32 v1, v18, v19, v20                           ; max :2
	v_max_f32_e32 v1, v1, v21                              ; max :2
	v_mov_b64_e32 v[18:19], 0x4b400000                     ; fma :2
	s_mov_b32 s2, 0x4b3fff68                               ; med3 :2
	v_max_f32_dpp v1, v1, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_mov_b64 s[6:7], 0x4b400000                           ; sub :2
	s_nop 0                                                ; dpp_reduce :2, VGPR written, then read by DPP: v1 of v_max_f32_dpp
	v_max_f32_dpp v1, v1, v1 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v1 of v_max_f32_dpp
	v_max_f32_dpp v1, v1, v1 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v1 of v_max_f32_dpp
	v_max_f32_dpp v1, v1, v1 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_mov_b64 s[8:9], 0x32a57060                           ; fma :2
	s_nop 0                                                ; dpp_reduce :2, VGPR written, then read by DPP: v1 of v_max_f32_dpp
	v_max_f32_dpp v1, v1, v1 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v1 of v_max_f32_dpp
	v_max_f32_dpp v1, v1, v1 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 0                                                ; lane_shuffle :2, VALU result read across lanes: v1 of v_max_f32_dpp
	v_readlane_b32 s0, v1, 63                              ; lane_shuffle :2
	v_mov_b32_e32 v1, 0x4b400081                           ; med3 :2
	s_nop 0                                                ; sub :2, VALU-written SGPR read as VALU constant or mask: s0 of v_readlane_b32
	v_pk_add_f32 v[2:3], v[2:3], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[4:5], v[4:5], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[6:7], v[6:7], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[8:9], v[8:9], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[10:11], v[10:11], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[12:13], v[12:13], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[14:15], v[14:15], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[16:17], v[16:17], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	s_mov_b64 s[0:1], 0x3fb8aa3b                           ; fma :2
	v_pk_fma_f32 v[20:21], v[2:3], s[0:1], v[18:19] op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[22:23], v[4:5], s[0:1], v[18:19] op_sel_hi:[1,0,0] ; fma :2
	v_med3_f32 v20, v20, s2, v1                            ; med3 :2
	v_med3_f32 v21, v21, s2, v1                            ; med3 :2
	v_med3_f32 v22, v22, s2, v1                            ; med3 :2
	v_med3_f32 v23, v23, s2, v1                            ; med3 :2
	v_pk_add_f32 v[24:25], s[6:7], v[20:21] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[26:27], s[6:7], v[22:23] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_fma_f32 v[24:25], v[2:3], s[0:1], v[24:25] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[26:27], v[4:5], s[0:1], v[26:27] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[2:3], v[2:3], s[8:9], v[24:25] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[4:5], v[4:5], s[8:9], v[26:27] op_sel_hi:[1,0,1] ; fma :2
	v_subrev_u32_e32 v20, 0x4b400000, v20                  ; sub :2
	v_subrev_u32_e32 v21, 0x4b400000, v21                  ; sub :2
	v_subrev_u32_e32 v22, 0x4b400000, v22                  ; sub :2
	v_subrev_u32_e32 v23, 0x4b400000, v23                  ; sub :2
	s_mov_b64 s[10:11], 0x3f317218                         ; fma :2
	v_pk_fma_f32 v[24:25], v[2:3], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[26:27], v[4:5], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :2
	s_mov_b32 s3, 0x39000000                               ; less :2
	v_cmp_lt_f32_e64 vcc, |v2|, s3                         ; less :2
	v_cmp_lt_f32_e64 s[12:13], |v3|, s3                    ; less :2
	v_cmp_lt_f32_e64 s[14:15], |v4|, s3                    ; less :2
	v_cmp_lt_f32_e64 s[16:17], |v5|, s3                    ; less :2
	v_exp_f32_e32 v2, v2                                   ; hw_exp2 :2
	v_exp_f32_e32 v3, v3                                   ; hw_exp2 :2
	v_exp_f32_e32 v4, v4                                   ; hw_exp2 :2
	v_exp_f32_e32 v5, v5                                   ; hw_exp2 :2
	v_cndmask_b32_e32 v2, v2, v24, vcc                     ; where :2
	v_cndmask_b32_e64 v3, v3, v25, s[12:13]                ; where :2
	v_cndmask_b32_e64 v4, v4, v26, s[14:15]                ; where :2
	v_cndmask_b32_e64 v5, v5, v27, s[16:17]                ; where :2
	v_ldexp_f32 v2, v2, v20                                ; ldexp :2
	v_ldexp_f32 v3, v3, v21                                ; ldexp :2
	v_ldexp_f32 v4, v4, v22                                ; ldexp :2
	v_ldexp_f32 v5, v5, v23                                ; ldexp :2
	v_pk_fma_f32 v[20:21], v[6:7], s[0:1], v[18:19] op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[22:23], v[8:9], s[0:1], v[18:19] op_sel_hi:[1,0,0] ; fma :2
	v_med3_f32 v20, v20, s2, v1                            ; med3 :2
	v_med3_f32 v21, v21, s2, v1                            ; med3 :2
	v_med3_f32 v22, v22, s2, v1                            ; med3 :2
	v_med3_f32 v23, v23, s2, v1                            ; med3 :2
	v_pk_add_f32 v[24:25], s[6:7], v[20:21] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[26:27], s[6:7], v[22:23] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_fma_f32 v[24:25], v[6:7], s[0:1], v[24:25] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[26:27], v[8:9], s[0:1], v[26:27] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[6:7], v[6:7], s[8:9], v[24:25] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[8:9], v[8:9], s[8:9], v[26:27] op_sel_hi:[1,0,1] ; fma :2
	v_subrev_u32_e32 v20, 0x4b400000, v20                  ; sub :2
	v_subrev_u32_e32 v21, 0x4b400000, v21                  ; sub :2
	v_subrev_u32_e32 v22, 0x4b400000, v22                  ; sub :2
	v_subrev_u32_e32 v23, 0x4b400000, v23                  ; sub :2
	v_pk_fma_f32 v[24:25], v[6:7], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[26:27], v[8:9], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :2
	v_cmp_lt_f32_e64 vcc, |v6|, s3                         ; less :2
	v_cmp_lt_f32_e64 s[12:13], |v7|, s3                    ; less :2
	v_cmp_lt_f32_e64 s[14:15], |v8|, s3                    ; less :2
	v_cmp_lt_f32_e64 s[16:17], |v9|, s3                    ; less :2
	v_exp_f32_e32 v6, v6                                   ; hw_exp2 :2
	v_exp_f32_e32 v7, v7                                   ; hw_exp2 :2
	v_exp_f32_e32 v8, v8                                   ; hw_exp2 :2
	v_exp_f32_e32 v9, v9                                   ; hw_exp2 :2
	v_cndmask_b32_e32 v6, v6, v24, vcc                     ; where :2
	v_cndmask_b32_e64 v7, v7, v25, s[12:13]                ; where :2
	v_cndmask_b32_e64 v8, v8, v26, s[14:15]                ; where :2
	v_cndmask_b32_e64 v9, v9, v27, s[16:17]                ; where :2
	v_ldexp_f32 v6, v6, v20                                ; ldexp :2
	v_ldexp_f32 v7, v7, v21                                ; ldexp :2
	v_ldexp_f32 v8, v8, v22                                ; ldexp :2
	v_ldexp_f32 v9, v9, v23                                ; ldexp :2
	v_pk_fma_f32 v[20:21], v[10:11], s[0:1], v[18:19] op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[22:23], v[12:13], s[0:1], v[18:19] op_sel_hi:[1,0,0] ; fma :2
	v_med3_f32 v20, v20, s2, v1                            ; med3 :2
	v_med3_f32 v21, v21, s2, v1                            ; med3 :2
	v_med3_f32 v22, v22, s2, v1                            ; med3 :2
	v_med3_f32 v23, v23, s2, v1                            ; med3 :2
	v_pk_add_f32 v[24:25], s[6:7], v[20:21] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[26:27], s[6:7], v[22:23] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_fma_f32 v[24:25], v[10:11], s[0:1], v[24:25] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[26:27], v[12:13], s[0:1], v[26:27] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[10:11], v[10:11], s[8:9], v[24:25] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[12:13], v[12:13], s[8:9], v[26:27] op_sel_hi:[1,0,1] ; fma :2
	v_subrev_u32_e32 v20, 0x4b400000, v20                  ; sub :2
	v_subrev_u32_e32 v21, 0x4b400000, v21                  ; sub :2
	v_subrev_u32_e32 v22, 0x4b400000, v22                  ; sub :2
	v_subrev_u32_e32 v23, 0x4b400000, v23                  ; sub :2
	v_pk_fma_f32 v[24:25], v[10:11], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[26:27], v[12:13], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :2
	v_cmp_lt_f32_e64 vcc, |v10|, s3                        ; less :2
	v_cmp_lt_f32_e64 s[12:13], |v11|, s3                   ; less :2
	v_cmp_lt_f32_e64 s[14:15], |v12|, s3                   ; less :2
	v_cmp_lt_f32_e64 s[16:17], |v13|, s3                   ; less :2
	v_exp_f32_e32 v10, v10                                 ; hw_exp2 :2
	v_exp_f32_e32 v11, v11                                 ; hw_exp2 :2
	v_exp_f32_e32 v12, v12                                 ; hw_exp2 :2
	v_exp_f32_e32 v13, v13                                 ; hw_exp2 :2
	v_cndmask_b32_e32 v10, v10, v24, vcc                   ; where :2
	v_cndmask_b32_e64 v11, v11, v25, s[12:13]              ; where :2
	v_cndmask_b32_e64 v12, v12, v26, s[14:15]              ; where :2
	v_cndmask_b32_e64 v13, v13, v27, s[16:17]              ; where :2
	v_ldexp_f32 v10, v10, v20                              ; ldexp :2
	v_ldexp_f32 v11, v11, v21                              ; ldexp :2
	v_ldexp_f32 v12, v12, v22                              ; ldexp :2
	v_ldexp_f32 v13, v13, v23                              ; ldexp :2
	v_pk_fma_f32 v[20:21], v[14:15], s[0:1], v[18:19] op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[22:23], v[16:17], s[0:1], v[18:19] op_sel_hi:[1,0,0] ; fma :2
	v_med3_f32 v18, v20, s2, v1                            ; med3 :2
	v_med3_f32 v19, v21, s2, v1                            ; med3 :2
	v_med3_f32 v20, v22, s2, v1                            ; med3 :2
	v_med3_f32 v21, v23, s2, v1                            ; med3 :2
	v_pk_add_f32 v[22:23], s[6:7], v[18:19] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[24:25], s[6:7], v[20:21] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_fma_f32 v[22:23], v[14:15], s[0:1], v[22:23] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[24:25], v[16:17], s[0:1], v[24:25] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[14:15], v[14:15], s[8:9], v[22:23] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[16:17], v[16:17], s[8:9], v[24:25] op_sel_hi:[1,0,1] ; fma :2
	v_subrev_u32_e32 v18, 0x4b400000, v18                  ; sub :2
	v_subrev_u32_e32 v19, 0x4b400000, v19                  ; sub :2
	v_subrev_u32_e32 v20, 0x4b400000, v20                  ; sub :2
	v_subrev_u32_e32 v21, 0x4b400000, v21                  ; sub :2
	v_pk_fma_f32 v[22:23], v[14:15], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[24:25], v[16:17], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :2
	v_cmp_lt_f32_e64 vcc, |v14|, s3                        ; less :2
	v_cmp_lt_f32_e64 s[0:1], |v15|, s3                     ; less :2
	v_cmp_lt_f32_e64 s[6:7], |v16|, s3                     ; less :2
	v_cmp_lt_f32_e64 s[2:3], |v17|, s3                     ; less :2
	v_exp_f32_e32 v14, v14                                 ; hw_exp2 :2
	v_exp_f32_e32 v15, v15                                 ; hw_exp2 :2
	v_exp_f32_e32 v16, v16                                 ; hw_exp2 :2
	v_exp_f32_e32 v17, v17                                 ; hw_exp2 :2
	v_cndmask_b32_e32 v14, v14, v22, vcc                   ; where :2
	v_cndmask_b32_e64 v15, v15, v23, s[0:1]                ; where :2
	v_cndmask_b32_e64 v16, v16, v24, s[6:7]                ; where :2
	v_cndmask_b32_e64 v17, v17, v25, s[2:3]                ; where :2
	v_ldexp_f32 v14, v14, v18                              ; ldexp :2
	v_ldexp_f32 v15, v15, v19                              ; ldexp :2
	v_ldexp_f32 v16, v16, v20                              ; ldexp :2
	v_ldexp_f32 v17, v17, v21                              ; ldexp :2
	v_pk_add_f32 v[18:19], v[2:3], v[6:7]                  ; add :2
	v_pk_add_f32 v[20:21], v[4:5], v[8:9]                  ; add :2
	v_pk_add_f32 v[22:23], v[10:11], v[14:15]              ; add :2
	v_pk_add_f32 v[24:25], v[12:13], v[16:17]              ; add :2
	v_pk_add_f32 v[18:19], v[18:19], v[22:23]              ; add :2
	v_pk_add_f32 v[20:21], v[20:21], v[24:25]              ; add :2
	v_add_f32_e32 v1, v18, v19                             ; add :2
	v_add_f32_e32 v18, v20, v21                            ; add :2
	v_add_f32_e32 v1, v1, v18                              ; add :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v1 of v_add_f32_e32
	v_add_f32_dpp v1, v1, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v1 of v_add_f32_dpp
	v_add_f32_dpp v1, v1, v1 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_frexp_mant_f32_e32 v18, v1                           ; frexp_mantissa :2
	v_rcp_f32_e32 v19, v18                                 ; hw_rcp :2
	s_nop 0                                                ; fma :2, transcendental result read by VALU: v19 of v_rcp_f32_e32
	v_fma_f32 v18, -v18, v19, 1.0                          ; fma :2
	v_fmac_f32_e32 v19, v18, v19                           ; fma :2
	v_frexp_exp_i32_f32_e32 v18, v1                        ; frexp_exponent :2
	v_sub_u32_e32 v18, 0, v18                              ; sub :2
	v_ldexp_f32 v18, v19, v18                              ; ldexp :2
	v_div_fixup_f32 v1, v18, v1, 1.0                       ; div_fixup :2
	s_nop 0                                                ; lane_shuffle :2, VALU result read across lanes: v1 of v_div_fixup_f32
	v_readlane_b32 s0, v1, 63                              ; lane_shuffle :2
	s_nop 1                                                ; mul :2, VALU-written SGPR read as VALU constant or mask: s0 of v_readlane_b32
	v_pk_mul_f32 v[2:3], v[2:3], s[0:1] op_sel_hi:[1,0]    ; mul :2
	v_pk_mul_f32 v[4:5], v[4:5], s[0:1] op_sel_hi:[1,0]    ; mul :2
	v_pk_mul_f32 v[6:7], v[6:7], s[0:1] op_sel_hi:[1,0]    ; mul :2
	v_pk_mul_f32 v[8:9], v[8:9], s[0:1] op_sel_hi:[1,0]    ; mul :2
	v_pk_mul_f32 v[10:11], v[10:11], s[0:1] op_sel_hi:[1,0] ; mul :2
	v_pk_mul_f32 v[12:13], v[12:13], s[0:1] op_sel_hi:[1,0] ; mul :2
	v_pk_mul_f32 v[14:15], v[14:15], s[0:1] op_sel_hi:[1,0] ; mul :2
	v_pk_mul_f32 v[16:17], v[16:17], s[0:1] op_sel_hi:[1,0] ; mul :2
	.loc	1 3 1
	global_store_dwordx4 v0, v[2:5], s[4:5]                ; vector_store :3
	global_store_dwordx4 v0, v[6:9], s[4:5] offset:1024    ; vector_store :3
	global_store_dwordx4 v0, v[10:13], s[4:5] offset:2048  ; vector_store :3
	global_store_dwordx4 v0, v[14:17], s[4:5] offset:3072  ; vector_store :3
	s_endpgm
.Lsoftmax.end.of.code:
	.size	softmax, .Lsoftmax.end.of.code-softmax
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel softmax
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
		.amdhsa_next_free_vgpr 28
		.amdhsa_next_free_sgpr 18
		.amdhsa_accum_offset 28
		.amdhsa_reserve_vcc 1
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
  - .name: softmax
    .symbol: softmax.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 24
    .vgpr_count: 28
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
