"""Assembly text: a line that is put before `s_endpgm` of a whole kernel, and the replaced parts of its
text."""

from __future__ import annotations

# lines that no command accepts
LINES = (
    "v_no_such_thing v0", "v_mov_b32", "v_mov_b32 v0", "v_mov_b32 v0, v1, v2", "v_mov_b32 v0, q1",
    "v_mov_b32 s0, v1", "v_mov_b32 v0, 1 2", "v_mov_b32 v0,, v1", "v_mov_b32 v256, v1", "v_mov_b32 v-1, v0",
    "v_mov_b32 v[0:1], v2", "v_mov_b32 v[1:0], v2", "v_mov_b32 v[0, v2", "v_mov_b32 v999999999999, v1",
    "v_mov_b32 v0, 99999999999999999999999", "v_mov_b32 v0, 0x", "v_mov_b32 v0, nope", "v_add_f32 v0, v1",
    "v_add_f32 v0, v1, v2 foo:1", "v_add_f32 v0, v1, v2 clamp clamp", "s_mov_b32 s200, 0", "s_mov_b32 v0, 0",
    "s_mov_b64 s1, 0", "s_mov_b64 s[1:2], 0", "s_add_u32 s0, s1", "s_waitcnt vmcnt(99999)",
    "s_waitcnt nope(0)", "s_branch", "s_branch 1 2", "s_nop 99999999", "s_nop v0", "global_load_dword v0",
    "global_load_dword v0, v1, off", "global_load_dword v0, v[1:2], off offset:99999",
    "ds_read_b32 v0, v1 offset:-1", "buffer_load_dword v0, off, s[0:3]", "v_fma_f32 v0, v1, v2, v3, v4",
    "V_MOV_B32 V0, V1", "mov eax, ebx", "add.f32 %f1, %f2, %f3;", "s_endpgm s_endpgm",
    "v_mov_b32 v0, v1 \\ v2", "()", "[]", "%", "@@@", "\"v_mov_b32 v0, v1\"", ".ident \"open",
    ".section .rodata,\"a", "\t.ascii \"a\\\"", "label: label2: \"x",
)  # fmt: skip

# (what stands in the whole text, what stands there instead)
CHANGES = (
    ('.amdgcn_target "amdgcn-amd-amdhsa--gfx942"', ""),
    ('"amdgcn-amd-amdhsa--gfx942"', '"amdgcn-amd-amdhsa--gfx999"'),
    ('"amdgcn-amd-amdhsa--gfx942"', '"x86_64-linux-gnu"'), ('"amdgcn-amd-amdhsa--gfx942"', '""'),
    (".amdhsa_kernel relu", ".amdhsa_kernel other"), (".amdhsa_kernel relu", ".amdhsa_kernel"),
    (".amdhsa_next_free_vgpr", ".amdhsa_next_free_vgrp"), (".amdhsa_accum_offset", "; .amdhsa_accum_offset"),
    (".amdhsa_next_free_vgpr ", ".amdhsa_next_free_vgpr many ; "),
    (".amdhsa_next_free_vgpr ", ".amdhsa_next_free_vgpr -"),
    (".amdhsa_next_free_vgpr ", ".amdhsa_next_free_vgpr 9999"), ("relu:", "rleu:"),
    (".end_amdgpu_metadata", ""), ("amdhsa.kernels:", "amdhsa.kernel:"),
    ("amdhsa.kernels:", "amdhsa.kernels: 5"), (".args:", ".args: many"), (".offset:", ".ofset:"),
    (".size:", ".size: -"), (".size:", ".size: many #"), (".value_kind:", ".value:"),
    ("global_buffer", "pipe"), (".kernarg_segment_size:", ".kernarg_segment_size: some"),
    (".max_flat_workgroup_size:", ".max_flat_workgroup_size: none #"), (".name:", ":name"),
    ("  - .", "- - - ."), ("---", "{"),
)  # fmt: skip
