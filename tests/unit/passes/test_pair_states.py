"""Wait states between two instructions on virtual registers: the states of a pair are remembered, and not
given for another pair that only looks like it."""

from __future__ import annotations

import pytest

from isa.hazards import pair_states
from isa.program import Kernel
from tests.unit.regalloc.programs import machine

REGISTERS = """
register %m sgpr 2 align 2
register %n sgpr 2 align 2
register %a vgpr 2 align 2
register %b vgpr 2 align 2
register %x vgpr
block entry
"""
COMPARE = "v_cmp_lt_f32_e64 %m, v0, v1"
PACKED = "v_pk_add_f32 %a, v[0:1], v[2:3]"


def states_of(kernel: Kernel) -> int:
    """The states of the first two instructions, by the one table of the target that all pairs share."""
    producer, consumer = kernel.blocks[0].instructions
    return pair_states(kernel.target, (producer, consumer)).between(producer, consumer, kernel.register_class)


@pytest.mark.parametrize(
    ("producer", "consumer", "states"),
    [
        (COMPARE, "v_cndmask_b32_e64 %x, v0, v1, %m", 2),
        (COMPARE, "v_cndmask_b32_e64 %x, v0, v1, %n", 0),  # another register
        (PACKED, "v_mov_b32_e32 %x, %a[0]", 1),  # LLVM takes packed values for a part of the register
        (PACKED, "v_mov_b32_e32 %x, %a[1]", 1),
        (PACKED, "v_mov_b32_e32 %x, %b[1]", 0),
        ("v_pk_add_f32 %a, v[0:1], v[2:3] op_sel_hi:[0,1]", "v_mov_b32_e32 %x, %a[0]", 0),  # other modifiers
        (COMPARE, "v_lshrrev_b64 %a, v0, %m", 2),
        (COMPARE, "global_load_dwordx2 %a, v0, %m", 5),  # another row
    ],
)  # fmt: skip
def test_what_was_found_for_one_pair_is_not_given_for_another(producer: str, consumer: str, states: int) -> None:
    everything = [COMPARE, "v_cndmask_b32_e64 %x, v0, v1, %m", PACKED, "v_mov_b32_e32 %x, %a[0]"]
    for first, second in (everything[:2], everything[2:]):  # the remembered states when the pair is asked about
        assert states_of(machine(f"{REGISTERS}  {first}\n  {second}\n  terminator s_endpgm\n"))
    assert states_of(machine(f"{REGISTERS}  {producer}\n  {consumer}\n  terminator s_endpgm\n")) == states
