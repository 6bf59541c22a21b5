"""Barriers behind which no wave accesses LDS any more.

A product with a single buffer has a barrier before the products of each trip, since the next trip stores to
the buffer. Behind the barrier of the last trip nothing is stored to LDS:

    a_1 = lds_load(lds) -> f16, {64,64} @ a_tile
    barrier()                                        left out: the products need not wait for other waves,
    sums = contract(a_1, b_1, zeros)                 nor for all of the tile
    tile_store[at={row, c1}](sums, c)
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.blockwise.actions import Barrier, Contract, TileStore
from asmgen.blockwise.op_table import row_of
from asmgen.blockwise.program import Kernel, TileStatement
from asmgen.ir.program import walk


def without_last_barriers(kernel: Kernel) -> Kernel:
    """The kernel without the barriers at its end that order no accesses: behind them waves exchange nothing,
    and before them they store nothing to memory."""
    statements, kept = kernel.statements, list[TileStatement]()
    exchanges = [place for place, each in enumerate(statements) if _may_exchange(each)]
    has_stored = False
    for place, statement in enumerate(statements):
        is_barrier = isinstance(statement.op, Barrier)
        if not is_barrier or has_stored or place < max(exchanges, default=-1):
            kept.append(statement)
        has_stored = has_stored or any(isinstance(each.op, TileStore) for each in walk([statement]))
    return kernel if len(kept) == len(statements) else replace(kernel, statements=tuple(kept))


def _may_exchange(statement: TileStatement) -> bool:
    """Whether waves may exchange anything in a statement, or in its regions."""
    row = row_of(statement.op)
    return row.has_region or (row.crosses and not isinstance(statement.op, Barrier | Contract))
