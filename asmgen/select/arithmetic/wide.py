"""Elements of 64 bits: i64, u64 and f64. A lane takes two units, the lower half first.

f64 has instructions of its own, which read pairs of registers. An integer is added and subtracted in two
halves with a carry, multiplied in parts, shifted as a pair, and combined bit by bit in halves. The scalar
unit does the same on SGPRs; it has no f64 and no order relations of 64 bits.

    c = add(a, b) -> i64        v_add_co_u32 of the lower halves, v_addc_co_u32 of the upper halves
"""

from __future__ import annotations

from asmgen.graph.ops import (
    ADD,
    BITWISE_AND,
    BITWISE_NOT,
    BITWISE_OR,
    BITWISE_XOR,
    EQUAL,
    GREATER,
    LESS,
    MUL,
    SUB,
)
from asmgen.ir.program import Op, Statement, lane_type
from asmgen.ir.types import BOOL, F64, ElementType
from asmgen.lanewise import ops
from asmgen.select.operands import Sources, put_scalar, put_vector, with_sign
from asmgen.select.rules import WIDE_FLOATS, FloatRule
from asmgen.select.selection import UNIT_BITS, Part, Parts, Selection, is_wide, source_of, unsupported
from isa.constants import inline_spelling
from isa.instruction import Immediate
from isa.named_tuple import NamedTuple
from isa.registers import Register

SIGN = 0x80000000


class CarryRule(NamedTuple):
    """A sum or difference: the instructions of the lower and of the upper half, in the vector and in the
    scalar unit."""

    low: str
    high: str
    scalar_low: str
    scalar_high: str


CARRIES: dict[Op, CarryRule] = {
    ADD: CarryRule("v_add_co_u32", "v_addc_co_u32", "s_add_u32", "s_addc_u32"),
    SUB: CarryRule("v_sub_co_u32", "v_subb_co_u32", "s_sub_u32", "s_subb_u32"),
}
HALVES: dict[Op, tuple[str, str]] = {  # the same on both halves: in the vector and in the scalar unit
    BITWISE_AND: ("v_and_b32", "s_and_b32"), BITWISE_OR: ("v_or_b32", "s_or_b32"),
    BITWISE_XOR: ("v_xor_b32", "s_xor_b32"),
    BITWISE_NOT: ("v_not_b32", "s_not_b32"),
}  # fmt: skip
SHIFTS: dict[tuple[Op, str], tuple[str, str]] = {
    (ops.SHIFT_LEFT, "i64"): ("v_lshlrev_b64", "s_lshl_b64"),
    (ops.SHIFT_LEFT, "u64"): ("v_lshlrev_b64", "s_lshl_b64"),
    (ops.SHIFT_RIGHT, "i64"): ("v_ashrrev_i64", "s_ashr_i64"),
    (ops.SHIFT_RIGHT, "u64"): ("v_lshrrev_b64", "s_lshr_b64"),
}  # fmt: skip
INTEGERS = frozenset({*CARRIES, *HALVES, ops.SHIFT_LEFT, ops.SHIFT_RIGHT, MUL})
_FLOAT_RELATIONS = {
    EQUAL: "eq",
    ops.NOT_EQUAL: "neq",
    LESS: "lt",
    GREATER: "gt",
    ops.LESS_EQUAL: "le",
    ops.GREATER_EQUAL: "ge",
    ops.UNORDERED: "u",
}
_INTEGER_RELATIONS = {**_FLOAT_RELATIONS, ops.NOT_EQUAL: "ne"}
_EXCHANGED = {
    LESS: GREATER,
    GREATER: LESS,
    ops.LESS_EQUAL: ops.GREATER_EQUAL,
    ops.GREATER_EQUAL: ops.LESS_EQUAL,
}
SCALAR_RELATIONS = {EQUAL: "s_cmp_eq_u64", ops.NOT_EQUAL: "s_cmp_lg_u64"}  # of integers of either sign


def has_scalar_form(op: Op, element: ElementType) -> bool:
    """Whether the scalar unit can do an op on elements of 64 bits that are in SGPRs."""
    return element is not F64 and (op in INTEGERS or op in SCALAR_RELATIONS)


def lane_parts(parts: Parts, lane: int) -> Parts:
    """Both halves of a lane."""
    return parts[2 * lane : 2 * lane + 2]


def pair_of(s: Selection, parts: Parts, lane: int, type_name: str) -> Part:
    """A lane as a single operand: an inline constant, a pair of registers in place, or a copy."""
    low, high = lane_parts(parts, lane)
    if isinstance(low, Immediate) and isinstance(high, Immediate):
        bits = low.bits | high.bits << UNIT_BITS
        return (
            Immediate(bits)
            if inline_spelling(bits, type_name) is not None
            else s.emitter.scalar_pair(low.bits, high.bits)
        )
    whole = s.consecutive((low, high))
    return whole if whole is not None else s.as_tuple((low, high))


