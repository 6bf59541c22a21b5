"""Allocation of small programs, to the exact registers."""

from __future__ import annotations

import pytest

from isa.mir.parser import parse_kernel
from isa.registers import FIRST_VGPR, VCC
from regalloc import allocate, allocate_and_rewrite
from tests.unit.regalloc.programs import HEADER, allocated, lines, machine

VECADD = """
register %p sgpr 4 align 4
register %offset vgpr
register %a vgpr 4 align 2
register %b vgpr 4 align 2
register %c vgpr 4 align 2
block entry
  s_load_dwordx4 %p, s[0:1], 0x0
  v_lshlrev_b32_e32 %offset, 4, v0
  global_load_dwordx4 %a, %offset, %p[0:1]
  global_load_dwordx4 %b, %offset, %p[2:3]
  v_add_f32_e32 %c[0], %a[0], %b[0]
  v_add_f32_e32 %c[1], %a[1], %b[1]
  v_add_f32_e32 %c[2], %a[2], %b[2]
  v_add_f32_e32 %c[3], %a[3], %b[3]
  global_store_dwordx4 %offset, %c, %p[0:1]
  terminator s_endpgm
"""


def test_a_result_tuple_overlays_an_operand_that_dies_part_by_part() -> None:
    text, allocation = allocated(VECADD)
    assert allocation.statistics.vgprs == 9  # one offset and two loaded quadruples
    assert text[5:9] == [f"v_add_f32_e32 v{i}, v{i}, v{i + 4}" for i in range(4)]


def test_source_and_destination_share_a_register_when_the_source_dies() -> None:
    text, allocation = allocated(
        """
register %a vgpr
register %b vgpr
block entry
  v_add_u32_e32 %a, 1, v0
  v_add_u32_e32 %b, 2, %a
  ds_write_b32 %b, %b
  terminator s_endpgm
"""
    )
    assert allocation.statistics.vgprs == 1
    assert text[1:3] == ["v_add_u32_e32 v0, 1, v0", "v_add_u32_e32 v0, 2, v0"]


def test_an_early_result_keeps_off_its_operands() -> None:
    """v_mov_b32_sdwa keeps half of its destination: its other source must not be the register that the copy goes to."""
    text, _ = allocated(
        """
register %old vgpr
register %x vgpr
register %r vgpr
block entry
  v_add_u32_e32 %old, 1, v0
  v_add_u32_e32 %x, 2, v0
  v_mov_b32_sdwa %r, %x dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD !tied(%old)
  ds_write_b32 %old, %r
  terminator s_endpgm
"""
    )
    assert text[3:5] == ["v_mov_b32_e32 v2, v1  # copy", "v_mov_b32_sdwa v2, v0 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD"]


def test_a_tied_operand_that_dies_gives_its_register() -> None:
    text, allocation = allocated(
        """
register %acc vgpr
register %x vgpr
register %r vgpr
block entry
  v_mov_b32_e32 %acc, 0
  v_add_u32_e32 %x, 2, v0
  v_fmac_f32_e32 %r, %x, %x !tied(%acc)
  ds_write_b32 v0, %r
  terminator s_endpgm
"""
    )
    assert text[3] == "v_fmac_f32_e32 v1, v2, v2"
    assert allocation.statistics.copies == 0


def test_a_tied_part_of_a_tuple() -> None:
    """The accumulators are parts of one tuple, the results parts of another: it lies over the first."""
    text, allocation = allocated(
        """
register %acc vgpr 2 align 2
register %r vgpr 2 align 2
block entry
  v_mov_b32_e32 %acc[0], 0
  v_mov_b32_e32 %acc[1], 0
  v_fmac_f32_e32 %r[0], v0, v0 !tied(%acc[0])
  v_fmac_f32_e32 %r[1], v0, v0 !tied(%acc[1])
  ds_write_b64 v0, %r
  terminator s_endpgm
"""
    )
    assert allocation.statistics.copies == 0
    assert text[3:5] == ["v_fmac_f32_e32 v2, v0, v0", "v_fmac_f32_e32 v3, v0, v0"]


def test_a_matrix_result_takes_its_accumulator_or_lies_apart() -> None:
    text, _ = allocated(
        """
register %a vgpr 2 align 2
register %c vgpr 4 align 2
register %d vgpr 4 align 2
register %e vgpr 4 align 2
block entry
  ds_read_b64 %a, v0
  ds_read_b128 %c, v0
  v_mfma_f32_16x16x16_f16 %d, %a, %a, %c
  v_mfma_f32_16x16x16_f16 %e, %a, %a, 0
  ds_write_b128 v0, %d
  ds_write_b128 v0, %e
  terminator s_endpgm
"""
    )
    assert text[3] == "v_mfma_f32_16x16x16_f16 v[4:7], v[2:3], v[2:3], v[4:7]"
    assert text[4] == "v_mfma_f32_16x16x16_f16 v[8:11], v[2:3], v[2:3], 0"


