"""Ops element by element, on vectors as long as the longest vectors of the operands.

Elements of 8 and 16 bits are widened to the type in which lanes compute, and the result is rounded to its own
type. An op that only chooses or moves elements takes them as they are, and so does a sum or a product of f16.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout import f2
from asmgen.blockwise.layout.layout import Layout, Sizes, join
from asmgen.blockwise.layout.queries import register_offsets, vector_bits
from asmgen.blockwise.lowering.addresses.access import by_register, conditions
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.tile import (
    Bits,
    Element,
    Tile,
    gathered,
    groups,
    of_vectors,
    vector_elements,
    widest,
)
from asmgen.blockwise.types import TileType
from asmgen.graph.ops import ADD, EQUAL, GREATER, LESS, MUL, SUB
from asmgen.graph.rounded import rounded_to
from asmgen.index import Index
from asmgen.ir.program import Op, Value, lane_type
from asmgen.ir.types import F16, U32, ElementType, computed

# in f16: a product is contracted only with a sum of f16, and a comparison needs no conversion
_HALVES = (ADD, SUB, MUL, EQUAL, LESS, GREATER)
LONGEST = 3  # bits of a vector of narrow elements


def each(
    tiles: Sequence[Tile],
    type_: TileType,
    context: Context,
    make: Callable[[tuple[Value, ...]], Value],
    widens: bool = False,
    is_half: bool = False,
) -> Tile:
    """A tile of the results of `make` for the vectors of the operands; equal operands are computed once, and
    so is a number for registers that all have the same elements.
    Narrow elements of the operands are widened if the op `widens` them, unless it computes f16 as they are.
    """
    is_narrow = widens and any(computed(tile.type.element) is not tile.type.element for tile in tiles)
    form = context.computed if is_narrow and not is_half else None
    bits = _together(tiles) if is_narrow else widest(tiles)
    made: dict[tuple[tuple[Element, ...], ...], list[Element]] = {}
    elements: dict[int, Element] = {}
    for group in groups(type_.layout, bits):
        operands = tuple([_of_group(tile, group) for tile in tiles])
        if operands not in made:
            most = max(map(len, operands))
            result = make(tuple([_vector(context, operand, most, form) for operand in operands]))
            made[operands] = vector_elements(result) * (len(group) // most)
        elements.update(zip(group, made[operands], strict=True))
    whole = tuple([elements[register] for register in range(type_.layout.register_count)])
    return Tile(type_, whole, any(tile.in_last for tile in tiles))


def _of_group(tile: Tile, group: Sequence[int]) -> tuple[Element, ...]:
    """The elements of a group of registers, or the element that all of them have."""
    elements = tuple([tile.elements[register] for register in group])
    return elements[:1] if all(element == elements[0] for element in elements) else elements


def _vector(
    context: Context, elements: tuple[Element, ...], lanes: int, form: Callable[[Value], Value] | None
) -> Value:
    return gathered(context.builder, elements * (lanes // len(elements)), form)


def _together(tiles: Sequence[Tile]) -> Bits:
    """The register bits of the vectors in which narrow elements are computed: along memory's fast axis, even
    if they were read singly. Of longer vectors a part is computed at a time: 16 elements of 8 bits meet 8
    elements of 16 bits in an access.
    """
    bits, layout = widest(tiles)[:LONGEST], tiles[0].layout
    along = vector_bits(layout, layout.rank - 1)[:LONGEST]
    return along if along[: len(bits)] == bits else bits


def pointwise(context: Context, op: Op, tiles: Sequence[Tile], type_: TileType) -> Tile:
    def make(operands: tuple[Value, ...]) -> Value:
        (result,) = context.builder.apply(rounded_to(op, type_.element), operands, {})
        return context.rounded(result, type_.element)

    is_half = op in _HALVES and all(tile.type.element is F16 for tile in tiles)
    return each(tiles, type_, context, make, not op.chooses, is_half)


def convert(context: Context, tile: Tile, type_: TileType) -> Tile:
    """Convert a tile by way of the type in which lanes compute its elements."""
    source, target = tile.type.element, type_.element
    if source is target:
        return tile

    def make(operands: tuple[Value, ...]) -> Value:
        (value,) = operands
        if value in context.not_negative and target.bits > source.bits:
            value = context.builder.bit_cast(value, U32)
        return context.rounded(value, target)

    return each((tile,), type_, context, make, True)


def bit_cast(context: Context, tile: Tile, type_: TileType) -> Tile:
    return each(
        (tile,), type_, context, lambda operands: context.builder.bit_cast(operands[0], type_.element)
    )


def fill(context: Context, number: ops.Number, type_: TileType) -> Tile:
    value = context.literal(number, type_.element)
    return Tile(type_, (Element(value),) * type_.layout.register_count)


def positions(context: Context, at: Index, type_: TileType) -> Tile:
    """The index of each register's element, as i32 or u32."""
    found: list[Element] = []
    for index in context.places.of_registers(at, type_.layout):
        found.append(Element(_of_index(context, context.indices.value(index), type_.element)))
    return Tile(type_, tuple(found))


def _of_index(context: Context, value: Value, element: ElementType) -> Value:
    return value if element is U32 else context.builder.convert(value, element)


def mask(context: Context, action: ops.Mask, tile: Tile, data: Sequence[Tile]) -> Tile:
    """Replace elements by `otherwise` if a condition is false. If the elements of a vector, or of a half of
    it, have the same condition, a single select serves them.
    """
    builder, bits = context.builder, widest((tile,))
    values: list[Value] = []
    known = context.data_of(tile.layout, data) if data else ()
    where = conditions(action.where, tile.layout, by_register(context.places, tile.layout, known))
    for group in groups(tile.layout, bits):
        guards = [context.holds(where[register]) for register in group]
        elements = [tile.elements[register] for register in group]
        parts = _masked(context, guards, elements, action.otherwise)
        values.append(parts[0] if len(parts) == 1 else builder.pack(*parts))
    return of_vectors(tile.type, bits, values)


def _masked(
    context: Context, guards: Sequence[Value | bool], elements: Sequence[Element], otherwise: ops.Number
) -> list[Value]:
    """Parts of a vector, each of elements with the same condition."""
    guard, half = guards[0], len(guards) // 2
    if not all(each is guard for each in guards):
        pieces = slice(half), slice(half, None)
        return [
            part for piece in pieces for part in _masked(context, guards[piece], elements[piece], otherwise)
        ]
    value = gathered(context.builder, elements)
    if guard is True:
        return [value]
    other = context.literal(otherwise, lane_type(value).element, len(elements))
    return [other if guard is False else context.chosen(guard, value, other)]


def broadcast(tile: Tile, type_: TileType) -> Tile:
    """Each register takes the operand's register with the same coordinates along the other axes."""
    source, shape = tile.layout, tile.layout.shape
    elements: list[Element] = []
    for coordinates in register_offsets(type_.layout):
        at = tuple([place if size > 1 else 0 for place, size in zip(coordinates, shape, strict=True)])
        elements.append(tile.elements[register_of(source, at)])
    return Tile(type_, tuple(elements))


def register_of(layout: Layout, element: Sizes) -> int:
    """The register of lane 0 in wave 0 that has an element; some register must have it."""
    inside = join(tuple([at % size for at, size in zip(element, layout.sizes, strict=True)]), layout.sizes)
    turn = join(tuple([at // size for at, size in zip(element, layout.sizes, strict=True)]), layout.counts)
    register = f2.solve(layout.registers, inside)
    assert register is not None, (layout, element)
    return register | turn << len(layout.registers)