def select_wide(s: Selection, statement: Statement) -> None:
    """Arithmetic on elements of 64 bits."""
    op, element = statement.op, lane_type(statement.operands[0]).element
    if element is F64 and op in WIDE_FLOATS:
        _select_float(s, statement, WIDE_FLOATS[op])
    elif element is F64 or element is BOOL:
        raise unsupported(statement)
    elif op in CARRIES:
        a, b = (s.parts(operand) for operand in statement.operands)
        put_carry(s, statement, CARRIES[op], a, b)
    elif op in HALVES:
        _select_halves(s, statement, *HALVES[op])
    elif (op, element.name) in SHIFTS:
        _select_shift(s, statement, *SHIFTS[op, element.name])
    elif op is MUL:
        _select_product(s, statement)
    else:
        raise unsupported(statement)


def _select_float(s: Selection, statement: Statement, rule: FloatRule) -> None:
    register = s.destination(statement.result)
    count = register.count // lane_type(statement.result).lanes
    for lane in range(lane_type(statement.result).lanes):
        sources, neg, abs_ = _lane_sources(s, statement, lane, rule.negated)
        put_vector(s.emitter, rule.name, (register.part(count * lane, count),), sources, neg, abs_)


def _lane_sources(
    s: Selection, statement: Statement, lane: int, negated: int = 0
) -> tuple[Sources, int, int]:
    """The operands of a lane, and two masks: the operands that are negated, and those that are absolute."""
    sources: list[Part] = []
    neg = abs_ = 0
    for position, operand in enumerate(statement.operands):
        source = source_of(s, operand)
        if not is_wide(lane_type(operand).element):
            sources.append(source.parts[lane])
            continue
        is_negated = source.neg != bool(negated >> position & 1)
        low, high = lane_parts(source.parts, lane)
        if is_negated or source.abs:
            constant = with_sign(high, "f32", is_negated, source.abs)  # the upper half has the sign
            high = high if constant is None else constant
            neg |= (constant is None and is_negated) << position
            abs_ |= (constant is None and source.abs) << position
        sources.append(pair_of(s, (low, high), 0, source.type))
    return tuple(sources), neg, abs_


def put_carry(s: Selection, statement: Statement, rule: CarryRule, a: Parts, b: Parts) -> None:
    """A sum or difference of `a` and `b` as a statement's result."""
    emitter, result = s.emitter, statement.result
    register = s.scalar_destination(result) if s.is_uniform(result) else s.destination(result)
    for lane in range(lane_type(result).lanes):
        (a_low, a_high), (b_low, b_high) = lane_parts(a, lane), lane_parts(b, lane)
        low, high = register.part(2 * lane), register.part(2 * lane + 1)
        if s.is_uniform(result):
            put_scalar(emitter, rule.scalar_low, (low,), (a_low, b_low))
            put_scalar(emitter, rule.scalar_high, (high,), (a_high, b_high))
            continue
        carry, last = emitter.mask(), emitter.mask()
        put_vector(emitter, rule.low, (low, carry), (a_low, b_low))
        put_vector(emitter, rule.high, (high, last), (a_high, b_high, carry))


def _select_halves(s: Selection, statement: Statement, vector: str, scalar: str) -> None:
    result = statement.result
    sources = [s.parts(operand) for operand in statement.operands]
    register = s.scalar_destination(result) if s.is_uniform(result) else s.destination(result)
    for unit in range(register.count):
        chosen = tuple(parts[unit] for parts in sources)
        if s.is_uniform(result):
            put_scalar(s.emitter, scalar, (register.part(unit),), chosen)
        else:
            put_vector(s.emitter, vector, (register.part(unit),), chosen)


def _select_shift(s: Selection, statement: Statement, vector: str, scalar: str) -> None:
    """Shift by a count modulo 64; the lower half of a count of 64 bits suffices."""
    value, count = statement.operands
    result = statement.result
    step = 2 if is_wide(lane_type(count).element) else 1
    register = s.scalar_destination(result) if s.is_uniform(result) else s.destination(result)
    for lane in range(lane_type(result).lanes):
        target, by = register.part(2 * lane, 2), s.parts(count)[step * lane]
        if s.is_uniform(result):
            put_scalar(s.emitter, scalar, (target,), (_scalar_pair_of(s, s.parts(value), lane), by))
        else:
            put_vector(s.emitter, vector, (target,), (by, pair_of(s, s.parts(value), lane, "b64")))


