"""`tile_load` and `tile_store`: the accesses of each lane, and their guards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from asmgen.blockwise import actions as ops
from asmgen.blockwise.actions import Below
from asmgen.blockwise.layout.queries import copying, vector_bits
from asmgen.blockwise.lowering.addresses.access import (
    Accesses,
    Block,
    ElementAddress,
    Reach,
    Registers,
    blocks,
    runs,
)
from asmgen.blockwise.lowering.addresses.indices import Address
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.tile import Bits, Element, Tile, gathered, groups, vector_elements
from asmgen.blockwise.types import TileType
from asmgen.index import Index, constant
from asmgen.ir.program import Value, lane_type
from asmgen.ir.types import U32, TensorType, computed
from isa.target import CACHE_LINE, WIDEST_ACCESS

FEW = 2  # accesses of a row's end: a branch takes as long
LONGEST = 3  # bits of a vector of elements that are read singly

Store = tuple[Value | bool, Callable[[], None]]


def load(
    context: Context,
    type_: TileType,
    action: ops.TileLoad,
    buffer: Value,
    data: Sequence[Tile] = (),
    is_stored: bool = False,
) -> Tile:
    """Load a tile from a buffer. Lanes with copies read as well. `is_stored` says that the kernel also stores
    to the buffer: then no lane reads an element that is not its own.
    """
    memory = buffer.type
    assert isinstance(memory, TensorType)
    found = context.accesses(Reach(type_.layout, action.at, action.where, memory), data)
    otherwise = None if action.loose else action.otherwise
    reader = _Reader(context, buffer, memory, found, otherwise, is_stored)
    parts = runs(found, memory.element.bytes)
    if parts or memory.element.bytes << len(found.bits) < WIDEST_ACCESS:
        scattered = blocks(found, parts or _whole_vectors(found), memory)
        is_wide = any(len(block.registers) < block.lanes for block in scattered)
        if (is_wide and not is_stored) or (parts and not is_wide):
            return Tile(type_, reader.by_place(scattered))
    if action.loose and not is_stored and (over := reader.over_ends()):
        return Tile(type_, over)
    elements: dict[int, Element] = {}
    known: dict[tuple[ElementAddress, ...], list[Element]] = {}
    for registers in groups(type_.layout, _together(found)):
        if registers[0] & found.copies:
            continue
        places = tuple([found.places[register] for register in registers])
        if len(set(places)) == 1:
            places = places[:1]
        if places not in known:
            known[places] = reader.read(registers[: len(places)])
        elements.update(zip(registers, known[places] * (len(registers) // len(places)), strict=True))
    whole = [elements[register & ~found.copies] for register in range(type_.layout.register_count)]
    return Tile(type_, tuple(whole))


def _whole_vectors(found: Accesses) -> list[Registers]:
    """The accesses of register bits with a register for each place; none if a condition cuts an access."""
    first = {tuple([found.places[register] for register in group]): group for group in found.vectors()}
    return list(first.values()) if all(map(found.is_whole, first.values())) else []


def _together(found: Accesses) -> Bits:
    """The register bits of the vectors of a tile: the bits of an access, and the bits along memory's fast
    axis, so that elements that are read singly are computed together. Narrow elements are put together when
    they are widened.
    """
    layout = found.layout
    bits = vector_bits(layout, layout.rank - 1)[:LONGEST]
    is_free = not any(found.copies >> bit & 1 for bit in bits)
    return bits if is_free and bits[: len(found.bits)] == found.bits else found.bits


class _Reader:
    """Reads elements of a buffer. If `otherwise` is None, no reader uses elements that do not exist."""

    def __init__(
        self,
        context: Context,
        buffer: Value,
        memory: TensorType,
        found: Accesses,
        otherwise: ops.Number | None,
        is_stored: bool,
    ) -> None:
        self._context = context
        self._buffer = buffer
        self._memory = memory
        self._found = found
        self._otherwise = otherwise
        self._is_stored = is_stored

    def read(self, registers: Registers) -> list[Element]:
        """The elements of registers, of accesses that follow each other."""
        parts = list(self._parts(registers))
        guards = [self._context.holds(self._found.places[part[0]].where) for part in parts]
        made = [
            self._chosen(self._found.places[part[0]].address, len(part), guard)
            for part, guard in zip(parts, guards, strict=True)
        ]
        is_narrow = computed(self._memory.element) is not self._memory.element
        if len(made) == 1 or is_narrow:
            return [element for value in made for element in vector_elements(value)]
        return vector_elements(self._context.builder.pack(*made))

    def by_place(self, blocks: Sequence[Block]) -> tuple[Element, ...]:
        """The element of every register; `blocks` are the accesses of every place."""
        places, made = self._found.places, dict[ElementAddress, Element]()
        for block in blocks:
            guard = self._context.holds(places[block.registers[0]].where)
            read = vector_elements(self._chosen(block.address, block.lanes, guard))
            for register, number in zip(block.registers, block.taken, strict=True):
                made[places[register]] = read[number]
        elements = [made[place] for place in places]
        for group in groups(self._found.layout, self._found.bits) if self._found.bits else ():
            vector = gathered(self._context.builder, [elements[register] for register in group])
            for register, element in zip(group, vector_elements(vector), strict=True):
                elements[register] = element
        return tuple(elements)

    def over_ends(self) -> tuple[Element, ...]:
        """The element of every register, by whole accesses that may begin in a row and end in the next; none
        if conditions cut no access into more than a few, or an access might begin before a row. Lanes with
        an access that ends behind the buffer read its elements singly, in a branch."""
        found, context = self._found, self._context
        vectors = list(dict.fromkeys(found.vectors()))
        cut = [vector for vector in vectors if len(list(self._parts(vector))) > FEW]
        if not cut or not all(map(found.begins_first, cut)):
            return ()
        is_over = context.any_of([self._is_over(vector) for vector in cut])
        if is_over is True:
            return ()

        def whole() -> list[Value]:
            with context.indices.nested():
                return [self._whole(vector) for vector in cut]

        def single() -> list[Value]:
            with context.indices.nested():
                return [gathered(context.builder, self.read(vector)) for vector in cut]

        builder = context.builder
        made = whole() if is_over is False else builder.if_(builder.logical_not(is_over), whole, single)
        elements = {
            register: element
            for vector, value in zip(cut, made, strict=True)
            for register, element in zip(vector, vector_elements(value), strict=True)
        }
        for vector in vectors:
            if vector[0] not in elements:
                elements.update(zip(vector, self.read(vector), strict=True))
        return tuple(
            [elements[register & ~found.copies] for register in range(found.layout.register_count)]
        )

    def _is_over(self, vector: Registers) -> Value | bool:
        """Whether the first element of an access exists, and the access ends behind the buffer; or the buffer
        has fewer elements."""
        context, (address, where) = self._context, self._found.places[vector[0]]
        last, most = constant(self._memory.span) - 1, len(vector) - 1
        is_behind = context.all_of([context.holds(where), context.holds([Below(last, address + most)])])
        return context.any_of([is_behind, context.holds([Below(last, constant(most))])])

    def _whole(self, vector: Registers) -> Value:
        """The elements of an access, by a single load, and others in place of those that do not exist."""
        context, lanes, (address, where) = self._context, len(vector), self._found.places[vector[0]]
        guard = context.holds(where)
        if guard is False:
            return context.literal(0, self._memory.element, lanes)
        is_known = isinstance(guard, bool)
        place = self._address(address, lanes) if is_known else self._within(address, guard, lanes)
        return self._loaded(place, lanes)

    def _parts(self, registers: Registers) -> Iterator[Registers]:
        lanes, found = len(registers), self._found
        is_access = lanes <= 1 << len(found.bits) and found.is_whole(registers)
        if lanes == 1 or is_access:
            yield registers
            return
        yield from self._parts(registers[: lanes // 2])
        yield from self._parts(registers[lanes // 2 :])

    def _loaded(self, address: Address, lanes: int) -> Value:
        element, offset, touched = address
        return self._context.builder.load(self._buffer, element, lanes, offset, touched)

    def _address(self, where: Index, lanes: int) -> Address:
        return self._context.indices.address(where, self._memory.element.bytes, lanes)

    def _chosen(self, where: Index, lanes: int, guard: Value | bool) -> Value:
        """The elements from an address on, if the guard is true."""
        if guard is True:
            return self._loaded(self._address(where, lanes), lanes)
        context = self._context
        otherwise = context.literal(self._otherwise or 0, self._memory.element, lanes)
        if isinstance(guard, bool):
            return otherwise
        if self._is_stored or lanes > context.least(self._memory.span):
            return self._branched(where, lanes, guard, otherwise)
        loaded = self._loaded(self._within(where, guard, lanes), lanes)
        return loaded if self._otherwise is None else context.chosen(guard, loaded, otherwise)

    def _branched(self, where: Index, lanes: int, guard: Value, otherwise: Value) -> Value:
        """The elements of the lanes that take part. The others do not read: the buffer may have fewer
        elements, or another wave stores to the element."""
        address = self._address(where, lanes)
        (chosen,) = self._context.builder.if_(
            guard, lambda: (self._loaded(address, lanes),), lambda: (otherwise,)
        )
        return chosen

    def _within(self, address: Index, guard: Value, lanes: int) -> Address:
        """The address for lanes that take part, and some address within the buffer for the others."""
        context, size = self._context, self._memory.element.bytes
        builder, indices = context.builder, context.indices
        zero = builder.constant(0, U32)
        uniform, own = context.places.split(address)
        rest = uniform + address.constant
        is_positive = min(own.low, uniform.low, rest.low) >= 0
        is_within = rest.high + lanes <= context.least(self._memory.span)
        if own.terms and uniform.terms and is_positive and is_within:
            kept = builder.where(guard, indices.value(own), zero)
            total = builder.add(indices.value(uniform), kept)
            touched = indices.touched(address, size, lanes, or_none=True)
            return Address(total, address.constant * size, touched)
        return Address(builder.where(guard, indices.value(address), zero))


def store(
    context: Context,
    action: ops.TileStore,
    tile: Tile,
    buffer: Value,
    data: Sequence[Tile],
    is_read: bool = False,
) -> None:
    """Store a tile into a buffer. `is_read` says that the kernel also reads the buffer. The first of the
    lanes with copies writes.
    """
    memory = buffer.type
    assert isinstance(memory, TensorType)
    found = context.accesses(Reach(tile.layout, action.at, action.where, memory), data)
    copies = copying(tile.layout)
    first = context.one_of_copies(copies.lanes, copies.waves, tile.in_last)
    stores = [
        one
        for registers in runs(found, memory.element.bytes) or found.vectors()
        for one in _stores(context, found, tile, buffer, registers, is_read)
    ]
    for guard, together in groupby(stores, key=lambda one: one[0]):
        bodies = [body for _, body in together]

        def write(bodies: list[Callable[[], None]] = bodies) -> None:
            for body in bodies:
                body()

        context.guarded(context.all_of([first, guard]), write)


def _stores(
    context: Context, found: Accesses, tile: Tile, buffer: Value, registers: Registers, is_read: bool
) -> list[Store]:
    """The accesses that store some registers, each with its guard; their operands are made already."""
    lanes = len(registers)
    if lanes > 1 and not found.is_whole(registers):
        half = lanes // 2
        return [
            *_stores(context, found, tile, buffer, registers[:half], is_read),
            *_stores(context, found, tile, buffer, registers[half:], is_read),
        ]
    address, where = found.places[registers[0]]
    guard = context.holds(where)
    if guard is False:
        return []
    value = gathered(context.builder, [tile.elements[register] for register in registers])
    assert lane_type(value).lanes == lanes
    index, offset, touched = context.indices.address(address, tile.type.element.bytes, lanes)
    memory = buffer.type
    assert isinstance(memory, TensorType)
    streams = not is_read and _streams(context, memory, address, lanes)
    return [(guard, lambda: context.builder.store(buffer, index, value, offset, streams, touched))]


def _streams(context: Context, memory: TensorType, address: Index, lanes: int) -> bool:
    """Whether a store is part of a stream: neighbouring lanes fill whole lines, and the buffer is larger than
    the last cache, so its beginning is evicted before it is read again. A buffer with a size that only the
    launch knows may be small, so its stores are no stream.
    """
    size = memory.element.bytes
    span = memory.span
    is_large = isinstance(span, int) and span * size > context.target.last_cache_bytes
    if not is_large or lanes * size < WIDEST_ACCESS:
        return False
    bits = (CACHE_LINE // WIDEST_ACCESS).bit_length() - 1
    return context.places.lane_steps(address, bits) == tuple([lanes << bit for bit in range(bits)])
