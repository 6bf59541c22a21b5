"""Reductions and scans over the lanes of a wave: `dpp_reduce`, `dpp_scan`, `lane_before`, `lane_step`,
`is_lane`.

A reduction is a sequence of steps, each combining a value with that of another lane. A lane without a source
keeps its own value (`old`, tied to the destination), so the steps need no identity element: after `row_bcast`
only the later rows go on. A step of a scan combines a lane with the result of the lanes before those that it
has already (`isa.target.ScanStep`). Within a row of 16 lanes that is a DPP shift, which the combining
instruction makes itself if it has a DPP form. The last lane of a row is broadcast to later rows; a row mask
names the rows that take it. The target has the steps.

    v_add_f32_dpp v1, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf        and :2, :4, :8
    v_add_f32_dpp v1, v1, v1 row_bcast:15 row_mask:0xa bank_mask:0xf     gfx9: rows 1 and 3

Source: CDNA3 ISA, "DPP"; RDNA3 ISA, V_PERMLANEX16_B32.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from asmgen.graph.ops import ADD, COMBINES, MAX, MIN, MUL
from asmgen.ir.program import Op, Statement, lane_type
from asmgen.lanewise.records import LaneScan, LaneStep, Reduction, lane_of
from asmgen.select.emitter import Emitter
from asmgen.select.operands import put_vector
from asmgen.select.selection import Selection
from isa import dpp
from isa.instruction import Encoding, Immediate, Kind, Operand, Row
from isa.lane_masks import MaskOperation
from isa.registers import Register
from isa.table import Table
from isa.target import LaneMove, ReductionStep

# the combining instruction, by op and element type; without a DPP form the other lane's value is
# moved first
STEPS: dict[tuple[Op, str], str] = {
    (ADD, "f32"): "v_add_f32", (MUL, "f32"): "v_mul_f32", (MAX, "f32"): "v_max_f32",
    (MIN, "f32"): "v_min_f32",
    (ADD, "i32"): "v_add_u32", (MUL, "i32"): "v_mul_lo_u32", (MAX, "i32"): "v_max_i32",
    (MIN, "i32"): "v_min_i32",
    (ADD, "u32"): "v_add_u32", (MUL, "u32"): "v_mul_lo_u32", (MAX, "u32"): "v_max_u32",
    (MIN, "u32"): "v_min_u32",
}  # fmt: skip
# the maximum and the minimum of f32 in which a NaN stays; some targets have only those of three
_OF_THREE = ("v_maximum3_f32", "v_minimum3_f32")
_STEPS_WITH_NAN = {MAX: ("v_maximum_f32", "v_maximum3_f32"), MIN: ("v_minimum_f32", "v_minimum3_f32")}
_KEPT = 1  # the factor of a lane without another lane


def select_dpp_reduce(s: Selection, statement: Statement) -> None:
    (operand,), result = statement.operands, statement.result
    reduction = Reduction.of(statement)
    steps = s.emitter.target.steps_for(reduction.over)
    name = _step_of(reduction, lane_type(result).element.name, s.emitter.table)
    value: Register = s.emitter.to_vgpr(s.parts(operand)[0])
    for number, step in enumerate(steps, 1):
        combined = s.destination(result) if number == len(steps) else s.emitter.vgpr()
        put_step(s.emitter, step, name, combined, value)
        value = combined


def _step_of(reduction: Reduction, element: str, table: Table) -> str:
    """The instruction that combines two lanes."""
    op = COMBINES[reduction.op]
    if not reduction.keeps_nan:
        return STEPS[op, element]
    return next(name for name in _STEPS_WITH_NAN[op] if table.find(name) is not None)


def put_step(emitter: Emitter, step: ReductionStep, name: str, combined: Register, value: Register) -> None:
    """Combine the value with that of another lane, by the instruction `name`; it reads the other lane itself
    if it has a DPP form."""
    by_lanes = None if step.exchange else dpp_row(emitter.table, name)
    if by_lanes is not None:
        emitter.put(by_lanes, combined, value, value, value, dpp_ctrl=step.control)
        return
    other = emitter.vgpr()
    if step.exchange or name in _OF_THREE:
        _other_lane(emitter, step, other, value)
    else:
        emitter.put("v_mov_b32_dpp", other, value, emitter.vector_constant(_KEPT), dpp_ctrl=step.control)
    put_vector(emitter, name, (combined,), (value, other, other) if name in _OF_THREE else (value, other))


def _other_lane(emitter: Emitter, step: ReductionStep, other: Register, value: Register) -> None:
    """The value of the lane that a step combines with; a lane without such a lane gets its own value."""
    if step.exchange:
        exchange = emitter.table.row(step.exchange, step.form)
        emitter.put(exchange, other, *_exchanged(exchange, value))
    else:
        emitter.put("v_mov_b32_dpp", other, value, value, dpp_ctrl=step.control)


def _exchanged(exchange: Row, value: Register) -> tuple[Operand, ...]:
    """The sources of an exchange of halves; an exchange that chooses lanes takes the first lane of the other
    half for all."""
    selectors = [spec for spec in exchange.operands[1:] if spec.kinds & Kind.INLINE]
    return value, *(Immediate(0) for _ in selectors)


@cache
def dpp_row(table: Table, name: str) -> Row | None:
    """The row of an operation in which DPP chooses the lane of the first source: the short encoding if the
    operation has it."""
    rows = {row.encoding: row for row in table.doing(name) if not row.form}
    return rows.get(Encoding.DPP) or rows.get(Encoding.E64_DPP)


def select_is_lane(s: Selection, statement: Statement) -> None:
    """The mask with a single bit."""
    if statement.result in s.uses.deferred:
        return
    mask = s.emitter.mask(statement.result.name)
    put_one_lane(s, mask, statement)
    s.define(statement.result, (mask,))


def put_one_lane(s: Selection, mask: Register, statement: Statement) -> None:
    s.emitter.put_mask(MaskOperation.SHIFT_LEFT, mask, Immediate(1), Immediate(lane_of(statement)))


_ROW = 16  # lanes that DPP shifts within
_EVERY_ROW = 0xF


def select_dpp_scan(s: Selection, statement: Statement) -> None:
    scan, (operand,), result = LaneScan.of(statement), statement.operands, statement.result
    name = STEPS[COMBINES[Reduction.of(statement).op], lane_type(result).element.name]
    value: Register = s.emitter.to_vgpr(s.parts(operand)[0])
    steps = s.emitter.target.scan_steps_for(scan.lanes, scan.reverse)
    moves = [move for step in steps for move in step.moves]
    for number, move in enumerate(moves, 1):
        combined = s.destination(result) if number == len(moves) else s.emitter.vgpr()
        put_combined(s.emitter, move, name, combined, value)
        value = combined


def put_combined(emitter: Emitter, move: LaneMove, name: str, combined: Register, value: Register) -> None:
    """Combine the value with the value that the move brings, in the lanes of the move, by the instruction
    `name`; other lanes keep their value."""
    row = dpp_row(emitter.table, name)
    source, control = _source(emitter, move, value)
    if row is not None:
        emitter.put(row, combined, source, value, value, dpp_ctrl=control, row_mask=move.rows)
        return
    other = emitter.vgpr()
    kept = emitter.vector_constant(1)  # identity of a product, the only op without a DPP form
    emitter.put("v_mov_b32_dpp", other, source, kept, dpp_ctrl=control, row_mask=move.rows)
    put_vector(emitter, name, (combined,), (other, value))


def _source(emitter: Emitter, move: LaneMove, value: Register) -> tuple[Register, int]:
    """The register that a DPP operand reads, and its control."""
    if move.control:
        return value, move.control
    brought = emitter.vgpr()
    if move.exchange:
        exchange = emitter.table.row(move.exchange, move.form)
        emitter.put(exchange, brought, value, Immediate(move.selector), Immediate(move.selector))
        return brought, dpp.IDENTITY
    scalar = emitter.sgpr()
    emitter.put("v_readlane_b32", scalar, value, Immediate(move.lane))
    put_vector(emitter, "v_mov_b32", (brought,), (scalar,))
    return brought, dpp.IDENTITY


def _put_moved(s: Selection, move: LaneMove, to: Register, value: Register, kept: Register) -> None:
    """The value that the move brings, in its lanes; `kept` in the others."""
    source, control = _source(s.emitter, move, value)
    s.emitter.put("v_mov_b32_dpp", to, source, kept, dpp_ctrl=control, row_mask=move.rows)


def select_lane_before(s: Selection, statement: Statement) -> None:
    """A shift of the whole wave, if the target has it. Else every lane of later rows first gets the last lane
    of the row before. Then each row is shifted by a lane, and its first lane keeps that value."""
    scan, target = LaneScan.of(statement), s.emitter.target
    shift = target.wave_shifts[scan.reverse]
    if shift and scan.lanes == target.wave_size:
        _select_moved(s, statement, [LaneMove(_EVERY_ROW, shift)])
        return
    steps = s.emitter.target.scan_steps_for(scan.lanes, scan.reverse)
    across = [move for step in reversed(steps) if step.combined >= _ROW for move in step.moves]
    _select_moved(s, statement, [*across, *steps[0].moves])


def select_lane_step(s: Selection, statement: Statement) -> None:
    step = LaneStep.of(statement)
    if step.way == "reduce":
        taken = s.emitter.target.steps_for(2 * step.combined)[-1]
        _by_unit(s, statement, lambda to, value, _: _other_lane(s.emitter, taken, to, value))
        return
    step_of_scan = s.emitter.target.scan_steps_for(2 * step.combined, step.way == "reverse")[-1]
    _select_moved(s, statement, list(step_of_scan.moves))


def _select_moved(s: Selection, statement: Statement, moves: list[LaneMove]) -> None:
    """The second operand, overwritten by the moves in turn with values of the first operand."""

    def moved(to: Register, value: Register, kept: Register) -> None:
        for move in moves[:-1]:
            between = s.emitter.vgpr()
            _put_moved(s, move, between, value, kept)
            kept = between
        _put_moved(s, moves[-1], to, value, kept)

    _by_unit(s, statement, moved)


def _by_unit(s: Selection, statement: Statement, put: Callable[[Register, Register, Register], None]) -> None:
    """Each register of a value alike."""
    values, others = (s.parts(operand) for operand in statement.operands)
    register = s.destination(statement.result)
    for unit, (value, other) in enumerate(zip(values, others, strict=True)):
        put(register.part(unit), s.emitter.to_vgpr(value), s.emitter.to_vgpr(other))
