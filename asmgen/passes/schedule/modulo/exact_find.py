"""Orders of overlapping trips by the solver: the shortest interval, which the heuristic may miss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic

from asmgen.passes.schedule.modulo.bound import least_interval, takes_longer
from asmgen.passes.schedule.modulo.constraints import (
    Answer,
    Constraints,
    Restriction,
    check_solver,
    issue_slot,
    most_stages,
)
from asmgen.passes.schedule.modulo.exact import with_branch
from asmgen.passes.schedule.modulo.heuristic import FindOrder, Fits, modulo_order
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import DependenceEdge, LoopProblem, Resource

_MOST_STAGES = 8  # more take too much code


def exact_finder(seconds: float) -> FindOrder:
    """A search as `modulo_order`, of so many seconds for an order: it also tries each interval that is
    shorter than the heuristic's. Raises `InputError` OPT011 if OR-tools is not installed."""
    check_solver()

    def find(
        problem: LoopProblem, edges: Sequence[DependenceEdge], together: Mapping[int, Sequence[int]],
        least: int, most: int, in_memory: Mapping[int, int], fits: Fits | None,
    ) -> LoopOrder | None:  # fmt: skip
        known = modulo_order(problem, edges, together, least, most, in_memory, fits)
        whole, end = with_branch(problem._replace(edges=edges)), monotonic() + seconds
        if takes_longer(whole, most):
            return known
        slot = issue_slot(whole)
        has_matrix = any(use.resource is Resource.MATRIX for uses in problem.uses for use in uses)
        first = -(-max(least, least_interval(whole).interval, 1) // slot) * slot
        for interval in range(first, most + 1 if known is None else known.interval, slot):
            answer = Answer(None, False, 0)
            for is_even in (True, False) if has_matrix else (False,):
                stages = min(_MOST_STAGES, most_stages(whole, interval))
                constraints = Constraints(whole, interval, Restriction(is_even, 0, stages, is_even))
                constraints.keep_together(together)
                constraints.keep_apart(in_memory)
                answer = constraints.solve(max(0.1, (end - monotonic()) / (2 if is_even else 1)))
                if answer.order is not None:
                    return answer.order if fits is None or fits(answer.order) else known
            if not answer.is_refuted:
                break
        return known

    return find