def _select_product(s: Selection, statement: Statement) -> None:
    """Modulo 2^64: the product of the lower halves, and the lower halves of the mixed products above it."""
    a, b = (s.parts(operand) for operand in statement.operands)
    result = statement.result
    register = s.scalar_destination(result) if s.is_uniform(result) else s.destination(result)
    put = _put_scalar_product if s.is_uniform(result) else _put_vector_product
    for lane in range(lane_type(result).lanes):
        put(s, register.part(2 * lane, 2), lane_parts(a, lane), lane_parts(b, lane))


def _put_vector_product(s: Selection, result: Register, a: Parts, b: Parts) -> None:
    emitter = s.emitter
    (a_low, a_high), (b_low, b_high) = a, b
    first, second, above, carry = emitter.vgpr(), emitter.vgpr(), emitter.vgpr(2), emitter.mask()
    put_vector(emitter, "v_mul_lo_u32", (first,), (a_low, b_high))
    put_vector(emitter, "v_mul_lo_u32", (second,), (a_high, b_low))
    emitter.move(above.part(0), Immediate(0))
    put_vector(emitter, "v_add_u32", (above.part(1),), (first, second))
    put_vector(emitter, "v_mad_u64_u32", (result, carry), (a_low, b_low, above))


def select_multiply_add(s: Selection, statement: Statement) -> None:
    """The product of two words plus a pair."""
    a, b, c = (s.parts(operand) for operand in statement.operands)
    register = s.destination(statement.result)
    for lane in range(lane_type(statement.result).lanes):
        addend = pair_of(s, c, lane, "u64")
        result = (register.part(2 * lane, 2), s.emitter.mask())
        put_vector(s.emitter, "v_mad_u64_u32", result, (a[lane], b[lane], addend))


def _put_scalar_product(s: Selection, result: Register, a: Parts, b: Parts) -> None:
    emitter = s.emitter
    (a_low, a_high), (b_low, b_high) = a, b
    first, second, third, mixed = (emitter.sgpr() for _ in range(4))
    put_scalar(emitter, "s_mul_i32", (first,), (a_low, b_high))
    put_scalar(emitter, "s_mul_i32", (second,), (a_high, b_low))
    put_scalar(emitter, "s_mul_hi_u32", (third,), (a_low, b_low))
    put_scalar(emitter, "s_mul_i32", (result.part(0),), (a_low, b_low))
    put_scalar(emitter, "s_add_u32", (mixed,), (first, second))
    put_scalar(emitter, "s_add_u32", (result.part(1),), (mixed, third))


def put_wide_comparison(s: Selection, statement: Statement, lane: int, mask: Register) -> None:
    """Compare one lane into a lane mask."""
    element = lane_type(statement.operands[0]).element
    relations = _FLOAT_RELATIONS if element is F64 else _INTEGER_RELATIONS
    if statement.op not in relations:
        raise unsupported(statement)
    sources, neg, abs_ = _lane_sources(s, statement, lane)
    other = _EXCHANGED.get(statement.op, statement.op)
    names = [f"v_cmp_{relations[op]}_{element.name}" for op in (statement.op, other)]
    put_vector(s.emitter, names[0], (mask,), sources, neg, abs_, names[1])


def put_wide_scalar_comparison(s: Selection, statement: Statement, lane: int) -> None:
    """Whether two uniform integers are equal; the result is SCC."""
    sources = tuple(_scalar_pair_of(s, s.parts(operand), lane) for operand in statement.operands)
    s.emitter.put(SCALAR_RELATIONS[statement.op], *sources)


def _scalar_pair_of(s: Selection, parts: Parts, lane: int) -> Part:
    """A lane in SGPRs as a single operand."""
    low, high = lane_parts(parts, lane)
    whole = s.consecutive((low, high))
    if whole is not None or (isinstance(low, Immediate) and isinstance(high, Immediate)):
        return whole or pair_of(s, (low, high), 0, "u64")
    register = s.emitter.sgpr(2)
    for i, part in enumerate((low, high)):
        s.emitter.move(register.part(i), part)
    return register


def select_low_word(s: Selection, statement: Statement) -> None:
    s.define(statement.result, s.parts(statement.operands[0])[0::2])


def select_high_word(s: Selection, statement: Statement) -> None:
    s.define(statement.result, s.parts(statement.operands[0])[1::2])


def select_join_words(s: Selection, statement: Statement) -> None:
    low, high = (s.parts(operand) for operand in statement.operands)
    s.define(statement.result, tuple(part for both in zip(low, high, strict=True) for part in both))
