"""Integers of 8 and 16 bits: loaded, stored, and converted from and to those of 32, in which a lane computes.

A unit holds four lanes of 8 bits or two of 16, the first in the lowest bits. A lane alone is in the lowest
bits of its unit, and the bits above it are anything; a scalar parameter is extended.
"""

from __future__ import annotations

from asmgen.ir.program import Statement
from asmgen.ir.types import BOOL, ElementType, NumberKind
from asmgen.select.operands import put_scalar, put_vector
from asmgen.select.selection import UNIT_BITS, Part, Selection, lane_type, lanes_per_unit, unsupported
from isa.instruction import Immediate
from isa.registers import Register

_INTEGERS = (NumberKind.SIGNED, NumberKind.UNSIGNED)
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
    """A lane alone is its own lowest bits; several are put together from the highest down."""
    (value,), result = statement.operands, statement.result
    parts, per_unit = s.parts(value), lanes_per_unit(target)
    if len(parts) == 1:
        s.define(result, parts)
        return
    register = s.destination(result)
    for unit in range(register.count):
        _join(s, register.part(unit), list(parts[per_unit * unit : per_unit * (unit + 1)]), target.bits)


def _join(s: Selection, result: Register, lanes: list[Part], bits: int) -> None:
    """result = lanes[0] | lanes[1] << bits | ..., of each the lowest bits alone."""
    mask = Immediate((1 << bits) - 1)
    whole: Part = lanes[-1]
    for number in reversed(range(len(lanes) - 1)):
        alone, joined = s.emitter.vgpr(), s.emitter.vgpr() if number else result
        put_vector(s.emitter, "v_and_b32", (alone,), (mask, lanes[number]))
        put_vector(s.emitter, "v_lshl_or_b32", (joined,), (whole, Immediate(bits), alone))
        whole = joined
    if len(lanes) == 1:
        s.emitter.move(result, whole)
