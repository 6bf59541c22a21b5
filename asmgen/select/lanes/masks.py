"""Bool: comparisons, selection by a condition, and logic on lane masks, or on 0 and 1 in SGPRs.

The bits of a lane mask are undefined for inactive lanes. Only `if` and the loops, which combine a mask with
EXEC, and merges, which choose by EXEC, may read them.

Whether any lane is in a mask, and whether a lane with a uniform number is in it, are uniform: SCC if the
reader follows at once, else 0 or 1 in an SGPR. A branch on whether any lane is in a mask reads VCC itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.graph.ops import NOT, WHERE
from asmgen.ir.program import Statement, Value, lane_type
from asmgen.ir.types import BOOL, F16
from asmgen.lanewise import ops
from asmgen.lanewise.records import classes_of
from asmgen.lanewise.reduction_ops import IS_LANE
from asmgen.select.arithmetic.alu import half_lane, select_scalar
from asmgen.select.arithmetic.narrow import (
    BYTES,
    HALVES,
    Place,
    lowest,
    place_of,
    put_joined,
    put_widened_bytes,
)
from asmgen.select.arithmetic.wide import put_wide_comparison, put_wide_scalar_comparison
from asmgen.select.lanes.reductions import put_one_lane
from asmgen.select.operands import half_row, put_mask, put_scalar, put_vector, with_sign
from asmgen.select.rules import COMPARISONS, MASKS
from asmgen.select.selection import (
    UNIT_BITS,
    Part,
    Selection,
    SourceOperand,
    is_wide,
    lanes_per_unit,
    source_of,
    units_per_lane,
    unsupported,
)
from isa.instruction import Encoding, Immediate
from isa.lane_masks import MaskOperation
from isa.registers import Register

_INVERTS = frozenset({NOT, ops.SPLAT})
_WORD_1, _DWORD = 5, 6  # of SDWA's selects
_ONES = 0x00010001  # 1 in both halves


def select_comparison(s: Selection, statement: Statement) -> None:
    """A relation of numbers or of bools."""
    if lane_type(statement.operands[0]).element is BOOL and not s.is_uniform(statement.result):
        select_mask_op(s, statement)
    elif statement.result in s.uses.deferred:
        return
    elif s.is_uniform(statement.result):
        register = s.scalar_destination(statement.result)
        for lane in range(register.count):
            put_scalar_comparison(s, statement, lane)
            s.emitter.put("s_cselect_b32", register.part(lane), 1, 0)
            if _is_asked_as_mask(s, statement.result):
                s.make_mask(register.part(lane))
    else:
        lanes = lane_type(statement.result).lanes
        masks = tuple(
            s.emitter.mask(statement.result.name if lanes == 1 else f"{statement.result.name}.{lane}")
            for lane in range(lanes)
        )
        for lane, mask in enumerate(masks):
            put_comparison(s, statement, lane, mask)
        s.define(statement.result, masks)


def _is_asked_as_mask(s: Selection, value: Value) -> bool:
    """Whether a reader takes a uniform bool as a lane mask. SCC gives it as well, without another compare."""
    for user in [use.statement for use in s.uses.of(value)]:
        if user.op is ops.LOAD_TO_LDS or (user.op is WHERE and not s.is_uniform(user.result)):
            return True
        if user.op is ops.SPLAT and _is_asked_as_mask(s, user.result):
            return True
    return False


def put_scalar_comparison(s: Selection, statement: Statement, lane: int) -> None:
    """Compare a lane of uniform integers, or of 0 and 1; the result is SCC."""
    element = lane_type(statement.operands[0]).element
    if is_wide(element):
        put_wide_scalar_comparison(s, statement, lane)
        return
    name = COMPARISONS[statement.op].scalar["u32" if element is BOOL else element.name]
    put_scalar(s.emitter, name, (), tuple(s.parts(operand)[lane] for operand in statement.operands))


def put_comparison(s: Selection, statement: Statement, lane: int, mask: Register) -> None:
    """Compare a lane of numbers into a lane mask."""
    comparison = COMPARISONS[statement.op]
    element = lane_type(statement.operands[0]).element
    if is_wide(element):
        put_wide_comparison(s, statement, lane, mask)
        return
    name = comparison.vector.get(element.name)
    if name is None:
        raise unsupported(statement)
    sources = [source_of(s, operand) for operand in statement.operands]
    if element is F16 and lane % HALVES and _put_upper_comparison(s, name, mask, sources, lane // HALVES):
        return
    chosen: list[Part] = []
    neg = abs_ = 0
    for position, (operand, source) in enumerate(zip(statement.operands, sources, strict=True)):
        part = _lane_of(s, source, lane, operand)
        signed = with_sign(part, source.type, source.neg, source.abs) if source.neg or source.abs else None
        chosen.append(part if signed is None else signed)
        if signed is None:
            neg |= source.neg << position
            abs_ |= source.abs << position
    put_vector(
        s.emitter,
        name,
        (mask,),
        tuple(chosen),
        neg,
        abs_,
        reversed=COMPARISONS[comparison.swapped].vector[element.name],
    )


def _put_upper_comparison(
    s: Selection, name: str, mask: Register, sources: Sequence[SourceOperand], unit: int
) -> bool:
    """Compare the upper halves of registers in place; False if the target has no row for that."""
    table = s.emitter.table
    by_word = next((row for row in table.named(name) if row.encoding is Encoding.SDWA), None)
    row = by_word or half_row(table, name)
    if row is None:
        return False
    parts: list[Register] = []
    is_upper: list[bool] = []
    for source in sources:
        part = source.parts[unit]
        is_upper.append(isinstance(part, Register))
        upper = Immediate(part.bits >> UNIT_BITS // HALVES) if isinstance(part, Immediate) else part
        parts.append(s.emitter.to_vgpr(upper))
    modifiers = {"neg": _bits([s.neg for s in sources]), "abs": _bits([s.abs for s in sources])}
    if by_word is not None:
        selected = [_WORD_1 if upper else _DWORD for upper in is_upper]
        modifiers |= {"src0_sel": selected[0], "src1_sel": selected[1]}
    else:
        modifiers["half"] = _bits([False, *is_upper])
    s.emitter.put(row, mask, *parts, **modifiers)
    return True


def _bits(flags: Sequence[bool]) -> int:
    return sum([flag << number for number, flag in enumerate(flags)])


def _lane_of(s: Selection, source: SourceOperand, lane: int, operand: Value) -> Part:
    return half_lane(s, source.parts, lane) if lane_type(operand).element is F16 else source.parts[lane]


def put_condition(s: Selection, condition: Value) -> Register | Immediate:
    """A divergent condition as a single lane mask for EXEC; a deferred compare is made here, in VCC."""
    if condition not in s.uses.deferred:
        return s.masks(condition)[0]
    statement = s.uses.defined[condition]
    vcc = s.emitter.masks.vcc
    if statement.op is IS_LANE:
        put_one_lane(s, vcc, statement)
        return vcc
    if lane_type(statement.operands[0]).element is BOOL:
        select_mask_op(s, statement)
        return s.masks(condition)[0]
    put_comparison(s, statement, 0, vcc)
    return vcc


def put_scalar_condition(s: Selection, condition: Value) -> None:
    """A uniform condition in SCC."""
    statement = s.uses.defined[condition] if condition in s.uses.deferred else None
    if statement is not None and statement.op in COMPARISONS:
        put_scalar_comparison(s, statement, 0)
    elif statement is not None:
        put_truth(s, statement)
    else:
        put_scalar(s.emitter, "s_cmp_lg_u32", (), (s.scalar_part(condition), Immediate(0)))


def select_mask_op(s: Selection, statement: Statement) -> None:
    """Logic and relations on bools."""
    rule = MASKS.get(statement.op)
    if rule is None:
        raise unsupported(statement)
    if s.is_uniform(statement.result):
        select_scalar(s, statement, rule.scalar)
        return
    operands = [s.masks(statement.operands[i]) for i in rule.order]
    masks: list[Register] = []
    for sources in zip(*operands, strict=True):
        mask = s.emitter.mask(statement.result.name)
        put_mask(s.emitter, rule.mask, mask, *sources)
        masks.append(mask)
    s.define(statement.result, tuple(masks))


def select_not(s: Selection, statement: Statement) -> None:
    (value,), result = statement.operands, statement.result
    if s.is_uniform(result):
        register = s.scalar_destination(result)
        for lane, part in enumerate(s.parts(value)):
            put_scalar(s.emitter, "s_xor_b32", (register.part(lane),), (part, Immediate(1)))
        return
    masks: list[Register] = []
    for part in s.masks(value):
        mask = s.emitter.mask(result.name)
        put_mask(s.emitter, MaskOperation.NOT, mask, part)
        masks.append(mask)
    s.define(result, tuple(masks))


def select_where(s: Selection, statement: Statement) -> None:
    """`where(c, a, b)`: a scalar select, v_cndmask, or for bools the masks' own logic."""
    condition, a, b = statement.operands
    result = statement.result
    if result in s.uses.absorbed:
        return  # it is chosen as an address (`address`)
    if s.is_uniform(result):
        register = s.scalar_destination(result)
        put_scalar_condition(s, condition)
        for unit in range(register.count):
            put_scalar(
                s.emitter, "s_cselect_b32", (register.part(unit),), (s.parts(a)[unit], s.parts(b)[unit])
            )
    elif lane_type(result).element is BOOL:
        s.define(
            result,
            tuple(
                _choose_masks(s, *m, result.name)
                for m in zip(s.masks(condition), s.masks(a), s.masks(b), strict=True)
            ),
        )
    elif condition in s.truths:
        _choose_by_bytes(s, statement, s.truths[condition])
    elif lanes_per_unit(lane_type(result).element) > 1:
        _select_narrow_where(s, statement)
    else:
        register = s.destination(result)
        step = units_per_lane(lane_type(result).element)
        for lane in range(lane_type(condition).lanes):
            for unit in range(step * lane, step * lane + step):
                put_choice(s, register.part(unit), (condition, lane), s.parts(a)[unit], s.parts(b)[unit])


