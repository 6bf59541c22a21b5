"""The orders of a loop with a given interval, as constraints for OR-tools' solver CP-SAT.

Clocks are counted in issue slots of the wave. An instruction starts so many slots after another, the anchor,
in a window that the rules leave (`windows`).

| rule | constraint |
|---|---|
| edges | differences of starts |
| resources | uses do not overlap in their slots of the interval; a use at its end may go on at its begin |
| registers | in each slot, the units of all lives, also of those of the trips before and after |

A `Restriction` leaves out orders to find one sooner. Its proofs are about the other orders only.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import gcd
from typing import Any

from asmgen.passes.schedule.modulo.merged import Life, Lives
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import DependenceEdge, LoopProblem, Resource
from asmgen.passes.schedule.modulo.windows import Window, settled, windows
from isa.diagnostics import InputError
from isa.instruction import Trait
from isa.named_tuple import NamedTuple

FEW_STAGES = 6  # of orders that keep values for few trips
_HALVES = 2  # of a clock
_MOST_WORKERS = 8  # the searches of CP-SAT that work side by side, and differ
# How much of the model CP-SAT also solves as a linear program. The total of lives is a linear sum: for a gemm
# of 123 instructions, level 2 takes an order of 184 registers to 128 in the time in which level 0 takes it to
# 146. The most at once is none: level 0 takes it on to 120, level 2 finds nothing more, and level 0 refutes a
# number for layernorm's loop of 19 instructions in 1.6 s, level 1 in 9.
_OF_LIVES, _OF_MOST = 2, 0


class Restriction(NamedTuple):
    """With `in_order`, matrix instructions keep their order in the block, and those of a trip come before
    those of the next; `is_even` also spreads them evenly over the interval. With `copies`, no value lives
    longer than so many intervals; 0 is no limit. No instruction is further than `stages` intervals from the
    last."""

    in_order: bool
    copies: int
    stages: int
    is_even: bool = False


class Answer(NamedTuple):
    """The solver's result: an order, or none; whether there is none; and a lower bound of the registers."""

    order: LoopOrder | None
    is_refuted: bool
    least: int


def check_solver() -> None:
    """`InputError` OPT011 if OR-tools is not installed."""
    if importlib.util.find_spec("ortools") is None:
        message = "OR-tools, which searches for orders, is not installed, wanted the extra `exact`"
        raise InputError(
            "order", "OPT011", message, help="`python -m pip install 'asmgen[exact]'` installs it"
        )


def issue_slot(problem: LoopProblem) -> int:
    """The clocks of an issue slot, in which an instruction issues; 1 if two may issue at once."""
    halves = [use.halves for uses in problem.uses for use in uses if use.resource is Resource.ISSUE]
    if not halves or any(each % _HALVES for each in halves):
        return 1
    return gcd(*halves) // _HALVES


def most_stages(problem: LoopProblem, interval: int) -> int:
    """Stages that suffice for any slots of the instructions: each edge adds a number of stages at most."""
    count = len(problem.instructions)
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


