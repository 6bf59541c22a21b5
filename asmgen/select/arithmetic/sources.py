"""Operands of arithmetic, with the sign changes that an instruction makes as it reads them."""

from __future__ import annotations

from msgspec import Struct

from asmgen.ir.program import Value
from asmgen.select.selection import Parts, Selection, lane_type
from asmgen.select.uses import NEG


class SourceOperand(Struct, frozen=True):
    """An operand of an elementwise op: its parts, its element type's name, and the modifiers to read it
    with."""

    parts: Parts
    type: str
    neg: bool = False
    abs: bool = False


def source_of(s: Selection, value: Value) -> SourceOperand:
    """A value as an operand, through the sign changes that are folded into it."""
    neg = abs_ = False
    while value in s.uses.folded:
        statement = s.uses.defined[value]
        if statement.op is NEG:
            neg = neg != (not abs_)
        else:
            abs_ = True
        (value,) = statement.operands
    return SourceOperand(s.parts(value), lane_type(value).element.name, neg, abs_)
