"""`convert` between element types, for the pairs of types that have instructions; `final` expands the others.

bf16 is the upper half of an f32, so widening is a shift. Rounding to nearest even adds 0x7fff and the last
bit that stays. A sum could carry out of a NaN's bits, unless the lower half of the NaN is 0
(`has_short_nans`). v_div_fixup repairs it: as the quotient of x and 1 it takes the rounded magnitude with the
sign of x, or x itself if x is a NaN, infinite or 0. gfx950 has an instruction. Floats of 8 bits need a target
with instructions for their format. `small_integers` has the integers of 8 and 16 bits.
"""

from __future__ import annotations

from asmgen.ir.program import Statement, Value, lane_type
from asmgen.ir.types import BF16, BOOL, F16, F32, ElementType
from asmgen.lanewise.math.bounds import has_short_nans, is_short
from asmgen.lanewise.small_floats import from_byte, is_small_float, to_bytes
from asmgen.select.arithmetic.mixed import is_rounding, put_rounded
from asmgen.select.arithmetic.narrow import Place, is_taken_apart, lowest, place_of
from asmgen.select.arithmetic.wide import pair_of
from asmgen.select.operands import half_row, put_scalar, put_vector, with_sign
from asmgen.select.selection import (
    INTEGER_KINDS,
    Part,
    Selection,
    is_small_integer,
    is_wide,
    source_of,
    units_per_lane,
    unsupported,
)
from isa.instruction import Encoding, Immediate
from isa.registers import DWORD, Register

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
_PAIR_TO_F16 = "v_cvt_pk_f16_f32"  # rounds both lanes as v_cvt_f16_f32 does
_NOT_ZERO = {"f32": "v_cmp_neq_f32", "i32": "v_cmp_ne_i32", "u32": "v_cmp_ne_u32"}
_ONE = {"f32": 0x3F800000, "i32": 1, "u32": 1, "f16": 0x3C00}
_ONE_F32 = Immediate(0x3F800000)
_WORD_1, _DWORD = 5, 6  # SDWA source selects
_UPPER_SOURCE = 1 << 1  # the upper half of operand 1
_HALF_BITS = 16
_HALF_BYTES = 2
_UPPER = 0xFFFF0000
_BELOW_HALF = 0x7FFF  # just under half of the bits that are dropped
_UPPER_HALVES = 0x07060302  # v_perm_b32: the upper half of the second source, then that of the first
_UPPER_RESULT = 1  # the half of operand 0
_DWORD_OF_ZEROS = Immediate(0)


def select_convert(s: Selection, statement: Statement) -> None:
    """One instruction an element; two between f16 and integers."""
    if statement.result in s.uses.mixed:
        return
    source, target = lane_type(statement.operands[0]).element, lane_type(statement.result).element
    if source is target or (
        source.kind in INTEGER_KINDS and target.kind in INTEGER_KINDS and source.bits == target.bits
    ):
        s.define(statement.result, s.parts(statement.operands[0]))
    elif is_small_float(source) or is_small_float(target):
        _convert_small_floats(s, statement)
    elif is_small_integer(source) or is_small_integer(target):
        from asmgen.select.arithmetic.small_integers import convert_small_integers

        convert_small_integers(s, statement)
    elif is_wide(source) or is_wide(target):
        _with_f64(s, statement, source, target)
    elif source.kind in INTEGER_KINDS and target.kind in INTEGER_KINDS:
        s.define(statement.result, s.parts(statement.operands[0]))
    elif source is BOOL:
        _from_bool(s, statement, target)
    elif target is BOOL:
        _to_bool(s, statement, source)
    else:
        _between_numbers(s, statement, source, target)


def _with_f64(s: Selection, statement: Statement, source: ElementType, target: ElementType) -> None:
    """From or to f64 by one instruction a lane."""
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
        _narrow(s, statement, source)
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
    place = place_of(s, statement.operands[0], lane)
    if place.byte and isinstance(place.part, Register):
        _widen_upper(s, place.part, result)
    else:
        put_vector(s.emitter, "v_cvt_f32_f16", (result,), (lowest(s, place, _HALF_BYTES),))


