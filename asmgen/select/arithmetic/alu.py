"""Elementwise ops by their records: a scalar instruction, a packed instruction for two elements, or an
instruction per element; and the hardware's division steps.

Packed f32 (VOP3P) takes register pairs. Its constants are inline constants, which both lanes read through
`op_sel_hi` 0 as clang writes them, or the lower half of an SGPR pair, which both lanes read. LLVM takes no
literal there, and a single SGPR pair at most.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from asmgen.ir.program import Statement, lane_type
from asmgen.ir.types import F16, LaneType
from asmgen.lanewise.ops import DIV_FMAS
from asmgen.lanewise.records import numbers_of, scales_numerator
from asmgen.select.arithmetic.narrow import Place, lowest
from asmgen.select.arithmetic.wide import pair_of, select_wide
from asmgen.select.operands import Sources, put_mask, put_scalar, put_vector, with_sign
from asmgen.select.rules import ARITHMETIC, Rule
from asmgen.select.selection import (
    Part,
    Parts,
    Selection,
    SourceOperand,
    constant_parts,
    is_wide,
    source_of,
    units_per_lane,
    unsupported,
)
from isa.constants import inline_spelling
from isa.instruction import Immediate, ModifierValue, Row
from isa.lane_masks import MaskOperation
from isa.registers import Register
from isa.table import Table

HALF_BITS = 16
HALF_BYTES = 2


def select_elementwise(s: Selection, statement: Statement) -> None:
    """An op of `ARITHMETIC`."""
    element = lane_type(statement.operands[0]).element
    if is_wide(element):
        select_wide(s, statement)
        return
    rule = ARITHMETIC[statement.op].get(element.name)
    if rule is None:
        raise unsupported(statement)
    value = statement.result
    if s.is_uniform(value):
        select_scalar(s, statement, rule.scalar)
        return
    sources = [source_of(s, operand) for operand in statement.operands]
    if element is F16:
        _select_half(s, statement, rule, sources)
        return
    lanes = lane_type(value).lanes
    if lanes == 1:
        _put_element(s, rule, s.destination(value), sources, 0)
        return
    if all(_is_repeated(source.parts) for source in sources):
        register = s.emitter.vgpr(1, value.name)
        _put_element(s, rule, register, sources, 0)
        s.define(value, (register,) * lanes)
        return
    result = s.destination(value)
    packed = packed_row(s.emitter.table, rule)
    done = _put_pairs_alike(s, rule, packed, result, sources) if packed is not None else 0
    for first in range(done, lanes, 2):
        if (
            packed is not None
            and first + 1 < lanes
            and _put_pair(s, rule, packed, result.part(first, 2), sources, first)
        ):
            continue
        for lane in range(first, min(first + 2, lanes)):
            _put_element(s, rule, result.part(lane), sources, lane)


def _is_repeated(parts: Parts) -> bool:
    return parts.count(parts[0]) == len(parts)


def select_scalar(s: Selection, statement: Statement, name: str) -> None:
    """One scalar instruction `name` for each lane."""
    register = s.scalar_destination(statement.result)
    for lane in range(register.count):
        put_scalar(
            s.emitter,
            name,
            (register.part(lane),),
            tuple(s.parts(operand)[lane] for operand in statement.operands),
        )


def _put_element(s: Selection, rule: Rule, result: Register, sources: list[SourceOperand], lane: int) -> None:
    neg = abs_ = 0
    ordered = [sources[index] for index in rule.order if index < len(sources)]
    chosen = [source.parts[lane] for source in ordered]
    for position, source in enumerate(ordered):
        if not (source.neg or source.abs):
            continue
        signed = with_sign(chosen[position], source.type, source.neg, source.abs)
        if signed is None:
            neg |= source.neg << position
            abs_ |= source.abs << position
        else:
            chosen[position] = signed
    chosen += [Immediate(number) for number in rule.last]
    put_vector(s.emitter, rule.vector, (result,), tuple(chosen), neg, abs_, rule.reversed)


# Packed f32


class _Pair(Struct, frozen=True):
    """A packed operand: a register pair or constant, and the half of it that each lane takes."""

    operand: Part
    low: int
    high: int


Constants = tuple[Immediate, Immediate]  # of the two lanes of a packed operand


def packed_row(table: Table, rule: Rule) -> Row | None:
    """The packed form of an op; None if the op or the target has none."""
    return table.find(rule.packed) if rule.packed else None


def _put_pairs_alike(
    s: Selection, rule: Rule, packed: Row, result: Register, sources: list[SourceOperand]
) -> int:
    """Append the packed instructions of a statement, if its pairs of lanes differ only in their VGPRs.
    Returns the number of lanes done, 0 if the pairs differ otherwise."""
    pairs: list[_Pair | Constants] = []
    neg: list[int] = []
    alone: list[int] = []
    wholes = [s.consecutive(source.parts) for source in sources]
    for position, (source, whole) in enumerate(zip(sources, wholes, strict=True)):
        negated = source.neg != bool(rule.negated >> position & 1)
        first = source.parts[0]
        repeated = _repeated_half(s, first) if _is_repeated(source.parts) and not source.abs else None
        if whole is not None and not source.abs and s.emitter.is_vgpr(whole):
            pairs.append(_Pair(whole, 0, 1))
        elif repeated is not None:
            pairs.append(repeated)
        elif isinstance(first, Immediate) and _is_repeated(source.parts):
            constant = _signed(first, source, negated)
            pairs.append((constant, constant))
        elif s.emitter.is_vgpr(first) and result.count > 2 and _is_repeated(source.parts) and not source.abs:
            alone.append(position)
            pairs.append(_Pair(first, 0, 1))
        else:
            return 0
        neg.append(int(negated and isinstance(pairs[-1], _Pair)))
    for position in alone:
        pairs[position] = _Pair(_doubled(s, sources[position].parts[0]), 0, 1)
    operands = _constants(s, packed, pairs)
    modifiers = _pair_modifiers(operands, neg)
    same = _one_scalar(s, tuple([p.operand for p in operands]))
    lanes = result.count - result.count % 2
    for lane in range(0, lanes, 2):
        inputs = [
            whole.part(lane, 2) if isinstance(p, _Pair) and whole and s.emitter.is_vgpr(whole) else operand
            for whole, p, operand in zip(wholes, pairs, same, strict=True)
        ]
        s.emitter.put(packed, result.part(lane, 2), *inputs, **modifiers)
    return lanes


def _pair_modifiers(operands: list[_Pair], neg: list[int]) -> dict[str, ModifierValue]:
    """The modifiers of a packed instruction that differ from the row's defaults."""
    if not any(neg) and all(p.low == 0 and p.high == 1 for p in operands):
        return {}
    return {
        "op_sel": tuple([p.low for p in operands]),
        "op_sel_hi": tuple([p.high for p in operands]),
        "neg_lo": tuple(neg),
        "neg_hi": tuple(neg),
    }


