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
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from asmgen.passes.schedule.modulo.beside_fixed import Part
from asmgen.passes.schedule.modulo.distances import HALVES, Distances, Restriction
from asmgen.passes.schedule.modulo.merged import Life, Lives
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import DependenceEdge, LoopProblem, Resource
from asmgen.passes.schedule.modulo.windows import Window
from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple

FEW_STAGES = 6  # of orders that keep values for few trips
_MOST_WORKERS = 8  # the searches of CP-SAT that work side by side, and differ
# How much of the model CP-SAT also solves as a linear program. The total of lives is a linear sum: for a gemm
# of 123 instructions, level 2 takes an order of 184 registers to 128 in the time in which level 0 takes it to
# 146. The most at once is none: level 0 takes it on to 120, level 2 finds nothing more, and level 0 refutes a
# number for layernorm's loop of 19 instructions in 1.6 s, level 1 in 9.
_OF_LIVES, _OF_MOST = 2, 0


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


class Constraints:
    """The constraints of a loop with an interval, a multiple of its issue slot. Starts are counted from the
    anchor of `Distances`. A branch issues at the end of the first stage of the order."""

    def __init__(self, problem: LoopProblem, interval: int, restriction: Restriction) -> None:
        self._cp: Any = importlib.import_module("ortools.sat.python.cp_model")
        self._model = self._cp.CpModel()
        self.problem, self._restriction, self._interval = problem, restriction, interval
        self.rules = Distances(problem, interval, restriction)
        self.slots, self.distances = self.rules.slots, self.rules.least
        self._slot_clocks, self._hold = self.rules.slot_clocks, self.rules.hold
        self._in_order, self._anchor = self.rules.in_order, self.rules.anchor
        self._last = len(problem.uses) - 1
        self.is_contradiction = self.rules.windows is None
        self.windows = self.rules.windows or [Window(0, 0)] * len(problem.uses)
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
        return self.rules.in_slots(halves)

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
        if all(demand == HALVES for demand in demands):
            self._model.add_no_overlap(intervals)
        else:
            self._model.add_cumulative(intervals, demands, HALVES)

    def parts(self, halves: int) -> Sequence[Part]:
        """The parts of a use of a resource in slots."""
        return self.rules.parts(halves)

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
                self._slot[number] + shift, self._in_slots(HALVES * clocks), ""
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
        halves = self.rules.halves(number, resource)
        return halves if self._slot_clocks == 1 else HALVES * self._in_slots(halves)

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