def test_physical_registers_of_the_program_are_kept_free_while_they_hold_something() -> None:
    text, _ = allocated(
        """
register %a sgpr
register %b sgpr
block entry
  s_add_u32 %a, s2, 1
  s_mov_b32 s3, 7
  s_add_u32 %b, %a, s2
  s_add_u32 s4, %b, s3
  terminator s_endpgm
"""
    )
    assert text[1:4] == ["s_add_u32 s0, s2, 1", "s_mov_b32 s3, 7", "s_add_u32 s0, s0, s2"]


def test_a_value_keeps_off_a_physical_register_that_is_written_later() -> None:
    text, _ = allocated(
        """
register %a sgpr
block entry
  s_add_u32 %a, s2, 1
  s_mov_b32 s0, 7
  s_add_u32 s1, %a, s0
  terminator s_endpgm
"""
    )
    assert text[1] == "s_add_u32 s1, s2, 1"


def test_vcc_is_the_last_choice_of_a_pair() -> None:
    body = "register %m sgpr 2 align 2\nblock entry\n  s_or_b64 %m, s[0:1], s[0:1]\n  s_not_b64 s[0:1], %m\n  terminator s_endpgm\n"
    kernel = machine(body)
    first = kernel.owners[0].first
    assert allocate(kernel).units[first] == 0
    kernel = machine(body.replace("s[0:1]", "exec"))
    assert allocate(kernel, reserved=frozenset(range(102))).units[first] == VCC.first


def test_a_mask_prefers_vcc_where_the_short_encoding_wants_it() -> None:
    text, _ = allocated(
        """
register %m sgpr 2 align 2
register %r vgpr
block entry
  v_cmp_lt_u32_e64 %m, 3, v0
  v_cndmask_b32_e64 %r, v0, v0, %m
  ds_write_b32 v0, %r
  terminator s_endpgm
"""
    )
    assert text[1:3] == ["v_cmp_lt_u32_e64 vcc, 3, v0", "v_cndmask_b32_e64 v1, v0, v0, vcc"]


def test_a_fixed_operand_gets_its_register() -> None:
    text, _ = allocated(
        """
register %m sgpr 2 align 2
register %r vgpr
block entry
  v_cmp_lt_u32_e64 %m, 3, v0
  v_cndmask_b32_e32 %r, v0, v0, %m
  ds_write_b32 v0, %r
  terminator s_endpgm
"""
    )
    assert text[1:3] == ["v_cmp_lt_u32_e64 vcc, 3, v0", "v_cndmask_b32_e32 v1, v0, v0, vcc"]


def test_moves_coalesce() -> None:
    text, _ = allocated(
        """
register %a vgpr
register %b vgpr
register %c vgpr
block entry
  v_mov_b32_e32 %a, v0
  v_add_u32_e32 %b, 1, %a
  v_mov_b32_e32 %c, %b
  ds_write_b32 %c, %c
  terminator s_endpgm
"""
    )
    assert text == ["block entry", "v_add_u32_e32 v0, 1, v0", "ds_write_b32 v0, v0", "terminator s_endpgm"]


def test_a_move_into_a_physical_register_takes_it_at_once() -> None:
    text, _ = allocated(
        """
register %a sgpr
block entry
  s_add_u32 %a, s2, 1
  s_mov_b32 s7, %a
  s_nop 0
  s_add_u32 s8, s7, s7
  terminator s_endpgm
"""
    )
    assert text[1:3] == ["s_add_u32 s7, s2, 1", "s_nop 0"]


def test_a_loop_carries_its_values_without_copies() -> None:
    text, allocation = allocated(
        """
register %i sgpr
register %j sgpr
register %sum vgpr
register %next vgpr
block entry
  linear head(0x0)
  logical head(0x0)
block head scalar(%i) vector(%sum)
  s_cmp_lt_u32 %i, 8
  terminator s_cbranch_scc0 exit
  linear exit, body
  logical exit, body
block body
  v_add_u32_e32 %next, %i, %sum
  s_add_u32 %j, %i, 1
  linear head(%j)
  logical head(%next)
block exit
  ds_write_b32 v0, %sum
  terminator s_endpgm
"""
    )
    assert allocation.statistics.copies == 2  # the two constants it starts with
    assert text[text.index("block body") :][1:3] == ["v_add_u32_e32 v1, s0, v1", "s_add_u32 s0, s0, 1"]


