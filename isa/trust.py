"""Numbers that measurements and documents of others give: each with its source, and how far to trust it."""

from __future__ import annotations

from enum import Enum

from isa.named_tuple import NamedTuple


class Trust(Enum):
    """How a number came to be."""

    __hash__ = object.__hash__  # as of `isa.registers.RegisterClass`

    MEASURED = "measured on the machine by the source"
    DOCUMENTED = "documented by a vendor or in a compiler's model"
    PEAK = "the most that a vendor states; real launches get less"
    DERIVED = "derived from traces that others recorded"
    ASSUMED = "copied from a machine of the same family, because no number is known"


class Latency(NamedTuple):
    """A number of clocks, and its source."""

    clocks: int
    source: str
    trust: Trust


class Figure(NamedTuple):
    """A number that is not a count of clocks: a size or a rate."""

    value: float
    source: str
    trust: Trust
