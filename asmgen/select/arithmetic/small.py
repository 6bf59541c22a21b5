"""Integers of 8 and 16 bits: loaded, stored, and converted from and to those of 32, in which a lane computes.

A unit holds four lanes of 8 bits or two of 16, the first in the lowest bits. A lane alone is in the lowest
bits of its unit, and the bits above it are anything; a scalar parameter is extended.
"""

from __future__ import annotations

from asmgen.ir.program import Statement
from asmgen.ir.types import BOOL, ElementType, NumberKind
from asmgen.select.arithmetic.joins import join_bytes, join_halves
from asmgen.select.operands import put_scalar, put_vector
from asmgen.select.selection import UNIT_BITS, Selection, lane_type, lanes_per_unit, unsupported
from isa.instruction import Immediate

_INTEGERS = (NumberKind.SIGNED, NumberKind.UNSIGNED)
_BYTE_BITS = 8
_WIDTH = 16  # in the constant of s_bfe, the place of the width after that of the first bit


def is_small(element: ElementType) -> bool:
    """Whether a lane has less than a unit and is no float and no truth."""
    return element.kind in _INTEGERS and element.bits < UNIT_BITS and element is not BOOL


def select_small_convert(s: Selection, statement: Statement) -> None:
    """To i32 or u32 with the sign of the narrow type, and from them by leaving out the bits above; others are
    expanded in `final`."""
    source, target = lane_type(statement.operands[0]).element, lane_type(statement.result).element
    if (
        source.kind not in _INTEGERS
        or target.kind not in _INTEGERS
        or UNIT_BITS not in (source.bits, target.bits)
    ):
        raise unsupported(statement, f" to {target}")
    if is_small(source):
        _widen(s, statement, source)
    else:
        _narrow(s, statement, target)


def _widen(s: Selection, statement: Statement, source: ElementType) -> None:
    (value,), result = statement.operands, statement.result
    is_uniform, per_unit = s.is_uniform(result), lanes_per_unit(source)
    register = s.scalar_destination(result) if is_uniform else s.destination(result)
    sign = "i" if source.kind is NumberKind.SIGNED else "u"
    for lane in range(lane_type(result).lanes):
        part, first = s.parts(value)[lane // per_unit], source.bits * (lane % per_unit)
        if is_uniform:
            put_scalar(
                s.emitter,
                f"s_bfe_{sign}32",
                (register.part(lane),),
                (part, Immediate(first | source.bits << _WIDTH)),
            )
        else:
            put_vector(
                s.emitter,
                f"v_bfe_{sign}32",
                (register.part(lane),),
                (part, Immediate(first), Immediate(source.bits)),
            )


def _narrow(s: Selection, statement: Statement, target: ElementType) -> None:
    """A lane alone is its own lowest bits; several are put together."""
    (value,), result = statement.operands, statement.result
    parts, per_unit = s.parts(value), lanes_per_unit(target)
    if len(parts) == 1:
        s.define(result, parts)
        return
    register = s.destination(result)
    for unit in range(register.count):
        held = list(parts[per_unit * unit : per_unit * (unit + 1)])
        if target.bits == _BYTE_BITS:
            join_bytes(s, register.part(unit), held)
        elif len(held) > 1:
            join_halves(s, register.part(unit), held[0], held[1])
        else:
            s.emitter.move(register.part(unit), held[0])
