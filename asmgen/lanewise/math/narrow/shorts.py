"""Arithmetic of integers of 8 and 16 bits that several lanes of a register do at once.

    convert[target_type=i16](add(convert(a), convert(b))) -> i16x8        becomes add(a, b) -> i16x8

A lane computes such numbers in 32 bits, and keeps the lower ones. Those of a sum, a difference, a product
or a bitwise op depend on nothing but the lower bits of the operands (`Op.modular`), so that the narrow
instruction gives the same. A maximum or a minimum chooses among numbers that are whole.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph import ops as graph
from asmgen.ir.program import Module, Op, Statement, Value
from asmgen.ir.types import ElementType, LaneType, NumberKind
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.rewrite import Definitions

_UNIT_BITS = 32
_BITWISE = frozenset({graph.BITWISE_AND, ops.BITWISE_OR, ops.BITWISE_XOR})
_SUMS = frozenset({graph.ADD, graph.SUB})
_CHOOSES = frozenset({graph.MAX, graph.MIN})
# by the bits of an element: what keeps its lower bits, and what chooses
_MODULAR: dict[int, frozenset[Op]] = {8: _BITWISE | _SUMS, 16: _BITWISE | _SUMS | {graph.MUL}}
_WHOLE: dict[int, frozenset[Op]] = {8: frozenset(), 16: _CHOOSES}


def is_short(element: ElementType) -> bool:
    """Whether several integers of a type are in a register."""
    is_integer = element.kind in (NumberKind.SIGNED, NumberKind.UNSIGNED)
    return is_integer and element.bits in _MODULAR


class Shorts:
    """Which conversions to narrow integers of a module are arithmetic of those, and that arithmetic."""

    def __init__(self, module: Module) -> None:
        self._definitions = Definitions(module)

    def starts(self, statement: Statement) -> bool:
        """Whether a statement cuts to a narrow type what narrow instructions give."""
        type_ = statement.result.type if statement.op is graph.CONVERT else None
        if not isinstance(type_, LaneType) or not is_short(type_.element):
            return False
        if type_.lanes * type_.element.bits % _UNIT_BITS:
            return False
        (value,) = statement.operands
        is_made = self._is_of(value, type_, _MODULAR) or self._is_of(value, type_, _WHOLE)
        return value.type.element.bits == _UNIT_BITS and is_made

    def _is_of(self, value: Value, type_: LaneType, rows: dict[int, frozenset[Op]]) -> bool:
        """Whether a value is made by one of the ops of a type's size, of what is narrow."""
        statement = self._definitions.of.get(value)
        if statement is None or statement.op not in rows[type_.element.bits]:
            return False
        is_whole = rows is _WHOLE
        return all(self._is_narrow(operand, type_, is_whole) for operand in statement.operands)

    def _is_narrow(self, value: Value, type_: LaneType, is_whole: bool) -> bool:
        """Whether the lower bits of a value are those of a narrow number; with `is_whole` whether it is one
        of the type."""
        source = self._widened(value)
        if source is not None:
            is_alike = source.type.element.bits == type_.element.bits and is_short(source.type.element)
            return is_alike and (not is_whole or source.type.element is type_.element)
        if self._definitions.literal(value) is not None:
            return not is_whole or self._fits(value, type_)
        is_once = self._definitions.reads[value] == 1
        rows = (_WHOLE,) if is_whole else (_MODULAR, _WHOLE)
        return is_once and any(self._is_of(value, type_, one) for one in rows)

    def _widened(self, value: Value) -> Value | None:
        statement = self._definitions.by(value, graph.CONVERT)
        return None if statement is None else statement.operands[0]

    def _fits(self, value: Value, type_: LaneType) -> bool:
        number, bits = self._definitions.literal(value), type_.element.bits
        is_signed = type_.element.kind is NumberKind.SIGNED
        low, high = (-(1 << bits - 1), 1 << bits - 1) if is_signed else (0, 1 << bits)
        return number is not None and low <= number < high

    def put(self, builder: LaneBuilder, statement: Statement, named: Mapping[Value, Value]) -> Value:
        """What a statement gives, by narrow instructions; `named` has the values that are others by now."""
        type_ = statement.result.type
        assert isinstance(type_, LaneType)
        return self._put(builder, statement.operands[0], type_, named)

    def _put(
        self, builder: LaneBuilder, value: Value, type_: LaneType, named: Mapping[Value, Value]
    ) -> Value:
        source, number = self._widened(value), self._definitions.literal(value)
        if source is not None:
            narrow = named.get(source, source)
            same = narrow.type.element is type_.element
            return narrow if same else builder.bit_cast(narrow, type_.element)
        if number is not None:
            return builder.constant(_wrapped(int(number), type_.element), type_)
        made = self._definitions.of[value]
        return builder.value(made.op, *[self._put(builder, one, type_, named) for one in made.operands])


def _wrapped(number: int, element: ElementType) -> int:
    """The number of a type that has the same lower bits."""
    bits = element.bits
    lower = number & (1 << bits) - 1
    is_negative = element.kind is NumberKind.SIGNED and lower >> bits - 1
    return lower - (1 << bits) if is_negative else lower
