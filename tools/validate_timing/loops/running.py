"""The clocks of a written loop by the model."""

from __future__ import annotations

from functools import cache

from isa.timing.cached import CachedMemory
from isa.timing.shares import Users
from isa.timing.timeline import Timeline
from isa.timing.unit import Placement, replay
from tools.validate_timing.loops.writing import Loop, WrittenLoop, write

_FIRST, _LAST = 2, -2  # trips between which a loop is steady


def replayed(loop: Loop) -> tuple[WrittenLoop, Timeline]:
    """The trace of a loop, with its waves on the SIMDs in turn, and its timeline."""
    written = write(loop)
    simds = written.trace.target.simds
    places = [Placement(wave % simds) for wave in range(loop.waves)]
    return written, replay(written.trace, CachedMemory(Users(loop.together)), places)


@cache
def clocks_a_trip(loop: Loop) -> float:
    """The clocks of a trip of a loop, a mean over the steady trips of its waves."""
    written, timeline = replayed(loop)
    trips = [
        (int(clocks[_LAST]) - int(clocks[_FIRST])) / (len(clocks) + _LAST - _FIRST)
        for wave, heads in zip(timeline.waves, written.heads, strict=True)
        for clocks in (wave.issue[list(heads)],)
    ]
    return sum(trips) / len(trips)


def clocks_between(loop: Loop, first: int, last: int) -> float:
    """The clocks between the issues of two lines of the body in the first trip, a mean over the waves."""
    written, timeline = replayed(loop)
    gaps = [
        int(wave.issue[heads[0] + last]) - int(wave.issue[heads[0] + first])
        for wave, heads in zip(timeline.waves, written.heads, strict=True)
    ]
    return sum(gaps) / len(gaps)
