"""Liveness: scalars along linear edges, vectors along logical edges."""

from __future__ import annotations

import pytest

from isa.program import Block, Kernel
from isa.registers import FIRST_VGPR, SCC, RegisterClass
from regalloc import allocate_and_rewrite, compute_liveness
from regalloc.liveness import RememberedLiveness
from regalloc.slots import unit_name
from tests.unit.regalloc.programs import machine

DIVERGENT = """
register %m sgpr 2 align 2
register %saved sgpr 2 align 2
register %u sgpr
register %a vgpr
register %b vgpr
register %t vgpr
register %e vgpr
register %r vgpr
register %z vgpr
block entry
  s_add_u32 %u, s2, 1
  v_add_u32_e32 %a, 1, v0
  v_add_u32_e32 %b, 2, v0
  v_cmp_lt_u32_e64 %m, %a, %b
  s_and_saveexec_b64 %saved, %m
  terminator s_cbranch_execz flip
  linear flip, then
  logical then, else
block then
  v_add_u32_e32 %t, %a, %a
  linear flip
  logical join(%t)
block flip
  s_andn2_b64 exec, %saved, exec
  linear else
block else
  v_add_u32_e32 %e, %u, %b
  linear join
  logical join(%e)
block join vector(%r)
  s_mov_b64 exec, %saved
  v_add_u32_e32 %z, %r, %r
  ds_write_b32 v0, %z
  terminator s_endpgm
"""


def names(kernel: Kernel, units: list[int]) -> set[str]:
    return {unit_name(kernel, unit) for unit in units}


def test_a_uniform_value_lives_across_the_then_that_comes_before_its_else() -> None:
    kernel = machine(DIVERGENT)
    liveness = compute_liveness(kernel)
    assert "%u" in names(kernel, liveness.live_in("then"))
    assert "%saved.0" in names(kernel, liveness.live_in("then"))


def test_a_lane_value_does_not_live_in_the_side_that_its_lanes_skip() -> None:
    kernel = machine(DIVERGENT)
    liveness = compute_liveness(kernel)
    assert names(kernel, liveness.live_in("then")) & {"%a", "%b"} == {"%a"}
    assert names(kernel, liveness.live_in("else")) & {"%a", "%b"} == {"%b"}


def test_arguments_are_read_at_the_end_of_their_block_and_parameters_are_not_live_in() -> None:
    kernel = machine(DIVERGENT)
    liveness = compute_liveness(kernel)
    assert "%t" in names(kernel, liveness.live_at("then", 1))
    assert "%t" not in names(kernel, liveness.live_out("then"))
    assert names(kernel, liveness.live_in("join")) == {"%saved.0", "%saved.1", "v0"}


def test_live_at_a_point() -> None:
    kernel = machine(DIVERGENT)
    liveness = compute_liveness(kernel)
    assert names(kernel, liveness.live_at("entry", 0)) == {"s2", "v0"}
    assert names(kernel, liveness.live_at("entry", 3)) == {"%u", "%a", "%b", "v0"}
    assert names(kernel, liveness.live_at("join", 2)) == {"%z", "v0"}


def test_scc_is_live_between_its_write_and_its_read() -> None:
    kernel = machine(
        """
register %a sgpr
register %b sgpr
block entry
  s_add_u32 %a, s2, s2
  s_nop 0
  s_addc_u32 %b, %a, 0
  terminator s_endpgm
"""
    )
    liveness = compute_liveness(kernel)
    assert SCC.first in liveness.live_at("entry", 2)
    assert SCC.first not in liveness.live_at("entry", 0)


def test_parts_of_a_tuple_live_and_die_one_by_one() -> None:
    kernel = machine(
        """
register %t vgpr 2 align 2
register %x vgpr
block entry
  v_mov_b32_e32 %t[0], 1
  v_mov_b32_e32 %t[1], 2
  v_add_u32_e32 %x, %t[0], v0
  ds_write_b32 %x, %t[1]
  terminator s_endpgm
"""
    )
    liveness = compute_liveness(kernel)
    assert names(kernel, liveness.live_at("entry", 1)) == {"%t.0", "v0"}
    assert names(kernel, liveness.live_at("entry", 3)) == {"%t.1", "%x"}


def test_pressure_counts_what_is_live_before_an_instruction() -> None:
    kernel = machine(
        """
register %a vgpr
register %b vgpr
register %c vgpr
block entry
  v_mov_b32_e32 %a, 1
  v_mov_b32_e32 %b, 2
  v_add_u32_e32 %c, %a, %b
  ds_write_b32 %c, %c
  terminator s_endpgm
"""
    )
    pressure = compute_liveness(kernel).pressure[RegisterClass.VGPR]
    assert (pressure.units, pressure.label, pressure.index) == (2, "entry", 2)


