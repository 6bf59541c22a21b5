"""`convert` between f32 and the floats that lanes do not compute in: bf16, and those of 8 bits where the
target has instructions for their format. Others are expanded in `final`.

A bf16 is the upper half of an f32, so that widening is a shift. Rounding to nearest even adds 0x7fff and the
last bit that stays; a NaN, whose bits a sum could carry out of, is chosen apart, unless it can have no bits
in its lower half (`lanewise.math.nans`). gfx950 has an instruction.
"""

from __future__ import annotations

from asmgen.ir.program import Statement
from asmgen.ir.types import BF16, F32, ElementType
from asmgen.lanewise.math.nans import has_short_nans
from asmgen.lanewise.small_floats import from_byte, to_bytes
from asmgen.select.operands import put_vector
from asmgen.select.selection import Part, Selection, lane_type, lanes_per_unit, unsupported
from isa.instruction import Encoding, Immediate
from isa.registers import Register

_HALF = 16
_UPPER = 0xFFFF0000
_BELOW_HALF = 0x7FFF  # rounds to even with the last bit that stays
_NAN = 0x7FC00000
_UPPER_HALVES = 0x07060302  # v_perm_b32: the upper half of the second source, then that of the first
_BYTES = 4  # of a unit
_UPPER_RESULT = 1  # the half of operand 0
_DWORD_OF_ZEROS = Immediate(0)


def select_small_float_convert(s: Selection, statement: Statement) -> None:
    """From a small float to f32, or from f32 to one."""
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
        part, result = s.parts(value)[lane // 2], (register.part(lane),)
        if lane % 2:
            put_vector(s.emitter, "v_and_b32", result, (Immediate(_UPPER), part))
        else:
            put_vector(s.emitter, "v_lshlrev_b32", result, (Immediate(_HALF), part))


def _narrow_to_halves(s: Selection, statement: Statement) -> None:
    (value,), result = statement.operands, statement.result
    register, parts = s.destination(result), s.parts(value)
    native = s.emitter.table.find("v_cvt_pk_bf16_f32")
    carries = native is None and not has_short_nans(value, s.uses.defined.get)
    for unit in range(register.count):
        held = parts[2 * unit : 2 * unit + 2]
        if native is not None:
            put_vector(s.emitter, "v_cvt_pk_bf16_f32", (register.part(unit),), (*held, Immediate(0))[:2])
            continue
        rounded = [_rounded(s, part, carries) for part in held]
        if len(rounded) == 1:
            put_vector(s.emitter, "v_lshrrev_b32", (register.part(unit),), (Immediate(_HALF), rounded[0]))
        else:
            low, high = rounded
            selector = s.emitter.scalar_constant(_UPPER_HALVES)
            put_vector(s.emitter, "v_perm_b32", (register.part(unit),), (high, low, selector))


def _rounded(s: Selection, part: Part, carries: bool) -> Register:
    """An f32 whose upper half is the bf16 nearest to it; the lower half is anything. `carries` says that the
    lower half of a NaN may, which makes another number of it."""
    emitter = s.emitter
    last, rounded = emitter.vgpr(), emitter.vgpr()
    put_vector(emitter, "v_bfe_u32", (last,), (part, Immediate(_HALF), Immediate(1)))
    below_half = emitter.scalar_constant(_BELOW_HALF)
    put_vector(emitter, "v_add3_u32", (rounded,), (part, last, below_half))
    if not carries:
        return rounded
    result, is_nan = emitter.vgpr(), emitter.mask()
    put_vector(emitter, "v_cmp_u_f32", (is_nan,), (part, part))
    put_vector(emitter, "v_cndmask_b32", (result,), (rounded, emitter.vector_constant(_NAN), is_nan))
    return result


def _widen_bytes(s: Selection, statement: Statement, source: ElementType) -> None:
    """The row that chooses the byte; of the lowest byte, the shortest."""
    (value,), register = statement.operands, s.destination(statement.result)
    rows = from_byte(s.emitter.table, source)
    per_unit = lanes_per_unit(source)
    for lane in range(register.count):
        part, byte = s.emitter.to_vgpr(s.parts(value)[lane // per_unit]), lane % per_unit
        if not byte:
            s.emitter.put(rows[0], register.part(lane), part)
            continue
        name = "src0_sel" if any(row.encoding is Encoding.SDWA for row in rows) else "byte_sel"
        chooses = next(row for row in rows if any(spec.name == name for spec in row.modifiers))
        s.emitter.put(chooses, register.part(lane), part, **{name: byte})


def _narrow_to_bytes(s: Selection, statement: Statement, target: ElementType) -> None:
    """Two lanes at a time into one half of a unit; the other half stays as it was."""
    (value,), register = statement.operands, s.destination(statement.result)
    rows, parts = to_bytes(s.emitter.table, target), s.parts(value)
    upper = next((row for row in rows if row.form == "high"), None)
    for unit in range(register.count):
        held = [s.emitter.to_vgpr(part) for part in parts[_BYTES * unit : _BYTES * (unit + 1)]]
        pairs = [held[i : i + 2] for i in range(0, len(held), 2)]
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
