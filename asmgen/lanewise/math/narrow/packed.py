"""Arithmetic of f16, and of integers of 8 and 16 bits, by instructions on whole registers.

    convert[target_type=f16](add(convert(a), convert(b))) -> f16x2        becomes add(a, b) -> f16x2
    convert[target_type=i16](add(convert(a), convert(b))) -> i16x8        becomes add(a, b) -> i16x8

A lane computes such numbers in 32 bits and rounds or cuts the result.

f16: an f32 has more than twice the digits of an f16 and two, so that rounding a sum, a difference or a
product to f32 first changes nothing (Figueroa, 1995). max, min, relu and clip only choose, and rounding
keeps the order of numbers, so rounding may come before or after them: relu of an f32 that is rounded is relu
of the rounded number. neg and abs change the sign alone. An integer of 8 bits is an f16.

Integers: the lower bits of a sum, a difference, a product or a bitwise op follow from the lower bits of the
operands alone (`Op.modular`), so the narrow instruction gives the same. A maximum or a minimum chooses among
whole numbers, and a shift to the right by a number of bits takes those of a whole number.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph import ops as graph
from asmgen.ir.numbers import round_to
from asmgen.ir.program import Module, Op, Statement, Value
from asmgen.ir.types import ELEMENT_TYPES, F16, F32, I32, U8, U32, ElementType, LaneType, NumberKind
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math import simple
from asmgen.lanewise.math.definitions import Definitions
from asmgen.options import MathOptions

I8 = ELEMENT_TYPES["i8"]
_ROUNDS = (graph.ADD, graph.SUB, graph.MUL)
_CHOOSES = frozenset({graph.MAX, graph.MIN, graph.RELU, graph.CLIP})
_SIGNS = (graph.NEG, graph.ABS)


class Halves:
    """The conversions to f16 of a module that are arithmetic of f16, and that arithmetic."""

    def __init__(self, module: Module, options: MathOptions) -> None:
        self._definitions = Definitions(module)
        self._may_choose = options.nan == "ieee"

    def starts(self, statement: Statement) -> bool:
        """Whether a statement converts to f16 a value that f16 instructions can compute."""
        if statement.op is not graph.CONVERT or statement.result.type.element is not F16:
            return False
        (value,) = statement.operands
        if self._byte(value) is not None:
            return True
        made = self._definitions.of.get(value)
        is_made = made is not None and (made.op in (*_ROUNDS, *_SIGNS) or made.op in _CHOOSES)
        return value.type.element is F32 and is_made and self._is_rounded(value)

    def _is_rounded(self, value: Value) -> bool:
        """Whether f16 instructions give the same as rounding the value to f16."""
        statement = self._definitions.of.get(value)
        if statement is None or self._is_half(value):
            return statement is not None
        if self._definitions.reads[value] != 1:
            return False
        if statement.op in _ROUNDS:
            return all(self._is_half(operand) for operand in statement.operands)
        if self._may_choose and statement.op in _CHOOSES:
            return self._to_round(statement) is not None
        return statement.op in _SIGNS and self._is_rounded(statement.operands[0])

    def _to_round(self, statement: Statement) -> tuple[Value, ...] | None:
        """The operands of a choice that are converted to f16 before it: at most one operand, with the choice
        as its only reader. None if there are more.
        """
        others = tuple([operand for operand in statement.operands if not self._is_rounded(operand)])
        if len(others) > 1 or any(self._definitions.reads[other] != 1 for other in others):
            return None
        return others

    def _is_half(self, value: Value) -> bool:
        """Whether a value is a widened f16 or byte, also in every lane, or a literal that f16 has."""
        if self._byte(value) is not None:
            return True
        statement = self._definitions.of.get(value)
        if statement is not None and statement.op is graph.CONVERT:
            return statement.operands[0].type.element is F16
        if statement is not None and statement.op is ops.SPLAT:
            return self._is_half(statement.operands[0])
        number = self._definitions.literal(value)
        return number is not None and round_to(number, F16) == number

    def _byte(self, value: Value) -> Value | None:
        """The integers of 8 bits that a value of 32 bits is: all of them are f16."""
        while (widened := self._definitions.by(value, graph.CONVERT)) is not None:
            (value,) = widened.operands
            if value.type.element in (I8, U8):
                return value
            if value.type.element not in (I32, U32):
                return None
        return None

    def put(self, builder: LaneBuilder, statement: Statement, named: Mapping[Value, Value]) -> Value:
        """The statement's result by f16 instructions; `named` maps replaced values."""
        return self._put(builder, statement.operands[0], named)

    def _put(self, builder: LaneBuilder, value: Value, named: Mapping[Value, Value]) -> Value:
        assert isinstance(value.type, LaneType)
        half = LaneType(F16, value.type.lanes)
        number = self._definitions.literal(value)
        if number is not None:
            return builder.constant(number, half)
        byte = self._byte(value)
        if byte is not None:
            return builder.convert(named.get(byte, byte), F16)
        statement = self._definitions.of[value]
        if statement.op is graph.CONVERT:
            return named.get(statement.operands[0], statement.operands[0])
        if statement.op is ops.SPLAT:
            return builder.splat(self._put(builder, statement.operands[0], named), half.lanes)
        others = (self._to_round(statement) or ()) if statement.op in _CHOOSES else ()
        operands = [
            builder.convert(named.get(operand, operand), F16)
            if operand in others
            else self._put(builder, operand, named)
            for operand in statement.operands
        ]
        if statement.op is graph.RELU:
            return builder.max(operands[0], builder.constant(0.0, half))
        if statement.op is graph.CLIP:
            return simple.clip(builder, *operands)
        return builder.value(statement.op, *operands)


