"""Live sets that were worked out by hand: before each instruction, in layout order, with edge arguments, if
any."""

from __future__ import annotations

from asmgen.report.live import live_sets
from asmgen.report.values import LiveKernel
from isa.mir.parser import parse_kernel
from isa.names import RegisterNames
from isa.program import Kernel
from isa.registers import Register
from tests.unit.regalloc.programs import machine
from tests.unit.report.live_walk import sets_before

STRAIGHT = """
register %p sgpr 2 align 2
register %o vgpr
register %x vgpr 4 align 2
register %s vgpr
register %t vgpr
register %u vgpr
block entry
  s_load_dwordx2 %p, s[0:1], 0x0
  v_lshlrev_b32_e32 %o, 4, v0
  global_load_dwordx4 %x, %o, %p
  v_add_f32_e32 %s, %x[0], %x[3]
  v_mul_f32_e32 %t, %x[1], %x[2]
  v_add_f32_e32 %u, %s, %t
  global_store_dword %o, %u, %p
  terminator s_endpgm
"""
STRAIGHT_LIVE = [
    "s0 s1 v0",
    "v0 %p[0] %p[1]",
    "%p[0] %p[1] %o",
    "%p[0] %p[1] %o %x[0] %x[1] %x[2] %x[3]",
    "%p[0] %p[1] %o %x[1] %x[2] %s",
    "%p[0] %p[1] %o %s %t",
    "%p[0] %p[1] %o %u",
    "",
]

LOOP = """
register %p sgpr 2 align 2
register %o vgpr
register %z vgpr
register %n0 sgpr
register %n sgpr
register %n1 sgpr
register %a vgpr
register %x vgpr
register %a1 vgpr
block entry
  s_load_dwordx2 %p, s[0:1], 0x0
  v_lshlrev_b32_e32 %o, 2, v0
  v_mov_b32_e32 %z, 0
  s_mov_b32 %n0, 8
  linear loop(%n0)
  logical loop(%z)
block loop scalar(%n) vector(%a)
  global_load_dword %x, %o, %p
  s_sub_u32 %n1, %n, 1
  v_add_f32_e32 %a1, %a, %x
  s_cmp_lg_u32 %n1, 0
  terminator s_cbranch_scc1 again
  linear again, done
  logical again, done
block again
  linear loop(%n1)
  logical loop(%a1)
block done
  global_store_dword %o, %a1, %p
  terminator s_endpgm
"""
LOOP_LIVE = [
    "s0 s1 v0",
    "v0 %p[0] %p[1]",
    "%p[0] %p[1] %o",
    "%p[0] %p[1] %o %z",
    "%p[0] %p[1] %o %z %n0",  # the arguments of the edge
    "%p[0] %p[1] %o %n %a",  # the parameters have arrived
    "%p[0] %p[1] %o %n %a %x",
    "%p[0] %p[1] %o %n1 %a %x",
    "%p[0] %p[1] %o %n1 %a1",
    "scc %p[0] %p[1] %o %n1 %a1",
    "%p[0] %p[1] %o %n1 %a1",  # the arguments of the back edge
    "%p[0] %p[1] %o %a1",
    "",
]

# Lanes above 7 leave 5 in v1, the others 9; v2 is read by both sides, v3 by the second alone.
DIVERGENT = """
block entry
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_add_u32_e32 v2, 2, v0
  v_add_u32_e32 v3, 3, v0
  v_cmp_lt_u32_e32 vcc, 7, v0
  s_and_saveexec_b64 s[6:7], vcc
  terminator s_cbranch_execz flip
  linear flip, then
  logical flip, then
block then
  v_add_u32_e32 v1, 5, v2
  linear flip
  logical flip
block flip
  s_andn2_b64 exec, s[6:7], exec
  terminator s_cbranch_execz join
  linear join, else
  logical join, else
block else
  v_mov_b32_e32 v4, 9
  v_add_u32_e32 v4, v4, v3
  v_add_u32_e32 v1, v4, v2
  linear join
  logical join
block join
  s_mov_b64 exec, s[6:7]
  v_lshlrev_b32_e32 v0, 2, v0
  global_store_dword v0, v1, s[4:5]
  terminator s_endpgm
"""
DIVERGENT_LIVE = [
    "s0 s1 v0",
    "s4 s5 v0",
    "s4 s5 v0 v2",
    "s4 s5 v0 v2 v3",
    "s4 s5 vcc_lo vcc_hi v0 v2 v3",
    "s4 s5 s6 s7 v0 v2 v3",
    "s4 s5 s6 s7 v0 v2 v3",
    "s4 s5 s6 s7 v0 v1 v2 v3",  # v1 has the values that the lanes of `then` wrote
    "s4 s5 s6 s7 v0 v1 v2 v3",
    "s4 s5 s6 s7 v0 v1 v2 v3",  # and so it does across `else`, which those lanes skip
    "s4 s5 s6 s7 v0 v1 v2 v3 v4",
    "s4 s5 s6 s7 v0 v1 v2 v4",
    "s4 s5 s6 s7 v0 v1",
    "s4 s5 v0 v1",
    "s4 s5 v0 v1",
    "",
]


