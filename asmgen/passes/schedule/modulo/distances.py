"""The orders of a loop with a given interval, by the distances that they keep.

    v_mfma -> v_mfma   8 slots of 4 clocks, if matrix instructions keep their order
    s_cmp -> branch    2 slots; branch -> s_cmp of the next trip: 1 slot less an interval

Clocks are counted in issue slots of the wave. An instruction starts so many slots after another, the anchor,
in a window that the rules leave. `constraints` states the same orders for a solver. Distances need no solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd

from asmgen.passes.schedule.modulo.beside_fixed import Part, Uses, windows_beside_fixed
from asmgen.passes.schedule.modulo.problem import LoopProblem, Resource
from asmgen.passes.schedule.modulo.windows import Window, settled
from isa.instruction import Trait
from isa.named_tuple import NamedTuple

HALVES = 2  # of a clock


class Restriction(NamedTuple):
    """With `in_order`, matrix instructions keep their order in the block, and those of a trip come before
    those of the next; `is_even` also spreads them evenly over the interval. With `copies`, no value lives
    longer than so many intervals; 0 is no limit. No instruction is further than `stages` intervals from the
    last."""

    in_order: bool
    copies: int
    stages: int
    is_even: bool = False


def issue_slot(problem: LoopProblem) -> int:
    """The clocks of an issue slot, in which an instruction issues; 1 if two may issue at once."""
    halves = [use.halves for uses in problem.uses for use in uses if use.resource is Resource.ISSUE]
    if not halves or any(each % HALVES for each in halves):
        return 1
    return gcd(*halves) // HALVES


def most_stages(problem: LoopProblem, interval: int) -> int:
    """Stages that suffice for any slots of the instructions: each edge adds a number of stages at most."""
    count = len(problem.uses)
    added: dict[tuple[int, int], int] = {}
    for earlier, later, clocks, trips in problem.edges:
        if earlier != later:
            more = (clocks + 2 * (interval - 1)) // interval - trips
            added[earlier, later] = max(added.get((earlier, later), more), more)
    stages = settled([0] * count, added)
    if stages is not None:
        return max(stages) + 1
    most = [0] * count
    for (earlier, _), more in added.items():
        most[earlier] = max(most[earlier], more)
    return sum(most) + 1


def ends_in_branch(problem: LoopProblem) -> bool:
    """Whether the last instruction is the branch of the loop."""
    return Trait.CONDITIONAL_BRANCH in problem.instructions[-1].row.traits


class Distances:
    """The orders of a loop with an interval, a multiple of its issue slot.

    Starts are counted from an anchor: the first matrix instruction if these keep their order, since the
    others of a full pipe then have fixed starts, or else the last instruction.

    * `slots`: of the interval, each of `slot_clocks` clocks
    * `least`: the least slots from the start of an instruction to that of another
    * `windows`: of starts; None if the distances contradict each other
    """

    def __init__(self, problem: LoopProblem, interval: int, restriction: Restriction) -> None:
        self.problem, self._restriction = problem, restriction
        self.slot_clocks = issue_slot(problem)
        self.slots = interval // self.slot_clocks
        self.hold = [self.halves(number, Resource.ISSUE) for number in range(len(problem.uses))]
        self._last = len(problem.uses) - 1
        of_matrix = [number for number in range(self._last) if self.halves(number, Resource.MATRIX)]
        self.in_order = of_matrix if restriction.in_order else []
        self.anchor = (self.in_order or [self._last])[0]
        self.least = self._all()
        uses = [self._parts_of(number) for number in range(len(problem.uses))]
        self.windows = windows_beside_fixed(uses, self.least, self.anchor, self.slots)

    def in_slots(self, halves: int) -> int:
        """The slots that half clocks take."""
        return -(-halves // (HALVES * self.slot_clocks))

    def parts(self, halves: int) -> Sequence[Part]:
        """The parts of a use of a resource: the slot at which each begins, its slots, and the half slots that
        it takes of each slot."""
        if self.slot_clocks > 1 or halves % HALVES == 0:
            return [Part(0, self.in_slots(halves), HALVES)]
        whole = [Part(0, halves // HALVES, HALVES)] if halves > 1 else []
        return [*whole, Part(halves // HALVES, 1, 1)]

    def with_windows(self, windows: Iterable[Window]) -> dict[tuple[int, int], int]:
        """The distances, and those from the anchor and to it by windows."""
        least, anchor = dict(self.least), self.anchor
        for number, (first, last) in enumerate(windows):
            if number != anchor:
                least[anchor, number] = max(first, least.get((anchor, number), first))
                least[number, anchor] = max(-last, least.get((number, anchor), -last))
        return least

    def halves(self, number: int, resource: Resource) -> int:
        """The half clocks for which an instruction keeps a resource busy."""
        return sum(use.halves for use in self.problem.uses[number] if use.resource is resource)

    def _parts_of(self, number: int) -> Uses:
        return [(use.resource, self.parts(use.halves)) for use in self.problem.uses[number] if use.halves]

    def _all(self) -> dict[tuple[int, int], int]:
        """A later instruction of an edge also waits until the earlier has issued."""
        furthest: dict[tuple[int, int], int] = {}

        def keep(earlier: int, later: int, distance: int) -> None:
            if earlier != later or distance > 0:
                furthest[earlier, later] = max(distance, furthest.get((earlier, later), distance))

        for earlier, later, clocks, trips in self.problem.edges:
            halves = max(HALVES * clocks, self.hold[earlier] if clocks and earlier != later else 0)
            keep(earlier, later, self.in_slots(halves) - self.slots * trips)
        for number in range(self._last):
            keep(number, self._last, -self.slots * self._restriction.stages)
            keep(self._last, number, -self.slots * self._restriction.stages)
        of_matrix, count = self.in_order, len(self.in_order)
        places = [at * self.slots // count for at in range(count)]
        holds = [self.in_slots(self.halves(number, Resource.MATRIX)) for number in of_matrix]
        for at, number in enumerate(of_matrix[1:]):
            before = of_matrix[at]
            keep(before, number, holds[at])
            if self._restriction.is_even:
                keep(before, number, places[at + 1] - places[at])
                keep(number, before, places[at] - places[at + 1])
        for last in of_matrix[-1:]:
            keep(last, self.anchor, holds[-1] - self.slots)
        return furthest
