"""`reduce`: registers by a pairwise tree, lanes by DPP or by exchange, waves through LDS.

    t  reg(0:1 0:2) lane(0:4 ... 0:128) wave(0:256 0:512), over axis 1
       lane_reduce of its vector of four, dpp_reduce of the wave, reduce_waves of four waves

DPP combines groups of 2, 4, 8 or 16 neighbours, or a whole wave. For every other lane bit, a lane exchanges
with the lane that differs in that bit. If a wave has several results, its lanes write them to LDS and read
the results of the other waves.
"""

from __future__ import annotations

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout.queries import Bits, copying, kept_registers, register_offsets, within_axes
from asmgen.blockwise.lowering.addresses.access import by_register, conditions
from asmgen.blockwise.lowering.context import COMBINES, Context, tree
from asmgen.blockwise.lowering.ops.exchange import from_lane, from_last, vectors_from_waves
from asmgen.blockwise.lowering.tile import (
    Element,
    Tile,
    gathered,
    grouping,
    groups,
    scalar,
    vector_elements,
    vectors,
)
from asmgen.blockwise.rules.reduction import diagonal_axes
from asmgen.blockwise.types import TileType, coordinates
from asmgen.index import constant
from asmgen.ir.program import Op, Scope, Value, lane_type
from asmgen.ir.types import BOOL, F32, I32
from asmgen.lanewise.reduction_ops import DPP_REDUCE, LANE_REDUCE, REDUCE_WAVES, WHOLE_WORDS
from isa.named_tuple import NamedTuple

ROW_BITS = 4  # of the lanes that DPP combines so that each has the result
KINDS = {
    ops.Combine.SUM: "sum",
    ops.Combine.PROD: "prod",
    ops.Combine.MAX: "max",
    ops.Combine.MIN: "min",
    ops.Combine.ANY: "max",
    ops.Combine.ALL: "min",
}


class Partial(NamedTuple):
    """The results of each wave for a reduction, by the registers of the result, in the type in which lanes
    compute. `in_last` says that the last lane of the wave alone has it.
    """

    action: ops.Reduce
    source: TileType
    bits: Bits
    elements: tuple[Element, ...]
    in_last: bool = False


def within_waves(
    context: Context, action: ops.Reduce, tile: Tile, own: tuple[Element, ...] | None = None
) -> Partial:
    """Combine registers, and lanes unless the reduction is within lanes. `own` are the combined registers of
    a lane, if they are known.
    """
    bits = within_axes(tile.layout, action.axes)
    elements = own or (_diagonal if action.diagonal else _registers)(context, action, tile)
    if action.within is Scope.LANE or not bits.lanes:
        return Partial(action, tile.type, bits, elements)
    values = [scalar(context.builder, element) for element in elements]
    in_last = bits.lanes == tuple(range(len(tile.layout.lanes))) and _has_steps(values[0])
    done = _lanes(context, action.op, values, bits.lanes, in_last)
    return Partial(action, tile.type, bits, tuple([Element(value) for value in done]), in_last)


def across_waves(context: Context, partial: Partial, type_: TileType) -> Tile:
    """The result. Every holder has it, or the last lanes, for `exchange.everywhere` to pass on."""
    elements, builder, in_last = partial.elements, context.builder, partial.in_last
    if partial.action.within is Scope.WORKGROUP and partial.bits.waves:
        values = _waves(context, partial, [scalar(builder, element) for element in elements])
        elements, in_last = tuple([Element(value) for value in values]), False
    if type_.element is not BOOL:
        made = {value: context.rounded(value, type_.element) for value, _ in elements}
        return Tile(type_, tuple([Element(made[value], lane) for value, lane in elements]), in_last)
    words = {element.value: context.of_word(element.value, type_.element) for element in elements}
    whole = tuple([Element(words[element.value], element.lane) for element in elements])
    return Tile(type_, whole, in_last=in_last)


def _has_steps(value: Value) -> bool:
    """Whether lanes combine numbers of the value's type by DPP."""
    return lane_type(value).element in WHOLE_WORDS


def _registers(context: Context, action: ops.Reduce, tile: Tile) -> tuple[Element, ...]:
    """The lane's own registers combined, by the registers of the result."""
    builder = context.builder
    kept, copies = (
        kept_registers(tile.layout, action.axes),
        sum(1 << bit for bit in copying(tile.layout).registers),
    )
    group = grouping(tile)
    parts: dict[tuple[int, ...], list[Value]] = {}
    made = vectors(builder, tile, group, context.computed)
    for registers, vector in zip(groups(tile.layout, group), made, strict=True):
        if not registers[0] & copies:
            key = tuple([kept[register] for register in registers])
            parts.setdefault(key, []).append(context.word(vector))
    elements: dict[int, Element] = {}
    for key, found in parts.items():
        total = _within(context, action.op, tree(builder, action.op, found), key)
        elements.update(zip(dict.fromkeys(key), vector_elements(total), strict=True))
    return tuple([elements[register] for register in range(len(elements))])


