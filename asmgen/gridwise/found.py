"""Reductions, in parts, of a number that the extreme element of a row has: its index, for argmax.

    m = reduce_max(x)         i = reduce_min(where(x = m, place, none))

Each part looks for its own extreme m_p, in the elements that it still has in registers. A part with another
extreme than m has no such element, and counts as `none`:

    i_p = reduce_min(where(x = m_p, place, none))         i = reduce_min(where(m_p = m, i_p, none))

If the places are the indices of elements, i_p is the index in the part, which a search finds, and the index
of the first element of the part is added afterwards.

With `--nan propagate` the extreme may be NaN; then a NaN is looked for.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph.ops import (
    ADD,
    EQUAL,
    LITERAL,
    LOGICAL_AND,
    LOGICAL_OR,
    NOT,
    REDUCE_MAX,
    REDUCE_MIN,
    WHERE,
)
from asmgen.graph.shifts import unspread
from asmgen.gridwise.partial import Moved, Partial, Parts
from asmgen.ir.program import Statement, Value, tensor_type

Defined = Mapping[Value, Statement]
_EXTREMES = (REDUCE_MAX, REDUCE_MIN)


def place_found(statement: Statement, defined: Defined) -> Moved | None:
    """The extreme that a reduction finds the places of, if the reduction has the form above."""
    chosen = defined[statement.operands[0]] if statement.op in _EXTREMES else None
    if chosen is None or chosen.op is not WHERE:
        return None
    condition, places, otherwise = chosen.operands
    number, found = _number(unspread(otherwise, defined), defined), _compared(condition, defined)
    if number is None or found is None:
        return None
    x, extreme, finds_nan = found
    op = defined[extreme].op
    if op not in _EXTREMES:
        return None

    def write(parts: Parts, by: Partial) -> None:
        def kept(x: Value, extreme: Value, places: Value, name: str) -> Value:
            is_found = _is_found(parts, x, extreme, finds_nan)
            return parts.apply(WHERE, is_found, places, parts.number(number), name=name)

        is_index = parts.is_index(defined[places]) and parts.counted_in_parts(last=statement.op is REDUCE_MAX)
        own = parts.own_index() if is_index else parts.apart(places, number)
        partial = parts.reduced(statement.op, kept(by.apart, by.partial, own, "found"), "partial")
        if is_index:
            partial = parts.apply(ADD, partial, parts.first_index(), name="place")
        extremes = parts.joined(by.partial, x, "extremes")
        everything = parts.joined(partial, places, "places", number)
        parts.combine(statement.op, kept(extremes, by.statement.result, everything, "kept"))

    return Moved(op, extreme, x, write)


def _number(value: Value, defined: Defined) -> int | float | None:
    """The number that a literal of a single element is; None for any other value."""
    numbers = defined[value].attributes.get("values") if defined[value].op is LITERAL else None
    if not isinstance(numbers, tuple) or len(numbers) != 1 or tensor_type(value).elements != 1:
        return None
    (number,) = numbers
    return number if isinstance(number, int | float) else None


def _compared(condition: Value, defined: Defined) -> tuple[Value, Value, bool] | None:
    """The elements and the extreme that a condition compares, and whether NaN equals NaN."""
    statement = defined[condition]
    if statement.op is EQUAL:
        x, extreme = statement.operands
        return x, unspread(extreme, defined), False
    if statement.op is not LOGICAL_OR:
        return None
    same, both = (defined[value] for value in statement.operands)
    if same.op is not EQUAL or both.op is not LOGICAL_AND:
        return None
    x, extreme = same.operands[0], unspread(same.operands[1], defined)
    if [_tested_for_nan(value, defined) for value in both.operands] != [x, extreme]:
        return None
    return x, extreme, True


def _tested_for_nan(value: Value, defined: Defined) -> Value | None:
    """The value that another value tests for NaN."""
    inverted = defined[unspread(value, defined)]
    same = defined[inverted.operands[0]] if inverted.op is NOT else None
    if same is None or same.op is not EQUAL or same.operands[0] != same.operands[1]:
        return None
    return same.operands[0]


def _is_found(parts: Parts, x: Value, extreme: Value, finds_nan: bool) -> Value:
    is_same = parts.apply(EQUAL, x, extreme, name="same")
    if not finds_nan:
        return is_same
    nan = [
        parts.apply(NOT, parts.apply(EQUAL, value, value, name="number"), name="nan")
        for value in (x, extreme)
    ]
    return parts.apply(LOGICAL_OR, is_same, parts.apply(LOGICAL_AND, *nan, name="both"), name="same")
