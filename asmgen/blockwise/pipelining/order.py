"""The order of the stages in an iteration of the pipelined loop.

The last stage comes first, because its trip is the oldest. The statements of an earlier stage stay next to
each other, as early as possible: right after the last statement of a later stage that they must follow. If an
`order()` parts them, each part does.

    lds_store(t, lds)            stage 1
    t_n = tile_load[...](x)      stage 0 of the next trip, after the last reader of the tile that it replaces
    barrier()                    stage 1
    u = lds_load(lds)

A statement must follow a statement of a later stage

- if both access LDS, or wait for accesses of LDS: they keep the order of the text;
- if the latter reads the tile that the former replaces: otherwise registers would have both tiles.

If copies go to slots that a later stage accesses in the same iteration, half of them follow the first barrier
after the last access. What comes after that barrier accesses other slots. So copies are under way all the
time, and a wait in between leaves this half under way.

If the last stage of a staggered loop reads LDS before its first barrier and not after it, the statements of
the earlier stages come before that barrier too. So one half of the waves accesses memory and LDS while the
other multiplies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from asmgen.blockwise.actions import AsyncCopy, AsyncWait, Barrier, LdsLoad, LdsStore, Order, Priority
from asmgen.blockwise.op_table import row_of
from asmgen.blockwise.program import TileStatement, TileValue
from asmgen.blockwise.rules.stages import Placed, Staged, lds_access, read_by
from asmgen.blockwise.rules.trips_apart import common_trips
from asmgen.index.search import TooManyParts
from asmgen.ir.program import walk


def ordered(split: Staged) -> list[Placed]:
    """The statements of all stages in the order of an iteration."""
    placed = [Placed(split.depth, statement) for statement in split.stages[-1]]
    step = _end_of_reads(split)
    for stage in reversed(range(split.depth)):
        block = [Placed(stage, statement) for statement in split.stages[stage]]
        if step is not None:
            placed[step:step] = block
            step += len(block)
            continue
        barrier = _freeing_barrier(split, block, placed)
        early = _first_copies(block) if barrier is not None else block[:0]
        at = 0
        for part in _parts(block[len(early) :]):
            at = max(at, _first_place(split, part, placed))
            placed[at:at] = part
            at += len(part)
        if early and barrier is not None:
            at = max(barrier + 1, _first_place(split, early, placed[: barrier + 1]))
            placed[at:at] = early
    return placed


def _parts(block: Sequence[Placed]) -> Iterator[Sequence[Placed]]:
    """The parts of a block that end with a mark."""
    ends = [place + 1 for place, each in enumerate(block) if isinstance(each.statement.op, Order)]
    for first, end in pairwise([0, *ends, len(block)]):
        if end > first:
            yield block[first:end]


def _first_place(split: Staged, block: Sequence[Placed], later: Sequence[Placed]) -> int:
    """The place after the last statement that a statement of the block must follow."""
    replaced = _replaced(split, block)
    own = [each.statement for each in block if not isinstance(each.statement.op, Order)]
    accesses = any(map(_accesses_lds, own))
    for number in reversed(range(len(later))):
        statement = later[number].statement
        if (accesses and _accesses_lds(statement)) or not replaced.isdisjoint(read_by(statement)):
            return number + 1
    return 0


def _end_of_reads(split: Staged) -> int | None:
    """The place of the first barrier of a staggered loop's last stage, or of the priority before it, if no
    access of LDS follows."""
    last = split.stages[-1]
    barriers = [place for place, each in enumerate(last) if isinstance(each.op, Barrier)]
    if not split.loop.staggered or not barriers:
        return None
    after = [each for outer in last[barriers[0] :] for each in walk((outer,))]
    reads = any(isinstance(each.op, LdsLoad | LdsStore | AsyncCopy | AsyncWait) for each in after)
    raises = barriers[0] > 0 and isinstance(last[barriers[0] - 1].op, Priority)
    return None if reads else barriers[0] - raises


def _first_copies(block: Sequence[Placed]) -> Sequence[Placed]:
    """The statements of a block up to half of its copies."""
    copies = [place for place, each in enumerate(block) if isinstance(each.statement.op, AsyncCopy)]
    return block[: copies[(len(copies) - 1) // 2] + 1]


def _freeing_barrier(split: Staged, block: Sequence[Placed], later: Sequence[Placed]) -> int | None:
    """The place of the first barrier after the last access of the slots that a block copies to; None if there
    is no such access or barrier, or the block has other accesses of LDS."""
    copies = [each for each in block if _accesses_lds(each.statement)]
    if not copies or not all(isinstance(copy.statement.op, AsyncCopy) for copy in copies):
        return None
    last = -1
    for number, placed in enumerate(later):
        if _accesses_lds(placed.statement) and any(_may_meet(split, copy, placed) for copy in copies):
            last = number
    barriers = [place for place, each in enumerate(later) if isinstance(each.statement.op, Barrier)]
    return next((place for place in barriers if place > last), None) if last >= 0 else None


def _may_meet(split: Staged, copy: Placed, other: Placed) -> bool:
    """Whether a copy and a statement of a later stage may access the same element in an iteration. A barrier
    and a wait access none."""
    if isinstance(other.statement.op, Barrier | AsyncWait):
        return False
    if not isinstance(other.statement.op, LdsLoad | LdsStore | AsyncCopy):
        return True
    accesses = lds_access(copy.statement), lds_access(other.statement)
    try:
        return common_trips(*accesses, split.loop, frozenset(), other.stage - copy.stage) is not None
    except TooManyParts:
        return True


def _replaced(split: Staged, block: Sequence[Placed]) -> set[TileValue]:
    """The values that the block makes for later iterations, and the carried values that are made of them."""
    made = {value for each in block for value in each.statement.results}
    return made | {parameter for parameter, value in split.yields.items() if value in made}


def _accesses_lds(statement: TileStatement) -> bool:
    """Whether a statement accesses LDS, or waits for accesses."""
    rows = [row_of(inner.op) for inner in walk((statement,))]
    return any(row.effects and row.crosses for row in rows)
