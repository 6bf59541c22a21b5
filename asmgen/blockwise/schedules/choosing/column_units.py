"""How columns are shared among the units of a target: evenly, or a workgroup for each unit.

{4096,14336} f16, axis 0, gfx1100    48 units; a workgroup of 64 columns reads whole lines
224 workgroups                       a unit has five at most, and 4.7 on average: 331 thousand clocks
28 workgroups of 512 columns         28 units read as fast as memory gives: 315

{4096,4096} f16, axis 0, gfx942      304 units; the Infinity Cache has data for 64 to 80 units
64 workgroups of 64 columns          a launch of 18,598 clocks
parts and a second launch            18,458 and 2,986 clocks, and 4,830 between the launches
"""

from __future__ import annotations

from math import prod

from asmgen.blockwise.schedules.choosing.alone import SUM, alone_bytes
from asmgen.blockwise.schedules.work import Work
from isa.target import WIDEST_ACCESS, Target

# A unit alone reads enough for memory if a third of the units read, and few instructions compute an element:
# {4096,14336} of f16 on gfx90a takes 142 thousand clocks with 56 of 104 units, 245 with 28. A single launch
# of even work for all units is as fast with half of them: {96,512,640} of f16 on gfx950 takes 1.05 times the
# clocks with 96 of 256.
_UNITS_THAT_READ, _FEW_ISSUES = 3, 2
EVEN = 1.04  # times the clocks of even work for all units
# The share of the first cache's lines that loads of a unit have under way on average: 28 launches on gfx90a
# and gfx942 that wait for lines take 1.18 to 1.34 times the clocks of all of them.
_UNDER_WAY = 0.8
_LATENCIES = 2  # of a launch: of its first loads, and of its last loads and the stores
_TEAMS = (1, 2, 4)


def even(usual: list[int], few: int, vector: int, work: Work, target: Target) -> tuple[int, int]:
    """Lanes along the columns, and waves, that give all units about as much to read, if the first of the
    `usual` numbers of lanes does not: another of them, or a workgroup for each unit. If lanes cannot read
    rows with whole accesses, workgroups of fewer columns read more lines twice."""
    is_in_parts = _is_in_parts(groups_of(work, usual[0] * vector), work, target)
    is_even = _unevenness(usual[0] * vector, work, target) <= EVEN
    if not _reads_whole(work) or (is_even and not is_in_parts):
        return usual[0], 1
    lanes = [1 << bit for bit in range(few.bit_length() - 1, target.wave_size.bit_length())]
    places = [(count, 1) for count in lanes] + [(lanes[-1], teams) for teams in _TEAMS[1:]]
    alone = [place for place in places if reads_alone(prod(place) * vector, work, target)]
    if alone and (is_in_parts or 2 * groups_of(work, prod(alone[0]) * vector) >= target.units):
        return alone[0]
    return min(usual, key=lambda count: max(EVEN, _unevenness(count * vector, work, target))), 1


def reads_alone(columns: int, work: Work, target: Target) -> bool:
    """Whether units that have a single workgroup each, of so many columns, read all columns at the rate of
    memory, or earlier than a second launch would add up parts of them."""
    is_known = all(isinstance(dim, int) for dim in work.dims)
    is_light = work.is_sum and work.issues <= _FEW_ISSUES and _reads_whole(work)
    groups = groups_of(work, columns)
    is_of_units = is_known and is_light and groups <= target.units
    if not is_of_units or _unevenness(columns, work, target) > EVEN:
        return False
    return target.units <= _UNITS_THAT_READ * groups or (
        _is_in_parts(groups, work, target) and _is_quicker_alone(columns, work, target)
    )


def _reads_whole(work: Work) -> bool:
    """Whether rows are whole accesses of 16 bytes."""
    return work.planned[-1] * work.element % WIDEST_ACCESS == 0


def _unevenness(columns: int, work: Work, target: Target) -> float:
    """The clocks of the unit that has the most to read, by workgroups of so many columns, in those of even
    work. The last workgroup of a row has fewer columns."""
    groups, own = groups_of(work, columns), min(columns, work.planned[-1])
    turns = unevenness_of_turns(groups, target) if groups > target.units else 1.0
    return turns * groups * own / (work.planned[-1] * work.other_rows)


def unevenness_of_turns(groups: int, target: Target) -> float:
    """The clocks of the unit that has the most workgroups, in those of even work for all units."""
    return -(-groups // target.units) * target.units / groups


def _is_in_parts(groups: int, work: Work, target: Target) -> bool:
    """Whether a second launch would add up parts of columns (`parts`)."""
    wanted = work.waves_of_columns(target)
    return 2 * groups < wanted and work.bytes > groups * alone_bytes(SUM, work.element, groups, target)


def _is_quicker_alone(columns: int, work: Work, target: Target) -> bool:
    """Whether a launch of workgroups of so many columns, each alone on a unit, is quicker than parts, which
    all units read, and a second launch, which adds them up. If rows begin between lines of memory, a
    workgroup reads a line more of each row."""
    from isa.timing.caches import CACHES
    from isa.timing.shares import shares

    caches, of_unit = CACHES[target.name].with_buffers(work.bytes), target.compute_units / target.units
    first, groups = caches.vector[0], groups_of(work, columns)
    *_, memory = levels = shares(caches, target, first.rate.value * of_unit, groups, 1.0)
    under_way = _UNDER_WAY * first.size.value * of_unit
    rate = min(under_way / memory.latency, *(level.rate for level in levels))
    begins_between = work.planned[-1] * work.element % first.line.value > 0
    lines = 1 + begins_between * first.line.value / (columns * work.element)
    of_chip = caches.memory_rate.value * target.compute_units
    return lines * work.bytes / (groups * rate) <= work.bytes / of_chip + _clocks_of_launch(target)


def bytes_of_launches(launches: int, target: Target) -> int:
    """The bytes that a unit reads from its first cache in the time of some further launches. Sums of
    {4000,13} f32, rows across memory, take 10,708 clocks on gfx942 by workgroups that read 208,000 bytes of
    lines each, and 12,136 in 32 parts; {20000,13} takes 27,988, by 1,040,000 bytes, and 14,542."""
    from isa.timing.caches import CACHES

    rate = CACHES[target.name].vector[0].rate.value * target.compute_units / target.units
    return int(launches * rate * _clocks_of_launch(target))


def _clocks_of_launch(target: Target) -> float:
    """The clocks of a further launch that combines results of parts."""
    from isa.timing.caches import CACHES
    from isa.timing.chips import CHIPS

    return CHIPS[target.name].launch_clocks + _LATENCIES * CACHES[target.name].memory.clocks


def groups_of(work: Work, columns: int) -> int:
    """Workgroups that have so many columns each."""
    return -(-work.planned[-1] // columns) * work.other_rows
