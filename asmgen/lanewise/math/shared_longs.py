"""An i64 or u64 that is compared with several small numbers, in 32 bits: the elements of a row of `one_hot`
have a single index.

    n = convert[target_type=i64](place)               place of u32 or i32, below 2**31
    e = equal(index, n)                               64 bits for each place

becomes

    near = where(equal(high_word(index), 0), low_word(index), 2**32 - 1)       once for the index
    e = equal(near, place)

No place is 2**32 - 1, and an index that 32 bits do not have is none of the places.
"""

from __future__ import annotations

from asmgen.graph import ops as graph
from asmgen.graph.ops import LITERAL
from asmgen.ir.program import Attribute, Op, Statement, Value
from asmgen.ir.types import BOOL, I32, I64, U32, U64, ElementType, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.math.definitions import Definitions
from asmgen.lanewise.math.unsigned import largest

EQUALITIES = frozenset({graph.EQUAL, ops.NOT_EQUAL})
_LONG = (I64, U64)


def compared_in_words(comparison: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """The comparison of an i64 with a small number, if other statements read the i64, too."""
    for long, other in (comparison.operands, comparison.operands[::-1]):
        place = _place(other, definitions)
        if place is not None and definitions.reads[long] > 1 and _place(long, definitions) is None:
            return _compared(comparison, long, place)
    return None


def _place(value: Value, definitions: Definitions) -> Value | None:
    """The 32 bits that are widened to a value that is not negative."""
    widened = definitions.by(value, graph.CONVERT) if value.type.element in _LONG else None
    if widened is None:
        return None
    (place,) = widened.operands
    is_small = place.type.element in (I32, U32) and largest(place, definitions) is not None
    return place if is_small else None


def _compared(comparison: Statement, long: Value, place: Value) -> tuple[Statement, ...]:
    assert isinstance(long.type, LaneType)
    made, lanes = list[Statement](), long.type.lanes

    def put(
        op: Op, operands: tuple[Value, ...], name: str, element: ElementType, **given: Attribute
    ) -> Value:
        result = Value(f"{comparison.result.name}_{name}", LaneType(element, lanes))
        made.append(Statement(op, operands, (result,), given, (), comparison.place))
        return result

    zero, none = [
        put(LITERAL, (), name, U32, values=(number,) * lanes)
        for name, number in (("zero", 0), ("none", (1 << U32.bits) - 1))
    ]
    low, high = put(ops.LOW_WORD, (long,), "low", U32), put(ops.HIGH_WORD, (long,), "high", U32)
    near = put(graph.WHERE, (put(graph.EQUAL, (high, zero), "is_near", BOOL), low, none), "near", U32)
    word = put(graph.BIT_CAST, (place,), "place", U32, target_type=U32.name)
    last = Statement(comparison.op, (near, word), comparison.results, {}, (), comparison.place)
    return (*made, last)
