"""Fewer registers in an order of a loop, by many small changes at random. The interval stays.

    softmax's loop of 166 instructions on gfx942: 41 VGPRs by the solver in 286 s, 22 by changes in 1.1 s

A change moves an instruction, and the others that it pushes by their distances, or exchanges two. It stays if
fewer registers are live above a wanted number, and now and then if not: the less often, the longer a round of
the search lasts (S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, Optimization by simulated annealing, 1983).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from random import Random
from time import monotonic
from typing import Any

import numpy as np

from asmgen.passes.schedule.modulo.constraints import Constraints
from asmgen.passes.schedule.modulo.merged import Life, Lives
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import Resource
from asmgen.passes.schedule.modulo.windows import add_around

_ROUNDS = 6  # of a search, each from the order at which the last ended
_WARM = 16.0  # clocks of a register at the begin of a round, by which an order may get worse
# The cost of registers above the wanted number, squared, and of a register for a slot. To want 3 fewer than
# the best order has takes layernorm's loop from 68 VGPRs to 61 in 5 s; to want 1 fewer takes it nowhere, 10
# fewer to 64
_OF_EXCESS, _OF_LIFE, _FEWER = 4.0, 0.05, 3
_CHANGES = 50  # between two looks at the time
_MOST_PUSHED, _FURTHEST = 60, 24  # instructions of a change; slots that are tried for each
_NEAR, _FAR = 60, 8  # parts of the interval, of the mean move
_HALVES = 2  # of a slot


def fewer_registers(
    constraints: Constraints, lives: Lives, order: LoopOrder, least: int, seconds: float
) -> LoopOrder:
    """An order with no more registers live at once than a legal order, by a search of so many seconds, which
    ends at `least` registers. It keeps the distances of the constraints."""
    state = _State(constraints, lives, constraints.places(order))
    walk = _Walk(state, constraints)
    return constraints.order(walk.best_of(seconds, least))


class _State:
    """The starts of instructions in slots, the parts of the machine that they keep busy, and the registers
    that are live in each slot of the interval."""

    def __init__(self, constraints: Constraints, lives: Lives, start: Sequence[int]) -> None:
        self.start, self.slots = list(start), constraints.slots
        self._parts = [
            [(use.resource, constraints.parts(use.halves)) for use in uses if use.halves]
            for uses in constraints.problem.uses
        ]
        self._busy = {resource: [0] * self.slots for resource in Resource}
        for number in range(len(start)):
            self._take(number, 1)
        self._lives = lives.lives
        self.touched: list[list[int]] = [[] for _ in start]
        for at, life in enumerate(self._lives):
            for number in {life.maker, *[reader for reader, _ in life.readers]}:
                self.touched[number].append(at)
        self.live: Any = np.full(self.slots, lives.always, dtype=np.int64)
        self._spans = [self._span(life) for life in self._lives]
        for life, span in zip(self._lives, self._spans, strict=True):
            self._add(span, life.units)

    def place(self, number: int, start: int, step: int) -> bool:
        """Start an instruction at the first free slot from `start` on; False if it stays, as none is near."""
        self._take(number, -1)
        for at in range(start, start + step * _FURTHEST, step):
            if self._fits(number, at):
                self.start[number] = at
                self._take(number, 1)
                return True
        self._take(number, 1)
        return False

    def put_back(self, before: Mapping[int, int]) -> None:
        """Give instructions the starts that they had."""
        for number in before:
            self._take(number, -1)
        for number, start in before.items():
            self.start[number] = start
            self._take(number, 1)

    def count(self, numbers: Mapping[int, int]) -> dict[int, tuple[int, int]]:
        """Count the registers anew after instructions moved. The former spans of lives that changed."""
        changed: dict[int, tuple[int, int]] = {}
        for at in {at for number in numbers for at in self.touched[number]}:
            span = self._span(self._lives[at])
            if span != self._spans[at]:
                changed[at] = self._spans[at]
                self._add(self._spans[at], -self._lives[at].units)
                self._add(span, self._lives[at].units)
                self._spans[at] = span
        return changed

    def restore(self, live: Any, spans: Mapping[int, tuple[int, int]]) -> None:
        """The registers as they were before `count`."""
        self.live = live
        for at, span in spans.items():
            self._spans[at] = span

    def _span(self, life: Life) -> tuple[int, int]:
        begin = self.start[life.maker]
        ends = [self.start[number] + trips * self.slots for number, trips in life.readers]
        return begin, max([begin + 1, *ends])

    def _add(self, span: tuple[int, int], units: int) -> None:
        add_around(self.live, span[0], span[1] - span[0], units)

    def _take(self, number: int, sign: int) -> None:
        start = self.start[number]
        for resource, parts in self._parts[number]:
            busy = self._busy[resource]
            for begin, length, halves in parts:
                for slot in range(start + begin, start + begin + length):
                    busy[slot % self.slots] += sign * halves

    def _fits(self, number: int, start: int) -> bool:
        return all(
            self._busy[resource][slot % self.slots] + halves <= _HALVES
            for resource, parts in self._parts[number]
            for begin, length, halves in parts
            for slot in range(start + begin, start + begin + length)
        )


class _Walk:
    """Changes of an order at random: the same for the same loop."""

    def __init__(self, state: _State, constraints: Constraints) -> None:
        self._state, self._random = state, Random(0)
        count = len(state.start)
        self._after: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        self._before: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        for (earlier, later), distance in constraints.distances.items():
            if earlier != later:
                self._after[earlier].append((later, distance))
                self._before[later].append((earlier, distance))
        self._fixed = constraints.fixed
        self._movable = [number for number in range(count) if number not in self._fixed]
        alike: dict[str, list[int]] = {}
        for number in self._movable:
            alike.setdefault(str(constraints.problem.uses[number]), []).append(number)
        self._alike = {number: others for others in alike.values() for number in others}

    def best_of(self, seconds: float, least: int) -> list[int]:
        """The starts of the best order of a search."""
        state, begin = self._state, monotonic()
        best, most = list(state.start), int(state.live.max())
        cost = self._cost(most - _FEWER)
        while self._movable and most > least and (spent := monotonic() - begin) < seconds:
            heat = _WARM * (1 - spent / seconds * _ROUNDS % 1)
            for _ in range(_CHANGES):
                live = state.live.copy()
                moved = self._change()
                if not moved:
                    continue
                spans = state.count(moved)
                new = self._cost(most - _FEWER)
                if new > cost and self._random.random() >= exp((cost - new) / heat):
                    state.restore(live, spans)
                    state.put_back(moved)
                    continue
                cost = new
                if state.live.max() < most:
                    best, most = list(state.start), int(state.live.max())
                    cost = self._cost(most - _FEWER)
        return best

    def _cost(self, wanted: int) -> float:
        excess = np.maximum(self._state.live - wanted, 0)
        return float(_OF_LIFE * self._state.live.sum() + _OF_EXCESS * (excess * excess).sum())

    def _change(self) -> dict[int, int]:
        """A change of a random kind. The former starts of the instructions that moved."""
        number, kind = self._random.choice(self._movable), self._random.randrange(5)
        if kind == 0:
            return self._exchanged(number, self._random.choice(self._alike[number]))
        if kind < 3:
            return self._within_window(number)
        parts = self._random.choice((_NEAR, _FAR))
        far = 1 + int(self._random.expovariate(parts / self._state.slots))
        step = self._random.choice((1, -1))
        return self._pushed(number, self._state.start[number] + step * far, step)

    def _within_window(self, number: int) -> dict[int, int]:
        """Move an instruction so that it pushes none."""
        now, slots = self._state.start[number], self._state.slots
        first, last = self._window(number)
        first, last = max(first, now - slots), min(last, now + slots)
        start = self._random.randint(first, last)
        if start == now or not self._state.place(number, start, 1):
            return {}
        if self._state.start[number] > last:
            self._state.put_back({number: now})
            return {}
        return {number: now}

    def _window(self, number: int) -> tuple[int, int]:
        """The first and the last slot that the distances leave; the last instruction bounds all."""
        start = self._state.start
        first = max(start[each] + distance for each, distance in self._before[number])
        return first, min(start[each] - distance for each, distance in self._after[number])

    def _exchanged(self, number: int, other: int) -> dict[int, int]:
        """Each of two instructions with the same uses in the slot of the other."""
        state = self._state
        before = {number: state.start[number], other: state.start[other]}
        far = (before[other] - before[number]) % state.slots
        by, back = (far - self._random.choice((0, state.slots)) for _ in range(2))
        state.put_back({number: before[number] + by, other: before[other] - back})
        for each in before:
            first, last = self._window(each)
            if not first <= state.start[each] <= last:
                state.put_back(before)
                return {}
        return before

    def _pushed(self, number: int, to: int, step: int) -> dict[int, int]:
        """Move an instruction later (`step` 1) or sooner (-1), with all that have to keep their distance. The
        starts before, none if the change was taken back."""
        start, before = self._state.start, dict[int, int]()
        waiting = [(number, to)]
        while waiting:
            each, wanted = waiting.pop()
            if (start[each] - wanted) * step >= 0:
                continue
            is_again = each == number and each in before
            before.setdefault(each, start[each])
            if (
                is_again
                or each in self._fixed
                or len(before) > _MOST_PUSHED
                or not self._state.place(each, wanted, step)
            ):
                self._state.put_back(before)
                return {}
            near = self._after[each] if step > 0 else self._before[each]
            waiting += [(other, start[each] + step * distance) for other, distance in near]
        return before
