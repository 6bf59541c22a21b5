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
	s_lshl_b32 s4, s15, 15                                 ; vector_load :1
	v_lshrrev_b32_e32 v0, 5, v0                            ; shift_right :1
	.loc	1 2 1
	s_mov_b32 s5, 0x3fb8aa3b                               ; fma :2
	s_mov_b32 s6, 0x4b400081                               ; med3 :2
	.loc	1 1 5
	v_lshl_add_u32 v1, v1, 4, s4                           ; vector_load :1
	.loc	1 2 1
	s_mov_b32 s4, 0x3f317218                               ; fma :2
	.loc	1 1 5
	s_delay_alu instid0(VALU_DEP_1)                        ; vector_load :1
	v_lshl_add_u32 v0, v0, 12, v1                          ; vector_load :1
	s_waitcnt lgkmcnt(0)                                   ; vector_load :1, lgkmcnt: s_load_b128
	s_clause 0x7                                           ; vector_load :1
	global_load_b128 v[1:4], v0, s[0:1]                    ; vector_load :1
	global_load_b128 v[5:8], v0, s[0:1] offset:512         ; vector_load :1
	global_load_b128 v[9:12], v0, s[0:1] offset:2048       ; vector_load :1
	global_load_b128 v[13:16], v0, s[0:1] offset:2560      ; vector_load :1
	global_load_b128 v[17:20], v0, s[0:1] offset:1024      ; vector_load :1
	global_load_b128 v[21:24], v0, s[0:1] offset:1536      ; vector_load :1
	global_load_b128 v[25:28], v0, s[0:1] offset:3072      ; vector_load :1
	global_load_b128 v[29:32], v0, s[0:1] offset:3584      ; vector_load :1
	.loc	1 2 1
	s_waitcnt vmcnt(4)                                     ; max :2, vmcnt: global_load_b128, softmax:1:5; vmcnt: global_load_b128, softmax:1:5
	v_dual_max_f32 v33, v1, v5 :: v_dual_max_f32 v34, v2, v6 ; max :2
	v_dual_max_f32 v35, v9, v13 :: v_dual_max_f32 v36, v10, v14 ; max :2
	v_max_f32_e32 v37, v3, v7                              ; max :2
	s_waitcnt vmcnt(0)                                     ; max :2, vmcnt: global_load_b128, softmax:1:5; vmcnt: global_load_b128, softmax:1:5
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_2) | instid1(VALU_DEP_1) ; max :2
	v_max3_f32 v33, v17, v21, v33                          ; max :2
	v_dual_max_f32 v38, v4, v8 :: v_dual_max_f32 v39, v11, v15 ; max :2
	v_max3_f32 v35, v25, v29, v35                          ; max :2
	v_dual_max_f32 v40, v12, v16 :: v_dual_max_f32 v33, v33, v35 ; max :2
	v_max3_f32 v34, v18, v22, v34                          ; max :2
	v_max3_f32 v36, v26, v30, v36                          ; max :2
	v_max3_f32 v35, v19, v23, v37                          ; max :2
	v_max3_f32 v37, v27, v31, v39                          ; max :2
	v_max3_f32 v38, v20, v24, v38                          ; max :2
	v_max3_f32 v39, v28, v32, v40                          ; max :2
	v_max3_f32 v34, v34, v36, v33                          ; max :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; max :2
	v_max3_f32 v33, v35, v37, v34                          ; max :2
	v_max3_f32 v34, v38, v39, v33                          ; max :2
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
	v_dual_subrev_f32 v17, s0, v17 :: v_dual_subrev_f32 v18, s0, v18 ; sub :2
	v_dual_subrev_f32 v19, s0, v19 :: v_dual_subrev_f32 v20, s0, v20 ; sub :2
	v_dual_subrev_f32 v21, s0, v21 :: v_dual_subrev_f32 v22, s0, v22 ; sub :2
	v_dual_subrev_f32 v23, s0, v23 :: v_dual_subrev_f32 v24, s0, v24 ; sub :2
	v_dual_subrev_f32 v9, s0, v9 :: v_dual_subrev_f32 v10, s0, v10 ; sub :2
	v_dual_subrev_f32 v11, s0, v11 :: v_dual_subrev_f32 v12, s0, v12 ; sub :2
	v_dual_subrev_f32 v13, s0, v13 :: v_dual_subrev_f32 v14, s0, v14 ; sub :2
	v_dual_subrev_f32 v15, s0, v15 :: v_dual_subrev_f32 v16, s0, v16 ; sub :2
	v_dual_subrev_f32 v25, s0, v25 :: v_dual_subrev_f32 v26, s0, v26 ; sub :2
	v_dual_subrev_f32 v27, s0, v27 :: v_dual_subrev_f32 v28, s0, v28 ; sub :2
	v_dual_subrev_f32 v29, s0, v29 :: v_dual_subrev_f32 v30, s0, v30 ; sub :2
	v_dual_subrev_f32 v31, s0, v31 :: v_dual_subrev_f32 v32, s0, v32 ; sub :2
	v_dual_fmaak_f32 v33, s5, v1, 0x4b400000 :: v_dual_fmaak_f32 v34, s5, v2, 0x4b400000 ; fma :2
	v_dual_fmaak_f32 v35, s5, v3, 0x4b400000 :: v_dual_fmaak_f32 v36, s5, v4, 0x4b400000 ; fma :2
	v_dual_fmaak_f32 v37, s5, v5, 0x4b400000 :: v_dual_fmaak_f32 v38, s5, v6, 0x4b400000 ; fma :2
	v_dual_fmaak_f32 v39, s5, v7, 0x4b400000 :: v_dual_fmaak_f32 v40, s5, v8, 0x4b400000 ; fma :2
	v_dual_fmaak_f32 v41, s5, v17, 0x4b400000 :: v_dual_fmaak_f32 v42, s5, v18, 0x4b400000 ; fma :2
	v_dual_fmaak_f32 v43, s5, v19, 0x4b400000 :: v_dual_fmaak_f32 v44, s5, v20, 0x4b400000 ; fma :2
	v_dual_fmaak_f32 v45, s5, v21, 0x4b400000 :: v_dual_fmaak_f32 v46, s5, v22, 0x4b400000 ; fma :2
	v_dual_fmaak_f32 v47, s5, v23, 0x4b400000 :: v_dual_fmaak_f32 v48, s5, v24, 0x4b400000 ; fma :2
	v_dual_fmaak_f32 v49, s5, v9, 0x4b400000 :: v_dual_fmaak_f32 v50, s5, v10, 0x4b400000 ; fma :2
	v_dual_fmaak_f32 v51, s5, v11, 0x4b400000 :: v_dual_fmaak_f32 v52, s5, v12, 0x4b400000 ; fma :2
	v_dual_fmaak_f32 v53, s5, v13, 0x4b400000 :: v_dual_fmaak_f32 v54, s5, v14, 0x4b400000 ; fma :2
	v_dual_fmaak_f32 v55, s5, v15, 0x4b400000 :: v_dual_fmaak_f32 v56, s5, v16, 0x4b400000 ; fma :2
	v_dual_fmaak_f32 v57, s5, v25, 0x4b400000 :: v_dual_fmaak_f32 v58, s5, v26, 0x4b400000 ; fma :2
	v_dual_fmaak_f32 v59, s5, v27, 0x4b400000 :: v_dual_fmaak_f32 v60, s5, v28, 0x4b400000 ; fma :2
	v_dual_fmaak_f32 v61, s5, v29, 0x4b400000 :: v_dual_fmaak_f32 v62, s5, v30, 0x4b400000 ; fma :2
	v_dual_fmaak_f32 v63, s5, v31, 0x4b400000 :: v_dual_fmaak_f32 v64, s5, v32, 0x4b400000 ; fma :2
	v_med3_f32 v33, v33, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v34, v34, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v35, v35, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v36, v36, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v37, v37, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v38, v38, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v39, v39, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v40, v40, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v41, v41, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v42, v42, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v43, v43, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v44, v44, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v45, v45, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v46, v46, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v47, v47, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v48, v48, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v49, v49, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v50, v50, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v51, v51, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v52, v52, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v53, v53, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v54, v54, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v55, v55, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v56, v56, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v57, v57, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v58, v58, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v59, v59, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v60, v60, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v61, v61, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v62, v62, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v63, v63, 0x4b3fff68, s6                    ; med3 :2
	v_med3_f32 v64, v64, 0x4b3fff68, s6                    ; med3 :2
	v_dual_sub_f32 v65, 0x4b400000, v33 :: v_dual_sub_f32 v66, 0x4b400000, v34 ; sub :2
	v_dual_sub_f32 v67, 0x4b400000, v35 :: v_dual_sub_f32 v68, 0x4b400000, v36 ; sub :2
	v_dual_sub_f32 v69, 0x4b400000, v37 :: v_dual_sub_f32 v70, 0x4b400000, v38 ; sub :2
	v_dual_sub_f32 v71, 0x4b400000, v39 :: v_dual_sub_f32 v72, 0x4b400000, v40 ; sub :2
	v_dual_sub_f32 v73, 0x4b400000, v41 :: v_dual_sub_f32 v74, 0x4b400000, v42 ; sub :2
	v_dual_sub_f32 v75, 0x4b400000, v43 :: v_dual_sub_f32 v76, 0x4b400000, v44 ; sub :2
	v_dual_sub_f32 v77, 0x4b400000, v45 :: v_dual_sub_f32 v78, 0x4b400000, v46 ; sub :2
	v_dual_sub_f32 v79, 0x4b400000, v47 :: v_dual_sub_f32 v80, 0x4b400000, v48 ; sub :2
	v_dual_sub_f32 v81, 0x4b400000, v49 :: v_dual_sub_f32 v82, 0x4b400000, v50 ; sub :2
	v_sub_f32_e32 v83, 0x4b400000, v51                     ; sub :2
	v_dual_fmac_f32 v65, 0x3fb8aa3b, v1 :: v_dual_fmac_f32 v66, 0x3fb8aa3b, v2 ; fma :2
	v_dual_fmac_f32 v67, 0x3fb8aa3b, v3 :: v_dual_fmac_f32 v68, 0x3fb8aa3b, v4 ; fma :2
	v_dual_fmac_f32 v69, 0x3fb8aa3b, v5 :: v_dual_fmac_f32 v70, 0x3fb8aa3b, v6 ; fma :2
	v_dual_fmac_f32 v71, 0x3fb8aa3b, v7 :: v_dual_fmac_f32 v72, 0x3fb8aa3b, v8 ; fma :2
	v_dual_fmac_f32 v73, 0x3fb8aa3b, v17 :: v_dual_fmac_f32 v74, 0x3fb8aa3b, v18 ; fma :2
	v_dual_fmac_f32 v75, 0x3fb8aa3b, v19 :: v_dual_fmac_f32 v76, 0x3fb8aa3b, v20 ; fma :2
	v_dual_fmac_f32 v77, 0x3fb8aa3b, v21 :: v_dual_fmac_f32 v78, 0x3fb8aa3b, v22 ; fma :2
	v_dual_fmac_f32 v79, 0x3fb8aa3b, v23 :: v_dual_fmac_f32 v80, 0x3fb8aa3b, v24 ; fma :2
	v_dual_fmac_f32 v81, 0x3fb8aa3b, v9 :: v_dual_fmac_f32 v82, 0x3fb8aa3b, v10 ; fma :2
	v_fmac_f32_e32 v83, 0x3fb8aa3b, v11                    ; fma :2
	v_dual_fmac_f32 v65, 0x32a57060, v1 :: v_dual_fmac_f32 v66, 0x32a57060, v2 ; fma :2
	v_dual_sub_f32 v1, 0x4b400000, v52 :: v_dual_sub_f32 v2, 0x4b400000, v53 ; sub :2
	v_dual_fmac_f32 v67, 0x32a57060, v3 :: v_dual_fmac_f32 v68, 0x32a57060, v4 ; fma :2
	v_dual_sub_f32 v3, 0x4b400000, v54 :: v_dual_sub_f32 v4, 0x4b400000, v55 ; sub :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; fma :2
	v_dual_fmac_f32 v1, 0x3fb8aa3b, v12 :: v_dual_fmac_f32 v2, 0x3fb8aa3b, v13 ; fma :2
	v_dual_fmac_f32 v3, 0x3fb8aa3b, v14 :: v_dual_fmac_f32 v4, 0x3fb8aa3b, v15 ; fma :2
	v_dual_fmac_f32 v69, 0x32a57060, v5 :: v_dual_fmac_f32 v70, 0x32a57060, v6 ; fma :2
	v_dual_sub_f32 v5, 0x4b400000, v56 :: v_dual_sub_f32 v6, 0x4b400000, v57 ; sub :2
	v_dual_fmac_f32 v71, 0x32a57060, v7 :: v_dual_fmac_f32 v72, 0x32a57060, v8 ; fma :2
	v_dual_sub_f32 v7, 0x4b400000, v58 :: v_dual_sub_f32 v8, 0x4b400000, v59 ; sub :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; fma :2
	v_dual_fmac_f32 v5, 0x3fb8aa3b, v16 :: v_dual_fmac_f32 v6, 0x3fb8aa3b, v25 ; fma :2
	v_dual_fmac_f32 v7, 0x3fb8aa3b, v26 :: v_dual_fmac_f32 v8, 0x3fb8aa3b, v27 ; fma :2
	v_dual_fmac_f32 v73, 0x32a57060, v17 :: v_dual_fmac_f32 v74, 0x32a57060, v18 ; fma :2
	v_dual_sub_f32 v17, 0x4b400000, v60 :: v_dual_sub_f32 v18, 0x4b400000, v61 ; sub :2
	v_dual_fmac_f32 v75, 0x32a57060, v19 :: v_dual_fmac_f32 v76, 0x32a57060, v20 ; fma :2
	v_dual_sub_f32 v19, 0x4b400000, v62 :: v_dual_sub_f32 v20, 0x4b400000, v63 ; sub :2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2) ; fma :2
	v_dual_fmac_f32 v17, 0x3fb8aa3b, v28 :: v_dual_fmac_f32 v18, 0x3fb8aa3b, v29 ; fma :2
	v_dual_fmac_f32 v19, 0x3fb8aa3b, v30 :: v_dual_fmac_f32 v20, 0x3fb8aa3b, v31 ; fma :2
	v_dual_fmac_f32 v77, 0x32a57060, v21 :: v_dual_fmac_f32 v78, 0x32a57060, v22 ; fma :2
	v_sub_f32_e32 v21, 0x4b400000, v64                     ; sub :2
	v_dual_fmac_f32 v79, 0x32a57060, v23 :: v_dual_fmac_f32 v80, 0x32a57060, v24 ; fma :2
	s_delay_alu instid0(VALU_DEP_2)                        ; fma :2
	v_fmac_f32_e32 v21, 0x3fb8aa3b, v32                    ; fma :2
	v_dual_fmac_f32 v81, 0x32a57060, v9 :: v_dual_fmac_f32 v82, 0x32a57060, v10 ; fma :2
	v_dual_fmac_f32 v83, 0x32a57060, v11 :: v_dual_fmac_f32 v2, 0x32a57060, v13 ; fma :2
	v_dual_fmac_f32 v1, 0x32a57060, v12 :: v_dual_fmac_f32 v4, 0x32a57060, v15 ; fma :2
	v_dual_fmac_f32 v3, 0x32a57060, v14 :: v_dual_fmac_f32 v6, 0x32a57060, v25 ; fma :2
	v_dual_fmac_f32 v5, 0x32a57060, v16 :: v_dual_fmac_f32 v8, 0x32a57060, v27 ; fma :2
	v_dual_fmac_f32 v7, 0x32a57060, v26 :: v_dual_fmac_f32 v18, 0x32a57060, v29 ; fma :2
	v_dual_fmac_f32 v17, 0x32a57060, v28 :: v_dual_fmac_f32 v20, 0x32a57060, v31 ; fma :2
	v_fmac_f32_e32 v19, 0x32a57060, v30                    ; fma :2
	v_fmac_f32_e32 v21, 0x32a57060, v32                    ; fma :2
	v_exp_f32_e32 v10, v65                                 ; hw_exp2 :2
	v_exp_f32_e32 v9, v66                                  ; hw_exp2 :2
	v_exp_f32_e32 v12, v67                                 ; hw_exp2 :2
	v_exp_f32_e32 v11, v68                                 ; hw_exp2 :2
	v_exp_f32_e32 v14, v69                                 ; hw_exp2 :2
	v_exp_f32_e32 v13, v70                                 ; hw_exp2 :2
	v_exp_f32_e32 v16, v71                                 ; hw_exp2 :2
	v_exp_f32_e32 v15, v72                                 ; hw_exp2 :2
	v_exp_f32_e32 v22, v73                                 ; hw_exp2 :2
	v_exp_f32_e32 v23, v74                                 ; hw_exp2 :2
	v_exp_f32_e32 v24, v75                                 ; hw_exp2 :2
	v_exp_f32_e32 v25, v76                                 ; hw_exp2 :2
	v_exp_f32_e32 v26, v77                                 ; hw_exp2 :2
	v_exp_f32_e32 v27, v78                                 ; hw_exp2 :2
	v_exp_f32_e32 v28, v79                                 ; hw_exp2 :2
	v_exp_f32_e32 v29, v80                                 ; hw_exp2 :2
	v_exp_f32_e32 v30, v81                                 ; hw_exp2 :2
	v_exp_f32_e32 v31, v82                                 ; hw_exp2 :2
	v_exp_f32_e32 v32, v83                                 ; hw_exp2 :2
	v_cmp_lt_f32_e64 vcc_lo, |v65|, 0x39000000             ; less :2
	v_cmp_lt_f32_e64 s0, |v66|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s1, |v67|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s5, |v68|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s6, |v69|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s7, |v70|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s8, |v71|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s9, |v72|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s10, |v73|, 0x39000000                ; less :2
	v_cmp_lt_f32_e64 s11, |v74|, 0x39000000                ; less :2
	v_cmp_lt_f32_e64 s12, |v75|, 0x39000000                ; less :2
	v_cmp_lt_f32_e64 s13, |v76|, 0x39000000                ; less :2
	v_cmp_lt_f32_e64 s14, |v77|, 0x39000000                ; less :2
	v_cmp_lt_f32_e64 s15, |v78|, 0x39000000                ; less :2
	v_cmp_lt_f32_e64 s16, |v79|, 0x39000000                ; less :2
	v_cmp_lt_f32_e64 s17, |v80|, 0x39000000                ; less :2
	v_cmp_lt_f32_e64 s18, |v81|, 0x39000000                ; less :2
	v_cmp_lt_f32_e64 s19, |v82|, 0x39000000                ; less :2
	v_cmp_lt_f32_e64 s20, |v83|, 0x39000000                ; less :2
	v_cmp_lt_f32_e64 s21, |v1|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s22, |v2|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s23, |v3|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s24, |v4|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s25, |v5|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s26, |v6|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s27, |v7|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s28, |v8|, 0x39000000                 ; less :2
	v_cmp_lt_f32_e64 s29, |v17|, 0x39000000                ; less :2
	v_cmp_lt_f32_e64 s30, |v18|, 0x39000000                ; less :2
	v_cmp_lt_f32_e64 s31, |v19|, 0x39000000                ; less :2
	v_cmp_lt_f32_e64 s32, |v20|, 0x39000000                ; less :2
	v_cmp_lt_f32_e64 s33, |v21|, 0x39000000                ; less :2
	v_subrev_nc_u32_e32 v33, 0x4b400000, v33               ; sub :2
	v_subrev_nc_u32_e32 v34, 0x4b400000, v34               ; sub :2
	v_subrev_nc_u32_e32 v35, 0x4b400000, v35               ; sub :2
	v_subrev_nc_u32_e32 v36, 0x4b400000, v36               ; sub :2
	v_subrev_nc_u32_e32 v37, 0x4b400000, v37               ; sub :2
	v_subrev_nc_u32_e32 v38, 0x4b400000, v38               ; sub :2
	v_subrev_nc_u32_e32 v39, 0x4b400000, v39               ; sub :2
	v_subrev_nc_u32_e32 v40, 0x4b400000, v40               ; sub :2
	v_subrev_nc_u32_e32 v41, 0x4b400000, v41               ; sub :2
	v_subrev_nc_u32_e32 v42, 0x4b400000, v42               ; sub :2
	v_subrev_nc_u32_e32 v43, 0x4b400000, v43               ; sub :2
	v_subrev_nc_u32_e32 v44, 0x4b400000, v44               ; sub :2
	v_subrev_nc_u32_e32 v45, 0x4b400000, v45               ; sub :2
	v_subrev_nc_u32_e32 v46, 0x4b400000, v46               ; sub :2
	v_subrev_nc_u32_e32 v47, 0x4b400000, v47               ; sub :2
	v_subrev_nc_u32_e32 v48, 0x4b400000, v48               ; sub :2
	v_subrev_nc_u32_e32 v49, 0x4b400000, v49               ; sub :2
	v_subrev_nc_u32_e32 v50, 0x4b400000, v50               ; sub :2
	v_subrev_nc_u32_e32 v51, 0x4b400000, v51               ; sub :2
	v_subrev_nc_u32_e32 v52, 0x4b400000, v52               ; sub :2
	v_subrev_nc_u32_e32 v53, 0x4b400000, v53               ; sub :2
	v_subrev_nc_u32_e32 v54, 0x4b400000, v54               ; sub :2
	v_subrev_nc_u32_e32 v55, 0x4b400000, v55               ; sub :2
	v_subrev_nc_u32_e32 v56, 0x4b400000, v56               ; sub :2
	v_subrev_nc_u32_e32 v57, 0x4b400000, v57               ; sub :2
	v_subrev_nc_u32_e32 v58, 0x4b400000, v58               ; sub :2
	v_subrev_nc_u32_e32 v59, 0x4b400000, v59               ; sub :2
	v_subrev_nc_u32_e32 v60, 0x4b400000, v60               ; sub :2
	v_subrev_nc_u32_e32 v61, 0x4b400000, v61               ; sub :2
	v_subrev_nc_u32_e32 v62, 0x4b400000, v62               ; sub :2
	v_subrev_nc_u32_e32 v63, 0x4b400000, v63               ; sub :2
	v_subrev_nc_u32_e32 v64, 0x4b400000, v64               ; sub :2
	v_dual_fmaak_f32 v65, s4, v65, 0x3f800000 :: v_dual_fmaak_f32 v66, s4, v66, 0x3f800000 ; fma :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_1) ; where :2
	v_cndmask_b32_e32 v10, v10, v65, vcc_lo                ; where :2
	v_exp_f32_e32 v65, v1                                  ; hw_exp2 :2
	v_ldexp_f32 v10, v10, v33                              ; ldexp :2
	v_exp_f32_e32 v33, v2                                  ; hw_exp2 :2
	v_cndmask_b32_e64 v9, v9, v66, s0                      ; where :2
	v_exp_f32_e32 v66, v3                                  ; hw_exp2 :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_2) | instid1(VALU_DEP_1) ; ldexp :2
	v_ldexp_f32 v9, v9, v34                                ; ldexp :2
	v_exp_f32_e32 v34, v4                                  ; hw_exp2 :2
	v_dual_fmaak_f32 v67, s4, v67, 0x3f800000 :: v_dual_fmaak_f32 v68, s4, v68, 0x3f800000 ; fma :2
	v_cndmask_b32_e64 v12, v12, v67, s1                    ; where :2
	v_exp_f32_e32 v67, v5                                  ; hw_exp2 :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_3) | instid1(VALU_DEP_1) ; ldexp :2
	v_ldexp_f32 v12, v12, v35                              ; ldexp :2
	v_exp_f32_e32 v35, v6                                  ; hw_exp2 :2
	v_cndmask_b32_e64 v11, v11, v68, s5                    ; where :2
	v_exp_f32_e32 v68, v7                                  ; hw_exp2 :2
	v_ldexp_f32 v11, v11, v36                              ; ldexp :2
	v_exp_f32_e32 v36, v8                                  ; hw_exp2 :2
	v_dual_fmaak_f32 v69, s4, v69, 0x3f800000 :: v_dual_fmaak_f32 v70, s4, v70, 0x3f800000 ; fma :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_1) ; where :2
	v_cndmask_b32_e64 v14, v14, v69, s6                    ; where :2
	v_exp_f32_e32 v69, v17                                 ; hw_exp2 :2
	v_ldexp_f32 v14, v14, v37                              ; ldexp :2
	v_exp_f32_e32 v37, v18                                 ; hw_exp2 :2
	v_cndmask_b32_e64 v13, v13, v70, s7                    ; where :2
	v_exp_f32_e32 v70, v19                                 ; hw_exp2 :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_2) | instid1(VALU_DEP_1) ; ldexp :2
	v_ldexp_f32 v13, v13, v38                              ; ldexp :2
	v_exp_f32_e32 v38, v20                                 ; hw_exp2 :2
	v_dual_fmaak_f32 v71, s4, v71, 0x3f800000 :: v_dual_fmaak_f32 v72, s4, v72, 0x3f800000 ; fma :2
	v_cndmask_b32_e64 v16, v16, v71, s8                    ; where :2
	v_exp_f32_e32 v71, v21                                 ; hw_exp2 :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_3) | instid1(VALU_DEP_4) ; ldexp :2
	v_ldexp_f32 v39, v16, v39                              ; ldexp :2
	v_dual_fmaak_f32 v16, s4, v73, 0x3f800000 :: v_dual_fmaak_f32 v73, s4, v75, 0x3f800000 ; fma :2
	v_cndmask_b32_e64 v15, v15, v72, s9                    ; where :2
	v_dual_fmaak_f32 v72, s4, v74, 0x3f800000 :: v_dual_fmaak_f32 v77, s4, v77, 0x3f800000 ; fma :2
	v_add_f32_e32 v74, v12, v39                            ; add :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_1) | instid1(VALU_DEP_4) ; where :2
	v_cndmask_b32_e64 v75, v22, v16, s10                   ; where :2
	v_fma_f32 v16, v76, s4, 1.0                            ; fma :2
	v_cndmask_b32_e64 v22, v23, v72, s11                   ; where :2
	v_dual_fmaak_f32 v23, s4, v78, 0x3f800000 :: v_dual_fmaak_f32 v72, s4, v79, 0x3f800000 ; fma :2
	v_cndmask_b32_e64 v73, v24, v73, s12                   ; where :2
	v_dual_fmaak_f32 v24, s4, v80, 0x3f800000 :: v_dual_fmaak_f32 v79, s4, v81, 0x3f800000 ; fma :2
	v_cndmask_b32_e64 v16, v25, v16, s13                   ; where :2
	v_dual_fmaak_f32 v25, s4, v82, 0x3f800000 :: v_dual_fmaak_f32 v76, s4, v83, 0x3f800000 ; fma :2
	v_cndmask_b32_e64 v77, v26, v77, s14                   ; where :2
	v_dual_fmaak_f32 v26, s4, v1, 0x3f800000 :: v_dual_fmaak_f32 v1, s4, v2, 0x3f800000 ; fma :2
	v_cndmask_b32_e64 v2, v27, v23, s15                    ; where :2
	v_dual_fmaak_f32 v3, s4, v3, 0x3f800000 :: v_dual_fmaak_f32 v4, s4, v4, 0x3f800000 ; fma :2
	v_cndmask_b32_e64 v23, v28, v72, s16                   ; where :2
	v_dual_fmaak_f32 v28, s4, v5, 0x3f800000 :: v_dual_fmaak_f32 v5, s4, v6, 0x3f800000 ; fma :2
	v_cndmask_b32_e64 v6, v29, v24, s17                    ; where :2
	v_dual_fmaak_f32 v7, s4, v7, 0x3f800000 :: v_dual_fmaak_f32 v8, s4, v8, 0x3f800000 ; fma :2
	v_cndmask_b32_e64 v27, v30, v79, s18                   ; where :2
	v_dual_fmaak_f32 v24, s4, v17, 0x3f800000 :: v_dual_fmaak_f32 v17, s4, v18, 0x3f800000 ; fma :2
	v_cndmask_b32_e64 v18, v31, v25, s19                   ; where :2
	v_dual_fmaak_f32 v19, s4, v19, 0x3f800000 :: v_dual_fmaak_f32 v20, s4, v20, 0x3f800000 ; fma :2
	v_cndmask_b32_e64 v25, v32, v76, s20                   ; where :2
	v_fma_f32 v30, v21, s4, 1.0                            ; fma :2
	v_cndmask_b32_e64 v21, v65, v26, s21                   ; where :2
	v_cndmask_b32_e64 v26, v33, v1, s22                    ; where :2
	v_cndmask_b32_e64 v1, v66, v3, s23                     ; where :2
	v_cndmask_b32_e64 v4, v34, v4, s24                     ; where :2
	v_cndmask_b32_e64 v3, v67, v28, s25                    ; where :2
	v_cndmask_b32_e64 v28, v35, v5, s26                    ; where :2
	v_cndmask_b32_e64 v5, v68, v7, s27                     ; where :2
	v_cndmask_b32_e64 v8, v36, v8, s28                     ; where :2
	v_cndmask_b32_e64 v7, v69, v24, s29                    ; where :2
	v_cndmask_b32_e64 v24, v37, v17, s30                   ; where :2
	v_cndmask_b32_e64 v17, v70, v19, s31                   ; where :2
	v_cndmask_b32_e64 v20, v38, v20, s32                   ; where :2
	v_cndmask_b32_e64 v19, v71, v30, s33                   ; where :2
	v_ldexp_f32 v30, v15, v40                              ; ldexp :2
	v_ldexp_f32 v15, v75, v41                              ; ldexp :2
	v_ldexp_f32 v22, v22, v42                              ; ldexp :2
	v_ldexp_f32 v29, v73, v43                              ; ldexp :2
	v_ldexp_f32 v16, v16, v44                              ; ldexp :2
	v_ldexp_f32 v31, v77, v45                              ; ldexp :2
	v_ldexp_f32 v2, v2, v46                                ; ldexp :2
	v_ldexp_f32 v23, v23, v47                              ; ldexp :2
	v_ldexp_f32 v6, v6, v48                                ; ldexp :2
	v_ldexp_f32 v27, v27, v49                              ; ldexp :2
	v_ldexp_f32 v18, v18, v50                              ; ldexp :2
	v_ldexp_f32 v25, v25, v51                              ; ldexp :2
	v_ldexp_f32 v32, v21, v52                              ; ldexp :2
	v_ldexp_f32 v21, v26, v53                              ; ldexp :2
	v_ldexp_f32 v26, v1, v54                               ; ldexp :2
	v_ldexp_f32 v1, v4, v55                                ; ldexp :2
	v_ldexp_f32 v4, v3, v56                                ; ldexp :2
	v_ldexp_f32 v3, v28, v57                               ; ldexp :2
	v_ldexp_f32 v28, v5, v58                               ; ldexp :2
	v_ldexp_f32 v5, v8, v59                                ; ldexp :2
	v_ldexp_f32 v8, v7, v60                                ; ldexp :2
	v_ldexp_f32 v7, v24, v61                               ; ldexp :2
	v_ldexp_f32 v24, v17, v62                              ; ldexp :2
	v_ldexp_f32 v17, v20, v63                              ; ldexp :2
	v_ldexp_f32 v20, v19, v64                              ; ldexp :2
	v_dual_add_f32 v19, v10, v14 :: v_dual_add_f32 v34, v9, v13 ; add :2
	v_dual_add_f32 v33, v11, v30 :: v_dual_add_f32 v38, v29, v23 ; add :2
	v_dual_add_f32 v36, v15, v31 :: v_dual_add_f32 v35, v22, v2 ; add :2
	v_dual_add_f32 v37, v16, v6 :: v_dual_add_f32 v40, v27, v21 ; add :2
	v_dual_add_f32 v41, v18, v26 :: v_dual_add_f32 v42, v25, v1 ; add :2
	v_dual_add_f32 v43, v32, v4 :: v_dual_add_f32 v44, v3, v7 ; add :2
	v_dual_add_f32 v45, v28, v24 :: v_dual_add_f32 v46, v5, v17 ; add :2
	v_add_f32_e32 v47, v8, v20                             ; add :2
	v_dual_add_f32 v36, v19, v36 :: v_dual_add_f32 v19, v34, v35 ; add :2
	v_dual_add_f32 v34, v74, v38 :: v_dual_add_f32 v33, v33, v37 ; add :2
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4) ; add :2
	v_dual_add_f32 v38, v40, v44 :: v_dual_add_f32 v35, v41, v45 ; add :2
	v_dual_add_f32 v40, v42, v46 :: v_dual_add_f32 v37, v43, v47 ; add :2
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2) ; add :2
	v_dual_add_f32 v36, v36, v38 :: v_dual_add_f32 v19, v19, v35 ; add :2
	v_dual_add_f32 v34, v34, v40 :: v_dual_add_f32 v33, v33, v37 ; add :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; add :2
	v_dual_add_f32 v36, v36, v19 :: v_dual_add_f32 v19, v34, v33 ; add :2
	v_add_f32_e32 v34, v36, v19                            ; add :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_add_f32_dpp v34, v34, v34 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_add_f32_dpp v34, v34, v34 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_add_f32_dpp v34, v34, v34 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_add_f32_dpp v34, v34, v34 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_permlanex16_b32 v19, v34, 0, 0 op_sel:[0,1]          ; dpp_reduce :2
	v_add_f32_e32 v34, v34, v19                            ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_2) ; frexp_mantissa :2
	v_frexp_mant_f32_e32 v19, v34                          ; frexp_mantissa :2
	v_frexp_exp_i32_f32_e32 v36, v34                       ; frexp_exponent :2
	v_rcp_f32_e32 v33, v19                                 ; hw_rcp :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_2) | instid1(VALU_DEP_1) ; sub :2
	v_sub_nc_u32_e32 v36, 0, v36                           ; sub :2
	s_waitcnt_depctr depctr_va_vdst(0)                     ; transcendental result read by VALU too early: v33 of v_rcp_f32_e32
	v_fma_f32 v19, -v19, v33, 1.0                          ; fma :2
	v_fmac_f32_e32 v33, v19, v33                           ; fma :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; ldexp :2
	v_ldexp_f32 v36, v33, v36                              ; ldexp :2
	v_div_fixup_f32 v19, v36, v34, 1.0                     ; div_fixup :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; lane_shuffle :2
	v_readlane_b32 s0, v19, 31                             ; lane_shuffle :2
	v_dual_mul_f32 v33, s0, v10 :: v_dual_mul_f32 v34, s0, v9 ; mul :2
	v_dual_mul_f32 v35, s0, v12 :: v_dual_mul_f32 v36, s0, v11 ; mul :2
	v_dual_mul_f32 v9, s0, v14 :: v_dual_mul_f32 v10, s0, v13 ; mul :2
	v_dual_mul_f32 v11, s0, v39 :: v_dual_mul_f32 v12, s0, v30 ; mul :2
	v_dual_mul_f32 v13, s0, v15 :: v_dual_mul_f32 v14, s0, v22 ; mul :2
	v_dual_mul_f32 v15, s0, v29 :: v_dual_mul_f32 v16, s0, v16 ; mul :2
	v_dual_mul_f32 v37, s0, v31 :: v_dual_mul_f32 v38, s0, v2 ; mul :2
	v_dual_mul_f32 v39, s0, v23 :: v_dual_mul_f32 v40, s0, v6 ; mul :2
	v_dual_mul_f32 v29, s0, v27 :: v_dual_mul_f32 v30, s0, v18 ; mul :2
	v_dual_mul_f32 v31, s0, v25 :: v_dual_mul_f32 v32, s0, v32 ; mul :2
	v_dual_mul_f32 v41, s0, v21 :: v_dual_mul_f32 v42, s0, v26 ; mul :2
	v_dual_mul_f32 v43, s0, v1 :: v_dual_mul_f32 v44, s0, v4 ; mul :2
	v_dual_mul_f32 v1, s0, v3 :: v_dual_mul_f32 v2, s0, v28 ; mul :2
	v_dual_mul_f32 v3, s0, v5 :: v_dual_mul_f32 v4, s0, v8 ; mul :2
	v_dual_mul_f32 v5, s0, v7 :: v_dual_mul_f32 v6, s0, v24 ; mul :2
	v_dual_mul_f32 v7, s0, v17 :: v_dual_mul_f32 v8, s0, v20 ; mul :2
	.loc	1 3 1
	s_clause 0x7                                           ; vector_store :3
	global_store_b128 v0, v[33:36], s[2:3]                 ; vector_store :3
	global_store_b128 v0, v[9:12], s[2:3] offset:512       ; vector_store :3
	global_store_b128 v0, v[13:16], s[2:3] offset:1024     ; vector_store :3
	global_store_b128 v0, v[37:40], s[2:3] offset:1536     ; vector_store :3
	global_store_b128 v0, v[29:32], s[2:3] offset:2048     ; vector_store :3
	global_store_b128 v0, v[41:44], s[2:3] offset:2560     ; vector_store :3
	global_store_b128 v0, v[1:4], s[2:3] offset:3072       ; vector_store :3
	global_store_b128 v0, v[5:8], s[2:3] offset:3584       ; vector_store :3
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
		.amdhsa_next_free_vgpr 84
		.amdhsa_next_free_sgpr 34
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_workgroup_processor_mode 1
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 0
		.amdhsa_inst_pref_size 29
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
    .sgpr_count: 36
    .vgpr_count: 84
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
