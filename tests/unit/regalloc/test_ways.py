"""Small kernels get few more registers than are live at once, also if tuples lie between single values."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.kernels import build_kernel
from isa.registers import VCC, RegisterClass
from regalloc import allocate_and_rewrite
from tests.unit.regalloc.programs import machine

# the first scan of these leaves gaps, some in loops; a transpose needs more, as docs/reports.md says
CASES = [
    "gelu_erf gfx942", "row_sum gfx90a", "cumsum gfx942", "cumsum gfx1100", "full_sum gfx950", "pad_add gfx1201", "concat_add gfx1100",
    "softmax gfx1100", "log_softmax gfx90a", "col_sum gfx1201",
]  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_registers_are_within_one_or_a_twentieth_of_what_is_live(case: str) -> None:
    name, target = case.split()
    program = asmgen.compile(build_kernel(name, []), target=target)
    for found in program.compilation.stages.allocations:
        live = found.allocation.statistics.pressure[RegisterClass.VGPR].units
        assert found.allocation.statistics.vgprs <= max(live + 1, live * 1.05)


@pytest.mark.parametrize(("target", "fewest"), [("gfx90a", 28), ("gfx942", 28), ("gfx1100", 25), ("gfx1201", 23)])
def test_a_transpose_takes_a_register_more_than_an_exact_search_proves(target: str, fewest: int) -> None:
    """Tuples are taken apart and others put together: CP-SAT proves that all but a register are needed
    (tools/bench_bounds.py), though 17 to 20 are live at once."""
    (found,) = asmgen.compile(build_kernel("transpose", []), target=target).compilation.stages.allocations
    assert found.allocation.statistics.vgprs <= fewest


CROWDED = """
register %early sgpr 4 align 4
register %one sgpr
register %two sgpr
register %wide sgpr 16 align 4
block entry
  s_load_dwordx4 %early, s[0:1], 0x0
  s_max_u32 %one, s2, s2
  s_max_u32 %two, s2, 0xc70c
  s_waitcnt vmcnt(0) lgkmcnt(0)
  s_load_dwordx16 %wide, %early[0:1], 0x0
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_mov_b32_e32 v1, %two
  global_store_dword v0, v1, %early[2:3]
  terminator s_endpgm
"""


def test_a_tuple_for_which_two_others_have_to_move() -> None:
    """22 SGPRs are enough only with %wide from s0 or s4 on: %early has to leave s4, and either %two leaves s0
    or both leave for higher registers. Wide program 252: its search came back to the same place for ever."""
    kernel = machine(CROWDED)
    reserved = frozenset((*range(22, 102), *VCC.units))
    rewritten, allocation = allocate_and_rewrite(kernel, reserved)
    assert allocation.statistics.sgprs <= 22
    assert len(rewritten.blocks[0].instructions) == len(kernel.blocks[0].instructions)


BETWEEN = """
register %pointers sgpr 4 align 4
register %m sgpr
register %n sgpr
register %a vgpr
register %x vgpr
register %y vgpr
register %z vgpr
register %first vgpr 4 align 2
register %at vgpr
register %second vgpr 4 align 2
register %p vgpr
register %q vgpr
register %r vgpr
register %s vgpr
register %t vgpr
register %u vgpr
register %v vgpr
block entry
  s_load_dwordx4 %pointers, s[0:1], 0x0
  v_lshlrev_b32_e32 %a, 2, v0
  s_waitcnt vmcnt(0) lgkmcnt(0)
  global_load_dword %x, %a, %pointers[0:1]
  s_waitcnt vmcnt(0) lgkmcnt(0)
  s_mul_i32 %m, s2, s2
  v_xor_b32_e32 %y, %x, %a
  s_mul_i32 %n, %m, 0x5925
  v_sub_u32_e32 %z, %m, %y
  v_add_u32_e32 %first[0], %y, %z
  v_add_u32_e32 %first[1], %z, %y
  v_add_u32_e32 %first[2], %z, %y
  v_add_u32_e32 %first[3], %z, %a
  v_lshlrev_b32_e32 %at, 4, v0
  ds_write_b128 %at, %first
  ds_read_b128 %second, %at
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_xor_b32_e32 %p, %first[2], %x
  v_xor_b32_e32 %q, %second[1], %p
  v_xor_b32_e32 %r, %z, %q
  v_xor_b32_e32 %s, %y, %r
  v_xor_b32_e32 %t, %a, %s
  v_xor_b32_e32 %u, %x, %t
  v_xor_b32_e32 %v, s2, %u
  global_store_dword %a, %v, %pointers[2:3]
  terminator s_endpgm
"""


def test_a_tuple_that_found_no_room_is_placed_first() -> None:
    """9 VGPRs are live, and 10 suffice if %second gets its place before the single values. The attention of
    tests/tiles on gfx1100 has 245 of 256 live, and no tuple of 8 has to leave."""
    kernel = machine(BETWEEN)
    rewritten, allocation = allocate_and_rewrite(kernel, max_vgprs=10)
    assert allocation.statistics.vgprs <= 10 and allocation.statistics.pressure[RegisterClass.VGPR].units == 9
    assert len(rewritten.blocks[0].instructions) == len(kernel.blocks[0].instructions)
