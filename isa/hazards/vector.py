"""Hazards of VALU results, CDNA3 ISA section 4.5; the figures are LLVM 22.1's for gfx942 (tools/llvm_hazards)."""

from __future__ import annotations

from isa.hazards.rule import (
    MEMORY_UNITS,
    Rule,
    exec_whole,
    exec_written,
    is_cross_lane,
    is_dpp,
    is_memory,
    is_vector,
    is_vector_or_matrix,
    is_vgpr,
    operand_named,
    scalar_defines,
    scalar_uses,
    vector_defines,
    vector_registers,
    vector_uses,
)
from isa.instruction import Encoding, Immediate, Instr, Kind, Row, Trait, Unit
from isa.registers import EXEC, VCC, Register

TABLE = "CDNA3 ISA 4.5, required software-inserted wait states"
_SDWA_DWORD = 6
_PAIR_TYPES = frozenset({"f16x2", "i16x2", "u16x2"})
_VECTOR_KINDS = Kind.VGPR | Kind.AGPR


def _writes_part(instr: Instr) -> bool:
    """Whether a VALU instruction writes only a half or a byte of its destination.

    LLVM takes the `op_sel_hi` bit of source 0 of a packed instruction for the destination bit it is in VOP3, so that
    packed results count too; being right that often costs one state (known corner of the measured table).
    """
    row = instr.row
    for spec in row.modifiers:
        if spec.name == "dst_sel" and instr.modifier("dst_sel") != _SDWA_DWORD:
            return True
        if spec.name == "op_sel" and spec.tail and spec.tail[-1]:
            return True
        if spec.name == "op_sel_hi":
            halves = instr.modifier("op_sel_hi")
            return isinstance(halves, tuple) and bool(halves[0])
    return _is_pair_dot(row)


def _part_written(instr: Instr) -> tuple[Register, ...]:
    return vector_defines(instr) if _writes_part(instr) else ()


def _may_write_part(row: Row) -> bool:
    return is_vector(row) and (_is_pair_dot(row) or any(spec.name in ("dst_sel", "op_sel", "op_sel_hi") for spec in row.modifiers))


def _is_pair_dot(row: Row) -> bool:
    """Dot products of 16-bit pairs have the halves of a packed instruction, always at their default."""
    return Trait.DOT in row.traits and row.encoding is Encoding.E64 and row.operands[1].type in _PAIR_TYPES


def _writes_vector_register(row: Row) -> bool:
    """Any unit: LLVM counts the states from the issue of a load too, although a wait stands in between."""
    return any(row.operands[i].kinds & _VECTOR_KINDS for i in row.defines)


def _is_transcendental(row: Row) -> bool:
    return row.unit is Unit.TRANS


def _is_other_vector(row: Row) -> bool:
    """VALU but the transcendentals; a load to LDS passes the VALU too."""
    return row.unit is Unit.VALU or Trait.LDS_DMA in row.traits


def _is_part_user(row: Row) -> bool:
    return is_vector_or_matrix(row) or Trait.LDS_DMA in row.traits


def _is_dot(row: Row) -> bool:
    return Trait.DOT in row.traits


def _is_lane_read(row: Row) -> bool:
    return Trait.LANE_READ in row.traits


def _lane_source(instr: Instr) -> tuple[Register, ...]:
    return tuple(r for r in instr.used() if is_vgpr(r))


def _lane_select(instr: Instr) -> tuple[Register, ...]:
    return operand_named(instr, "lane_select")


def _reads_vcc_late(row: Row) -> bool:
    return Trait.DIV_FMAS in row.traits


def _vcc(_instr: Instr) -> tuple[Register, ...]:
    return (VCC,)


def _is_compare_exec(row: Row) -> bool:
    return is_vector(row) and any(r.overlaps(EXEC) for r in row.writes)


def _exec_operands(instr: Instr) -> tuple[Register, ...]:
    """EXEC read as data, by an operand; the mask itself is interlocked."""
    return tuple(o for i in instr.row.uses if isinstance(o := instr.operands[i], Register) and o.overlaps(EXEC))


def _is_cross_lane_or_matrix(row: Row) -> bool:
    return is_cross_lane(row) or row.unit is Unit.MATRIX


def _is_dpp_or_memory(row: Row) -> bool:
    return is_dpp(row) or is_memory(row)


def _is_wide_store(row: Row) -> bool:
    return row.unit in MEMORY_UNITS and (Trait.STORE in row.traits or Trait.ATOMIC in row.traits) and any(row.operands[i].count > 2 for i in row.uses)


def _wide_store_data(instr: Instr) -> tuple[Register, ...]:
    """Data of more than 64 bits; a buffer store whose offset is a register issues late enough to be free of it."""
    if any(spec.name == "soffset" and not isinstance(o, Immediate) for spec, o in zip(instr.row.operands, instr.operands, strict=True)):
        return ()
    return tuple(r for r in vector_uses(instr) if r.count > 2)


def _is_outside_dot(row: Row) -> bool:
    return is_vector(row) or row.unit in MEMORY_UNITS or row.unit is Unit.LDS


def _same_row(producer: Instr, consumer: Instr) -> bool:
    return producer.row is consumer.row


def _factors(instr: Instr) -> tuple[Register, ...]:
    return operand_named(instr, "src0", "src1")


VECTOR_RULES: tuple[Rule, ...] = (
    Rule("VALU result read across lanes", TABLE, 1, is_vector, vector_defines, _is_lane_read, _lane_source),
    Rule("VGPR written, then read by DPP", TABLE, 2, _writes_vector_register, vector_defines, is_dpp, vector_uses),
    Rule("transcendental result read by VALU", TABLE, 1, _is_transcendental, vector_defines, _is_other_vector, vector_uses),
    Rule("part of a register written, then used by VALU", TABLE, 1, _may_write_part, _part_written, _is_part_user, vector_registers),
    Rule("VALU-written SGPR read as VALU constant or mask", TABLE, 2, is_vector, scalar_defines, is_vector, scalar_uses),
    Rule("VALU-written SGPR selects a lane", TABLE, 4, is_vector, scalar_defines, is_cross_lane, _lane_select),
    Rule("VALU-written VCC read by v_div_fmas", TABLE, 4, is_vector, scalar_defines, _reads_vcc_late, _vcc),
    Rule("VALU-written SGPR read by vector memory", TABLE, 5, is_vector, scalar_defines, is_memory, scalar_uses),
    Rule("VALU-written EXEC read as VALU data", TABLE, 2, _is_compare_exec, exec_written, is_vector, _exec_operands),
    Rule(
        "VALU-written EXEC before a lane access or matrix instruction", TABLE, 4, _is_compare_exec, exec_written,
        _is_cross_lane_or_matrix, exec_whole,
    ),
    Rule("VALU-written EXEC before DPP or vector memory", TABLE, 5, _is_compare_exec, exec_written, _is_dpp_or_memory, exec_whole),
    Rule("dot result used outside the same dot", TABLE, 3, _is_dot, vector_defines, _is_outside_dot, vector_registers, spares=_same_row),
    Rule("dot result read as a factor", TABLE, 3, _is_dot, vector_defines, _is_dot, _factors),
    Rule("data of a wide store overwritten by VALU", TABLE, 2, _is_wide_store, _wide_store_data, is_vector_or_matrix, vector_defines),
)