def _put_pair(
    s: Selection, rule: Rule, packed: Row, result: Register, sources: list[SourceOperand], lane: int
) -> bool:
    """Append the packed instruction of two lanes; False, and nothing is appended, if its operands are not
    pairs."""
    pairs: list[_Pair | Constants] = []
    neg: list[int] = []
    for position, source in enumerate(sources):
        negated = source.neg != bool(rule.negated >> position & 1)
        low, high = source.parts[lane : lane + 2]
        if isinstance(low, Immediate) and isinstance(high, Immediate):
            pairs.append((_signed(low, source, negated), _signed(high, source, negated)))
            neg.append(0)
            continue
        pair = None if source.abs else _register_pair(s, low, high)
        if pair is None:
            return False
        pairs.append(pair)
        neg.append(int(negated))
    operands = _constants(s, packed, pairs)
    inputs = _one_scalar(s, tuple([p.operand for p in operands]))
    s.emitter.put(packed, result, *inputs, **_pair_modifiers(operands, neg))
    return True


def _signed(constant: Immediate, source: SourceOperand, negated: bool) -> Immediate:
    return with_sign(constant, source.type, negated, source.abs) or constant


def _register_pair(s: Selection, low: Part, high: Part) -> _Pair | None:
    """Two registers that are a pair, in order or exchanged, or half of a pair twice, as a packed operand."""
    if not isinstance(low, Register) or not isinstance(high, Register):
        return None
    if low == high:
        return _repeated_half(s, low)
    if low.first < high.first:
        whole, halves = s.consecutive((low, high)), (0, 1)
    else:
        whole, halves = s.consecutive((high, low)), (1, 0)
    return None if whole is None else _Pair(whole, *halves)