def live(kernel: Kernel) -> list[str]:
    """The units live before each instruction, parameters at their block; points without an instruction only
    with arguments."""
    names, sets, found = RegisterNames(kernel.owners), live_sets(kernel), list[str]()
    for number, slots in enumerate(sets.liveness.slots):
        before = sets_before(sets, number)
        for index, uses in enumerate(slots.uses):
            if index == slots.copies and not uses:
                continue
            units = before[index] | (set(slots.parameters) if index == 0 else set[int]())
            found.append(" ".join(names(Register(unit)) for unit in sorted(units)))
    return found


def counted(expected: list[str]) -> list[tuple[int, int, int]]:
    """How many of the units lie in each register file, AGPRs none; SCC is in no file."""
    found: list[tuple[int, int, int]] = []
    for line in expected:
        units = line.replace("scc", "").split()
        scalars = sum(unit.startswith(("s", "vcc", "%p", "%n")) for unit in units)
        found.append((len(units) - scalars, 0, scalars))
    return found


def test_straight_line_with_a_tuple_whose_parts_die_apart() -> None:
    kernel = machine(STRAIGHT)
    assert live(kernel) == STRAIGHT_LIVE
    program = LiveKernel(kernel, live_sets(kernel))
    assert [point.live for point in program.points] == counted(STRAIGHT_LIVE)
    # an instruction's results count with what outlives it
    assert [point.pressure[0] for point in program.points] == [1, 1, 5, 5, 4, 3, 2, 0]


def test_a_loop_with_carried_values() -> None:
    kernel = machine(LOOP)
    assert live(kernel) == LOOP_LIVE
    program = LiveKernel(kernel, live_sets(kernel))
    assert [point.live for point in program.points] == counted(LOOP_LIVE)
    assert [point.site.text for point in program.points].count("edge arguments") == 2


def test_a_lane_value_of_then_is_live_across_the_else_that_skips_it() -> None:
    kernel = machine(DIVERGENT)
    assert live(kernel) == DIVERGENT_LIVE
    assert [point.live for point in LiveKernel(kernel, live_sets(kernel)).points] == counted(DIVERGENT_LIVE)


def test_the_same_if_without_exec_has_no_such_life() -> None:
    """Under full EXEC each write replaces the whole register."""
    uniform = DIVERGENT.replace("s_and_saveexec_b64 s[6:7], vcc", "s_and_b64 s[6:7], vcc, s[4:5]").replace("s_cbranch_execz", "s_cbranch_scc1")
    uniform = uniform.replace("s_andn2_b64 exec, s[6:7], exec", "s_cmp_lg_u32 s6, 0").replace("s_mov_b64 exec, s[6:7]", "s_nop 0")
    lines = live(machine(uniform))
    assert "v1" not in lines[10].split()
    assert "v1" in lines[8].split()  # the way around `else` keeps what `then` wrote


LANE_LOOP = """
block entry
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v1, 0
  s_mov_b64 s[8:9], 0
  linear loop
  logical loop
block loop
  v_add_u32_e32 v1, 1, v1
  v_mov_b32_e32 v2, v1
  v_cmp_le_u32_e32 vcc, v0, v2
  s_or_b64 s[8:9], vcc, s[8:9]
  s_andn2_b64 exec, exec, s[8:9]
  terminator s_cbranch_execnz loop
  linear loop, done
  logical loop, done
block done
  s_mov_b64 exec, -1
  global_store_dword v0, v1, s[4:5]
  terminator s_endpgm
"""


