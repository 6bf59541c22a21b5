"""The search for the fastest schedules: from the schedules that the compiler chooses, by rounds.

A round measures the neighbours of the best states so far that it has not measured. The search ends when the
best states have no neighbour that is left, or after a number of candidates. The order of measurements does
not matter, so any number of processes finds the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from msgspec import Struct

from asmgen.tuning.neighbours import State, neighbours, texts

BEAM = 3  # best states, of which a round takes the neighbours


class Measured(Struct, frozen=True):
    """The time of a program by the clock model. `binds` names the limit of each launch, `vgprs` is the
    largest number of a launch."""

    microseconds: float
    clocks: float
    vgprs: int
    binds: str


class Search:
    """The states that were measured. `measure` returns the times of states in their order; None for a state
    that does not compile, or not within its limits."""

    def __init__(self, measure: Callable[[Sequence[State]], Sequence[Measured | None]], most: int) -> None:
        self._measure = measure
        self._most = most
        self._measured: dict[State, Measured | None] = {}
        self._start: list[State] = []

    def run(self, start: State) -> None:
        """Search from a state."""
        self._start = [start]
        self._add([start])
        expanded: set[State] = set()
        while frontier := [state for state, _ in self.best(BEAM) if state not in expanded]:
            expanded.update(frontier)
            found = dict.fromkeys(state for best in frontier for state in neighbours(best))
            fresh = (state for state in found if state not in self._measured)
            states = list(islice(fresh, self._most - len(self._measured)))
            if not states:
                return
            self._add(states)

    def _add(self, states: Sequence[State]) -> None:
        self._measured.update(zip(states, self._measure(states), strict=True))

    @property
    def counts(self) -> tuple[int, int]:
        """The number of candidates, and of those that do not compile or reach a limit."""
        return len(self._measured), sum(measured is None for measured in self._measured.values())

    def time_of(self, state: State) -> Measured | None:
        """The time of a state that was measured."""
        return self._measured[state]

    def best(self, count: int) -> list[tuple[State, Measured]]:
        """The fastest states, the fastest first. Of states with the same time, the state that the search
        began with is first, then the states with the fewest registers."""
        timed = [(state, measured) for state, measured in self._measured.items() if measured is not None]

        def order(pair: tuple[State, Measured]) -> tuple[float, bool, int, tuple[str, ...]]:
            state, measured = pair
            return measured.microseconds, state not in self._start, measured.vgprs, texts(state)

        return sorted(timed, key=order)[:count]
