"""The registers that no order of a loop undercuts, by the parts of the interval in which instructions start.

    part        0                  1                  2
    starts      v_mfma ds_read     v_mfma ds_read     v_mfma         lives end where a part begins

Each order of the loop says in which part each instruction starts, and so how many registers are live in the
last slot of each part. If no starts in parts have so few registers, no order has. Starts in parts have few
variables, each of which says that an instruction starts in a part or later. The lives are sums of them.

    gfx942, a product of f16, 56 instructions: 24 parts refute 37 VGPRs in 1 s, slots did not in 300 s
"""

from __future__ import annotations

import importlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from asmgen.passes.schedule.modulo.constraints import Constraints
from asmgen.passes.schedule.modulo.merged import Life, Lives
from asmgen.passes.schedule.modulo.problem import Resource
from asmgen.passes.schedule.modulo.windows import NONE, Window
from isa.named_tuple import NamedTuple

_HALVES = 2  # of a slot
_FEWEST_FIXED = 16  # fixed instructions of a loop, from which parts begin with them
_IN_A_ROW = (1, 2, 4, 8, 16)  # parts for which resources are counted together


class Parts(NamedTuple):
    """The slots of the interval, counted from the anchor, and those with which its parts begin, from 0 on."""

    slots: int
    begins: Sequence[int]

    def part(self, slot: int) -> int:
        """The part of a slot; parts are counted on over all intervals."""
        whole, rest = divmod(slot, self.slots)
        return whole * len(self.begins) + bisect_right(self.begins, rest) - 1

    def begin(self, part: int) -> int:
        """The first slot of a part."""
        whole, rest = divmod(part, len(self.begins))
        return whole * self.slots + self.begins[rest]


def parts_of(constraints: Constraints, count: int) -> Parts:
    """So many parts of about equal length. If more instructions have a single start, as those of a full
    matrix pipe, a part begins with each of them, since lives end there."""
    slots = constraints.slots
    fixed = sorted({constraints.windows[number].first % slots for number in constraints.fixed})
    if len(fixed) >= max(count, _FEWEST_FIXED) and fixed[0] == 0:
        return Parts(slots, fixed)
    count = min(count, slots)
    return Parts(slots, [at * slots // count for at in range(count)])


def has_no_order(
    constraints: Constraints, lives: Lives, parts: Parts, registers: int, seconds: float
) -> bool:
    """Whether a search of so many seconds refutes all orders with at most so many registers. If it does not,
    there may be none nevertheless."""
    return constraints.is_contradiction or _Model(constraints, parts).refutes(lives, registers, seconds)


class _Model:
    """`_reached[number][part]`: instruction `number` starts in this part or later. The first part of its
    window is always reached, a part after the last never."""

    def __init__(self, constraints: Constraints, parts: Parts) -> None:
        self._cp: Any = importlib.import_module("ortools.sat.python.cp_model")
        self._model = self._cp.CpModel()
        self._constraints, self._parts = constraints, parts
        self._windows = [Window(parts.part(first), parts.part(last)) for first, last in constraints.windows]
        self._reached: list[dict[int, Any]] = []
        for first, last in self._windows:
            reached = {part: self._model.new_bool_var("") for part in range(first + 1, last + 1)}
            for part in range(first + 1, last):
                self._model.add_implication(reached[part + 1], reached[part])
            self._reached.append(reached)
        self._keep_distances()
        for resource in Resource:
            self._resource(resource)

    def refutes(self, lives: Lives, registers: int, seconds: float) -> bool:
        """Whether no starts in parts have at most so many registers in the last slot of each part."""
        live: list[Any] = [lives.always] * len(self._parts.begins)
        for life in lives.lives:
            for part, is_live in self._live(life):
                live[part % len(live)] += is_live * life.units
        for total in live:
            if not isinstance(total, int):
                self._model.add(total <= registers)
            elif total > registers:
                return True
        solver = self._cp.CpSolver()
        solver.parameters.max_time_in_seconds = seconds
        solver.parameters.linearization_level = 0
        solver.parameters.cp_model_presolve = False  # it takes three times as long as the search without it
        solver.parameters.num_workers = 1
        return solver.solve(self._model) == self._cp.INFEASIBLE

    def _at(self, number: int, part: int) -> Any:
        """Whether an instruction starts in a part or later: a variable, 0 or 1."""
        first, last = self._windows[number]
        if part <= first:
            return 1
        return 0 if part > last else self._reached[number][part]

    def _imply(self, cause: Any, effect: Any) -> None:
        if isinstance(cause, int) and isinstance(effect, int):
            if cause > effect:
                self._model.add_bool_or([])
        elif isinstance(cause, int):
            if cause:
                self._model.add(effect == 1)
        elif isinstance(effect, int):
            if not effect:
                self._model.add(cause == 0)
        else:
            self._model.add_implication(cause, effect)

    def _keep_distances(self) -> None:
        """An instruction in a part or later starts no sooner than the part begins."""
        parts = self._parts
        for (earlier, later), distance in self._constraints.distances.items():
            if earlier != later:
                first, last = self._windows[earlier]
                for part in range(first, last + 1):
                    after = parts.part(parts.begin(part) + distance)
                    self._imply(self._at(earlier, part), self._at(later, after))

    def _resource(self, resource: Resource) -> None:
        """Uses that start in successive parts fit into their slots, but for the rest of the last use."""
        constraints, count = self._constraints, len(self._parts.begins)
        halves = [constraints.halves_of_slots(number, resource) for number in range(len(self._windows))]
        used: list[Any] = [0] * count
        for number, (first, last) in enumerate(self._windows):
            for part in range(first, last + 1) if halves[number] else ():
                used[part % count] += halves[number] * (self._at(number, part) - self._at(number, part + 1))
        rest = max(0, max(halves) - _HALVES)
        for parts in _IN_A_ROW:
            for first in range(count) if parts < count else ():
                total: Any = sum(used[(first + more) % count] for more in range(parts))
                slots = self._parts.begin(first + parts) - self._parts.begin(first)
                if not isinstance(total, int):
                    self._model.add(total <= _HALVES * slots + rest)

    def _live(self, life: Life) -> Iterator[tuple[int, Any]]:
        """Each part in which a life may be live in the last slot, and whether it is: it has begun, and a
        reader starts in a later part."""
        if not life.readers:
            return
        interval = len(self._parts.begins)
        last = max(self._windows[number].last + trips * interval for number, trips in life.readers)
        distances, slots = self._constraints.distances, self._parts.slots
        is_after = any(
            distances.get((life.maker, number), NONE) >= -slots * trips for number, trips in life.readers
        )
        for part in range(self._windows[life.maker].first, last):
            not_begun = self._at(life.maker, part + 1)
            ends = [self._at(number, part + 1 - trips * interval) for number, trips in life.readers]
            if not is_after:
                ends.append(not_begun)
            yield part, self._any(ends) - not_begun

    def _any(self, causes: Sequence[Any]) -> Any:
        if any(isinstance(cause, int) and cause for cause in causes):
            return 1
        unknown = [cause for cause in causes if not isinstance(cause, int)]
        if len(unknown) <= 1:
            return unknown[0] if unknown else 0
        either = self._model.new_bool_var("")
        for cause in unknown:
            self._model.add_implication(cause, either)
        return either
