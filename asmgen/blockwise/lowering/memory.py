"""`tile_load` and `tile_store`: the accesses of each lane, and what lanes outside do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout.queries import copying
from asmgen.blockwise.lowering.access import Accesses, Place, accesses
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.tile import Element, Tile, lane_type, vector_elements
from asmgen.blockwise.types import TileType
from asmgen.index import Index
from asmgen.ir.program import Value
from asmgen.ir.types import U32, TensorType

Store = tuple[Value | bool, Callable[[], None]]


def load(
    context: Context,
    type_: TileType,
    action: ops.TileLoad | ops.AsyncCopy,
    buffer: Value,
    data: Sequence[Tile] = (),
) -> Tile:
    """The tile of a buffer's elements. Every holder reads, those with copies too."""
    memory = buffer.type
    assert isinstance(memory, TensorType)
    found = accesses(context, type_.layout, action.at, action.where, memory, data)
    otherwise = action.otherwise if isinstance(action, ops.TileLoad) else 0
    reader = _Reader(context, buffer, memory, found, otherwise)
    elements: dict[int, Element] = {}
    known: dict[tuple[Place, ...], Value] = {}
    for registers in found.vectors():
        places = tuple([found.places[register] for register in registers])
        if places not in known:
            known[places] = reader.read(registers)
        elements.update(zip(registers, vector_elements(known[places]), strict=True))
    whole = [elements[register & ~found.copies] for register in range(type_.layout.register_count)]
    return Tile(type_, tuple(whole))


class _Reader:
    def __init__(
        self, context: Context, buffer: Value, memory: TensorType, found: Accesses, otherwise: ops.Number
    ) -> None:
        self._context = context
        self._buffer = buffer
        self._memory = memory
        self._found = found
        self._otherwise = otherwise

    def read(self, registers: tuple[int, ...]) -> Value:
        """The elements of registers that follow each other, as lanes compute them."""
        lanes = len(registers)
        if lanes > 1 and not (self._found.is_whole(registers) and lanes <= self._memory.span):
            half = lanes // 2
            return self._context.builder.pack(self.read(registers[:half]), self.read(registers[half:]))
        context, (address, where) = self._context, self._found.places[registers[0]]
        guard = context.holds(where)
        otherwise = context.literal(self._otherwise, self._memory.element, lanes)
        if guard is False:
            return otherwise
        if guard is True:
            return self._loaded(context.indices.value(address), lanes)
        assert not isinstance(guard, bool)
        value = self._loaded(self._within(address, guard, lanes), lanes)
        return context.chosen(guard, value, otherwise)

    def _loaded(self, index: Value, lanes: int) -> Value:
        return self._context.widened(self._context.builder.load(self._buffer, index, lanes))

    def _within(self, address: Index, guard: Value, lanes: int) -> Value:
        """The address where a lane takes part, and one that is in the buffer where it does not."""
        context = self._context
        builder, indices = context.builder, context.indices
        zero = builder.constant(0, U32)
        uniform, own = indices.split(address)
        rest = uniform + address.constant
        if own.terms and uniform.terms and rest.low >= 0 and rest.high + lanes <= self._memory.span:
            kept = builder.where(guard, indices.value(own), zero)
            total = builder.add(indices.value(uniform), kept)
            if not address.constant:
                return total
            return builder.add(total, builder.constant(address.constant, U32))
        return builder.where(guard, indices.value(address), zero)


def store(context: Context, action: ops.TileStore, tile: Tile, buffer: Value, data: Sequence[Tile]) -> None:
    """The tile's elements into a buffer. Of the holders with copies one writes."""
    memory = buffer.type
    assert isinstance(memory, TensorType)
    found = accesses(context, tile.layout, action.at, action.where, memory, data)
    copies = copying(tile.layout)
    first = context.one_of_copies(copies.lanes, copies.waves, tile.in_last)
    stores = [
        one for registers in found.vectors() for one in _stores(context, found, tile, buffer, registers)
    ]
    for guard, together in groupby(stores, key=lambda one: one[0]):
        bodies = [body for _, body in together]

        def write(bodies: list[Callable[[], None]] = bodies) -> None:
            for body in bodies:
                body()

        context.guarded(context.all_of([first, guard]), write)


def _stores(
    context: Context, found: Accesses, tile: Tile, buffer: Value, registers: tuple[int, ...]
) -> list[Store]:
    """The accesses that store some registers, each with its guard; their operands are made already."""
    lanes = len(registers)
    if lanes > 1 and not found.is_whole(registers):
        half = lanes // 2
        return [
            *_stores(context, found, tile, buffer, registers[:half]),
            *_stores(context, found, tile, buffer, registers[half:]),
        ]
    address, where = found.places[registers[0]]
    guard = context.holds(where)
    if guard is False:
        return []
    value = context.vector_of([tile.elements[register] for register in registers], tile.type.element)
    assert lane_type(value).lanes == lanes
    index = context.indices.value(address)
    return [(guard, lambda: context.builder.store(buffer, index, value))]
