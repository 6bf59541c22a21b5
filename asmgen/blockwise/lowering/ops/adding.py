"""Atomic additions: `tile_store[adds=true]` adds each element to memory, `bin_sum` each element to its bin in
LDS. No lane waits for the old value."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout.queries import copying
from asmgen.blockwise.lowering.addresses.access import Accesses, Reach
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.tile import Element, Tile, scalar
from asmgen.blockwise.types import TileType, coordinates
from asmgen.graph.ops import MIN
from asmgen.ir.program import Attribute, Value, lane_type
from asmgen.ir.types import U32, TensorType
from asmgen.lanewise.atomic_ops import ATOMIC, LDS_ATOMIC
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
                attributes: dict[str, Attribute] = {**_RELAXED, "scope": "agent", "offset": addition.offset}
                _ = builder.apply(ATOMIC, (buffer, addition.place, addition.value), attributes)

        context.guarded(guard, body)


_RELAXED: dict[str, Attribute] = {"op": "add", "order": "relaxed"}


class _Addition(NamedTuple):
    """The place of an addition and its number."""

    place: Value
    offset: int
    value: Value


def _addition(context: Context, found: Accesses, tile: Tile, buffer: Value, register: int) -> _Addition:
    memory = buffer.type
    assert isinstance(memory, TensorType)
    place = found.places[register].address
    index, offset, _ = context.indices.address(place, memory.element.bytes, 1)
    return _Addition(index, offset, scalar(context.builder, tile.elements[register]))


def bin_sum(context: Context, tile: Tile, places: Tile, bins: TileType) -> Tile:
    """The bins in LDS: zeros, then the elements of all lanes, then the sums in the layout of the result. The
    spare bin begins as 0 too, since an addition reads it.
    """
    builder, (count,) = context.builder, bins.layout.shape
    words = count + 1
    lds = context.lds(bins.element, words, "bins")
    zero, local = context.literal(0, bins.element), context.indices.local()
    items = context.kernel.lanes * context.kernel.waves
    context.before_write(lds)
    for first in range(0, words, items):
        is_bin = True if first + items <= words else builder.less(local, builder.constant(words - first, U32))
        offset = first * bins.element.bytes

        def clear(offset: int = offset) -> None:
            builder.lds_store(lds, local, zero, offset)

        context.guarded(is_bin, clear)
    builder.barrier()
    _add_to_bins(context, tile, places, lds, count)
    builder.barrier()
    found: list[Element] = []
    for index in context.places.of_registers(coordinates(bins.layout.shape)[0], bins.layout):
        found.append(Element(builder.lds_load(lds, context.indices.value(index))))
    return Tile(bins, tuple(found))


def _add_to_bins(context: Context, tile: Tile, places: Tile, lds: Value, count: int) -> None:
    """Add each element once, to its bin or to the spare bin after all bins: that takes no branch."""
    builder, copies = context.builder, copying(tile.layout)
    once = sum(1 << bit for bit in copies.registers)
    registers = [register for register in range(tile.layout.register_count) if not register & once]

    def add_all() -> None:
        for register in registers:
            place, value = (scalar(builder, each.elements[register]) for each in (places, tile))
            place = place if lane_type(place).element is U32 else builder.bit_cast(place, U32)
            bin_ = builder.value(MIN, place, builder.constant(count, U32))
            _ = builder.apply(LDS_ATOMIC, (lds, bin_, value), {**_RELAXED, "offset": 0})

    context.guarded(context.one_of_copies(copies.lanes, copies.waves), add_all)
