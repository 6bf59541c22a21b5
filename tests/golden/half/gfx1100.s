	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 5
	.text
	.file	1 "<text>.gen"
	.protected	_text_
	.globl	_text_
	.p2align	8
	.type	_text_,@function
_text_:
	s_load_b128 s[4:7], s[0:1], 0x0
	.loc	1 2 5
	v_dual_mov_b32 v1, 0x3fb8aa3b :: v_dual_lshlrev_b32 v0, 4, v0 ; vector_load :2
	s_load_b64 s[0:1], s[0:1], 0x10
	s_waitcnt lgkmcnt(0)                                   ; vector_load :2, lgkmcnt: s_load_b128
	s_clause 0x1                                           ; vector_load :2
	global_load_b128 v[2:5], v0, s[4:5]                    ; vector_load :2
	.loc	1 3 5
	global_load_b128 v[6:9], v0, s[6:7]                    ; vector_load :3
	.loc	1 4 1
	s_waitcnt vmcnt(1)                                     ; mul :4, vmcnt: global_load_b128, <text>.gen:2:5
	v_fma_mix_f32 v10, v2, v1, neg(0) op_sel_hi:[1,0,0]    ; mul :4
	v_fma_mix_f32 v11, v3, v1, neg(0) op_sel_hi:[1,0,0]    ; mul :4
	v_fma_mix_f32 v12, v4, v1, neg(0) op_sel_hi:[1,0,0]    ; mul :4
	v_fma_mix_f32 v13, v5, v1, neg(0) op_sel_hi:[1,0,0]    ; mul :4
	v_fma_mix_f32 v2, v2, v1, neg(0) op_sel:[1,0,0] op_sel_hi:[1,0,0] ; mul :4
	v_fma_mix_f32 v3, v3, v1, neg(0) op_sel:[1,0,0] op_sel_hi:[1,0,0] ; mul :4
	v_fma_mix_f32 v4, v4, v1, neg(0) op_sel:[1,0,0] op_sel_hi:[1,0,0] ; mul :4
	v_fma_mix_f32 v1, v5, v1, neg(0) op_sel:[1,0,0] op_sel_hi:[1,0,0] ; mul :4
	v_exp_f32_e32 v10, v10                                 ; hw_exp2 :4
	v_exp_f32_e32 v5, v11                                  ; hw_exp2 :4
	v_exp_f32_e32 v12, v12                                 ; hw_exp2 :4
	v_exp_f32_e32 v11, v13                                 ; hw_exp2 :4
	v_exp_f32_e32 v2, v2                                   ; hw_exp2 :4
	v_exp_f32_e32 v3, v3                                   ; hw_exp2 :4
	v_exp_f32_e32 v4, v4                                   ; hw_exp2 :4
	v_exp_f32_e32 v1, v1                                   ; hw_exp2 :4
	.loc	1 6 1
	s_waitcnt vmcnt(0)                                     ; convert :6, vmcnt: global_load_b128, <text>.gen:3:5
	v_fma_mixlo_f16 v6, v10, v6, neg(0) op_sel_hi:[0,1,0]  ; convert :6
	v_fma_mixlo_f16 v7, v5, v7, neg(0) op_sel_hi:[0,1,0]   ; convert :6
	v_fma_mixlo_f16 v8, v12, v8, neg(0) op_sel_hi:[0,1,0]  ; convert :6
	v_fma_mixlo_f16 v9, v11, v9, neg(0) op_sel_hi:[0,1,0]  ; convert :6
	s_delay_alu instid0(VALU_DEP_4)                        ; convert :6
	v_fma_mixhi_f16 v6, v2, v6, neg(0) op_sel:[0,1,0] op_sel_hi:[0,1,0] ; convert :6
	s_delay_alu instid0(TRANS32_DEP_3) | instid1(VALU_DEP_4) ; convert :6
	v_fma_mixhi_f16 v7, v3, v7, neg(0) op_sel:[0,1,0] op_sel_hi:[0,1,0] ; convert :6
	s_delay_alu instid0(TRANS32_DEP_2) | instid1(VALU_DEP_4) ; convert :6
	v_fma_mixhi_f16 v8, v4, v8, neg(0) op_sel:[0,1,0] op_sel_hi:[0,1,0] ; convert :6
	s_delay_alu instid0(TRANS32_DEP_1) | instid1(VALU_DEP_4) ; convert :6
	v_fma_mixhi_f16 v9, v1, v9, neg(0) op_sel:[0,1,0] op_sel_hi:[0,1,0] ; convert :6
	global_store_b128 v0, v[6:9], s[0:1]                   ; vector_store :6
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
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_count 16
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
		.amdhsa_next_free_sgpr 8
		.amdhsa_reserve_vcc 0
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_workgroup_processor_mode 1
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 0
		.amdhsa_inst_pref_size 2
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.target: amdgcn-amd-amdhsa--gfx1100
amdhsa.kernels:
  - .name: _text_
    .symbol: _text_.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 32
    .sgpr_count: 10
    .vgpr_count: 14
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
      - .name: "y"
        .offset: 8
        .size: 8
        .value_kind: global_buffer
        .type_name: "f16"
        .address_space: global
        .actual_access: read_only
      - .name: "z"
        .offset: 16
        .size: 8
        .value_kind: global_buffer
        .type_name: "f16"
        .address_space: global
        .actual_access: write_only
...
	.end_amdgpu_metadata
