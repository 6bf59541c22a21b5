"""Ops element by element, on vectors as long as the longest vectors of the operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout import f2
from asmgen.blockwise.layout.layout import Layout, Sizes, join
from asmgen.blockwise.layout.queries import register_offsets
from asmgen.blockwise.lowering.addresses.access import by_register, conditions
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.tile import (
    Element,
    Tile,
    gathered,
    groups,
    of_vectors,
    scalar,
    vectors,
    widest,
)
from asmgen.blockwise.types import TileType
from asmgen.index import Index
from asmgen.ir.program import Op, Value
from asmgen.ir.types import U32, ElementType, computed, is_cut


def each(
    tiles: Sequence[Tile], type_: TileType, context: Context, make: Callable[[tuple[Value, ...]], Value]
) -> Tile:
    """A tile of the results of `make` for the vectors of the operands; equal operands are computed once."""
    bits = widest(tiles)
    made: dict[tuple[Value, ...], Value] = {}
    values: list[Value] = []
    for operands in zip(*(vectors(context.builder, tile, bits) for tile in tiles), strict=True):
        if operands not in made:
            made[operands] = make(operands)
        values.append(made[operands])
    return of_vectors(type_, bits, values)._replace(in_last=any(tile.in_last for tile in tiles))


def pointwise(context: Context, op: Op, tiles: Sequence[Tile], type_: TileType) -> Tile:
    def make(operands: tuple[Value, ...]) -> Value:
        (result,) = context.builder.apply(op, operands, {})
        is_wide = is_cut(type_.element)
        return context.widened(context.narrowed(result, type_.element)) if is_wide else result

    result = each(tiles, type_, context, make)
    return result._replace(is_exact=computed(type_.element) is type_.element or is_cut(type_.element))


def convert(context: Context, tile: Tile, type_: TileType) -> Tile:
    """Convert a tile; first round it to its own type if lanes compute in a wider type."""
    source, target = tile.type.element, type_.element

    def make(operands: tuple[Value, ...]) -> Value:
        value = operands[0]
        exact = (
            value if source is target or tile.is_exact else context.widened(context.narrowed(value, source))
        )
        if value in context.not_negative and target.bits > source.bits:
            exact = context.builder.bit_cast(exact, U32)
        return context.widened(context.narrowed(exact, target))

    return each((tile,), type_, context, make)


def bit_cast(context: Context, tile: Tile, type_: TileType) -> Tile:
    def make(operands: tuple[Value, ...]) -> Value:
        exact = context.narrowed(operands[0], tile.type.element)
        return context.widened(context.builder.bit_cast(exact, type_.element))

    return each((tile,), type_, context, make)


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
    """Replace elements by `otherwise` if a condition is false. If the elements of a vector have the same
    condition, a single select serves them.
    """
    builder, bits = context.builder, widest((tile,))
    values: list[Value] = []
    known = context.data_of(tile.layout, data) if data else ()
    where = conditions(action.where, tile.layout, by_register(context.places, tile.layout, known))
    for group in groups(tile.layout, bits):
        guards = [context.holds(where[register]) for register in group]
        value = gathered(builder, [tile.elements[register] for register in group])
        otherwise = context.literal(action.otherwise, tile.type.element, len(group))
        if all(guard is guards[0] for guard in guards):
            values.append(_masked(context, guards[0], value, otherwise))
        else:
            parts = [
                _masked(
                    context,
                    guard,
                    scalar(builder, Element(value, lane)),
                    scalar(builder, Element(otherwise, lane)),
                )
                for lane, guard in enumerate(guards)
            ]
            values.append(builder.pack(*parts))
    return of_vectors(tile.type, bits, values)


def _masked(context: Context, guard: Value | bool, value: Value, otherwise: Value) -> Value:
    if isinstance(guard, bool):
        return value if guard else otherwise
    return context.chosen(guard, value, otherwise)


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