def _widen_upper(s: Selection, part: Register, result: Register) -> None:
    """The upper half of a register to f32. SDWA, a row with halves or a mixed fma reads it in place: x times
    1 plus -0 is x, with its sign if it is 0. Other targets shift it down first.
    """
    by_word = s.emitter.table.find("v_cvt_f32_f16_sdwa")
    by_half = half_row(s.emitter.table, "v_cvt_f32_f16")
    mixed = s.emitter.table.find("v_fma_mix_f32")
    if by_word is not None:
        s.emitter.put(by_word, result, part, src0_sel=_WORD_1, dst_sel=_DWORD)
    elif by_half is not None:
        s.emitter.put(by_half, result, part, half=_UPPER_SOURCE)
    elif mixed is not None:
        s.emitter.put(
            mixed, result, part, _ONE_F32, Immediate(0), op_sel=(1, 0, 0), op_sel_hi=(1, 0, 0), neg=4
        )
    else:
        alone = lowest(s, Place(part, _HALF_BYTES), _HALF_BYTES)
        put_vector(s.emitter, "v_cvt_f32_f16", (result,), (alone,))


def _narrow(s: Selection, statement: Statement, source: ElementType) -> None:
    """To f16: through f32 from integers. Two lanes share a register if they are read together."""
    result, value = statement.result, statement.operands[0]
    lanes = lane_type(result).lanes
    is_apart = is_taken_apart(s, result) and value not in s.uses.rounded
    if is_rounding(statement) and not is_apart:
        has_pairs = s.emitter.table.find(_PAIR_TO_F16) is not None
        if has_pairs and value not in s.uses.rounded:
            _narrow_in_pairs(s, statement, s.destination(result), lanes)
        else:
            put_rounded(s, statement, s.destination(result))
        return
    register = None if is_apart else s.destination(result)
    narrow: list[Register] = []
    for lane in range(lanes):
        alone = lane == lanes - 1 and lane % 2 == 0
        half = register.part(lane // 2) if alone and register is not None else s.emitter.vgpr()
        if source.name == "f32":
            _put_converted(s, "v_cvt_f16_f32", half, statement, lane)
        else:
            name = _ELEMENTS.get((source.name, "f32"))
            if name is None:
                raise unsupported(statement, " to f16")
            wide = s.emitter.vgpr()
            put_vector(s.emitter, name, (wide,), (s.parts(value)[lane],))
            put_vector(s.emitter, "v_cvt_f16_f32", (half,), (wide,))
        narrow.append(half)
    if register is None:
        s.lanes_apart[result] = tuple([(half, 0) for half in narrow])
    else:
        _join(s, register, narrow)


def _narrow_in_pairs(s: Selection, statement: Statement, register: Register, lanes: int) -> None:
    """From f32 to f16, two lanes by one instruction. A constant has its sign in itself."""
    source = source_of(s, statement.operands[0])
    has_sign = source.neg or source.abs
    for unit in range(lanes // 2):
        sources, neg, abs_ = list[Part](), 0, 0
        for lane, part in enumerate(source.parts[2 * unit : 2 * unit + 2]):
            signed = with_sign(part, source.type, source.neg, source.abs) if has_sign else None
            sources.append(part if signed is None else signed)
            if signed is None:
                neg |= source.neg << lane
                abs_ |= source.abs << lane
        put_vector(s.emitter, _PAIR_TO_F16, (register.part(unit),), tuple(sources), neg, abs_)
    if lanes % 2:
        _put_converted(s, "v_cvt_f16_f32", register.part(register.count - 1), statement, lanes - 1)


def _join(s: Selection, register: Register, halves: list[Register]) -> None:
    for unit in range(len(halves) // 2):
        s.emitter.put("v_pack_b32_f16", register.part(unit), halves[2 * unit], halves[2 * unit + 1])
    if len(halves) % 2 and register.part(register.count - 1) != halves[-1]:
        s.emitter.move(register.part(register.count - 1), halves[-1])


# Small floats


def _convert_small_floats(s: Selection, statement: Statement) -> None:
    """From a small float to f32, or from f32 to a small float."""
    source, target = lane_type(statement.operands[0]).element, lane_type(statement.result).element
    if source is BF16 and target is F32:
        _widen_halves(s, statement)
    elif target is BF16 and source is F32:
        _narrow_to_halves(s, statement)
    elif target is F32 and from_byte(s.emitter.table, source):
        _widen_bytes(s, statement, source)
    elif source is F32 and to_bytes(s.emitter.table, target):
        _narrow_to_bytes(s, statement, target)
    else:
        raise unsupported(statement, f" to {target}")


def _widen_halves(s: Selection, statement: Statement) -> None:
    (value,), register = statement.operands, s.destination(statement.result)
    for lane in range(register.count):
        place, result = place_of(s, value, lane), (register.part(lane),)
        part = place.part
        if place.byte:
            put_vector(s.emitter, "v_and_b32", result, (Immediate(_UPPER), part))
        else:
            put_vector(s.emitter, "v_lshlrev_b32", result, (Immediate(_HALF_BITS), part))


def _narrow_to_halves(s: Selection, statement: Statement) -> None:
    (value,), result = statement.operands, statement.result
    native = s.emitter.table.rounds_to_bf16
    parts = s.parts(value) if native is not None else _rounded_parts(s, value)
    if native is None and is_taken_apart(s, result):
        s.lanes_apart[result] = tuple([(s.emitter.to_vgpr(part), _HALF_BYTES) for part in parts])
        return
    register = s.destination(result)
    for unit in range(register.count):
        lanes = parts[2 * unit : 2 * unit + 2]
        if native is not None:
            put_vector(s.emitter, native.name, (register.part(unit),), (*lanes, Immediate(0))[:2])
            continue
        if len(lanes) == 1:
            put_vector(s.emitter, "v_lshrrev_b32", (register.part(unit),), (Immediate(_HALF_BITS), lanes[0]))
        else:
            low, high = lanes
            selector = s.emitter.scalar_constant(_UPPER_HALVES)
            put_vector(s.emitter, "v_perm_b32", (register.part(unit),), (high, low, selector))


def _rounded_parts(s: Selection, value: Value) -> tuple[Part, ...]:
    """The elements of an f32 with the nearest bf16 in their upper halves; the lower halves are undefined."""
    parts = s.parts(value)
    if is_short(value, s.uses.defined.get):
        return parts
    carries = not has_short_nans(value, s.uses.defined.get)
    return tuple([_rounded(s, part, carries) for part in parts])


def _rounded(s: Selection, part: Part, carries: bool) -> Register:
    """An f32 with the nearest bf16 in its upper half; the lower half is undefined. `carries` says that the
    lower half of a NaN may carry into the upper half, which would make it a number."""
    emitter = s.emitter
    last, rounded = emitter.vgpr(), emitter.vgpr()
    put_vector(emitter, "v_bfe_u32", (last,), (part, Immediate(_HALF_BITS), Immediate(1)))
    below_half = emitter.scalar_constant(_BELOW_HALF)
    put_vector(emitter, "v_add3_u32", (rounded,), (part, last, below_half))
    if not carries:
        return rounded
    result = emitter.vgpr()
    put_vector(emitter, "v_div_fixup_f32", (result,), (rounded, _ONE_F32, part))
    return result


def _widen_bytes(s: Selection, statement: Statement, source: ElementType) -> None:
    """The row that chooses the byte; for the lowest byte, the shortest row."""
    (value,), register = statement.operands, s.destination(statement.result)
    rows = from_byte(s.emitter.table, source)
    for lane in range(register.count):
        place = place_of(s, value, lane)
        part, byte = s.emitter.to_vgpr(place.part), place.byte
        if not byte:
            s.emitter.put(rows[0], register.part(lane), part)
            continue
        name = "src0_sel" if any(row.encoding is Encoding.SDWA for row in rows) else "byte_sel"
        chooses = next(row for row in rows if any(spec.name == name for spec in row.modifiers))
        s.emitter.put(chooses, register.part(lane), part, **{name: byte})


def _narrow_to_bytes(s: Selection, statement: Statement, target: ElementType) -> None:
    """Two lanes at a time into one half of a register; the other half stays as it was."""
    (value,), register = statement.operands, s.destination(statement.result)
    rows, parts = to_bytes(s.emitter.table, target), s.parts(value)
    upper = next((row for row in rows if row.form == "high"), None)
    for unit in range(register.count):
        lanes = [s.emitter.to_vgpr(part) for part in parts[DWORD * unit : DWORD * (unit + 1)]]
        pairs = [lanes[i : i + 2] for i in range(0, len(lanes), 2)]
        old: Register = s.emitter.vgpr()
        s.emitter.move(old, _DWORD_OF_ZEROS)
        for number, pair in enumerate(pairs):
            made = register.part(unit) if number == len(pairs) - 1 else s.emitter.vgpr()
            sources = (*pair, *pair)[:2]
            if not number:
                s.emitter.put(rows[0], made, *sources, old)
            elif upper is not None:
                s.emitter.put(upper, made, *sources, old)
            else:
                s.emitter.put(rows[0], made, *sources, old, half=_UPPER_RESULT)
            old = made
