"""Waits that are stronger than anything needs: with a larger count nothing is missing, and accesses that are
under way are not waited for.

The largest count is found by halves, for all waits of a function at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from msgspec import Struct

from asmgen.check.analyses import FixedPoint, WaitLack
from asmgen.passes.waits.counters import Counters
from isa.instruction import Instr
from isa.waits import waited, with_count


class Stronger(Struct, frozen=True):
    """A wait, by its index, for a counter at `has` accesses where `required` may stay under way; `looser` is
    the wait that suffices."""

    index: int
    counter: str
    has: int
    required: int
    looser: Instr


class _Search(Struct):
    """What is known of a wait for a counter: `enough` suffices, and nothing above `most` does."""

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
    """The waits of a function that are stronger than needed, those in `kept` apart. `is_needed` gives the
    waits, by index, that cannot be replaced by those weaker ones."""
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
    found: dict[tuple[int, str], _Search] = {}
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
                found[index, name] = _Search(instr, name, has, has, most)
    return found


def _narrow(searches: Mapping[int, _Search], is_needed: IsNeeded) -> None:
    """Find the largest count that suffices, for each wait for one counter."""
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
