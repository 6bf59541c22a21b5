"""Chooses a schedule for a kernel on a target.

A choice follows three rules, in this order:

1. A launch has at least four workgroups for each compute unit of the target, or a workgroup for each 16 KiB
   that it reads, if that is less (`Work.workgroups`).
2. The elements of a row stay in registers between reductions and outputs, if a lane then has at most
   `MOST_HELD` elements.
3. Accesses have 16 bytes a lane, also those of the narrowest type. Without a reduction it is the widest type
   if the narrowest has less than half of its width. If too few elements are reduced for half of the target's
   lanes to have such an access (`Work.share`), each lane has an element, or as few as the lanes of a row
   allow: idle lanes would save nothing.

If a compile asks for few registers (`--max-vgprs`, `--waves-per-eu`), a lane has only as many elements at a
time as fit in them (`room`). A budget of code bounds them as well (`budget`).
"""

from __future__ import annotations

from asmgen.blockwise.schedules.choices import Column, Pairs, Pointwise, Row
from asmgen.blockwise.schedules.choosing.lane import choose_lane
from asmgen.blockwise.schedules.choosing.room import GROUP_LANES, ceil_power, floor_power, widest_access
from asmgen.blockwise.schedules.choosing.row import choose_row
from asmgen.blockwise.schedules.elements.sections import SPARE
from asmgen.blockwise.schedules.work import Work
from isa.target import WIDEST_ACCESS, Target

# No program changes its clocks by 1 % with half or double of these (`tools.judge_choices --neighbours`):
# memory bounds the programs that they decide. With half of OF_WAVE or MOST_ACCESSES batchnorm_nchw_f32
# takes 1.2 to 1.6 times the instructions or cycles.
OF_WAVE = 4  # accesses
OF_CHOICE = 5  # instructions for the number of a row, if a wave has a whole row;
OF_LANE_CHOICE = 6  # if each lane has a row of its own;
OF_MOVE = 3  # and for an access of each row
MOST_OF_COLUMNS = 8  # accesses of a lane at a time, if they are in the same columns:
FEW_OF_COLUMNS = (
    4  # or twice the buffers of columns, so that a lane reads fewer elements of these than others
)
MUCH_CODE = 16  # instructions for an element, about: `_most_of_few`
MOST_ACCESSES = 8  # of a lane at a time, if a row has workgroups of its own
# Waves of a SIMD if elements have much work: some compute while others wait for memory. {4096,1024} of f32
# to i8 by a scale of each row take 0.79 of the clocks on gfx950 with as many waves as that.
WAVES_OF_WORK = 12


def choose(work: Work, target: Target) -> Pointwise | Row | Column | Pairs:
    """The choice for a kernel without matrix products."""
    if not work.reduced:
        return choose_pointwise(work, target)
    if work.of_pairs:
        from asmgen.blockwise.schedules.choosing.pairs import choose_pairs

        return choose_pairs(work, target)
    of_lane = choose_lane(work, target)
    if of_lane is not None:
        return of_lane
    if work.reduces_fast:
        return choose_row(work, target)
    from asmgen.blockwise.schedules.choosing.column import choose_column

    return choose_column(work, target)


def choose_pointwise(work: Work, target: Target) -> Pointwise:
    """If an access of each buffer does not fit in registers, a lane has its elements in several accesses."""
    share = work.share(target)
    if share < WIDEST_ACCESS // work.element:
        most = _most_of_few(work, share)
        work = work._replace(widest_access=min(work.widest_access, max(1, most)))
    vector, roomy = widest_access(work), widest_access(work._replace(room=None))
    if isinstance(work.stretch, int) and work.stretch > 1 and vector == roomy:
        return _of_rows(work.stretch, vector, work, target)
    if work.row and vector == roomy:
        return _of_chosen_rows(vector, work, target)
    lanes = -(-work.planned[-1] // roomy)
    waves = min(GROUP_LANES // target.wave_size, ceil_power(-(-lanes // target.wave_size)))
    if vector == roomy and work.columns and vector * waves * target.wave_size % work.columns == 0:
        return Pointwise(vector, waves, _of_columns(work, vector, target))
    row = _padded(work.cut, vector) if work.cut and vector > 1 else None
    return Pointwise(vector, waves, roomy // vector, row)


def _most_of_few(work: Work, share: int) -> int:
    """The elements of an access if few elements leave lanes idle: 16 bytes of the widest buffer. Much code
    takes longer to fetch than more accesses, so an access then has half of a lane's share at most:

        sum of x[i:i+n] == x[i] for 16 i, gfx942   n = 10,240: 2,141 clocks with an element, 4,667 with 4
                                                   n = 400,000: 3,454 with 2, 4,865 with 4
        concat_add of 1,000 bf16                   0.70 of the clocks on gfx942, 0.90 on gfx1201
    """
    if work.parts > 1:
        return share
    most = WIDEST_ACCESS // work.widest_element
    return min(most, share // 2) if work.issues >= MUCH_CODE else most


def _padded(row: int, vector: int) -> int:
    """The places of a row of whole vectors, a power of two if that leaves few places between rows: the
    number of an element is divided by it.
    """
    whole = -(-row // vector) * vector
    power = ceil_power(whole)
    return power if (power - row) * SPARE <= row else whole


def _of_columns(work: Work, vector: int, target: Target) -> int:
    """The accesses of a lane, each in another row of the same columns, so that it reads and computes what
    belongs to its columns once.
    """
    most = min(MOST_OF_COLUMNS, max(FEW_OF_COLUMNS, 2 * work.of_columns))
    return floor_power(max(1, min(most, work.share(target) // vector)))


def _of_chosen_rows(vector: int, work: Work, target: Target) -> Pointwise:
    """Rows that data choose. If a wave has few lanes beyond the ends of rows, it takes whole rows, so that
    the number of a row is the same in its lanes. Otherwise a lane has the number of its own row.
    """
    most = max(1, min(MOST_ACCESSES, work.share(target) * 2 // (3 * vector)))  # two waves for three SIMDs
    lanes, wave = -(-work.row // vector), target.wave_size
    pieces = -(-lanes // wave)
    if (OF_CHOICE + pieces * OF_MOVE) * wave > lanes * (OF_LANE_CHOICE + OF_MOVE):
        waves = min(GROUP_LANES // wave, ceil_power(-(-work.planned[-1] // (vector * wave))))
        is_whole = work.row % vector == 0
        return Pointwise(vector, waves, floor_power(most), None if is_whole else lanes * vector)
    if pieces > most:
        of_row = -(-pieces // most)
        repeat = -(-pieces // of_row)
        return Pointwise(vector, 1, repeat, of_row * repeat * vector * wave)
    return Pointwise(vector, 1, floor_power(most // pieces) * pieces, pieces * vector * wave)


def _of_rows(row: int, vector: int, work: Work, target: Target) -> Pointwise:
    """The division of a row with the least work for the waves. The work of a wave for its row, such as
    reading a number of it, is about as much as `OF_WAVE` accesses.
    """
    waves = WAVES_OF_WORK if work.is_heavy else 1
    most = max(1, min(MOST_ACCESSES, work.share(target) // (vector * waves)))
    choices = [
        Pointwise(vector, 1 << bit, repeat)
        for bit in range((GROUP_LANES // target.wave_size).bit_length())
        for repeat in range(1, most + 1)
    ]

    def accesses(choice: Pointwise) -> int:
        groups = -(-row // (vector * target.wave_size * choice.waves * choice.repeat))
        return groups * choice.waves * (choice.repeat + OF_WAVE)

    return min(choices, key=lambda choice: (accesses(choice), -choice.waves))
