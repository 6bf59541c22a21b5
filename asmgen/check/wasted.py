"""Finds waits and NOPs that nothing needs, and waits that are stronger than needed. Each is removed, or
replaced by a weaker wait, and the analyses continue from there until they see no difference.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from asmgen.check.analyses import Analysis, FixedPoint, WaitLack
from asmgen.passes.forward import Joinable
from asmgen.passes.waits.counters import Counters
from isa.instruction import Instr
from isa.program import Block
from isa.waits import waited, with_count

State = TypeVar("State", bound=Joinable)
Lack = TypeVar("Lack")
STEPS = 1_000_000  # instructions that a state goes through without a candidate; about ten seconds


class TooLongError(Exception):
    """The differences that leaving out a wait makes reach too far to be followed for each of them."""


def left_out(candidates: Iterable[int]) -> dict[int, None]:
    """The candidates, each replaced by nothing."""
    return dict.fromkeys(sorted(candidates))


class Needed(Generic[State, Lack]):
    """The candidates among a function's instructions that an analysis needs: replacing such a candidate alone
    adds a lack.

    `weaker` has the replacement of each candidate, by its index; None leaves it out. `firsts` has the index
    of each block's first instruction. TooLongError if that takes more than `STEPS` steps.
    """

    def __init__(
        self, flow: FixedPoint[State, Lack], firsts: list[int], weaker: Mapping[int, Instr | None]
    ) -> None:
        self._weaker = weaker
        self._flow = flow
        self._analysis: Analysis[State, Lack] = flow.analysis
        self._blocks = flow.kernel.blocks
        self._firsts = firsts
        self._number = {block.label: number for number, block in enumerate(self._blocks)}
        self._steps = 0
        self.found: set[int] = set()
        chosen: dict[int, list[int]] = {}
        for index in sorted(weaker):
            chosen.setdefault(bisect_right(firsts, index) - 1, []).append(index)
        for number, indices in chosen.items():
            self._leave_out(number, indices)

    def _leave_out(self, number: int, candidates: list[int]) -> None:
        """Go through a block once, with and without each candidate, which are in it and in order.

        If no candidate makes a difference, the states are those that the flow has kept.
        """
        block, analysis, first = self._blocks[number], self._analysis, self._firsts[number]
        others: dict[int, State] = {}  # by candidate, the state without it while that still differs
        chosen = frozenset(candidates)
        state = self._flow.entries[block.label]
        for index, instr in enumerate(block.code, first):
            if not others:
                if index > candidates[-1]:
                    return
                if index not in chosen:
                    continue
                state = self._flow.kept[block.label, index - first].copy()
            without = self._replaced(index, state.copy()) if index in chosen else None
            lacks = len(analysis.step(state, instr))
            for candidate in list(others):
                if self._is_settled(candidate, state, others[candidate], instr, lacks):
                    del others[candidate]
            if without is not None and not analysis.alike(state, without):
                others[index] = without
        if not others:
            return
        lacks = len(analysis.leave(state, block))
        for candidate, other in others.items():
            if len(analysis.leave(other, block)) > lacks:
                self.found.add(candidate)
            elif not analysis.alike(state, other):
                self._follow(candidate, block, other)

    def _replaced(self, candidate: int, state: State) -> State:
        """Pass the replacement of a candidate in a state; that state."""
        instr = self._weaker[candidate]
        if instr is not None:
            _ = self._analysis.step(state, instr)
        return state

    def _is_settled(self, candidate: int, state: State, other: State, instr: Instr, lacks: int) -> bool:
        """Let an instruction pass in the state without a candidate; whether that is known to be needed, or
        not to be up to here."""
        self._steps += 1
        if self._steps > STEPS:
            raise TooLongError
        if len(self._analysis.step(other, instr)) > lacks:
            self.found.add(candidate)
            return True
        return self._analysis.alike(state, other)

    def _follow(self, candidate: int, block: Block, left: State) -> None:
        """Go on after a block that is left in another state without a candidate, until no block is entered in
        a worse state."""
        entries: dict[int, State] = {}
        pending: set[int] = set()
        self._enter(block, left, entries, pending)
        while pending:
            number = min(pending)
            pending.remove(number)
            other = entries[number].copy()
            if not self._agrees_in(number, candidate, other):
                if candidate in self.found:
                    return
                self._enter(self._blocks[number], other, entries, pending)

    def _enter(self, block: Block, left: State, entries: dict[int, State], pending: set[int]) -> None:
        for edge in block.linear:
            number = self._number[edge.target]
            entry = entries.get(number)
            if entry is None:
                entry = entries[number] = self._flow.entries[edge.target].copy()
            if entry.merge(left):
                pending.add(number)

    def _agrees_in(self, number: int, candidate: int, other: State) -> bool:
        """Take a state without a candidate through a block, next to the state with it; whether the two become
        alike there."""
        block, analysis = self._blocks[number], self._analysis
        state = self._flow.entries[block.label].copy()
        for index, instr in enumerate(block.code, self._firsts[number]):
            lacks = len(analysis.step(state, instr))
            if index == candidate:
                _ = self._replaced(candidate, other)
            elif self._is_settled(candidate, state, other, instr, lacks):
                return candidate not in self.found
        lacks = len(analysis.leave(state, block))
        if len(analysis.leave(other, block)) > lacks:
            self.found.add(candidate)
            return False
        return analysis.alike(state, other)


class Stronger(Struct, frozen=True):
    """A wait, by its index, that leaves `has` accesses of a counter under way, but could leave `required`;
    `looser` is the wait that suffices."""

    index: int
    counter: str
    has: int
    required: int
    looser: Instr


class _Search(Struct):
    """The bounds of a wait for a counter: `enough` suffices, and nothing above `most` does."""

    instr: Instr
    counter: str
    has: int
    enough: int
    most: int


Flow = FixedPoint[Counters, WaitLack]
IsNeeded = Callable[[Mapping[int, Instr]], set[int]]


def stronger_waits(
    flow: Flow, firsts: list[int], kept: Collection[int], is_needed: IsNeeded
) -> list[Stronger]:
    """The waits of a function that are stronger than needed, except those in `kept`. `is_needed` gives the
    waits, by index, that those weaker waits cannot replace."""
    searches = _searches(flow, firsts, kept)
    for counter in sorted({counter for _, counter in searches}):
        _narrow({index: search for (index, name), search in searches.items() if name == counter}, is_needed)
    return [
        Stronger(index, counter, search.has, search.enough, with_count(search.instr, counter, search.enough))
        for (index, counter), search in sorted(searches.items())
        if search.enough > search.has
    ]


def _searches(flow: Flow, firsts: list[int], kept: Collection[int]) -> dict[tuple[int, str], _Search]:
    """Of each wait the counters that have more under way than it lets stay."""
    searches: dict[tuple[int, str], _Search] = {}
    first_of = {block.label: first for block, first in zip(flow.kernel.blocks, firsts, strict=True)}
    code_of = {block.label: tuple(block.code) for block in flow.kernel.blocks}
    for (label, position), counters in flow.kept.items():
        index, instr = first_of[label] + position, code_of[label][position]
        if index in kept:
            continue
        counts = waited(instr)
        for state in counters.states:
            has, name = counts.get(state.counter.name), state.counter.name
            most = min(state.length, state.counter.maximum - 1)
            if has is not None and has < most:
                searches[index, name] = _Search(instr, name, has, has, most)
    return searches


def _narrow(searches: Mapping[int, _Search], is_needed: IsNeeded) -> None:
    """Find the largest count that suffices, for each wait for a single counter."""
    while pending := {index: search for index, search in searches.items() if search.enough < search.most}:
        tried = {index: (search.enough + search.most + 1) // 2 for index, search in pending.items()}
        weaker = {
            index: with_count(search.instr, search.counter, tried[index]) for index, search in pending.items()
        }
        needed = is_needed(weaker)
        for index, search in pending.items():
            if index in needed:
                search.most = tried[index] - 1
            else:
                search.enough = tried[index]
