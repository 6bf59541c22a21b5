"""Loop-invariant motion within the registers that it may take: a chain of computations needs a register for its last result alone."""

from __future__ import annotations

import pytest

from asmgen.passes.motion.invariants import SPARE_VGPRS, move_invariants
from isa.mir.parser import parse_kernel
from isa.registers import RegisterClass
from regalloc.liveness import compute_liveness
from regalloc.verify import verify

TEXT = """stage machine gfx942
kernel test
workgroup 64 1 1
entry workitem_id v0
lds 4096
register %i sgpr
register %next sgpr
register %sum vgpr
register %a vgpr
register %b vgpr
register %c vgpr
register %at vgpr
register %x vgpr
register %y vgpr
block entry
  linear loop(0x0)
  logical loop(v0)
block loop scalar(%i) vector(%sum)
  v_lshlrev_b32_e32 %a, 2, v0
  v_xor_b32_e32 %b, 5, %a
  v_and_b32_e32 %c, 7, %b
  v_lshlrev_b32_e32 %at, 2, %c
  ds_read_b32 %x, %at
  v_add_u32_e32 %y, %x, %sum
  s_add_u32 %next, %i, 1
  s_cmp_lt_u32 %next, 8
  terminator s_cbranch_scc0 done
  linear done, again
  logical done, again
block again
  linear loop(%next)
  logical loop(%y)
block done
  terminator s_endpgm
"""
CHAIN = 4


def moved(text: str, room: int) -> list[str]:
    """The operations that are before the loop if so many more VGPRs may be live."""
    kernel = parse_kernel(text, "test.mir")
    live = compute_liveness(kernel).pressure[RegisterClass.VGPR].units
    after = move_invariants(kernel, live + SPARE_VGPRS + room)
    verify(after)
    return [instr.row.name for instr in after.blocks[0].instructions]


@pytest.mark.parametrize(("room", "count"), [(0, 0), (1, CHAIN), (9, CHAIN)])
def test_a_chain_of_addresses_takes_a_register_for_the_address(room: int, count: int) -> None:
    assert len(moved(TEXT, room)) == count


def test_a_value_that_the_loop_reads_too_keeps_its_register() -> None:
    text = TEXT.replace("v_add_u32_e32 %y, %x, %sum", "v_add_u32_e32 %y, %x, %a")
    assert moved(text, 1) == ["v_lshlrev_b32"]
    assert len(moved(text, 2)) == CHAIN


def test_a_value_that_is_read_after_the_loop_is_live_in_the_loop_anyway() -> None:
    """It takes no more registers before the loop, and the address takes that of the lane's number."""
    text = TEXT.replace("block done\n", "block done\n  ds_write_b32 %b, %b\n")
    assert len(moved(text, 0)) == CHAIN
    both = text.replace("%x, %sum\n", "%x, %sum\n  v_add_u32_e32 %z, v0, %y\n").replace("logical loop(%y)", "logical loop(%z)")
    both = both.replace("register %y vgpr\n", "register %y vgpr\nregister %z vgpr\n")
    assert len(moved(both, 0)) == 0
    assert len(moved(both, 1)) == CHAIN


# Two addresses that share `%b`, and a third value of the trip's own.
PAIR = (
    TEXT.replace("%x, %at\n", "%x, %at\n  v_lshlrev_b32_e32 %at2, 3, %b\n  ds_read_b32 %x2, %at2\n")
    .replace("%x, %sum\n", "%x, %x2\n  v_add_u32_e32 %z, %sum, %y\n")
    .replace("register %y vgpr\n", "register %y vgpr\nregister %z vgpr\nregister %at2 vgpr\nregister %x2 vgpr\n")
    .replace("logical loop(%y)", "logical loop(%z)")
)


def test_chains_that_share_a_value_move_together() -> None:
    """The shared value needs no register in the loop if both chains are before it."""
    assert len(moved(PAIR, 2)) == CHAIN + 1
    assert moved(PAIR, 1) == ["v_lshlrev_b32", "v_xor_b32"], "the shared value"
