"""A value that a loop carries through several steps ends in its parameter's register."""

from __future__ import annotations

import pytest

from regalloc.cfg import build_control_flow
from regalloc.scan.carried import carried_loads
from regalloc.verify import verify
from tests.unit.regalloc.programs import allocated, machine

TWO_STEPS = """
register %base sgpr 2 align 2
register %next sgpr
register %i sgpr
register %x vgpr 4 align 2
register %offset vgpr
register %gone vgpr 2 align 2
register %first vgpr 4 align 2
register %most vgpr 4 align 2
register %a vgpr 4 align 2
register %b vgpr 4 align 2
block entry
  s_load_dwordx2 %base, s[0:1], 0x0
  v_lshlrev_b32_e32 %offset, 4, v0
  v_mov_b32_e32 %gone[0], 1
  v_mov_b32_e32 %gone[1], 2
  global_load_dwordx4 %first, %offset, %base
  global_store_dwordx2 %offset, %gone, %base
  linear loop(0)
  logical loop(%first)
block loop scalar(%i) vector(%most)
  global_load_dwordx4 %x, %offset, %base
  v_max_f32_e32 %a[0], %most[0], %x[0]
  v_max_f32_e32 %a[1], %most[1], %x[1]
  v_max_f32_e32 %a[2], %most[2], %x[2]
  v_max_f32_e32 %a[3], %most[3], %x[3]
  v_max_f32_e32 %b[0], %a[0], %x[3]
  v_max_f32_e32 %b[1], %a[1], %x[2]
  v_max_f32_e32 %b[2], %a[2], %x[1]
  v_max_f32_e32 %b[3], %a[3], %x[0]
  s_add_u32 %next, %i, 1
  s_cmp_lt_u32 %next, 9
  terminator s_cbranch_scc0 done
  linear done, again
  logical done, again
block again
  linear loop(%next)
  logical loop(%b)
block done
  global_store_dwordx4 %offset, %b, %base
  terminator s_endpgm
"""


def test_a_tuple_that_is_filled_part_by_part_on_the_way_takes_the_parameters_registers() -> None:
    """%first is above %gone, and the registers of %gone are free in the loop. If %a takes them, %b cannot
    take %most's."""
    text, allocation = allocated(TWO_STEPS)
    assert allocation.statistics.copies == 1  # the counter's first value
    steps = [line.split()[1] for line in text if line.startswith("v_max_f32_e32")]
    assert len(set(steps)) == 4 and steps[:4] == steps[4:], steps


def test_what_is_still_read_later_in_the_trip_keeps_its_own_register() -> None:
    """The store reads the parameter after the first step, so that this step cannot take its place."""
    body = TWO_STEPS.replace("  s_add_u32 %next,", "  global_store_dwordx4 %offset, %most, %base\n  s_add_u32 %next,")
    _, allocation = allocated(body)  # the checker has proven it
    assert allocation.statistics.vgprs > 12


AHEAD = """
register %base sgpr 2 align 2
register %next sgpr
register %i sgpr
register %offset vgpr
register %first vgpr {count}
register %now vgpr {count}
register %ahead vgpr {count}
register %sum vgpr
register %more vgpr
register %at vgpr
block entry
  s_load_dwordx2 %base, s[0:1], 0x0
  v_lshlrev_b32_e32 %offset, 4, v0
  v_mov_b32_e32 %sum, 0
  {load} %first, %offset, %base
  linear loop(0)
  logical loop(%first)
block loop scalar(%i) vector(%now)
  {read}
  v_add_u32_e32 %at, %i, %offset
  {load} %ahead, %at, %base
  global_store_dword %at, %more, %base
  s_add_u32 %next, %i, 1
  s_cmp_lt_u32 %next, 9
  terminator s_cbranch_scc0 done
  linear done, again
  logical done, again
block again
  linear loop(%next)
  logical loop(%ahead)
block done
  terminator s_endpgm
"""


@pytest.mark.parametrize(
    "count, load, read",
    [
        ("1 align 1", "global_load_dword", "v_add_u32_e32 %more, %sum, %now"),
        ("2 align 2", "global_load_dwordx2", "v_add_u32_e32 %more, %now[0], %now[1]"),
    ],
)
def test_a_load_for_the_next_trip_takes_the_parameters_registers(count: str, load: str, read: str) -> None:
    """%at and %more begin while %now is dead, and would take its registers."""
    body = AHEAD.format(count=count, load=load, read=read)
    _, allocation = allocated(body)
    assert allocation.statistics.copies == 1  # the counter's first value


def test_a_load_that_the_parameter_outlives_takes_another_register() -> None:
    """The store after the load reads the parameter."""
    body = AHEAD.format(count="1 align 1", load="global_load_dword", read="v_add_u32_e32 %more, %sum, %now")
    _, allocation = allocated(body.replace("global_store_dword %at, %more", "global_store_dword %at, %now"))
    assert allocation.statistics.copies == 2


def test_a_tuple_of_which_a_part_is_carried_takes_no_parameters_registers() -> None:
    body = AHEAD.format(count="1 align 1", load="global_load_dword", read="v_add_u32_e32 %more, %sum, %now")
    wide = body.replace("register %ahead vgpr 1 align 1", "register %ahead vgpr 2 align 2")
    wide = wide.replace("global_load_dword %ahead", "global_load_dwordx2 %ahead")
    kernel = machine(wide.replace("logical loop(%ahead)", "logical loop(%ahead[1])"))
    verify(kernel)
    assert carried_loads(machine(body), build_control_flow(machine(body)))
    assert not carried_loads(kernel, build_control_flow(kernel))
