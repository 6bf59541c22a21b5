"""Orders with shorter lives: legal, of the same interval, and never with longer lives in total."""

from __future__ import annotations

import random

import pytest

from asmgen.passes.schedule.modulo import LoopOrder, loop_problems
from asmgen.passes.schedule.modulo.exact import with_branch
from asmgen.passes.schedule.modulo.legal import violations
from asmgen.passes.schedule.modulo.shorten import shortened
from asmgen.passes.schedule.modulo.values import LoopValue, life, loop_values
from isa.registers import RegisterClass
from regalloc.liveness import compute_liveness
from tests.small_loops import GROUP, SEEDS, orders_of, random_loop
from tests.unit.passes.test_legal_orders import kernel


def total(values: list[LoopValue], order: LoopOrder) -> int:
    lives = [(value.units, *life(value, order)) for value in values]
    return sum(units * (end - begin) for units, begin, end in lives)


def test_a_load_moves_to_its_reader() -> None:
    """gfx942: the load answers after 52 clocks. It issues 300 clocks before its reader, and then 52."""
    made = kernel("ds_read_b32 %y, v0 | v_add_u32_e32 %x, %y, %old")
    (problem,) = map(with_branch, loop_problems(made))
    values = [value for value in loop_values(made, "loop", compute_liveness(made)) if value.register_class is RegisterClass.VGPR]
    order = LoopOrder(24, [0, 300, 4, 8, 20])
    assert not list(violations(problem, order))
    moved = shortened(problem, values, order, 4, frozenset({4}))
    assert not list(violations(problem, moved))
    assert moved.start[1] - moved.start[0] in range(52, 64)
    assert moved.start[4] == 20
    assert shortened(problem, values, order, 4, frozenset(range(5))) == order


@GROUP
@pytest.mark.parametrize("seed", SEEDS[:20])
def test_lives_get_no_longer(seed: int) -> None:
    problem, values = random_loop(random.Random(seed))
    fixed = frozenset({len(problem.uses) - 1})
    for order in orders_of(seed).sample:
        moved = shortened(problem, values, order, 1, fixed)
        assert not list(violations(problem, moved))
        assert total(values, moved) <= total(values, order)