def put_choice(s: Selection, result: Register, condition: tuple[Value, int], a: Part, b: Part) -> None:
    """`a` in the lanes of a condition, else `b`: a single v_cndmask, for an inverse condition too. If the
    condition is known, a move of that of the two which it takes."""
    chooser, lane = condition
    while (statement := s.uses.defined.get(chooser)) is not None and statement.op in _INVERTS:
        (chooser,) = statement.operands
        if statement.op is ops.SPLAT:
            lane = 0
        else:
            a, b = b, a
    known = None if chooser in s.uses.deferred else s.masks(chooser)[lane]
    if isinstance(known, Immediate):
        put_vector(s.emitter, "v_mov_b32", (result,), (a if known.bits else b,))
    else:
        put_vector(s.emitter, "v_cndmask_b32", (result,), (b, a, _lane_mask(s, chooser, lane)))


def _lane_mask(s: Selection, condition: Value, lane: int) -> Register:
    """A lane of a condition of v_cndmask; a deferred compare is made here, in VCC, which the short form reads
    and writes."""
    if condition not in s.uses.deferred:
        return s.mask_registers(condition)[lane]
    statement = s.uses.defined[condition]
    vcc = s.emitter.masks.vcc
    if s.is_uniform(condition):
        put_scalar_comparison(s, statement, lane)
        s.emitter.put_mask(MaskOperation.SELECT, vcc, Immediate(s.emitter.masks.every_lane), 0)
    else:
        put_comparison(s, statement, lane, vcc)
    return vcc


