"""Building vectors and taking them apart, without an instruction if the parts are in place already.

Halves and bytes are joined by v_perm_b32:

    v_perm_b32 v2, v1, v0, 0x05040100      the lower half of v0, above it the lower half of v1

A byte of the selector is a byte's number: 0 to 3 of the second source, 4 to 7 of the first, 12 is a byte of
zeros (CDNA3 ISA, V_PERM_B32).
"""

from __future__ import annotations

from typing import NamedTuple

from asmgen.ir.program import Statement, Value
from asmgen.lanewise.records import Extract
from asmgen.select.arithmetic.alu import half_lane, packed_row
from asmgen.select.operands import put_vector
from asmgen.select.rules import ARITHMETIC
from asmgen.select.selection import (
    Part,
    Parts,
    Selection,
    has_bytes,
    is_wide,
    lane_type,
    lanes_per_unit,
    units_per_lane,
    unsupported,
)
from isa.instruction import Immediate
from isa.registers import Register

HALVES = 2


def select_pack(s: Selection, statement: Statement) -> None:
    """The parts in order. Parts that were selected into the vector's register are in place already."""
    result = statement.result
    if has_bytes(lane_type(result)):
        raise unsupported(statement)
    if lanes_per_unit(lane_type(result).element) == HALVES:
        _pack_halves(s, statement)
        return
    if s.is_uniform(result) or lanes_per_unit(lane_type(result).element) == 0:
        uniform = s.is_uniform(result)
        s.define(
            result,
            tuple(
                part
                for operand in statement.operands
                for part in (s.parts(operand) if uniform else s.masks(operand))
            ),
        )
        return
    parts = tuple(part for operand in statement.operands for part in s.parts(operand))
    register = s.packed_destination(result)
    if register is None:
        s.define(result, parts)
        return
    _fill(s, register, parts)
    s.define(result, tuple(register.part(i) for i in range(register.count)))


def _fill(s: Selection, register: Register, parts: Parts) -> None:
    """Copy the parts that are not in place yet into a register."""
    for i, part in enumerate(parts):
        if part != register.part(i):
            s.emitter.move(register.part(i), part)


def _pack_halves(s: Selection, statement: Statement) -> None:
    result = statement.result
    lanes: list[tuple[Value, int]] = [
        (operand, lane) for operand in statement.operands for lane in range(lane_type(operand).lanes)
    ]
    register = s.destination(result)
    for unit in range(register.count):
        pair = lanes[2 * unit : 2 * unit + 2]
        whole = _whole_unit(s, pair)
        if whole is not None:
            _fill(s, register.part(unit), (whole,))
        else:
            low, high = [_half(s, value, lane) for value, lane in pair]
            put_halves(s, register.part(unit), low, high)


