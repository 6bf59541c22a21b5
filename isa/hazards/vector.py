"""Hazards of VALU results on CDNA (CDNA3 ISA, section 4.5); the figures are LLVM 22.1's
(tools/llvm_hazards)."""

from __future__ import annotations

from isa.hazards.facts import (
    CDNA,
    CDNA3,
    MEMORY_UNITS,
    exec_whole,
    exec_written,
    is_class_test,
    is_cross_lane,
    is_dpp,
    is_matrix,
    is_memory,
    is_permlane,
    is_scalar_register,
    is_transcendental,
    is_vector,
    is_vector_or_matrix,
    is_vector_register,
    is_vgpr,
    on,
    operand_named,
    scalar_defines,
    scalar_uses,
    vcc,
    vector_defines,
    vector_registers,
    vector_uses,
    writes_exec,
)
from isa.hazards.rule import Registers, Rule, Trail
from isa.instruction import Encoding, Immediate, Instr, Kind, Row, Trait, Unit
from isa.registers import EXEC, VCC, Register

TABLE = "CDNA3 ISA 4.5, required software-inserted wait states"
_SDWA_DWORD = 6
_PAIR_TYPES = frozenset({"f16x2", "bf16x2", "i16x2", "u16x2"})
_ROUNDED_PAIRS = frozenset({"f32x2", "f16x2", "bf16x2"})
_VECTOR_KINDS = Kind.VGPR | Kind.AGPR


def _writes_part(instr: Instr) -> bool:
    """Whether a VALU instruction writes only a half or a byte of its destination.

    LLVM reads the `op_sel_hi` bit of source 0 of a packed instruction as the destination bit that it is in
    VOP3, so packed results count too. This often costs a state that is not needed (a known corner of the
    measured table).
    """
    row = instr.row
    for spec in row.modifiers:
        if spec.name == "dst_sel" and instr.modifier("dst_sel") != _SDWA_DWORD:
            return True
        if spec.name == "op_sel" and any(spec.tail):
            return True
        if spec.name == "op_sel_hi":
            halves = instr.modifier("op_sel_hi")
            return isinstance(halves, tuple) and bool(halves[0])
    return _is_pair_dot(row) or _rounds_pair(row)


def _part_written(instr: Instr) -> Registers:
    return vector_defines(instr) if _writes_part(instr) else ()


def _may_write_part(row: Row) -> bool:
    return is_vector(row) and (
        _is_pair_dot(row) or any(spec.name in ("dst_sel", "op_sel", "op_sel_hi") for spec in row.modifiers)
    )


def _rounds_pair(row: Row) -> bool:
    """gfx950's conversions of pairs to fp4 by a random seed; LLVM takes each for a part, the lowest byte
    too."""
    return (
        any(spec.name == "seed" for spec in row.operands)
        and row.operands[1].type in _ROUNDED_PAIRS
        and Trait.HALF_WRITE in row.traits
    )


def _is_pair_dot(row: Row) -> bool:
    """Dot products of 16-bit pairs have the halves of a packed instruction, always at their default."""
    return Trait.DOT in row.traits and row.encoding is Encoding.E64 and row.operands[1].type in _PAIR_TYPES


def _writes_vector_register(row: Row) -> bool:
    """Any unit: LLVM counts the states from the issue of a load too, although a wait is in between."""
    return any(row.operands[i].kinds & _VECTOR_KINDS for i in row.defines)


def _is_other_vector(row: Row) -> bool:
    """VALU but the transcendentals; a load to LDS passes the VALU too."""
    return row.unit is Unit.VALU or Trait.LDS_DMA in row.traits


def _read(instr: Instr) -> Registers:
    """The registers that an instruction reads, without the parts of its destination that SDWA only keeps."""
    if instr.row.encoding is not Encoding.SDWA:
        return vector_uses(instr)
    kept = {use for use, _ in instr.row.ties}
    return tuple(
        o
        for i in instr.row.uses
        if i not in kept and isinstance(o := instr.operands[i], Register) and is_vector_register(o)
    )


def _is_part_user(row: Row) -> bool:
    return is_vector_or_matrix(row) or Trait.LDS_DMA in row.traits


def _is_dot(row: Row) -> bool:
    return Trait.DOT in row.traits


def is_plain_vector(row: Row) -> bool:
    """VALU without the dot products, since their results take another path. LLVM counts the DPP forms of dot
    products as plain."""
    return is_vector(row) and (Trait.DOT not in row.traits or is_dpp(row))


def _is_lane_read(row: Row) -> bool:
    return Trait.LANE_READ in row.traits


def _vgprs_used(instr: Instr) -> Registers:
    return tuple(r for r in instr.used() if is_vgpr(r))


def _lane_select(instr: Instr) -> Registers:
    return operand_named(instr, "lane_select")


def _reads_vcc_late(row: Row) -> bool:
    return Trait.DIV_FMAS in row.traits


def _exec_operands(instr: Instr) -> Registers:
    """EXEC read as data, by an operand; the mask itself is interlocked."""
    return tuple(
        o for i in instr.row.uses if isinstance(o := instr.operands[i], Register) and o.overlaps(EXEC)
    )


def _is_dpp_or_memory(row: Row) -> bool:
    return is_dpp(row) or is_memory(row)


