"""`relayout`: changes a layout with the least movement.

If each lane has its elements already, only registers are renamed. If a lane needs elements of other lanes of
its wave, the lane with local id l asks lane B*l ^ b for its register D*l ^ d, with B and D linear over F2: an
exchange for each register that a lane may ask for, and a select of the own register. If all lanes that ask
for the same register ask lanes that differ from their own number in the same bits, the exchange needs no
numbers of lanes. Elements of other waves go through LDS, with a placement without bank conflicts on either
side.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.blockwise.layout import f2
from asmgen.blockwise.layout.layout import Holder
from asmgen.blockwise.layout.queries import copying
from asmgen.blockwise.layout.relayout import MoveKind, Relayout, relayout
from asmgen.blockwise.layout.swizzle import chosen
from asmgen.blockwise.lowering.addresses.access import Accesses, Reach
from asmgen.blockwise.lowering.addresses.bits import linear
from asmgen.blockwise.lowering.addresses.indices import Address
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.ops import lds
from asmgen.blockwise.lowering.tile import (
    Bits,
    Element,
    Tile,
    gathered,
    grouping,
    groups,
    of_vectors,
    vector_elements,
)
from asmgen.blockwise.types import LdsType, TileType
from asmgen.index.size import number
from asmgen.ir.program import Value
from asmgen.ir.types import U32, computed, tensor


def changed(context: Context, tile: Tile, type_: TileType) -> Tile:
    """The tile in another layout."""
    way = relayout(tile.layout, type_.layout)
    if way.kind is MoveKind.NOTHING:
        return tile
    if way.kind is MoveKind.LDS:
        return (
            _through_lds(context, tile, type_)
            if way.columns is not None
            else _row_by_row(context, tile, type_)
        )
    if way.kind is MoveKind.REGISTERS and not any(_of_registers(way)):
        sources = [_source(way, register) for register in range(type_.layout.register_count)]
        return Tile(type_, tuple([tile.elements[register] for register in sources]))
    return _Exchange(context, tile, way).result(type_)


def _source(way: Relayout, register: int) -> int:
    """The source's register that lane 0 wants."""
    return way.source_of(Holder(register, 0, 0)).register


def _of_registers(way: Relayout) -> tuple[int, ...]:
    """For each bit of the local id the bits of the source's register that it sets."""
    assert way.columns is not None
    own = (1 << len(way.source.registers)) - 1
    return tuple([column & own for column in way.columns[len(way.result.registers) :]])


def _of_lanes(way: Relayout) -> tuple[int, ...]:
    """For each bit of the local id the bits of the source's lane that it sets."""
    assert way.columns is not None
    below, own = len(way.source.registers), way.source.lane_count - 1
    return tuple([column >> below & own for column in way.columns[len(way.result.registers) :]])


class _Exchange:
    """Registers from other lanes of the wave. Narrow elements go as one word if every lane wants the same
    registers of them together.
    """

    def __init__(self, context: Context, tile: Tile, way: Relayout) -> None:
        self._context = context
        self._tile = tile
        self._way = way
        self._columns = _of_registers(way)
        self._basis = tuple(f2.independent(self._columns))
        self._asks = [self._asked(bit) for bit in range(len(self._basis))]
        lanes = _of_lanes(way)
        self._differing = _differing(self._basis, self._columns, lanes, len(way.source.lanes))
        self._from = None if self._differing else linear(context.builder, context.indices.local(), lanes)
        self._values: dict[tuple[tuple[Element, ...], int], Value] = {}

    def result(self, type_: TileType) -> Tile:
        context, bits = self._context, _of_words(self._tile, self._way)
        words = [self._wanted(registers) for registers in groups(type_.layout, bits)]
        return of_vectors(type_, bits, [context.of_word(word, type_.element) for word in words])

    def _asked(self, bit: int) -> Value:
        """Whether a lane asks for registers with an element of the basis in them."""
        context = self._context
        builder = context.builder
        columns = tuple([(f2.solve(self._basis, column) or 0) >> bit & 1 for column in self._columns])
        image = self._parity(columns)
        return builder.equal(image, builder.constant(1, U32))

    def _parity(self, columns: tuple[int, ...]) -> Value:
        image = linear(self._context.builder, self._context.indices.local(), columns)
        assert image is not None, "the basis is made of these columns"
        return image

    def _wanted(self, registers: tuple[int, ...]) -> Value:
        """The word that every lane asks for some registers of the result."""
        sources = [self._way.source_of(Holder(register, 0, 0)) for register in registers]
        lane = sources[0].lane
        differing = self._differing or [0] * (1 << len(self._basis))
        found = [
            self._moved([source.register ^ other for source in sources], lane ^ bits)
            for other, bits in zip(f2.image(self._basis), differing, strict=True)
        ]
        for asked in self._asks:
            pairs = zip(found[::2], found[1::2], strict=True)
            found = [low if low is high else self._context.chosen(asked, high, low) for low, high in pairs]
        return found[0]

    def _moved(self, registers: Sequence[int], mixed: int) -> Value:
        """A word of the lane that each lane asks. The number of the asked lane is XORed with `mixed`: that of
        the lane itself, if all lanes that want the word differ from it in these bits."""
        elements = tuple([self._tile.elements[register] for register in registers])
        key = elements, mixed
        if key not in self._values:
            value = self._context.word(gathered(self._context.builder, elements))
            self._values[key] = self._shuffled(value, mixed)
        return self._values[key]

    def _shuffled(self, value: Value, mixed: int) -> Value:
        builder, lane = self._context.builder, self._from
        if self._differing:
            return builder.lane_exchange(value, mixed) if mixed else value
        constant = builder.constant(mixed, U32)
        if lane is not None and mixed:
            lane = builder.bitwise_xor(lane, constant)
        return builder.lane_shuffle(value, constant if lane is None else lane)