def _half(s: Selection, value: Value, lane: int) -> Half:
    part = s.parts(value)[lane // 2]
    is_register = isinstance(part, Register)
    return Half(part, lane % 2 == 1) if is_register else Half(half_lane(s, s.parts(value), lane))


def _whole_unit(s: Selection, pair: list[tuple[Value, int]]) -> Part | None:
    """The unit that has two lanes together already, or a single lane."""
    value, lane = pair[0]
    if lane % 2:
        return None
    if len(pair) == 1 or pair[1] == (value, lane + 1):
        return s.parts(value)[lane // 2]
    return None


def select_extract(s: Selection, statement: Statement) -> None:
    """A part of the vector."""
    (vector,), result = statement.operands, statement.result
    if result in s.uses.mixed:
        return
    first, count = Extract.of(statement)
    if has_bytes(lane_type(vector)):
        raise unsupported(statement)
    per_unit = lanes_per_unit(lane_type(vector).element)
    if per_unit != HALVES:
        step = units_per_lane(lane_type(vector).element)
        s.define(result, s.parts(vector)[step * first : step * (first + count)])
    elif first % 2 == 0:
        s.define(result, s.parts(vector)[first // 2 : (first + count + 1) // 2])
    else:
        _extract_odd(s, statement, first, count)


def _extract_odd(s: Selection, statement: Statement, first: int, count: int) -> None:
    """f16 lanes that start in an upper half."""
    (vector,), result = statement.operands, statement.result
    halves = [half_lane(s, s.parts(vector), first + lane) for lane in range(count)]
    if count == 1:
        s.define(result, (halves[0],))
        return
    register = s.destination(result)
    for unit in range(count // 2):
        join_halves(s, register.part(unit), halves[2 * unit], halves[2 * unit + 1])
    if count % 2:
        _fill(s, register.part(count // 2), (halves[-1],))


def select_splat(s: Selection, statement: Statement) -> None:
    """The same part for every lane; a register pair if packed instructions read it."""
    (value,), result = statement.operands, statement.result
    lanes = lane_type(result).lanes
    if has_bytes(lane_type(result)):
        raise unsupported(statement)
    per_unit = lanes_per_unit(lane_type(result).element)
    if is_wide(lane_type(result).element):
        s.define(result, s.parts(value) * lanes)
        return
    part = s.scalar_part(value)
    if per_unit == HALVES:
        s.define(result, (_doubled_half(s, part),) * ((lanes + 1) // 2))
    elif isinstance(part, Register) and per_unit == 1 and lanes > 1 and _read_in_pairs(s, result):
        pair = _doubled(s, part)
        s.define(result, tuple(pair.part(lane % 2) for lane in range(lanes)))
    else:
        s.define(result, (part,) * lanes)


def _read_in_pairs(s: Selection, vector: Value) -> bool:
    element = lane_type(vector).element.name
    for use in s.uses.of(vector):
        rule = ARITHMETIC.get(use.statement.op, {}).get(element)
        if rule is not None and packed_row(s.emitter.table, rule) is not None:
            return True
    return False


def _doubled(s: Selection, part: Register) -> Register:
    emitter = s.emitter
    scalar = emitter.is_scalar(part)
    pair = emitter.sgpr(2) if scalar else emitter.vgpr(2)
    for i in range(2):
        emitter.move(pair.part(i), part)
    return pair


def _doubled_half(s: Selection, part: Part) -> Part:
    if isinstance(part, Immediate):
        low = part.bits & 0xFFFF
        return Immediate(low | low << 16)
    register = s.emitter.vgpr()
    join_halves(s, register, part, part)
    return register


def select_same_parts(s: Selection, statement: Statement) -> None:
    """Ops that change how bits are read, or nothing."""
    s.define(statement.result, s.parts(statement.operands[0]))


_LOW, _UPPER = 0x0100, 0x0302  # halves of the second source
_OF_FIRST = 0x0404  # added for a half of the first source
_BYTE_PAIR = 0x0C0C0400  # the lowest bytes of both, and zeros
_THIRD_BYTE = 0x0C040100  # a pair of bytes, and the lowest byte of the first source


class Half(NamedTuple):
    """A half of a part."""

    part: Part
    is_upper: bool = False


def put_halves(s: Selection, result: Register, low: Half, high: Half) -> None:
    """Two halves of 16 bits in one register."""
    selector = (_UPPER if low.is_upper else _LOW) | ((_UPPER if high.is_upper else _LOW) + _OF_FIRST) << 16
    _put(s, result, high.part, low.part, selector)


def join_halves(s: Selection, result: Register, low: Part, high: Part) -> None:
    """The lower halves of two parts in a single register."""
    put_halves(s, result, Half(low), Half(high))


def join_bytes(s: Selection, result: Register, lanes: list[Part]) -> None:
    """The lowest bytes of up to four parts in a single register. The bytes above are zeros, but undefined
    above a single byte."""
    if len(lanes) == 1:
        s.emitter.move(result, lanes[0])
        return
    pair = result if len(lanes) == 2 else s.emitter.vgpr()
    _put(s, pair, lanes[1], lanes[0], _BYTE_PAIR)
    if len(lanes) == 3:
        _put(s, result, lanes[2], pair, _THIRD_BYTE)
    elif len(lanes) == 4:
        upper = s.emitter.vgpr()
        _put(s, upper, lanes[3], lanes[2], _BYTE_PAIR)
        join_halves(s, result, pair, upper)


def _put(s: Selection, result: Register, first: Part, second: Part, selector: int) -> None:
    emitter = s.emitter
    sources = [emitter.to_vgpr(part) if isinstance(part, Immediate) else part for part in (first, second)]
    put_vector(emitter, "v_perm_b32", (result,), (*sources, emitter.scalar_constant(selector)))
