"""Hazards of RDNA3 and RDNA4. Few count states; most last until a wait, or until other instructions have
passed.

The conditions are LLVM 22.1's, from its answers (tools/llvm_hazards) and the comments of its passes
post-RA-hazard-rec and, for the SGPRs of RDNA4, amdgpu-wait-sgpr-hazards. There, SGPRs are tracked in even
pairs, and VCC as a whole. Both passes look at a single function: the first forgets all reads before a call or
a return, the second assumes that a called function, and the caller after a return, have read every SGPR.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from isa.hazards.alu import AluWait, waits
from isa.hazards.facts import (
    MASK_TYPES,
    exec_whole,
    exec_written,
    is_matrix,
    is_memory_or_lds,
    is_numbered,
    is_permlane,
    is_scalar,
    is_transcendental,
    is_vector,
    is_vector_or_matrix,
    on,
    vector_defines,
    vector_registers,
    vector_uses,
    writes_exec,
)
from isa.hazards.rule import Clock, Expiry, Given, Registers, Remedy, Rule, Trail
from isa.instruction import Instr, Row, Trait, Unit
from isa.registers import VCC, Register
from isa.targets import targets_of

LLVM = "LLVM 22.1, post-RA-hazard-rec"
LLVM_SGPRS = "LLVM 22.1, amdgpu-wait-sgpr-hazards"
RDNA3, RDNA4 = targets_of("rdna3"), targets_of("rdna4")
RDNA = RDNA3 + RDNA4
WAVE64 = frozenset({64})
ENDLESS: tuple[Expiry, ...] = ()
EVERY_SGPR = (Register(0, VCC.first), VCC)


def _is_dpp8(row: Row) -> bool:
    return any(spec.syntax == "dpp8" for spec in row.modifiers)


def _is_no_operation(row: Row) -> bool:
    return not row.operands


VALU = Clock("VALU instructions", lambda row: int(is_vector_or_matrix(row)))
WORKING_VALU = Clock(
    "VALU instructions but v_nop", lambda row: int(is_vector_or_matrix(row) and not _is_no_operation(row))
)
# LLVM does not take those in DPP8 for transcendentals.
TRANSCENDENTALS = Clock("transcendentals", lambda row: int(is_transcendental(row) and not _is_dpp8(row)))


def _waits_for_vector_results(instr: Instr) -> bool:
    """Memory and LDS read VGPRs once VALU has written them; or a wait says so."""
    return is_memory_or_lds(instr.row) or AluWait.VA_VDST in waits(instr)


def _factors_and_index(instr: Instr) -> Registers:
    """A and B of a matrix instruction, and the index of a sparse instruction; not C or preserved parts of
    D."""
    row = instr.row
    kept = {use for use, _ in row.ties}
    factors = (i for i in row.uses if i not in kept and row.operands[i].name != "src2")
    return tuple(o for i in factors if isinstance(o := instr.operands[i], Register))


def _half(instr: Instr, index: int) -> int | None:
    """The half of a register that operand `index` uses; None if it uses the whole register."""
    if not instr.row.operands[index].half:
        return None
    halves = instr.modifier("half")
    return halves >> index & 1 if isinstance(halves, int) else None


def _reads_other_half(producer: Instr, consumer: Instr) -> bool:
    """Whether the consumer reads of the producer's registers only the halves that were not written."""
    halves = ((producer.operands[i], _half(producer, i)) for i in producer.row.defines)
    written = {(register, half) for register, half in halves if half is not None}
    left = vector_defines(producer)
    # an accumulator, or a value preserved in inactive lanes, is the half that the consumer writes
    stands_at = dict(consumer.row.ties)
    read = [
        (o, _half(consumer, stands_at.get(i, i)))
        for i in consumer.row.uses
        if isinstance(o := consumer.operands[i], Register)
    ]
    met = [(register, half) for register, half in read if any(register.overlaps(other) for other in left)]
    return bool(met) and all(half is not None and (register, 1 - half) in written for register, half in met)


def _read_or_kept(instr: Instr) -> Registers:
    """What VALU reads; a lane permutation that can keep its destination always reads it."""
    return vector_registers(instr) if _may_keep(instr.row) else vector_uses(instr)


def _may_keep(row: Row) -> bool:
    """Whether a lane permutation defines the result of lanes with an inactive source."""
    return is_permlane(row) and bool(row.modifiers)


TRANS_RESULT = Trail(
    "transcendental result", is_transcendental, vector_defines, (Expiry(VALU, 6), Expiry(TRANSCENDENTALS, 2)),
    ends=_waits_for_vector_results,
)  # fmt: skip
MATRIX_RESULT = Trail("WMMA result", is_matrix, vector_defines, (Expiry(VALU, 1),))
EXEC_RESULT = Trail("EXEC written by VALU", writes_exec, exec_written, (Expiry(WORKING_VALU, 1),))