def test_a_loop_that_lanes_leave_one_by_one() -> None:
    """v1 of the lanes that have left waits for the store; v2 is the running lanes' own from write to read."""
    lines = live(machine(LANE_LOOP))
    assert [("v1" in line.split(), "v2" in line.split()) for line in lines] == [
        (False, False), (False, False), (True, False), (True, False), (True, False), (True, True), (True, False), (True, False), (True, False),
        (True, False), (True, False), (False, False),
    ]  # fmt: skip


def test_a_write_that_ignores_exec_ends_every_lane() -> None:
    """v_readlane reads a lane whether it is on or off; a value written in all lanes at once is dead before."""
    kernel = machine(
        """
block entry
  v_mov_b32_e32 v1, 7
  v_cmp_lt_u32_e32 vcc, 7, v0
  s_and_saveexec_b64 s[6:7], vcc
  v_mov_b32_e32 v1, 1
  v_mov_b32_e32 v2, 1
  v_readlane_b32 s8, v1, 3
  v_add_u32_e32 v2, s8, v2
  ds_write_b32 v2, v2
  terminator s_endpgm
"""
    )
    lines = live(kernel)
    assert "v1" in lines[3].split()  # lanes that are off keep 7, and lane 3 may be one of them
    assert "v1" in lines[5].split()
    assert "v2" not in lines[4].split()


def where(register: str, body: str) -> list[int]:
    """The instructions before which a register is live."""
    return [number for number, line in enumerate(live(machine(body))) if register in line.split()]


def test_a_branch_around_an_empty_exec_needs_nothing_of_what_it_skips() -> None:
    """v1 is a temporary first; the lanes that read it last have all been through `then`, so it is dead in between."""
    body = """
block entry
  v_mov_b32_e32 v1, 1
  v_cmp_lt_u32_e32 vcc, v1, v0
  s_and_saveexec_b64 s[6:7], vcc
  terminator s_cbranch_execz join
  linear join, then
  logical join, then
block then
  v_mov_b32_e32 v1, 2
  linear join
  logical join
block join
  ds_write_b32 v0, v1
  terminator s_endpgm
"""
    assert where("v1", body) == [1, 5]


def test_the_next_round_of_a_loop_may_run_other_lanes() -> None:
    """Lanes that are off in a round keep a v1 that they may read in the next, whatever the round writes."""
    body = """
block entry
  v_mov_b32_e32 v1, 0
  linear loop
  logical loop
block loop
  v_cmp_lt_u32_e32 vcc, s2, v0
  s_and_saveexec_b64 s[6:7], vcc
  v_add_u32_e32 v2, 1, v1
  v_mov_b32_e32 v1, v2
  s_mov_b64 exec, s[6:7]
  s_sub_u32 s2, s2, 1
  s_cmp_lg_u32 s2, 0
  terminator s_cbranch_scc1 loop
  linear loop, done
  logical loop, done
block done
  terminator s_endpgm
"""
    assert where("v1", body) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert where("v2", body) == [4]


def test_what_was_never_written_is_not_live() -> None:
    """The lanes that are off store v1 as it is: it was never written."""
    body = """
block entry
  v_cmp_lt_u32_e32 vcc, 7, v0
  s_and_saveexec_b64 s[6:7], vcc
  v_mov_b32_e32 v1, 2
  s_mov_b64 exec, s[6:7]
  ds_write_b32 v0, v1
  terminator s_endpgm
"""
    assert where("v1", body) == [3, 4]


def test_a_comparison_gives_no_lane_that_is_off() -> None:
    """The inner mask lies within the outer mask, so the write under the outer mask replaces all that is
    read."""
    body = """
block entry
  v_mov_b32_e32 v1, 1
  v_cmp_lt_u32_e32 vcc, v1, v0
  s_and_saveexec_b64 s[6:7], vcc
  v_mov_b32_e32 v1, 2
  v_cmp_lt_u32_e32 vcc, 9, v0
  s_mov_b64 exec, vcc
  ds_write_b32 v0, v1
  terminator s_endpgm
"""
    assert where("v1", body) == [1, 4, 5, 6]


def of_gfx1100(body: str) -> Kernel:
    """A machine program for waves of 32 lanes."""
    header = "stage machine gfx1100\nkernel test\nworkgroup 64 1 1\nentry kernarg_segment_ptr s[0:1]\nentry workgroup_id_x s2\nentry workitem_id v0\n"
    return parse_kernel(header + body, "test.mir")


