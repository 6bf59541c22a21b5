"""Kernels for tests of the output of `run`, and runs of the command in this process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from asmgen.cli.main import main

Array = np.ndarray[Any, Any]

SUM = """
; out[group] = sum of x over the group's lanes below n, in a loop of three trips
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dword s8, s[0:1], 0x10
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v3, 0
  s_mov_b32 s9, 0
  s_waitcnt lgkmcnt(0)
  v_cmp_gt_u32_e32 vcc, s8, v0
  s_and_saveexec_b64 s[10:11], vcc
  s_cbranch_execz none
trip:
  global_load_dword v2, v1, s[4:5]
  s_waitcnt vmcnt(0)
  v_add_u32_e32 v3, v3, v2
  s_add_i32 s9, s9, 1
  s_cmp_lt_i32 s9, 3
  s_cbranch_scc1 trip
none:
  s_mov_b64 exec, s[10:11]
  ds_write_b32 v1, v3
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read2_b32 v[4:5], v1 offset1:0
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v4, s[6:7]
  s_endpgm
"""


def source(name: str, body: str, arguments: str, lds: int = 0) -> str:
    """Assembly of a kernel for gfx942; `arguments` are its names, those in capitals are numbers of 32 bits."""
    lines = ['.amdgcn_target "amdgcn-amd-amdhsa--gfx942"', ".text", f".globl {name}", ".p2align 8", f".type {name},@function", f"{name}:"]
    entries: list[str] = []
    for number, argument in enumerate(arguments.split()):
        is_number = argument.isupper()
        kind = "by_value" if is_number else "global_buffer"
        entries += [f"      - .name: {argument}", f"        .offset: {8 * number}", f"        .size: {4 if is_number else 8}"]
        entries += [f"        .value_kind: {kind}"] + ([] if is_number else ["        .address_space: global"])
    size = 8 * len(arguments.split())
    return (
        "\n".join(lines)
        + body
        + f"""
.L{name}_end:
.size {name}, .L{name}_end-{name}
.rodata
.p2align 6
.amdhsa_kernel {name}
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_group_segment_fixed_size {lds}
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 16
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: {name}
    .symbol: {name}.kd
    .kernarg_segment_size: {size}
    .kernarg_segment_align: 8
    .group_segment_fixed_size: {lds}
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 1024
    .args:
{chr(10).join(entries)}
...
.end_amdgpu_metadata
"""
    )


def line_of(text: str, words: str) -> int:
    """The number of the first line of a text that contains these words."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if words in line)


SUM_TEXT = source("sum", SUM, "x out N", lds=1024)
X = np.arange(128, dtype=np.uint32) * 7 + 1


class Folder:
    """A folder with the kernel SUM, its arguments, and runs of `run` in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        (path / "sum.s").write_text(SUM_TEXT)
        np.save(path / "x.npy", X)
        np.save(path / "out.npy", np.zeros_like(X))

    def run(self, *options: str, n: int = 100, grid: int = 1) -> int:
        launch = ["--kernel", "sum", "--grid", str(grid), "--block", "128", "--arg", f"{self.path}/x.npy", "--arg", f"{self.path}/out.npy"]
        given = [option.replace("@", f"{self.path}/") for option in options]
        return main(["run", f"{self.path}/sum.s", *launch, "--arg", f"i32:{n}", *given])

    def read(self, name: str) -> str:
        return (self.path / name).read_text()

    def records(self, name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.read(name).splitlines()]
