"""Building vectors and taking them apart, without an instruction if the parts are in place already."""

from __future__ import annotations

from asmgen.ir.program import Statement, Value, lane_type
from asmgen.lanewise.ops import EXTRACT
from asmgen.lanewise.records import Extract
from asmgen.select.arithmetic.alu import packed_row
from asmgen.select.arithmetic.narrow import Place, joined, lowest, place_of, put_joined
from asmgen.select.rules import ARITHMETIC
from asmgen.select.selection import Part, Parts, Selection, is_wide, lanes_per_unit, units_per_lane
from isa.registers import Register


def select_pack(s: Selection, statement: Statement) -> None:
    """The parts in order. Parts that were selected into the vector's register are in place already."""
    result = statement.result
    if lanes_per_unit(lane_type(result).element) > 1:
        _join(
            s,
            result,
            [
                place_of(s, operand, lane)
                for operand in statement.operands
                for lane in range(lane_type(operand).lanes)
            ],
        )
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


def _join(s: Selection, result: Value, places: list[Place]) -> None:
    """A value of narrow lanes. Units that exist are its parts, unless others are made beside them."""
    element = lane_type(result).element
    per_unit = lanes_per_unit(element)
    of_units = [places[first : first + per_unit] for first in range(0, len(places), per_unit)]
    whole = [joined(s, unit, element.bytes) for unit in of_units]
    parts = tuple([part for part in whole if part is not None])
    if len(parts) == len(of_units) and s.packed_destination(result) is None:
        s.define(result, parts)
        return
    register = s.destination(result)
    for number, unit in enumerate(of_units):
        if whole[number] != register.part(number):
            put_joined(s, register.part(number), unit, element.bytes)


def select_extract(s: Selection, statement: Statement) -> None:
    """A part of the vector."""
    (vector,), result = statement.operands, statement.result
    if result in s.uses.mixed or result in s.uses.in_place:
        return
    first, count = Extract.of(statement)
    element = lane_type(vector).element
    if lanes_per_unit(element) <= 1:
        step = units_per_lane(element)
        s.define(result, s.parts(vector)[step * first : step * (first + count)])
        return
    places = [place_of(s, vector, first + lane) for lane in range(count)]
    if count == 1:
        s.define(result, (lowest(s, places[0], element.bytes),))
    else:
        _join(s, result, places)


def select_splat(s: Selection, statement: Statement) -> None:
    """The same part for every lane; a register pair if packed instructions read it."""
    (value,), result = statement.operands, statement.result
    lanes = lane_type(result).lanes
    per_unit = lanes_per_unit(lane_type(result).element)
    if is_wide(lane_type(result).element):
        s.define(result, s.parts(value) * lanes)
        return
    if per_unit > 1:
        unit = _repeated(s, place_of(s, value, 0), lane_type(result).element.bytes, per_unit)
        s.define(result, (unit,) * -(-lanes // per_unit))
        return
    part = s.scalar_part(value)
    if isinstance(part, Register) and per_unit == 1 and lanes > 1 and _read_in_pairs(s, result):
        around = _pair_around(s, value)
        if around is None:
            pair = _doubled(s, part)
            s.define(result, tuple(pair.part(lane % 2) for lane in range(lanes)))
            return
        s.pairs[part] = around
    s.define(result, (part,) * lanes)


def _pair_around(s: Selection, value: Value) -> Register | None:
    """The aligned pair of registers that an extracted lane is half of, in the vector that it is taken from;
    packed instructions read either half for both lanes.
    """
    statement = s.uses.defined.get(value)
    if statement is None or statement.op is not EXTRACT:
        return None
    parts, lane = s.parts(statement.operands[0]), Extract.of(statement).first
    first = lane & ~1
    return s.consecutive(parts[first : first + 2]) if first + 1 < len(parts) else None


def _repeated(s: Selection, place: Place, size: int, count: int) -> Part:
    """A register with a lane repeated."""
    whole = joined(s, [place] * count, size)
    if whole is not None:
        return whole
    register = s.emitter.vgpr()
    put_joined(s, register, [place] * count, size)
    return register


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


def select_same_parts(s: Selection, statement: Statement) -> None:
    """Ops that change how bits are read, or nothing."""
    s.define(statement.result, s.parts(statement.operands[0]))