def test_a_parameter_that_needs_a_copy_leaves_its_register_to_those_that_need_none() -> None:
    """%x starts with v0, which is read after the loop. v1 is the lowest free register, and %first is in it."""
    text, allocation = allocated(
        """
register %i sgpr
register %j sgpr
register %first vgpr
register %second vgpr
register %x vgpr
register %y vgpr
register %z vgpr
register %more vgpr
block entry
  v_add_u32_e32 %first, 1, v0
  v_add_u32_e32 %second, 2, v0
  linear loop(0x0)
  logical loop(v0, %first, %second)
block loop scalar(%i) vector(%x, %y, %z)
  v_add3_u32 %more, %x, %y, %z
  s_add_u32 %j, %i, 1
  s_cmp_lt_u32 %j, 8
  terminator s_cbranch_scc0 exit
  linear exit, again
  logical exit, again
block again
  linear loop(%j)
  logical loop(%more, %y, %z)
block exit
  ds_write_b32 v0, %more
  terminator s_endpgm
"""
    )
    assert allocation.statistics.copies == 2  # the counter's first value, and v0
    assert "v_add3_u32 v3, v3, v1, v2" in text


def test_a_load_under_a_mask_goes_over_the_values_of_the_lanes_that_are_off() -> None:
    """A move and the parameter of the join lie between %loaded and %zero. %address leaves a free pair below
    %zero's."""
    text, allocation = allocated(
        """
register %mask sgpr 2 align 2
register %address vgpr 2 align 2
register %zero vgpr 2 align 2
register %loaded vgpr 2 align 2
register %moved vgpr 2 align 2
register %both vgpr 2 align 2
block entry
  ds_read_b64 %address, v0
  v_mov_b32_e32 %zero[0], 0
  v_mov_b32_e32 %zero[1], 0
  v_cmp_gt_u32_e32 vcc, 9, v0
  s_and_saveexec_b64 %mask, vcc
  terminator s_cbranch_execz skip
  linear skip, then
  logical then, other
block skip
  linear other
block then
  global_load_dwordx2 %loaded, %address, off
  v_mov_b32_e32 %moved[0], %loaded[0]
  v_mov_b32_e32 %moved[1], %loaded[1]
  linear other
  logical join(%moved)
block other
  s_andn2_b64 exec, %mask, exec
  linear join
  logical join(%zero)
block join vector(%both)
  s_mov_b64 exec, %mask
  ds_write_b64 v0, %both
  terminator s_endpgm
"""
    )
    assert allocation.statistics.copies == 0
    assert "global_load_dwordx2 v[4:5], v[2:3], off" in text


def test_of_parameters_that_begin_with_the_same_value_one_takes_its_register() -> None:
    """%x and %y begin with %zero, and only one can have its register. The other comes after %z, and leaves it
    the register of %first."""
    text, allocation = allocated(
        """
register %i sgpr
register %j sgpr
register %first vgpr
register %zero vgpr
register %x vgpr
register %y vgpr
register %z vgpr
register %sum vgpr
register %more vgpr
block entry
  v_add_u32_e32 %first, 1, v0
  v_mov_b32_e32 %zero, 0
  linear loop(0x0)
  logical loop(%zero, %zero, %first)
block loop scalar(%i) vector(%x, %y, %z)
  v_add_u32_e32 %sum, %x, %z
  v_add_u32_e32 %more, %y, %sum
  s_add_u32 %j, %i, 1
  s_cmp_lt_u32 %j, 8
  terminator s_cbranch_scc0 exit
  linear exit, again
  logical exit, again
block again
  linear loop(%j)
  logical loop(%sum, %more, %z)
block exit
  ds_write_b32 v0, %more
  terminator s_endpgm
"""
    )
    assert allocation.statistics.copies == 2, text  # the counter's first value, and the second zero


