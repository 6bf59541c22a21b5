	.amdgcn_target "amdgcn-amd-amdhsa--gfx1201"
	.amdhsa_code_object_version 5
	.text
	.file	1 "<text>.gen"
	.protected	_text_
	.globl	_text_
	.p2align	8
	.type	_text_,@function
_text_:
	s_load_b32 s2, s[0:1], 0x20
	s_load_b64 s[4:5], s[0:1], 0x0
	s_load_b64 s[0:1], s[0:1], 0x18
	v_lshl_add_u32 v1, ttmp9, 8, v0                        ; add
	s_wait_kmcnt 0x0                                       ; sub, kmcnt: s_load_b32
	s_sub_co_u32 s3, 0x3fffffff, s2                        ; sub
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1) ; min
	s_min_u32 s3, s3, 0x3ffffffd                           ; min
	s_add_co_u32 s3, s3, 0xc0000001                        ; sub
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1) ; sub
	s_sub_co_u32 s6, 0, s3                                 ; sub
	s_lshr_b32 s7, s6, 2                                   ; shift_right
	s_delay_alu instid0(SALU_CYCLE_1)                      ; if
	v_cmp_gt_u32_e32 vcc_lo, s7, v1                        ; if
	s_and_saveexec_b32 s8, vcc_lo                          ; if
	s_cbranch_execz .L_text_.join                          ; if
	.loc	1 1 6
	v_lshlrev_b32_e32 v2, 2, v0                            ; multiple :1
	s_add_co_u32 s9, s2, s3                                ; add :1
	s_lshl_b32 s10, ttmp9, 10                              ; add :1
	v_lshlrev_b32_e32 v3, 2, v1                            ; multiple :1
	s_sub_co_u32 s11, 0, s2                                ; sub :1
	v_add3_u32 v4, s10, s9, v2                             ; add :1
	s_lshl2_add_u32 s12, s2, -4                            ; load :1
	s_lshl_b32 s13, ttmp9, 12                              ; load :1
	s_add_co_u32 s11, s6, s11                              ; sub :1
	s_add_co_u32 s12, s13, s12                             ; load :1
	v_add_nc_u32_e32 v5, 1, v4                             ; add :1
	s_wait_alu depctr_sa_sdst(0)                           ; SGPR read by VALU, written by SALU, read: s11 of s_add_co_u32
	v_cmp_lt_u32_e64 vcc_lo, v3, s11                       ; less :1
	v_lshl_add_u32 v2, v2, 2, s12                          ; load :1
	v_lshlrev_b32_e32 v4, 2, v4                            ; load :1
	.loc	1 6 1
	s_mov_b32 s13, 0                                       ; where :6
	.loc	1 1 6
	v_cmp_lt_u32_e64 s14, 0, v5                            ; less :1
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_1) | instid1(VALU_DEP_3) ; load :1
	v_dual_cndmask_b32 v2, 0, v2 :: v_dual_lshlrev_b32 v5, 2, v5 ; load :1
	.loc	1 7 1
	v_lshlrev_b32_e32 v3, 2, v3                            ; vector_store :7
	.loc	1 1 6
	v_cndmask_b32_e64 v4, 0, v4, s14                       ; load :1
	s_clause 0x3                                           ; load :1
	global_load_b32 v6, v5, s[4:5]                         ; load :1
	global_load_b32 v2, v2, s[4:5]                         ; load :1
	global_load_b64 v[7:8], v5, s[4:5] offset:4            ; vector_load :1
	global_load_b32 v5, v4, s[4:5]                         ; load :1
	.loc	1 6 1
	s_wait_loadcnt 0x0                                     ; where :6, loadcnt: global_load_b32, <text>.gen:1:6; loadcnt: global_load_b32, <text>.gen:1:6; loadcnt: global_load_b64, <text>.gen:1:6; loadcnt: global_load_b32, <text>.gen:1:6
	s_wait_alu depctr_sa_sdst(0)                           ; SGPR read by VALU, written by SALU, read: s13 of s_mov_b32
	v_cndmask_b32_e64 v6, v6, 0, s13                       ; where :6
	.loc	1 1 6
	v_cndmask_b32_e32 v2, 0, v2, vcc_lo                    ; where :1
	.loc	1 6 1
	v_cndmask_b32_e64 v7, v7, 0, s13                       ; where :6
	v_cndmask_b32_e64 v8, v8, 0, s13                       ; where :6
	.loc	1 1 6
	v_cndmask_b32_e64 v5, 0, v5, s14                       ; where :1
	.loc	1 6 1
	s_delay_alu instid0(VALU_DEP_1)                        ; where :6
	v_cndmask_b32_e32 v5, v5, v2, vcc_lo                   ; where :6
	.loc	1 7 1
	global_store_b128 v3, v[5:8], s[0:1]                   ; vector_store :7