def _choose_masks(s: Selection, chooser: Part, a: Part, b: Part, name: str) -> Register:
    """(a and c) or (b and not c)"""
    emitter = s.emitter
    taken, left, result = emitter.mask(), emitter.mask(), emitter.mask(name)
    put_mask(emitter, MaskOperation.AND, taken, a, chooser)
    put_mask(emitter, MaskOperation.AND_NOT, left, b, chooser)
    put_mask(emitter, MaskOperation.OR, result, taken, left)
    return result


def _select_narrow_where(s: Selection, statement: Statement) -> None:
    """Whole registers if all their lanes have one condition; else a choice for each condition, of which the
    lanes are joined."""
    condition, a, b = statement.operands
    result, element = statement.result, lane_type(statement.result).element
    per_unit, lanes = lanes_per_unit(element), lane_type(result).lanes
    if lanes == 1:
        chosen = [lowest(s, place_of(s, value, 0), element.bytes) for value in (a, b)]
        put_choice(s, s.destination(result), (condition, 0), chosen[0], chosen[1])
        return
    masks, register = s.masks(condition), s.destination(result)
    for unit in range(register.count):
        own = range(unit * per_unit, min((unit + 1) * per_unit, lanes))
        made: dict[Part, Register] = {}
        for lane in own:
            if masks[lane] not in made:
                is_whole = all(masks[other] == masks[lane] for other in own)
                made[masks[lane]] = register.part(unit) if is_whole else s.emitter.vgpr()
                parts = s.parts(a)[unit], s.parts(b)[unit]
                put_choice(s, made[masks[lane]], (condition, lane), *parts)
        if len(made) > 1:
            places = [Place(made[masks[lane]], (lane - own.start) * element.bytes) for lane in own]
            put_joined(s, register.part(unit), places, element.bytes)


