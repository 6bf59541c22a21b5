"""A multiply-add reads a lane of each row by itself, without a move before it:

    v_mov_b32_dpp v1, v0 row_newbcast:3 row_mask:0xf bank_mask:0xf bound_ctrl:1
    v_fma_f32 v4, v1, v2, v3

becomes

    v_fmac_f32_dpp v4, v0, v2 row_newbcast:3 row_mask:0xf bank_mask:0xf bound_ctrl:1      v3 is v4 before
"""

from __future__ import annotations

from functools import cache

from asmgen.passes.ssa import Rewriter, Site
from isa.exec_use import writes_exec
from isa.instruction import Encoding, Instr, ModifierValue, Operand, Row, Trait
from isa.operations import Operation, meaning_of
from isa.registers import Register
from isa.table import Table


@cache
def may_read_lanes(row: Row) -> bool:
    """Whether an instruction of a row may become an instruction that reads the lanes of its first source."""
    meaning = meaning_of(row)
    return meaning is not None and meaning.operation is Operation.FLOAT_FMA


def with_lanes(fma: Instr, site: Site, rewriter: Rewriter) -> Instr | None:
    """The multiply-add that also moves a factor between lanes, as the only use of the move; None if there is
    no such move."""
    row = _accumulating(rewriter.table)
    if fma.modifiers or row is None:
        return None
    result, a, b, total = fma.operands
    for factor, other in ((a, b), (b, a)):
        move = _move(factor, site, rewriter)
        if move is None:
            continue
        operands: tuple[Operand, ...] = (result, move.operands[1], other, total)
        if rewriter.is_legal(row, operands):
            return Instr(row, operands, _modifiers(move, row), fma.origin, False, fma.comment)
    return None


def _move(factor: Operand, site: Site, rewriter: Rewriter) -> Instr | None:
    """The move between lanes that makes a factor, for the same active lanes."""
    if not isinstance(factor, Register):
        return None
    made_at = rewriter.definitions.get(factor.first)
    if made_at is None or not _is_whole_move(rewriter.at(made_at).row):
        return None
    made = rewriter.definition(factor)
    if made is None or made[0].block != site.block or not rewriter.is_used_once(factor):
        return None
    between = rewriter.code[site.block][made[0].position : site.position]
    return None if any(map(writes_exec, between)) else made[1]


@cache
def _is_whole_move(row: Row) -> bool:
    """Whether a row moves values between lanes by DPP, to every active lane."""
    return row.encoding is Encoding.DPP and Trait.MOVE in row.traits and not row.ties


def _modifiers(move: Instr, row: Row) -> tuple[tuple[str, ModifierValue], ...]:
    """The modifiers of the move, as far as they differ from the defaults of another row."""
    given = {spec.name: spec.default for spec in move.row.modifiers} | dict(move.modifiers)
    values = [(spec, given.get(spec.name, spec.default)) for spec in row.modifiers]
    return tuple([(spec.name, value) for spec, value in values if value != spec.default])


@cache
def _accumulating(table: Table) -> Row | None:
    rows = table.doing("v_fmac_f32")
    return next((row for row in rows if row.encoding is Encoding.DPP and not row.form), None)
