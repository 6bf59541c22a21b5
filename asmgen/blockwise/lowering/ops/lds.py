"""Tiles in LDS: the accesses that a placement allows, and their offsets.

An offset is F2-linear in the bits of register, lane and wave: an image of the lane and wave, XOR a constant
of the register. Repetition, padding and slots are added to it.
"""

from __future__ import annotations

from collections.abc import Callable

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout import f2
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.placement import Placement, offset_columns, origin_columns
from asmgen.blockwise.layout.queries import copying
from asmgen.blockwise.lowering.addresses.bits import linear, mask_of
from asmgen.blockwise.lowering.addresses.indices import Address
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.tile import Bits, Element, Tile, gathered, groups, vector_elements
from asmgen.blockwise.transposes import transposing_load
from asmgen.blockwise.types import LdsType, TileType
from asmgen.index import Index
from asmgen.ir.program import Value
from asmgen.ir.types import U32
from asmgen.lanewise.records import Touched
from asmgen.lanewise.result_types import MAX_LANES
from isa.named_tuple import NamedTuple
from isa.target import WIDEST_ACCESS


class LdsOrigin(NamedTuple):
    """The origin of a tile: the known and the unknown part that its coordinates add to offsets by XOR, and
    its slot.
    """

    known: int = 0
    varying: tuple[tuple[Value, int], ...] = ()  # with the bits that each may set
    slot: Index = ops.ZERO

    @property
    def bits(self) -> int:
        """The bits of an offset that it may change."""
        return mask_of((self.known, *[mask for _, mask in self.varying]))


def store(context: Context, tile: Tile, lds: Value, placed: LdsType, action: ops.LdsStore) -> None:
    """A tile into a slot."""
    write(context, tile, lds, placed, origin_of(context, tile.layout, placed, action))


def load(context: Context, type_: TileType, lds: Value, placed: LdsType, action: ops.LdsLoad) -> Tile:
    """A tile from a slot."""
    origin = origin_of(context, type_.layout, placed, action)
    if not action.by:
        return read(context, type_, lds, placed, origin)
    by = transposing_load(action.by, context.target)
    named = by.addresses(type_.layout) if by is not None else None
    assert by is not None and named is not None, "the verifier has checked the load"

    places = TilePlaces(context, named, placed, origin)

    def loaded(registers: tuple[int, ...]) -> Value:
        index, constant, touched = places.address(registers)
        return context.builder.lds_transpose_load(by.name, lds, index, len(registers), constant, touched)

    return _read(type_, named, tuple(range(by.own)), loaded)


def write(context: Context, tile: Tile, lds: Value, placed: LdsType, origin: LdsOrigin = LdsOrigin()) -> None:
    """Store a tile into LDS. The first of the lanes with copies writes."""
    layout, builder = tile.layout, context.builder
    copies = copying(layout)
    skipped = sum(1 << bit for bit in copies.registers)
    bits, places = access_bits(layout, placed, origin), TilePlaces(context, layout, placed, origin)
    stores: list[tuple[Address, Value]] = []
    for registers in groups(layout, bits):
        if not registers[0] & skipped:
            elements = [tile.elements[register] for register in registers]
            stores.append((places.address(registers), gathered(builder, elements)))

    def body() -> None:
        for (index, constant, touched), value in stores:
            builder.lds_store(lds, index, value, constant, touched)

    context.guarded(context.one_of_copies(copies.lanes, copies.waves), body)


def read(
    context: Context, type_: TileType, lds: Value, placed: LdsType, origin: LdsOrigin = LdsOrigin()
) -> Tile:
    """Load a tile from LDS. Every lane reads."""
    layout = type_.layout
    places = TilePlaces(context, layout, placed, origin)

    def loaded(registers: tuple[int, ...]) -> Value:
        index, constant, touched = places.address(registers)
        return context.builder.lds_load(lds, index, len(registers), constant, touched)

    return _read(type_, layout, access_bits(layout, placed, origin), loaded)


def _read(type_: TileType, addresses: Layout, bits: Bits, loaded: Callable[[tuple[int, ...]], Value]) -> Tile:
    """A tile of the values that `loaded` gives for the registers of each access; `addresses` is the layout of
    the elements that lanes read. Copies are read once."""
    skipped = sum(1 << bit for bit in copying(addresses).registers)
    elements: dict[int, Element] = {}
    for registers in groups(addresses, bits):
        if not registers[0] & skipped:
            elements.update(zip(registers, vector_elements(loaded(registers)), strict=True))
    count = addresses.register_count
    return Tile(type_, tuple([elements[register & ~skipped] for register in range(count)]))


