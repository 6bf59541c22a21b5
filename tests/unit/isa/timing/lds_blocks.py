"""Blocks of 64 LDS reads, timed on four GPUs (nod-ai/amd-shark-ai, docs/empirical-lds, efa471ae; Apache-2.0).

The source launches 4,096 workgroups of a wave with 32 KB of LDS each. Each wave fills its LDS, reads from it 64
times and waits. So some of these workgroups share the LDS of a compute unit, and a wave's time depends on what its
neighbours do meanwhile: they read, too, or they fill their LDS, or they start and end.
"""

from __future__ import annotations

from isa.named_tuple import NamedTuple

READS = 64
FILLED = 8065  # words of LDS that a workgroup fills

# clocks (of gfx1100: ticks) by target and bytes of a read, for the strides of the lanes from that width on, doubled
# each time, up to 512 bytes
MEASURED: dict[tuple[str, int], tuple[float, ...]] = {
    ("gfx942", 4): (500.756, 570.156, 956.776, 1833.15, 3511.675, 6810.44, 6781.011, 6798.651),
    ("gfx942", 8): (852.258, 991.498, 1855.603, 3625.288, 7157.675, 7177.591, 7095.679),
    ("gfx942", 16): (1384.46, 1941.316, 3803.94, 7614.521, 7545.271, 7573.651),
    ("gfx950", 8): (583.353, 819.207, 1490.275, 2758.733, 5089.5, 10024.566, 10014.062),
    ("gfx1100", 4): (38.542, 38.971, 41.535, 49.516, 68.829, 119.232, 118.953, 119.898),
    ("gfx1100", 8): (45.415, 47.146, 55.371, 74.461, 129.932, 128.193, 129.466),
    ("gfx1100", 16): (58.971, 66.187, 88.664, 162.551, 156.674, 158.89),
    ("gfx1201", 4): (692.318, 708.72, 840.545, 977.425, 1531.946, 2896.937, 2927.956, 2904.402),
    ("gfx1201", 8): (787.12, 888.074, 1045.397, 1551.998, 3096.335, 3088.239, 3080.073),
    ("gfx1201", 16): (1021.298, 1139.164, 1675.162, 3441.533, 3495.983, 3498.177),
}
# SQ_LDS_BANK_CONFLICT of a workgroup, in the same order, up to 128 bytes
COUNTED: dict[tuple[str, int], tuple[int, ...]] = {
    ("gfx942", 4): (0, 128, 384, 896, 1920, 3968),
    ("gfx942", 8): (0, 256, 768, 1792, 3840),
    ("gfx942", 16): (0, 512, 1536, 3584),
}


class Neighbours(NamedTuple):
    """The workgroups of a target's GPU, fitted to the rows above.

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


def block(target: str, wave_size: int, width: int, turns: int, returned: int) -> float:
    """The time of a block of reads that take `turns` clocks of LDS, and `returned` clocks a register on the way back,
    which half of the neighbours share."""
    of = NEIGHBOURS[target]
    registers = width // 4
    rest = of.rest + of.filling * FILLED / registers / wave_size
    clocks = 1000.0
    for _ in range(40):
        reading = (of.groups - 1) * clocks / (clocks * (1 + of.slowed) + rest)  # neighbours that read, on average
        path = of.read + returned * registers * (1 + reading / 2)
        clocks = (clocks + of.tail + READS * max(path, turns * (1 + reading))) / 2
    return clocks / of.tick
