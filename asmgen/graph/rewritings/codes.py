"""The numbers of microscaling types, which have no instructions on most targets, from their bits.

    convert[target_type=f32](scale: fp8e8m0fnu)     the f32 with the byte as its exponent
    dequantize(x: fp4e2m1fn, scale)                 dequantize of the f32 numbers of both

A power of two 2^(b - 127) is the f32 with exponent b; 2^-127 is a denormal, and 255 is NaN. A small float of
bias c, with its exponent and its fraction at the places of those of f32, is its number times 2^(c - 127). An
exact product corrects that, of denormals too. (OCP Microscaling Formats 1.0, sections 5.3 and 5.4.)
"""

from __future__ import annotations

from asmgen.graph.ops import (
    ADD,
    BIT_CAST,
    BITWISE_AND,
    CONVERT,
    DEQUANTIZE,
    EQUAL,
    MAX,
    MUL,
    WHERE,
)
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.ir.program import Module, Statement, Value
from asmgen.ir.types import E8M0, F32, U8, U32, ElementType
from isa.named_tuple import NamedTuple

_FRACTION, _BIAS = 23, 127  # of f32
_LEAST = 1 << _FRACTION - 1  # 2^-127
_NAN = 0x7FC00000
_NAN_CODE = 255


class _Small(NamedTuple):
    """The bits of the fraction, all bits without the sign, and the bias of an element type."""

    fraction: int
    magnitude: int
    bias: int


_ELEMENTS = {"fp4e2m1fn": _Small(1, 3, 1), "fp6e2m3fn": _Small(3, 5, 1), "fp6e3m2fn": _Small(2, 5, 3)}


def with_numbers(module: Module) -> Module:
    """The module in which values of microscaling types are moved and cast, and not converted."""
    writer = _Writer(module)
    for statement in module.statements:
        writer.write(statement)
    return writer.module()


class _Writer(Rewriter):
    """Writes the statements of each statement that reads the numbers of such an operand."""

    def write(self, origin: Statement) -> None:
        is_read = any(operand.type.element.is_code for operand in origin.operands)
        if is_read and origin.op is DEQUANTIZE:
            self._dequantize(origin)
        elif is_read and origin.op is CONVERT and not origin.result.type.element.is_code:
            number = self._number(origin.operands[0], origin)
            self.finish(CONVERT, (number,), origin, **origin.attributes)
        else:
            self.keep(origin)

    def _dequantize(self, origin: Statement) -> None:
        x, scale, *zero = [
            self._number(operand, origin) if operand.type.element.is_code else operand
            for operand in origin.operands
        ]
        blocks = origin.attributes["blocks"]
        self.finish(
            DEQUANTIZE, (x, scale, *zero), origin, blocks=blocks, target_type=origin.result.type.element.name
        )

    def _number(self, value: Value, origin: Statement) -> Value:
        """The f32 of a value of a microscaling type."""
        element = value.type.element
        byte = self.apply(BIT_CAST, (value,), origin, target_type=U8.name)
        word = self.apply(CONVERT, (byte,), origin, target_type=U32.name)
        return self._power(word, origin) if element is E8M0 else self._small(word, element, origin)

    def _power(self, word: Value, origin: Statement) -> Value:
        scaled = self.apply(MUL, (word, self.literal(1 << _FRACTION, U32, origin)), origin)
        bits = self.apply(MAX, (scaled, self.literal(_LEAST, U32, origin)), origin)
        is_nan = self.apply(EQUAL, (word, self.literal(_NAN_CODE, U32, origin)), origin)
        chosen = self.apply(WHERE, (is_nan, self.literal(_NAN, U32, origin), bits), origin)
        return self.apply(BIT_CAST, (chosen,), origin, target_type=F32.name)

    def _small(self, word: Value, element: ElementType, origin: Statement) -> Value:
        form = _ELEMENTS[element.name]
        sign = self._field(word, 1 << form.magnitude, 31 - form.magnitude, origin)
        magnitude = self._field(word, (1 << form.magnitude) - 1, _FRACTION - form.fraction, origin)
        bits = self.apply(ADD, (magnitude, sign), origin)
        scaled = self.apply(BIT_CAST, (bits,), origin, target_type=F32.name)
        return self.apply(MUL, (scaled, self.literal(2.0 ** (_BIAS - form.bias), F32, origin)), origin)

    def _field(self, word: Value, mask: int, shift: int, origin: Statement) -> Value:
        kept = self.apply(BITWISE_AND, (word, self.literal(mask, U32, origin)), origin)
        return self.apply(MUL, (kept, self.literal(1 << shift, U32, origin)), origin)
