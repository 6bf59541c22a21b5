"""Whether any or every bool of a lane is true: by lane masks, before the bools become numbers.

    n = convert[target_type=i32](b)            b of bool x4
    m = lane_reduce[op=max](n)                 four choices of 0 and 1, and a maximum of each pair

becomes three ors of masks, which are scalar instructions, and a single choice of 0 and 1. A minimum becomes
ands.
"""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.graph import ops as graph
from asmgen.ir.program import Op, Statement, Value
from asmgen.ir.types import BOOL, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.math.definitions import Definitions
from asmgen.lanewise.records import Reduction

_LOGICAL = {"max": graph.LOGICAL_OR, "min": graph.LOGICAL_AND}
_TRUTH = LaneType(BOOL)


def reduced_truths(reduction: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """The extreme of numbers that are bools, as the number of a bool; None if they are others, or if another
    statement reads them."""
    op = _LOGICAL.get(Reduction.of(reduction).op)
    widened = definitions.by(reduction.operands[0], graph.CONVERT)
    if op is None or widened is None or definitions.reads[widened.result] != 1:
        return None
    (truths,) = widened.operands
    if truths.type.element is not BOOL:
        return None
    made = list(_combined(reduction, op, truths))
    number = made[-1].results, reduction.results, widened.attributes
    return (*made, Statement(graph.CONVERT, *number, (), reduction.place))


def _combined(reduction: Statement, op: Op, truths: Value) -> Iterator[Statement]:
    """The statements that combine the elements of a vector by pairs; the last has the result."""
    assert isinstance(truths.type, LaneType)
    count, place = truths.type.lanes, reduction.place
    parts = [Value(f"{reduction.result.name}_truth{number}", _TRUTH) for number in range(count)]
    for number, part in enumerate(parts):
        yield Statement(ops.EXTRACT, (truths,), (part,), {"index": number, "size": 1}, (), place)
    for number in range(count - 1):  # of the two that were made first
        (first, second, *parts), result = parts, Value(f"{reduction.result.name}_both{number}", _TRUTH)
        yield Statement(op, (first, second), (result,), {}, (), place)
        parts.append(result)
