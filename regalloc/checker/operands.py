"""The rules for the registers of an instruction's operands: the row's rules, separate results, tied operands
in the same register.

    v_mfma_f32_4x4x1f32 v[0:3], v0, v9, v[4:7]    refused: the result is written early and shares v0

The rules look at the rewritten instruction alone.
"""

from __future__ import annotations

from functools import cache

from isa.instruction import Instr, Row, Unit
from isa.operand_check import OperandCheck, known_class, operand_checks
from isa.operand_check import operand_fault as single_fault
from isa.registers import Register
from isa.replay import is_replayed
from isa.targets import TargetId


def operand_fault(rewritten: Instr, target: TargetId) -> str:
    """The rule that the operands break, in words; empty if they keep all rules."""
    for index, check in _bound_operands(rewritten.row):
        fault = single_fault(check, rewritten.operands[index], known_class)
        if fault is not None:
            return fault.message
    row = rewritten.row
    if not row.ties and _is_written_last(row) and not is_replayed(row, target):
        return ""
    return _tie_fault(rewritten) or _overlap_fault(rewritten, target)


@cache
def _bound_operands(row: Row) -> tuple[tuple[int, OperandCheck], ...]:
    """The operands that may not be any register of their class: tuples that are aligned, short forms that do
    not reach every register, registers that the encoding implies."""
    return tuple(
        (index, check)
        for index, check in enumerate(operand_checks(row))
        if max(check.align, check.scalar_align) > 1 or check.spec.reach or check.spec.fixed is not None
    )


@cache
def _is_written_last(row: Row) -> bool:
    """Whether a row has at most a single result, written after every operand was read, unless the row is
    replayed."""
    if len(row.defines) > 1 or row.unit is Unit.MATRIX:
        return False
    return not any(row.operands[index].early_clobber for index in row.defines)


def _tie_fault(rewritten: Instr) -> str:
    row = rewritten.row
    for use, define in row.ties:
        if (
            isinstance(rewritten.operands[define], Register)
            and rewritten.operands[use] != rewritten.operands[define]
        ):
            return f"operand {row.operands[use].name} is tied and lies apart from {row.operands[define].name}"
    return ""


def _overlap_fault(rewritten: Instr, target: TargetId) -> str:
    """Results must not overlap each other, and early results must not overlap any operand that is not tied to
    them.

    A matrix result may be the register of its accumulator, the operand that is read while the result is
    written.
    """
    row = rewritten.row
    results = [(i, o) for i in row.defines if isinstance(o := rewritten.operands[i], Register)]
    for position, (index, result) in enumerate(results):
        if any(result.overlaps(other) for _, other in results[position + 1 :]):
            return "two results share a register"
        spec = row.operands[index]
        if not spec.early_clobber and row.unit is not Unit.MATRIX and not is_replayed(row, target):
            continue
        for use in row.uses:
            operand = rewritten.operands[use]
            if not isinstance(operand, Register) or not operand.overlaps(result) or (use, index) in row.ties:
                continue
            if row.unit is not Unit.MATRIX or operand != result or row.operands[use].type != spec.type:
                return f"{spec.name} is written early and shares {operand} with {row.operands[use].name}"
    return ""
