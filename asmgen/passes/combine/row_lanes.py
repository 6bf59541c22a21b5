"""A multiply-add, a minimum or a maximum reads other lanes by itself, without a move before it:

    v_mov_b32_dpp v1, v0 row_newbcast:3 row_mask:0xf bank_mask:0xf bound_ctrl:1
    v_fma_f32 v4, v1, v2, v3

becomes

    v_fmac_f32_dpp v4, v0, v2 row_newbcast:3 row_mask:0xf bank_mask:0xf bound_ctrl:1      v3 is v4 before

    v_mov_b32_dpp v1, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
    v_min_i32_e32 v2, v2, v1

becomes

    v_min_i32_dpp v2, v0, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
"""

from __future__ import annotations

from functools import cache

from asmgen.passes.ssa import Rewriter, Site
from isa.instruction import Encoding, Instr, ModifierValue, Operand, Row, Trait
from isa.lane_masks import writes_exec
from isa.operations import Operation, meaning_of
from isa.registers import Register
from isa.table import Table

_EXTREMES = frozenset(
    {Operation.MINIMUM, Operation.MAXIMUM, Operation.MINIMUM_SIGNED, Operation.MAXIMUM_SIGNED}
)


@cache
def may_read_lanes(row: Row) -> bool:
    """Whether an instruction of a row may become an instruction that reads the lanes of its first source."""
    meaning = meaning_of(row)
    return meaning is not None and (
        meaning.operation is Operation.FLOAT_FMA or meaning.operation in _EXTREMES
    )


def with_lanes(instr: Instr, site: Site, rewriter: Rewriter) -> Instr | None:
    """The instruction that also moves a source between lanes, as the only use of the move; None if there is
    no such move."""
    row = _reading_lanes(rewriter.table, instr.row)
    if instr.modifiers or row is None:
        return None
    result, a, b, *total = instr.operands
    for moved, other in ((a, b), (b, a)):
        move = _move(moved, site, rewriter)
        if move is None:
            continue
        operands: tuple[Operand, ...] = (result, move.operands[1], other, *total)
        if rewriter.is_legal(row, operands):
            return Instr(row, operands, _modifiers(move, row), instr.origin, False, instr.comment)
    return None


def _move(moved: Operand, site: Site, rewriter: Rewriter) -> Instr | None:
    """The move between lanes that makes a source, for the same active lanes."""
    if not isinstance(moved, Register):
        return None
    made_at = rewriter.definitions.get(moved.first)
    if made_at is None or not _is_whole_move(rewriter.at(made_at).row):
        return None
    made = rewriter.definition(moved)
    if made is None or made[0].block != site.block or not rewriter.is_used_once(moved):
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
def _reading_lanes(table: Table, row: Row) -> Row | None:
    meaning = meaning_of(row)
    is_sum = meaning is not None and meaning.operation is Operation.FLOAT_FMA
    name, form = ("v_fmac_f32", "") if is_sum else (row.operation, "bound")
    return next(
        (each for each in table.doing(name) if each.encoding is Encoding.DPP and each.form == form), None
    )
