"""Integers that an f32 has exactly become a bf16 through f32: one rounding of f32, in place of an f64 that is
rounded to odd.

    w = convert[target_type=i32](byte)
    y = convert[target_type=bf16](w)      becomes convert[target_type=bf16](convert[target_type=f32](w))
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.graph import ops as graph
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import F32, I32, U32, LaneType
from asmgen.lanewise.math.definitions import Definitions
from asmgen.lanewise.math.unsigned import largest

_EXACT = 1 << 24  # an f32 has every integer up to this
_MOST_BITS = 16  # of the integers that are widened to 32 bits and certainly are such


def through_f32(conversion: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """The conversion of a 32-bit integer to bf16 through f32, if the integer is small."""
    (value,) = conversion.operands
    if value.type.element not in (I32, U32) or not _is_small(value, definitions):
        return None
    assert isinstance(value.type, LaneType)
    wide = Value(f"{conversion.result.name}_f32", LaneType(F32, value.type.lanes))
    made = Statement(graph.CONVERT, (value,), (wide,), {"target_type": F32.name}, (), conversion.place)
    return made, replace(conversion, operands=(wide,))


def _is_small(value: Value, definitions: Definitions) -> bool:
    widened, most = definitions.by(value, graph.CONVERT), largest(value, definitions)
    source = None if widened is None else widened.operands[0].type.element
    is_short = source is not None and not source.is_float and source.bits <= _MOST_BITS
    return is_short or (most is not None and most <= _EXACT)