# VALU writes Va, SALU writes EXEC, VALU writes Vb, and an instruction reads both: at most two VALU
# instructions lie between the writes of Va and Vb, and at most four after that of Vb.
_BETWEEN, _AFTER = 2, 4
_BEFORE_EXEC = Trail(
    "VALU result", is_vector_or_matrix, vector_defines, (Expiry(VALU, _BETWEEN + 1),),
    ends=_waits_for_vector_results,
)  # fmt: skip


_ACROSS_EXEC = Trail(
    "VALU result of before SALU wrote EXEC", is_scalar, exec_written,
    (Expiry(VALU, _BETWEEN + 1 + _AFTER + 1),), ends=_waits_for_vector_results,
    closes=lambda instr: vector_defines(instr) if is_vector_or_matrix(instr.row) else (),
    carries=_BEFORE_EXEC,
)  # fmt: skip
_AFTER_EXEC = Trail(
    "VALU result of just after a change of EXEC", is_vector_or_matrix, vector_defines,
    (Expiry(VALU, _AFTER + 1),), nearest=True,
    # this instruction is among them
    ends=_waits_for_vector_results,
    within=(_ACROSS_EXEC, Expiry(VALU, _BETWEEN + 2)),
)  # fmt: skip


def _numbered(registers: Registers) -> Registers:
    """Those that are SGPRs by number, unit by unit, VCC apart."""
    return tuple(
        Register(unit) for r in registers if is_numbered(r) and not r.overlaps(VCC) for unit in r.units
    )


def _vcc_among(registers: Registers) -> Registers:
    return (VCC,) if any(r.overlaps(VCC) for r in registers) else ()


def _sgprs_used(instr: Instr) -> Registers:
    return _numbered(instr.used())


def _sgprs_defined(instr: Instr) -> Registers:
    return _numbered(instr.defined())


def _vcc_used(instr: Instr) -> Registers:
    return _vcc_among(instr.used())


def _vcc_defined(instr: Instr) -> Registers:
    return _vcc_among(instr.defined())


def _is_scalar_or_branch(row: Row) -> bool:
    return row.unit in (Unit.SALU, Unit.BRANCH)


def _is_vector_or_scalar(row: Row) -> bool:
    return is_vector_or_matrix(row) or _is_scalar_or_branch(row)


def _is_call(row: Row) -> bool:
    """Whether a row calls a function or returns from it. An indirect branch looks like a return."""
    return Trait.CALL in row.traits


def _may_read_sgprs(row: Row) -> bool:
    return is_vector_or_matrix(row) or (_is_call(row) and bool(row.defines))


def _pairs_read(instr: Instr) -> Registers:
    """The pairs of SGPRs that VALU reads; all pairs for a call."""
    if _is_call(instr.row):
        return EVERY_SGPR
    return tuple(dict.fromkeys(Register(r.first & ~1, 2) for r in instr.used() if is_numbered(r)))


def _used_by_salu(instr: Instr) -> Registers:
    return _sgprs_used(instr) if _is_scalar_or_branch(instr.row) else ()


def _vcc_used_by_salu(instr: Instr) -> Registers:
    return _vcc_used(instr) if _is_scalar_or_branch(instr.row) else ()


def _settles_sgprs(wait: AluWait, instr: Instr) -> bool:
    """Scalar memory and buffer instructions wait for all SGPRs; or a wait says so."""
    row = instr.row
    is_buffer = row.unit is Unit.VMEM and any(spec.name == "srsrc" for spec in row.operands)
    return row.unit is Unit.SMEM or is_buffer or wait in waits(instr)


def _mask_read(instr: Instr) -> Registers:
    """The SGPRs that VALU reads as a lane mask, spelt or not, unit by unit."""
    row = instr.row
    spelt = tuple(
        o
        for i in row.uses
        if row.operands[i].type in MASK_TYPES
        and isinstance(o := instr.operands[i], Register)
        and is_numbered(o)
    )
    return tuple(Register(unit) for r in (*spelt, *row.reads) if is_numbered(r) for unit in r.units)


def _units_defined(instr: Instr) -> Registers:
    return tuple(Register(unit) for r in instr.defined() if is_numbered(r) for unit in r.units)


READ_BY_VALU = Trail("SGPR pair read by VALU", _may_read_sgprs, _pairs_read, ENDLESS)


