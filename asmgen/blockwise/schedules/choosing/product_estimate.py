"""The clocks of a launch of workgroups, from those of a trip of each.

If a unit has many workgroups, their trips take as long as the busiest part of it: the matrix units of its
SIMDs, LDS, or the way from the caches. A launch takes as many turns as a unit has workgroups.
"""

from __future__ import annotations

from isa.named_tuple import NamedTuple

_SHARPNESS = 4  # of the bend between memory and trips
_LONGER = 1.05  # clocks of a trip that latency limits, by those of its busiest part
PRODUCTS_LIMIT = "products"
_LIMITS = (PRODUCTS_LIMIT, "LDS", "the caches")  # the parts of a unit that `Estimate.busy` is of


class Estimate(NamedTuple):
    """The clocks of a launch: of its trips, of memory for all factors, and the limit of a trip.

    `busy` are clocks of a workgroup's trip for each part of a unit."""

    steps: int  # trips of a workgroup
    of_unit: int  # workgroups of a unit
    together: int  # of these, that a unit has at once
    busy: tuple[float, float, float]  # matrix units or lanes, LDS, the way from the caches
    alone: float  # clocks of a trip of a single workgroup
    memory: float
    waits: float = 0  # part of the clocks that a workgroup alone waits, if others begin with it
    start: float = 0  # of a workgroup, before its first trip and after its last
    fetched: float = 0  # until the instructions are there, if all workgroups wait for them
    code: float = 0  # of `start`, until the instructions are there, if later workgroups find them
    vector: float = 0  # of a trip for other vector instructions, which matrix units wait for
    stored: float = 0  # of a workgroup for the caches, with its stores, which end after its waves
    follows: bool = False  # whether each workgroup begins when another ends

    @property
    def sent(self) -> float:
        """The clocks of a workgroup's trip for the way from the caches."""
        return self.busy[2]

    @property
    def clocks(self) -> float:
        """Near both limits, neither is reached."""
        return bent(self._of_trips + self.fetched, self.memory)

    @property
    def _of_trips(self) -> float:
        """Workgroups that begin together wait together too, for a part of the wait of a workgroup alone.
        Others begin when these end, and a workgroup that begins last is alone at the end
        (`isa.timing.chip`)."""
        if self.follows:
            return max(self._of_rounds(), max(self._busiest, self.stored) * self.of_unit)
        waited = self.waits * max(0.0, self._alone - self._busiest)
        first = max(self._alone, self.together * self._busiest + (waited if self.together > 1 else 0.0))
        pace = max(self._busiest, self._alone / self.together)
        rounds, rest = divmod(self.of_unit - self.together, self.together)
        last = max(rest * pace, self._alone) if rest else 0.0
        return first + rounds * self.together * pace + last

    @property
    def steady(self) -> float:
        """The clocks of trips if no workgroup ends sooner after another than the busiest part of a unit
        allows; 0 if workgroups do not follow each other. Tells tiles apart if memory limits the launch."""
        return self._of_rounds(self._busiest) if self.follows else 0.0

    def _of_rounds(self, least: float = 0.0) -> float:
        """As in `isa.timing.chip`: each further workgroup adds as many clocks as those at once add to the
        first, at least as many as given."""
        alone, busy, together = self._alone, self._busiest + self.steps * self.vector, self.together
        waited = self.waits * max(0.0, alone - busy)
        first = max(alone, together * busy + (waited if together > 1 else 0.0))
        later = alone - self.code
        added = (first - alone) / (together - 1) if together > 1 else 0.0
        pace = max(added, later / together, least)
        rounds, rest = divmod(self.of_unit - together, together)
        return first + rounds * together * pace + (max(rest * pace, later) if rest else 0.0)

    @property
    def _busiest(self) -> float:
        return self.steps * max(self.busy)

    @property
    def _alone(self) -> float:
        return self.steps * self.alone + self.start

    @property
    def limit(self) -> str:
        busiest = self._busiest * self.of_unit
        if self.memory >= max(busiest, self._alone * self.of_unit / self.together):
            return "memory"
        waits = self.alone > _LONGER * max(self.busy) * self.together
        return "the latency of a trip" if waits else _LIMITS[self.busy.index(max(self.busy))]


def bent(one: float, other: float, sharpness: int = _SHARPNESS) -> float:
    return (one**sharpness + other**sharpness) ** (1 / sharpness)
