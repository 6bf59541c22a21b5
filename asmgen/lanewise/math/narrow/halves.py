"""f16 arithmetic that one packed instruction does exactly: a sum, a difference or a product of two f16, which
is computed in f32 and rounded to f16, is what the instruction of f16 gives.

    convert(add(convert(a), convert(b))) -> f16x8        becomes add(a, b) -> f16x8

An f32 has more than twice the digits of an f16 and two, so that rounding to it first changes nothing
(Figueroa, 1995). max, min and relu only choose, and rounding keeps the order of numbers: they may come after.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph import ops as graph
from asmgen.ir.numbers import round_to
from asmgen.ir.program import Module, Op, Statement, Value
from asmgen.ir.types import F16, F32, LaneType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.options import MathOptions
from asmgen.lanewise.math.rewrite import Definitions

_ROUNDS = (graph.ADD, graph.SUB, graph.MUL)
_CHOOSES: dict[Op, Op] = {graph.MAX: graph.MAX, graph.MIN: graph.MIN, graph.RELU: graph.MAX}


class Halves:
    """Which conversions to f16 of a module are arithmetic of f16, and that arithmetic."""

    def __init__(self, module: Module, options: MathOptions) -> None:
        self._definitions = Definitions(module)
        self._may_choose = options.nan == "ieee"

    def starts(self, statement: Statement) -> bool:
        """Whether a statement converts to f16 what f16 instructions give."""
        if statement.op is not graph.CONVERT or statement.result.type.element is not F16:
            return False
        (value,) = statement.operands
        made = self._definitions.of.get(value)
        is_made = made is not None and (made.op in _ROUNDS or made.op in _CHOOSES)
        return value.type.element is F32 and is_made and self._is_rounded(value)

    def _is_rounded(self, value: Value) -> bool:
        """Whether f16 instructions give what rounding the value to f16 gives."""
        statement = self._definitions.of.get(value)
        if statement is None or self._is_half(value):
            return statement is not None
        if self._definitions.reads[value] != 1:
            return False
        if statement.op in _ROUNDS:
            return all(self._is_half(operand) for operand in statement.operands)
        chooses = self._may_choose and statement.op in _CHOOSES
        return chooses and all(self._is_rounded(operand) for operand in statement.operands)

    def _is_half(self, value: Value) -> bool:
        """Whether a value is an f16 that was widened, or a number that f16 has."""
        statement = self._definitions.of.get(value)
        if statement is not None and statement.op is graph.CONVERT:
            return statement.operands[0].type.element is F16
        number = self._definitions.literal(value)
        return number is not None and round_to(number, F16) == number

    def put(self, builder: LaneBuilder, value: Value, named: Mapping[Value, Value]) -> Value:
        """The value by f16 instructions; `named` has the values that are others by now."""
        assert isinstance(value.type, LaneType)
        half = LaneType(F16, value.type.lanes)
        number = self._definitions.literal(value)
        if number is not None:
            return builder.constant(number, half)
        statement = self._definitions.of[value]
        if statement.op is graph.CONVERT:
            return named.get(statement.operands[0], statement.operands[0])
        operands = [self.put(builder, operand, named) for operand in statement.operands]
        if statement.op is graph.RELU:
            operands.append(builder.constant(0.0, half))
        return builder.value(_CHOOSES.get(statement.op, statement.op), *operands)
