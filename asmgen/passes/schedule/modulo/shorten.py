"""Shorter lives in an order of a loop: each instruction moves to the place at which the registers that it
makes and reads live for the fewest clocks, until no move helps. The interval stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from asmgen.passes.schedule.modulo.legal import occupied
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import DependenceEdge, LoopProblem, Resource
from asmgen.passes.schedule.modulo.values import LoopValue

_PASSES = 12
_HALVES = 2  # of a clock


def shortened(
    problem: LoopProblem, values: Sequence[LoopValue], order: LoopOrder, slot: int, fixed: frozenset[int]
) -> LoopOrder:
    """A legal order with lives that are no longer in total, from a legal order; all starts stay multiples of
    `slot`. The `fixed` instructions keep theirs."""
    lives = _Lives(problem, values, order, slot)
    numbers = sorted(set(range(len(order.start))) - fixed, key=lambda number: order.start[number])
    for at in range(_PASSES):
        if not sum(map(lives.move, numbers if at % 2 else numbers[::-1])):
            break
    return LoopOrder(order.interval, lives.start)


class _Lives:
    def __init__(
        self, problem: LoopProblem, values: Sequence[LoopValue], order: LoopOrder, slot: int
    ) -> None:
        self.start = list(order.start)
        self._interval, self._slot, self._problem = order.interval, slot, problem
        count = len(self.start)
        self._before: list[list[DependenceEdge]] = [[] for _ in range(count)]
        self._after: list[list[DependenceEdge]] = [[] for _ in range(count)]
        for edge in problem.edges:
            if edge.earlier != edge.later:
                self._before[edge.later].append(edge)
                self._after[edge.earlier].append(edge)
        self._touched: list[list[LoopValue]] = [[] for _ in range(count)]
        for value in values:
            if value.maker is not None:
                for number in {value.maker, *[reader for reader, _ in value.readers]}:
                    self._touched[number].append(value)
        self._busy = {resource: [0] * self._interval for resource in Resource}
        for number in range(count):
            self._take(number, 1)

    def move(self, number: int) -> bool:
        """Move an instruction to its best place; False if it has that."""
        if not self._touched[number]:
            return False
        now = self.start[number]
        best, fewest = now, self._cost(number)
        self._take(number, -1)
        for start in self._window(number):
            self.start[number] = start
            cost = self._cost(number)
            if cost < fewest and self._fits(number):
                best, fewest = start, cost
        self.start[number] = best
        self._take(number, 1)
        return best != now

    def _window(self, number: int) -> Iterable[int]:
        """The starts that the edges allow."""
        start, interval = self.start, self._interval
        first = max(
            [0, *[start[edge.earlier] + edge.clocks - interval * edge.trips for edge in self._before[number]]]
        )
        furthest = max(start[number], first + interval)
        last = min(
            [
                furthest,
                *[start[edge.later] + interval * edge.trips - edge.clocks for edge in self._after[number]],
            ]
        )
        return range(-(-first // self._slot) * self._slot, last + 1, self._slot)

    def _cost(self, number: int) -> int:
        """The clocks of the registers that an instruction makes or reads."""
        start, total = self.start, 0
        for value in self._touched[number]:
            assert value.maker is not None
            begin = start[value.maker]
            end = max(
                [begin + 1, *[start[reader] + trips * self._interval for reader, trips in value.readers]]
            )
            total += value.units * (end - begin)
        return total

    def _fits(self, number: int) -> bool:
        for resource, halves in self._problem.uses[number]:
            if halves > _HALVES * self._interval:
                return False
            for clock, part in occupied(self.start[number], halves):
                if self._busy[resource][clock % self._interval] + part > _HALVES:
                    return False
        return True

    def _take(self, number: int, sign: int) -> None:
        for resource, halves in self._problem.uses[number]:
            for clock, part in occupied(self.start[number], halves):
                self._busy[resource][clock % self._interval] += sign * part
