"""How a number in a field names an operand: registers, inline constants and literals by their numbers.

A `Coding` turns an operand into the number of a field and back. The number 255 of a source says that a 32-bit
literal follows the instruction. Sources: CDNA3 ISA, section 3.1; RDNA3 ISA, section 3.3; RDNA4 ISA, section
3.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from isa.constants import NO_INLINE_FLOAT, constant_width, inline_spelling, literal_bits, parse_constant
from isa.diagnostics import InternalError
from isa.instruction import Immediate, Kind, Operand, OperandSpec
from isa.registers import EXEC, FIRST_AGPR, FIRST_VGPR, M0, NULL, VCC, Register

LITERAL = 255
_STATUS = frozenset({235, 236, 237, 238, 251, 252, 253})  # the apertures, VCCZ, EXECZ and SCC
_TRAP = (108, 123)  # ttmp0 to ttmp15
_SPECIAL = frozenset({*VCC.units, M0.first, *EXEC.units})
_FLOATS = ("0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0")
_FIRST_INTEGER, _FIRST_NEGATIVE, _FIRST_FLOAT, _INVERSE_TURN = 128, 192, 240, 248
_VECTOR = 256  # the first number of a VGPR in a source of nine bits
_ACCUMULATOR = 512  # the bit for an AGPR, if an operand may lie in either file
_VGPRS = 256
_WITHOUT_HALF = ~128  # the bits of a VGPR's number without the bit that chooses its half


class Coding(Protocol):
    """How an operand is written as a number."""

    def encode(self, operand: Operand, spec: OperandSpec) -> int:
        """The number of an operand that is legal for its row."""
        ...

    def decode(self, number: int, spec: OperandSpec, literal: int | None) -> Operand | None:
        """The operand of a number; None if there is none. `literal` is the word after the instruction, None
        at the end of the code."""
        ...

    def takes(self, spec: OperandSpec) -> bool:
        """Whether operands of this kind can be in such a field at all."""
        ...


def _lacks(operand: Operand, spec: OperandSpec) -> InternalError:
    return InternalError("isa.binary", spec.name, f"{operand} has no number in its field")


class Number:
    """A plain number, the value of a modifier: no operand goes there."""

    def encode(self, operand: Operand, spec: OperandSpec) -> int:
        if not isinstance(operand, Immediate):
            raise _lacks(operand, spec)
        return operand.bits

    def decode(self, number: int, spec: OperandSpec, literal: int | None) -> Operand | None:
        return Immediate(number) if not number >> constant_width(spec.type) else None

    def takes(self, spec: OperandSpec) -> bool:
        return False


class Simm(Number):
    """An immediate of the encoding itself, as wide as the operand's type says."""

    def takes(self, spec: OperandSpec) -> bool:
        return bool(spec.kinds & (Kind.SIMM | Kind.FIELDS | Kind.HWREG))


class Inline(Number):
    """An inline constant that is written as a number of its own."""

    def takes(self, spec: OperandSpec) -> bool:
        return Kind.INLINE in spec.kinds


class Vector:
    """A VGPR or an AGPR by its number; if both are allowed, a ninth bit chooses."""

    def encode(self, operand: Operand, spec: OperandSpec) -> int:
        if not isinstance(operand, Register) or operand.first < FIRST_VGPR:
            raise _lacks(operand, spec)
        number = operand.first - FIRST_VGPR
        return number if Kind.VGPR in spec.kinds else number - _VGPRS

    def decode(self, number: int, spec: OperandSpec, literal: int | None) -> Operand | None:
        index = number % _VGPRS
        if index + spec.count > _VGPRS:
            return None
        is_accumulator = number >= _VGPRS or Kind.VGPR not in spec.kinds
        return Register((FIRST_AGPR if is_accumulator else FIRST_VGPR) + index, spec.count)

    def takes(self, spec: OperandSpec) -> bool:
        return bool(spec.kinds & (Kind.VGPR | Kind.AGPR | Kind.OFF))


class HalfVector(Vector):
    """A VGPR; if the operand is a half, the highest bit of the number chooses it."""

    def decode(self, number: int, spec: OperandSpec, literal: int | None) -> Operand | None:
        return super().decode(number & _WITHOUT_HALF if spec.half else number, spec, None)