def _repeated_half(s: Selection, part: Part) -> _Pair | None:
    """A register that both lanes read, as half of the pair that it is in."""
    whole = s.pairs.get(part) if isinstance(part, Register) else None
    if whole is None or not isinstance(part, Register):
        return None
    half = part.first - whole.first
    return _Pair(whole, half, half)


def _constants(s: Selection, packed: Row, pairs: list[_Pair | Constants]) -> list[_Pair]:
    """Give the constants of a packed instruction that are not inline registers: the first an SGPR pair, the
    others VGPR pairs."""
    known = [pair for pair in pairs if isinstance(pair, _Pair)]
    if len(known) == len(pairs):
        return known
    on_bus = any(s.emitter.is_scalar(pair.operand) for pair in known)
    result: list[_Pair] = []
    for spec, pair in zip(packed.operands[1:], pairs, strict=True):
        if isinstance(pair, _Pair):
            result.append(pair)
            continue
        low, high = pair
        if low == high and inline_spelling(low.bits, spec.type) is not None:
            result.append(_Pair(low, 0, 0))
        else:
            make = s.emitter.vector_pair if on_bus else s.emitter.scalar_pair
            on_bus = True
            result.append(_Pair(make(low.bits, 0 if low == high else high.bits), 0, int(low != high)))
    return result


def _one_scalar(s: Selection, operands: Sources) -> Sources:
    """Copy SGPR pairs beyond the first to VGPR pairs."""
    kept: Part | None = None
    chosen: list[Part] = []
    for operand in operands:
        if s.emitter.is_scalar(operand) and operand != kept:
            if kept is None:
                kept = operand
            else:
                operand = _pair_to_vgprs(s, operand)
        chosen.append(operand)
    return tuple(chosen)


def _doubled(s: Selection, part: Part) -> Register:
    """Two copies of a register, which `read_splats` removes again."""

    def make() -> Register:
        pair = s.emitter.vgpr(2)
        for half in range(2):
            s.emitter.move(pair.part(half), part)
        return pair

    return s.emitter.shared(("doubled", part), make)


def _pair_to_vgprs(s: Selection, operand: Part) -> Register:
    assert isinstance(operand, Register)

    def make() -> Register:
        register = s.emitter.vgpr(2)
        s.emitter.move(register, operand)
        return register

    return s.emitter.shared(("copy", operand), make)


# f16, two lanes in a register


def _select_half(s: Selection, statement: Statement, rule: Rule, sources: list[SourceOperand]) -> None:
    """Pairs by the packed instruction; a single last lane, or an op without a packed form, lane by lane."""
    lanes = lane_type(statement.result).lanes
    result = s.destination(statement.result)
    packed = packed_row(s.emitter.table, rule)
    for unit in range(result.count):
        if 2 * unit + 1 < lanes and packed is not None and not any(source.abs for source in sources):
            _put_half_pair(s, rule, packed, result.part(unit), sources, unit)
        elif 2 * unit + 1 < lanes:
            halves = [s.emitter.vgpr() for _ in range(2)]
            for lane, half in enumerate(halves):
                _put_element(
                    s, rule, half, [_half_source(s, source, 2 * unit + lane) for source in sources], 0
                )
            s.emitter.put("v_pack_b32_f16", result.part(unit), *halves)
        else:
            _put_element(
                s, rule, result.part(unit), [_half_source(s, source, 2 * unit) for source in sources], 0
            )