def test_units_of_an_early_placed_tuple_keep_their_place() -> None:
    """%t is placed with its first part; a value defined before its second part must not take that register
    for longer."""
    text, _ = allocated(
        """
register %t vgpr 2 align 2
register %x vgpr
register %y vgpr
block entry
  v_mov_b32_e32 %t[0], 1
  v_mov_b32_e32 %x, 2
  v_add_u32_e32 %y, 3, %x
  v_add_u32_e32 %t[1], %y, %x
  ds_write_b64 %x, %t
  terminator s_endpgm
""".replace("ds_write_b64 %x, %t", "ds_write_b64 v0, %t")
    )
    assert text[1:5] == ["v_mov_b32_e32 v2, 1", "v_mov_b32_e32 v1, 2", "v_add_u32_e32 v3, 3, v1", "v_add_u32_e32 v3, v3, v1"]


def test_the_result_does_not_depend_on_anything_but_the_program() -> None:
    one, other = allocate(machine(VECADD)), allocate(machine(VECADD))
    assert one == other
    assert min(one.units.values()) >= 0
    assert max(one.units.values()) < FIRST_VGPR + 9


def test_accumulators_in_agprs() -> None:
    """Two accumulators that change places around a loop, in their own file."""
    text, allocation = allocated(
        """
register %i sgpr
register %j sgpr
register %a vgpr 2 align 2
register %x agpr 4 align 2
register %y agpr 4 align 2
register %z agpr 4 align 2
block entry
  ds_read_b64 %a, v0
  linear head(0x0)
  logical head(0x0, 0x3f800000)
block head scalar(%i) vector(%x, %y)
  s_cmp_lt_u32 %i, 8
  terminator s_cbranch_scc0 exit
  linear exit, body
  logical exit, body
block body
  v_mfma_f32_16x16x16_f16 %z, %a, %a, %x
  s_add_u32 %j, %i, 1
  linear head(%j)
  logical head(%y, %z)
block exit
  ds_write_b128 v0, %x
  ds_write_b128 v0, %y
  terminator s_endpgm
"""
    )
    assert (allocation.statistics.agprs, allocation.statistics.vgprs) == (9, 4)
    body = text[text.index("block body") :]
    assert body[1] == "v_mfma_f32_16x16x16_f16 a[0:3], v[2:3], v[2:3], a[0:3]"
    assert len([line for line in body if line.startswith("v_accvgpr_mov_b32")]) == 12


@pytest.mark.parametrize(("target", "places"), [("gfx942", (4, 0)), ("gfx1100", (4, 1)), ("gfx1201", (4, 1))])
def test_neighbours_lie_in_two_banks_where_there_are_dual_instructions(target: str, places: tuple[int, int]) -> None:
    """The first result takes the place of its addend; v0, v1 and v3 are free for the second: the lowest, or that of another parity."""
    body = """
register %x vgpr
register %y vgpr
register %z vgpr
register %w vgpr
register %a vgpr
register %b vgpr
block entry
  v_mov_b32_e32 %x, v0
  v_mov_b32_e32 %y, v0
  v_mov_b32_e32 %z, v0
  v_mov_b32_e32 %w, v0
  v_fma_f32 %a, %x, %z, %w
  v_add_f32_e32 %b, %y, v0
  v_fma_f32 v0, %a, %b, %y
  terminator s_endpgm
"""
    kernel = parse_kernel(HEADER.format(workgroup=64).replace("gfx942", target) + body, "test.mir")
    allocation = allocate(kernel)
    firsts = {owner.name: owner.first for owner in kernel.owners}
    assert tuple(allocation.units[firsts[name]] - FIRST_VGPR for name in "ab") == places
    assert allocation.statistics.vgprs == 5


READ_BY_VECTORS = """stage machine gfx1201
kernel test
workgroup 32 1 1
argument out offset=0 size=8 kind=global_buffer space=global access=write_only type=u32
entry kernarg_segment_ptr s[0:1]
entry workgroup_id_x ttmp9
entry workitem_id v0
register %a sgpr
register %b sgpr
register %c sgpr
register %x vgpr
register %y vgpr
block entry
  s_lshl_b32 %a, ttmp9, 2
  v_add_nc_u32_e32 %x, %a, v0
  s_lshl_b32 %b, ttmp9, 3
  s_add_co_u32 %c, %b, 1
  v_add_nc_u32_e32 %y, %c, %x
  global_store_b32 %x, %y, s[0:1]
  terminator s_endpgm
"""


def test_a_scalar_is_in_a_register_that_no_vector_instruction_has_read() -> None:
    """On RDNA4 a reader waits until it is written (LLVM's VALUReadSGPRHazard)."""
    rewritten, _ = allocate_and_rewrite(parse_kernel(READ_BY_VECTORS, "test.mir"))
    first, second = [line.split()[1] for line in lines(rewritten) if line.startswith("s_lshl_b32")]
    assert first != second
