"""Scans over the lanes of a wave, and single steps of scans and reductions: `dpp_scan`, `lane_before`,
`lane_step`.

A step of a scan brings to each lane what the lanes before those that it has already combine to
(`isa.target.ScanStep`). Within a row of 16 lanes that is a DPP shift, which the combining instruction makes
itself where it can: lanes without a source keep what they had. To later rows it is the last lane of the row
before, of which a row mask says who takes it.

    v_add_f32_dpp v1, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf        and :2, :4, :8
    v_add_f32_dpp v1, v1, v1 row_bcast:15 row_mask:0xa bank_mask:0xf     gfx9: rows 1 and 3
"""

from __future__ import annotations

from collections.abc import Callable

from asmgen.graph.ops import COMBINES
from asmgen.ir.program import Statement
from asmgen.lanewise.records import LaneScan, LaneStep, Reduction
from asmgen.select.lanes.reductions import STEPS, dpp_row, other_lane
from asmgen.select.operands import put_vector
from asmgen.select.selection import Selection, lane_type
from isa import dpp
from isa.instruction import Immediate
from isa.registers import Register
from isa.target import LaneMove

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
        _put_combined(s, move, name, combined, value)
        value = combined


def _put_combined(s: Selection, move: LaneMove, name: str, combined: Register, value: Register) -> None:
    """The value of the lanes that the move is for, combined with what it brings; the others keep theirs."""
    row = dpp_row(s.emitter.table, name)
    source, control = _source(s, move, value)
    if row is not None:
        s.emitter.put(row, combined, source, value, value, dpp_ctrl=control, row_mask=move.rows)
        return
    other = s.emitter.vgpr()
    kept = s.emitter.vector_constant(1)  # what changes no product, which alone has no such instruction
    s.emitter.put("v_mov_b32_dpp", other, source, kept, dpp_ctrl=control, row_mask=move.rows)
    put_vector(s.emitter, name, (combined,), (other, value))


def _source(s: Selection, move: LaneMove, value: Register) -> tuple[Register, int]:
    """The register that a DPP operand reads, and its control."""
    if move.control:
        return value, move.control
    brought = s.emitter.vgpr()
    if move.exchange:
        exchange = s.emitter.table.row(move.exchange, move.form)
        s.emitter.put(exchange, brought, value, Immediate(move.selector), Immediate(move.selector))
        return brought, dpp.IDENTITY
    scalar = s.emitter.sgpr()
    s.emitter.put("v_readlane_b32", scalar, value, Immediate(move.lane))
    put_vector(s.emitter, "v_mov_b32", (brought,), (scalar,))
    return brought, dpp.IDENTITY


def _put_moved(s: Selection, move: LaneMove, to: Register, value: Register, kept: Register) -> None:
    """What the move brings, in the lanes that it is for, and `kept` in the others."""
    source, control = _source(s, move, value)
    s.emitter.put("v_mov_b32_dpp", to, source, kept, dpp_ctrl=control, row_mask=move.rows)


def select_lane_before(s: Selection, statement: Statement) -> None:
    """A shift of the whole wave where there is one. Else later rows first get the last lane of the row
    before, in every lane, then each row is shifted by one lane, in which its first keeps that."""
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
        _by_unit(s, statement, lambda to, value, _: other_lane(s, taken, to, value))
        return
    found = s.emitter.target.scan_steps_for(2 * step.combined, step.way == "reverse")[-1]
    _select_moved(s, statement, list(found.moves))


def _select_moved(s: Selection, statement: Statement, moves: list[LaneMove]) -> None:
    """The second operand, but what the moves bring of the first, one after the other."""

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
