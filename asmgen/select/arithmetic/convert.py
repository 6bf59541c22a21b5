"""`convert` between element types."""

from __future__ import annotations

from asmgen.ir.program import Statement
from asmgen.ir.types import BOOL, F16, ElementType, NumberKind
from asmgen.lanewise.small_floats import is_small_float
from asmgen.select.arithmetic.alu import half_lane, source_of
from asmgen.select.arithmetic.small import is_small, select_small_convert
from asmgen.select.arithmetic.small_floats import select_small_float_convert
from asmgen.select.arithmetic.wide import pair_of
from asmgen.select.operands import half_row, put_scalar, put_vector, with_sign
from asmgen.select.selection import Part, Selection, is_wide, lane_type, units_per_lane, unsupported
from isa.instruction import Immediate
from isa.registers import Register

# VALU mnemonics; both integer conversions saturate and give 0 for NaN, as gen text wants
_ELEMENTS = {
    ("i32", "f32"): "v_cvt_f32_i32",
    ("u32", "f32"): "v_cvt_f32_u32",
    ("f32", "i32"): "v_cvt_i32_f32",
    ("f32", "u32"): "v_cvt_u32_f32",
}
_F64_CONVERSIONS = {
    ("f32", "f64"): "v_cvt_f64_f32", ("i32", "f64"): "v_cvt_f64_i32", ("u32", "f64"): "v_cvt_f64_u32",
    ("f64", "f32"): "v_cvt_f32_f64", ("f64", "i32"): "v_cvt_i32_f64", ("f64", "u32"): "v_cvt_u32_f64",
}  # fmt: skip
_NOT_ZERO = {"f32": "v_cmp_neq_f32", "i32": "v_cmp_ne_i32", "u32": "v_cmp_ne_u32"}
_ONE = {"f32": 0x3F800000, "i32": 1, "u32": 1, "f16": 0x3C00}
_WORD_1, _DWORD = 5, 6  # SDWA source selects
_UPPER_SOURCE = 1 << 1  # the upper half of operand 1
_INTEGERS = (NumberKind.SIGNED, NumberKind.UNSIGNED)


def select_convert(s: Selection, statement: Statement) -> None:
    """One instruction an element, two where f16 and an integer meet."""
    if statement.result in s.uses.mixed:
        return
    source, target = lane_type(statement.operands[0]).element, lane_type(statement.result).element
    if source is target or (
        source.kind in _INTEGERS and target.kind in _INTEGERS and source.bits == target.bits
    ):
        s.define(statement.result, s.parts(statement.operands[0]))
    elif is_small_float(source) or is_small_float(target):
        select_small_float_convert(s, statement)
    elif is_small(source) or is_small(target):
        select_small_convert(s, statement)
    elif is_wide(source) or is_wide(target):
        _with_f64(s, statement, source, target)
    elif source.kind in _INTEGERS and target.kind in _INTEGERS:
        s.define(statement.result, s.parts(statement.operands[0]))
    elif source is BOOL:
        _from_bool(s, statement, target)
    elif target is BOOL:
        _to_bool(s, statement, source)
    else:
        _between_numbers(s, statement, source, target)


def _with_f64(s: Selection, statement: Statement, source: ElementType, target: ElementType) -> None:
    """From or to f64 by one instruction a lane; what else has 64 bits is expanded in `final`."""
    name = _F64_CONVERSIONS.get((source.name, target.name))
    if name is None:
        raise unsupported(statement, f" to {target}")
    (value,), result = statement.operands, statement.result
    register, step = s.destination(result), units_per_lane(target)
    for lane in range(lane_type(result).lanes):
        part = pair_of(s, s.parts(value), lane, "f64") if is_wide(source) else s.parts(value)[lane]
        put_vector(s.emitter, name, (register.part(step * lane, step),), (part,))


def _from_bool(s: Selection, statement: Statement, target: ElementType) -> None:
    (value,), result = statement.operands, statement.result
    if s.is_uniform(result):
        s.define(result, s.parts(value))
        return
    if target.name not in _ONE:
        raise unsupported(statement)
    wide = [s.emitter.vgpr() for _ in s.masks(value)] if target is F16 else None
    register = s.destination(result)
    for lane, mask in enumerate(s.mask_registers(value)):
        chosen = register.part(lane) if wide is None else wide[lane]
        put_vector(s.emitter, "v_cndmask_b32", (chosen,), (Immediate(0), Immediate(_ONE[target.name]), mask))
    if wide is not None:
        _join(s, register, wide)


