"""The registers that no order of a loop with an interval undercuts, by the shortest lives of its values.

    global_load_dwordx4 %x     0     4 registers for 800 clocks at least, until ds_write_b128 reads them
    ds_write_b128 %at, %x      1     with an interval of 1,000, 3.2 registers in the mean

A life is as long as the longest chain of dependences from its maker to a reader. At some clock of the
interval at least as many registers are live as in the mean of all clocks. This needs no solver.
"""

from __future__ import annotations

from collections.abc import Iterable

from asmgen.passes.schedule.modulo.merged import Life, merged
from asmgen.passes.schedule.modulo.problem import DependenceEdge
from asmgen.passes.schedule.modulo.values import LoopValue


def least_vectors(edges: Iterable[DependenceEdge], values: Iterable[LoopValue], interval: int) -> int:
    """The VGPRs that are live at once at least in each order with the interval. No circuit of the edges needs
    a longer interval."""
    lives = merged(values)
    shortest = _Shortest(edges, interval)
    clocks = sum(life.units * shortest.of(life) for life in lives.lives)
    return lives.always + -(-clocks // interval)


class _Shortest:
    def __init__(self, edges: Iterable[DependenceEdge], interval: int) -> None:
        self._interval = interval
        longest: dict[tuple[int, int], int] = {}
        for earlier, later, clocks, trips in edges:
            length = clocks - interval * trips
            if earlier != later and length > longest.get((earlier, later), length - 1):
                longest[earlier, later] = length
        self._after: dict[int, list[tuple[int, int]]] = {}
        for (earlier, later), length in longest.items():
            self._after.setdefault(earlier, []).append((later, length))
        self._from: dict[int, dict[int, int]] = {}

    def of(self, life: Life) -> int:
        """The clocks of the shortest life."""
        if not life.readers:
            return 1
        distance = self._distances(life.maker)
        ends = [distance[each] + trips * self._interval for each, trips in life.readers if each in distance]
        return max([1, *ends])

    def _distances(self, first: int) -> dict[int, int]:
        """The clocks from the start of an instruction to that of each instruction that waits for it."""
        if first not in self._from:
            distance, waiting = {first: 0}, [first]
            while waiting:
                following = dict[int, None]()
                for earlier in waiting:
                    for later, length in self._after.get(earlier, ()):
                        end = distance[earlier] + length
                        if end > distance.get(later, end - 1):
                            distance[later] = end
                            following[later] = None
                waiting = list(following)
            self._from[first] = distance
        return self._from[first]
