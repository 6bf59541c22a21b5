"""Chooses the numbers of `Pairs`.

    clocks                                    row      8 by 8   4 by 8   4 by 4   2 by 2 rows of a lane
    {4096,64} by {4096,64} f32   gfx942    390,334   105,000  105,810  129,246  253,374
                                 gfx1100   834,898   252,679  262,924  311,039  589,130
    {1024,512} by {1024,512} f32 gfx942    242,426    79,824   73,516   75,610  117,150
    {4096,16} by {4096,16} f16   gfx942     87,065    40,912   43,208   47,169   58,306
    {300,64} by {300,64} f32     gfx942      8,332    17,490   12,210    9,934    7,994

Sums of squared differences, and of magnitudes for f16. 8 by 8 takes twice as long to compile as 4 by 8.
"""

from __future__ import annotations

from math import prod

from asmgen.blockwise.schedules.choices import Pairs
from asmgen.blockwise.schedules.choosing.room import floor_power, widest_access
from asmgen.blockwise.schedules.work import Work
from asmgen.index.size import Size
from isa.target import Target

LINE = 64  # bytes that lanes next to each other read together: a request to the first cache
AT_ONCE = 128  # elements of a lane in a trip, of all results
LEAST_AT_ONCE = 16  # the same with few registers
MANY = 8  # waves of a SIMD from which on a lane has more results
ROOM = 96  # registers that 4 by 4 rows of f32 take, with those of their results
CHEAP = 2  # instructions of an element, with which the reads of a lane count


def choose_pairs(work: Work, target: Target) -> Pairs:
    """The choice. A lane has as many results as leave every second SIMD a wave. Of sizes that the launch
    knows there may be few: 64 by 64 rows take 10,058 clocks by 4 by 4 on gfx942, and 12,976 by 4 by 8."""
    length, simds = work.planned[work.reduced[-1]], target.units * target.simds
    widest = min(widest_access(work), floor_power(length))
    at_once = AT_ONCE if work.room is None else max(LEAST_AT_ONCE, floor_power(work.room) // 2)

    def of(rows: int, columns: int) -> Pairs:
        vector = max(1, min(widest, at_once // (rows * columns)))
        lanes = min(max(1, LINE // (vector * work.element)), floor_power(length // vector))
        across = 1 << ((target.wave_size // lanes).bit_length()) // 2
        of_trip = max(1, at_once // (rows * columns * vector))
        return Pairs(rows, columns, lanes, across, vector, min(of_trip, -(-length // (lanes * vector))))

    if work.room is not None and work.room < ROOM:
        return of(2, 2)
    large, is_known = of(4, 8), not any(isinstance(size, Size) for size in work.dims)
    is_many = is_known and pair_groups(large, work, target) >= MANY * simds
    if is_many and work.issues <= CHEAP and work.room is None:
        return large
    usual = of(4, 4)
    return usual if 2 * pair_groups(usual, work, target) >= simds else of(2, 2)


def pair_groups(choice: Pairs, work: Work, target: Target) -> int:
    """Workgroups of a launch."""
    *others, rows, columns = [work.planned[axis] for axis in work.kept]
    down = choice.rows * (target.wave_size // (choice.lanes * choice.across))
    return prod(others) * -(-rows // down) * -(-columns // (choice.columns * choice.across))
