	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "<text>.gen"
	.protected	_text_
	.globl	_text_
	.p2align	8
	.type	_text_,@function
_text_:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx8 s[4:11], s[0:1], 0x8                    ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .L_text_.entry
	.p2align	8
.L_text_.entry:
	v_cmp_gt_u32_e32 vcc, 63, v0                           ; if
	s_and_b64 exec, exec, vcc                              ; if
	s_cbranch_execz .L_text_.end                           ; if
	.loc	1 2 5
	v_mul_u32_u24_e32 v1, 57, v0                           ; multiple :2
	v_lshrrev_b32_e32 v1, 9, v1                            ; shift_right :2
	v_lshlrev_b32_e32 v0, 2, v0                            ; multiple :2
	s_movk_i32 s0, 0xffdc                                  ; multiple :2
	v_mad_i32_i24 v0, v1, s0, v0                           ; multiple :2
	v_min_u32_e32 v0, 29, v0                               ; min :2
	v_mul_u32_u24_e32 v2, 0x84, v1                         ; vector_load :2
	v_lshl_add_u32 v2, v0, 2, v2                           ; vector_load :2
	.loc	1 3 5
	v_lshlrev_b32_e32 v3, 2, v0                            ; vector_load :3
	.loc	1 2 5
	global_load_dwordx4 v[4:7], v2, s[2:3]                 ; vector_load :2
	.loc	1 3 5
	global_load_dwordx4 v[8:11], v3, s[4:5]                ; vector_load :3
	.loc	1 8 1
	v_mov_b32_e32 v12, 0x100                               ; vector_store :8
	.loc	1 4 5
	global_load_ubyte v3, v1, s[6:7]                       ; load :4
	.loc	1 8 1
	v_mov_b32_e32 v13, 0x10000                             ; vector_store :8
	v_mov_b32_e32 v14, 0x1000000                           ; vector_store :8
	v_mad_u32_u24 v0, 33, v1, v0                           ; vector_store :8
	.loc	1 5 1
	s_waitcnt vmcnt(1)                                     ; less :5, vmcnt: global_load_dwordx4, <text>.gen:3:5
	v_cmp_lt_f32_e32 vcc, v4, v8                           ; less :5
	v_cmp_lt_f32_e64 s[0:1], v5, v9                        ; less :5
	v_cmp_lt_f32_e64 s[2:3], v6, v10                       ; less :5
	.loc	1 6 1
	s_waitcnt vmcnt(0)                                     ; splat :6, vmcnt: global_load_ubyte, <text>.gen:4:5
	v_cmp_ne_u32_e64 s[4:5], 0, v3                         ; splat :6
	.loc	1 5 1
	v_cmp_lt_f32_e64 s[6:7], v7, v11                       ; less :5
	.loc	1 6 1
	s_and_b64 vcc, vcc, s[4:5]                             ; logical_and :6
	s_and_b64 s[0:1], s[0:1], s[4:5]                       ; logical_and :6
	s_and_b64 s[2:3], s[2:3], s[4:5]                       ; logical_and :6
	s_and_b64 s[4:5], s[6:7], s[4:5]                       ; logical_and :6
	.loc	1 8 1
	v_cndmask_b32_e64 v1, 0, 1, vcc                        ; vector_store :8
	v_cndmask_b32_e64 v3, 0, v12, s[0:1]                   ; vector_store :8
	v_cndmask_b32_e64 v12, 0, v13, s[2:3]                  ; vector_store :8
	v_cndmask_b32_e64 v13, 0, v14, s[4:5]                  ; vector_store :8
	v_or3_b32 v1, v1, v3, v12                              ; vector_store :8
	.loc	1 7 1
	v_cndmask_b32_e32 v4, v8, v4, vcc                      ; where :7
	v_cndmask_b32_e64 v5, v9, v5, s[0:1]                   ; where :7
	v_cndmask_b32_e64 v6, v10, v6, s[2:3]                  ; where :7
	v_cndmask_b32_e64 v7, v11, v7, s[4:5]                  ; where :7
	.loc	1 8 1
	v_or_b32_e32 v1, v1, v13                               ; vector_store :8
	global_store_dwordx4 v2, v[4:7], s[8:9]                ; vector_store :8
	global_store_dword v0, v1, s[10:11]                    ; vector_store :8
.L_text_.end:
	s_endpgm
.L_text_.end.of.code:
	.size	_text_, .L_text_.end.of.code-_text_
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel _text_
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 40
		.amdhsa_user_sgpr_count 12
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_user_sgpr_kernarg_preload_length 10
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 0
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 15
		.amdhsa_next_free_sgpr 12
		.amdhsa_accum_offset 16
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
  - .name: _text_
    .symbol: _text_.kd
    .kernarg_segment_size: 40
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 18
    .vgpr_count: 15
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
