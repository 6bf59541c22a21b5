"""The order of the stages in an iteration of the pipelined loop.

The last stage comes first, because its trip is the oldest. The statements of an earlier stage stay next to
each other, as early as possible: right after the last statement of a later stage that they must follow.

    lds_store(t, lds)            stage 1
    t_n = tile_load[...](x)      stage 0 of the next trip, after the last reader of the tile that it replaces
    barrier()                    stage 1
    u = lds_load(lds)

A statement must follow a statement of a later stage

- if both access LDS, or wait for accesses of LDS: they keep the order of the text;
- if the latter reads the tile that the former replaces: otherwise registers would have both tiles.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.blockwise.op_table import row_of
from asmgen.blockwise.program import TileStatement, TileValue
from asmgen.blockwise.rules.stages import Staged, read_by
from asmgen.ir.program import walk
from isa.named_tuple import NamedTuple


class Placed(NamedTuple):
    """A statement of an iteration, and its stage."""

    stage: int
    statement: TileStatement


def ordered(split: Staged) -> list[Placed]:
    """The statements of all stages in the order of an iteration."""
    placed = [Placed(split.depth, statement) for statement in split.stages[-1]]
    for stage in reversed(range(split.depth)):
        block = [Placed(stage, statement) for statement in split.stages[stage]]
        at = _first_place(split, block, placed)
        placed[at:at] = block
    return placed


def _first_place(split: Staged, block: Sequence[Placed], later: Sequence[Placed]) -> int:
    """The place after the last statement that a statement of the block must follow."""
    replaced = _replaced(split, block)
    accesses = any(_accesses_lds(each.statement) for each in block)
    for number in reversed(range(len(later))):
        statement = later[number].statement
        if (accesses and _accesses_lds(statement)) or not replaced.isdisjoint(read_by(statement)):
            return number + 1
    return 0


def _replaced(split: Staged, block: Sequence[Placed]) -> set[TileValue]:
    """The values that the block makes for later iterations, and the carried values that are made of them."""
    made = {value for each in block for value in each.statement.results}
    return made | {parameter for parameter, value in split.yields.items() if value in made}


def _accesses_lds(statement: TileStatement) -> bool:
    """Whether a statement accesses LDS, or waits for accesses."""
    rows = [row_of(inner.op) for inner in walk((statement,))]
    return any(row.effects and row.crosses for row in rows)