def access_bits(layout: Layout, placed: LdsType, origin: LdsOrigin = LdsOrigin()) -> Bits:
    """The register bits of an access: the low bits of an offset depend on them alone."""
    columns = offset_columns(placed.placement, layout)
    bits: list[int] = []
    while len(bits) < len(layout.registers):
        step = 1 << len(bits)
        size = placed.element.bytes * step * 2
        if step not in columns[: len(layout.registers)] or origin.bits & step:
            break
        if sum(bool(column & step) for column in columns) > 1:
            break
        if size > WIDEST_ACCESS or 2 * step > MAX_LANES or not placed.is_aligned(2 * step):
            break
        bits.append(columns.index(step))
    return tuple(bits)


class TilePlaces(NamedTuple):
    """The places of a tile in LDS: of the elements that `layout` gives to lanes, in the order of `placed`,
    from `origin` on."""

    context: Context
    layout: Layout
    placed: LdsType
    origin: LdsOrigin

    def address(self, registers: tuple[int, ...]) -> Address:
        """The address of the elements of some registers, which are adjacent.

        If the XOR with the registers' constant leaves the slot as it is, it comes last: registers share the
        rest.
        """
        at, elements = self._offset(registers[0]), self.placed.placement.elements
        columns, indices, slot = self._columns, self.context.indices, self.origin.slot
        flipped = self._known(columns, registers[0]) & mask_of(columns[len(self.layout.registers) :])
        padding = self.placed.placement.padding
        if not flipped or self.origin.varying or padding.every or elements % _above(flipped):
            return indices.address(at, self.placed.element.bytes, len(registers), slot, elements)
        origin = self.origin._replace(known=self.origin.known ^ flipped)
        shared = self._replace(origin=origin)._offset(registers[0])
        value, offset, _ = indices.address(shared, self.placed.element.bytes, len(registers), slot, elements)
        return Address(indices.flipped(value, flipped), offset, self.touched(registers))

    def touched(self, registers: tuple[int, ...]) -> Touched:
        """The memory of these elements in all lanes."""
        at, size = self._offset(registers[0]), self.placed.element.bytes
        return self.context.indices.touched(at, size, len(registers), self.origin.slot)

    def of_wave(self, register: int) -> Index:
        """The offset of a register's element in lane 0 of the wave, the same in all of its lanes."""
        columns, context, layout = self._columns, self.context, self.layout
        own = self._known(columns, register)
        waves = columns[len(layout.registers) + len(layout.lanes) :]
        at, taken = context.of_wave(waves), mask_of(waves)
        overlaps = bool(taken & own)
        at = _joined(context, at, context.builder.constant(own, U32), own, True) if overlaps else at + own
        return self._complete(register, at, taken | own) + self.origin.slot * self.placed.placement.elements

    @property
    def _columns(self) -> f2.Columns:
        """The offset of each bit of register, lane and wave."""
        return offset_columns(self.placed.placement, self.layout)

    def _offset(self, register: int) -> Index:
        """The offset of a register's element in its slot, in elements."""
        columns = self._columns
        own = self._known(columns, register)
        holders = columns[len(self.layout.registers) :]
        at = self.context.places.image(holders, own)
        return self._complete(register, at, mask_of(holders) | own)

    def _known(self, columns: f2.Columns, register: int) -> int:
        """The part of an offset that a register and the origin determine."""
        return f2.apply(columns, register & (1 << len(self.layout.registers)) - 1) ^ self.origin.known

    def _complete(self, register: int, at: Index, taken: int) -> Index:
        """An offset with the unknown part of its origin, its repetition and padding; `taken` are the bits
        that `at` may have."""
        placement = self.placed.placement
        for value, mask in self.origin.varying:
            at = _joined(self.context, at, value, mask, bool(taken & mask))
            taken |= mask
        turn = register >> len(self.layout.registers)
        return _padded(at + (turn << len(placement.offsets)), placement)


def _above(bits: int) -> int:
    """The power of two above some bits."""
    return 1 << bits.bit_length()


def _joined(context: Context, at: Index, value: Value, mask: int, overlaps: bool) -> Index:
    if not overlaps:
        return at + context.indices.data(value, mask)
    both = context.builder.bitwise_xor(context.indices.value(at), value)
    return context.indices.data(both, (1 << max(mask, at.high).bit_length()) - 1)


def _padded(at: Index, placement: Placement) -> Index:
    every, extra = placement.padding
    return at + at // every * extra if every else at


def origin_of(
    context: Context, layout: Layout, placed: LdsType, action: ops.LdsStore | ops.LdsLoad | ops.AsyncCopy
) -> LdsOrigin:
    """The origin of the tile that an op stores, loads or copies."""
    placement = placed.placement
    known, varying = 0, list[tuple[Value, int]]()
    for axis, first in enumerate(action.origin):
        columns = origin_columns(placement, layout.sizes, axis)
        number = first // layout.sizes[axis]
        if number.is_constant:
            known ^= f2.apply(columns, number.constant)
        elif (value := linear(context.builder, context.indices.value(number), columns)) is not None:
            varying.append((value, mask_of(columns)))
    return LdsOrigin(known, tuple(varying), action.slot)
