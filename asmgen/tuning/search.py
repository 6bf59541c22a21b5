"""Successive halving: rounds of neighbours; only the best by an estimate are measured.

A round takes the neighbours of the best candidates of each launch that it has not seen, and estimates them
from a workgroup each. The better third of each launch is measured whole. The next round has the neighbours of
the best that no round had. The rounds end after a number of candidates, or when no neighbour is left. A last
round has other builds (`asmgen.tuning.seeds.builds`) of the best.

Which candidates are asked for depends on nothing but answers, so any number of processes finds the same, and
so does a search that continues with the answers of an earlier search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest

from asmgen.blockwise.schedules.choices import Choice
from asmgen.tuning.build import Build
from asmgen.tuning.candidates import Candidate, Measured
from asmgen.tuning.neighbours import neighbours

BEAM = 3  # candidates of a launch that a round takes the neighbours of
_KEPT = 3  # of so many estimates, the best is measured
_OF_SEEDS = 4  # the part of all candidates that are no neighbours
_OF_BUILDS = 5  # and the part of the last round

Answers = Sequence[Measured | None]
Ask = Callable[[Sequence[Candidate], bool], Answers]
"""The estimates of candidates, or with True their times, in their order; None for a candidate that does not
compile or reaches a limit."""
Builds = Callable[[Build, int], Iterable[Build]]
"""The builds next to a build, for a program with so many VGPRs."""


class Search:
    """The candidates of the launches of a program. The first of `starts` for each launch is the compiler's
    choice, others are tried with its neighbours."""

    def __init__(self, ask: Ask, starts: Sequence[Sequence[Choice]], build: Build, most: int) -> None:
        self._ask = ask
        self._starts = starts
        self._build = build
        self._most = most
        self._seen: dict[Candidate, None] = {}
        self._refused: set[Candidate] = set()
        self._expanded: set[Candidate] = set()
        self.times: dict[Candidate, Measured] = {}

    def run(self, builds: Builds) -> None:
        """Search schedules, then builds, and again schedules if a build was faster."""
        usual = [Candidate(number, choices[0], self._build) for number, choices in enumerate(self._starts)]
        self._measure(self._fresh(usual, self._most))
        if self._refused:
            return
        seeds = [
            self._with_build(number, choices[1:], self._build) for number, choices in enumerate(self._starts)
        ]
        first = self._fresh(_in_turn(seeds), max(1, self._most // _OF_SEEDS))
        for_builds = self._most // _OF_BUILDS
        self._rounds(self._build, first, self._most - for_builds)
        vgprs = max([self._best_time(number, self._build).vgprs for number in range(len(self._starts))])
        self._halve(self._fresh(self._of_builds(list(builds(self._build, vgprs))), self._most))
        fastest = min(self.builds, key=lambda build: (self.total(build), build != self._build))
        self._rounds(fastest, [], self._most)

    def _rounds(self, build: Build, first: list[Candidate], most: int) -> None:
        """Rounds until the candidates with this build have no neighbours left, or `most` were seen."""
        fresh = first
        while True:
            self._halve(fresh)
            frontier = [each for number in range(len(self._starts)) for each in self._frontier(number, build)]
            self._expanded.update(frontier)
            next_ = (self._with_build(each.launch, neighbours(each.choice), build) for each in frontier)
            fresh = self._fresh(_in_turn(list(next_)), most)
            if not fresh:
                return

    def _frontier(self, launch: int, build: Build) -> list[Candidate]:
        """The best candidates of a launch that no round took the neighbours of."""
        best = self.best(launch, build, len(self.times))
        return [candidate for candidate in best if candidate not in self._expanded][:BEAM]

    def _of_builds(self, builds: Sequence[Build]) -> Iterator[Candidate]:
        """The best candidates of each launch with other builds: the best of all, then the second best."""
        best = [self.best(number, self._build, BEAM) for number in range(len(self._starts))]
        for place in range(BEAM):
            for build in builds:
                for of_launch in best:
                    if place < len(of_launch):
                        of = of_launch[place]
                        yield Candidate(of.launch, of.choice, build)

    @staticmethod
    def _with_build(launch: int, choices: Iterable[Choice], build: Build) -> list[Candidate]:
        return [Candidate(launch, choice, build) for choice in choices]

    def _fresh(self, candidates: Iterable[Candidate], most: int) -> list[Candidate]:
        """The candidates that were not seen, until `most` are seen in all."""
        fresh: list[Candidate] = []
        for candidate in candidates:
            if len(self._seen) >= most:
                break
            if candidate not in self._seen:
                self._seen[candidate] = None
                fresh.append(candidate)
        return fresh

    def _halve(self, fresh: Sequence[Candidate]) -> None:
        """Estimate candidates, and measure the best of each launch."""
        estimates: dict[int, list[tuple[float, str, Candidate]]] = {}
        for candidate, answer in zip(fresh, self._ask(fresh, False), strict=True):
            if answer is None:
                self._refused.add(candidate)
            else:
                own = estimates.setdefault(candidate.launch, [])
                own.append((answer.microseconds, candidate.text, candidate))
        promoted: list[Candidate] = []
        for own in estimates.values():
            promoted += [candidate for *_, candidate in sorted(own)[: max(BEAM, -(-len(own) // _KEPT))]]
        self._measure(promoted)

    def _measure(self, candidates: Sequence[Candidate]) -> None:
        for candidate, time in zip(candidates, self._ask(candidates, True), strict=True):
            if time is None:
                self._refused.add(candidate)
            else:
                self.times[candidate] = time

    @property
    def counts(self) -> tuple[int, int, int]:
        """The number of candidates, of those that were measured whole, and of those that do not compile or
        reach a limit."""
        return len(self._seen), len(self.times), len(self._refused)

    @property
    def builds(self) -> list[Build]:
        """The builds with a measured candidate for each launch."""
        numbers = range(len(self._starts))
        found = dict.fromkeys(candidate.build for candidate in self.times)
        return [build for build in found if all(self.best(number, build, 1) for number in numbers)]

    def total(self, build: Build) -> float:
        """The microseconds of the best candidates with a build."""
        return sum([self._best_time(number, build).microseconds for number in range(len(self._starts))])

    def _best_time(self, launch: int, build: Build) -> Measured:
        return self.times[self.best(launch, build, 1)[0]]

    def best(self, launch: int, build: Build, count: int) -> list[Candidate]:
        """The fastest candidates of a launch with a build, the fastest first. Of candidates with the same
        time, the compiler's choice is first, then those with the fewest registers, then the shortest."""
        start = self._starts[launch][0]

        def order(pair: tuple[Candidate, Measured]) -> tuple[float, bool, int, int, str]:
            candidate, time = pair
            text = candidate.text
            return time.microseconds, candidate.choice != start, time.vgprs, len(text), text

        own = [pair for pair in self.times.items() if pair[0].launch == launch and pair[0].build == build]
        return [candidate for candidate, _ in sorted(own, key=order)[:count]]


def _in_turn(lists: Sequence[Sequence[Candidate]]) -> Iterator[Candidate]:
    """The first of each list, then the second of each."""
    for row in zip_longest(*lists):
        yield from (candidate for candidate in row if candidate is not None)
