	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 5
	.text
	.file	1 "softmax"
	.protected	softmax
	.globl	softmax
	.p2align	8
	.type	softmax,@function
softmax:
	s_load_b128 s[0:3], s[0:1], 0x0
	.loc	1 1 5
	v_and_b32_e32 v1, 31, v0                               ; bitwise_and :1
	v_lshrrev_b32_e32 v0, 5, v0                            ; shift_right :1
	s_lshl_b32 s4, s15, 15                                 ; vector_load :1
	s_delay_alu instid0(VALU_DEP_2) | instid1(SALU_CYCLE_1) ; vector_load :1
	v_lshl_add_u32 v1, v1, 4, s4                           ; vector_load :1
	s_delay_alu instid0(VALU_DEP_1)                        ; vector_load :1
	v_lshl_add_u32 v0, v0, 12, v1                          ; vector_load :1
	s_waitcnt lgkmcnt(0)                                   ; vector_load :1, lgkmcnt: s_load_b128
	global_load_b128 v[1:4], v0, s[0:1]                    ; vector_load :1
	global_load_b128 v[5:8], v0, s[0:1] offset:512         ; vector_load :1
	global_load_b128 v[9:12], v0, s[0:1] offset:1024       ; vector_load :1
	global_load_b128 v[13:16], v0, s[0:1] offset:1536      ; vector_load :1
	global_load_b128 v[17:20], v0, s[0:1] offset:2048      ; vector_load :1
	global_load_b128 v[21:24], v0, s[0:1] offset:2560      ; vector_load :1
	global_load_b128 v[25:28], v0, s[0:1] offset:3072      ; vector_load :1
	global_load_b128 v[29:32], v0, s[0:1] offset:3584      ; vector_load :1
	.loc	1 2 1
	s_waitcnt vmcnt(6)                                     ; max :2, vmcnt: global_load_b128, softmax:1:5
	v_dual_max_f32 v33, v1, v5 :: v_dual_max_f32 v34, v2, v6 ; max :2
	v_dual_max_f32 v35, v3, v7 :: v_dual_max_f32 v36, v4, v8 ; max :2
	s_waitcnt vmcnt(4)                                     ; max :2, vmcnt: global_load_b128, softmax:1:5
	v_dual_max_f32 v37, v9, v13 :: v_dual_max_f32 v38, v10, v14 ; max :2
	v_dual_max_f32 v39, v11, v15 :: v_dual_max_f32 v40, v12, v16 ; max :2
	s_waitcnt vmcnt(2)                                     ; max :2, vmcnt: global_load_b128, softmax:1:5
	v_dual_max_f32 v41, v17, v21 :: v_dual_max_f32 v42, v18, v22 ; max :2
	v_dual_max_f32 v43, v19, v23 :: v_dual_max_f32 v44, v20, v24 ; max :2
	s_waitcnt vmcnt(0)                                     ; max :2, vmcnt: global_load_b128, softmax:1:5
	v_dual_max_f32 v45, v25, v29 :: v_dual_max_f32 v46, v26, v30 ; max :2
	v_dual_max_f32 v47, v27, v31 :: v_dual_max_f32 v48, v28, v32 ; max :2
	v_dual_max_f32 v33, v33, v37 :: v_dual_max_f32 v34, v34, v38 ; max :2
	v_dual_max_f32 v35, v35, v39 :: v_dual_max_f32 v36, v36, v40 ; max :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; max :2
	v_dual_max_f32 v37, v41, v45 :: v_dual_max_f32 v38, v42, v46 ; max :2
	v_dual_max_f32 v39, v43, v47 :: v_dual_max_f32 v40, v44, v48 ; max :2
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2) ; max :2
	v_dual_max_f32 v33, v33, v37 :: v_dual_max_f32 v34, v34, v38 ; max :2
	v_dual_max_f32 v35, v35, v39 :: v_dual_max_f32 v36, v36, v40 ; max :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; max :2
	v_dual_max_f32 v34, v33, v34 :: v_dual_max_f32 v33, v35, v36 ; max :2
	v_max_f32_e32 v34, v34, v33                            ; max :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_max_f32_dpp v34, v34, v34 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_max_f32_dpp v34, v34, v34 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_max_f32_dpp v34, v34, v34 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_max_f32_dpp v34, v34, v34 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_permlanex16_b32 v33, v34, 0, 0 op_sel:[0,1]          ; dpp_reduce :2
	v_max_f32_e32 v34, v34, v33                            ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; lane_shuffle :2
	v_readlane_b32 s0, v34, 31                             ; lane_shuffle :2
	v_dual_subrev_f32 v1, s0, v1 :: v_dual_subrev_f32 v2, s0, v2 ; sub :2
	v_dual_subrev_f32 v3, s0, v3 :: v_dual_subrev_f32 v4, s0, v4 ; sub :2
	v_dual_subrev_f32 v5, s0, v5 :: v_dual_subrev_f32 v6, s0, v6 ; sub :2
	v_dual_subrev_f32 v7, s0, v7 :: v_dual_subrev_f32 v8, s0, v8 ; sub :2
	v_dual_subrev_f32 v9, s0, v9 :: v_dual_subrev_f32 v10, s0, v10 ; sub :2
	v_dual_subrev_f32 v11, s0, v11 :: v_dual_subrev_f32 v12, s0, v12 ; sub :2
	v_dual_subrev_f32 v13, s0, v13 :: v_dual_subrev_f32 v14, s0, v14 ; sub :2
	v_dual_subrev_f32 v15, s0, v15 :: v_dual_subrev_f32 v16, s0, v16 ; sub :2
	v_dual_subrev_f32 v17, s0, v17 :: v_dual_subrev_f32 v18, s0, v18 ; sub :2
	v_dual_subrev_f32 v19, s0, v19 :: v_dual_subrev_f32 v20, s0, v20 ; sub :2
	v_dual_subrev_f32 v21, s0, v21 :: v_dual_subrev_f32 v22, s0, v22 ; sub :2
	v_dual_subrev_f32 v23, s0, v23 :: v_dual_subrev_f32 v24, s0, v24 ; sub :2
	v_dual_subrev_f32 v25, s0, v25 :: v_dual_subrev_f32 v26, s0, v26 ; sub :2
	v_dual_subrev_f32 v27, s0, v27 :: v_dual_subrev_f32 v28, s0, v28 ; sub :2
	v_dual_subrev_f32 v29, s0, v29 :: v_dual_subrev_f32 v30, s0, v30 ; sub :2
	v_dual_subrev_f32 v31, s0, v31 :: v_dual_subrev_f32 v32, s0, v32 ; sub :2
	s_mov_b32 s0, 0x4b400000                               ; fma :2
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_4) | instid1(SALU_CYCLE_1) ; fma :2
	v_fma_f32 v33, v1, 0x3fb8aa3b, s0                      ; fma :2
	v_fma_f32 v34, v2, 0x3fb8aa3b, s0                      ; fma :2
	v_fma_f32 v35, v3, 0x3fb8aa3b, s0                      ; fma :2
	v_fma_f32 v36, v4, 0x3fb8aa3b, s0                      ; fma :2
	s_mov_b32 s1, 0x4b400081                               ; med3 :2
	v_med3_f32 v33, v33, 0x4b3fff68, s1                    ; med3 :2
	v_med3_f32 v34, v34, 0x4b3fff68, s1                    ; med3 :2
	v_med3_f32 v35, v35, 0x4b3fff68, s1                    ; med3 :2
	v_med3_f32 v36, v36, 0x4b3fff68, s1                    ; med3 :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; sub :2
	v_dual_subrev_f32 v37, 0x4b400000, v33 :: v_dual_subrev_f32 v38, 0x4b400000, v34 ; sub :2
	v_dual_subrev_f32 v39, 0x4b400000, v35 :: v_dual_subrev_f32 v40, 0x4b400000, v36 ; sub :2
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_3) ; fma :2
	v_fma_f32 v37, v1, 0x3fb8aa3b, -v37                    ; fma :2
	v_fma_f32 v38, v2, 0x3fb8aa3b, -v38                    ; fma :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_4) ; fma :2
	v_fma_f32 v39, v3, 0x3fb8aa3b, -v39                    ; fma :2
	v_fma_f32 v40, v4, 0x3fb8aa3b, -v40                    ; fma :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; fma :2
	v_dual_fmac_f32 v37, 0x32a57060, v1 :: v_dual_fmac_f32 v38, 0x32a57060, v2 ; fma :2
	v_dual_fmac_f32 v39, 0x32a57060, v3 :: v_dual_fmac_f32 v40, 0x32a57060, v4 ; fma :2
	v_subrev_nc_u32_e32 v1, 0x4b400000, v33                ; sub :2
	v_subrev_nc_u32_e32 v2, 0x4b400000, v34                ; sub :2
	v_subrev_nc_u32_e32 v3, 0x4b400000, v35                ; sub :2
	v_subrev_nc_u32_e32 v4, 0x4b400000, v36                ; sub :2
	v_fma_f32 v33, v37, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v34, v38, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v35, v39, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v36, v40, 0x3f317218, 1.0                    ; fma :2
	v_cmp_lt_f32_e64 vcc_lo, |v37|, 0x39000000             ; less :2
	v_cmp_lt_f32_e64 s4, |v38|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s5, |v39|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s6, |v40|, 0x39000000                 ; less :2
	v_exp_f32_e32 v37, v37                                 ; hw_exp2 :2
	v_exp_f32_e32 v38, v38                                 ; hw_exp2 :2
	v_exp_f32_e32 v39, v39                                 ; hw_exp2 :2
	v_exp_f32_e32 v40, v40                                 ; hw_exp2 :2
	v_cndmask_b32_e32 v33, v37, v33, vcc_lo                ; where :2
	s_delay_alu instid0(TRANS32_DEP_3)                     ; where :2
	v_cndmask_b32_e64 v34, v38, v34, s4                    ; where :2
	s_waitcnt_depctr depctr_va_vdst(0)                     ; transcendental result read by VALU too early: v39 of v_exp_f32_e32
	v_cndmask_b32_e64 v35, v39, v35, s5                    ; where :2
	v_cndmask_b32_e64 v36, v40, v36, s6                    ; where :2
	v_ldexp_f32 v1, v33, v1                                ; ldexp :2
	v_ldexp_f32 v2, v34, v2                                ; ldexp :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; ldexp :2
	v_ldexp_f32 v3, v35, v3                                ; ldexp :2
	v_ldexp_f32 v4, v36, v4                                ; ldexp :2
	v_fma_f32 v33, v5, 0x3fb8aa3b, s0                      ; fma :2
	v_fma_f32 v34, v6, 0x3fb8aa3b, s0                      ; fma :2
	v_fma_f32 v35, v7, 0x3fb8aa3b, s0                      ; fma :2
	v_fma_f32 v36, v8, 0x3fb8aa3b, s0                      ; fma :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; med3 :2
	v_med3_f32 v33, v33, 0x4b3fff68, s1                    ; med3 :2
	v_med3_f32 v34, v34, 0x4b3fff68, s1                    ; med3 :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; med3 :2
	v_med3_f32 v35, v35, 0x4b3fff68, s1                    ; med3 :2
	v_med3_f32 v36, v36, 0x4b3fff68, s1                    ; med3 :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; sub :2
	v_dual_subrev_f32 v37, 0x4b400000, v33 :: v_dual_subrev_f32 v38, 0x4b400000, v34 ; sub :2
	v_dual_subrev_f32 v39, 0x4b400000, v35 :: v_dual_subrev_f32 v40, 0x4b400000, v36 ; sub :2
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_3) ; fma :2
	v_fma_f32 v37, v5, 0x3fb8aa3b, -v37                    ; fma :2
	v_fma_f32 v38, v6, 0x3fb8aa3b, -v38                    ; fma :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_4) ; fma :2
	v_fma_f32 v39, v7, 0x3fb8aa3b, -v39                    ; fma :2
	v_fma_f32 v40, v8, 0x3fb8aa3b, -v40                    ; fma :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; fma :2
	v_dual_fmac_f32 v37, 0x32a57060, v5 :: v_dual_fmac_f32 v38, 0x32a57060, v6 ; fma :2
	v_dual_fmac_f32 v39, 0x32a57060, v7 :: v_dual_fmac_f32 v40, 0x32a57060, v8 ; fma :2
	v_subrev_nc_u32_e32 v5, 0x4b400000, v33                ; sub :2
	v_subrev_nc_u32_e32 v6, 0x4b400000, v34                ; sub :2
	v_subrev_nc_u32_e32 v7, 0x4b400000, v35                ; sub :2
	v_subrev_nc_u32_e32 v8, 0x4b400000, v36                ; sub :2
	v_fma_f32 v33, v37, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v34, v38, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v35, v39, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v36, v40, 0x3f317218, 1.0                    ; fma :2
	v_cmp_lt_f32_e64 vcc_lo, |v37|, 0x39000000             ; less :2
	v_cmp_lt_f32_e64 s4, |v38|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s5, |v39|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s6, |v40|, 0x39000000                 ; less :2
	v_exp_f32_e32 v37, v37                                 ; hw_exp2 :2
	v_exp_f32_e32 v38, v38                                 ; hw_exp2 :2
	v_exp_f32_e32 v39, v39                                 ; hw_exp2 :2
	v_exp_f32_e32 v40, v40                                 ; hw_exp2 :2
	v_cndmask_b32_e32 v33, v37, v33, vcc_lo                ; where :2
	s_delay_alu instid0(TRANS32_DEP_3)                     ; where :2
	v_cndmask_b32_e64 v34, v38, v34, s4                    ; where :2
	s_waitcnt_depctr depctr_va_vdst(0)                     ; transcendental result read by VALU too early: v39 of v_exp_f32_e32
	v_cndmask_b32_e64 v35, v39, v35, s5                    ; where :2
	v_cndmask_b32_e64 v36, v40, v36, s6                    ; where :2
	v_ldexp_f32 v5, v33, v5                                ; ldexp :2
	v_ldexp_f32 v6, v34, v6                                ; ldexp :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; ldexp :2
	v_ldexp_f32 v7, v35, v7                                ; ldexp :2
	v_ldexp_f32 v8, v36, v8                                ; ldexp :2
	v_fma_f32 v33, v9, 0x3fb8aa3b, s0                      ; fma :2
	v_fma_f32 v34, v10, 0x3fb8aa3b, s0                     ; fma :2
	v_fma_f32 v35, v11, 0x3fb8aa3b, s0                     ; fma :2
	v_fma_f32 v36, v12, 0x3fb8aa3b, s0                     ; fma :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; med3 :2
	v_med3_f32 v33, v33, 0x4b3fff68, s1                    ; med3 :2
	v_med3_f32 v34, v34, 0x4b3fff68, s1                    ; med3 :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; med3 :2
	v_med3_f32 v35, v35, 0x4b3fff68, s1                    ; med3 :2
	v_med3_f32 v36, v36, 0x4b3fff68, s1                    ; med3 :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; sub :2
	v_dual_subrev_f32 v37, 0x4b400000, v33 :: v_dual_subrev_f32 v38, 0x4b400000, v34 ; sub :2
	v_dual_subrev_f32 v39, 0x4b400000, v35 :: v_dual_subrev_f32 v40, 0x4b400000, v36 ; sub :2
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_3) ; fma :2
	v_fma_f32 v37, v9, 0x3fb8aa3b, -v37                    ; fma :2
	v_fma_f32 v38, v10, 0x3fb8aa3b, -v38                   ; fma :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_4) ; fma :2
	v_fma_f32 v39, v11, 0x3fb8aa3b, -v39                   ; fma :2
	v_fma_f32 v40, v12, 0x3fb8aa3b, -v40                   ; fma :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; fma :2
	v_dual_fmac_f32 v37, 0x32a57060, v9 :: v_dual_fmac_f32 v38, 0x32a57060, v10 ; fma :2
	v_dual_fmac_f32 v39, 0x32a57060, v11 :: v_dual_fmac_f32 v40, 0x32a57060, v12 ; fma :2
	v_subrev_nc_u32_e32 v9, 0x4b400000, v33                ; sub :2
	v_subrev_nc_u32_e32 v10, 0x4b400000, v34               ; sub :2
	v_subrev_nc_u32_e32 v11, 0x4b400000, v35               ; sub :2
	v_subrev_nc_u32_e32 v12, 0x4b400000, v36               ; sub :2
	v_fma_f32 v33, v37, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v34, v38, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v35, v39, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v36, v40, 0x3f317218, 1.0                    ; fma :2
	v_cmp_lt_f32_e64 vcc_lo, |v37|, 0x39000000             ; less :2
	v_cmp_lt_f32_e64 s4, |v38|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s5, |v39|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s6, |v40|, 0x39000000                 ; less :2
	v_exp_f32_e32 v37, v37                                 ; hw_exp2 :2
	v_exp_f32_e32 v38, v38                                 ; hw_exp2 :2
	v_exp_f32_e32 v39, v39                                 ; hw_exp2 :2
	v_exp_f32_e32 v40, v40                                 ; hw_exp2 :2
	v_cndmask_b32_e32 v33, v37, v33, vcc_lo                ; where :2
	s_delay_alu instid0(TRANS32_DEP_3)                     ; where :2
	v_cndmask_b32_e64 v34, v38, v34, s4                    ; where :2
	s_waitcnt_depctr depctr_va_vdst(0)                     ; transcendental result read by VALU too early: v39 of v_exp_f32_e32
	v_cndmask_b32_e64 v35, v39, v35, s5                    ; where :2
	v_cndmask_b32_e64 v36, v40, v36, s6                    ; where :2
	v_ldexp_f32 v9, v33, v9                                ; ldexp :2
	v_ldexp_f32 v10, v34, v10                              ; ldexp :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; ldexp :2
	v_ldexp_f32 v11, v35, v11                              ; ldexp :2
	v_ldexp_f32 v12, v36, v12                              ; ldexp :2
	v_fma_f32 v33, v13, 0x3fb8aa3b, s0                     ; fma :2
	v_fma_f32 v34, v14, 0x3fb8aa3b, s0                     ; fma :2
	v_fma_f32 v35, v15, 0x3fb8aa3b, s0                     ; fma :2
	v_fma_f32 v36, v16, 0x3fb8aa3b, s0                     ; fma :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; med3 :2
	v_med3_f32 v33, v33, 0x4b3fff68, s1                    ; med3 :2
	v_med3_f32 v34, v34, 0x4b3fff68, s1                    ; med3 :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; med3 :2
	v_med3_f32 v35, v35, 0x4b3fff68, s1                    ; med3 :2
	v_med3_f32 v36, v36, 0x4b3fff68, s1                    ; med3 :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; sub :2
	v_dual_subrev_f32 v37, 0x4b400000, v33 :: v_dual_subrev_f32 v38, 0x4b400000, v34 ; sub :2
	v_dual_subrev_f32 v39, 0x4b400000, v35 :: v_dual_subrev_f32 v40, 0x4b400000, v36 ; sub :2
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_3) ; fma :2
	v_fma_f32 v37, v13, 0x3fb8aa3b, -v37                   ; fma :2
	v_fma_f32 v38, v14, 0x3fb8aa3b, -v38                   ; fma :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_4) ; fma :2
	v_fma_f32 v39, v15, 0x3fb8aa3b, -v39                   ; fma :2
	v_fma_f32 v40, v16, 0x3fb8aa3b, -v40                   ; fma :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; fma :2
	v_dual_fmac_f32 v37, 0x32a57060, v13 :: v_dual_fmac_f32 v38, 0x32a57060, v14 ; fma :2
	v_dual_fmac_f32 v39, 0x32a57060, v15 :: v_dual_fmac_f32 v40, 0x32a57060, v16 ; fma :2
	v_subrev_nc_u32_e32 v13, 0x4b400000, v33               ; sub :2
	v_subrev_nc_u32_e32 v14, 0x4b400000, v34               ; sub :2
	v_subrev_nc_u32_e32 v15, 0x4b400000, v35               ; sub :2
	v_subrev_nc_u32_e32 v16, 0x4b400000, v36               ; sub :2
	v_fma_f32 v33, v37, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v34, v38, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v35, v39, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v36, v40, 0x3f317218, 1.0                    ; fma :2
	v_cmp_lt_f32_e64 vcc_lo, |v37|, 0x39000000             ; less :2
	v_cmp_lt_f32_e64 s4, |v38|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s5, |v39|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s6, |v40|, 0x39000000                 ; less :2
	v_exp_f32_e32 v37, v37                                 ; hw_exp2 :2
	v_exp_f32_e32 v38, v38                                 ; hw_exp2 :2
	v_exp_f32_e32 v39, v39                                 ; hw_exp2 :2
	v_exp_f32_e32 v40, v40                                 ; hw_exp2 :2
	v_cndmask_b32_e32 v33, v37, v33, vcc_lo                ; where :2
	s_delay_alu instid0(TRANS32_DEP_3)                     ; where :2
	v_cndmask_b32_e64 v34, v38, v34, s4                    ; where :2
	s_waitcnt_depctr depctr_va_vdst(0)                     ; transcendental result read by VALU too early: v39 of v_exp_f32_e32
	v_cndmask_b32_e64 v35, v39, v35, s5                    ; where :2
	v_cndmask_b32_e64 v36, v40, v36, s6                    ; where :2
	v_ldexp_f32 v13, v33, v13                              ; ldexp :2
	v_ldexp_f32 v14, v34, v14                              ; ldexp :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; ldexp :2
	v_ldexp_f32 v15, v35, v15                              ; ldexp :2
	v_ldexp_f32 v16, v36, v16                              ; ldexp :2
	v_fma_f32 v33, v17, 0x3fb8aa3b, s0                     ; fma :2
	v_fma_f32 v34, v18, 0x3fb8aa3b, s0                     ; fma :2
	v_fma_f32 v35, v19, 0x3fb8aa3b, s0                     ; fma :2
	v_fma_f32 v36, v20, 0x3fb8aa3b, s0                     ; fma :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; med3 :2
	v_med3_f32 v33, v33, 0x4b3fff68, s1                    ; med3 :2
	v_med3_f32 v34, v34, 0x4b3fff68, s1                    ; med3 :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; med3 :2
	v_med3_f32 v35, v35, 0x4b3fff68, s1                    ; med3 :2
	v_med3_f32 v36, v36, 0x4b3fff68, s1                    ; med3 :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; sub :2
	v_dual_subrev_f32 v37, 0x4b400000, v33 :: v_dual_subrev_f32 v38, 0x4b400000, v34 ; sub :2
	v_dual_subrev_f32 v39, 0x4b400000, v35 :: v_dual_subrev_f32 v40, 0x4b400000, v36 ; sub :2
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_3) ; fma :2
	v_fma_f32 v37, v17, 0x3fb8aa3b, -v37                   ; fma :2
	v_fma_f32 v38, v18, 0x3fb8aa3b, -v38                   ; fma :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_4) ; fma :2
	v_fma_f32 v39, v19, 0x3fb8aa3b, -v39                   ; fma :2
	v_fma_f32 v40, v20, 0x3fb8aa3b, -v40                   ; fma :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; fma :2
	v_dual_fmac_f32 v37, 0x32a57060, v17 :: v_dual_fmac_f32 v38, 0x32a57060, v18 ; fma :2
	v_dual_fmac_f32 v39, 0x32a57060, v19 :: v_dual_fmac_f32 v40, 0x32a57060, v20 ; fma :2
	v_subrev_nc_u32_e32 v17, 0x4b400000, v33               ; sub :2
	v_subrev_nc_u32_e32 v18, 0x4b400000, v34               ; sub :2
	v_subrev_nc_u32_e32 v19, 0x4b400000, v35               ; sub :2
	v_subrev_nc_u32_e32 v20, 0x4b400000, v36               ; sub :2
	v_fma_f32 v33, v37, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v34, v38, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v35, v39, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v36, v40, 0x3f317218, 1.0                    ; fma :2
	v_cmp_lt_f32_e64 vcc_lo, |v37|, 0x39000000             ; less :2
	v_cmp_lt_f32_e64 s4, |v38|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s5, |v39|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s6, |v40|, 0x39000000                 ; less :2
	v_exp_f32_e32 v37, v37                                 ; hw_exp2 :2
	v_exp_f32_e32 v38, v38                                 ; hw_exp2 :2
	v_exp_f32_e32 v39, v39                                 ; hw_exp2 :2
	v_exp_f32_e32 v40, v40                                 ; hw_exp2 :2
	v_cndmask_b32_e32 v33, v37, v33, vcc_lo                ; where :2
	s_delay_alu instid0(TRANS32_DEP_3)                     ; where :2
	v_cndmask_b32_e64 v34, v38, v34, s4                    ; where :2
	s_waitcnt_depctr depctr_va_vdst(0)                     ; transcendental result read by VALU too early: v39 of v_exp_f32_e32
	v_cndmask_b32_e64 v35, v39, v35, s5                    ; where :2
	v_cndmask_b32_e64 v36, v40, v36, s6                    ; where :2
	v_ldexp_f32 v17, v33, v17                              ; ldexp :2
	v_ldexp_f32 v18, v34, v18                              ; ldexp :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; ldexp :2
	v_ldexp_f32 v19, v35, v19                              ; ldexp :2
	v_ldexp_f32 v20, v36, v20                              ; ldexp :2
	v_fma_f32 v33, v21, 0x3fb8aa3b, s0                     ; fma :2
	v_fma_f32 v34, v22, 0x3fb8aa3b, s0                     ; fma :2
	v_fma_f32 v35, v23, 0x3fb8aa3b, s0                     ; fma :2
	v_fma_f32 v36, v24, 0x3fb8aa3b, s0                     ; fma :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; med3 :2
	v_med3_f32 v33, v33, 0x4b3fff68, s1                    ; med3 :2
	v_med3_f32 v34, v34, 0x4b3fff68, s1                    ; med3 :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; med3 :2
	v_med3_f32 v35, v35, 0x4b3fff68, s1                    ; med3 :2
	v_med3_f32 v36, v36, 0x4b3fff68, s1                    ; med3 :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; sub :2
	v_dual_subrev_f32 v37, 0x4b400000, v33 :: v_dual_subrev_f32 v38, 0x4b400000, v34 ; sub :2
	v_dual_subrev_f32 v39, 0x4b400000, v35 :: v_dual_subrev_f32 v40, 0x4b400000, v36 ; sub :2
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_3) ; fma :2
	v_fma_f32 v37, v21, 0x3fb8aa3b, -v37                   ; fma :2
	v_fma_f32 v38, v22, 0x3fb8aa3b, -v38                   ; fma :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_4) ; fma :2
	v_fma_f32 v39, v23, 0x3fb8aa3b, -v39                   ; fma :2
	v_fma_f32 v40, v24, 0x3fb8aa3b, -v40                   ; fma :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; fma :2
	v_dual_fmac_f32 v37, 0x32a57060, v21 :: v_dual_fmac_f32 v38, 0x32a57060, v22 ; fma :2
	v_dual_fmac_f32 v39, 0x32a57060, v23 :: v_dual_fmac_f32 v40, 0x32a57060, v24 ; fma :2
	v_subrev_nc_u32_e32 v21, 0x4b400000, v33               ; sub :2
	v_subrev_nc_u32_e32 v22, 0x4b400000, v34               ; sub :2
	v_subrev_nc_u32_e32 v23, 0x4b400000, v35               ; sub :2
	v_subrev_nc_u32_e32 v24, 0x4b400000, v36               ; sub :2
	v_fma_f32 v33, v37, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v34, v38, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v35, v39, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v36, v40, 0x3f317218, 1.0                    ; fma :2
	v_cmp_lt_f32_e64 vcc_lo, |v37|, 0x39000000             ; less :2
	v_cmp_lt_f32_e64 s4, |v38|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s5, |v39|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s6, |v40|, 0x39000000                 ; less :2
	v_exp_f32_e32 v37, v37                                 ; hw_exp2 :2
	v_exp_f32_e32 v38, v38                                 ; hw_exp2 :2
	v_exp_f32_e32 v39, v39                                 ; hw_exp2 :2
	v_exp_f32_e32 v40, v40                                 ; hw_exp2 :2
	v_cndmask_b32_e32 v33, v37, v33, vcc_lo                ; where :2
	s_delay_alu instid0(TRANS32_DEP_3)                     ; where :2
	v_cndmask_b32_e64 v34, v38, v34, s4                    ; where :2
	s_waitcnt_depctr depctr_va_vdst(0)                     ; transcendental result read by VALU too early: v39 of v_exp_f32_e32
	v_cndmask_b32_e64 v35, v39, v35, s5                    ; where :2
	v_cndmask_b32_e64 v36, v40, v36, s6                    ; where :2
	v_ldexp_f32 v21, v33, v21                              ; ldexp :2
	v_ldexp_f32 v22, v34, v22                              ; ldexp :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; ldexp :2
	v_ldexp_f32 v23, v35, v23                              ; ldexp :2
	v_ldexp_f32 v24, v36, v24                              ; ldexp :2
	v_fma_f32 v33, v25, 0x3fb8aa3b, s0                     ; fma :2
	v_fma_f32 v34, v26, 0x3fb8aa3b, s0                     ; fma :2
	v_fma_f32 v35, v27, 0x3fb8aa3b, s0                     ; fma :2
	v_fma_f32 v36, v28, 0x3fb8aa3b, s0                     ; fma :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; med3 :2
	v_med3_f32 v33, v33, 0x4b3fff68, s1                    ; med3 :2
	v_med3_f32 v34, v34, 0x4b3fff68, s1                    ; med3 :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; med3 :2
	v_med3_f32 v35, v35, 0x4b3fff68, s1                    ; med3 :2
	v_med3_f32 v36, v36, 0x4b3fff68, s1                    ; med3 :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; sub :2
	v_dual_subrev_f32 v37, 0x4b400000, v33 :: v_dual_subrev_f32 v38, 0x4b400000, v34 ; sub :2
	v_dual_subrev_f32 v39, 0x4b400000, v35 :: v_dual_subrev_f32 v40, 0x4b400000, v36 ; sub :2
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_3) ; fma :2
	v_fma_f32 v37, v25, 0x3fb8aa3b, -v37                   ; fma :2
	v_fma_f32 v38, v26, 0x3fb8aa3b, -v38                   ; fma :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_4) ; fma :2
	v_fma_f32 v39, v27, 0x3fb8aa3b, -v39                   ; fma :2
	v_fma_f32 v40, v28, 0x3fb8aa3b, -v40                   ; fma :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; fma :2
	v_dual_fmac_f32 v37, 0x32a57060, v25 :: v_dual_fmac_f32 v38, 0x32a57060, v26 ; fma :2
	v_dual_fmac_f32 v39, 0x32a57060, v27 :: v_dual_fmac_f32 v40, 0x32a57060, v28 ; fma :2
	v_subrev_nc_u32_e32 v25, 0x4b400000, v33               ; sub :2
	v_subrev_nc_u32_e32 v26, 0x4b400000, v34               ; sub :2
	v_subrev_nc_u32_e32 v27, 0x4b400000, v35               ; sub :2
	v_subrev_nc_u32_e32 v28, 0x4b400000, v36               ; sub :2
	v_fma_f32 v33, v37, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v34, v38, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v35, v39, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v36, v40, 0x3f317218, 1.0                    ; fma :2
	v_cmp_lt_f32_e64 vcc_lo, |v37|, 0x39000000             ; less :2
	v_cmp_lt_f32_e64 s4, |v38|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s5, |v39|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s6, |v40|, 0x39000000                 ; less :2
	v_exp_f32_e32 v37, v37                                 ; hw_exp2 :2
	v_exp_f32_e32 v38, v38                                 ; hw_exp2 :2
	v_exp_f32_e32 v39, v39                                 ; hw_exp2 :2
	v_exp_f32_e32 v40, v40                                 ; hw_exp2 :2
	v_cndmask_b32_e32 v33, v37, v33, vcc_lo                ; where :2
	s_delay_alu instid0(TRANS32_DEP_3)                     ; where :2
	v_cndmask_b32_e64 v34, v38, v34, s4                    ; where :2
	s_waitcnt_depctr depctr_va_vdst(0)                     ; transcendental result read by VALU too early: v39 of v_exp_f32_e32
	v_cndmask_b32_e64 v35, v39, v35, s5                    ; where :2
	v_cndmask_b32_e64 v36, v40, v36, s6                    ; where :2
	v_ldexp_f32 v25, v33, v25                              ; ldexp :2
	v_ldexp_f32 v26, v34, v26                              ; ldexp :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; ldexp :2
	v_ldexp_f32 v27, v35, v27                              ; ldexp :2
	v_ldexp_f32 v28, v36, v28                              ; ldexp :2
	v_fma_f32 v33, v29, 0x3fb8aa3b, s0                     ; fma :2
	v_fma_f32 v34, v30, 0x3fb8aa3b, s0                     ; fma :2
	v_fma_f32 v35, v31, 0x3fb8aa3b, s0                     ; fma :2
	v_fma_f32 v36, v32, 0x3fb8aa3b, s0                     ; fma :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; med3 :2
	v_med3_f32 v33, v33, 0x4b3fff68, s1                    ; med3 :2
	v_med3_f32 v34, v34, 0x4b3fff68, s1                    ; med3 :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; med3 :2
	v_med3_f32 v35, v35, 0x4b3fff68, s1                    ; med3 :2
	v_med3_f32 v36, v36, 0x4b3fff68, s1                    ; med3 :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; sub :2
	v_dual_subrev_f32 v37, 0x4b400000, v33 :: v_dual_subrev_f32 v38, 0x4b400000, v34 ; sub :2
	v_dual_subrev_f32 v39, 0x4b400000, v35 :: v_dual_subrev_f32 v40, 0x4b400000, v36 ; sub :2
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_3) ; fma :2
	v_fma_f32 v37, v29, 0x3fb8aa3b, -v37                   ; fma :2
	v_fma_f32 v38, v30, 0x3fb8aa3b, -v38                   ; fma :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_4) ; fma :2
	v_fma_f32 v39, v31, 0x3fb8aa3b, -v39                   ; fma :2
	v_fma_f32 v40, v32, 0x3fb8aa3b, -v40                   ; fma :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; fma :2
	v_dual_fmac_f32 v37, 0x32a57060, v29 :: v_dual_fmac_f32 v38, 0x32a57060, v30 ; fma :2
	v_dual_fmac_f32 v39, 0x32a57060, v31 :: v_dual_fmac_f32 v40, 0x32a57060, v32 ; fma :2
	v_subrev_nc_u32_e32 v29, 0x4b400000, v33               ; sub :2
	v_subrev_nc_u32_e32 v30, 0x4b400000, v34               ; sub :2
	v_subrev_nc_u32_e32 v31, 0x4b400000, v35               ; sub :2
	v_subrev_nc_u32_e32 v32, 0x4b400000, v36               ; sub :2
	v_fma_f32 v33, v37, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v34, v38, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v35, v39, 0x3f317218, 1.0                    ; fma :2
	v_fma_f32 v36, v40, 0x3f317218, 1.0                    ; fma :2
	v_cmp_lt_f32_e64 vcc_lo, |v37|, 0x39000000             ; less :2
	v_cmp_lt_f32_e64 s0, |v38|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s1, |v39|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s4, |v40|, 0x39000000                 ; less :2
	v_exp_f32_e32 v37, v37                                 ; hw_exp2 :2
	v_exp_f32_e32 v38, v38                                 ; hw_exp2 :2
	v_exp_f32_e32 v39, v39                                 ; hw_exp2 :2
	v_exp_f32_e32 v40, v40                                 ; hw_exp2 :2
	v_cndmask_b32_e32 v33, v37, v33, vcc_lo                ; where :2
	s_delay_alu instid0(TRANS32_DEP_3)                     ; where :2
	v_cndmask_b32_e64 v34, v38, v34, s0                    ; where :2
	s_waitcnt_depctr depctr_va_vdst(0)                     ; transcendental result read by VALU too early: v39 of v_exp_f32_e32
	v_cndmask_b32_e64 v35, v39, v35, s1                    ; where :2
	v_cndmask_b32_e64 v36, v40, v36, s4                    ; where :2
	v_ldexp_f32 v29, v33, v29                              ; ldexp :2
	v_ldexp_f32 v30, v34, v30                              ; ldexp :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; ldexp :2
	v_ldexp_f32 v31, v35, v31                              ; ldexp :2
	v_ldexp_f32 v32, v36, v32                              ; ldexp :2
	v_dual_add_f32 v33, v1, v5 :: v_dual_add_f32 v34, v2, v6 ; add :2
	v_dual_add_f32 v35, v3, v7 :: v_dual_add_f32 v36, v4, v8 ; add :2
	v_dual_add_f32 v37, v9, v13 :: v_dual_add_f32 v38, v10, v14 ; add :2
	v_dual_add_f32 v39, v11, v15 :: v_dual_add_f32 v40, v12, v16 ; add :2
	v_dual_add_f32 v41, v17, v21 :: v_dual_add_f32 v42, v18, v22 ; add :2
	v_dual_add_f32 v43, v19, v23 :: v_dual_add_f32 v44, v20, v24 ; add :2
	v_dual_add_f32 v45, v25, v29 :: v_dual_add_f32 v46, v26, v30 ; add :2
	v_dual_add_f32 v47, v27, v31 :: v_dual_add_f32 v48, v28, v32 ; add :2
	v_dual_add_f32 v33, v33, v37 :: v_dual_add_f32 v34, v34, v38 ; add :2
	v_dual_add_f32 v35, v35, v39 :: v_dual_add_f32 v36, v36, v40 ; add :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; add :2
	v_dual_add_f32 v37, v41, v45 :: v_dual_add_f32 v38, v42, v46 ; add :2
	v_dual_add_f32 v39, v43, v47 :: v_dual_add_f32 v40, v44, v48 ; add :2
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2) ; add :2
	v_dual_add_f32 v33, v33, v37 :: v_dual_add_f32 v34, v34, v38 ; add :2
	v_dual_add_f32 v35, v35, v39 :: v_dual_add_f32 v36, v36, v40 ; add :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; add :2
	v_dual_add_f32 v34, v33, v34 :: v_dual_add_f32 v33, v35, v36 ; add :2
	v_add_f32_e32 v34, v34, v33                            ; add :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_add_f32_dpp v34, v34, v34 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_add_f32_dpp v34, v34, v34 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_add_f32_dpp v34, v34, v34 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_add_f32_dpp v34, v34, v34 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_permlanex16_b32 v33, v34, 0, 0 op_sel:[0,1]          ; dpp_reduce :2
	v_add_f32_e32 v34, v34, v33                            ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; frexp_mantissa :2
	v_frexp_mant_f32_e32 v33, v34                          ; frexp_mantissa :2
	v_rcp_f32_e32 v36, v33                                 ; hw_rcp :2
	s_waitcnt_depctr depctr_va_vdst(0)                     ; transcendental result read by VALU too early: v36 of v_rcp_f32_e32
	v_fma_f32 v33, -v33, v36, 1.0                          ; fma :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_1) ; fma :2
	v_fmac_f32_e32 v36, v33, v36                           ; fma :2
	v_frexp_exp_i32_f32_e32 v33, v34                       ; frexp_exponent :2
	v_sub_nc_u32_e32 v38, 0, v33                           ; sub :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; ldexp :2
	v_ldexp_f32 v33, v36, v38                              ; ldexp :2
	v_div_fixup_f32 v34, v33, v34, 1.0                     ; div_fixup :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; lane_shuffle :2
	v_readlane_b32 s0, v34, 31                             ; lane_shuffle :2
	v_dual_mul_f32 v1, s0, v1 :: v_dual_mul_f32 v2, s0, v2 ; mul :2
	v_dual_mul_f32 v3, s0, v3 :: v_dual_mul_f32 v4, s0, v4 ; mul :2
	v_dual_mul_f32 v5, s0, v5 :: v_dual_mul_f32 v6, s0, v6 ; mul :2
	v_dual_mul_f32 v7, s0, v7 :: v_dual_mul_f32 v8, s0, v8 ; mul :2
	v_dual_mul_f32 v9, s0, v9 :: v_dual_mul_f32 v10, s0, v10 ; mul :2
	v_dual_mul_f32 v11, s0, v11 :: v_dual_mul_f32 v12, s0, v12 ; mul :2
	v_dual_mul_f32 v13, s0, v13 :: v_dual_mul_f32 v14, s0, v14 ; mul :2
	v_dual_mul_f32 v15, s0, v15 :: v_dual_mul_f32 v16, s0, v16 ; mul :2
	v_dual_mul_f32 v17, s0, v17 :: v_dual_mul_f32 v18, s0, v18 ; mul :2
	v_dual_mul_f32 v19, s0, v19 :: v_dual_mul_f32 v20, s0, v20 ; mul :2
	v_dual_mul_f32 v21, s0, v21 :: v_dual_mul_f32 v22, s0, v22 ; mul :2
	v_dual_mul_f32 v23, s0, v23 :: v_dual_mul_f32 v24, s0, v24 ; mul :2
	v_dual_mul_f32 v25, s0, v25 :: v_dual_mul_f32 v26, s0, v26 ; mul :2
	v_dual_mul_f32 v27, s0, v27 :: v_dual_mul_f32 v28, s0, v28 ; mul :2
	v_dual_mul_f32 v29, s0, v29 :: v_dual_mul_f32 v30, s0, v30 ; mul :2
	v_dual_mul_f32 v31, s0, v31 :: v_dual_mul_f32 v32, s0, v32 ; mul :2
	.loc	1 3 1
	global_store_b128 v0, v[1:4], s[2:3]                   ; vector_store :3
	global_store_b128 v0, v[5:8], s[2:3] offset:512        ; vector_store :3
	global_store_b128 v0, v[9:12], s[2:3] offset:1024      ; vector_store :3
	global_store_b128 v0, v[13:16], s[2:3] offset:1536     ; vector_store :3
	global_store_b128 v0, v[17:20], s[2:3] offset:2048     ; vector_store :3
	global_store_b128 v0, v[21:24], s[2:3] offset:2560     ; vector_store :3
	global_store_b128 v0, v[25:28], s[2:3] offset:3072     ; vector_store :3
	global_store_b128 v0, v[29:32], s[2:3] offset:3584     ; vector_store :3
	s_endpgm
.Lsoftmax.end.of.code:
	.size	softmax, .Lsoftmax.end.of.code-softmax
	.p2alignl	7, 0xbf9f0000
	.fill	96, 4, 0xbf9f0000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel softmax
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 16
		.amdhsa_user_sgpr_count 15
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_wavefront_size32 1
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 49
		.amdhsa_next_free_sgpr 16
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_workgroup_processor_mode 1
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_inst_pref_size 35
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.target: amdgcn-amd-amdhsa--gfx1100
amdhsa.kernels:
  - .name: softmax
    .symbol: softmax.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 32
    .sgpr_count: 18
    .vgpr_count: 49
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
