"""The fastest combinations of the candidates of all launches, with the same build."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from msgspec import Struct

from asmgen.tuning.build import Build
from asmgen.tuning.candidates import Candidate, Measured
from asmgen.tuning.search import Search


class Combined(Struct, frozen=True):
    """A candidate for each launch of a program, with their times."""

    candidates: tuple[Candidate, ...]
    times: tuple[Measured, ...]

    @property
    def build(self) -> Build:
        return self.candidates[0].build

    @property
    def microseconds(self) -> float:
        return sum(time.microseconds for time in self.times)

    @property
    def clocks(self) -> float:
        return sum(time.clocks for time in self.times)

    @property
    def vgprs(self) -> int:
        return max(time.vgprs for time in self.times)


def fastest(search: Search, launches: int, count: int) -> list[Combined]:
    """The fastest combinations, the fastest first."""
    found = [
        combined
        for build in search.builds
        for combined in _of_build(
            [search.best(number, build, count) for number in range(launches)], search, count
        )
    ]
    return sorted(found, key=lambda combined: combined.microseconds)[:count]


def _of_build(best: Sequence[Sequence[Candidate]], search: Search, count: int) -> list[Combined]:
    """The fastest combinations of sorted candidates: from the best of all, each step takes the next candidate
    of one launch."""

    def combined(places: tuple[int, ...]) -> Combined:
        candidates = tuple([own[place] for own, place in zip(best, places, strict=True)])
        return Combined(candidates, tuple([search.times[candidate] for candidate in candidates]))

    first = tuple([0 for _ in best])
    waiting, seen, found = [(combined(first).microseconds, first)], {first}, list[Combined]()
    while waiting and len(found) < count:
        _, places = heappop(waiting)
        found.append(combined(places))
        for launch, own in enumerate(best):
            after = (*places[:launch], places[launch] + 1, *places[launch + 1 :])
            if after not in seen and after[launch] < len(own):
                seen.add(after)
                heappush(waiting, (combined(after).microseconds, after))
    return found
