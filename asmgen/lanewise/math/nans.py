"""Which NaNs an f32 may be, as far as the statements that compute it say.

    x = convert[target_type=f32](b) -> f32      of a bf16: the lower half of each number is 0
    y = add(x, x)                               a NaN among them has a lower half of 0, too

What arithmetic gives for a NaN is that NaN, quiet, and for an invalid operation the quiet NaN without a
payload (CDNA3 ISA, section 4.2; IEEE 754, 6.2.3). So no NaN has a bit in its lower half that none of the
operands has.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import pack, unpack

from asmgen.graph import ops as graph
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import BF16, F32, NumberKind
from asmgen.lanewise import ops
from asmgen.lanewise.records import splat_literal

_DEEPEST = 24  # statements that are followed from a value
_LOWER_HALF = 0xFFFF
_KEEPS = frozenset(
    {
        graph.ADD, graph.SUB, graph.MUL, graph.MAX, graph.MIN, graph.NEG, graph.ABS, graph.FLOOR, graph.CEIL,
        graph.NEARBYINT, graph.IDENTITY, ops.FMA, ops.EXTRACT, ops.PACK, ops.SPLAT,
    }
)  # fmt: skip


def has_short_nans(
    value: Value, defined: Callable[[Value], Statement | None], deepest: int = _DEEPEST
) -> bool:
    """Whether the lower half of every NaN that an f32 may be is 0; False where that is not known."""
    statement = defined(value)
    if statement is None or deepest == 0 or value.type.element is not F32:
        return False
    number = splat_literal(statement)
    if number is not None:
        (bits,) = unpack("<I", pack("<f", number))
        return number == number or not bits & _LOWER_HALF
    if statement.op is graph.CONVERT:
        source = statement.operands[0].type.element
        return source is BF16 or source.kind is not NumberKind.FLOAT
    chosen = statement.operands[1:] if statement.op is graph.WHERE else statement.operands
    keeps = statement.op in _KEEPS or statement.op is graph.WHERE
    return keeps and all(has_short_nans(operand, defined, deepest - 1) for operand in chosen)
