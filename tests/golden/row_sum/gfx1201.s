	.amdgcn_target "amdgcn-amd-amdhsa--gfx1201"
	.amdhsa_code_object_version 5
	.text
	.file	1 "row_sum"
	.protected	row_sum
	.globl	row_sum
	.p2align	8
	.type	row_sum,@function
row_sum:
	s_load_b128 s[0:3], s[0:1], 0x0
	.loc	1 1 5
	s_lshl_b32 s4, ttmp9, 12                               ; vector_load :1
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_4) | instid1(VALU_DEP_1) ; vector_load :1
	v_lshl_add_u32 v9, v0, 4, s4                           ; vector_load :1
	s_wait_kmcnt 0x0                                       ; vector_load :1, kmcnt: s_load_b128
	global_load_b128 v[1:4], v9, s[0:1]                    ; vector_load :1
	.loc	1 2 1
	s_wait_loadcnt 0x0                                     ; add :2, loadcnt: global_load_b128, row_sum:1:5
	v_dual_add_f32 v9, v1, v2 :: v_dual_add_f32 v8, v3, v4 ; add :2
	v_add_f32_e32 v9, v9, v8                               ; add :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_add_f32_dpp v9, v9, v9 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_add_f32_dpp v9, v9, v9 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_add_f32_dpp v9, v9, v9 row_half_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	v_add_f32_dpp v9, v9, v9 row_mirror row_mask:0xf bank_mask:0xf ; dpp_reduce :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; dpp_reduce :2
	v_permlanex16_b32 v8, v9, 0, 0 op_sel:[0,1]            ; dpp_reduce :2
	v_add_f32_e32 v9, v9, v8                               ; dpp_reduce :2
	v_lshrrev_b32_e32 v8, 5, v0                            ; shift_right :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(SALU_CYCLE_1) ; if :2
	v_dual_mov_b32 v7, 0 :: v_dual_lshlrev_b32 v8, 2, v8   ; if :2
	.loc	1 3 1
	s_lshl_b32 s0, ttmp9, 2                                ; store :3
	v_mov_b32_e32 v6, s0                                   ; store :3
	.loc	1 2 1
	s_and_saveexec_b32 s0, 0x80000000                      ; if :2
	ds_store_b32 v8, v9                                    ; lds_store :2
	s_wait_alu depctr_sa_sdst(0)                           ; SGPR read by VALU, written by SALU, read: s0 of s_and_saveexec_b32
	s_mov_b32 exec_lo, s0
	s_wait_dscnt 0x0                                       ; barrier :2, dscnt: ds_store_b32, row_sum:2:1
	s_barrier_signal -1                                    ; barrier :2
	s_barrier_wait -1                                      ; barrier :2
	ds_load_b128 v[1:4], v7                                ; lds_load :2
	ds_load_b128 v[7:10], v7 offset:16                     ; lds_load :2
	s_wait_dscnt 0x0                                       ; add :2, dscnt: ds_load_b128, row_sum:2:1
	v_dual_add_f32 v1, v1, v7 :: v_dual_add_f32 v2, v2, v8 ; add :2
	v_dual_add_f32 v3, v3, v9 :: v_dual_add_f32 v4, v4, v10 ; add :2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) ; add :2
	v_dual_add_f32 v9, v1, v2 :: v_dual_add_f32 v8, v3, v4 ; add :2
	v_add_f32_e32 v9, v9, v8                               ; add :2
	.loc	1 3 1
	v_cmp_eq_u32_e32 vcc_lo, 0, v0                         ; if :3
	s_and_b32 exec_lo, exec_lo, vcc_lo                     ; if :3
	s_cbranch_execz .Lrow_sum.end                          ; if :3
	global_store_b32 v6, v9, s[2:3]                        ; store :3
.Lrow_sum.end:
	s_endpgm
.Lrow_sum.end.of.code:
	.size	row_sum, .Lrow_sum.end.of.code-row_sum
	.p2alignl	7, 0xbf9f0000
	.fill	96, 4, 0xbf9f0000
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel row_sum
		.amdhsa_group_segment_fixed_size 32
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 16
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
		.amdhsa_next_free_vgpr 11
		.amdhsa_next_free_sgpr 5
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_workgroup_processor_mode 1
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_inst_pref_size 2
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.target: amdgcn-amd-amdhsa--gfx1201
amdhsa.kernels:
  - .name: row_sum
    .symbol: row_sum.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 32
    .private_segment_fixed_size: 0
    .uses_dynamic_stack: false
    .wavefront_size: 32
    .sgpr_count: 7
    .vgpr_count: 11
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
