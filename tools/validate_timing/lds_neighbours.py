"""The time of a block of LDS reads among the reads of other workgroups.

The source of the LDS table launches 4,096 workgroups of a wave with 32 KB of LDS each (amd-shark-ai,
docs/empirical-lds). Each wave fills its LDS, reads from it 64 times and waits, between two reads of a timer.
So some of these workgroups share the LDS of a compute unit, and a wave's time depends on what its neighbours
do meanwhile: they read, too, or they fill their LDS, or they start and end. `Neighbours` says how much they
do, from the table's own rows: three to five numbers of a target for its 7 to 21 rows. The clocks that LDS
takes for a read are not fitted.
"""

from __future__ import annotations

from isa.named_tuple import NamedTuple
from isa.targets import TARGETS
from isa.timing.lds import LDS_RATES

READS = 64
FILLED = 8065  # words of LDS that a workgroup fills
_STEPS = 40  # until the time agrees with the share of the neighbours' reading


class Neighbours(NamedTuple):
    """The workgroups of a target's GPU, fitted to the rows of the table.

    * `groups`: those that share an LDS, by the sizes
    * `tail`: clocks from the last read's return to the end of the measurement
    * `rest`: clocks of a workgroup in which it does not read, and `filling` for each store that fills its LDS
    * `slowed`: the share of the reading time by which the readers make that longer
    * `read`: clocks of a read besides those of LDS
    * `tick`: clocks of the timer's tick
    """

    groups: int
    tail: float
    rest: float = 0
    filling: float = 0
    slowed: float = 0
    read: float = 0
    tick: float = 1


NEIGHBOURS: dict[str, Neighbours] = {
    "gfx942": Neighbours(2, 210, rest=1404, slowed=0.13),
    "gfx950": Neighbours(4, 157, slowed=1.0),
    "gfx1100": Neighbours(2, 603, filling=69, read=3.57, tick=23.11),
    "gfx1201": Neighbours(2, 503, filling=74, read=0.68),
}


def block_clocks(target: str, width: int, turns: int) -> float:
    """The time of a block of reads of `width` bytes a lane that take `turns` clocks of LDS each, in the
    source's unit. Half of the neighbours share the way back."""
    of, machine = NEIGHBOURS[target], TARGETS[target]
    registers = width // 4
    rest = of.rest + of.filling * FILLED / registers / machine.wave_size
    clocks = 1000.0
    for _ in range(_STEPS):
        # neighbours that read, on average
        reading = (of.groups - 1) * clocks / (clocks * (1 + of.slowed) + rest)
        path = of.read + LDS_RATES[target].returned.clocks * registers * (1 + reading / 2)
        clocks = (clocks + of.tail + READS * max(path, turns * (1 + reading))) / 2
    return clocks / of.tick
