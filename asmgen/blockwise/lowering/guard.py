"""One branch around a kernel of which every lane works alone and stores under one condition.

    x = tile_load[at={1024*block + c0}, where={1024*block + c0 < 1000000}](a)
    y = relu(x)
    tile_store[at={1024*block + c0}, where={1024*block + c0 < 1000000}](y, z)

becomes `if(1024*block + 4*lane < 1000000) { ... }` with the load, the relu and the store in it.

A lane whose stores do not take part needs nothing else either: what it loads and computes no other lane has.
"""

from __future__ import annotations

from asmgen.blockwise import actions as ops
from asmgen.blockwise.actions import Below
from asmgen.blockwise.lowering.access import Place, accesses
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.program import Kernel, Statement
from asmgen.blockwise.rows import row_of
from asmgen.blockwise.types import TileType
from asmgen.ir.types import TensorType

_STORED = 2  # operands of a store whose place depends on no data


def common_guard(context: Context, kernel: Kernel) -> tuple[Below, ...]:
    """The conditions under which a lane has anything to do; none where they are not the same for all its
    stores, or where lanes pass something on.
    """
    rows = [row_of(statement.action) for statement in kernel.statements]
    if any(row.crosses or row.has_region for row in rows):
        return ()
    stores = [statement for statement in kernel.statements if isinstance(statement.action, ops.TileStore)]
    if any(len(store.operands) > _STORED for store in stores):
        return ()
    found = {place.where for store in stores for place in _places(context, store)}
    if len(found) != 1:
        return ()
    (where,) = found
    return (
        tuple([condition for condition in where if isinstance(condition, Below)])
        if False not in where
        else ()
    )


def _places(context: Context, store: Statement) -> list[Place]:
    tile, buffer = (operand.type for operand in store.operands)
    assert (
        isinstance(store.action, ops.TileStore)
        and isinstance(tile, TileType)
        and isinstance(buffer, TensorType)
    )
    reached = accesses(context, tile.layout, store.action.at, store.action.where, buffer, ())
    return [reached.places[register] for registers in reached.vectors() for register in registers]
