"""Infers the types of an op's results from those of its operands.

If a rule is broken, it raises `BrokenRule`, which the reader, the builder and the verifier turn into an error
with a place.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, TypeVar

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout.algebra import project
from asmgen.blockwise.layout.text import layout_difference
from asmgen.blockwise.rules.access import check_lds, check_memory, check_names, check_where
from asmgen.blockwise.rules.codes import broken
from asmgen.blockwise.rules.reduction import reduced
from asmgen.blockwise.types import LdsType, TileType, Type
from asmgen.graph.compose.compose import is_made_of_others
from asmgen.graph.ops import BIT_CAST, LITERAL, PACKED
from asmgen.ir.program import Op
from asmgen.ir.shapes import format_list
from asmgen.ir.types import BOOL, F32, F64, I32, I64, U32, U64, ElementType, LaneType, TensorType
from asmgen.lanewise.result_types import HIGHEST_PRIORITY
from isa.diagnostics import InputError

Types = tuple[Type, ...]
Rule = Callable[
    [Any, Types, Type | None], Types
]  # of an action, the types of its operands, and a stated type
K = TypeVar("K", TensorType, TileType, LdsType)
ADDED = (I32, U32, I64, U64, F32, F64)  # elements that memory adds in a single step
IN_BINS = (I32, U32, F32)  # elements that LDS adds
_KINDS: dict[type[Type], str] = {TensorType: "a buffer", TileType: "a tile", LdsType: "LDS"}


def infer(action: ops.Action, types: Types, written: Type | None) -> Types:
    """The types of the results. `written` is the type that the text or a schedule states, or None.

    Raises `BrokenRule` (`asmgen.blockwise.rules.codes`).
    """
    rule = _RULES.get(type(action))
    return () if rule is None else rule(action, types, written)


def _stated(written: Type | None, kind: type[K]) -> K:
    """The type that the statement must state, because it does not follow from the operands."""
    if not isinstance(written, kind):
        got = "no type is stated" if written is None else f"the type stated is {_KINDS[type(written)]}"
        broken(f"{got}, wanted {_KINDS[kind]}")
    return written


def _of_kind(types: Types, index: int, kind: type[K]) -> K:
    if index >= len(types):
        broken(f"there are {len(types)} operands, wanted {_KINDS[kind]} as operand {index + 1}")
    type_ = types[index]
    if not isinstance(type_, kind):
        broken(f"operand {index + 1} is {_KINDS[type(type_)]}, wanted {_KINDS[kind]}")
    return type_


def _tile(types: Types, index: int) -> TileType:
    return _of_kind(types, index, TileType)


def _tiles(types: Types) -> tuple[TileType, ...]:
    return tuple([_tile(types, index) for index in range(len(types))])


def _buffer(types: Types, index: int) -> TensorType:
    return _of_kind(types, index, TensorType)


def _lds(types: Types, index: int) -> LdsType:
    return _of_kind(types, index, LdsType)


def _same_element(have: ElementType, other: ElementType, what: str) -> None:
    if have is not other:
        broken(f"the tile is of {have} and {what} of {other}, wanted one type; convert the tile")


def _stated_buffer(_action: ops.Parameter | ops.Literal, _types: Types, written: Type | None) -> Types:
    return (_stated(written, TensorType),)


def _stated_lds(_action: ops.LdsAllocate, _types: Types, written: Type | None) -> Types:
    return (_stated(written, LdsType),)


def _stated_tile(_action: ops.Fill, _types: Types, written: Type | None) -> Types:
    return (_stated(written, TileType),)


def _positions(action: ops.Positions, _types: Types, written: Type | None) -> Types:
    tile = _stated(written, TileType)
    if tile.element not in (I32, U32):
        broken(f"the result is of {tile.element}, wanted i32 or u32")
    check_names(action.at, tile.layout, 0)
    return (tile,)


def _load(action: ops.TileLoad, types: Types, written: Type | None) -> Types:
    tile, buffer = _stated(written, TileType), _buffer(types, 0)
    _same_element(tile.element, buffer.element, "the buffer")
    check_memory(action.at, action.where, tile.layout, buffer, _data(types[1:], tile))
    return (tile,)


def _store(action: ops.TileStore, types: Types, _written: Type | None) -> Types:
    tile, buffer = _tile(types, 0), _buffer(types, 1)
    _same_element(tile.element, buffer.element, "the buffer")
    if action.adds and tile.element not in ADDED:
        broken(f"the tile is of {tile.element}, wanted i32, u32, i64, u64, f32 or f64 to add")
    check_memory(action.at, action.where, tile.layout, buffer, _data(types[2:], tile))
    return ()


def _mask(action: ops.Mask, types: Types, _written: Type | None) -> Types:
    tile = _tile(types, 0)
    check_where(action.where, tile.layout, _data(types[1:], tile))
    return (tile,)


def _relayout(_action: ops.Relayout, types: Types, written: Type | None) -> Types:
    tile, result = _tile(types, 0), _stated(written, TileType)
    _same_element(tile.element, result.element, "the result")
    if tile.shape != result.shape:
        broken(
            f"a relayout of {format_list(tile.shape)} gives {format_list(result.shape)}, "
            f"wanted the same shape"
        )
    return (result,)


def _reshaped(_action: ops.Reshape, types: Types, written: Type | None) -> Types:
    tile, result = _tile(types, 0), _stated(written, TileType)
    _same_element(tile.element, result.element, "the result")
    own, wanted = tile.layout, result.layout
    if own.repeat or wanted.repeat or prod(own.sizes) != prod(wanted.sizes):
        broken(
            f"a reshape of {format_list(tile.shape)} gives {format_list(result.shape)}, "
            f"wanted as many elements, without axes that repeat"
        )
    difference = layout_difference(own, wanted._replace(sizes=own.sizes))
    if difference:
        broken(f"the holders of the elements differ in {difference}; relayout the tile")
    return (result,)


def _broadcast(_action: ops.Broadcast, types: Types, written: Type | None) -> Types:
    tile, result = _tile(types, 0), _stated(written, TileType)
    _same_element(tile.element, result.element, "the result")
    have, want = tile.shape, result.shape
    if len(have) != len(want) or any(one not in (1, other) for one, other in zip(have, want, strict=True)):
        broken(
            f"{format_list(have)} does not broadcast to {format_list(want)}, wanted dims that are equal or 1"
        )
    axes = tuple([axis for axis, (one, other) in enumerate(zip(have, want, strict=True)) if one != other])
    needed = project(result.layout, axes)
    if needed is None:
        broken(
            f"bases of the result differ only along the axes {format_list(axes)}; relayout the "
            f"broadcast tile instead"
        )
    difference = layout_difference(tile.layout, needed)
    if difference:
        axes_text = format_list(axes)
        broken(
            f"the operand's layout is not the result's without the axes {axes_text}: they "
            f"differ in {difference}; relayout the operand"
        )
    return (result,)


def _element_by_element(
    action: ops.Pointwise | ops.Convert | ops.BitCast, types: Types, _written: Type | None
) -> Types:
    tiles = _tiles(types)
    for tile in tiles[1:]:
        difference = layout_difference(tiles[0].layout, tile.layout)
        if difference:
            advice = "relayout" if tiles[0].layout.shape == tile.layout.shape else "broadcast"
            broken(f"operand layouts differ in {difference}; {advice} one of them")
    first = tiles[0]
    if isinstance(action, ops.Convert):
        return (TileType(action.to, first.layout),)
    if isinstance(action, ops.BitCast):
        if action.to.bits != first.element.bits:
            broken(
                f"{action.to} has {action.to.bits} bits, wanted {first.element.bits} as {first.element} has"
            )
        _check_simple(BIT_CAST, first.element, action.to)
        return (TileType(action.to, first.layout),)
    op = action.op
    if not op.minimum <= len(types) <= (op.maximum or len(types)):
        broken(f"{op.name} has {len(types)} operands, wanted {op.minimum}")
    try:
        (result,) = op.infer(op, tuple([LaneType(tile.element) for tile in tiles]), {}, None)
    except InputError as error:
        broken(error.message)
    _check_simple(op, first.element, result.element)
    return (TileType(result.element, first.layout),)


def _iterated(action: ops.Iterate, types: Types, _written: Type | None) -> Types:
    from asmgen.graph.bodies import computed_of, parameters_of

    tiles = _tiles(types)
    elements = [value.type.element for value in parameters_of(action.body)]
    wanted = [*elements, BOOL] if action.masked else elements
    if len(tiles) != len(wanted):
        broken(f"there are {len(tiles)} operands, wanted {len(wanted)}")
    for tile, element in zip(tiles, wanted, strict=True):
        _same_element(tile.element, element, "the body's value")
        if difference := layout_difference(tiles[0].layout, tile.layout):
            broken(f"operand layouts differ in {difference}; relayout one of them")
    for statement in computed_of(action.body):
        if statement.op is not LITERAL:
            _check_simple(statement.op, statement.operands[0].type.element, statement.result.type.element)
    return tiles[: len(elements)]


def _unpacked(action: ops.Unpack, types: Types, _written: Type | None) -> Types:
    tile = _tile(types, 0)
    if action.to.name not in ("i8", "u8"):
        broken(f"the result is of {action.to}, wanted i8 or u8")
    if tile.element.name not in PACKED:
        broken(f"the tile is of {tile.element}, wanted an integer of 8, 16 or 32 bits")
    count = tile.element.bits // action.bits if action.bits in (1, 2, 4, 8) else 0
    if count < 2:
        broken(f"bits is {action.bits}, wanted 1, 2, 4 or 8, and fewer than {tile.element} has")
    check_names(action.at, tile.layout, _data(types[1:], tile))
    (at,) = action.at
    if at.low < 0 or at.high >= count:
        broken(f"the place {at.text} goes from {at.low} to {at.high}, and {tile.element} has {count} numbers")
    return (TileType(action.to, tile.layout),)


def _check_simple(op: Op, operand: ElementType, result: ElementType) -> None:
    """Tiles have no ops that the graph makes of others."""
    if is_made_of_others(op, (operand, result)):
        broken(
            f"{op.name} of {operand} is an op of the graph only, made of others before tiles; write those: "
            f"`--emit blockwise` prints them for a graph with {op.name}"
        )


def _bin_sum(_action: ops.BinSum, types: Types, written: Type | None) -> Types:
    bins, tile, places = _stated(written, TileType), _tile(types, 0), _tile(types, 1)
    if tile.element not in IN_BINS:
        broken(f"the tile is of {tile.element}, wanted i32, u32 or f32 to add")
    _same_element(tile.element, bins.element, "the result")
    if bins.layout.rank != 1:
        broken(f"the result has {bins.layout.rank} dims, wanted a single dim with a number for each bin")
    _ = _data((places,), tile)
    return (bins,)


def _reduce(action: ops.Reduce, types: Types, _written: Type | None) -> Types:
    if action.op.parts > 1:
        broken(f"{action.op.value} combines pairs, in a scan; wanted sum, prod, max or min")
    return (reduced(_tile(types, 0), action),)


def _sort(action: ops.Sort, types: Types, _written: Type | None) -> Types:
    from asmgen.blockwise.rules.sorting import sorted_types

    return sorted_types(_tiles(types), action)


def _contract(action: ops.Contract, types: Types, _written: Type | None) -> Types:
    from asmgen.blockwise.rules.product import check_rules

    return (check_rules(_tile(types, 0), _tile(types, 1), _tile(types, 2), action.by),)


def _lds_store(action: ops.LdsStore, types: Types, _written: Type | None) -> Types:
    tile, lds = _tile(types, 0), _lds(types, 1)
    _same_element(tile.element, lds.element, "the LDS")
    check_lds(action.origin, action.slot, tile.layout, lds)
    return ()


def _lds_load(action: ops.LdsLoad, types: Types, written: Type | None) -> Types:
    tile, lds = _stated(written, TileType), _lds(types, 0)
    _same_element(tile.element, lds.element, "the LDS")
    check_lds(action.origin, action.slot, tile.layout, lds)
    return (tile,)


def _async_copy(action: ops.AsyncCopy, types: Types, _written: Type | None) -> Types:
    buffer, lds = _buffer(types, 0), _lds(types, 1)
    _same_element(buffer.element, lds.element, "the LDS")
    check_memory(action.at, action.where, action.layout, buffer, 0)
    check_lds(action.origin, action.slot, action.layout, lds)
    return ()


def _carried(_action: ops.For, types: Types, _written: Type | None) -> Types:
    return _tiles(types)


def _priority(action: ops.Priority, _types: Types, _written: Type | None) -> Types:
    if action.level > HIGHEST_PRIORITY:
        broken(f"the level is {action.level}, wanted 0 to {HIGHEST_PRIORITY}")
    return ()


def _scan(action: ops.Scan, types: Types, _written: Type | None) -> Types:
    parts = action.op.parts
    tile = _tile(types, 0)
    if len(types) < parts:
        broken("a linear recurrence has a tile of factors and a tile of summands, got a single tile")
    for summand in (_tile(types, index) for index in range(1, parts)):
        _same_element(tile.element, summand.element, "the tile of summands")
        if difference := layout_difference(tile.layout, summand.layout):
            broken(f"the tiles of factors and summands differ in {difference}; relayout one of them")
    row = reduced(tile, ops.Reduce(action.op, (action.axis,)))
    if len(types) == parts and not action.over:
        return (tile,)
    before = _tile(types, parts)
    _same_element(before.element, tile.element, "the tile")
    difference = layout_difference(row.layout, before.layout)
    if difference:
        broken(f"what comes before and the tile's rows differ in {difference}; relayout one of them")
    from asmgen.blockwise.rules.over_workgroups import check_one_row, check_words

    if not action.over:
        check_one_row(types[parts - 1 :])
        return tile, row
    if parts > 1:
        broken("a linear recurrence goes on in no other workgroup; leave over out")
    check_words(tile, row, _buffer(types, 2))
    return (tile,)


def _sum_parts(_action: ops.SumParts, types: Types, _written: Type | None) -> Types:
    from asmgen.blockwise.rules.summed_parts import check_sums

    tiles = _tiles(types[:-2])
    check_sums(tiles, _buffer(types, len(tiles)), _buffer(types, len(tiles) + 1))
    return tiles


def _data(types: Types, tile: TileType) -> int:
    """How many operands are data of indices. Each has integers, in the layout of the tile that is
    accessed.
    """
    for index in range(len(types)):
        data = _tile(types, index)
        if data.element not in (I32, U32):
            broken(f"the indices v{index} are {data.element}, wanted i32 or u32")
        difference = layout_difference(tile.layout, data.layout)
        if difference:
            broken(f"the tile and its indices v{index} differ in {difference}; relayout one of them")
    return len(types)


# Actions without a row, such as barriers and waits, have no results, and any operands.
_RULES: dict[type[ops.Action], Rule] = {
    ops.Parameter: _stated_buffer, ops.Literal: _stated_buffer, ops.LdsAllocate: _stated_lds,
    ops.Fill: _stated_tile, ops.Positions: _positions, ops.TileLoad: _load, ops.TileStore: _store,
    ops.Mask: _mask, ops.Relayout: _relayout, ops.Reshape: _reshaped, ops.Broadcast: _broadcast,
    ops.Iterate: _iterated,
    ops.Pointwise: _element_by_element, ops.Convert: _element_by_element, ops.BitCast: _element_by_element,
    ops.Unpack: _unpacked, ops.Reduce: _reduce, ops.Scan: _scan, ops.Sort: _sort, ops.BinSum: _bin_sum,
    ops.Contract: _contract, ops.LdsStore: _lds_store, ops.LdsLoad: _lds_load, ops.AsyncCopy: _async_copy,
    ops.For: _carried, ops.Priority: _priority, ops.SumParts: _sum_parts,
}  # fmt: skip
