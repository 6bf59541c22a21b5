"""In which figures ours is worse than a peer's, of those that time depends on."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

from tools.scoreboard.figures import Figures

MOST_INSTRUCTIONS = 0.85  # of the best peer's, in the geometric mean of the kernels that reduce or move
_SAME = 1e-6  # of a figure, that is rounding


class Column(NamedTuple):
    """A figure that scores: its field, its title, whether more of it is better, and from where on more of it
    gains nothing.

    `in_flight`: a compute unit keeps about 44 KB of loads under way, its cache of 32 KB and a queue of twelve
    accesses, as was measured on CDNA3 and CDNA4. `groups`: with two workgroups one runs while the other waits
    at a barrier. `waves` is what VGPRs cost: fewer of them gain nothing where a SIMD holds no more waves.
    """

    field: str
    title: str
    more: bool = False
    enough: float = 0.0


COLUMNS = (
    Column("instructions", "instr/e"),
    Column("nops", "nop/e"),
    Column("waves", "waves", True),
    Column("load", "B/load", True, 16),
    Column("store", "B/store", True, 16),
    Column("in_flight", "KB/CU", True, 44 * 1024),
    Column("groups", "wg/CU", True, 2),
    Column("passes", "passes"),
    Column("conflicts", "confl/e"),
    Column("cycles", "cycles/e"),
)


def worse_in(ours: Figures, peer: Figures) -> list[str]:
    """The titles of the columns in which ours is worse; one that is not known of both is left out."""
    found: list[str] = []
    for column in COLUMNS:
        mine, theirs = getattr(ours, column.field), getattr(peer, column.field)
        if mine is None or theirs is None:
            continue
        if column.more and mine < min(theirs, column.enough or theirs) * (1 - _SAME):
            found.append(column.title)
        if not column.more and mine > theirs * (1 + _SAME):
            found.append(column.title)
    return found


def geometric_mean(parts: Sequence[float]) -> float:
    """Of at least one part."""
    return exp(sum(map(log, parts)) / len(parts))
