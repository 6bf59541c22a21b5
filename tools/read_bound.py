"""The clocks of a launch that reads some bytes of memory once and does nothing else.

Each unit has a workgroup of a single wave. The wave loads its part of the bytes, all to the same registers,
and waits once, at its end. Of 30 ways to share 8 MB among 128 to 1,024 workgroups of 1 to 16 waves on gfx942,
none takes fewer clocks for as many bytes.

    gfx942, 8,396,800 bytes: 27 KB for each of 304 units
    start of the wave, and fetch of its code        324 clocks
    27 KB at 8.28 bytes a clock                   3,339
    latency of memory, and the way of a load        914
"""

from __future__ import annotations

from math import ceil

import numpy as np

from asmgen.profile.build import profile_launch
from asmgen.profile.launches import Launch, zeros
from isa.emulator import load
from isa.emulator.launching.arguments import KernelCall
from isa.named_tuple import NamedTuple
from isa.registers import DWORD
from isa.target import WIDEST_ACCESS, Target

_OF_TRIP = 16  # loads of a trip of the loop, which take longer than its branch
_LANES = 64
_WIDE = "global_load_dwordx4 v[4:7], v0, s[2:3]", f"v_add_u32_e32 v0, {_LANES * WIDEST_ACCESS:#x}, v0"
_NARROW = "global_load_dword v4, v1, s[2:3]", f"v_add_u32_e32 v1, {_LANES * DWORD:#x}, v1"
# The buffer is s[2:3], the workgroup s4; a lane has the offsets v0 of wide loads, and v1 of narrow loads.
_TEXT = """.amdgcn_target "amdgcn-amd-amdhsa--{target}"
.amdhsa_code_object_version 5
.text
.globl read
.p2align 8
.type read,@function
read:
s_load_dwordx2 s[2:3], s[0:1], 0x0
s_waitcnt lgkmcnt(0)
s_branch .Lentry
.p2align 8
.Lentry:
s_mul_i32 s5, s4, {bytes}
v_lshlrev_b32_e32 v1, 2, v0
v_add_u32_e32 v1, {narrow}, v1
v_lshlrev_b32_e32 v0, 4, v0
s_add_u32 s2, s2, s5
s_addc_u32 s3, s3, 0
{code}
s_waitcnt vmcnt(0)
s_endpgm
.Lend:
.size read, .Lend-read
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel read
.amdhsa_kernarg_size 8
.amdhsa_user_sgpr_kernarg_segment_ptr 1
.amdhsa_user_sgpr_kernarg_preload_length 2
.amdhsa_system_sgpr_workgroup_id_x 1
.amdhsa_next_free_vgpr 8
.amdhsa_next_free_sgpr 8
.amdhsa_accum_offset 8
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.target: amdgcn-amd-amdhsa--{target}
amdhsa.kernels:
  - .name: read
    .symbol: read.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
    .args:
      - .offset: 0
        .size: 8
        .value_kind: global_buffer
...
.end_amdgpu_metadata
"""


class Loads(NamedTuple):
    """How many loads a wave issues, of 16 bytes a lane and of 4."""

    wide: int
    narrow: int


def loads_of_unit(moved: int, target: Target) -> Loads:
    """The loads of a unit if all units together read so many bytes."""
    of_lane = ceil(moved / (target.units * target.wave_size))
    wide, rest = divmod(of_lane, WIDEST_ACCESS)
    return Loads(wide, ceil(rest / DWORD))


def reading_clocks(moved: int, target: Target) -> float:
    """The clocks of a launch that reads so many bytes, on a target that preloads arguments."""
    loads = loads_of_unit(moved, target)
    of_unit = (loads.wide * WIDEST_ACCESS + loads.narrow * DWORD) * target.wave_size
    narrow = hex(loads.wide * WIDEST_ACCESS * target.wave_size)
    text = _TEXT.format(target=target.name, bytes=of_unit, narrow=narrow, code="\n".join(_code(loads)))
    buffer = zeros(np.dtype(np.float32), (of_unit * target.units // DWORD,))
    call = KernelCall((target.units, 1, 1), (target.wave_size, 1, 1), (buffer,))
    return profile_launch(Launch(load(text, "read", "read"), call, "read")).profile.launch_clocks


def _code(loads: Loads) -> list[str]:
    trips, rest = divmod(loads.wide, _OF_TRIP)
    code = [*_WIDE * rest]
    if trips:
        code += [f"s_movk_i32 s6, {trips}", ".Ltrip:", *_WIDE * _OF_TRIP]
        code += ["s_sub_u32 s6, s6, 1", "s_cmp_lg_u32 s6, 0", "s_cbranch_scc1 .Ltrip"]
    return [*code, *_NARROW * loads.narrow]
