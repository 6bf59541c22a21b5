"""The orders of a loop with a given interval, as constraints for OR-tools' solver CP-SAT.

Clocks are counted in issue slots of the wave. An instruction has a slot of the interval and a stage; its
start is `slot + interval * stage`.

| rule | constraint |
|---|---|
| edges | differences of starts |
| resources | uses do not overlap in their slots; a use at the end of the interval may go on at its begin |
| registers | in each slot, the units of all lives; a life is a number of whole intervals, and a rest |

A `Restriction` leaves out orders to find one sooner. Its proofs are about the other orders only.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Iterable, Mapping, Sequence
from math import gcd
from typing import Any

from asmgen.passes.schedule.modulo.merged import Lives
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import LoopProblem, Resource
from isa.diagnostics import InputError
from isa.instruction import Trait
from isa.named_tuple import NamedTuple

_HALVES = 2  # of a clock
_MOST_WORKERS = 8  # the searches of CP-SAT that work side by side, and differ


class Restriction(NamedTuple):
    """With `in_order`, matrix instructions keep their order in the block, round the interval; `is_even` also
    spreads them evenly over it. With `copies`, no value lives longer than so many intervals; 0 is no limit.
    `stages` is the most of an order."""

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
    stage = [0] * count
    for _ in range(count + 1):
        is_same = True
        for (earlier, later), more in added.items():
            if stage[earlier] + more > stage[later]:
                stage[later], is_same = stage[earlier] + more, False
        if is_same:
            return max(stage) + 1
    most = [0] * count
    for (earlier, _), more in added.items():
        most[earlier] = max(most[earlier], more)
    return sum(most) + 1


def ends_in_branch(problem: LoopProblem) -> bool:
    """Whether the last instruction is the branch of the loop."""
    return Trait.CONDITIONAL_BRANCH in problem.instructions[-1].row.traits


class Constraints:
    """The constraints of a loop with an interval, a multiple of its issue slot. A branch issues at the end of
    the first stage."""

    def __init__(self, problem: LoopProblem, interval: int, restriction: Restriction) -> None:
        self._cp: Any = importlib.import_module("ortools.sat.python.cp_model")
        self._model = self._cp.CpModel()
        self._problem, self._restriction = problem, restriction
        self._slot_clocks = issue_slot(problem)
        self._interval = interval
        self._slots = interval // self._slot_clocks
        self._hold = [_halves(problem, number, Resource.ISSUE) for number in range(len(problem.instructions))]
        self._place()
        self._edges()
        for resource in Resource:
            self._resource(resource)
        self._most: Any = None

    # ---- variables

    def _place(self) -> None:
        model, slots, stages = self._model, self._slots, self._restriction.stages
        count = len(self._hold)
        self._slot = [model.new_int_var(0, slots - 1, "") for _ in range(count)]
        self._stage = [model.new_int_var(0, stages, "") for _ in range(count)]
        self._start = [model.new_int_var(0, slots * (stages + 1), "") for _ in range(count)]
        for slot, stage, start in zip(self._slot, self._stage, self._start, strict=True):
            model.add(start == slot + slots * stage)
        self._has_branch = ends_in_branch(self._problem)
        if self._has_branch:
            model.add(self._start[-1] == slots - self._in_slots(self._hold[-1]))

    def _in_slots(self, halves: int) -> int:
        return -(-halves // (_HALVES * self._slot_clocks))

    # ---- rules

    def _edges(self) -> None:
        """A later instruction also waits until the earlier has issued."""
        furthest: dict[tuple[int, int], int] = {}
        for earlier, later, clocks, trips in self._problem.edges:
            halves = max(_HALVES * clocks, self._hold[earlier] if clocks and earlier != later else 0)
            distance = self._in_slots(halves) - self._slots * trips
            known = furthest.get((earlier, later), distance)
            furthest[earlier, later] = max(known, distance)
        for (earlier, later), distance in furthest.items():
            self._model.add(self._start[later] >= self._start[earlier] + distance)

    def _resource(self, resource: Resource) -> None:
        uses = [
            (number, use.halves)
            for number, some in enumerate(self._problem.uses)
            for use in some
            if use.resource is resource and use.halves
        ]
        is_issue = resource is Resource.ISSUE
        never_wraps = is_issue and self._has_branch  # the branch is the last of an interval
        if not is_issue and all(halves <= self._hold[number] for number, halves in uses):
            return  # the issue keeps them apart
        if resource is Resource.MATRIX and self._restriction.in_order:
            if self._restriction.is_even:
                self._spread(uses)
            else:
                self._round(uses)
            return
        intervals: list[Any] = []
        demands: list[int] = []
        for number, halves in uses:
            for begin, length, demand in self._parts(halves):
                first = self._slot[number] + begin
                for time in (first,) if never_wraps else (first, first + self._slots):
                    intervals.append(self._model.new_fixed_size_interval_var(time, length, ""))
                    demands.append(demand)
                if never_wraps:
                    self._model.add(first + length <= self._slots)
        if all(demand == _HALVES for demand in demands):
            self._model.add_no_overlap(intervals)
        else:
            self._model.add_cumulative(intervals, demands, _HALVES)

    def _parts(self, halves: int) -> Iterable[tuple[int, int, int]]:
        """The parts of a use: the slot at which each begins, its slots, and the half clocks of each slot."""
        if self._slot_clocks > 1 or halves % _HALVES == 0:
            return [(0, self._in_slots(halves), _HALVES)]
        whole = [(0, halves // _HALVES, _HALVES)] if halves > 1 else []
        return [*whole, (halves // _HALVES, 1, 1)]

    def _spread(self, uses: Sequence[tuple[int, int]]) -> None:
        """Uses at slots of the same distance, the first at the begin of the interval."""
        for at, (number, halves) in enumerate(uses):
            first, following = (each * self._slots // len(uses) for each in (at, at + 1))
            self._model.add(self._slot[number] == first)
            if first + self._in_slots(halves) > following:
                self._model.add_bool_or([])  # there is no room: no order

    def _round(self, uses: Sequence[tuple[int, int]]) -> None:
        """Successive uses, round the interval."""
        slots, model = self._slots, self._model
        place = [model.new_int_var(0, 2 * slots, "") for _ in uses]
        for at, (number, halves) in enumerate(uses):
            following = place[at + 1] if at + 1 < len(uses) else place[0] + slots
            model.add(place[at] + self._in_slots(halves) <= following)
            model.add(place[at] == self._slot[number] + slots * model.new_bool_var(""))
        model.add(place[0] < slots)

    def keep_together(self, together: Mapping[int, Sequence[int]]) -> None:
        """Instructions that are together, by number, have the same stage."""
        for number, others in together.items():
            for other in others:
                self._model.add(self._stage[number] == self._stage[other])

    def keep_apart(self, in_memory: Mapping[int, int]) -> None:
        """Accesses, by number, for which memory takes no other access for so many clocks."""
        intervals = [
            self._model.new_fixed_size_interval_var(
                self._slot[number] + shift, self._in_slots(_HALVES * clocks), ""
            )
            for number, clocks in in_memory.items()
            for shift in (0, self._slots)
        ]
        self._model.add_no_overlap(intervals)

    # ---- registers

    def count_registers(self, lives: Lives, most: int) -> None:
        """Look for the order with the fewest registers, which has at most so many of all lives."""
        model, slots = self._model, self._slots
        most -= lives.always
        self._clocks_of_most = 1
        self._most = model.new_int_var(0, most, "")
        self._always = lives.always
        intervals: list[Any] = []
        demands: list[int] = []
        wholes: list[Any] = []
        areas: list[Any] = []
        for life in lives.lives:
            length, whole, rest = self._length(life.maker, life.readers, life.length)
            begin = self._slot[life.maker]
            for time in (begin, begin - slots):
                end = model.new_int_var(-slots, 2 * slots, "")
                intervals.append(model.new_interval_var(time, rest, end, ""))
                demands.append(life.units)
            wholes.append(life.units * whole)
            areas.append(life.units * length)
        room = model.new_int_var(0, most, "")
        model.add(room == self._most - sum(wholes))
        model.add_cumulative(intervals, demands, room)
        model.add(sum(areas) <= slots * self._most)
        model.minimize(self._most)

    def count_lives(self, lives: Lives) -> None:
        """Look for the order in which lives take the fewest clocks, each for each of its registers: few are
        live in the mean. This is found sooner than the fewest at once."""
        self._always, self._clocks_of_most = lives.always, self._slots
        self._most = sum(
            life.units * self._length(life.maker, life.readers, life.length)[0] for life in lives.lives
        )
        self._model.minimize(self._most)

    def _length(self, maker: int, readers: Sequence[tuple[int, int]], values: int) -> tuple[Any, Any, Any]:
        """The slots of a life, its whole intervals and the slots of the rest."""
        model, slots, stages = self._model, self._slots, self._restriction.stages
        copies = self._restriction.copies * values or 2 * stages + 2
        if not readers:
            return model.new_constant(1), model.new_constant(0), model.new_constant(1)
        whole, rest = model.new_int_var(0, copies, ""), model.new_int_var(0, slots, "")
        length = model.new_int_var(1, copies * slots, "")
        model.add(length == rest + slots * whole)
        for number, trips in readers:
            model.add(length >= self._start[number] + slots * trips - self._start[maker])
        return length, whole, rest

    # ---- search

    def begin_with(self, order: LoopOrder) -> None:
        """Look near an order first."""
        for number, start in enumerate(order.start):
            at = start // self._slot_clocks
            self._model.add_hint(self._start[number], at)
            self._model.add_hint(self._slot[number], at % self._slots)
            self._model.add_hint(self._stage[number], at // self._slots)

    def solve(self, seconds: float) -> Answer:
        """Search for so many seconds."""
        solver = self._cp.CpSolver()
        solver.parameters.max_time_in_seconds = seconds
        solver.parameters.num_workers = min(_MOST_WORKERS, os.cpu_count() or 1)
        status = solver.solve(self._model)
        least = 0
        if self._most is not None and status != self._cp.INFEASIBLE:
            least = self._always - (-round(solver.best_objective_bound) // self._clocks_of_most)
        if status not in (self._cp.OPTIMAL, self._cp.FEASIBLE):
            return Answer(None, status == self._cp.INFEASIBLE, least)
        starts = [solver.value(start) * self._slot_clocks for start in self._start]
        return Answer(LoopOrder(self._interval, starts), False, least)


def _halves(problem: LoopProblem, number: int, resource: Resource) -> int:
    return sum(use.halves for use in problem.uses[number] if use.resource is resource)