def _half_source(s: Selection, source: SourceOperand, lane: int) -> SourceOperand:
    return replace(source, parts=(half_lane(s, source.parts, lane),))


def half_lane(s: Selection, parts: Parts, lane: int) -> Part:
    """A lane of an f16 value in the lower half of a register; the upper half is undefined."""
    return lowest(s, Place(parts[lane // 2], lane % 2 * HALF_BYTES), HALF_BYTES)


def _put_half_pair(
    s: Selection, rule: Rule, packed: Row, result: Register, sources: list[SourceOperand], unit: int
) -> None:
    chosen: list[Part] = []
    neg: list[int] = []
    high: list[int] = []
    for position, source in enumerate(sources):
        part, both = source.parts[unit], 1
        if isinstance(part, Immediate):
            part, both = _half_constant(s, part)
        chosen.append(part)
        high.append(both)
        neg.append(int(source.neg != bool(rule.negated >> position & 1)))
    modifiers = {"op_sel_hi": tuple(high), "neg_lo": tuple(neg), "neg_hi": tuple(neg)}
    s.emitter.put(packed, result, *_one_scalar(s, tuple(chosen)), **modifiers)


def _half_constant(s: Selection, part: Immediate) -> tuple[Part, int]:
    """Two f16 constants as an operand, and the half that the upper lane reads: an inline constant for both,
    or a register."""
    low, high = part.bits & 0xFFFF, part.bits >> 16
    if low == high and inline_spelling(low, "f16") is not None:
        return Immediate(low), 0
    return s.emitter.vector_constant(part.bits), 1


def select_literal(s: Selection, statement: Statement) -> None:
    """A constant: no instruction until something needs it in a register. A literal in memory is a buffer
    (`asmgen.select.abi`)."""
    type_ = statement.result.type
    if not isinstance(type_, LaneType):
        return
    s.define(statement.result, constant_parts(type_, tuple(numbers_of(statement))))


# The hardware's division steps


def select_div_scale(s: Selection, statement: Statement) -> None:
    """The numerator or the denominator scaled, and the mask that v_div_fmas wants."""
    numerator, denominator = statement.operands
    scaled, flag = statement.results
    first = numerator if scales_numerator(statement) else denominator
    sources = [source_of(s, value) for value in (first, denominator, numerator)]
    register = s.destination(scaled)
    masks: list[Register] = []
    step = units_per_lane(lane_type(scaled).element)
    name = "v_div_scale_f64" if step > 1 else "v_div_scale_f32"
    for lane in range(lane_type(scaled).lanes):
        mask = s.emitter.mask(flag.name)
        chosen = tuple(_lane_of(s, source.parts, lane, step) for source in sources)
        put_vector(s.emitter, name, (register.part(step * lane, step), mask), chosen)
        masks.append(mask)
    s.define(flag, tuple(masks))


def select_div_fmas(s: Selection, statement: Statement) -> None:
    """a b + c, scaled back in the lanes of the mask in VCC."""
    assert statement.op is DIV_FMAS
    *terms, flag = statement.operands
    sources = [s.parts(value) for value in terms]
    register = s.destination(statement.result)
    step = units_per_lane(lane_type(statement.result).element)
    name = "v_div_fmas_f64" if step > 1 else "v_div_fmas_f32"
    for lane, mask in enumerate(s.masks(flag)):
        put_mask(s.emitter, MaskOperation.MOVE, s.emitter.masks.vcc, mask)
        chosen: list[Part] = [_lane_of(s, parts, lane, step) for parts in sources]
        put_vector(s.emitter, name, (register.part(step * lane, step),), tuple(chosen))


def _lane_of(s: Selection, parts: Parts, lane: int, step: int) -> Part:
    return pair_of(s, parts, lane, "f64") if step > 1 else parts[lane]