def test_masks_of_waves_of_32_are_single_registers() -> None:
    """The same program as above: a mask is one SGPR, and its neighbour is none of its business."""
    body = DIVERGENT
    for wide, narrow in (
        ("s_load_dwordx2", "s_load_b64"), ("v_add_u32", "v_add_nc_u32"), ("s_and_saveexec_b64 s[6:7], vcc", "s_and_saveexec_b32 s6, vcc_lo"),
        ("s_andn2_b64 exec, s[6:7], exec", "s_and_not1_b32 exec_lo, s6, exec_lo"), ("s_mov_b64 exec, s[6:7]", "s_mov_b32 exec_lo, s6"),
        ("vcc, 7", "vcc_lo, 7"), ("global_store_dword", "global_store_b32"),
    ):  # fmt: skip
        assert wide in body
        body = body.replace(wide, narrow)
    assert live(of_gfx1100(body)) == [line.replace(" s7", "").replace(" vcc_hi", "") for line in DIVERGENT_LIVE]


def test_a_scalar_of_a_vector_is_no_mask_of_the_lanes_that_are_on() -> None:
    """The result of v_readfirstlane may have bits of lanes that are off, so v1 keeps its value there."""
    body = """
block entry
  v_mov_b32_e32 v1, 1
  v_cmp_lt_u32_e32 vcc_lo, 7, v0
  s_and_saveexec_b32 s6, vcc_lo
  v_mov_b32_e32 v1, 2
  v_readfirstlane_b32 s7, v0
  s_mov_b32 exec_lo, s7
  ds_store_b32 v0, v1
  terminator s_endpgm
"""
    assert "v1" in live(of_gfx1100(body))[3].split()
    masked = body.replace("v_readfirstlane_b32 s7, v0", "v_cmp_lt_u32_e64 s7, 9, v0")
    assert "v1" not in live(of_gfx1100(masked))[3].split()


HALVES = """
block entry
  v_mov_b32_e32 v1, 1
  v_mov_b32_e32 v2, 2
  v_cvt_f16_f32_e32 v1.h, v0
  v_cvt_f16_f32_e32 v1.l, v0
  v_add_f32_e32 v2, v2, v2
  v_cvt_f16_f32_e32 v2.l, v2
  v_add_f16_e32 v3.l, v1.l, v1.h
  v_add_f16_e32 v3.l, v3.l, v2.h
  ds_store_b16 v0, v3
  terminator s_endpgm
"""


def test_a_write_of_one_half_keeps_the_other() -> None:
    """v1 is dead until its first half is written; v2's high half lives across the write of its low half,
    which has no reader."""
    lines = live(of_gfx1100(HALVES))
    assert [("v1" in line.split(), "v2" in line.split()) for line in lines] == [
        (False, False), (False, False), (False, True), (True, True), (True, True), (True, True), (True, True), (False, True), (False, False),
        (False, False),
    ]  # fmt: skip


def test_each_half_has_its_own_definition() -> None:
    longer = HALVES.replace("v1.l, v0\n", "v1.l, v0\n  v_mov_b32_e32 v4, 4\n").replace("v0, v3\n", "v0, v3\n  ds_store_b32 v0, v4\n")
    kernel = of_gfx1100(longer.replace("v_add_f32_e32 v2, v2, v2", "ds_store_b32 v0, v2"))
    program = LiveKernel(kernel, live_sets(kernel))
    values = {value.name: value for value in program.values(program.peaks["VGPR"], {})}
    assert program.peaks["VGPR"].slot == (0, 4)
    assert [site.point for site in values["v1"].definitions] == [2, 3]
    assert values["v2"].last_use is not None
    assert values["v2"].last_use.point == 8


def test_the_last_use_of_a_value_is_that_of_its_last_register() -> None:
    """`%x[1]` and `%x[2]` are read after the others."""
    kernel = machine(STRAIGHT)
    program = LiveKernel(kernel, live_sets(kernel))
    by_name = {value.name: value for value in program.values(program.peaks["VGPR"], {})}
    assert by_name["%x"].last_use is not None
    assert by_name["%x"].last_use.text == "v_mul_f32_e32 %t, %x[1], %x[2]"