.L_text_.join:
	s_mov_b32 exec_lo, s8
	s_and_b32 s8, s6, 3                                    ; bitwise_and
	s_wait_alu depctr_sa_sdst(0)                           ; SGPR read by VALU, written by SALU, read: s8 of s_and_b32
	v_cmp_gt_u32_e32 vcc_lo, s8, v1                        ; if
	s_and_b32 exec_lo, exec_lo, vcc_lo                     ; if
	s_cbranch_execz .L_text_.end                           ; if
	.loc	1 1 6
	s_lshl_b32 s15, s7, 2                                  ; multiple :1
	s_add_co_u32 s3, s2, s3                                ; add :1
	s_wait_alu depctr_sa_sdst(0)                           ; SGPR read by VALU, written by SALU, read: s15 of s_lshl_b32
	v_add_nc_u32_e32 v1, s15, v0                           ; add :1
	v_add3_u32 v2, s15, s3, v0                             ; add :1
	s_sub_co_u32 s16, 0, s2                                ; sub :1
	s_lshl2_add_u32 s2, s2, -4                             ; load :1
	s_add_co_u32 s6, s6, s16                               ; sub :1
	s_wait_alu depctr_sa_sdst(0)                           ; SGPR read by VALU, written by SALU, read: s2 of s_lshl2_add_u32
	s_lshl2_add_u32 s2, s15, s2                            ; load :1
	v_add_nc_u32_e32 v3, 1, v2                             ; add :1
	v_cmp_lt_u32_e64 vcc_lo, v1, s6                        ; less :1
	s_wait_alu depctr_sa_sdst(0)                           ; SGPR read by VALU, written by SALU, read: s2 of s_lshl2_add_u32
	v_lshl_add_u32 v4, v0, 2, s2                           ; load :1
	v_lshlrev_b32_e32 v5, 2, v2                            ; load :1
	s_wait_alu depctr_va_vcc(0)                            ; VCC read by VALU, written by VALU, read by VALU: vcc of v_cmp_lt_u32_e64
	.loc	1 7 1
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_1) ; store :7
	v_dual_cndmask_b32 v1, 0, v4 :: v_dual_lshlrev_b32 v2, 2, v1 ; store :7
	.loc	1 1 6
	v_cmp_lt_u32_e64 s16, 0, v3                            ; less :1
	v_cndmask_b32_e64 v4, 0, v5, s16                       ; load :1
	s_clause 0x1                                           ; load :1
	global_load_b32 v1, v1, s[4:5]                         ; load :1
	global_load_b32 v4, v4, s[4:5]                         ; load :1
	s_wait_loadcnt 0x0                                     ; where :1, loadcnt: global_load_b32, <text>.gen:1:6; loadcnt: global_load_b32, <text>.gen:1:6
	v_cndmask_b32_e32 v1, 0, v1, vcc_lo                    ; where :1
	v_cndmask_b32_e64 v4, 0, v4, s16                       ; where :1
	.loc	1 6 1
	s_delay_alu instid0(VALU_DEP_1)                        ; where :6
	v_cndmask_b32_e32 v1, v4, v1, vcc_lo                   ; where :6
	.loc	1 7 1
	global_store_b32 v2, v1, s[0:1]                        ; store :7
.L_text_.end:
	s_endpgm
.L_text_.end.of.code:
	.size	_text_, .L_text_.end.of.code-_text_
	.p2alignl	7, 0xbf9f0000
	.fill	96, 4, 0xbf9f0000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel _text_
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 36
		.amdhsa_user_sgpr_count 2
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
		.amdhsa_next_free_vgpr 9
		.amdhsa_next_free_sgpr 17
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_workgroup_processor_mode 1
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_inst_pref_size 4
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.target: amdgcn-amd-amdhsa--gfx1201
amdhsa.kernels:
  - .name: _text_
    .symbol: _text_.kd
    .kernarg_segment_size: 36
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 32
    .sgpr_count: 19
    .vgpr_count: 9
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 256
    .reqd_workgroup_size:
      - 256
      - 1
      - 1
    .args:
      - .name: "arg0"
        .offset: 0
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: read_only
      - .name: "arg1"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: read_only
      - .name: "arg2"
        .offset: 16
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: read_only
      - .name: "v5"
        .offset: 24
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
      - .name: "n"
        .offset: 32
        .size: 4
        .value_kind: by_value
        .type_name: "u32"
...
	.end_amdgpu_metadata
