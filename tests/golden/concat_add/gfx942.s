	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.file	1 "concat_add"
	.protected	concat_add
	.globl	concat_add
	.p2align	8
	.type	concat_add,@function
concat_add:
	s_load_dwordx2 s[2:3], s[0:1], 0x0                     ; preload
	s_load_dwordx4 s[4:7], s[0:1], 0x8                     ; preload
	s_load_dwordx2 s[8:9], s[0:1], 0x18                    ; preload
	s_waitcnt lgkmcnt(0)                                   ; preload
	s_branch .Lconcat_add.entry
	.p2align	8
.Lconcat_add.entry:
	.loc	1 2 13
	v_and_b32_e32 v1, 63, v0                               ; bitwise_and :2
	v_lshrrev_b32_e32 v0, 6, v0                            ; shift_right :2
	v_lshl_add_u32 v1, s10, 8, v1                          ; add :2
	v_lshl_add_u32 v0, v0, 7, v1                           ; add :2
	s_mov_b32 s1, 0x3ffc0                                  ; less :2
	v_cmp_gt_u32_e32 vcc, 0x40000, v0                      ; less :2
	v_cmp_lt_u32_e64 s[0:1], v0, s1                        ; less :2
	.loc	1 4 13
	v_lshlrev_b32_e32 v24, 4, v0                           ; vector_load :4
	.loc	1 3 13
	v_add_u32_e32 v1, 0xffc00000, v24                      ; vector_load :3
	.loc	1 2 13
	v_add_u32_e32 v2, 0x400, v24                           ; vector_load :2
	.loc	1 3 13
	v_add_u32_e32 v3, 0xffc00400, v24                      ; vector_load :3
	.loc	1 2 13
	v_cndmask_b32_e32 v4, 0, v24, vcc                      ; vector_load :2
	.loc	1 3 13
	v_cndmask_b32_e64 v1, v1, 0, vcc                       ; vector_load :3
	.loc	1 2 13
	global_load_dwordx4 v[4:7], v4, s[2:3]                 ; vector_load :2
	v_cndmask_b32_e64 v2, 0, v2, s[0:1]                    ; vector_load :2
	.loc	1 3 13
	global_load_dwordx4 v[16:19], v1, s[4:5]               ; vector_load :3
	v_cndmask_b32_e64 v25, v3, 0, s[0:1]                   ; vector_load :3
	.loc	1 4 13
	global_load_dwordx4 v[12:15], v24, s[6:7]              ; vector_load :4
	.loc	1 2 13
	s_nop 0                                                ; vector_load :2, soft clause of vector memory: store, or load over its own input, after a load: a510 of global_load_dwordx4
	global_load_dwordx4 v[0:3], v2, s[2:3]                 ; vector_load :2
	.loc	1 3 13
	s_nop 0                                                ; vector_load :3, soft clause of vector memory: an input is overwritten already: v[0:3] of global_load_dwordx4
	global_load_dwordx4 v[8:11], v25, s[4:5]               ; vector_load :3
	.loc	1 4 13
	global_load_dwordx4 v[20:23], v24, s[6:7] offset:1024  ; vector_load :4
	.loc	1 5 9
	s_waitcnt vmcnt(4)                                     ; where :5, vmcnt: global_load_dwordx4, concat_add:3:13
	v_cndmask_b32_e32 v16, v16, v4, vcc                    ; where :5
	v_cndmask_b32_e32 v17, v17, v5, vcc                    ; where :5
	v_cndmask_b32_e32 v4, v18, v6, vcc                     ; where :5
	v_cndmask_b32_e32 v5, v19, v7, vcc                     ; where :5
	s_waitcnt vmcnt(1)                                     ; where :5, vmcnt: global_load_dwordx4, concat_add:3:13
	v_cndmask_b32_e64 v6, v8, v0, s[0:1]                   ; where :5
	v_cndmask_b32_e64 v7, v9, v1, s[0:1]                   ; where :5
	v_cndmask_b32_e64 v8, v10, v2, s[0:1]                  ; where :5
	v_cndmask_b32_e64 v9, v11, v3, s[0:1]                  ; where :5
	.loc	1 6 9
	v_pk_add_f32 v[2:3], v[16:17], v[12:13]                ; add :6
	v_pk_add_f32 v[4:5], v[4:5], v[14:15]                  ; add :6
	s_waitcnt vmcnt(0)                                     ; add :6, vmcnt: global_load_dwordx4, concat_add:4:13
	v_pk_add_f32 v[6:7], v[6:7], v[20:21]                  ; add :6
	v_pk_add_f32 v[8:9], v[8:9], v[22:23]                  ; add :6
	.loc	1 7 9
	global_store_dwordx4 v24, v[2:5], s[8:9]               ; vector_store :7
	global_store_dwordx4 v24, v[6:9], s[8:9] offset:1024   ; vector_store :7
	s_endpgm
.Lconcat_add.end.of.code:
	.size	concat_add, .Lconcat_add.end.of.code-concat_add
	.p2alignl	6, 0xbf800000
	.fill	256, 4, 0xbf800000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel concat_add
		.amdhsa_group_segment_fixed_size 0
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
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 26
		.amdhsa_next_free_sgpr 11
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
  - .name: concat_add
    .symbol: concat_add.kd
    .kernarg_segment_size: 32
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 64
    .sgpr_count: 17
    .vgpr_count: 26
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 128
    .reqd_workgroup_size:
      - 128
      - 1
      - 1
    .args:
      - .name: "a"
        .offset: 0
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: read_only
      - .name: "b"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: read_only
      - .name: "y"
        .offset: 16
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: read_only
      - .name: "o"
        .offset: 24
        .size: 8
        .value_kind: global_buffer
        .type_name: "f32"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
