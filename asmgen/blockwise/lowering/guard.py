"""Puts branches around statements that a lane needs only for its guarded stores.

    x = tile_load[at={1024*block + c0}, where={1024*block + c0 < 1000000}](a)
    y = relu(x)
    tile_store[at={1024*block + c0}, where={1024*block + c0 < 1000000}](y, z)

becomes `if(1024*block + 4*lane < 1000000) { ... }` with the load, the relu and the store in it. Stores under
other conditions have branches of their own, if they share no statement.

A scatter has a branch for its conditions on indices alone, and another for its conditions on data.

A lane that stores nothing need not load or compute either, because no other lane sees its values.
"""

from __future__ import annotations

from asmgen.blockwise import actions as ops
from asmgen.blockwise.actions import ZERO, Below
from asmgen.blockwise.lowering.addresses.access import Accesses, Reach
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.op_table import row_of
from asmgen.blockwise.program import TileStatement, TileValue
from asmgen.blockwise.rules.access import data_symbols
from asmgen.blockwise.types import TileType
from asmgen.index.expression import as_symbol
from asmgen.ir.types import TensorType
from isa.named_tuple import NamedTuple

Conditions = tuple[Below, ...]


class GuardedPart(NamedTuple):
    """Statements in their order, and the conditions under which a lane does any of them."""

    conditions: Conditions
    statements: tuple[TileStatement, ...]


def parts(context: Context, statements: tuple[TileStatement, ...]) -> tuple[GuardedPart, ...]:
    """The statements of a kernel, or of a loop that carries nothing, in parts. They are a single part without
    a condition if lanes exchange values, or if stores under different conditions need the same statement. If
    the elements of a store have different conditions, the store is in a part without a condition.
    """
    whole = (GuardedPart((), statements),)
    rows = [row_of(statement.op) for statement in statements]
    if any(row.crosses or row.has_region for row in rows):
        return whole
    needed: dict[TileValue, Conditions] = {}
    found: dict[Conditions, list[TileStatement]] = {}
    for statement in reversed(statements):
        is_store = isinstance(statement.op, ops.TileStore)
        under = _of_store(context, statement) if is_store else _of_results(statement, needed)
        if under is None:
            continue
        found.setdefault(under, []).append(statement)
        for operand in statement.operands:
            if isinstance(operand.type, TileType) and needed.setdefault(operand, under) != under:
                return whole
    if len(found) > 1 and _is_changed(statements):
        return whole
    return (
        tuple([GuardedPart(under, tuple(reversed(some))) for under, some in reversed(found.items())]) or whole
    )


def _of_results(statement: TileStatement, needed: dict[TileValue, Conditions]) -> Conditions | None:
    return next((needed[value] for value in statement.results if value in needed), None)


def _of_store(context: Context, store: TileStatement) -> Conditions:
    """The conditions that all elements of the store share; empty if the elements have different conditions.
    Conditions on data, which a scatter has, are left to the store."""
    reached = placed(context, store) or _placed_without_data(context, store)
    found = {reached.places[register].where for registers in reached.vectors() for register in registers}
    if len(found) != 1:
        return ()
    (where,) = found
    return () if False in where else tuple([one for one in where if isinstance(one, Below)])


def _placed_without_data(context: Context, store: TileStatement) -> Accesses:
    """The accesses of a scatter, with its conditions on indices alone and without its addresses."""
    action, tile, buffer = store.op, store.operands[0], store.operands[1]
    assert isinstance(action, ops.TileStore)
    assert isinstance(tile.type, TileType) and isinstance(buffer.type, TensorType)
    data = {as_symbol(index) for index in data_symbols(len(store.operands) - row_of(action).least)}
    where = tuple([one for one in action.where if data.isdisjoint(one.left.symbols | one.right.symbols)])
    nowhere = (ZERO,) * buffer.type.rank
    return context.accesses(Reach(tile.type.layout, nowhere, where, buffer.type))


def placed(context: Context, statement: TileStatement) -> Accesses | None:
    """The accesses of a load or a store, if they are known without its data operands."""
    action = statement.op
    if not isinstance(action, ops.TileLoad | ops.TileStore):
        return None
    if len(statement.operands) > row_of(action).least:
        return None
    tile = statement.operands[0] if isinstance(action, ops.TileStore) else statement.result
    buffer = statement.operands[row_of(action).least - 1]
    assert isinstance(tile.type, TileType) and isinstance(buffer.type, TensorType)
    return context.accesses(Reach(tile.type.layout, action.at, action.where, buffer.type))


def _is_changed(statements: tuple[TileStatement, ...]) -> bool:
    """Whether a buffer is both stored to and read, so that the order of the statements matters."""
    read, written = (
        {statement.operands[place] for statement in statements if isinstance(statement.op, action)}
        for action, place in ((ops.TileLoad, 0), (ops.TileStore, 1))
    )
    return bool(read & written)