def _to_bool(s: Selection, statement: Statement, source: ElementType) -> None:
    (value,), result = statement.operands, statement.result
    if s.is_uniform(result):
        register = s.scalar_destination(result)
        for lane, part in enumerate(s.parts(value)):
            put_scalar(s.emitter, "s_cmp_lg_u32", (), (part, Immediate(0)))
            s.emitter.put("s_cselect_b32", register.part(lane), 1, 0)
        return
    masks: list[Register] = []
    lanes = _as_f32(s, statement) if source is F16 else list(s.parts(value))
    for part in lanes:
        mask = s.emitter.mask(result.name)
        put_vector(
            s.emitter, _NOT_ZERO["f32" if source is F16 else source.name], (mask,), (Immediate(0), part)
        )
        masks.append(mask)
    s.define(result, tuple(masks))


def _between_numbers(s: Selection, statement: Statement, source: ElementType, target: ElementType) -> None:
    result = statement.result
    if source is F16:
        register = s.destination(result)
        if target.name == "f32":
            for lane in range(lane_type(result).lanes):
                _widen(s, statement, lane, register.part(lane))
            return
        lanes: list[Part] = _as_f32(s, statement)
        _convert_elements(s, statement, register, lanes, _ELEMENTS.get(("f32", target.name)))
    elif target is F16:
        register = s.destination(result)
        _narrow(s, statement, register, source)
    else:
        _convert_elements(
            s, statement, s.destination(result), None, _ELEMENTS.get((source.name, target.name))
        )


def _convert_elements(
    s: Selection, statement: Statement, register: Register, lanes: list[Part] | None, name: str | None
) -> None:
    if name is None:
        raise unsupported(statement, f" to {lane_type(statement.result).element}")
    for lane in range(register.count):
        if lanes is None:
            _put_converted(s, name, register.part(lane), statement, lane)
        else:
            put_vector(s.emitter, name, (register.part(lane),), (lanes[lane],))


def _put_converted(s: Selection, name: str, result: Register, statement: Statement, lane: int) -> None:
    source = source_of(s, statement.operands[0])
    part = source.parts[lane]
    if (source.neg or source.abs) and (
        signed := with_sign(part, source.type, source.neg, source.abs)
    ) is not None:
        put_vector(s.emitter, name, (result,), (signed,))
    else:
        put_vector(s.emitter, name, (result,), (part,), int(source.neg), int(source.abs))


def _as_f32(s: Selection, statement: Statement) -> list[Part]:
    """The lanes of an f16 value, widened."""
    lanes: list[Part] = []
    for lane in range(lane_type(statement.operands[0]).lanes):
        register = s.emitter.vgpr()
        _widen(s, statement, lane, register)
        lanes.append(register)
    return lanes


def _widen(s: Selection, statement: Statement, lane: int, result: Register) -> None:
    """One f16 lane to f32."""
    part = s.parts(statement.operands[0])[lane // 2]
    if lane % 2 == 0 or isinstance(part, Immediate):
        half = Immediate(part.bits >> (16 * (lane % 2)) & 0xFFFF) if isinstance(part, Immediate) else part
        put_vector(s.emitter, "v_cvt_f32_f16", (result,), (half,))
    else:
        _widen_upper(s, part, result)


def _widen_upper(s: Selection, part: Register, result: Register) -> None:
    """The upper half of a register to f32: SDWA reads it, or the row names halves; elsewhere it is shifted
    down first."""
    by_word = s.emitter.table.find("v_cvt_f32_f16_sdwa")
    by_half = half_row(s.emitter.table, "v_cvt_f32_f16")
    if by_word is not None:
        s.emitter.put(by_word, result, part, src0_sel=_WORD_1, dst_sel=_DWORD)
    elif by_half is not None:
        s.emitter.put(by_half, result, part, half=_UPPER_SOURCE)
    else:
        put_vector(s.emitter, "v_cvt_f32_f16", (result,), (half_lane(s, (part,), 1),))


def _narrow(s: Selection, statement: Statement, register: Register, source: ElementType) -> None:
    """To f16: through f32 from integers, two lanes packed into a register."""
    lanes = lane_type(statement.result).lanes
    narrow: list[Register] = []
    for lane in range(lanes):
        alone = lane == lanes - 1 and lane % 2 == 0
        half = register.part(lane // 2) if alone else s.emitter.vgpr()
        if source.name == "f32":
            _put_converted(s, "v_cvt_f16_f32", half, statement, lane)
        else:
            name = _ELEMENTS.get((source.name, "f32"))
            if name is None:
                raise unsupported(statement, " to f16")
            wide = s.emitter.vgpr()
            put_vector(s.emitter, name, (wide,), (s.parts(statement.operands[0])[lane],))
            put_vector(s.emitter, "v_cvt_f16_f32", (half,), (wide,))
        narrow.append(half)
    _join(s, register, narrow)


def _join(s: Selection, register: Register, halves: list[Register]) -> None:
    for unit in range(len(halves) // 2):
        s.emitter.put("v_pack_b32_f16", register.part(unit), halves[2 * unit], halves[2 * unit + 1])
    if len(halves) % 2 and register.part(register.count - 1) != halves[-1]:
        s.emitter.move(register.part(register.count - 1), halves[-1])