def _written_again(name: str, by_vector: bool, vcc: bool) -> Trail:
    """An SGPR that VALU has read before, written again and not waited for."""
    wait = (AluWait.VA_VCC if vcc else AluWait.VA_SDST) if by_vector else AluWait.SA_SDST
    return Trail(
        name, is_vector_or_matrix if by_vector else _is_scalar_or_branch,
        _vcc_defined if vcc else _sgprs_defined, ENDLESS, ends=partial(_settles_sgprs, wait),
        closes=_vcc_defined if vcc else _no_registers,
        settles=(_vcc_used_by_salu if vcc else _used_by_salu) if by_vector else _no_registers,
        after=READ_BY_VALU, after_itself=True,
    )  # fmt: skip


def _no_registers(_instr: Instr) -> Registers:
    return ()


def _sgpr_rule(name: str, trail: Trail, vcc: bool, remedy: Remedy, by_vector: bool) -> Rule:
    consumers = is_vector_or_matrix if by_vector else _is_vector_or_scalar
    return Rule(
        name, LLVM_SGPRS, on(RDNA4), trail, consumers, _vcc_used if vcc else _sgprs_used, remedy=remedy
    )


def _any_sgpr_read(instr: Instr) -> Registers:
    """The SGPRs that an instruction reads; all for a call or a return, since the other function may read
    any."""
    return EVERY_SGPR if _is_call(instr.row) else (*_sgprs_used(instr), *_vcc_used(instr))


def _is_vector_or_call(row: Row) -> bool:
    return is_vector_or_matrix(row) or _is_call(row)


def _any_sgpr_defined(instr: Instr) -> Registers:
    return (*_sgprs_defined(instr), *_vcc_defined(instr))


def _calls(instr: Instr) -> bool:
    return _is_call(instr.row)


_MASK_READ = Trail(
    "lane mask read by VALU", is_vector, _mask_read, ENDLESS, ends=_calls, closes=_units_defined
)


def _waits_for(wait: AluWait, instr: Instr) -> bool:
    return wait in waits(instr)


def _mask_rule(
    name: str, by_vector: bool, leaves: Callable[[Instr], Registers], remedy: Remedy, wait: AluWait
) -> Rule:
    trail = Trail(
        name, is_vector if by_vector else is_scalar, leaves, ENDLESS, ends=partial(_waits_for, wait),
        after=_MASK_READ,
    )  # fmt: skip
    consumers = _is_vector_or_call if by_vector else _is_vector_or_scalar
    return Rule(
        f"{name}, then read", LLVM, on(RDNA3), trail, consumers, _any_sgpr_read, remedy=remedy, waves=WAVE64,
        early=True,
    )  # fmt: skip


RDNA_RULES: tuple[Rule, ...] = (
    Rule(
        "transcendental result read by VALU too early", LLVM, on(RDNA3), TRANS_RESULT, is_vector_or_matrix,
        _read_or_kept, remedy=Remedy.VECTOR_RESULTS, spares=_reads_other_half,
    ),
    Rule(
        "WMMA result read as a factor of WMMA", LLVM, on(RDNA), MATRIX_RESULT, is_matrix, _factors_and_index,
        remedy=Remedy.VECTOR_NOP,
    ),
    Rule(
        "VALU-written EXEC before a lane permutation, no VALU between", LLVM, on(RDNA), EXEC_RESULT,
        is_permlane, exec_whole, remedy=Remedy.MOVE,
    ),
    Rule(
        "VALU results of before and after a change of EXEC read together", LLVM, on(RDNA3), _AFTER_EXEC,
        is_vector_or_matrix, vector_uses, remedy=Remedy.VECTOR_RESULTS,
        spares=_reads_other_half, given=Given(_ACROSS_EXEC, vector_uses), waves=WAVE64,
    ),
    _mask_rule(
        "lane mask overwritten by SALU", False, _any_sgpr_defined, Remedy.SCALAR_RESULTS, AluWait.SA_SDST
    ),
    _mask_rule("lane mask overwritten by VALU", True, _sgprs_defined, Remedy.VECTOR_SGPRS, AluWait.VA_SDST),
    _mask_rule("lane mask in VCC overwritten by VALU", True, _vcc_defined, Remedy.VECTOR_VCC, AluWait.VA_VCC),
    _sgpr_rule(
        "SGPR read by VALU, written by SALU, read", _written_again("SALU", False, False), False,
        Remedy.SCALAR_RESULTS, False,
    ),
    _sgpr_rule(
        "SGPR read by VALU, written by VALU, read by VALU", _written_again("VALU", True, False), False,
        Remedy.VECTOR_SGPRS, True,
    ),
    _sgpr_rule(
        "VCC read by VALU, written by SALU, read", _written_again("VCC SALU", False, True), True,
        Remedy.SCALAR_RESULTS, False,
    ),
    _sgpr_rule(
        "VCC read by VALU, written by VALU, read by VALU", _written_again("VCC VALU", True, True), True,
        Remedy.VECTOR_VCC, True,
    ),
)  # fmt: skip
