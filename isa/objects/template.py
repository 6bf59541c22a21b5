"""The directives that make bare instructions a kernel that can be launched, as a text to copy and fill in."""

from __future__ import annotations

from isa.targets import TargetId

_DESCRIPTOR = """\
.rodata
.p2align 6
.amdhsa_kernel {name}
  .amdhsa_next_free_vgpr 32    ; the highest VGPR that the code names, plus 1
  .amdhsa_next_free_sgpr 32    ; the highest SGPR that the code names, plus 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1    ; s[0:1] is the address of the arguments
{more}.end_amdhsa_kernel
"""
_METADATA = """\
.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.target: amdgcn-amd-amdhsa--{target}
amdhsa.kernels:
  - .name: {name}
    .symbol: {name}.kd
    .kernarg_segment_size: 12    # bytes of all arguments
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0    # bytes of LDS
    .private_segment_fixed_size: 0    # bytes of scratch of a work-item
    .wavefront_size: {wave}
    .sgpr_count: 32
    .vgpr_count: 32
    .max_flat_workgroup_size: 256
    .args:
      - .offset: 0    # an array
        .size: 8
        .value_kind: global_buffer
      - .offset: 8    # a number
        .size: 4
        .value_kind: by_value
...
.end_amdgpu_metadata
"""


def kernel_template(name: str, target: TargetId) -> str:
    """The descriptor and the metadata (code object V5) of a kernel with an array and a number, as in LLVM's
    AMDGPUUsage."""
    return descriptor_template(name, target) + metadata_template(name, target)


def descriptor_template(name: str, target: TargetId) -> str:
    """The `.amdhsa_kernel` of a kernel."""
    more = ""
    if target.target.has_agprs:
        more += "  .amdhsa_accum_offset 32    ; VGPRs before the first AGPR, a multiple of 4\n"
    if not target.is_default_wave:
        more += "  .amdhsa_wavefront_size32 0\n"
    return _DESCRIPTOR.format(name=name, more=more)


def metadata_template(name: str, target: TargetId) -> str:
    """The `.amdgpu_metadata` of a kernel."""
    return _METADATA.format(name=name, target=target.clang, wave=target.target.wave_size)


def append_help(template: str) -> str:
    """The way out of an error about missing directives."""
    return "append this to the file, with the numbers and arguments of the kernel:\n\n" + template