def _differing(
    basis: Sequence[int], of_registers: Sequence[int], of_lanes: Sequence[int], lanes: int
) -> list[int]:
    """For each register of `f2.image(basis)` the bits in which the numbers of the lanes that ask for it
    differ from those of the lanes that they ask; none if these are not the same bits for all lanes."""
    changed = [lane ^ (1 << bit if bit < lanes else 0) for bit, lane in enumerate(of_lanes)]
    of_basis = [changed[of_registers.index(vector)] for vector in basis]
    for register, bits in zip(of_registers, changed, strict=True):
        if bits != f2.apply(of_basis, f2.solve(tuple(basis), register) or 0):
            return []
    return f2.image(of_basis)


def _of_words(tile: Tile, way: Relayout) -> Bits:
    """The register bits of the result that count the narrow elements of a word, in the order of the source's
    vectors if possible.
    """
    assert way.columns is not None
    element, own = tile.type.element, 1 << len(way.source.registers)
    if computed(element) is element:
        return ()
    places = {
        column: bit for bit, column in enumerate(way.columns[: len(way.result.registers)]) if 0 < column < own
    }
    wanted = [*(1 << bit for bit in grouping(tile)), *places]
    bits = [places[column] for column in dict.fromkeys(wanted) if column in places]
    return tuple(bits[: (U32.bits // element.bits).bit_length() - 1])


def _through_lds(context: Context, tile: Tile, type_: TileType) -> Tile:
    element = tile.type.element
    _, _, placement = chosen(tile.layout, type_.layout, element.bytes, context.target)
    placed = LdsType(element, placement)
    buffer = context.scratch(element, placement.elements)
    context.before_write(buffer)
    lds.write(context, tile, buffer, placed)
    context.builder.barrier()
    return lds.read(context, type_, buffer, placed)


def _row_by_row(context: Context, tile: Tile, type_: TileType) -> Tile:
    """Through LDS in row-major order: tiles that repeat differently have no common map of bits."""
    builder, element = context.builder, tile.type.element
    memory = tensor(element, tile.layout.shape)
    buffer = context.scratch(element, number(memory.elements))

    def found(of: TileType) -> Accesses:
        return context.accesses(Reach(of.layout, of.coordinates, (), memory))

    def place(of: Accesses, group: Sequence[int]) -> Address:
        return context.indices.address(of.places[group[0]].address, element.bytes, len(group))

    written, read = found(tile.type), found(type_)
    stores = [
        (
            place(written, group),
            gathered(builder, [tile.elements[register] for register in group]),
        )
        for group in written.vectors()
    ]

    def write() -> None:
        for (index, offset, touched), value in stores:
            builder.lds_store(buffer, index, value, offset, touched)

    copies = copying(tile.layout)
    context.before_write(buffer)
    context.guarded(context.one_of_copies(copies.lanes, copies.waves), write)
    builder.barrier()
    elements: dict[int, Element] = {}
    for group in read.vectors():
        index, offset, touched = place(read, group)
        loaded = builder.lds_load(buffer, index, len(group), offset, touched)
        elements.update(zip(group, vector_elements(loaded), strict=True))
    return Tile(type_, tuple([elements[one & ~read.copies] for one in range(type_.layout.register_count)]))
