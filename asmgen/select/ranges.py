"""Upper bounds of u32 values, from the launch on: what fits 24 bits multiplies at the full rate.

A remainder is written x - q c, where q is the upper half of a product with a magic number M, shifted. With M
c = 2^(32+s) + e it is floor(x / c) for every x with e x < 2^(32+s) (Granlund and Montgomery, "Division by
invariant integers using multiplication", theorem 4.2), so that the remainder is below c.
"""

from __future__ import annotations

from asmgen.graph.ops import graph_op
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import U32
from asmgen.lanewise import ops
from asmgen.lanewise.records import axis_of
from asmgen.select.abi import Interface
from asmgen.select.uses import ADD, MUL, Uses, constant_factor, constant_of

WORD = 0xFFFFFFFF
FULL_RATE = 1 << 24  # what v_mul_u32_u24 multiplies is below
SUB, MIN, AND = graph_op("sub"), graph_op("min"), graph_op("bitwise_and")
_PLACES = frozenset({ops.LOCAL_ID, ops.WORKGROUP_ID})
_BOUNDED = frozenset(
    {ADD, MUL, SUB, MIN, AND, ops.MULTIPLY_HIGH, ops.SHIFT_RIGHT, ops.LOCAL_ID, ops.WORKGROUP_ID}
)  # by the bounds of their operands


class Ranges:
    """The largest value that a u32 value may have, found when it is asked for."""

    def __init__(self, signature: Interface, uses: Uses) -> None:
        self._signature = signature
        self._uses = uses
        self._known: dict[Value, int] = {}

    def largest(self, value: Value) -> int:
        """An upper bound; that of the type where nothing is known."""
        pending = [value]
        while pending:
            current = pending[-1]
            statement = self._uses.defined.get(current)
            missing = (
                [v for v in statement.operands if v not in self._known]
                if statement is not None and statement.op in _BOUNDED
                else []
            )
            if missing and current not in self._known:
                pending.extend(missing)
                continue
            _ = pending.pop()
            if current not in self._known:
                self._known[current] = min(WORD, self._bound(current, statement))
        return self._known[value]

    def _bound(self, value: Value, statement: Statement | None) -> int:
        constant = constant_of(value, self._uses)
        if constant is not None:
            return constant if constant >= 0 else WORD
        if statement is None or statement.op not in _BOUNDED or value.type.element is not U32:
            return WORD
        if statement.op in _PLACES:
            return (self._signature.workgroup if statement.op is ops.LOCAL_ID else self._signature.grid)[
                axis_of(statement)
            ] - 1
        bounds = [self._known.get(operand, WORD) for operand in statement.operands]
        if statement.op is ADD or statement.op is MUL:
            exact = bounds[0] + bounds[1] if statement.op is ADD else bounds[0] * bounds[1]
            return min(exact, WORD)
        if statement.op is MIN or statement.op is AND:
            return min(bounds)
        if statement.op is ops.MULTIPLY_HIGH:
            return bounds[0] * bounds[1] >> 32
        if statement.op is ops.SHIFT_RIGHT:
            count = constant_of(statement.operands[1], self._uses)
            return bounds[0] >> (count & 31) if count is not None else bounds[0]
        return self._remainder(statement, bounds[0]) if statement.op is SUB else WORD

    def _remainder(self, statement: Statement, largest: int) -> int:
        """The bound of x - q c, if q is the quotient of x by c."""
        x, product = statement.operands
        multiple = self._uses.defined.get(product)
        factored = (
            constant_factor(multiple, self._uses) if multiple is not None and multiple.op is MUL else None
        )
        if factored is None:
            return WORD
        quotient, divisor = factored
        magic = self._magic(quotient, x)
        if magic is None or not divisor:
            return WORD
        multiplier, shift = magic
        error = multiplier * divisor - (1 << shift)
        return divisor - 1 if error >= 0 and error * largest < 1 << shift else WORD

    def _magic(self, quotient: Value, x: Value) -> tuple[int, int] | None:
        """M and 32 + s, if a value is x M shifted right by 32 + s; 1 and s if it is x shifted right by s."""
        statement = self._uses.defined.get(quotient)
        shift = 0
        if statement is not None and statement.op is ops.SHIFT_RIGHT:
            count = constant_of(statement.operands[1], self._uses)
            if count is None:
                return None
            shift = count & 31
            if statement.operands[0] is x:
                return 1, shift
            statement = self._uses.defined.get(statement.operands[0])
        if statement is None or statement.op is not ops.MULTIPLY_HIGH or statement.operands[0] is not x:
            return None
        multiplier = constant_of(statement.operands[1], self._uses)
        return None if multiplier is None else (multiplier, 32 + shift)
