"""`neg`, `abs` and `copysign`, if no use takes them as a source modifier. On floats they change the sign bit
alone, which keeps a NaN's payload; on integers they subtract."""

from __future__ import annotations

from asmgen.graph.ops import SUB
from asmgen.ir.program import Statement, lane_type
from asmgen.ir.types import F64
from asmgen.select.arithmetic.alu import HALF_BITS
from asmgen.select.arithmetic.wide import CARRIES, SIGN, put_carry
from asmgen.select.operands import put_scalar, put_vector
from asmgen.select.selection import (
    WORD,
    Part,
    Parts,
    Selection,
    SourceOperand,
    is_wide,
    source_of,
    units_per_lane,
    unsupported,
)
from asmgen.select.uses import ABS, NEG
from isa.instruction import Immediate

SIGN16X2 = 0x80008000


def select_sign(s: Selection, statement: Statement) -> None:
    """`neg` and `abs`."""
    value, result = statement.operands[0], statement.result
    element = lane_type(value).element
    if element.is_float and result in s.uses.folded:
        return
    if is_wide(element):
        _select_wide_sign(s, statement)
        return
    if element.bits < HALF_BITS or (element.bits == HALF_BITS and not element.is_float):
        raise unsupported(statement)
    if not element.is_float:
        _select_integer_sign(s, statement)
        return
    sign = SIGN16X2 if element.bits == HALF_BITS else SIGN
    name, bits = ("v_xor_b32", sign) if statement.op is NEG else ("v_and_b32", sign ^ WORD)
    source = source_of(s, value)
    parts = _plain(s, source, sign)
    register = s.destination(result)
    for unit, part in enumerate(parts):
        put_vector(s.emitter, name, (register.part(unit),), (Immediate(bits), part))


def _plain(s: Selection, source: SourceOperand, sign: int) -> Parts:
    """The parts of a source with its modifiers applied."""
    parts = source.parts
    for applies, name, bits in ((source.abs, "v_and_b32", sign ^ WORD), (source.neg, "v_xor_b32", sign)):
        if not applies:
            continue
        made: list[Part] = []
        for part in parts:
            register = s.emitter.vgpr()
            put_vector(s.emitter, name, (register,), (Immediate(bits), part))
            made.append(register)
        parts = tuple(made)
    return parts


def _select_integer_sign(s: Selection, statement: Statement) -> None:
    (value,), result = statement.operands, statement.result
    parts = s.parts(value)
    if s.is_uniform(result):
        register = s.scalar_destination(result)
        for lane, part in enumerate(parts):
            if statement.op is ABS:
                put_scalar(s.emitter, "s_abs_i32", (register.part(lane),), (part,))
            else:
                put_scalar(s.emitter, "s_sub_i32", (register.part(lane),), (Immediate(0), part))
        return
    register = s.destination(result)
    for lane, part in enumerate(parts):
        negated = s.emitter.vgpr() if statement.op is ABS else register.part(lane)
        put_vector(s.emitter, "v_sub_u32", (negated,), (Immediate(0), part), reversed="v_subrev_u32")
        if statement.op is ABS:
            put_vector(s.emitter, "v_max_i32", (register.part(lane),), (part, negated))


def _select_wide_sign(s: Selection, statement: Statement) -> None:
    """`neg` and `abs` of f64, and `neg` of integers of 64 bits; `final` expands their `abs`."""
    (value,), result = statement.operands, statement.result
    element, parts = lane_type(value).element, s.parts(value)
    if element is not F64:
        if statement.op is not NEG:
            raise unsupported(statement)
        put_carry(s, statement, CARRIES[SUB], (Immediate(0),) * len(parts), parts)
        return
    name, bits = ("v_xor_b32", SIGN) if statement.op is NEG else ("v_and_b32", SIGN ^ WORD)
    register = s.destination(result)
    for unit, part in enumerate(parts):
        if unit % 2:
            put_vector(s.emitter, name, (register.part(unit),), (Immediate(bits), part))
        else:
            put_vector(s.emitter, "v_mov_b32", (register.part(unit),), (part,))


def select_copysign(s: Selection, statement: Statement) -> None:
    """The magnitude with the sign bit of the other operand, which is in the upper register of two."""
    magnitude, sign = (s.parts(value) for value in statement.operands)
    register = s.destination(statement.result)
    step = units_per_lane(lane_type(statement.result).element)
    for lane in range(register.count):
        if lane % step != step - 1:
            put_vector(s.emitter, "v_mov_b32", (register.part(lane),), (magnitude[lane],))
            continue
        put_vector(
            s.emitter,
            "v_bfi_b32",
            (register.part(lane),),
            (Immediate(0x7FFFFFFF), magnitude[lane], sign[lane]),
        )