def _is_wide_store(row: Row) -> bool:
    return (
        row.unit in MEMORY_UNITS
        and (Trait.STORE in row.traits or Trait.ATOMIC in row.traits)
        and any(row.operands[i].count > 2 for i in row.uses)
    )


def _wide_store_data(instr: Instr) -> Registers:
    """Store data of more than 64 bits. A buffer store with a register as its offset issues late enough to
    have no hazard."""
    if any(
        spec.name == "soffset" and not isinstance(o, Immediate)
        for spec, o in zip(instr.row.operands, instr.operands, strict=True)
    ):
        return ()
    return tuple(r for r in vector_uses(instr) if r.count > 2)


def _is_outside_dot(row: Row) -> bool:
    return is_vector(row) or row.unit in MEMORY_UNITS or row.unit is Unit.LDS


def _same_row(producer: Instr, consumer: Instr) -> bool:
    return producer.row is consumer.row


def _factors(instr: Instr) -> Registers:
    return operand_named(instr, "src0", "src1")


def _may_write_scalar(row: Row) -> bool:
    """Whether a VALU row has a result that may be in SGPRs, the results that `_scalar_results` adds to agree
    with LLVM included."""
    return is_vector(row) and (
        any(row.operands[i].kinds & ~_VECTOR_KINDS for i in row.defines)
        or any(is_scalar_register(register) for register in row.writes)
        or is_class_test(row)
    )


def _scalar_results(instr: Instr) -> Registers:
    """SGPRs written by VALU. LLVM takes a class test in SDWA to write VCC next to the mask it names, and so
    do we."""
    written = scalar_defines(instr)
    return (*written, VCC) if is_class_test(instr.row) and instr.row.encoding is Encoding.SDWA else written


VALU_RESULT = Trail("VALU result", is_vector, vector_defines)
PLAIN_RESULT = Trail("VALU result, dot products apart", is_plain_vector, vector_defines)
ANY_RESULT = Trail("VGPR written", _writes_vector_register, vector_defines)
TRANS_RESULT = Trail("transcendental result", is_transcendental, vector_defines)
PART_RESULT = Trail("part of a VGPR written", _may_write_part, _part_written)
SCALAR_RESULT = Trail("SGPR written by VALU", _may_write_scalar, _scalar_results)
EXEC_RESULT = Trail("EXEC written by VALU", writes_exec, exec_written)
DOT_RESULT = Trail("dot result", _is_dot, vector_defines, nearest=True)
STORE_DATA = Trail("data of a wide store", _is_wide_store, _wide_store_data)

VECTOR_RULES: tuple[Rule, ...] = (
    Rule("VALU result read across lanes", TABLE, on(CDNA3, 1), VALU_RESULT, _is_lane_read, _vgprs_used),
    Rule(
        "VALU result read by a lane permutation", TABLE, {"gfx950": 2}, VALU_RESULT, is_permlane, vector_uses
    ),
    Rule("VGPR written, then read by DPP", TABLE, on(CDNA, 2), ANY_RESULT, is_dpp, _vgprs_used),
    Rule("transcendental result read by VALU", TABLE, on(CDNA3, 1), TRANS_RESULT, _is_other_vector, _read),
    Rule(
        "part of a register written, then used by VALU", TABLE, on(CDNA3, 1), PART_RESULT, _is_part_user,
        vector_registers,
    ),
    Rule(
        "VALU-written SGPR read as VALU constant or mask", TABLE, on(CDNA3, 2), SCALAR_RESULT, is_vector,
        scalar_uses,
    ),
    Rule("VALU-written SGPR selects a lane", TABLE, on(CDNA, 4), SCALAR_RESULT, is_cross_lane, _lane_select),
    Rule("VALU-written VCC read by v_div_fmas", TABLE, on(CDNA, 4), SCALAR_RESULT, _reads_vcc_late, vcc),
    Rule(
        "VALU-written SGPR read by vector memory", TABLE, on(CDNA, 5), SCALAR_RESULT, is_memory, scalar_uses
    ),
    Rule("VALU-written EXEC read as VALU data", TABLE, on(CDNA3, 2), EXEC_RESULT, is_vector, _exec_operands),
    Rule(
        "VALU-written EXEC before a lane access", TABLE, on(CDNA3, 4), EXEC_RESULT, is_cross_lane, exec_whole
    ),
    Rule(
        "VALU-written EXEC before a lane permutation", TABLE, {"gfx950": 4}, EXEC_RESULT, is_permlane,
        exec_whole,
    ),
    Rule(
        "VALU-written EXEC before a matrix instruction", TABLE, on(CDNA, 4), EXEC_RESULT, is_matrix,
        exec_whole,
    ),
    Rule(
        "VALU-written EXEC before DPP or vector memory", TABLE, on(CDNA, 5), EXEC_RESULT, _is_dpp_or_memory,
        exec_whole,
    ),
    Rule(
        "dot result used outside the same dot", TABLE, on(CDNA, 3), DOT_RESULT, _is_outside_dot,
        vector_registers, spares=_same_row,
    ),
    Rule("dot result read as a factor", TABLE, on(CDNA, 3), DOT_RESULT, _is_dot, _factors),
    Rule(
        "data of a wide store overwritten by VALU", TABLE, {"gfx90a": 1, **on(CDNA3, 2)}, STORE_DATA,
        is_vector_or_matrix, vector_defines,
    ),
)  # fmt: skip
