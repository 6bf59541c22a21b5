"""The table of ops: the name of each in text, its record, and how many operands and results it has."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from asmgen.blockwise import actions as ops
from asmgen.graph.ops import GRAPH_OPS
from asmgen.ir.program import Op


class Row(NamedTuple):
    """A row of the table. `most` is None if any number of operands is allowed. `states_type` says that a
    statement must state the type of its result, because it does not follow from the operands.
    """

    name: str
    record: type[ops.Action]
    least: int
    most: int | None
    states_type: bool = False
    effects: bool = False  # it stays although nothing reads its result
    has_region: bool = False
    crosses: bool = False  # a lane may have afterwards what another had


# Operands are in the order of the text. Further operands of accesses are data that `at` and `where` name
# as v0, v1, ...
ROWS = (
    Row("@param", ops.Parameter, 0, 0, states_type=True, effects=True),
    Row("@literal", ops.Literal, 0, 0, states_type=True, effects=True),
    Row("fill", ops.Fill, 0, 0, states_type=True),
    Row("positions", ops.Positions, 0, 0, states_type=True),
    Row("tile_load", ops.TileLoad, 1, None, states_type=True),  # buffer
    Row("tile_store", ops.TileStore, 2, None, effects=True),  # tile, buffer
    Row("mask", ops.Mask, 1, None),  # tile
    Row("convert", ops.Convert, 1, 1),
    Row("bit_cast", ops.BitCast, 1, 1),
    Row("reduce", ops.Reduce, 1, 1, crosses=True),
    Row("scan", ops.Scan, 1, 2, crosses=True),  # tile, what comes before it
    Row("broadcast", ops.Broadcast, 1, 1, states_type=True),
    Row("relayout", ops.Relayout, 1, 1, states_type=True, crosses=True),
    Row("contract", ops.Contract, 3, 3, crosses=True),  # a, b, c
    Row("for", ops.For, 0, None, effects=True, has_region=True),  # the first values that are carried
    Row("yield", ops.Yield, 0, None, effects=True),
    Row("lds_allocate", ops.LdsAllocate, 0, 0, states_type=True, effects=True, crosses=True),
    Row("lds_store", ops.LdsStore, 2, 2, effects=True, crosses=True),  # tile, LDS
    Row("lds_load", ops.LdsLoad, 1, 1, states_type=True, effects=True, crosses=True),  # LDS
    Row("barrier", ops.Barrier, 0, 0, effects=True, crosses=True),
    Row("async_copy", ops.AsyncCopy, 2, 2, effects=True, crosses=True),  # buffer, LDS
    Row("async_wait", ops.AsyncWait, 0, 0, effects=True, crosses=True),
)
BY_NAME = {row.name: row for row in ROWS}
_BY_RECORD = {row.record: row for row in ROWS}


def is_pointwise(op: Op) -> bool:
    """Whether an op of the graph is an op of tiles under the same name. Ops that have attributes have records
    of their own in `asmgen.blockwise.actions`.
    """
    return op.pointwise and not op.attributes


def pointwise_ops() -> dict[str, Op]:
    return {name: op for name, op in GRAPH_OPS.items() if is_pointwise(op)}


@cache
def _pointwise_row(op: Op) -> Row:
    return Row(op.name, ops.Pointwise, op.minimum, op.maximum)


def row_of(action: ops.Action) -> Row:
    return _pointwise_row(action.op) if isinstance(action, ops.Pointwise) else _BY_RECORD[type(action)]
