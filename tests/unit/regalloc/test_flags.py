"""The writers of SCC that are read, and their readers."""

from __future__ import annotations

from isa.program import Kernel
from regalloc.flags import reads_scc, scc_awaited_at_ends, scc_is_read_first, scc_live_out, scc_sources
from tests.unit.regalloc.programs import machine

CODE = """register %a sgpr
register %b sgpr
register %c sgpr
register %d sgpr
block entry
  s_add_u32 %a, s4, 1
  s_add_u32 %b, s5, 2
  s_addc_u32 %c, s6, 0
  s_mov_b32 %d, s7
  s_cmp_eq_u32 %c, %d
  terminator s_cbranch_scc1 far
  linear far, near
  logical far, near
block near
  s_nop 0
  linear far
  logical far
block far
  terminator s_endpgm
"""


def program() -> Kernel:
    return machine(CODE)


def test_a_carry_reads_the_sum_before_it_and_a_branch_the_compare() -> None:
    entry, *_ = program().blocks
    assert [reads_scc(instr) for instr in entry.instructions] == [False, False, True, False, False]
    assert scc_sources(entry.instructions, is_awaited=True) == {2: 1, 5: 4}
    assert scc_sources(entry.instructions, is_awaited=False) == {2: 1}
    assert scc_is_read_first(entry.instructions[2:]) and not scc_is_read_first(entry.instructions)


def test_what_is_awaited_at_the_end_of_a_block() -> None:
    kernel = program()
    assert scc_awaited_at_ends(kernel) == [True, False, False]
    assert scc_live_out(kernel) == [False, False, False]


def test_scc_lives_through_a_block_that_leaves_it_alone() -> None:
    kernel = machine(CODE.replace("block far\n", "block far\n  s_cselect_b32 s8, s9, s10\n"))
    assert scc_live_out(kernel) == scc_awaited_at_ends(kernel) == [True, True, False]
