"""A tile on a lane: for each of its registers the lane value that has the element.

    reg(0:1 0:2 1:0)    x.0 x.1 x.2 x.3  y.0 y.1 y.2 y.3      two loads of four elements each

An element is a part of a vector, and has the type that the tile has. Elements of 8 and 16 bits share the
registers of their vector. Renamed registers and repeated axes are a new tuple of the same parts. An op
assembles its operands into vectors again, as long as the longest vectors of its operands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import groupby

from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.types import TileType
from asmgen.ir.program import Value, lane_type
from asmgen.ir.types import ElementType, LaneType
from asmgen.lanewise.builder import LaneBuilder
from isa.named_tuple import NamedTuple

Bits = tuple[int, ...]


class Element(NamedTuple):
    """An element of a lane value."""

    value: Value
    lane: int = 0


class Tile(NamedTuple):
    """A tile's elements by register. `in_last` says that only the last lane of each wave has them."""

    type: TileType
    elements: tuple[Element, ...]
    in_last: bool = False

    @property
    def layout(self) -> Layout:
        return self.type.layout


def vector_elements(value: Value) -> list[Element]:
    """Every element of a lane value."""
    return [Element(value, lane) for lane in range(lane_type(value).lanes)]


def grouping(tile: Tile) -> Bits:
    """The register bits that make the tile consist of whole vectors, low lane first; empty if it does not."""
    first = tile.elements[0].value
    lanes, count = lane_type(first).lanes, len(tile.layout.registers)
    bits: list[int] = []
    for step in range(lanes.bit_length() - 1):
        found = [bit for bit in range(count) if tile.elements[1 << bit] == (first, 1 << step)]
        if not found:
            return ()
        bits.append(found[0])
    is_whole = all(
        tile.elements[register] == (tile.elements[group[0]].value, lane)
        and lane_type(tile.elements[register].value).lanes == lanes
        for group in groups(tile.layout, tuple(bits))
        for lane, register in enumerate(group)
    )
    return tuple(bits) if is_whole else ()


@cache
def groups(layout: Layout, bits: Bits) -> tuple[tuple[int, ...], ...]:
    """The registers of each vector, if the registers of `bits` make vectors."""
    steps = [sum(1 << bit for at, bit in enumerate(bits) if lane >> at & 1) for lane in range(1 << len(bits))]
    together = steps[-1]
    return tuple(
        [
            tuple([register | step for step in steps])
            for register in range(layout.register_count)
            if not register & together
        ]
    )


def widest(tiles: Iterable[Tile]) -> Bits:
    """The grouping of the operand that has the longest vectors. Of several such groupings, that of the lowest
    bits of the register, which are those of a store.
    """
    return max((grouping(tile) for tile in tiles), key=lambda bits: (len(bits), [-bit for bit in bits]))


def vectors(
    builder: LaneBuilder, tile: Tile, bits: Bits, form: Callable[[Value], Value] | None = None
) -> list[Value]:
    """The tile's vectors by `groups`; groups of equal elements share a value. `form` is as in `gathered`."""
    made: dict[tuple[Element, ...], Value] = {}
    found: list[Value] = []
    for group in groups(tile.layout, bits):
        elements = tuple([tile.elements[register] for register in group])
        if elements not in made:
            made[elements] = gathered(builder, elements, form)
        found.append(made[elements])
    return found


def of_vectors(type_: TileType, bits: Bits, values: Sequence[Value]) -> Tile:
    """The tile made of `values`, its vectors by `groups`."""
    elements: dict[int, Element] = {}
    for group, value in zip(groups(type_.layout, bits), values, strict=True):
        elements.update(zip(group, vector_elements(value), strict=True))
    return Tile(type_, tuple([elements[register] for register in range(type_.layout.register_count)]))


def elements_as(builder: LaneBuilder, tile: Tile, element: ElementType) -> tuple[Element, ...]:
    """The tile's elements in another type; each value is converted as a whole."""
    if tile.type.element is element:
        return tile.elements
    values = dict.fromkeys([one.value for one in tile.elements])
    made = {value: builder.convert(value, element) for value in values}
    return tuple([Element(made[value], lane) for value, lane in tile.elements])


def scalar(builder: LaneBuilder, element: Element) -> Value:
    return (
        element.value if lane_type(element.value).lanes == 1 else builder.extract(element.value, element.lane)
    )


def gathered(
    builder: LaneBuilder, elements: Sequence[Element], form: Callable[[Value], Value] | None = None
) -> Value:
    """A vector of elements: an existing vector, a part of it, a repeated scalar, or a new vector of parts.
    `form` changes each part before the vector is made, so that narrow elements are widened in their place.
    """
    first = elements[0]
    if len(elements) == 1 or all(element == first for element in elements):
        alone = scalar(builder, first)
        return splatted(builder, alone if form is None else form(alone), len(elements))
    parts = [list(run) for _, run in groupby(enumerate(elements), lambda item: _run_key(*item))]
    made = [_part(builder, [element for _, element in run]) for run in parts]
    made = made if form is None else [form(part) for part in made]
    return made[0] if len(made) == 1 else builder.pack(*made)


def splatted(builder: LaneBuilder, value: Value, lanes: int) -> Value:
    """A scalar in every lane of a vector; of a literal a literal."""
    number = builder.literal_of(value)
    if lanes == 1:
        return value
    if number is not None:
        return builder.constant(number, LaneType(lane_type(value).element, lanes))
    return builder.splat(value, lanes)


def _run_key(position: int, element: Element) -> tuple[Value, int]:
    return element.value, element.lane - position


def _part(builder: LaneBuilder, run: list[Element]) -> Value:
    value, lane = run[0]
    lanes = lane_type(value).lanes
    return value if len(run) == lanes else builder.extract(value, lane, len(run))