class OddOrEven(Vector):
    """A VGPR without its lowest bit, which is the inverse of the bit above its number."""

    def encode(self, operand: Operand, spec: OperandSpec) -> int:
        number = super().encode(operand, spec)
        return number >> 1 | (~number & 1) << 7

    def decode(self, number: int, spec: OperandSpec, literal: int | None) -> Operand | None:
        return super().decode((number & 127) << 1 | number >> 7 ^ 1, spec, None)


class AddressField(Vector):
    """A VGPR address that may be absent: a further bit is set if it is present."""

    def encode(self, operand: Operand, spec: OperandSpec) -> int:
        return super().encode(operand, spec) | _VGPRS

    def decode(self, number: int, spec: OperandSpec, literal: int | None) -> Operand | None:
        return super().decode(number - _VGPRS, spec, None) if number >= _VGPRS else None


class ScalarField:
    """Scalar registers of a family, inline constants and literals, and VGPRs from 256 on.

    `numbers` are the registers with a number other than their unit, `last` the number of the last plain SGPR.
    `unit` is the number of registers that a number counts: pairs in the base of a scalar load, fours in a
    buffer resource.
    """

    def __init__(self, numbers: Mapping[int, int], last: int, unit: int = 1) -> None:
        self._number_of = dict(numbers)
        self._register_of = {number: register for register, number in numbers.items()}
        self._last = last
        self._unit = unit

    def encode(self, operand: Operand, spec: OperandSpec) -> int:
        if isinstance(operand, Immediate):
            return constant_number(operand.bits, spec.type)
        if not isinstance(operand, Register):
            raise _lacks(operand, spec)
        first = operand.first
        if first >= FIRST_AGPR:
            number = first - FIRST_AGPR + _VECTOR
            return number | _ACCUMULATOR if Kind.VGPR in spec.kinds else number
        return self._number_of.get(first, first) // self._unit

    def decode(self, number: int, spec: OperandSpec, literal: int | None) -> Operand | None:
        if number & _VECTOR:
            return self._vector(number, spec)
        number = number % _VECTOR * self._unit
        if number == LITERAL:
            return _literal(spec, literal)
        if _FIRST_INTEGER <= number <= _INVERSE_TURN:
            return _constant(number, spec) or self._register(number, spec)
        return self._register(number, spec)

    def takes(self, spec: OperandSpec) -> bool:
        return bool(spec.kinds & ~(Kind.SIMM | Kind.FIELDS | Kind.HWREG | Kind.LABEL))

    def _vector(self, number: int, spec: OperandSpec) -> Operand | None:
        index = number % _VGPRS
        if index + spec.count > _VGPRS:
            return None
        is_accumulator = (number & _ACCUMULATOR and Kind.AGPR in spec.kinds) or Kind.VGPR not in spec.kinds
        return Register((FIRST_AGPR if is_accumulator else FIRST_VGPR) + index, spec.count)

    def _register(self, number: int, spec: OperandSpec) -> Operand | None:
        """A scalar register; a tuple of plain SGPRs begins at a multiple of its alignment, whatever the low
        bits are, as in LLVM."""
        if number in _STATUS:
            return Register(number)
        count = spec.count
        for first, last in ((0, self._last), _TRAP):
            if first <= number <= last:
                number -= (number - first) % min(4, count if count != 3 else 4)
                return Register(number, count) if number + count - 1 <= last else None
        unit = self._register_of.get(number, number)
        if unit == NULL.first and number in self._register_of:
            return NULL
        is_special = number in self._register_of or number in _SPECIAL
        if not is_special or count > 2 or (count == 2 and (number % 2 or unit == M0.first)):
            return None
        return Register(unit, count)


class HalfSource(ScalarField):
    """As a source; the highest bit of a VGPR's number chooses its half."""

    def decode(self, number: int, spec: OperandSpec, literal: int | None) -> Operand | None:
        return super().decode(
            number & _WITHOUT_HALF if spec.half and number & _VECTOR else number, spec, literal
        )


