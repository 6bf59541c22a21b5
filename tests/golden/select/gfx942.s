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
	v_cmp_gt_u32_e32 vcc, 58, v0                           ; if
	s_and_b64 exec, exec, vcc                              ; if
	s_cbranch_execz .L_text_.end                           ; if
	.loc	1 2 5
	v_lshlrev_b32_e32 v0, 2, v0                            ; multiple :2
	v_min_u32_e32 v0, 0xe3, v0                             ; min :2
	.loc	1 3 5
	s_mov_b32 s0, 0x3e0f83e1                               ; multiply_high :3
	v_mul_hi_u32 v1, v0, s0                                ; multiply_high :3
	v_lshrrev_b32_e32 v1, 3, v1                            ; shift_right :3
	v_mul_u32_u24_e32 v2, 33, v1                           ; multiple :3
	v_sub_u32_e32 v2, v0, v2                               ; sub :3
	.loc	1 4 5
	v_cmp_lt_u32_e32 vcc, 31, v2                           ; where :4
	.loc	1 3 5
	v_add_u32_e32 v3, 1, v2                                ; add :3
	v_add_u32_e32 v4, 0xffffffe0, v2                       ; add :3
	.loc	1 4 5
	v_cndmask_b32_e64 v5, 0, 1, vcc                        ; where :4
	v_cmp_lt_u32_e32 vcc, 30, v2                           ; where :4
	.loc	1 3 5
	v_add_u32_e32 v6, 2, v2                                ; add :3
	v_add_u32_e32 v7, 0xffffffe1, v2                       ; add :3
	.loc	1 4 5
	v_cndmask_b32_e64 v8, 0, 1, vcc                        ; where :4
	v_cmp_lt_u32_e32 vcc, 29, v2                           ; where :4
	.loc	1 3 5
	v_min_u32_e32 v3, v3, v4                               ; min :3
	v_min_u32_e32 v4, v6, v7                               ; min :3
	v_add_u32_e32 v6, 3, v2                                ; add :3
	v_add_u32_e32 v7, 0xffffffe2, v2                       ; add :3
	.loc	1 2 5
	v_lshlrev_b32_e32 v9, 2, v0                            ; vector_load :2
	.loc	1 3 5
	v_lshlrev_b32_e32 v2, 2, v2                            ; load :3
	v_lshlrev_b32_e32 v3, 2, v3                            ; load :3
	v_lshlrev_b32_e32 v4, 2, v4                            ; load :3
	v_min_u32_e32 v6, v6, v7                               ; min :3
	.loc	1 4 5
	v_add_u32_e32 v5, v1, v5                               ; load :4
	v_add_u32_e32 v7, v1, v8                               ; load :4
	v_cndmask_b32_e64 v8, 0, 1, vcc                        ; where :4
	.loc	1 2 5
	global_load_dwordx4 v[10:13], v9, s[2:3]               ; vector_load :2
	.loc	1 3 5
	v_lshlrev_b32_e32 v6, 2, v6                            ; load :3
	global_load_dword v2, v2, s[4:5]                       ; load :3
	.loc	1 8 1
	v_mov_b32_e32 v16, 0x1000000                           ; vector_store :8
	.loc	1 3 5
	global_load_dword v3, v3, s[4:5]                       ; load :3
	s_nop 0                                                ; load :3, soft clause of vector memory: an input is overwritten already: v3 of global_load_dword
	global_load_dword v4, v4, s[4:5]                       ; load :3
	.loc	1 4 5
	s_nop 0                                                ; load :4, soft clause of vector memory: an input is overwritten already: v4 of global_load_dword
	global_load_ubyte v14, v1, s[6:7]                      ; load :4
	global_load_ubyte v15, v5, s[6:7]                      ; load :4
	v_add_u32_e32 v1, v1, v8                               ; load :4
	global_load_ubyte v7, v7, s[6:7]                       ; load :4
	.loc	1 8 1
	v_mov_b32_e32 v8, 0x10000                              ; vector_store :8
	.loc	1 3 5
	global_load_dword v5, v6, s[4:5]                       ; load :3
	.loc	1 8 1
	v_mov_b32_e32 v6, 0x100                                ; vector_store :8
	.loc	1 4 5
	global_load_ubyte v1, v1, s[6:7]                       ; load :4
	.loc	1 5 1
	s_waitcnt vmcnt(7)                                     ; less :5, vmcnt: global_load_dword, <text>.gen:3:5
	v_cmp_lt_f32_e32 vcc, v10, v2                          ; less :5
	s_waitcnt vmcnt(6)                                     ; less :5, vmcnt: global_load_dword, <text>.gen:3:5
	v_cmp_lt_f32_e64 s[0:1], v11, v3                       ; less :5
	s_waitcnt vmcnt(5)                                     ; less :5, vmcnt: global_load_dword, <text>.gen:3:5
	v_cmp_lt_f32_e64 s[2:3], v12, v4                       ; less :5
	.loc	1 4 5
	s_waitcnt vmcnt(4)                                     ; pack :4, vmcnt: global_load_ubyte, <text>.gen:4:5
	v_cmp_ne_u32_e64 s[4:5], 0, v14                        ; pack :4
	s_waitcnt vmcnt(3)                                     ; pack :4, vmcnt: global_load_ubyte, <text>.gen:4:5
	v_cmp_ne_u32_e64 s[6:7], 0, v15                        ; pack :4
	s_waitcnt vmcnt(2)                                     ; pack :4, vmcnt: global_load_ubyte, <text>.gen:4:5
	v_cmp_ne_u32_e64 s[12:13], 0, v7                       ; pack :4
	.loc	1 6 1
	s_and_b64 vcc, vcc, s[4:5]                             ; logical_and :6
	.loc	1 5 1
	s_waitcnt vmcnt(1)                                     ; less :5, vmcnt: global_load_dword, <text>.gen:3:5
	v_cmp_lt_f32_e64 s[4:5], v13, v5                       ; less :5
	.loc	1 4 5
	s_waitcnt vmcnt(0)                                     ; pack :4, vmcnt: global_load_ubyte, <text>.gen:4:5
	v_cmp_ne_u32_e64 s[14:15], 0, v1                       ; pack :4
	.loc	1 6 1
	s_and_b64 s[0:1], s[0:1], s[6:7]                       ; logical_and :6
	s_and_b64 s[2:3], s[2:3], s[12:13]                     ; logical_and :6
	s_and_b64 s[4:5], s[4:5], s[14:15]                     ; logical_and :6
	.loc	1 8 1
	v_cndmask_b32_e64 v1, 0, 1, vcc                        ; vector_store :8
	v_cndmask_b32_e64 v6, 0, v6, s[0:1]                    ; vector_store :8
	v_cndmask_b32_e64 v7, 0, v8, s[2:3]                    ; vector_store :8
	.loc	1 7 1
	v_cndmask_b32_e32 v2, v2, v10, vcc                     ; where :7
	v_cndmask_b32_e64 v3, v3, v11, s[0:1]                  ; where :7
	v_cndmask_b32_e64 v4, v4, v12, s[2:3]                  ; where :7
	v_cndmask_b32_e64 v5, v5, v13, s[4:5]                  ; where :7
	.loc	1 8 1
	v_cndmask_b32_e64 v8, 0, v16, s[4:5]                   ; vector_store :8
	v_or3_b32 v1, v1, v6, v7                               ; vector_store :8
	global_store_dwordx4 v9, v[2:5], s[8:9]                ; vector_store :8
	v_or_b32_e32 v1, v1, v8                                ; vector_store :8
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
		.amdhsa_next_free_vgpr 17
		.amdhsa_next_free_sgpr 16
		.amdhsa_accum_offset 20
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
  - .name: _text_
    .symbol: _text_.kd
    .kernarg_segment_size: 40
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 22
    .vgpr_count: 17
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
