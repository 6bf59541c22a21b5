"""Conversions of floats that are in the range of a small integer already, as after a clip: the i32 that they
become needs no second clip.

    n = clip(x, -128, 127);  y = convert[target_type=i8](n)
    i = convert[target_type=i32](n);  y = convert[target_type=i8](i)

A NaN becomes 0, which is in each range, so a bound here means "or a NaN".

If a clip keeps a NaN, it takes more instructions than that of an i32, in which there is none:

    n = clip(x, 0, 255);  y = convert[target_type=u8](n)      a NaN becomes 0
    i = convert[target_type=i32](x);  m = med3(i, 0, 255);  y = convert[target_type=u8](m)
"""

from __future__ import annotations

from collections.abc import Callable
from operator import ge, le

from asmgen.graph import ops as graph
from asmgen.ir.numbers import integer_range, round_to
from asmgen.ir.program import Attribute, Statement, Value
from asmgen.ir.types import F32, I32, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.math.definitions import LARGER, SMALLER, Definitions

_DEEPEST = 24  # statements that are followed from a value

_KEEPS = frozenset(  # a float between whole numbers stays between them
    {graph.NEARBYINT, graph.FLOOR, graph.CEIL, graph.IDENTITY, ops.TRUNC, ops.EXTRACT, ops.SPLAT, ops.PACK}
)
_ROUNDS_TO_WHOLE = frozenset({graph.NEARBYINT, graph.FLOOR, graph.CEIL, ops.TRUNC})
_MOST_I32 = (1 << 31) - 1
_CLIPS = frozenset({graph.CLIP, ops.MED3})
_UPPER, _LOWER = frozenset({graph.MIN, SMALLER}), frozenset({graph.MAX, LARGER})


def without_clip(conversion: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """The conversion of a float to a small integer by way of an i32; None if the float may be outside."""
    (x,), result = conversion.operands, conversion.result
    if not x.type.element.is_float or not _is_inside(x, integer_range(result.type.element), definitions):
        return None
    assert isinstance(x.type, LaneType)
    word = Value(f"{result.name}_word", LaneType(I32, x.type.lanes))
    to_word = Statement(graph.CONVERT, (x,), (word,), {"target_type": I32.name}, (), conversion.place)
    return (
        to_word,
        Statement(graph.CONVERT, (word,), (result,), conversion.attributes, (), conversion.place),
    )


def clip_of_integers(conversion: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """A conversion with the clip of its float after it. The bounds are whole numbers on both sides of 0, and
    the clip has no other reader but steps that round to whole numbers."""
    bounds = integer_range(conversion.result.type.element)
    rounded, value = list[Statement](), conversion.operands[0]
    while (made := definitions.of.get(value)) is not None and made.op in _ROUNDS_TO_WHOLE:
        rounded.append(made)
        (value,) = made.operands
    if made is None or made.op is not graph.CLIP or value.type.element is not F32:
        return None
    if any(definitions.reads[each.result] != 1 for each in (made, *rounded)):
        return None
    limits = [definitions.literal(operand) for operand in made.operands[1:]]
    least, most = max(bounds[0], -_MOST_I32 - 1), min(bounds[1], _MOST_I32)
    low, high = [None if limit is None or limit != limit // 1 else int(limit) for limit in limits]
    if low is None or high is None or not least <= low <= 0 <= high <= most:
        return None
    return _clipped_after(conversion, made.operands[0], rounded, (low, high))


def _clipped_after(
    conversion: Statement, value: Value, rounded: list[Statement], bounds: tuple[int, int]
) -> tuple[Statement, ...]:
    assert isinstance(value.type, LaneType)
    type_, place, name = LaneType(I32, value.type.lanes), conversion.place, conversion.result.name
    made = list[Statement]()
    for each in reversed(rounded):
        result = Value(f"{name}_{each.result.name}", each.result.type)
        made.append(Statement(each.op, (value,), (result,), each.attributes, (), each.place))
        value = result
    word, inside = (Value(f"{name}_{part}", type_) for part in ("word", "inside"))
    limits = [Value(f"{name}_{part}", type_) for part in ("least", "most")]
    made.append(Statement(graph.CONVERT, (value,), (word,), {"target_type": I32.name}, (), place))
    for limit, number in zip(limits, bounds, strict=True):
        numbers: dict[str, Attribute] = {"values": (number,) * type_.lanes}
        made.append(Statement(graph.LITERAL, (), (limit,), numbers, (), place))
    made.append(Statement(ops.MED3, (word, *limits), (inside,), {}, (), place))
    last = Statement(graph.CONVERT, (inside,), conversion.results, conversion.attributes, (), place)
    return (*made, last)


def _is_inside(x: Value, bounds: tuple[int, int], definitions: Definitions) -> bool:
    least, most = bounds
    return _keeps_to(x, least, ge, _LOWER, definitions, _DEEPEST) and _keeps_to(
        x, most, le, _UPPER, definitions, _DEEPEST
    )


def _keeps_to(
    value: Value,
    bound: int,
    is_in_order: Callable[[float, float], bool],
    bounding: frozenset[object],
    definitions: Definitions,
    deepest: int,
) -> bool:
    """Whether every element is in order with a bound, or a NaN. Extremes of `bounding` are, if either operand
    is a number that is."""
    number = definitions.literal(value)
    if number is not None:
        return is_in_order(number, bound)
    statement = definitions.of.get(value)
    if statement is None or deepest == 0 or not value.type.element.is_float:
        return False
    numbers = [definitions.literal(operand) for operand in statement.operands]
    inside = [number is not None and is_in_order(number, bound) for number in numbers]
    if statement.op in _CLIPS:
        return sum(inside) >= 2
    if statement.op in bounding and any(inside):
        return True
    if statement.op not in _KEEPS | _UPPER | _LOWER and not _is_rounded(statement, bound):
        return False
    return all(
        _keeps_to(operand, bound, is_in_order, bounding, definitions, deepest - 1)
        for operand in statement.operands
    )


def _is_rounded(statement: Statement, bound: int) -> bool:
    """Whether a statement converts floats to a type of float that has the bound: rounding keeps the order."""
    element = statement.result.type.element
    return statement.op is graph.CONVERT and element.is_float and round_to(bound, element) == bound
