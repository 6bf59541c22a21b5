"""Tiles in LDS: the accesses that a placement allows, and their offsets.

An offset is F2-linear in the bits of register, lane and wave: an image of the lane and wave, XOR a constant
of the register. Repetition, padding and slots are added to it.
"""

from __future__ import annotations

from typing import NamedTuple

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout import f2
from asmgen.blockwise.layout.layout import Layout, join, split
from asmgen.blockwise.layout.placement import Placement, inverse
from asmgen.blockwise.layout.queries import copying
from asmgen.blockwise.lowering.addresses.bits import linear, mask_of
from asmgen.blockwise.lowering.addresses.indices import Address
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.tile import Bits, Element, Tile, gathered, groups, vector_elements
from asmgen.blockwise.types import LdsType, TileType
from asmgen.index import Index
from asmgen.ir.program import Value
from asmgen.lanewise.ops import MAX_LANES

WIDEST = 16  # bytes of an access


class LdsOrigin(NamedTuple):
    """The origin of a tile: the known and the unknown part that its coordinates add to offsets by XOR, and
    the offset of its slot.
    """

    known: int = 0
    varying: tuple[tuple[Value, int], ...] = ()  # with the bits that each may set
    slot: Index = ops.ZERO


def store(context: Context, tile: Tile, lds: Value, placed: LdsType, action: ops.LdsStore) -> None:
    """A tile into a slot."""
    write(context, tile, lds, placed, _origin(context, tile.layout, placed, action))


def load(context: Context, type_: TileType, lds: Value, placed: LdsType, action: ops.LdsLoad) -> Tile:
    """A tile from a slot."""
    return read(context, type_, lds, placed, _origin(context, type_.layout, placed, action))


def write(context: Context, tile: Tile, lds: Value, placed: LdsType, origin: LdsOrigin = LdsOrigin()) -> None:
    """Store a tile into LDS. The first of the lanes with copies writes."""
    layout, builder = tile.layout, context.builder
    copies = copying(layout)
    skipped = sum(1 << bit for bit in copies.registers)
    bits = access_bits(layout, placed)
    stores: list[tuple[Address, Value]] = []
    for registers in groups(layout, bits):
        if not registers[0] & skipped:
            elements = [tile.elements[register] for register in registers]
            at = offset(context, layout, placed, registers[0], origin)
            address = context.indices.address(at, placed.element.bytes)
            stores.append((address, gathered(builder, elements)))

    def body() -> None:
        for (index, constant), value in stores:
            builder.lds_store(lds, index, value, constant)

    context.guarded(context.one_of_copies(copies.lanes, copies.waves), body)


def read(
    context: Context, type_: TileType, lds: Value, placed: LdsType, origin: LdsOrigin = LdsOrigin()
) -> Tile:
    """Load a tile from LDS. Every lane reads."""
    layout = type_.layout
    skipped = sum(1 << bit for bit in copying(layout).registers)
    bits = access_bits(layout, placed)
    elements: dict[int, Element] = {}
    for registers in groups(layout, bits):
        if not registers[0] & skipped:
            at = offset(context, layout, placed, registers[0], origin)
            index, constant = context.indices.address(at, placed.element.bytes)
            value = context.builder.lds_load(lds, index, len(registers), constant)
            elements.update(zip(registers, vector_elements(value), strict=True))
    return Tile(type_, tuple([elements[register & ~skipped] for register in range(layout.register_count)]))


def access_bits(layout: Layout, placed: LdsType) -> Bits:
    """The register bits of an access: the low bits of an offset depend on them alone."""
    columns = _columns(layout, placed.placement)
    bits: list[int] = []
    while len(bits) < len(layout.registers):
        step = 1 << len(bits)
        size = placed.element.bytes * step * 2
        if step not in columns[: len(layout.registers)] or sum(bool(column & step) for column in columns) > 1:
            break
        if size > WIDEST or 2 * step > MAX_LANES or not _stays_aligned(placed, 2 * step):
            break
        bits.append(columns.index(step))
    return tuple(bits)


def _stays_aligned(placed: LdsType, elements: int) -> bool:
    """Whether padding and slots are multiples of an access."""
    every, extra = placed.placement.padding
    steps = (every, extra, placed.placement.elements if placed.slots > 1 else 0)
    return all(step % elements == 0 for step in steps)


def offset(context: Context, layout: Layout, placed: LdsType, register: int, origin: LdsOrigin) -> Index:
    """The offset of a register's element, in elements."""
    placement = placed.placement
    columns = _columns(layout, placement)
    count = len(layout.registers)
    own = f2.apply(columns, register & (1 << count) - 1) ^ origin.known
    at, taken = context.places.image(columns[count:], own), mask_of(columns[count:]) | own
    for value, mask in origin.varying:
        at = _joined(context, at, value, mask, bool(taken & mask))
        taken |= mask
    return _padded(at + (register >> count << len(placement.offsets)), placement) + origin.slot


def _joined(context: Context, at: Index, value: Value, mask: int, overlaps: bool) -> Index:
    if not overlaps:
        return at + context.indices.data(value, mask)
    both = context.builder.bitwise_xor(context.indices.value(at), value)
    return context.indices.data(both, (1 << max(mask, at.high).bit_length()) - 1)


def _padded(at: Index, placement: Placement) -> Index:
    every, extra = placement.padding
    return at + at // every * extra if every else at


def _columns(layout: Layout, placement: Placement) -> f2.Columns:
    """For each bit of a holder the offset that it adds by XOR. The tile may be a part of the placed tile."""
    moved = [join(split(basis, layout.sizes), placement.sizes) for basis in layout.columns]
    return f2.compose(inverse(placement), tuple(moved))


def _origin(
    context: Context, layout: Layout, placed: LdsType, action: ops.LdsStore | ops.LdsLoad
) -> LdsOrigin:
    placement = placed.placement
    known, varying = 0, list[tuple[Value, int]]()
    for axis, first in enumerate(action.origin):
        steps = [
            layout.sizes[axis] << bit
            for bit in range(32)
            if layout.sizes[axis] << bit < placement.sizes[axis]
        ]
        units = [[step if at == axis else 0 for at in range(layout.rank)] for step in steps]
        columns = f2.compose(
            inverse(placement), tuple([join(tuple(unit), placement.sizes) for unit in units])
        )
        number = first // layout.sizes[axis]
        if number.is_constant:
            known ^= f2.apply(columns, number.constant)
        elif (value := linear(context.builder, context.indices.value(number), columns)) is not None:
            varying.append((value, mask_of(columns)))
    return LdsOrigin(known, tuple(varying), action.slot * placement.elements)