def _diagonal(context: Context, action: ops.Reduce, tile: Tile) -> tuple[Element, ...]:
    """The elements of a lane's own registers that are on the diagonal, by the registers of the result. A lane
    has a single such element along the axes. Bits of the lane's coordinate choose it in turn, from the
    lowest."""
    builder, layout = context.builder, tile.layout
    axes = diagonal_axes(layout, action.axes)
    assert axes is not None, "the rules ask for it"
    choices: dict[int, dict[int, Value]] = {}
    for kept, at, element in zip(
        kept_registers(layout, action.axes), register_offsets(layout), tile.elements, strict=True
    ):
        choices.setdefault(kept, {})[at[axes[0]]] = context.word(scalar(builder, element))
    own = coordinates(layout.shape)[axes[1]]
    found: list[Element] = []
    for _, by_coordinate in sorted(choices.items()):
        left, bit = [value for _, value in sorted(by_coordinate.items())], 1
        while len(left) > 1:
            has_even = ops.Below(own // bit % 2, constant(1))
            is_even = context.holds(conditions((has_even,), layout, by_register(context.places, layout))[0])
            assert not isinstance(is_even, bool), "lanes have both"
            pairs = zip(left[::2], left[1::2], strict=True)
            left, bit = [context.chosen(is_even, *pair) for pair in pairs], 2 * bit
        found.append(Element(left[0]))
    return tuple(found)


def _within(context: Context, op: ops.Combine, vector: Value, kept: tuple[int, ...]) -> Value:
    """The elements of a vector combined that belong to the same register of the result; `kept` has the
    register of each."""
    builder = context.builder
    count = len(dict.fromkeys(kept))
    if count == len(kept):
        return vector
    if count == 1 and lane_type(vector).element in (F32, I32):
        return _applied(context, LANE_REDUCE, (vector,), op)
    lanes: dict[int, list[Element]] = {}
    for element, register in zip(vector_elements(vector), kept, strict=True):
        lanes.setdefault(register, []).append(element)
    return tree(builder, op, [gathered(builder, together) for together in zip(*lanes.values(), strict=True)])


def _lanes(
    context: Context, op: ops.Combine, values: list[Value], bits: tuple[int, ...], is_whole: bool
) -> list[Value]:
    """Combine groups of lanes: numbers within a group differ only in `bits`. An exchange moves all values at
    once."""
    builder = context.builder
    if is_whole:
        return [_across(context, value, op, context.kernel.lanes) for value in values]
    low = next((count for count in range(len(bits)) if bits[count] != count), len(bits))
    low = min(low, ROW_BITS) if _has_steps(values[0]) else 0
    if low:
        values = [_across(context, value, op, 1 << low) for value in values]
    for bit in bits[low:]:
        others = [from_lane(context, value, bit) for value in values]
        values = [builder.value(COMBINES[op], *pair) for pair in zip(values, others, strict=True)]
    return values


def _waves(context: Context, partial: Partial, values: list[Value]) -> list[Value]:
    """Combine the waves: numbers that the last lane of each wave has in one step each, or through LDS."""
    op = partial.action.op
    waves = context.kernel.waves
    if not partial.in_last:
        copies = (*partial.bits.lanes, *copying(partial.source.layout).lanes)
        return _joined(context, op, vectors_from_waves(context, values, copies, partial.bits.waves))
    if len(partial.bits.waves) == waves.bit_length() - 1:
        found: list[Value] = []
        for value in values:
            lds = context.lds(lane_type(value).element, waves)
            context.before_write(lds)
            found.append(_applied(context, REDUCE_WAVES, (value, lds), op, waves=waves))
        return found
    everyone = [from_last(context, value) for value in values]
    of_waves = vectors_from_waves(context, everyone, partial.bits.lanes, partial.bits.waves)
    return _joined(context, op, of_waves)


def _joined(context: Context, op: ops.Combine, found: list[list[Value]]) -> list[Value]:
    """Combine the vectors of the waves, element by element."""
    totals = [tree(context.builder, op, vectors) for vectors in found]
    return [scalar(context.builder, one) for total in totals for one in vector_elements(total)]


def _across(context: Context, value: Value, kind: ops.Combine, lanes: int) -> Value:
    return _applied(context, DPP_REDUCE, (value,), kind, lanes=lanes, keeps_nan=False)


def _applied(context: Context, op: Op, operands: tuple[Value, ...], kind: ops.Combine, **sizes: int) -> Value:
    """One of the ops of lanewise that reduce."""
    (result,) = context.builder.apply(op, operands, {"op": KINDS[kind], **sizes})
    return result
