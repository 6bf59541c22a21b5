"""`convert` from and to integers of 8 and 16 bits.

A register has four lanes of 8 bits or two of 16, the first lane in the lowest bits. A single narrow integer
is in the lowest bits of its register; the bits above it are undefined. A scalar parameter is extended.
"""

from __future__ import annotations

from asmgen.ir.program import Statement, Value, lane_type
from asmgen.ir.types import F16, ElementType, NumberKind
from asmgen.select.arithmetic.narrow import Place, is_taken_apart, place_of, put_joined
from asmgen.select.operands import put_scalar, put_vector
from asmgen.select.selection import (
    INTEGER_KINDS,
    UNIT_BITS,
    Part,
    Selection,
    is_small_integer,
    lanes_per_unit,
    unsupported,
)
from isa.instruction import Immediate
from isa.registers import Register

_BYTE_BITS = 8
_EXPONENT = Immediate(0x64)  # the upper byte of f16s from 1024 to 1279
_LESS_1024, _LESS_1152 = 0xE400E400, 0xE480E480  # two f16s
_SIGNS_OF_BYTES = 0x80808080
_WIDTH_SHIFT = 16  # of the width in the constant of s_bfe


def convert_small_integers(s: Selection, statement: Statement) -> None:
    """To i32 or u32 with the sign of the narrow type, and from them by dropping the bits above."""
    source, target = lane_type(statement.operands[0]).element, lane_type(statement.result).element
    if target is F16 and source.bits == _BYTE_BITS:
        _bytes_to_halves(s, statement, source)
        return
    if (
        source.kind not in INTEGER_KINDS
        or target.kind not in INTEGER_KINDS
        or UNIT_BITS not in (source.bits, target.bits)
    ):
        raise unsupported(statement, f" to {target}")
    if is_small_integer(source):
        _widen_integers(s, statement, source)
    else:
        _narrow_integers(s, statement, target)


def _bytes_to_halves(s: Selection, statement: Statement, source: ElementType) -> None:
    """Integers of 8 bits to f16, two at a time. Both steps are exact."""
    (value,), register = statement.operands, s.destination(statement.result)
    is_signed = source.kind is NumberKind.SIGNED
    offset = s.emitter.vector_constant(_LESS_1152 if is_signed else _LESS_1024)
    for unit, raised in enumerate(raised_bytes(s, value)):
        s.emitter.put("v_pk_add_f16", register.part(unit), raised, offset)


def raised_bytes(s: Selection, value: Value) -> list[Register]:
    """Integers of 8 bits, two at a time, each plus a number: 1024, or of signed integers 1152. A byte b below
    0x64 is the f16 1024 + b; a signed byte with its sign bit inverted is b + 128. A single integer is in both
    halves."""
    type_ = lane_type(value)
    is_signed, lanes = type_.element.kind is NumberKind.SIGNED, type_.lanes
    found: list[Register] = []
    for first in range(0, lanes, 2):
        places: list[Place] = []
        for lane in (first, min(first + 1, lanes - 1)):
            part, byte = place_of(s, value, lane)
            places += [Place(_inverted(s, part) if is_signed else part, byte), Place(_EXPONENT)]
        found.append(s.emitter.vgpr())
        put_joined(s, found[-1], places, 1)
    return found


def _inverted(s: Selection, part: Part) -> Part:
    """Four bytes with their sign bits inverted."""
    if isinstance(part, Immediate):
        return Immediate(part.bits ^ _SIGNS_OF_BYTES)

    def make() -> Register:
        register = s.emitter.vgpr()
        put_vector(s.emitter, "v_xor_b32", (register,), (Immediate(_SIGNS_OF_BYTES), part))
        return register

    return s.emitter.shared(("inverted signs", part), make)


def _widen_integers(s: Selection, statement: Statement, source: ElementType) -> None:
    (value,), result = statement.operands, statement.result
    is_uniform = s.is_uniform(result)
    register = s.scalar_destination(result) if is_uniform else s.destination(result)
    sign = "i" if source.kind is NumberKind.SIGNED else "u"
    for lane in range(lane_type(result).lanes):
        place = place_of(s, value, lane)
        part, first = place.part, _BYTE_BITS * place.byte
        if is_uniform:
            put_scalar(
                s.emitter,
                f"s_bfe_{sign}32",
                (register.part(lane),),
                (part, Immediate(first | source.bits << _WIDTH_SHIFT)),
            )
        else:
            put_vector(
                s.emitter,
                f"v_bfe_{sign}32",
                (register.part(lane),),
                (part, Immediate(first), Immediate(source.bits)),
            )


def _narrow_integers(s: Selection, statement: Statement, target: ElementType) -> None:
    """A single lane stays as it is; several are joined in registers if something reads them together."""
    (value,), result = statement.operands, statement.result
    parts, per_unit = s.parts(value), lanes_per_unit(target)
    if len(parts) == 1:
        s.define(result, parts)
        return
    if is_taken_apart(s, result):
        s.lanes_apart[result] = tuple([(part, 0) for part in parts])
        return
    register = s.destination(result)
    for unit in range(register.count):
        lanes = [Place(part) for part in parts[per_unit * unit : per_unit * (unit + 1)]]
        put_joined(s, register.part(unit), lanes, target.bytes)
