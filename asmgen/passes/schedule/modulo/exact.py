"""The order of a loop with the least interval, and then with the fewest registers, with a proof.

The search begins at the least interval that resources, circuits and turns allow (`bound`, `turns`), and
raises it for as long as the solver refutes it. A large loop is first searched among the orders that keep its
matrix instructions in their order and need few copies of values: these are found sooner, and an interval that
equals the bound is the least of all orders. The heuristic is asked before the solver: for softmax's loop of
190 instructions it finds an order in 0.01 s, the solver in 5. If a bound is by turns, an order in which
matrix instructions take turns (`in_turns`) is tried before the solver searches all orders. If neither finds
any of the first interval, the heuristic looks for the shortest above it, so that a large loop has an order
even if the solver decides on no interval.

Few registers are found from both ends: an order with short lives, changes at random, numbers that parts of
the interval refute, an order with few registers, and then searches for a given number, which find an order or
refute the number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic

from asmgen.passes.schedule.modulo.bound import Bound, least_interval
from asmgen.passes.schedule.modulo.constraints import FEW_STAGES, Answer, Constraints, check_solver
from asmgen.passes.schedule.modulo.distances import Restriction, ends_in_branch, issue_slot, most_stages
from asmgen.passes.schedule.modulo.fewer import fewer_registers
from asmgen.passes.schedule.modulo.heuristic import Wanted, modulo_order
from asmgen.passes.schedule.modulo.in_turns import order_in_turns
from asmgen.passes.schedule.modulo.least_cut import least_by_cuts
from asmgen.passes.schedule.modulo.least_in_order import least_by_rules, vectors_of
from asmgen.passes.schedule.modulo.least_lives import least_vectors
from asmgen.passes.schedule.modulo.legal import violations
from asmgen.passes.schedule.modulo.merged import VECTORS, merged
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.parts import has_no_order, parts_of
from asmgen.passes.schedule.modulo.problem import DependenceEdge, LoopProblem, Resource
from asmgen.passes.schedule.modulo.shorten import shortened
from asmgen.passes.schedule.modulo.turns import bound_by_turns
from asmgen.passes.schedule.modulo.values import LoopValue
from isa.diagnostics import InternalError
from isa.named_tuple import NamedTuple

_LARGE = 12  # instructions, from which restrictions and changes at random pay
_SHARES = (0.05, 0.5)  # of the time left, for each search of an interval: short searches of all kinds first
# of the time left, to take fewer registers, once the heuristic has an order of a longer interval
_SHARE_OF_REGISTERS = 0.5
_SHARE_OF_CUTS = 0.3  # of the time left, for least cuts
_SHARE_OF_CHANGES = 0.25  # of the time left, for changes at random
# Parts of the interval by which numbers of registers are refuted, and the shares of the time left: of each
# number, and of all
_NUMBERS_OF_PARTS, _SHARE_OF_PARTS, _SHARE_OF_ALL_PARTS = (24, 64), 0.15, 0.5
_SHARE_OF_LIVES = 0.3  # of the time left, for the order with the shortest lives
_SHARE_OF_FEWEST = 0.4  # of the time left, for the order with the fewest registers
_SHARE_OF_NUMBER = 0.5  # of the time left, for an order with a number of registers
_LONGEST = 4  # times the bound, at which the search for an interval ends
# Intervals that are so many parts longer than an interval that no search decided on
_PARTS, _LONGER = 16, (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48)

Tell = Callable[[int, int], None]  # the intervals that were tried, and those that may be


class ExactOrder(NamedTuple):
    """The result of the search.

    * `order`: the best order, None if it found none in its time
    * `bound`: the reason why no interval is below the bound
    * `refuted`: the intervals from the bound on that the solver refuted
    * `least_interval`: no order has fewer clocks from trip to trip; this is proven
    * `least_vectors`: no order of this interval has fewer VGPRs, among those of `restriction`
    * `least_of_lives`: no order of this interval at all has fewer, by the lives of its values
    * `seconds`: of the search, and of those that it went on from
    """

    order: LoopOrder | None
    bound: Bound
    refuted: Sequence[int]
    least_interval: int
    least_vectors: int
    least_of_lives: int
    restriction: Restriction
    seconds: float


class _Found(NamedTuple):
    """An order, and the restriction of the orders with fewer registers."""

    order: LoopOrder
    restriction: Restriction


def with_branch(problem: LoopProblem) -> LoopProblem:
    """The problem with the edges of its branch: no instruction issues before the branch that begins its
    trip. The problem itself if the loop has no branch at its end."""
    if not ends_in_branch(problem):
        return problem
    last = len(problem.instructions) - 1
    halves = sum(use.halves for use in problem.uses[last] if use.resource is Resource.ISSUE)
    edges = [DependenceEdge(last, number, -(-halves // 2), 1) for number in range(last)]
    return problem._replace(edges=[*problem.edges, *edges])


def exact_order(
    problem: LoopProblem,
    values: Sequence[LoopValue],
    seconds: float,
    tell: Tell = lambda done, total: None,
    known: ExactOrder | None = None,
) -> ExactOrder:
    """The order with the least interval and the fewest VGPRs that a search of so many seconds finds.
    `problem` has the edges of its branch. If an order `known` has the least interval, the search is for fewer
    VGPRs. Raises `InputError` OPT011 if OR-tools is not installed."""
    check_solver()
    return _Search(problem, values, seconds, tell).run(known)


class _Search:
    def __init__(self, problem: LoopProblem, values: Sequence[LoopValue], seconds: float, tell: Tell) -> None:
        self._problem, self._values, self._tell = problem, values, tell
        self._begin, self._seconds, self._before = monotonic(), seconds, 0.0
        self._bound = bound_by_turns(problem, least_interval(problem))
        self._slot = issue_slot(problem)
        self._of_matrix = [
            number
            for number, uses in enumerate(problem.uses)
            if any(use.resource is Resource.MATRIX for use in uses)
        ]
        self._refuted: list[int] = []
        self._least = self._bound.interval
        self._known: _Found | None = None  # the shortest order
        self._reserved = 0.0  # seconds that a search for an interval leaves

    def run(self, known: ExactOrder | None) -> ExactOrder:
        return self._on_from(known) or self._from_the_bound()

    def _on_from(self, known: ExactOrder | None) -> ExactOrder | None:
        """The result from an order on; None if it may have a longer interval or other orders than ours."""
        if known is None or known.order is None or known.order.interval > known.least_interval:
            return None
        is_restricted = known.restriction.in_order or known.restriction.copies
        stages = FEW_STAGES if is_restricted else most_stages(self._problem, known.order.interval)
        restriction = known.restriction._replace(stages=stages)
        problem = self._restricted(restriction, known.order.interval)
        if not Constraints(problem, known.order.interval, restriction).allows(known.order):
            return None
        self._refuted, self._least = list(known.refuted), known.least_interval
        self._before = known.seconds
        return self._with_few_registers(known.order, restriction, known.least_vectors)

    def _from_the_bound(self) -> ExactOrder:
        first = interval = -(-max(1, self._bound.interval) // self._slot) * self._slot
        is_proven, step = True, self._slot
        while interval < self._end(first) and self._left() > 0:
            self._tell(interval - first, (_LONGEST - 1) * first)
            found = self._at(interval)
            if isinstance(found, _Found):
                self._known = found
                break
            is_proven = is_proven and found
            if is_proven:
                self._refuted.append(interval)
                self._least = interval + self._slot
                interval += self._slot
            else:  # an order is often a few slots above
                interval, step = interval + step, 2 * step
        self._reserved = 0.0
        if self._known is not None:
            return self._with_few_registers(*self._known)
        return self._result(None, 0, Restriction(False, 0, 0))

    def _end(self, first: int) -> int:
        """The interval before which the search ends."""
        return _LONGEST * first + 1 if self._known is None else self._known.order.interval

    def _left(self) -> float:
        return self._seconds - self._reserved - (monotonic() - self._begin)

    def _at(self, interval: int) -> _Found | bool:
        """An order with an interval, and the restriction of the orders with fewer registers; without an
        order, whether the solver refuted the interval."""
        tries, refuted = self._restrictions(interval), set[Restriction]()
        for share in _SHARES:
            for restriction in tries:
                if restriction in refuted:
                    continue
                constraints = Constraints(self._restricted(restriction, interval), interval, restriction)
                order = self._without_solver(constraints, interval) if share == _SHARES[0] else None
                if order is None:
                    answer = constraints.solve(max(0.1, share * self._left()))
                    order = answer.order
                    if answer.is_refuted:
                        refuted.add(restriction)
                if order is not None:
                    return _Found(order, restriction._replace(is_even=False))
                if tries[-1] in refuted:
                    return True
            if self._known is None:
                self._look_above(interval)
        return False

    def _restrictions(self, interval: int) -> list[Restriction]:
        """The orders to search for in succession. The last are all. With matrix instructions at fixed
        distances, an order is found in a third of the time."""
        free = Restriction(False, 0, most_stages(self._problem, interval))
        if len(self._problem.instructions) <= _LARGE:
            return [free]
        few, has_matrix = min(FEW_STAGES, free.stages), bool(self._of_matrix)
        tries = [*(Restriction(has_matrix, copies, few) for copies in (1, 2)), free]
        return [Restriction(True, 1, few, is_even=True), *tries] if has_matrix else tries

    def _look_above(self, first: int) -> None:
        """The heuristic's order of a longer interval, so that the search has an order if it decides nothing.
        From then on, it leaves time to take fewer registers."""
        for parts in _LONGER:
            interval = first + max(self._slot, first // _PARTS // self._slot * self._slot) * parts
            for restriction in self._restrictions(interval):
                constraints = Constraints(self._restricted(restriction, interval), interval, restriction)
                order = self._by_heuristic(constraints, interval)
                if order is not None:
                    self._known = _Found(order, restriction._replace(is_even=False))
                    self._reserved = _SHARE_OF_REGISTERS * self._left()
                    return

    def _without_solver(self, constraints: Constraints, interval: int) -> LoopOrder | None:
        """The heuristic's order; if the bound is by turns, also an order of other turns of the matrix
        instructions than in the block."""
        found, around = self._by_heuristic(constraints, interval), self._bound.around
        if found is not None or around is None or constraints.rules.in_order:
            return found
        in_turns = order_in_turns(self._problem, around, interval)
        return None if in_turns is None else self._allowed(constraints, in_turns)

    def _by_heuristic(self, constraints: Constraints, interval: int) -> LoopOrder | None:
        """The heuristic's order, None if the constraints do not allow it. Each wave counts alone, since
        the interval has room for all."""
        alone = self._problem._replace(sharers=dict.fromkeys(Resource, 1), edges=list(constraints.edges()))
        found = modulo_order(Wanted(alone, interval, interval))
        return None if found is None else self._allowed(constraints, found)

    def _allowed(self, constraints: Constraints, found: LoopOrder) -> LoopOrder | None:
        """An order in the places of the constraints; None if these do not allow it or it is not legal."""
        order = constraints.order(constraints.places(found))
        is_legal = constraints.allows(order) and next(violations(self._problem, order), None) is None
        return order if is_legal else None

    def _restricted(self, restriction: Restriction, interval: int) -> LoopProblem:
        """The problem with edges from the readers of each value to its maker, so many trips later."""
        copies, edges = restriction.copies, list[DependenceEdge]()
        for value in self._values if copies else ():
            if value.maker is not None:
                edges += [
                    DependenceEdge(number, value.maker, 1, copies - trips)
                    for number, trips in value.readers
                    if number != value.maker and trips <= copies
                ]
        return self._problem._replace(edges=[*self._problem.edges, *edges])

    def _with_few_registers(
        self, order: LoopOrder, restriction: Restriction, known_least: int = 0
    ) -> ExactOrder:
        """The order with the fewest VGPRs that the rest of the time finds, from an order on, if no order has
        fewer than `known_least`."""
        problem = self._restricted(restriction, order.interval)
        order = self._shortened(problem, order, restriction)
        lives, constraints = merged(self._values), Constraints(problem, order.interval, restriction)
        least = max(known_least, self._of_lives(order))
        least = max(least, least_by_rules(constraints.rules, lives, self._taken(order)))
        if least < self._taken(order):
            seconds = _SHARE_OF_CUTS * self._left()
            least = max(least, least_by_cuts(constraints.distances, lives, constraints.slots, seconds))
        if len(self._problem.instructions) > _LARGE:
            order = fewer_registers(constraints, lives, order, least, _SHARE_OF_CHANGES * self._left())
            least = self._least_by_parts(constraints, self._taken(order), least)
        for of_lives, share in ((True, _SHARE_OF_LIVES), (False, _SHARE_OF_FEWEST)):
            if self._taken(order) == least:
                break
            constraints = Constraints(problem, order.interval, restriction)
            if of_lives:
                constraints.count_lives(lives)
            else:
                constraints.count_registers(lives, least, self._taken(order))
            order, answer = self._answered(constraints, order, problem, restriction, share * self._left())
            least = max(least, answer.least)
        return self._result(*self._until_they_meet(order, least, problem, restriction), restriction)

    def _least_by_parts(self, constraints: Constraints, taken: int, least: int) -> int:
        """The least number of VGPRs from `least` to `taken` that parts of the interval do not refute."""
        lives, reserved = merged(self._values), self._reserved
        self._reserved += (1 - _SHARE_OF_ALL_PARTS) * self._left()
        for count in _NUMBERS_OF_PARTS:
            parts = parts_of(constraints, count)
            while least < taken and has_no_order(
                constraints, lives, parts, least, max(0.1, _SHARE_OF_PARTS * self._left())
            ):
                least += 1
        self._reserved = reserved
        return least

    def _until_they_meet(
        self, order: LoopOrder, least: int, problem: LoopProblem, restriction: Restriction
    ) -> tuple[LoopOrder, int]:
        """An order and the least number of VGPRs of any, by searches for an order with a number between, from
        the least on. A solver refutes a given number sooner than it proves the fewest."""
        lives, step = merged(self._values), 1
        end = self._taken(order)  # no search decided on `end` and more
        while least < end and self._left() > 0:
            most = min(least + step, end) - 1
            constraints = Constraints(problem, order.interval, restriction)
            constraints.count_registers(lives, most, most)
            order, answer = self._answered(
                constraints, order, problem, restriction, _SHARE_OF_NUMBER * self._left()
            )
            if answer.is_refuted:
                least, step = most + 1, 2 * step
            else:
                end, step = min(most, self._taken(order)), max(1, step // 2)
        return order, least

    def _answered(
        self,
        constraints: Constraints,
        order: LoopOrder,
        problem: LoopProblem,
        restriction: Restriction,
        seconds: float,
    ) -> tuple[LoopOrder, Answer]:
        """The best of an order and the answer of the solver, which begins there."""
        constraints.begin_with(order)
        answer = constraints.solve(max(0.1, seconds))
        if answer.order is None:
            return order, answer
        other = self._shortened(problem, answer.order, restriction)
        return min(order, answer.order, other, key=self._taken), answer

    def _of_lives(self, order: LoopOrder) -> int:
        """The VGPRs that no order of its interval undercuts."""
        return least_vectors(self._problem.edges, self._values, order.interval)

    def _shortened(self, problem: LoopProblem, order: LoopOrder, restriction: Restriction) -> LoopOrder:
        values = [value for value in self._values if value.register_class in VECTORS]
        last = len(problem.uses) - 1
        in_order = (last, *self._of_matrix) if restriction.in_order else (last,)
        return shortened(problem, values, order, self._slot, frozenset(in_order))

    def _taken(self, order: LoopOrder) -> int:
        """The VGPRs that an order has live at once."""
        return vectors_of(self._values, order)

    def _result(self, order: LoopOrder | None, least: int, restriction: Restriction) -> ExactOrder:
        if order is not None:
            broken = next(violations(self._problem, order), None)
            if broken is not None:
                raise InternalError("exact", self._problem.label, broken.message)
        of_lives = 0 if order is None else self._of_lives(order)
        seconds = self._before + monotonic() - self._begin
        return ExactOrder(
            order, self._bound, self._refuted, self._least, least, of_lives, restriction, seconds
        )
