"""`tile_store[adds=true]`: an atomic addition for each element. No lane waits for the old value."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout.queries import copying
from asmgen.blockwise.lowering.addresses.access import Accesses, Reach
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.tile import Tile, scalar
from asmgen.ir.program import Value
from asmgen.ir.types import TensorType
from asmgen.lanewise.atomic_ops import ATOMIC
from isa.named_tuple import NamedTuple


def add(context: Context, action: ops.TileStore, tile: Tile, buffer: Value, data: Sequence[Tile]) -> None:
    """Add the elements of a tile to those of a buffer. The first of the lanes with copies adds."""
    builder, memory = context.builder, buffer.type
    assert isinstance(memory, TensorType)
    found = context.accesses(Reach(tile.layout, action.at, action.where, memory), data)
    copies = copying(tile.layout)
    first = context.one_of_copies(copies.lanes, copies.waves, tile.in_last)
    once = sum(1 << bit for bit in copies.registers)
    registers = [register for register in range(tile.layout.register_count) if not register & once]
    for where, together in groupby(registers, key=lambda register: found.places[register].where):
        guard = context.all_of([first, context.holds(where)])
        additions = [_addition(context, found, tile, buffer, register) for register in together]

        def body(additions: list[_Addition] = additions) -> None:
            for addition in additions:
                attributes = {"op": "add", "order": "relaxed", "scope": "agent", "offset": addition.offset}
                _ = builder.apply(ATOMIC, (buffer, addition.index, addition.value), attributes)

        context.guarded(guard, body)


class _Addition(NamedTuple):
    """The place of an addition and its number."""

    index: Value
    offset: int
    value: Value


def _addition(context: Context, found: Accesses, tile: Tile, buffer: Value, register: int) -> _Addition:
    memory = buffer.type
    assert isinstance(memory, TensorType)
    place = found.places[register].address
    index, offset, _ = context.indices.address(place, memory.element.bytes, 1)
    return _Addition(index, offset, scalar(context.builder, tile.elements[register]))
