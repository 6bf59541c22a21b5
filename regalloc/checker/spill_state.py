"""What the check of spill code knows at a point: what places of memory and new registers certainly hold."""

from __future__ import annotations

from typing import NamedTuple

Value = int
"""A unit of the first program, a physical unit, or `-1 - bits` for a constant."""

Place = tuple[int, int]
"""Where memory holds a unit: (-1, dword) of scratch, (-2, new virtual AGPR), or (VGPR, lane)."""

SCRATCH = -1
ACCUMULATORS = -2

Held = dict[Place | int, frozenset[Value]]
"""The values that a place, or a new virtual unit, certainly holds."""


class State(NamedTuple):
    """What certainly holds at a point: the values of places, and of the new virtual units. `fresh` are the
    units of the program whose instruction would give the same again."""

    memory: Held
    brought: Held
    fresh: set[Value]

    def copy(self) -> State:
        return State(dict(self.memory), dict(self.brought), set(self.fresh))


def is_of_lanes(place: Place | int) -> bool:
    """Whether a place is one of scratch or AGPRs, which lanes have for themselves."""
    return isinstance(place, tuple) and place[0] in (SCRATCH, ACCUMULATORS)


def met_of(tables: list[Held]) -> Held:
    """What all tables agree on."""
    if not tables:
        return {}
    met = tables[0]
    for other in tables[1:]:
        met = {key: both for key, held in met.items() if (both := held & other.get(key, frozenset()))}
    return met