class SdwaSource(ScalarField):
    """As a source, but with a bit of its own for a scalar register."""

    def encode(self, operand: Operand, spec: OperandSpec) -> int:
        return super().encode(operand, spec) ^ _VECTOR

    def decode(self, number: int, spec: OperandSpec, literal: int | None) -> Operand | None:
        return super().decode(number ^ _VECTOR, spec, None)


class SdwaMask(ScalarField):
    """The lane mask that an SDWA compare writes: VCC, or with the bit 128 another register."""

    def __init__(self, numbers: Mapping[int, int], last: int, vcc: int) -> None:
        super().__init__(numbers, last)
        self._vcc = vcc

    def encode(self, operand: Operand, spec: OperandSpec) -> int:
        number = super().encode(operand, spec)
        return 0 if number == self._vcc else number | 128

    def decode(self, number: int, spec: OperandSpec, literal: int | None) -> Operand | None:
        if number & 128:
            return super().decode(number & 127, spec, None)
        return super().decode(self._vcc, spec, None)


class ResultField:
    """The destination of a vector instruction: a VGPR as `vector` numbers it, or a scalar register if the row
    has a scalar result."""

    def __init__(self, scalar: ScalarField, vector: Vector | None = None) -> None:
        self._scalar = scalar
        self._vector = vector or VECTOR

    def encode(self, operand: Operand, spec: OperandSpec) -> int:
        return self._of(spec).encode(operand, spec)

    def decode(self, number: int, spec: OperandSpec, literal: int | None) -> Operand | None:
        return self._of(spec).decode(number, spec, None)

    def takes(self, spec: OperandSpec) -> bool:
        return bool(spec.kinds & (Kind.VGPR | Kind.AGPR | Kind.SGPR))

    def _of(self, spec: OperandSpec) -> Coding:
        return self._vector if spec.kinds & (Kind.VGPR | Kind.AGPR) else self._scalar


NUMBER = Number()
SIMM = Simm()
INLINE = Inline()
VECTOR = Vector()
HALF_VECTOR = HalfVector()
ADDRESS = AddressField()


def constant_number(bits: int, type_name: str) -> int:
    """The number of an inline constant, or that of a literal."""
    spelling = inline_spelling(bits, type_name)
    if spelling is None:
        return LITERAL
    if "." in spelling:
        return _FIRST_FLOAT + _FLOATS.index(spelling) if spelling in _FLOATS else _INVERSE_TURN
    value = int(spelling)
    return _FIRST_INTEGER + value if value >= 0 else _FIRST_NEGATIVE - value


def literal_word(operand: Immediate, spec: OperandSpec) -> int:
    """The word of a literal."""
    word = literal_bits(operand.bits, spec.type)
    if word is None:
        raise _lacks(operand, spec)
    return word


def _constant(number: int, spec: OperandSpec) -> Operand | None:
    """The inline constant of a number; None of a number that is a register's or nothing's."""
    if number <= _FIRST_NEGATIVE:
        text = str(number - _FIRST_INTEGER)
    elif number <= _FIRST_NEGATIVE + 16:
        text = str(_FIRST_NEGATIVE - number)
    elif number < _FIRST_FLOAT:
        return None
    else:
        text = _FLOATS[number - _FIRST_FLOAT] if number < _INVERSE_TURN else _inverse_turn(spec.type)
    is_half = number >= _FIRST_FLOAT and spec.type in NO_INLINE_FLOAT
    bits = parse_constant(text, "f16" if is_half else spec.type)
    return None if bits is None or Kind.INLINE not in spec.kinds else Immediate(bits)


def _inverse_turn(type_name: str) -> str:
    """1/(2 pi) as the constants of a type spell it."""
    return "0.15915494309189532" if constant_width(type_name) == 64 else "0.15915494"


def _literal(spec: OperandSpec, word: int | None) -> Operand | None:
    if word is None or Kind.LITERAL not in spec.kinds:
        return None
    return Immediate(literal_value(word, spec.type))


def literal_value(word: int, type_name: str) -> int:
    """The operand's bits that a literal means: the upper half of an f64, sign-extended for an i64, cut to 16
    bits."""
    if type_name == "f64":
        return word << 32
    if type_name == "i64" and word >> 31:
        return word | 0xFFFFFFFF << 32
    width = constant_width(type_name)
    return word & (1 << width) - 1 if width < 32 else word
