	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "log_softmax"
	.protected	log_softmax
	.globl	log_softmax
	.p2align	8
	.type	log_softmax,@function
log_softmax:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx2 s[4:5], s[0:1], 0x8                     ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Llog_softmax.entry
	.p2align	8
.Llog_softmax.entry:
	.loc	1 1 5
	v_and_b32_e32 v40, 63, v0                              ; bitwise_and :1
	v_lshrrev_b32_e32 v39, 6, v0                           ; shift_right :1
	s_lshl_b32 s0, s6, 14                                  ; vector_load :1
	v_lshl_add_u32 v40, v40, 4, s0                         ; vector_load :1
	v_lshl_add_u32 v40, v39, 12, v40                       ; vector_load :1
	global_load_dwordx4 v[0:3], v40, s[2:3]                ; vector_load :1
	global_load_dwordx4 v[4:7], v40, s[2:3] offset:1024    ; vector_load :1
	global_load_dwordx4 v[8:11], v40, s[2:3] offset:2048   ; vector_load :1
	global_load_dwordx4 v[12:15], v40, s[2:3] offset:3072  ; vector_load :1
	.loc	1 2 1
	s_waitcnt vmcnt(2)                                     ; max :2, vmcnt: global_load_dwordx4, log_softmax:1:5
	v_max_f32_e32 v39, v0, v4                              ; max :2
	v_max_f32_e32 v38, v1, v5                              ; max :2
	v_max_f32_e32 v37, v2, v6                              ; max :2
	v_max_f32_e32 v36, v3, v7                              ; max :2
	s_waitcnt vmcnt(0)                                     ; max :2, vmcnt: global_load_dwordx4, log_softmax:1:5
	v_max3_f32 v39, v8, v12, v39                           ; max :2
	v_max3_f32 v38, v9, v13, v38                           ; max :2
	v_max3_f32 v37, v10, v14, v37                          ; max :2
	v_max3_f32 v36, v11, v15, v36                          ; max :2
	v_max3_f32 v39, v39, v38, v37                          ; max :2
	v_max_f32_e32 v39, v39, v36                            ; max :2
	v_mov_b64_e32 v[16:17], 0x4b400000                     ; fma :2
	s_mov_b32 s2, 0x4b3fff68                               ; med3 :2
	v_max_f32_dpp v39, v39, v39 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_mov_b64 s[6:7], 0x4b400000                           ; sub :2
	s_nop 0                                                ; dpp_reduce :2, VGPR written, then read by DPP: v39 of v_max_f32_dpp
	v_max_f32_dpp v39, v39, v39 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v39 of v_max_f32_dpp
	v_max_f32_dpp v39, v39, v39 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v39 of v_max_f32_dpp
	v_max_f32_dpp v39, v39, v39 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_mov_b64 s[8:9], 0x32a57060                           ; fma :2
	s_nop 0                                                ; dpp_reduce :2, VGPR written, then read by DPP: v39 of v_max_f32_dpp
	v_max_f32_dpp v39, v39, v39 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v39 of v_max_f32_dpp
	v_max_f32_dpp v39, v39, v39 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 0                                                ; lane_shuffle :2, VALU result read across lanes: v39 of v_max_f32_dpp
	v_readlane_b32 s0, v39, 63                             ; lane_shuffle :2
	v_mov_b32_e32 v39, 0x4b400081                          ; med3 :2
	s_nop 0                                                ; sub :2, VALU-written SGPR read as VALU constant or mask: s0 of v_readlane_b32
	v_pk_add_f32 v[0:1], v[0:1], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[2:3], v[2:3], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[4:5], v[4:5], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[6:7], v[6:7], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[8:9], v[8:9], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[10:11], v[10:11], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[12:13], v[12:13], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[14:15], v[14:15], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	s_mov_b64 s[0:1], 0x3fb8aa3b                           ; fma :2
	v_pk_fma_f32 v[18:19], v[0:1], s[0:1], v[16:17] op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[20:21], v[2:3], s[0:1], v[16:17] op_sel_hi:[1,0,0] ; fma :2
	v_med3_f32 v18, v18, s2, v39                           ; med3 :2
	v_med3_f32 v19, v19, s2, v39                           ; med3 :2
	v_med3_f32 v20, v20, s2, v39                           ; med3 :2
	v_med3_f32 v21, v21, s2, v39                           ; med3 :2
	v_pk_add_f32 v[22:23], s[6:7], v[18:19] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[24:25], s[6:7], v[20:21] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_fma_f32 v[22:23], v[0:1], s[0:1], v[22:23] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[24:25], v[2:3], s[0:1], v[24:25] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[22:23], v[0:1], s[8:9], v[22:23] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[24:25], v[2:3], s[8:9], v[24:25] op_sel_hi:[1,0,1] ; fma :2
	v_subrev_u32_e32 v38, 0x4b400000, v18                  ; sub :2
	v_subrev_u32_e32 v37, 0x4b400000, v19                  ; sub :2
	v_subrev_u32_e32 v36, 0x4b400000, v20                  ; sub :2
	v_subrev_u32_e32 v35, 0x4b400000, v21                  ; sub :2
	s_mov_b64 s[10:11], 0x3f317218                         ; fma :2
	v_pk_fma_f32 v[18:19], v[22:23], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[20:21], v[24:25], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :2
	s_mov_b32 s3, 0x39000000                               ; less :2
	v_cmp_lt_f32_e64 vcc, |v22|, s3                        ; less :2
	v_cmp_lt_f32_e64 s[12:13], |v23|, s3                   ; less :2
	v_cmp_lt_f32_e64 s[14:15], |v24|, s3                   ; less :2
	v_cmp_lt_f32_e64 s[16:17], |v25|, s3                   ; less :2
	v_exp_f32_e32 v34, v22                                 ; hw_exp2 :2
	v_exp_f32_e32 v33, v23                                 ; hw_exp2 :2
	v_exp_f32_e32 v32, v24                                 ; hw_exp2 :2
	v_exp_f32_e32 v31, v25                                 ; hw_exp2 :2
	v_cndmask_b32_e32 v34, v34, v18, vcc                   ; where :2
	v_cndmask_b32_e64 v33, v33, v19, s[12:13]              ; where :2
	v_cndmask_b32_e64 v32, v32, v20, s[14:15]              ; where :2
	v_cndmask_b32_e64 v31, v31, v21, s[16:17]              ; where :2
	v_ldexp_f32 v18, v34, v38                              ; ldexp :2
	v_ldexp_f32 v19, v33, v37                              ; ldexp :2
	v_ldexp_f32 v20, v32, v36                              ; ldexp :2
	v_ldexp_f32 v21, v31, v35                              ; ldexp :2
	v_pk_fma_f32 v[22:23], v[4:5], s[0:1], v[16:17] op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[24:25], v[6:7], s[0:1], v[16:17] op_sel_hi:[1,0,0] ; fma :2
	v_med3_f32 v22, v22, s2, v39                           ; med3 :2
	v_med3_f32 v23, v23, s2, v39                           ; med3 :2
	v_med3_f32 v24, v24, s2, v39                           ; med3 :2
	v_med3_f32 v25, v25, s2, v39                           ; med3 :2
	v_pk_add_f32 v[26:27], s[6:7], v[22:23] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[28:29], s[6:7], v[24:25] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_fma_f32 v[26:27], v[4:5], s[0:1], v[26:27] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[28:29], v[6:7], s[0:1], v[28:29] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[26:27], v[4:5], s[8:9], v[26:27] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[28:29], v[6:7], s[8:9], v[28:29] op_sel_hi:[1,0,1] ; fma :2
	v_subrev_u32_e32 v38, 0x4b400000, v22                  ; sub :2
	v_subrev_u32_e32 v37, 0x4b400000, v23                  ; sub :2
	v_subrev_u32_e32 v36, 0x4b400000, v24                  ; sub :2
	v_subrev_u32_e32 v35, 0x4b400000, v25                  ; sub :2
	v_pk_fma_f32 v[22:23], v[26:27], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[24:25], v[28:29], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :2
	v_cmp_lt_f32_e64 vcc, |v26|, s3                        ; less :2
	v_cmp_lt_f32_e64 s[12:13], |v27|, s3                   ; less :2
	v_cmp_lt_f32_e64 s[14:15], |v28|, s3                   ; less :2
	v_cmp_lt_f32_e64 s[16:17], |v29|, s3                   ; less :2
	v_exp_f32_e32 v34, v26                                 ; hw_exp2 :2
	v_exp_f32_e32 v33, v27                                 ; hw_exp2 :2
	v_exp_f32_e32 v32, v28                                 ; hw_exp2 :2
	v_exp_f32_e32 v31, v29                                 ; hw_exp2 :2
	v_cndmask_b32_e32 v34, v34, v22, vcc                   ; where :2
	v_cndmask_b32_e64 v33, v33, v23, s[12:13]              ; where :2
	v_cndmask_b32_e64 v32, v32, v24, s[14:15]              ; where :2
	v_cndmask_b32_e64 v31, v31, v25, s[16:17]              ; where :2
	v_ldexp_f32 v22, v34, v38                              ; ldexp :2
	v_ldexp_f32 v23, v33, v37                              ; ldexp :2
	v_ldexp_f32 v24, v32, v36                              ; ldexp :2
	v_ldexp_f32 v25, v31, v35                              ; ldexp :2
	v_pk_fma_f32 v[26:27], v[8:9], s[0:1], v[16:17] op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[28:29], v[10:11], s[0:1], v[16:17] op_sel_hi:[1,0,0] ; fma :2
	v_med3_f32 v26, v26, s2, v39                           ; med3 :2
	v_med3_f32 v27, v27, s2, v39                           ; med3 :2
	v_med3_f32 v28, v28, s2, v39                           ; med3 :2
	v_med3_f32 v29, v29, s2, v39                           ; med3 :2
	v_pk_add_f32 v[30:31], s[6:7], v[26:27] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[32:33], s[6:7], v[28:29] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_fma_f32 v[30:31], v[8:9], s[0:1], v[30:31] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[32:33], v[10:11], s[0:1], v[32:33] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[30:31], v[8:9], s[8:9], v[30:31] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[32:33], v[10:11], s[8:9], v[32:33] op_sel_hi:[1,0,1] ; fma :2
	v_subrev_u32_e32 v38, 0x4b400000, v26                  ; sub :2
	v_subrev_u32_e32 v37, 0x4b400000, v27                  ; sub :2
	v_subrev_u32_e32 v36, 0x4b400000, v28                  ; sub :2
	v_subrev_u32_e32 v35, 0x4b400000, v29                  ; sub :2
	v_pk_fma_f32 v[26:27], v[30:31], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[28:29], v[32:33], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :2
	v_cmp_lt_f32_e64 vcc, |v30|, s3                        ; less :2
	v_cmp_lt_f32_e64 s[12:13], |v31|, s3                   ; less :2
	v_cmp_lt_f32_e64 s[14:15], |v32|, s3                   ; less :2
	v_cmp_lt_f32_e64 s[16:17], |v33|, s3                   ; less :2
	v_exp_f32_e32 v34, v30                                 ; hw_exp2 :2
	v_exp_f32_e32 v31, v31                                 ; hw_exp2 :2
	v_exp_f32_e32 v32, v32                                 ; hw_exp2 :2
	v_exp_f32_e32 v33, v33                                 ; hw_exp2 :2
	v_cndmask_b32_e32 v34, v34, v26, vcc                   ; where :2
	v_cndmask_b32_e64 v31, v31, v27, s[12:13]              ; where :2
	v_cndmask_b32_e64 v32, v32, v28, s[14:15]              ; where :2
	v_cndmask_b32_e64 v33, v33, v29, s[16:17]              ; where :2
	v_ldexp_f32 v26, v34, v38                              ; ldexp :2
	v_ldexp_f32 v27, v31, v37                              ; ldexp :2
	v_ldexp_f32 v28, v32, v36                              ; ldexp :2
	v_ldexp_f32 v29, v33, v35                              ; ldexp :2
	v_pk_fma_f32 v[30:31], v[12:13], s[0:1], v[16:17] op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[16:17], v[14:15], s[0:1], v[16:17] op_sel_hi:[1,0,0] ; fma :2
	v_med3_f32 v30, v30, s2, v39                           ; med3 :2
	v_med3_f32 v31, v31, s2, v39                           ; med3 :2
	v_med3_f32 v16, v16, s2, v39                           ; med3 :2
	v_med3_f32 v17, v17, s2, v39                           ; med3 :2
	v_pk_add_f32 v[32:33], s[6:7], v[30:31] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[34:35], s[6:7], v[16:17] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_fma_f32 v[32:33], v[12:13], s[0:1], v[32:33] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[34:35], v[14:15], s[0:1], v[34:35] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[32:33], v[12:13], s[8:9], v[32:33] op_sel_hi:[1,0,1] ; fma :2
	v_pk_fma_f32 v[34:35], v[14:15], s[8:9], v[34:35] op_sel_hi:[1,0,1] ; fma :2
	v_subrev_u32_e32 v39, 0x4b400000, v30                  ; sub :2
	v_subrev_u32_e32 v38, 0x4b400000, v31                  ; sub :2
	v_subrev_u32_e32 v37, 0x4b400000, v16                  ; sub :2
	v_subrev_u32_e32 v36, 0x4b400000, v17                  ; sub :2
	v_pk_fma_f32 v[16:17], v[32:33], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :2
	v_pk_fma_f32 v[30:31], v[34:35], s[10:11], 1.0 op_sel_hi:[1,0,0] ; fma :2
	v_cmp_lt_f32_e64 vcc, |v32|, s3                        ; less :2
	v_cmp_lt_f32_e64 s[0:1], |v33|, s3                     ; less :2
	v_cmp_lt_f32_e64 s[6:7], |v34|, s3                     ; less :2
	v_cmp_lt_f32_e64 s[2:3], |v35|, s3                     ; less :2
	v_exp_f32_e32 v32, v32                                 ; hw_exp2 :2
	v_exp_f32_e32 v33, v33                                 ; hw_exp2 :2
	v_exp_f32_e32 v34, v34                                 ; hw_exp2 :2
	v_exp_f32_e32 v35, v35                                 ; hw_exp2 :2
	v_cndmask_b32_e32 v32, v32, v16, vcc                   ; where :2
	v_cndmask_b32_e64 v33, v33, v17, s[0:1]                ; where :2
	v_cndmask_b32_e64 v34, v34, v30, s[6:7]                ; where :2
	v_cndmask_b32_e64 v35, v35, v31, s[2:3]                ; where :2
	v_ldexp_f32 v16, v32, v39                              ; ldexp :2
	v_ldexp_f32 v17, v33, v38                              ; ldexp :2
	v_ldexp_f32 v30, v34, v37                              ; ldexp :2
	v_ldexp_f32 v31, v35, v36                              ; ldexp :2
	v_pk_add_f32 v[18:19], v[18:19], v[22:23]              ; add :2
	v_pk_add_f32 v[20:21], v[20:21], v[24:25]              ; add :2
	v_pk_add_f32 v[16:17], v[26:27], v[16:17]              ; add :2
	v_pk_add_f32 v[22:23], v[28:29], v[30:31]              ; add :2
	v_pk_add_f32 v[16:17], v[18:19], v[16:17]              ; add :2
	v_pk_add_f32 v[18:19], v[20:21], v[22:23]              ; add :2
	v_add_f32_e32 v39, v16, v17                            ; add :2
	v_add_f32_e32 v38, v18, v19                            ; add :2
	v_add_f32_e32 v39, v39, v38                            ; add :2
	v_mov_b32_e32 v38, 0x4f800000                          ; where :2
	v_mov_b32_e32 v35, 0xbe128250                          ; fma :2
	v_add_f32_dpp v39, v39, v39 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v39 of v_add_f32_dpp
	v_add_f32_dpp v39, v39, v39 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v39 of v_add_f32_dpp
	v_add_f32_dpp v39, v39, v39 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v39 of v_add_f32_dpp
	v_add_f32_dpp v39, v39, v39 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v39 of v_add_f32_dpp
	v_add_f32_dpp v39, v39, v39 row_bcast:15 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_nop 1                                                ; dpp_reduce :2, VGPR written, then read by DPP: v39 of v_add_f32_dpp
	v_add_f32_dpp v39, v39, v39 row_bcast:31 row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_cmp_gt_f32_e32 vcc, 0x800000, v39                    ; less :2
	s_nop 1                                                ; where :2, VALU-written SGPR read as VALU constant or mask: vcc of v_cmp_gt_f32_e32
	v_cndmask_b32_e32 v38, 1.0, v38, vcc                   ; where :2
	v_mul_f32_e32 v39, v39, v38                            ; mul :2
	v_log_f32_e32 v37, v39                                 ; hw_log2 :2
	s_nop 0                                                ; nearbyint :2, transcendental result read by VALU: v37 of v_log_f32_e32
	v_rndne_f32_e64 v37, -v37                              ; nearbyint :2
	v_cvt_i32_f32_e32 v36, v37                             ; convert :2
	v_ldexp_f32 v39, v39, v36                              ; ldexp :2
	v_subrev_f32_e32 v39, 1.0, v39                         ; sub :2
	v_mov_b32_e32 v36, 0x31b17218                          ; fma :2
	v_fmamk_f32 v38, v38, 0xb1b17218, v36                  ; fma :2
	v_mul_f32_e32 v36, v39, v39                            ; mul :2
	v_fmamk_f32 v35, v39, 0x3db2e397, v35                  ; fma :2
	v_fmaak_f32 v35, v35, v39, 0x3e18c299                  ; fma :2
	v_fmaak_f32 v35, v35, v39, 0xbe29ae98                  ; fma :2
	v_fmaak_f32 v35, v35, v39, 0x3e4c695f                  ; fma :2
	v_fmaak_f32 v35, v35, v39, 0xbe80024d                  ; fma :2
	v_fmaak_f32 v35, v35, v39, 0x3eaaab7a                  ; fma :2
	v_fmaak_f32 v35, v35, v39, 0xbefffffd                  ; fma :2
	v_fmamk_f32 v38, v37, 0xb5bfbe8e, v38                  ; fma :2
	v_fmac_f32_e32 v38, v36, v35                           ; fma :2
	v_add_f32_e32 v39, v39, v38                            ; add :2
	v_fmamk_f32 v39, v37, 0xbf317200, v39                  ; fma :2
	s_nop 0                                                ; lane_shuffle :2, VALU result read across lanes: v39 of v_fmamk_f32
	v_readlane_b32 s0, v39, 63                             ; lane_shuffle :2
	s_nop 1                                                ; sub :2, VALU-written SGPR read as VALU constant or mask: s0 of v_readlane_b32
	v_pk_add_f32 v[0:1], v[0:1], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[2:3], v[2:3], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[4:5], v[4:5], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[6:7], v[6:7], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[8:9], v[8:9], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[10:11], v[10:11], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[12:13], v[12:13], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	v_pk_add_f32 v[14:15], v[14:15], s[0:1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1] ; sub :2
	.loc	1 3 1
	global_store_dwordx4 v40, v[0:3], s[4:5]               ; vector_store :3
	global_store_dwordx4 v40, v[4:7], s[4:5] offset:1024   ; vector_store :3
	global_store_dwordx4 v40, v[8:11], s[4:5] offset:2048  ; vector_store :3
	global_store_dwordx4 v40, v[12:15], s[4:5] offset:3072 ; vector_store :3
	s_endpgm
.Llog_softmax.end.of.code:
	.size	log_softmax, .Llog_softmax.end.of.code-log_softmax
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel log_softmax
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
		.amdhsa_next_free_vgpr 41
		.amdhsa_next_free_sgpr 18
		.amdhsa_accum_offset 44
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
  - .name: log_softmax
    .symbol: log_softmax.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 24
    .vgpr_count: 41
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
