"""Reductions over the lanes of a wave: steps, each of which combines a value with that of another lane.

Source: CDNA3 ISA, "DPP"; RDNA3 ISA, V_PERMLANEX16_B32. A lane whose source is outside keeps what it had
(`old`, tied to the destination), so that the steps need no identity: after `row_bcast` only the later rows
go on. The steps are the target's.
"""

from __future__ import annotations

from functools import cache

from asmgen.graph.ops import ADD, COMBINES, MAX, MIN, MUL
from asmgen.ir.program import Op, Statement
from asmgen.lanewise.records import Reduction, lane_of
from asmgen.select.operands import put_vector
from asmgen.select.selection import Selection, lane_type
from isa.instruction import Encoding, Immediate, Kind, Operand, Row
from isa.lane_masks import MaskOperation
from isa.registers import Register
from isa.table import Table
from isa.target import ReductionStep

# the instruction that combines, by op and element type; where it has no DPP form the other lane's value is
# moved first
STEPS: dict[tuple[Op, str], str] = {
    (ADD, "f32"): "v_add_f32", (MUL, "f32"): "v_mul_f32", (MAX, "f32"): "v_max_f32",
    (MIN, "f32"): "v_min_f32",
    (ADD, "i32"): "v_add_u32", (MUL, "i32"): "v_mul_lo_u32", (MAX, "i32"): "v_max_i32",
    (MIN, "i32"): "v_min_i32",
    (ADD, "u32"): "v_add_u32", (MUL, "u32"): "v_mul_lo_u32", (MAX, "u32"): "v_max_u32",
    (MIN, "u32"): "v_min_u32",
}  # fmt: skip
_KEPT = 1  # what a lane without another one multiplies by


def select_dpp_reduce(s: Selection, statement: Statement) -> None:
    (operand,), result = statement.operands, statement.result
    reduction = Reduction.of(statement)
    steps = s.emitter.target.steps_for(reduction.over)
    name = STEPS[COMBINES[reduction.op], lane_type(result).element.name]
    value: Register = s.emitter.to_vgpr(s.parts(operand)[0])
    for number, step in enumerate(steps, 1):
        combined = s.destination(result) if number == len(steps) else s.emitter.vgpr()
        _put_step(s, step, name, combined, value)
        value = combined


def _put_step(s: Selection, step: ReductionStep, name: str, combined: Register, value: Register) -> None:
    """The value combined with that of another lane, which the combining instruction reads itself where it
    can."""
    by_lanes = None if step.exchange else dpp_row(s.emitter.table, name)
    if by_lanes is not None:
        s.emitter.put(by_lanes, combined, value, value, value, dpp_ctrl=step.control)
        return
    other = s.emitter.vgpr()
    if step.exchange:
        other_lane(s, step, other, value)
    else:
        s.emitter.put("v_mov_b32_dpp", other, value, s.emitter.vector_constant(_KEPT), dpp_ctrl=step.control)
    put_vector(s.emitter, name, (combined,), (value, other))


def other_lane(s: Selection, step: ReductionStep, other: Register, value: Register) -> None:
    """What the lane has that a step combines with; a lane without another one has its own."""
    if step.exchange:
        exchange = s.emitter.table.row(step.exchange, step.form)
        s.emitter.put(exchange, other, *_exchanged(exchange, value))
    else:
        s.emitter.put("v_mov_b32_dpp", other, value, value, dpp_ctrl=step.control)


def _exchanged(exchange: Row, value: Register) -> tuple[Operand, ...]:
    """The sources of an exchange of halves; where it chooses lanes, the first one of the other half for
    all."""
    selectors = [spec for spec in exchange.operands[1:] if spec.kinds & Kind.INLINE]
    return value, *(Immediate(0) for _ in selectors)


@cache
def dpp_row(table: Table, name: str) -> Row | None:
    """The row of an operation in which DPP chooses the lane of the first source; the short encoding's."""
    return next((row for row in table.doing(name) if row.encoding is Encoding.DPP and not row.form), None)


def select_is_lane(s: Selection, statement: Statement) -> None:
    """The mask with one bit."""
    if statement.result in s.uses.deferred:
        return
    mask = s.emitter.mask(statement.result.name)
    put_one_lane(s, mask, statement)
    s.define(statement.result, (mask,))


def put_one_lane(s: Selection, mask: Register, statement: Statement) -> None:
    s.emitter.put_mask(MaskOperation.SHIFT_LEFT, mask, Immediate(1), Immediate(lane_of(statement)))
