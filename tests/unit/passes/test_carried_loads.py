"""The readers of a loop's parameter come before the load that becomes it, if nothing keeps them back."""

from __future__ import annotations

from asmgen.passes.schedule.carried import before_carried_loads, carried_loads
from regalloc.verify import verify
from tests.unit.regalloc.programs import lines, machine

LOOP = """
register %base sgpr 2 align 2
register %next sgpr
register %i sgpr
register %offset vgpr
register %first vgpr 2 align 2
register %now vgpr 2 align 2
register %ahead vgpr 2 align 2
register %before vgpr 2 align 2
register %more vgpr 4 align 2
block entry
  s_load_dwordx2 %base, s[0:1], 0x0
  v_lshlrev_b32_e32 %offset, 4, v0
  global_load_dwordx2 %first, %offset, %base
  linear loop(0)
  logical loop(%first)
block loop scalar(%i) vector(%now)
  global_load_dwordx2 %ahead, %offset, %base
  {read}
  global_store_dword %offset, %more[0], %base
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
SUM = LOOP.format(read="v_add_u32_e32 %more[0], %now[0], %now[1]")
PRODUCT = LOOP.format(read="v_mfma_f32_16x16x16_f16 %more, %now, %now, 0")


def body(text: str) -> list[str]:
    kernel = machine(text)
    verify(kernel)
    code = lines(before_carried_loads(kernel))
    start = next(number for number, line in enumerate(code) if line.startswith("block loop"))
    return [line.split()[0] for line in code[start + 1 : start + 3]]


def test_a_reader_comes_before_the_load() -> None:
    assert body(SUM) == ["v_add_u32_e32", "global_load_dwordx2"]


def test_a_matrix_instruction_does_not_keep_the_load_back() -> None:
    assert body(PRODUCT) == ["global_load_dwordx2", "v_mfma_f32_16x16x16_f16"]


def test_a_parameter_that_an_edge_passes_on_is_live_behind_the_load() -> None:
    """%now is %before in the next trip, so the load cannot fill its registers."""
    passed_on = SUM.replace("logical loop(%first)", "logical loop(%first, %first)").replace("logical loop(%ahead)", "logical loop(%ahead, %now)")
    kernel = machine(passed_on.replace("vector(%now)", "vector(%now, %before)"))
    verify(kernel)
    assert carried_loads(machine(SUM)) and not carried_loads(kernel)