def test_a_result_that_nobody_reads_counts_where_it_is_written() -> None:
    kernel = machine(
        """
register %a vgpr
register %b vgpr
block entry
  v_mov_b32_e32 %a, 1
  v_mov_b32_e32 %b, 2
  ds_write_b32 %a, %a
  terminator s_endpgm
"""
    )
    pressure = compute_liveness(kernel).pressure[RegisterClass.VGPR]
    assert (pressure.units, pressure.index) == (2, 1)


@pytest.mark.parametrize(("added", "label"), [(1, "entry"), (2, "entry"), (3, "last")])
def test_values_inside_of_a_block_count_beside_those_that_enter_it(added: int, label: str) -> None:
    """The pressure is that of the first block of the most units, whether the others are walked or not."""
    lines = ["register %a vgpr", "register %b vgpr", *[f"register %c{i} vgpr" for i in range(added)], "block entry"]
    lines += ["  v_mov_b32_e32 %a, 1", "  v_mov_b32_e32 %b, 2", "  v_mov_b32_e32 %c0, 2", "  ds_write_b32 %a, %b"]
    lines += ["  ds_write_b32 %a, %c0", "  linear last", "  logical last", "block last"]
    lines += [f"  v_add_u32_e32 %c{i}, {i}, v0" for i in range(1, added)]
    lines += [f"  ds_write_b32 v0, %c{i}" for i in range(1, added)]
    kernel = machine("\n".join([*lines, "  ds_write_b32 v0, %a", "  ds_write_b32 v0, %b", "  terminator s_endpgm", ""]))
    pressure = compute_liveness(kernel).pressure[RegisterClass.VGPR]
    most = [compute_liveness(kernel).block_pressure(number)[RegisterClass.VGPR] for number in range(2)]
    assert pressure.label == label and pressure == max(most, key=lambda each: each.units)


def test_parameters_count_in_their_block() -> None:
    lines = ["register %a vgpr", *[f"register %p{i} vgpr" for i in range(4)], "block entry", "  v_mov_b32_e32 %a, 1", "  linear next"]
    lines += ["  logical next(%a, %a, %a, %a)", "block next vector(%p0, %p1, %p2, %p3)", *[f"  ds_write_b32 %p0, %p{i}" for i in range(1, 4)]]
    pressure = compute_liveness(machine("\n".join([*lines, "  terminator s_endpgm", ""]))).pressure[RegisterClass.VGPR]
    assert (pressure.label, pressure.units) == ("next", 4)


def test_the_same_questions_of_an_allocated_program() -> None:
    rewritten, allocation = allocate_and_rewrite(machine(DIVERGENT))
    liveness = compute_liveness(rewritten)
    assert liveness.pressure[RegisterClass.VGPR].units <= allocation.statistics.vgprs
    before = compute_liveness(machine(DIVERGENT)).live_in("then")
    scalars = {allocation.units[unit] for unit in before if unit in allocation.units and allocation.units[unit] < FIRST_VGPR}
    assert scalars <= set(liveness.live_in("then"))


APART = """
register %p vgpr
register %q vgpr
register %s vgpr
block entry
  v_add_u32_e32 %p, 1, v0
  v_add_u32_e32 %q, 2, v0
  linear last
  logical last
block last
  v_add_u32_e32 %s, %p, %q
  ds_write_b32 v0, %s
  terminator s_endpgm
"""


def test_a_new_order_of_instructions_needs_no_new_liveness_between_blocks() -> None:
    kernel = machine(APART)
    entry, last = kernel.blocks
    turned = kernel.with_blocks([entry.with_instructions(entry.instructions[::-1]), last])
    known, own = compute_liveness(kernel), compute_liveness(turned)
    assert known.pressure
    found = known.reordered(turned)
    assert found is not None and found.kernel is turned
    for number, label in enumerate(("entry", "last")):
        assert (found.entering(number), found.leaving(number)) == (own.entering(number), own.leaving(number))
        assert [found.live_at(label, index) for index in range(3)] == [own.live_at(label, index) for index in range(3)]
        assert found.block_pressure(number) == own.block_pressure(number)
    assert found.slots == own.slots
    assert found.pressure == own.pressure


def test_other_instructions_need_liveness_of_their_own() -> None:
    kernel = machine(APART)
    known, (entry, last) = compute_liveness(kernel), kernel.blocks
    left_out = entry.with_instructions(entry.instructions[:1])
    twice = entry.with_instructions([entry.instructions[0]] * 2)
    parameter = Block("last", (), last.instructions[0].defined(), last.instructions, last.terminator)
    for blocks in ([left_out, last], [twice, last], [entry], [entry, parameter], [last, entry]):
        assert known.reordered(kernel.with_blocks(blocks)) is None
    assert known.reordered(machine(APART)) is None, "another kernel has registers of its own"


def test_a_pass_gets_the_liveness_of_the_order_before() -> None:
    kernel = machine(APART)
    entry, last = kernel.blocks
    turned = kernel.with_blocks([entry.with_instructions(entry.instructions[::-1]), last])
    liveness_of = RememberedLiveness()
    assert liveness_of(kernel).flow is liveness_of(turned).flow
    assert liveness_of(turned) is liveness_of(turned)
