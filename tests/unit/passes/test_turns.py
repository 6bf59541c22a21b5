"""The least interval by instructions that take turns: by hand, by all orders of random loops, and by a product of matrices."""

from __future__ import annotations

import random

import pytest

from asmgen.cli.reading import source_of
from asmgen.compiler import start
from asmgen.loop_kernels import loops_of
from asmgen.options import Options
from asmgen.passes.schedule.modulo import DependenceEdge, LoopProblem, Resource, exact, least_interval, loop_problems
from asmgen.passes.schedule.modulo.constraints import Answer, Constraints
from asmgen.passes.schedule.modulo.exact import exact_order, with_branch
from asmgen.passes.schedule.modulo.in_turns import order_in_turns
from asmgen.passes.schedule.modulo.legal import violations
from asmgen.passes.schedule.modulo.problem import Use
from asmgen.passes.schedule.modulo.turns import bound_by_turns, least_around
from asmgen.pipeline import advance
from isa.targets import parse_target
from tests.small_loops import all_orders
from tests.unit.passes.test_least_interval import loop

RANDOM_LOOPS = 12


def gated(heads: list[int], tails: list[int], halves: list[int]) -> LoopProblem:
    """Instruction 0 is a gate. The others start so many clocks after it, use the matrix pipe for so many half clocks, and start
    so many clocks before the gate of the next trip."""
    (sample,) = loop_problems(loop("v_add_u32_e32 %x, 1, %old"))
    code = [*[sample.instructions[0]] * (len(heads) + 1), sample.instructions[-1]]
    edges = [DependenceEdge(0, number, head, 0) for number, head in enumerate(heads, 1)]
    edges += [DependenceEdge(number, 0, tail, 1) for number, tail in enumerate(tails, 1)]
    issue = Use(Resource.ISSUE, 2)
    uses = [[issue], *[[issue, Use(Resource.MATRIX, half)] for half in halves], [issue]]
    return with_branch(LoopProblem("loop", code, edges, uses, dict.fromkeys(Resource, 1)))


# (heads, tails, half clocks, the clocks from gate to gate, those of the best order)
CASES: tuple[tuple[list[int], list[int], list[int], int, int], ...] = (
    ([4], [9], [6], 13, 13),  # one instruction takes no turns: the circuit
    ([4, 4], [5, 5], [6, 6], 12, 12),  # at 4 and 7, and 5 clocks more
    ([4, 4, 4], [5, 5, 5], [6, 6, 6], 15, 15),
    ([4, 1, 4], [5, 5, 2], [6, 6, 6], 9, 9),  # at 4, at 1, and at 7
    ([4, 4], [1, 1], [6, 6], 8, 8),  # at 4 and 7: the pipe is busy on beyond the gate
    ([1, 9], [9, 1], [6, 6], 10, 11),  # at 1 and 9, 10 clocks apart: the pipe would work on both
    ([2, 2, 2], [4, 4, 4], [3, 3, 3], 9, 10),  # at 2 and 3, as halves share a clock, and at 5; none shares two
)


@pytest.mark.parametrize(("heads", "tails", "halves", "clocks", "best"), CASES)
def test_instructions_between_a_gate_and_the_next_take_turns(
    heads: list[int], tails: list[int], halves: list[int], clocks: int, best: int
) -> None:
    problem = gated(heads, tails, halves)
    assert least_around(problem, 0) == clocks
    assert bound_by_turns(problem, least_interval(problem)).interval == clocks
    assert _least_of_all(problem) == best


def _least_of_all(problem: LoopProblem) -> int:
    return next(interval for interval in range(1, 40) if next(all_orders(problem, interval), None) is not None)


def test_no_order_of_random_loops_undercuts_the_bound() -> None:
    """The bound is above that of resources and circuits in five of the loops, and that of the best order in all but three."""
    higher = least = 0
    for seed in range(RANDOM_LOOPS):
        draw = random.Random(seed)
        count = draw.randint(2, 3)
        heads, tails, halves = ([draw.randint(low, high) for _ in range(count)] for low, high in ((1, 5), (1, 5), (2, 6)))
        problem = gated(heads, tails, halves)
        plain, best = least_interval(problem).interval, _least_of_all(problem)
        bound = bound_by_turns(problem, least_interval(problem)).interval
        assert plain <= bound <= best, seed
        higher, least = higher + (bound > plain), least + (bound == best)
    assert (higher, least) == (5, 9)


