"""Orders of overlapping trips by the solver: the shortest interval, which the heuristic may miss."""

from __future__ import annotations

from time import monotonic

from asmgen.passes.schedule.modulo.bound import least_interval, takes_longer
from asmgen.passes.schedule.modulo.constraints import Answer, Constraints, check_solver
from asmgen.passes.schedule.modulo.distances import Restriction, issue_slot, most_stages
from asmgen.passes.schedule.modulo.exact import with_branch
from asmgen.passes.schedule.modulo.heuristic import FindOrder, Wanted, modulo_order
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import Resource
from asmgen.passes.schedule.modulo.turns import bound_by_turns
from isa.named_tuple import NamedTuple

_MOST_STAGES = 8  # more take too much code
# The part of the time left that a single search of the solver gets. Several searches side by side get the
# rest. The single search decides all of 20 random loops, in 0.39 of the CPU time of several
_SHARE_OF_ONE = 0.25


class Shortest(NamedTuple):
    """The shortest order that a search found, None if it found none, and the heuristic's. `is_proven` says
    that no order of up to eight stages is shorter, or that there is none."""

    order: LoopOrder | None
    heuristic: LoopOrder | None
    is_proven: bool


def exact_finder(seconds: float) -> FindOrder:
    """A search as `modulo_order`, of so many seconds for an order: it also tries each interval that is
    shorter than the heuristic's. Raises `InputError` OPT011 if OR-tools is not installed."""
    check_solver()

    return lambda wanted: shortest_order(wanted, seconds).order


def shortest_order(wanted: Wanted, seconds: float) -> Shortest:
    """The wanted order with the shortest interval that a search of so many seconds finds."""
    known = modulo_order(wanted)
    whole, end = with_branch(wanted.problem), monotonic() + seconds
    if takes_longer(whole, wanted.most):
        return Shortest(known, known, known is None)
    slot = issue_slot(whole)
    has_matrix = any(use.resource is Resource.MATRIX for uses in wanted.problem.uses for use in uses)
    bound = bound_by_turns(whole, least_interval(whole))
    first = -(-max(wanted.least, bound.interval, 1) // slot) * slot
    for interval in range(first, wanted.most + 1 if known is None else known.interval, slot):
        answer = Answer(None, False, 0)
        for is_even in (True, False) if has_matrix else (False,):
            stages = min(_MOST_STAGES, most_stages(whole, interval))
            constraints = Constraints(whole, interval, Restriction(is_even, 0, stages, is_even))
            constraints.keep_together(wanted.together)
            constraints.keep_apart(wanted.in_memory)
            answer = _answer(constraints, (end - monotonic()) / (2 if is_even else 1))
            if answer.order is not None:
                is_fitting = wanted.takes(answer.order)
                return Shortest(answer.order if is_fitting else known, known, is_fitting)
        if not answer.is_refuted:
            return Shortest(known, known, False)
    return Shortest(known, known, True)


def _answer(constraints: Constraints, seconds: float) -> Answer:
    answer = constraints.solve(max(0.1, _SHARE_OF_ONE * seconds), workers=1)
    if answer.order is not None or answer.is_refuted:
        return answer
    return constraints.solve(max(0.1, (1 - _SHARE_OF_ONE) * seconds))
