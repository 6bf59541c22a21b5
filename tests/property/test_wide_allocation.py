"""Random programs in random budgets: 8 to 512 VGPRs and 16 to 100 SGPRs, as far as their widest instruction
leaves, with no AGPRs, few or all.

All are allocated, with all spills that they need; the checks accept them, and their stores are those on
virtual registers.
"""

from __future__ import annotations

import random

import pytest

from isa.mir.printer import print_kernel
from isa.registers import FIRST_AGPR, FIRST_VIRTUAL, RegisterClass
from regalloc import check, rewrite
from regalloc.checker.spills import check_spills
from regalloc.spill.allocate import allocate_with_spills
from regalloc.spill.least import least_budget
from regalloc.verify import verify
from tests.property.machine_programs import describe
from tests.property.outcomes import outcome
from tests.property.wide_programs import wide_program

SGPRS = 102
ORDINARY = 50  # programs
LANES = 1  # VGPRs more, with SGPRs in their lanes


def is_spilled(seed: int) -> bool:
    """Allocate the program of a seed within its budgets; whether a value is spilled."""
    kernel, mix = wide_program(seed)
    verify(kernel)
    draw = random.Random(seed)
    vgprs = max(int(2 ** draw.uniform(3, 9)), least_budget(kernel, RegisterClass.VGPR) + LANES)
    sgprs = max(draw.randint(16, 100), least_budget(kernel, RegisterClass.SGPR))
    agprs = draw.choice((0, draw.randrange(16), 256))
    reserved = frozenset((*range(sgprs, SGPRS), *range(FIRST_AGPR + agprs, FIRST_VIRTUAL)))
    spilled, allocation, values = allocate_with_spills(kernel, reserved, vgprs)
    verify(spilled)
    check_spills(kernel, spilled)
    rewritten = rewrite(spilled, allocation)
    check(spilled, allocation, rewritten)
    taken = allocation.statistics
    assert taken.vgprs <= vgprs and taken.sgprs <= sgprs and taken.agprs <= agprs
    assert outcome(rewritten) == outcome(kernel), f"{describe(seed, mix)} in {vgprs}, {sgprs}\n{print_kernel(kernel)}"
    return bool(values)


def test_programs_in_random_budgets() -> None:
    assert sum(map(is_spilled, range(ORDINARY))) > ORDINARY // 6


def test_the_widest_programs_at_their_least() -> None:
    """Tuples of 16 are written part by part and read whole, next to a VGPR with SGPRs in its lanes; there are
    no more of these than stated either. The last seeds were refused once."""
    widest = [seed for seed in range(18) if wide_program(seed)[1]["tuple of 16"]]
    assert len(widest) > 4
    for seed in (*widest, 1926, 1980, 1993, 2138, 3047, 6101, 6336, 7452, 8574, 8601):
        kernel, mix = wide_program(seed)
        vgprs = least_budget(kernel, RegisterClass.VGPR) + LANES
        sgprs = least_budget(kernel, RegisterClass.SGPR)
        reserved = frozenset((*range(sgprs, SGPRS), *range(FIRST_AGPR, FIRST_VIRTUAL)))
        spilled, allocation, _ = allocate_with_spills(kernel, reserved, vgprs)
        check_spills(kernel, spilled)
        check(spilled, allocation, rewrite(spilled, allocation))
        taken = allocation.statistics
        assert taken.vgprs <= vgprs and taken.sgprs <= sgprs, describe(seed, mix)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(ORDINARY, 10000 + ORDINARY, 200))
def test_many_programs_in_random_budgets(start: int) -> None:
    assert sum(map(is_spilled, range(start, start + 200))) > 20


def test_a_value_that_stays_next_to_one_that_goes_to_agprs() -> None:
    """A tuple of which a part alone crosses stays in VGPRs, also if another operand of its instruction does
    not."""
    assert is_spilled(6620)
