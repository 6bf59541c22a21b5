	.amdgcn_target "amdgcn-amd-amdhsa--gfx1201"
	.amdhsa_code_object_version 5
	.text
	.file	1 "<text>.gen"
	.protected	_text_
	.globl	_text_
	.p2align	8
	.type	_text_,@function
_text_:
	s_load_b256 s[4:11], s[0:1], 0x0
	s_load_b64 s[0:1], s[0:1], 0x20
	v_cmp_gt_u32_e32 vcc_lo, 63, v0                        ; if
	s_and_b32 exec_lo, exec_lo, vcc_lo                     ; if
	s_cbranch_execz .L_text_.end                           ; if
	.loc	1 2 5
	v_mul_u32_u24_e32 v1, 57, v0                           ; multiple :2
	v_lshlrev_b32_e32 v0, 2, v0                            ; multiple :2
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_1) ; shift_right :2
	v_lshrrev_b32_e32 v1, 9, v1                            ; shift_right :2
	v_mad_i32_i24 v0, v1, 0xffffffdc, v0                   ; multiple :2
	v_mul_u32_u24_e32 v2, 0x84, v1                         ; vector_load :2
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_1) ; min :2
	v_min_u32_e32 v0, 29, v0                               ; min :2
	v_lshl_add_u32 v2, v0, 2, v2                           ; vector_load :2
	.loc	1 3 5
	v_lshlrev_b32_e32 v3, 2, v0                            ; vector_load :3
	.loc	1 4 5
	s_wait_kmcnt 0x0                                       ; load :4, kmcnt: s_load_b256
	global_load_u8 v4, v1, s[8:9]                          ; load :4
	.loc	1 8 1
	v_mad_u32_u24 v1, 33, v1, v0                           ; vector_store :8
	.loc	1 2 5
	global_load_b128 v[5:8], v2, s[4:5]                    ; vector_load :2
	.loc	1 3 5
	global_load_b128 v[9:12], v3, s[6:7]                   ; vector_load :3
	.loc	1 6 1
	s_wait_loadcnt 0x0                                     ; splat :6, loadcnt: global_load_u8, <text>.gen:4:5; loadcnt: global_load_b128, <text>.gen:3:5
	v_cmp_ne_u32_e32 vcc_lo, 0, v4                         ; splat :6
	.loc	1 5 1
	v_cmp_lt_f32_e64 s2, v5, v9                            ; less :5
	v_cmp_lt_f32_e64 s3, v6, v10                           ; less :5
	v_cmp_lt_f32_e64 s4, v7, v11                           ; less :5
	v_cmp_lt_f32_e64 s5, v8, v12                           ; less :5
	.loc	1 6 1
	s_and_b32 s2, s2, vcc_lo                               ; logical_and :6
	s_and_b32 s3, s3, vcc_lo                               ; logical_and :6
	s_and_b32 s4, s4, vcc_lo                               ; logical_and :6
	s_and_b32 vcc_lo, s5, vcc_lo                           ; logical_and :6
	.loc	1 8 1
	v_cndmask_b32_e64 v0, 0, 1, s2                         ; vector_store :8
	v_cndmask_b32_e64 v3, 0, 0x100, s3                     ; vector_store :8
	v_cndmask_b32_e64 v4, 0, 0x10000, s4                   ; vector_store :8
	v_cndmask_b32_e64 v13, 0, 0x1000000, vcc_lo            ; vector_store :8
	.loc	1 7 1
	v_cndmask_b32_e64 v5, v9, v5, s2                       ; where :7
	v_cndmask_b32_e64 v6, v10, v6, s3                      ; where :7
	v_cndmask_b32_e64 v7, v11, v7, s4                      ; where :7
	.loc	1 8 1
	v_or3_b32 v0, v0, v3, v4                               ; vector_store :8
	.loc	1 7 1
	v_cndmask_b32_e32 v8, v12, v8, vcc_lo                  ; where :7
	.loc	1 8 1
	s_delay_alu instid0(VALU_DEP_2)                        ; vector_store :8
	v_or_b32_e32 v3, v0, v13                               ; vector_store :8
	global_store_b128 v2, v[5:8], s[10:11]                 ; vector_store :8
	global_store_b32 v1, v3, s[0:1]                        ; vector_store :8
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
		.amdhsa_kernarg_size 40
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_wavefront_size32 1
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 0
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 14
		.amdhsa_next_free_sgpr 12
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_workgroup_processor_mode 1
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_inst_pref_size 3
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
    .kernarg_segment_size: 40
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 32
    .sgpr_count: 14
    .vgpr_count: 14
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 64
    .reqd_workgroup_size:
      - 64
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
      - .name: "y"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: read_only
      - .name: "m"
        .offset: 16
        .size: 8
        .value_kind: global_buffer
        .type_name: "bool"
        .address_space: global
        .actual_access: read_only
      - .name: "r"
        .offset: 24
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
      - .name: "k"
        .offset: 32
        .size: 8
        .value_kind: global_buffer
        .type_name: "bool"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
