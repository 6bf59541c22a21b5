"""Numbers of literals: as an element type holds them, and those that every lane of a literal has.

round_to(0.1, F32)                   0.10000000149011612
splat_literal(c = @literal{4, 4})    4
"""

from __future__ import annotations

import math
import struct

from asmgen.graph import ops as graph
from asmgen.ir.numbers import integer_range, round_float
from asmgen.ir.program import Statement
from asmgen.ir.types import F32, ElementType, LaneType, NumberKind
from asmgen.lanewise.records import numbers_of

Number = int | float | bool


def round_to(value: Number, element: ElementType) -> Number:
    """`value` as the element type holds it: floats rounded to nearest even (overflow gives infinity),
    integers wrapped."""
    if element is F32:
        return _round_f32(float(value))
    if element.is_float:
        return round_float(float(value), element)
    if element.kind is NumberKind.BOOL:
        return bool(value)
    low, _ = integer_range(element)
    return (int(value) - low) % (1 << element.bits) + low


def _round_f32(value: float) -> float:
    """The C conversion, for speed: an expansion has many constants."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def splat_literal(statement: Statement) -> Number | None:
    """The number in every lane of a lane literal; None for other statements, tensors, and literals whose
    lanes differ."""
    if statement.op is not graph.LITERAL or not isinstance(statement.result.type, LaneType):
        return None
    values = numbers_of(statement)
    first = values[0]
    return first if all(repr(value) == repr(first) for value in values) else None