_UNIT_BITS = 32
_BITWISE = frozenset({graph.BITWISE_AND, graph.BITWISE_OR, graph.BITWISE_XOR, graph.BITWISE_NOT})
_SHIFTS = frozenset({graph.LEFT_SHIFT, graph.RIGHT_SHIFT})
_SUMS = frozenset({graph.ADD, graph.SUB})
_EXTREMES = frozenset({graph.MAX, graph.MIN})
# by the bits of an element: ops that keep its lower bits, and ops that choose
_OF_BYTES = _BITWISE | _SUMS | {graph.LEFT_SHIFT}
_MODULAR: dict[int, frozenset[Op]] = {8: _OF_BYTES, 16: _OF_BYTES | {graph.MUL}}
_WHOLE: dict[int, frozenset[Op]] = {8: frozenset({graph.RIGHT_SHIFT}), 16: _EXTREMES | {graph.RIGHT_SHIFT}}


def is_short(element: ElementType) -> bool:
    """Whether a register has several integers of a type."""
    is_integer = element.kind in (NumberKind.SIGNED, NumberKind.UNSIGNED)
    return is_integer and element.bits in _MODULAR


class Shorts:
    """The conversions to narrow integers of a module that are arithmetic of these, and that arithmetic."""

    def __init__(self, module: Module) -> None:
        self._definitions = Definitions(module)

    def starts(self, statement: Statement) -> bool:
        """Whether a statement cuts to a narrow type a value that narrow instructions can compute."""
        type_ = statement.result.type if statement.op is graph.CONVERT else None
        if not isinstance(type_, LaneType) or not is_short(type_.element):
            return False
        if type_.lanes * type_.element.bits % _UNIT_BITS:
            return False
        (value,) = statement.operands
        is_made = self._is_of(value, type_, _MODULAR) or self._is_of(value, type_, _WHOLE)
        return value.type.element.bits == _UNIT_BITS and is_made

    def _is_of(self, value: Value, type_: LaneType, rows: dict[int, frozenset[Op]]) -> bool:
        """Whether the op of a value is in the row of the type's size, and its operands are narrow."""
        statement = self._definitions.of.get(value)
        if statement is None or statement.op not in rows[type_.element.bits]:
            return False
        is_whole = rows is _WHOLE
        if statement.op in _SHIFTS and not self._is_shift(statement, type_.element):
            return False
        return all(self._is_narrow(operand, type_, is_whole) for operand in statement.operands)

    def _is_shift(self, statement: Statement, element: ElementType) -> bool:
        """Whether a shift is by a known number of the bits of a type. Nothing shifts the signs of bytes."""
        by = self._definitions.literal(statement.operands[1])
        has_form = statement.op is graph.LEFT_SHIFT or element is not I8
        return has_form and by is not None and 0 <= by < element.bits

    def _is_narrow(self, value: Value, type_: LaneType, is_whole: bool) -> bool:
        """Whether the lower bits of a value are a narrow number; with `is_whole` whether the value is a
        number of the type."""
        source = self._widened(value)
        if source is not None:
            is_alike = source.type.element.bits == type_.element.bits and is_short(source.type.element)
            return is_alike and (not is_whole or source.type.element is type_.element)
        if self._definitions.literal(value) is not None:
            return not is_whole or self._fits(value, type_)
        is_once = self._definitions.reads[value] == 1
        rows = (_WHOLE,) if is_whole else (_MODULAR, _WHOLE)
        return is_once and any(self._is_of(value, type_, ops_of) for ops_of in rows)

    def _widened(self, value: Value) -> Value | None:
        statement = self._definitions.by(value, graph.CONVERT)
        return None if statement is None else statement.operands[0]

    def _fits(self, value: Value, type_: LaneType) -> bool:
        number, bits = self._definitions.literal(value), type_.element.bits
        is_signed = type_.element.kind is NumberKind.SIGNED
        low, high = (-(1 << bits - 1), 1 << bits - 1) if is_signed else (0, 1 << bits)
        return number is not None and low <= number < high

    def put(self, builder: LaneBuilder, statement: Statement, named: Mapping[Value, Value]) -> Value:
        """The statement's result by narrow instructions; `named` maps replaced values."""
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
        return builder.value(
            made.op, *[self._put(builder, operand, type_, named) for operand in made.operands]
        )


def _wrapped(number: int, element: ElementType) -> int:
    """The number of a type that has the same lower bits."""
    bits = element.bits
    lower = number & (1 << bits) - 1
    is_negative = element.kind is NumberKind.SIGNED and lower >> bits - 1
    return lower - (1 << bits) if is_negative else lower