def test_the_search_begins_at_the_bound() -> None:
    problem = gated([4, 4, 4], [5, 5, 5], [6, 6, 6])
    made = exact_order(problem, (), 60.0)
    assert made.order is not None
    assert made.order.interval == made.least_interval == made.bound.interval == 15
    assert (made.bound.around, made.bound.resource, list(made.refuted)) == (0, None, [])


def test_a_product_in_which_waits_keep_trips_apart() -> None:
    """All 64 matrix instructions of a trip come after its wait for copies, and the next reads of LDS after them."""
    settings = [("m", "4096"), ("n", "4096"), ("k", "4096"), ("dtype", "f16")]
    schedule = "contract[m=256, n=256, k=64, waves=4, buffers=2, by=v_mfma_f32_32x32x16_f16, stages=2, copies=16]"
    options = Options(schedules=(schedule,))
    compilation = start(source_of("gemm", settings), parse_target("gfx950"), options)
    advance(compilation, "machine")
    ((_, problem, _),) = loops_of(compilation.stages.machine[0], options)
    plain = least_interval(problem)
    bound = bound_by_turns(problem, plain)
    assert (plain.interval, plain.resource) == (2048, Resource.MATRIX)
    assert bound.interval == 2520, "the solver finds an order of 2,520 clocks"
    assert bound.around is not None
    assert problem.instructions[bound.around].row.mnemonic == "s_waitcnt"
    order = order_in_turns(problem, bound.around, 2520)
    assert order is not None and next(violations(problem, order), None) is None
    assert order_in_turns(problem, bound.around, 2516) is None


FIRST, SECOND = (1, 3, 4, 5), (2, 6, 7, 8)  # instructions that load a row, and a column in three parts
PRODUCTS = {9: (0, 0), 10: (0, 1), 11: (1, 0), 12: (1, 1)}  # row and column


def product_of_parts() -> LoopProblem:
    """A gate, rows of one load and columns of three, and their products of three clocks, which are before the next gate."""
    (sample,) = loop_problems(loop("v_add_u32_e32 %x, 1, %old"))
    code = [*[sample.instructions[0]] * 13, sample.instructions[-1]]
    edges = [DependenceEdge(0, load, 1, 0) for load in range(1, 9)]
    for product, (row, column) in PRODUCTS.items():
        needed = (FIRST[0], SECOND[0])[row], *(FIRST[1:], SECOND[1:])[column]
        edges += [DependenceEdge(load, product, 1, 0) for load in needed]
        edges.append(DependenceEdge(product, 0, 3, 1))
    issue = Use(Resource.ISSUE, 2)
    uses = [[issue, Use(Resource.MATRIX, 6)] if number in PRODUCTS else [issue] for number in range(14)]
    return with_branch(LoopProblem("loop", code, edges, uses, dict.fromkeys(Resource, 1)))


def test_the_next_product_is_the_one_with_the_fewest_loads_before() -> None:
    """The four loads of the first product end at 5. The next in the block needs three loads more, but only two issue beside a
    product. The third needs a single load."""
    problem = product_of_parts()
    bound = bound_by_turns(problem, least_interval(problem))
    assert (bound.interval, bound.around) == (17, 0)
    order = order_in_turns(problem, 0, 17)
    assert order is not None and next(violations(problem, order), None) is None
    gate = order.start[0]
    assert [order.start[product] - gate for product in PRODUCTS] == [5, 11, 8, 14]
    assert order_in_turns(problem, 0, 16) is None


def test_a_search_has_the_order_in_turns_if_the_solver_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Constraints, "solve", lambda *_: Answer(None, False, 0))
    monkeypatch.setattr(exact, "modulo_order", lambda _: None)
    found = exact_order(product_of_parts(), (), 5.0)
    assert found.order is not None and found.order.interval == found.least_interval == 17


def test_a_matrix_instruction_that_would_issue_with_the_first_of_a_way_has_no_order_in_turns() -> None:
    """Instruction 2 starts 9 clocks after instruction 1. Neither depends on instruction 0, from which the trip is followed."""
    (sample,) = loop_problems(loop("v_add_u32_e32 %x, 1, %old"))
    code = [*[sample.instructions[0]] * 3, sample.instructions[-1]]
    issue, pipe = Use(Resource.ISSUE, 2), Use(Resource.MATRIX, 2)
    uses = [[issue], [issue, pipe], [issue, pipe], [issue]]
    problem = with_branch(LoopProblem("loop", code, [DependenceEdge(1, 2, 9, 0)], uses, dict.fromkeys(Resource, 1)))
    made = [order_in_turns(problem, 0, interval) for interval in (8, 10, 12)]
    assert made[:2] == [None, None]
    assert made[2] is not None and next(violations(problem, made[2]), None) is None
