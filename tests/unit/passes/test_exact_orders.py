"""Exact orders of loops of products, and of loops that the solver refutes."""

from __future__ import annotations

import importlib.util
from importlib.machinery import ModuleSpec
from typing import Any

import pytest

import asmgen
from asmgen.kernels.catalogue import build_kernel
from asmgen.passes.schedule.modulo import DependenceEdge, LoopProblem, Resource, loop_problems
from asmgen.passes.schedule.modulo.constraints import Answer, Constraints
from asmgen.passes.schedule.modulo.exact import exact_order, with_branch
from asmgen.passes.schedule.modulo.legal import violations
from asmgen.passes.schedule.modulo.problem import Use
from asmgen.passes.schedule.modulo.values import loop_values, registers
from isa.diagnostics import InputError
from isa.registers import RegisterClass
from regalloc.liveness import compute_liveness
from tests.unit.passes.test_least_interval import loop


@pytest.mark.broad
@pytest.mark.parametrize("most_seconds", [2.0, pytest.param(20.0, marks=pytest.mark.slow)])
def test_the_loop_of_a_product_takes_the_least_interval_of_all_orders(most_seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The order is found in a second on an idle machine, and may take longer on others. The search for fewer registers
    takes all of its time."""
    solve, count_registers, counting = Constraints.solve, Constraints.count_registers, list[Constraints]()

    def counted(constraints: Constraints, *given: Any) -> None:
        counting.append(constraints)
        count_registers(constraints, *given)

    def solved(constraints: Constraints, seconds: float) -> Answer:
        return solve(constraints, min(seconds, most_seconds) if constraints in counting else seconds)

    monkeypatch.setattr(Constraints, "count_registers", counted)
    monkeypatch.setattr(Constraints, "solve", solved)
    settings = [("m", "512"), ("n", "512"), ("k", "512"), ("dtype", "f16")]
    compiled = asmgen.compile(build_kernel("gemm", settings), target="gfx942", schedule=False)
    kernel = compiled.compilation.stages.allocations[0].kernel
    (problem,) = map(with_branch, loop_problems(kernel))
    values = loop_values(kernel, problem.label, compute_liveness(kernel))
    made = exact_order(problem, values, 200.0)
    assert made.order is not None
    assert not list(violations(problem, made.order))
    assert made.order.interval == made.least_interval == made.bound.interval == 384
    assert made.bound.resource is Resource.LDS
    assert 0 < made.least_vectors <= registers(values, made.order)[RegisterClass.VGPR]


def test_an_interval_above_the_bound_is_refuted() -> None:
    """Two uses of the matrix pipe fill an interval of 6, 3 clocks apart. A circuit of 2 and 4 clocks fits no such order."""
    (sample,) = loop_problems(loop("v_add_u32_e32 %x, 1, %old"))
    code = [sample.instructions[0]] * 2 + [sample.instructions[-1]]
    matrix = [Use(Resource.ISSUE, 2), Use(Resource.MATRIX, 6)]

    def intervals(clocks: int) -> tuple[int, list[int], int]:
        edges = [DependenceEdge(0, 1, 2, 0), DependenceEdge(1, 0, clocks, 1)]
        problem = LoopProblem("loop", code, edges, [matrix, matrix, [Use(Resource.ISSUE, 2)]], sample.sharers)
        made = exact_order(with_branch(problem), (), 60.0)
        assert made.order is not None
        assert made.order.interval == made.least_interval
        return made.bound.interval, list(made.refuted), made.least_interval

    assert intervals(3) == (6, [], 6)
    assert intervals(4) == (6, [6], 7)


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