class Constraints:
    """The constraints of a loop with an interval, a multiple of its issue slot.

    Starts are counted from an anchor: the first matrix instruction if these keep their order, since the
    others of a full pipe then have fixed starts, or else the last instruction. A branch issues at the end of
    the first stage of the order."""

    def __init__(self, problem: LoopProblem, interval: int, restriction: Restriction) -> None:
        self._cp: Any = importlib.import_module("ortools.sat.python.cp_model")
        self._model = self._cp.CpModel()
        self.problem, self._restriction = problem, restriction
        self._slot_clocks = issue_slot(problem)
        self._interval = interval
        self.slots = interval // self._slot_clocks
        self._hold = [_halves(problem, number, Resource.ISSUE) for number in range(len(problem.uses))]
        self._last = len(problem.uses) - 1
        of_matrix = [number for number in range(self._last) if _halves(problem, number, Resource.MATRIX)]
        self._in_order = of_matrix if restriction.in_order else []
        self._anchor = (self._in_order or [self._last])[0]
        self.distances = self._all_distances()
        found = windows(len(problem.uses), self.distances, self._anchor)
        self.is_contradiction = found is None
        self.windows = found or [Window(0, 0)] * len(problem.uses)
        self._most: Any = None
        self._linear = 1
        self._is_built = False

    def _build(self) -> bool:
        """State the constraints, unless they contradict each other. They take time, and the heuristic, which
        comes first, needs none of them."""
        if not self._is_built and not self.is_contradiction:
            self._is_built = True
            self._place()
            self._keep_distances()
            for resource in Resource:
                self._resource(resource)
        return not self.is_contradiction

    def _in_slots(self, halves: int) -> int:
        return -(-halves // (_HALVES * self._slot_clocks))

    # ---- distances

    def _all_distances(self) -> dict[tuple[int, int], int]:
        """The least slots between the starts of two instructions. A later instruction of an edge also waits
        until the earlier has issued."""
        furthest: dict[tuple[int, int], int] = {}

        def keep(earlier: int, later: int, distance: int) -> None:
            if earlier != later or distance > 0:
                furthest[earlier, later] = max(distance, furthest.get((earlier, later), distance))

        for earlier, later, clocks, trips in self.problem.edges:
            halves = max(_HALVES * clocks, self._hold[earlier] if clocks and earlier != later else 0)
            keep(earlier, later, self._in_slots(halves) - self.slots * trips)
        for number in range(self._last):
            keep(number, self._last, -self.slots * self._restriction.stages)
            keep(self._last, number, -self.slots * self._restriction.stages)
        places = [at * self.slots // len(self._in_order) for at in range(len(self._in_order))]
        for at, number in enumerate(self._in_order[1:]):
            before = self._in_order[at]
            keep(before, number, self._in_slots(_halves(self.problem, before, Resource.MATRIX)))
            if self._restriction.is_even:
                keep(before, number, places[at + 1] - places[at])
                keep(number, before, places[at] - places[at + 1])
        for last in self._in_order[-1:]:
            hold = self._in_slots(_halves(self.problem, last, Resource.MATRIX))
            keep(last, self._anchor, hold - self.slots)
        return furthest

    def edges(self) -> Iterator[DependenceEdge]:
        """The distances as edges."""
        for (earlier, later), distance in self.distances.items():
            trips = max(0, -(distance // self.slots))
            clocks = (distance + self.slots * trips) * self._slot_clocks
            yield DependenceEdge(earlier, later, clocks, trips)

    def _keep_distances(self) -> None:
        for (earlier, later), distance in self.distances.items():
            if self.windows[later].first < self.windows[earlier].last + distance:
                self._model.add(self._start[later] >= self._start[earlier] + distance)

    # ---- variables

    def _place(self) -> None:
        """The start of each instruction, its slot of the interval and its number of whole intervals."""
        slots = self.slots
        self._start, self._slot = list[Any](), list[Any]()
        self._whole = list[Any]()
        for first, last in self.windows:
            start, whole, slot = self._divided(first, last)
            self._start.append(start)
            self._whole.append(whole)
            self._slot.append(slot)
            self._model.add(start == slot + slots * whole)

    def _divided(self, first: int, last: int) -> tuple[Any, Any, Any]:
        model, slots = self._model, self.slots
        begin, end = first // slots, last // slots
        within = (first % slots, last % slots) if begin == end else (0, slots - 1)
        return (
            model.new_int_var(first, last, ""),
            model.new_int_var(begin, end, ""),
            model.new_int_var(*within, ""),
        )

    # ---- rules

    def _resource(self, resource: Resource) -> None:
        uses = [
            (number, use.halves)
            for number, some in enumerate(self.problem.uses)
            for use in some
            if use.resource is resource and use.halves
        ]
        is_issue = resource is Resource.ISSUE
        if not is_issue and all(halves <= self._hold[number] for number, halves in uses):
            return  # the issue keeps them apart
        if resource is Resource.MATRIX and self._in_order:
            return  # distances do
        intervals: list[Any] = []
        demands: list[int] = []
        for number, halves in uses:
            for begin, length, demand in self.parts(halves):
                for shift in (begin, begin + self.slots):
                    time = self._slot[number] + shift
                    intervals.append(self._model.new_fixed_size_interval_var(time, length, ""))
                    demands.append(demand)
        if all(demand == _HALVES for demand in demands):
            self._model.add_no_overlap(intervals)
        else:
            self._model.add_cumulative(intervals, demands, _HALVES)

    def parts(self, halves: int) -> Iterable[tuple[int, int, int]]:
        """The parts of a use: the slot at which each begins, its slots, and the half clocks of each slot."""
        if self._slot_clocks > 1 or halves % _HALVES == 0:
            return [(0, self._in_slots(halves), _HALVES)]
        whole = [(0, halves // _HALVES, _HALVES)] if halves > 1 else []
        return [*whole, (halves // _HALVES, 1, 1)]

    def keep_together(self, together: Mapping[int, Sequence[int]]) -> None:
        """Instructions that are together, by number, have the same stage."""
        if not self._build():
            return
        stages = dict[int, Any]()
        for number, others in together.items():
            for other in others:
                self._model.add(self._stage(number, stages) == self._stage(other, stages))

    def _stage(self, number: int, known: dict[int, Any]) -> Any:
        """The stage of an instruction, counted from that of the last instruction, which ends its stage."""
        if number not in known:
            slots, stages = self.slots, self._restriction.stages
            after = self._start[number] - self._start[self._last] - self._in_slots(self._hold[-1])
            known[number] = self._model.new_int_var(-stages - 1, stages + 1, "")
            slot = self._model.new_int_var(0, slots - 1, "")
            self._model.add(after == slot + slots * known[number])
        return known[number]

    def keep_apart(self, in_memory: Mapping[int, int]) -> None:
        """Accesses, by number, for which memory takes no other access for so many clocks."""
        if not self._build():
            return
        intervals = [
            self._model.new_fixed_size_interval_var(
                self._slot[number] + shift, self._in_slots(_HALVES * clocks), ""
            )
            for number, clocks in in_memory.items()
            for shift in (0, self.slots)
        ]
        self._model.add_no_overlap(intervals)

    # ---- registers

    def count_registers(self, lives: Lives, least: int, most: int) -> None:
        """Look for the order with the fewest registers of all lives, between `least` and `most`; for any
        order if these are the same."""
        self._end_lives(lives)
        room = self._model.new_int_var(least - lives.always, most - lives.always, "")
        intervals: list[Any] = []
        demands: list[int] = []
        for life, end in zip(lives.lives, self._ends, strict=True):
            window = Window(self.windows[life.maker].first, self._last_end(life))
            begin = self._start[life.maker]
            length = self._model.new_int_var(1, window.last - window.first, "")
            for trips in range(-(window.last // self.slots) - 1, -(window.first // self.slots) + 2):
                shift = trips * self.slots
                if window.last + shift > 0 and window.first + shift < self.slots:
                    intervals.append(self._model.new_interval_var(begin + shift, length, end + shift, ""))
                    demands.append(life.units)
        self._model.add_cumulative(intervals, demands, room)
        self._model.add(self._in_total(lives) <= self.slots * room)
        self._always, self._slots_of_most, self._linear = lives.always, 1, _OF_MOST
        if least < most:
            self._most = room
            self._model.minimize(room)

    def count_lives(self, lives: Lives) -> None:
        """Look for the order in which lives take the fewest clocks, each for each of its registers: few are
        live in the mean. This is found sooner than the fewest at once."""
        self._end_lives(lives)
        self._always, self._slots_of_most, self._linear = lives.always, self.slots, _OF_LIVES
        self._most = self._in_total(lives)
        self._model.minimize(self._most)

    def _end_lives(self, lives: Lives) -> None:
        """A slot at which each life has ended."""
        _ = self._build()
        self._lives = lives.lives
        self._ends = list[Any]()
        for life in lives.lives:
            if not life.readers:
                self._ends.append(self._start[life.maker] + 1)
                continue
            reads = [(number, trips * self.slots) for number, trips in life.readers]
            first = max(self.windows[number].first + later for number, later in reads)
            end = self._model.new_int_var(first, max(first, self._last_end(life)), "")
            for number, later in reads:
                self._model.add(end >= self._start[number] + later)
            self._model.add(end >= self._start[life.maker] + 1)
            self._ends.append(end)

    def _last_end(self, life: Life) -> int:
        """The last slot at which a life ends."""
        after = self.windows[life.maker].last + 1
        return max(
            [after, *(self.windows[number].last + trips * self.slots for number, trips in life.readers)]
        )

    def _in_total(self, lives: Lives) -> Any:
        """The slots of all lives, each for each of its registers."""
        return sum(
            life.units * (end - self._start[life.maker])
            for life, end in zip(lives.lives, self._ends, strict=True)
        )

    # ---- search

    def allows(self, order: LoopOrder) -> bool:
        """Whether an order keeps the distances of all instructions."""
        return not self.is_contradiction and all(
            order.start[later] - order.start[earlier] >= distance * self._slot_clocks
            for (earlier, later), distance in self.distances.items()
        )

    @property
    def fixed(self) -> frozenset[int]:
        """The instructions with a single place: the anchor, and those at a fixed distance."""
        return frozenset(number for number, (first, last) in enumerate(self.windows) if first == last)

    def halves_of_slots(self, number: int, resource: Resource) -> int:
        """The half slots for which an instruction keeps a resource busy."""
        halves = _halves(self.problem, number, resource)
        return halves if self._slot_clocks == 1 else _HALVES * self._in_slots(halves)

    def places(self, order: LoopOrder) -> list[int]:
        """The slots of an order's starts, counted from the anchor."""
        zero = order.start[self._anchor] // self._slot_clocks
        return [start // self._slot_clocks - zero for start in order.start]

    def begin_with(self, order: LoopOrder) -> None:
        """Look near an order first."""
        places = self.places(order)
        for at, start, slot, whole in zip(places, self._start, self._slot, self._whole, strict=True):
            self._model.add_hint(start, at)
            self._model.add_hint(slot, at % self.slots)
            self._model.add_hint(whole, at // self.slots)
        for life, end in zip(self._lives, self._ends, strict=True):
            if life.readers:
                reads = [places[number] + trips * self.slots for number, trips in life.readers]
                self._model.add_hint(end, max(places[life.maker] + 1, *reads))

    def solve(self, seconds: float, workers: int = _MOST_WORKERS) -> Answer:
        """Search for so many seconds, by at most so many searches side by side."""
        if not self._build():
            return Answer(None, True, 0)
        solver = self._cp.CpSolver()
        solver.parameters.max_time_in_seconds = seconds
        solver.parameters.linearization_level = self._linear
        solver.parameters.num_workers = min(workers, os.cpu_count() or 1)
        status = solver.solve(self._model)
        least = 0
        if self._most is not None and status != self._cp.INFEASIBLE:
            least = self._always - (-round(solver.best_objective_bound) // self._slots_of_most)
        if status not in (self._cp.OPTIMAL, self._cp.FEASIBLE):
            return Answer(None, status == self._cp.INFEASIBLE, least)
        return Answer(self.order([solver.value(start) for start in self._start]), False, least)

    def order(self, places: Sequence[int]) -> LoopOrder:
        """The order of which the last instruction ends a stage, the first if no instruction then starts
        below 0."""
        slots = self.slots
        shift = slots - self._in_slots(self._hold[-1]) - places[self._last]
        shift += slots * max(0, -(min(places) + shift) // slots)
        return LoopOrder(self._interval, [(place + shift) * self._slot_clocks for place in places])


def _halves(problem: LoopProblem, number: int, resource: Resource) -> int:
    return sum(use.halves for use in problem.uses[number] if use.resource is resource)
