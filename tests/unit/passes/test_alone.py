"""Loops of products of workgroups that have a unit alone: the rules of their orders, and the code in a proven order."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec.structs import replace

import asmgen
from asmgen.loop_kernels import Loop, loops_of
from asmgen.options import Options
from asmgen.passes.schedule import orders
from asmgen.passes.schedule.modulo import LoopOrder, LoopProblem, Resource, loop_problems
from asmgen.passes.schedule.modulo.alone import is_alone, whole_problem
from asmgen.passes.schedule.modulo.exact import with_branch
from asmgen.passes.schedule.modulo.least_in_order import fragments, vectors_of
from asmgen.passes.schedule.modulo.legal import violations
from asmgen.passes.schedule.modulo.values import loop_values
from asmgen.passes.schedule.orders import KnownOrder, order_within_a_trip
from isa.instruction import Trait, Unit
from regalloc.liveness import compute_liveness
from tests.unit.passes.test_pipes import FOUR_WAVES, loop_by
from tools.find_orders import SLICES

pytestmark = pytest.mark.broad
TEXT = "a = @param:a -> f16, {512,512}\nb = @param:b -> f16, {512,512}\no = dot(a, b)\n@return(o)\n"


@cache
def four_waves() -> tuple[LoopProblem, LoopProblem]:
    """The problem of the loop without the rules and with them."""
    kernel = asmgen.compile(TEXT, target="gfx950", schedules=(SLICES,)).compilation.stages.machine[0]
    (loop,) = loops_of(kernel, Options())
    (before,) = loop_problems(loop.kernel)
    return before, loop.problem


def test_copies_follow_each_other_as_fast_as_memory_serves_all_waves() -> None:
    """16 copies of 4 KB, at 45 bytes a clock."""
    _, problem = four_waves()
    copies = [at for at, instr in enumerate(problem.instructions) if Trait.LDS_DMA in instr.row.traits]
    found = {(edge.earlier, edge.later, edge.trips): edge.clocks for edge in problem.edges}
    assert len(copies) == 16
    assert {found[pair] for pair in zip(copies, copies[1:], [0] * 15, strict=False)} == {91}
    assert found[copies[-1], copies[0], 1] == 91


def test_accesses_of_lds_keep_it_busy_for_all_waves() -> None:
    before, problem = four_waves()
    busy = [sum(use.halves for uses in each.uses for use in uses if use.resource is Resource.LDS) for each in (before, problem)]
    assert busy[1] == 4 * busy[0] and (before.sharers[Resource.LDS], problem.sharers[Resource.LDS]) == (4, 1)


def test_barriers_and_readers_wait_for_the_loads_of_all_waves() -> None:
    """A load takes 52 clocks, and LDS serves it in 4."""
    before, problem = four_waves()
    known = {(edge.earlier, edge.later, edge.trips): edge.clocks for edge in before.edges}
    loads = {at for at, instr in enumerate(problem.instructions) if instr.row.unit is Unit.LDS and instr.row.memory_bytes == 16}
    barriers = {at for at, instr in enumerate(problem.instructions) if Trait.BARRIER in instr.row.traits}
    waits = [edge for edge in problem.edges if edge.earlier in loads and not edge.trips and edge.later in barriers]
    assert waits and {edge.clocks for edge in waits} == {52 + 3 * 4}
    reads = [edge for edge in problem.edges if known.get((*edge[:2], 0)) == 52 and edge.earlier in loads and not edge.trips]
    assert reads and {edge.clocks for edge in reads} == {52 + 3 * 4}


def test_a_trip_ends_before_the_next_begins() -> None:
    """The table has its order, and no other that begins earlier."""
    _, problem = four_waves()
    within = {edge.earlier for edge in problem.edges if edge.later == len(problem.instructions) - 1 and not edge.trips}
    assert within == set(range(len(problem.instructions) - 1))
    loop = loop_of_table()
    order = order_within_a_trip(loop.problem, loop.values, "gfx950")
    assert order is not None and not list(violations(loop.problem, order))
    assert {order.stage(number) for number in range(len(order.start))} == {0}
    early = LoopOrder(order.interval, [order.start[0] - order.interval, *order.start[1:]])
    assert list(violations(loop.problem, early))


def test_other_loops_keep_their_problem() -> None:
    kernel, code = loop_by("m=128, n=64, k=64, waves=2, buffers=3, by=v_mfma_f32_16x16x32_f16, stages=3, copies=16", "gfx950")
    assert not is_alone(kernel, code)
    kernel, code = loop_by(FOUR_WAVES, "gfx942")
    assert not is_alone(kernel, code), "loads go to registers"
    kernel, code = loop_by("m=256, n=256, k=64, waves=4, buffers=2, by=v_mfma_f32_32x32x16_f16, stages=2, copies=16", "gfx950")
    (problem,) = [each for each in loop_problems(kernel) if len(each.instructions) == len(code)]
    assert is_alone(kernel, code) and whole_problem(problem, kernel) is problem, "fragments are of the trip"


def loop_of_table() -> Loop:
    kernel = asmgen.compile(TEXT, target="gfx950", schedules=(SLICES,)).compilation.stages.machine[0]
    (loop,) = loops_of(kernel, Options())
    return loop


def in_code() -> tuple[list[str], int]:
    """The instructions of the loop in its code, and the VGPRs of fragments that are live at once there."""
    kernel = asmgen.compile(TEXT, target="gfx950", schedules=(SLICES,), verify_passes=True).compilation.stages.allocations[0].kernel
    (problem,) = loop_problems(kernel)
    values = loop_values(kernel, problem.label, compute_liveness(kernel))
    taken = vectors_of(fragments(problem, values), LoopOrder(len(problem.uses), range(len(problem.uses))))
    return [instr.row.mnemonic for instr in problem.instructions], taken


def test_the_code_has_the_order_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the proof is of this code: 96 VGPRs of fragments are the least. The scheduler's order has more."""
    loop = loop_of_table()
    order = order_within_a_trip(loop.problem, loop.values, "gfx950")
    assert order is not None
    wanted = [loop.problem.instructions[at].row.mnemonic for at in sorted(range(len(order.start)), key=order.start.__getitem__)]
    code, taken = in_code()
    assert (code, taken) == (wanted, 96)

    def table() -> dict[str, KnownOrder]:
        return {}

    monkeypatch.setattr(orders, "table", table)
    code, taken = in_code()
    assert code != wanted and taken > 96


def test_an_order_in_which_values_live_longer_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the value would be in the loop."""
    loop = loop_of_table()
    known = orders.table()[orders.shape(loop.problem, loop.values, "gfx950")]

    def table() -> dict[str, KnownOrder]:
        return {orders.shape(loop.problem, loop.values, "gfx950"): replace(known, copies=0)}

    monkeypatch.setattr(orders, "table", table)
    assert order_within_a_trip(loop.problem, loop.values, "gfx950") is None


def test_the_problem_of_the_search_is_that_of_the_code() -> None:
    loop = loop_of_table()
    (problem,) = loop_problems(loop.kernel)
    assert with_branch(whole_problem(problem, loop.kernel)).edges == loop.problem.edges
