"""Exact orders of loops of products, and of loops that the solver refutes."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from typing import Any

import pytest

import asmgen
from asmgen.kernels.catalogue import build_kernel
from asmgen.passes.schedule.modulo import DependenceEdge, LoopOrder, LoopProblem, Resource, exact, loop_problems
from asmgen.passes.schedule.modulo.constraints import Answer, Constraints
from asmgen.passes.schedule.modulo.exact import ExactOrder, exact_order, with_branch
from asmgen.passes.schedule.modulo.heuristic import Wanted, modulo_order
from asmgen.passes.schedule.modulo.legal import violations
from asmgen.passes.schedule.modulo.problem import Use
from asmgen.passes.schedule.modulo.values import loop_values, registers
from isa.diagnostics import InputError
from isa.registers import RegisterClass
from regalloc.liveness import compute_liveness
from tests.unit.passes.test_least_interval import loop
from tests.unit.passes.test_legal_orders import kernel


@pytest.mark.broad
@pytest.mark.parametrize("most_seconds", [0.3, pytest.param(20.0, marks=pytest.mark.slow)])
def test_the_loop_of_a_product_takes_the_least_interval_of_all_orders(most_seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The order is found in a second on an idle machine, and may take longer on others. The searches for fewer registers
    take all of their time."""
    solve, counting = Constraints.solve, list[Constraints]()

    def counted(count: Callable[..., None]) -> Callable[..., None]:
        def counts(constraints: Constraints, *given: Any) -> None:
            counting.append(constraints)
            count(constraints, *given)

        return counts

    def solved(constraints: Constraints, seconds: float) -> Answer:
        return solve(constraints, min(seconds, most_seconds) if constraints in counting else seconds)

    for count in (Constraints.count_lives, Constraints.count_registers):
        monkeypatch.setattr(Constraints, count.__name__, counted(count))
    monkeypatch.setattr(Constraints, "solve", solved)
    monkeypatch.setattr(exact, "_SHARE_OF_CHANGES", most_seconds / 200)
    settings = [("m", "512"), ("n", "512"), ("k", "512"), ("dtype", "f16")]
    tile = "contract[m=32, n=32, k=128, waves=4, buffers=2, by=v_mfma_f32_16x16x16_f16]"
    compiled = asmgen.compile(build_kernel("gemm", settings), target="gfx942", schedule=False, schedules=(tile,))
    gemm = compiled.compilation.stages.allocations[0].kernel
    (problem,) = map(with_branch, loop_problems(gemm))
    values = loop_values(gemm, problem.label, compute_liveness(gemm))
    made = exact_order(problem, values, 200.0)
    assert made.order is not None
    assert not list(violations(problem, made.order))
    assert made.order.interval == made.least_interval == made.bound.interval == 384
    assert made.bound.resource is Resource.LDS
    assert 0 < made.least_vectors <= registers(values, made.order)[RegisterClass.VGPR]


def test_an_interval_above_the_bound_is_refuted() -> None:
    """Two instructions on circuits of 10 clocks start 8 clocks apart. They use the matrix pipe for 3 clocks each: in an order of
    10 clocks, it would work on the first of the next trip before the second has ended."""
    (sample,) = loop_problems(loop("v_add_u32_e32 %x, 1, %old"))
    code = [sample.instructions[0]] * 3 + [sample.instructions[-1]]
    issue, matrix = Use(Resource.ISSUE, 2), Use(Resource.MATRIX, 6)

    def intervals(clocks: int) -> tuple[int, list[int], int]:
        edges = [DependenceEdge(0, 1, 1, 0), DependenceEdge(1, 0, 9, 1), DependenceEdge(0, 2, clocks, 0), DependenceEdge(2, 0, 1, 1)]
        problem = LoopProblem("loop", code, edges, [[issue], [issue, matrix], [issue, matrix], [issue]], sample.sharers)
        made = exact_order(with_branch(problem), (), 60.0)
        assert made.order is not None
        assert made.order.interval == made.least_interval
        return made.bound.interval, list(made.refuted), made.least_interval

    assert intervals(7) == (10, [], 10)
    assert intervals(9) == (10, [10], 11)


def test_a_search_goes_on_from_a_known_order() -> None:
    """Its reader issues an interval later than it has to. An order that may have a longer interval does not count."""
    made = kernel("ds_read_b32 %y, v0 | v_add_u32_e32 %x, %y, %old")
    (problem,) = map(with_branch, loop_problems(made))
    values = loop_values(made, "loop", compute_liveness(made))

    def vectors(found: ExactOrder) -> int:
        assert found.order is not None
        return registers(values, found.order)[RegisterClass.VGPR]

    best = exact_order(problem, values, 60.0)
    assert best.order is not None
    assert vectors(best) == best.least_vectors
    later = [start + (best.order.interval if number == 1 else 0) for number, start in enumerate(best.order.start)]
    longer = best._replace(order=LoopOrder(best.order.interval, later), least_vectors=0)
    assert not list(violations(problem, LoopOrder(best.order.interval, later)))
    assert vectors(longer) > vectors(best)
    assert vectors(exact_order(problem, values, 60.0, known=longer)) == vectors(best)
    maybe_longer = longer._replace(least_interval=longer.least_interval - 4)
    assert exact_order(problem, values, 60.0, known=maybe_longer).least_interval == best.least_interval


def test_the_heuristic_finds_orders_on_which_the_solver_does_not_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    """The order has the first interval. If the heuristic finds none of that, it has a longer interval, and the least interval is
    between the bound and that of the order."""
    made = kernel("ds_read_b32 %y, v0 | v_add_u32_e32 %x, %y, %old")
    (problem,) = map(with_branch, loop_problems(made))
    values = loop_values(made, "loop", compute_liveness(made))

    clock = [0.0]

    def undecided(constraints: Constraints, seconds: float) -> Answer:
        assert constraints.slots and seconds > 0
        clock[0] += seconds
        return Answer(None, False, 0)

    monkeypatch.setattr(Constraints, "solve", undecided)
    monkeypatch.setattr(exact, "monotonic", lambda: clock[0])
    found = exact_order(problem, values, 60.0)
    assert found.order is not None
    assert found.order.interval == found.least_interval == found.bound.interval

    def longer(wanted: Wanted) -> LoopOrder | None:
        return modulo_order(wanted) if wanted.least > 3 * found.bound.interval else None

    monkeypatch.setattr(exact, "modulo_order", longer)
    loose = exact_order(problem, values, 1.0)
    assert loose.order is not None
    assert not list(violations(problem, loose.order))
    assert loose.order.interval > 3 * loose.least_interval
    assert loose.least_interval == loose.bound.interval == found.bound.interval
    assert not loose.refuted


def test_a_missing_solver_is_an_error_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_none(name: str) -> ModuleSpec | None:
        assert name == "ortools"
        return None

    (problem,) = loop_problems(loop("v_add_u32_e32 %x, 1, %old"))
    monkeypatch.setattr(importlib.util, "find_spec", find_none)
    with pytest.raises(InputError) as caught:
        _ = exact_order(with_branch(problem), (), 1.0)
    assert caught.value.code == "OPT011"
    assert "asmgen[exact]" in caught.value.help
