"""Blocks that hoisting must leave alone: SCC that the branch at the end reads, EXEC that is narrower than the
later block's."""

from __future__ import annotations

import numpy as np

from asmgen.passes.motion.hoist import hoist
from isa.emulator import run_kernel
from isa.mir.parser import parse_kernel
from isa.program import Kernel
from regalloc.verify import verify

HEAD = """stage machine gfx942
kernel steps
workgroup 64 1 1
argument out offset=0 size=8 kind=global_buffer space=global access=write_only type=u32
entry kernarg_segment_ptr s[0:1]
entry workgroup_id_x s2
entry workitem_id v0
preload 0
lds 0
scratch 0
register %out sgpr 2 align 2
register %saved sgpr 2 align 2
register %address vgpr
register %step vgpr
register %sum sgpr
register %product vgpr
register %result vgpr
block entry
  s_load_dwordx2 %out, s[0:1], 0x0
  v_lshlrev_b32_e32 %address, 2, v0
"""

STEP = "  v_add_u32_dpp %step, %address, %address quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf !tied(%address)\n"

BRANCH = f"""{HEAD}{STEP}  s_cmp_eq_u32 s2, 0
  terminator s_cbranch_scc0 done
  linear done, adding
  logical done, adding
block adding
  s_add_u32 %sum, s2, 5
  v_add_u32_e32 %result, %sum, %step
  global_store_dword %address, %result, %out
  linear done
  logical done
block done
  terminator s_endpgm
"""

NARROWED = f"""{HEAD}  s_mov_b64 %saved, exec
  s_mov_b64 exec, 15
{STEP}  linear wide
  logical wide
block wide
  s_mov_b64 exec, %saved
  v_mul_u32_u24_e32 %product, 3, v0
  global_store_dword %address, %product, %out
  terminator s_endpgm
"""


def hold(text: str, wanted: list[int]) -> None:
    kernel: Kernel = parse_kernel(text, "steps.mir")
    verify(kernel)
    for candidate in [kernel, hoist(kernel)]:
        verify(candidate)
        (found,) = run_kernel(candidate, (1, 1, 1), [np.zeros(64, np.uint32)])
        assert found.tolist() == wanted


def test_a_branch_on_scc_at_the_end_of_the_block() -> None:
    hold(BRANCH, [5 + 4 * lane + 4 * (lane ^ 1) for lane in range(64)])


def test_lanes_that_are_off_at_the_steps() -> None:
    hold(NARROWED, [3 * lane for lane in range(64)])
