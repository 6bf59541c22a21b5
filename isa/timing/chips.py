"""The largest product of each target: its clock, and the time of a launch."""

from __future__ import annotations

from isa.named_tuple import NamedTuple
from isa.trust import Figure, Trust


class Chip(NamedTuple):
    """The largest product of a target: its clock in MHz, and the nanoseconds of a launch from the queue to
    the first wave and from the last wave to the queue. `isa.timing.caches` has its memory."""

    megahertz: Figure
    launch_ns: Figure

    @property
    def launch_clocks(self) -> float:
        """The clocks of the start and the end of a launch."""
        return self.launch_ns.value * self.megahertz.value / 1000


_PRODUCT = "AMD's product page"
# the public times of kernels of a few microseconds, less the time of their clocks
_ROWS = "FlyDSL pull request 848, rmsnorm of 1 to 1024 rows"
_TRACES = "tinygrad SQTT traces, time of a launch less its clocks"


def _chip(megahertz: float, launch: Figure) -> Chip:
    return Chip(Figure(megahertz, _PRODUCT, Trust.DOCUMENTED), launch)


CHIPS: dict[str, Chip] = {
    "gfx90a": _chip(1700, Figure(2300, _ROWS + ", of gfx942", Trust.ASSUMED)),
    "gfx942": _chip(2100, Figure(2300, _ROWS, Trust.DERIVED)),
    "gfx950": _chip(2400, Figure(2000, _ROWS, Trust.DERIVED)),
    "gfx1100": _chip(2500, Figure(1900, _TRACES, Trust.DERIVED)),
    "gfx1201": _chip(2970, Figure(1900, _TRACES, Trust.DERIVED)),
}
