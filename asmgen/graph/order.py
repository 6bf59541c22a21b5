"""Values that differ in their dims alone: their elements are the same ones in the same row-major order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.shapes import Dims


def in_dims(defined: Mapping[Value, Statement], value: Value, wanted: Iterable[Dims]) -> Value | None:
    """What a value is before it got its dims, with dims that are `wanted`: the first such value that was
    made; None where there is none.
    """
    found, shapes = None, tuple(wanted)
    while True:
        if tensor_type(value).dims in shapes:
            found = value
        statement = defined[value]
        if not statement.op.keeps_order:
            return found
        (value,) = statement.operands
