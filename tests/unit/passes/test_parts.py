"""The registers that starts in parts of the interval refute."""

from __future__ import annotations

import random

import pytest

from asmgen.passes.schedule.modulo import LoopProblem, Resource, loop_problems
from asmgen.passes.schedule.modulo.constraints import Constraints
from asmgen.passes.schedule.modulo.distances import Restriction
from asmgen.passes.schedule.modulo.exact import with_branch
from asmgen.passes.schedule.modulo.merged import merged
from asmgen.passes.schedule.modulo.parts import Parts, has_no_order, parts_of
from asmgen.passes.schedule.modulo.problem import Use
from asmgen.passes.schedule.modulo.values import registers
from tests.property.test_exact_orders import STAGES, all_orders, keeps_order, random_loop
from tests.unit.passes.test_least_interval import loop
from tests.unit.passes.test_merged_lives import value

SECONDS = 60.0
PIPES = ((Resource.LDS, Resource.MATRIX), (Resource.MATRIX,))


def test_slots_and_parts() -> None:
    parts = Parts(10, (0, 4, 7))
    assert [parts.part(slot) for slot in (0, 3, 4, 9, 10, 14, -1, -10)] == [0, 0, 1, 2, 3, 4, -1, -3]
    assert [parts.begin(part) for part in (0, 1, 2, 3, -1, -3)] == [0, 4, 7, 10, -3, -10]
    assert all(parts.begin(parts.part(slot)) <= slot < parts.begin(parts.part(slot) + 1) for slot in range(-25, 25))


@pytest.mark.parametrize("seed", range(24))
def test_no_number_of_an_order_is_refuted(seed: int) -> None:
    """Parts of a slot refute each smaller number."""
    problem, values = random_loop(random.Random(seed), PIPES[seed % 2])
    interval = next(interval for interval in range(2, 40) if next(all_orders(problem, interval), None) is not None)
    lives, is_in_order = merged(values), seed % 4 == 1
    orders = [order for order in all_orders(problem, interval) if not is_in_order or keeps_order(problem, order, False)]
    fewest = min((sum(registers(values, order).values()) for order in orders), default=0)
    constraints = Constraints(problem, interval, Restriction(is_in_order, 0, STAGES))
    for count in range(1, interval + 1):
        parts = parts_of(constraints, count)
        assert len(parts.begins) == count
        assert has_no_order(constraints, lives, parts, fewest, SECONDS) == (not orders)
    short = sum(life.units for life in lives.lives if not life.readers)
    assert has_no_order(constraints, lives, parts_of(constraints, interval), fewest - short - 1, SECONDS)


def test_a_loop_without_an_order_has_none_in_parts() -> None:
    problem, values = random_loop(random.Random(0))
    constraints = Constraints(problem, 1, Restriction(False, 0, STAGES))
    assert has_no_order(constraints, merged(values), Parts(1, (0,)), 1 << 20, SECONDS)


def test_a_value_that_its_reader_may_precede_takes_no_fewer_registers_than_none() -> None:
    """The branch reads the first value, also before it is made: no edge keeps it after that. The second value is always live."""
    (sample,) = loop_problems(loop("v_add_u32_e32 %x, 1, %old"))
    code, uses = [sample.instructions[0]] * 2, [[Use(Resource.ISSUE, 2)]] * 3
    problem = with_branch(LoopProblem("loop", [*code, sample.instructions[-1]], [], uses, dict.fromkeys(Resource, 1)))
    constraints = Constraints(problem, 4, Restriction(False, 0, STAGES))
    lives = merged([value(0, (2, 0), units=5), value(1, (1, 1), units=3)])
    assert has_no_order(constraints, lives, parts_of(constraints, 4), 2, SECONDS)
    assert not has_no_order(constraints, lives, parts_of(constraints, 4), 8, SECONDS)
