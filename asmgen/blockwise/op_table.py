"""The table of ops: the name of each in text, its record, and how many operands and results it has."""

from __future__ import annotations

from functools import cache

from asmgen.blockwise import actions as ops
from asmgen.graph.ops import GRAPH_OPS
from asmgen.graph.rounded import ROUNDED_FUNCTIONS
from asmgen.ir.program import Op
from isa.named_tuple import NamedTuple


class TileOpRow(NamedTuple):
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
    TileOpRow("@param", ops.Parameter, 0, 0, states_type=True, effects=True),
    TileOpRow("@literal", ops.Literal, 0, 0, states_type=True, effects=True),
    TileOpRow("fill", ops.Fill, 0, 0, states_type=True),
    TileOpRow("positions", ops.Positions, 0, 0, states_type=True),
    TileOpRow("tile_load", ops.TileLoad, 1, None, states_type=True),  # buffer
    TileOpRow("tile_store", ops.TileStore, 2, None, effects=True),  # tile, buffer
    TileOpRow("mask", ops.Mask, 1, None),  # tile
    TileOpRow("iterate", ops.Iterate, 1, None),  # the carried values, which elements have trips
    TileOpRow("convert", ops.Convert, 1, 1),
    TileOpRow("bit_cast", ops.BitCast, 1, 1),
    TileOpRow("unpack", ops.Unpack, 1, None),  # tile
    TileOpRow("reduce", ops.Reduce, 1, 1, crosses=True),
    TileOpRow("scan", ops.Scan, 1, 4, crosses=True),  # a tile or two, what comes before, words
    TileOpRow("sum_parts", ops.SumParts, 3, None, effects=True, crosses=True),  # tiles, sums, arrivals
    TileOpRow("sort", ops.Sort, 1, 2, crosses=True),  # keys, their places
    TileOpRow("bin_sum", ops.BinSum, 2, 2, states_type=True, crosses=True),  # numbers, their bins
    TileOpRow("broadcast", ops.Broadcast, 1, 1, states_type=True),
    TileOpRow("reshape", ops.Reshape, 1, 1, states_type=True),
    TileOpRow("relayout", ops.Relayout, 1, 1, states_type=True, crosses=True),
    TileOpRow("contract", ops.Contract, 3, 5, crosses=True),  # a, b, c, scales of a and of b
    TileOpRow("for", ops.For, 0, None, effects=True, has_region=True),  # the first values that are carried
    TileOpRow("stage", ops.Stage, 0, 0, effects=True),
    TileOpRow("waves", ops.Waves, 0, 0, effects=True, has_region=True),
    TileOpRow("yield", ops.Yield, 0, None, effects=True),
    TileOpRow("lds_allocate", ops.LdsAllocate, 0, 0, states_type=True, effects=True, crosses=True),
    TileOpRow("lds_store", ops.LdsStore, 2, 2, effects=True, crosses=True),  # tile, LDS
    TileOpRow("lds_load", ops.LdsLoad, 1, 1, states_type=True, effects=True, crosses=True),  # LDS
    TileOpRow("barrier", ops.Barrier, 0, 0, effects=True, crosses=True),
    TileOpRow("priority", ops.Priority, 0, 0, effects=True, crosses=True),
    TileOpRow("order", ops.Order, 0, 0, effects=True, crosses=True),
    TileOpRow("async_copy", ops.AsyncCopy, 2, 2, effects=True, crosses=True),  # buffer, LDS
    TileOpRow("async_wait", ops.AsyncWait, 0, 0, effects=True, crosses=True),
)
BY_NAME = {row.name: row for row in ROWS}
_BY_RECORD = {row.record: row for row in ROWS}


def is_pointwise(op: Op) -> bool:
    """Whether an op of the graph is an op of tiles under the same name. Ops that have attributes have records
    of their own in `asmgen.blockwise.actions`.
    """
    return op.pointwise and not op.attributes


@cache
def pointwise_ops() -> dict[str, Op]:
    return {name: op for name, op in (GRAPH_OPS | ROUNDED_FUNCTIONS).items() if is_pointwise(op)}


@cache
def _pointwise_row(op: Op) -> TileOpRow:
    return TileOpRow(op.name, ops.Pointwise, op.minimum, op.maximum)


def row_of(action: ops.Action) -> TileOpRow:
    return _pointwise_row(action.op) if isinstance(action, ops.Pointwise) else _BY_RECORD[type(action)]
