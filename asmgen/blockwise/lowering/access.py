"""The accesses of a tile to a buffer: which registers each has, where it is, and when a lane takes part.

Registers whose addresses follow each other make one access of up to 16 bytes. It may begin at any multiple of
an element: global memory has no other rule on our targets (`asmgen.select.memory`). A condition can guard an
access as a whole if it holds for all its elements or for none. `c1 < 1100` is such a condition for four
elements from a multiple of 4 on, since 1100 is a multiple of 4. An access for which it is not is halved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from asmgen.blockwise.access import data_symbols
from asmgen.blockwise.actions import Below
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.queries import copying
from asmgen.blockwise.lowering.conditions import canonical
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.tile import Bits, Tile, groups
from asmgen.index import Index, constant
from asmgen.index.expression import as_symbol
from asmgen.ir.types import TensorType
from asmgen.lanewise.ops import MAX_LANES

WIDEST = 16  # bytes of an access


Conditions = tuple[Below | bool, ...]
OfRegisters = Callable[[Index], Sequence[Index]]


class ElementAddress(NamedTuple):
    """Where the element of a register is in memory, and the conditions on it (`conditions.canonical`)."""

    address: Index
    where: Conditions


class Accesses(NamedTuple):
    """The places of a tile's registers, and the register bits of one access. `copies` are the registers that
    have the same as others.
    """

    layout: Layout
    places: tuple[ElementAddress, ...]
    bits: Bits
    copies: int

    def vectors(self) -> list[tuple[int, ...]]:
        """The registers of each access; those of copies are left out."""
        return [group for group in groups(self.layout, self.bits) if not group[0] & self.copies]

    def is_whole(self, registers: Sequence[int]) -> bool:
        """Whether each condition holds for all elements of an access or for none."""
        first = self.places[registers[0]].where
        return all(self.places[register].where == first for register in registers)


class Reach(NamedTuple):
    """Which elements of a buffer the registers of a layout have: `at` is the element of each, `where` says
    which there are.
    """

    layout: Layout
    at: tuple[Index, ...]
    where: tuple[Below, ...]
    buffer: TensorType


def accesses(context: Context, reach: Reach, data: Sequence[Tile] = ()) -> Accesses:
    """How the registers of a tile reach a buffer; found once for buffers alike, where no data are in it."""
    if data:
        return _accesses(context, reach, data)
    if reach not in context.reached:
        context.reached[reach] = _accesses(context, reach, data)
    return context.reached[reach]


def _accesses(context: Context, reach: Reach, data: Sequence[Tile]) -> Accesses:
    layout, buffer, flat = reach.layout, reach.buffer, constant(0)
    for index, stride in zip(reach.at, buffer.strides, strict=True):
        flat += index * stride
    of_registers = by_register(context, layout, data)
    places = tuple(map(ElementAddress, of_registers(flat), conditions(reach.where, layout, of_registers)))
    copies = sum(1 << bit for bit in copying(layout).registers)
    bits = _bits(layout, [place.address for place in places], buffer.element.bytes, copies)
    return Accesses(layout, places, bits, copies)


def by_register(context: Context, layout: Layout, data: Sequence[Tile]) -> OfRegisters:
    """Computes indices for the element of each register. `data` are the tiles that `v0`, `v1`, ... name."""
    if not data:
        return lambda index: context.places.of_registers(index, layout)
    named = [as_symbol(index) for index in data_symbols(len(data))]
    known = [
        {symbol: context.datum(tile, register) for symbol, tile in zip(named, data, strict=True)}
        for register in range(layout.register_count)
    ]
    return lambda index: [
        context.places.substituted(index, layout, register, values) for register, values in enumerate(known)
    ]


def conditions(where: Sequence[Below], layout: Layout, of_registers: OfRegisters) -> list[Conditions]:
    """The conditions on the element of each register."""
    found = [
        [canonical(Below(*sides)) for sides in zip(of_registers(left), of_registers(right), strict=True)]
        for left, right in where
    ]
    return [tuple([one[register] for one in found]) for register in range(layout.register_count)]


def _bits(layout: Layout, addresses: Sequence[Index], element: int, copies: int) -> Bits:
    """The register bits whose registers follow each other in memory, as many as one access may have."""
    bits: list[int] = []
    while (element << len(bits) + 1) <= WIDEST and (2 << len(bits)) <= MAX_LANES:
        step = 1 << len(bits)
        free = [bit for bit in range(len(layout.registers)) if bit not in bits and not copies >> bit & 1]
        found = [bit for bit in free if _follows(addresses, bit, step)]
        if not found:
            break
        bits.append(found[0])
    return tuple(bits)


def _follows(addresses: Sequence[Index], bit: int, step: int) -> bool:
    """Whether every register with the bit is `step` elements after the one without it."""
    return all(
        _difference(addresses[register | 1 << bit], addresses[register]) == step
        for register in range(len(addresses))
        if not register >> bit & 1
    )


def _difference(a: Index, b: Index) -> int | None:
    return a.constant - b.constant if a.terms == b.terms else None