def _choose_by_bytes(s: Selection, statement: Statement, raw: Register) -> None:
    """Pairs of 16 bits by masks of 16 bits. Two bytes of bools become numbers of 16 bits, at most 1, and are
    subtracted from 0: 0xffff if a byte is not 0."""
    _, a, b = statement.operands
    register, lanes = s.destination(statement.result), lane_type(statement.result).lanes
    for unit in range(register.count):
        own = range(HALVES * unit, min(HALVES * (unit + 1), lanes))
        wide, truth, mask = (s.emitter.vgpr() for _ in range(3))
        word = raw.part(own.start // BYTES)
        put_widened_bytes(s, wide, word, [lane % BYTES for lane in own])
        s.emitter.put("v_pk_min_u16", truth, wide, s.emitter.scalar_constant(_ONES))
        s.emitter.put("v_pk_sub_u16", mask, 0, truth)
        put_vector(s.emitter, "v_bfi_b32", (register.part(unit),), (mask, s.parts(a)[unit], s.parts(b)[unit]))


def select_class(s: Selection, statement: Statement) -> None:
    """The float class test."""
    (value,) = statement.operands
    tested = classes_of(statement)
    source = source_of(s, value)
    masks: list[Register] = []
    for part in source.parts:
        mask = s.emitter.mask(statement.result.name)
        put_vector(
            s.emitter, "v_cmp_class_f32", (mask,), (part, Immediate(tested)), int(source.neg), int(source.abs)
        )
        masks.append(mask)
    s.define(statement.result, tuple(masks))


_ANY_BIT = {1: "s_cmp_lg_u32", 2: "s_cmp_lg_u64"}  # by the SGPRs of a mask
_BIT = {1: "s_bitcmp1_b32", 2: "s_bitcmp1_b64"}


def active_mask(s: Selection, condition: Value) -> Register:
    """A condition of lanes as a mask that has no lanes which are off; a comparison leaves none in."""
    (mask,) = s.mask_registers(condition)
    if _is_comparison(s, condition):
        return mask
    active = s.emitter.mask()
    s.emitter.put_mask(MaskOperation.AND, active, mask, s.emitter.masks.exec)
    return active


def put_any_in_vcc(s: Selection, condition: Value) -> None:
    """The active lanes of a condition in VCC, for a branch on whether there are any."""
    vcc = s.emitter.masks.vcc
    (mask,) = s.mask_registers(condition)
    if _is_comparison(s, condition):
        put_mask(s.emitter, MaskOperation.MOVE, vcc, mask)
    else:
        s.emitter.put_mask(MaskOperation.AND, vcc, mask, s.emitter.masks.exec)


def _is_comparison(s: Selection, condition: Value) -> bool:
    made = s.uses.defined.get(condition)
    return made is not None and made.op in COMPARISONS


def put_truth(s: Selection, statement: Statement) -> None:
    """An `any_lane`, or a `lane_shuffle` of a bool from a lane that is the same for all, in SCC."""
    units = s.emitter.masks.units
    if statement.op is ops.ANY_LANE:
        put_scalar(s.emitter, _ANY_BIT[units], (), (active_mask(s, statement.operands[0]), Immediate(0)))
        return
    condition, lane = statement.operands
    (mask,) = s.mask_registers(condition)
    put_scalar(s.emitter, _BIT[units], (), (mask, s.scalar_part(lane)))


def select_truth(s: Selection, statement: Statement) -> None:
    """The truth as 0 or 1, unless its only reader makes it in place."""
    if statement.result in s.uses.deferred:
        return
    register = s.scalar_destination(statement.result)
    put_truth(s, statement)
    s.emitter.put("s_cselect_b32", register, 1, 0)
    if _is_asked_as_mask(s, statement.result):
        s.make_mask(register)


def select_add_carry(s: Selection, statement: Statement) -> None:
    """Add two words, and 1 if the condition is true: the scalar unit adds SCC, the vector unit a lane
    mask."""
    a, b, carry = statement.operands
    if s.is_uniform(statement.result):
        terms = s.scalar_part(a), s.scalar_part(b)
        register = s.scalar_destination(statement.result)
        put_scalar_condition(s, carry)
        put_scalar(s.emitter, "s_addc_u32", (register,), terms)
        return
    terms, (mask,) = (s.parts(a)[0], s.parts(b)[0]), s.mask_registers(carry)
    register = s.destination(statement.result)
    put_vector(s.emitter, "v_addc_co_u32", (register, s.emitter.mask()), (*terms, mask))
