"""Conditions of accesses after their indices changed.

    tile_load[at={row, c1 + k}, where={c1 + k < 1000}]    trip 0 reaches nothing beyond 1000
    tile_load[at={row, c1}]

A condition that the bounds show is left out. If they no longer show that an index is within its buffer, the
condition is written: in a loop `k` is at most `n - 64`, and so `n` is at least 64; trip 0 alone says nothing
about `n`.
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.blockwise.actions import ZERO, Action, AsyncCopy, Below, TileLoad, TileStore
from asmgen.blockwise.program import TileStatement
from asmgen.blockwise.rules.codes import NotWithin
from asmgen.blockwise.rules.infer import infer
from asmgen.index.reach import is_within, reach
from asmgen.ir.types import TensorType


def within(statement: TileStatement) -> TileStatement:
    """The statement with the conditions that its indices need."""
    action = statement.op
    if not isinstance(action, TileLoad | TileStore | AsyncCopy):
        return statement
    bare = replace(statement, op=replace(action, where=open_conditions(action)))
    if _is_shown(bare):
        return bare
    buffer = statement.operands[1 if isinstance(action, TileStore) else 0].type
    assert isinstance(buffer, TensorType)
    needed = [
        Below(index, ZERO + size)
        for index, size in zip(action.at, buffer.dims, strict=True)
        if not is_within(index, size)
    ]
    return replace(statement, op=replace(action, where=tuple(dict.fromkeys((*action.where, *needed)))))


def open_conditions(action: Action) -> tuple[Below, ...]:
    """The conditions of an access that the bounds do not show; none of another action."""
    if not isinstance(action, TileLoad | TileStore | AsyncCopy):
        return ()
    return tuple([each for each in action.where if reach(each.right - each.left)[0] <= 0])


def _is_shown(statement: TileStatement) -> bool:
    """Whether the bounds show that the indices are within the buffer."""
    types = tuple([operand.type for operand in statement.operands])
    try:
        _ = infer(statement.op, types, statement.results[0].type if statement.results else None)
    except NotWithin:
        return False
    return True
