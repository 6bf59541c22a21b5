"""The fields of s_waitcnt_depctr (gfx11) and s_wait_alu (gfx12) that hazards ask for.

A field of 0 waits until nothing of its kind is under way any more (LLVM's AMDGPU assembler syntax,
`isa.fields`).
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from isa.fields import field_values, pack_fields
from isa.instruction import Immediate, Instr, Row, Trait


class AluWait(Enum):
    """A field; the value is its name."""

    VA_VDST = "va_vdst"  # VGPRs that VALU will write
    VA_SDST = "va_sdst"  # SGPRs that VALU will write
    VA_VCC = "va_vcc"  # VCC that VALU will write
    SA_SDST = "sa_sdst"  # SGPRs that SALU will write


def waits(instr: Instr) -> frozenset[AluWait]:
    """The fields that an instruction waits for until they are 0."""
    if Trait.IDLE in instr.row.traits:
        return frozenset(AluWait)
    if Trait.WAIT_ALU not in instr.row.traits:
        return frozenset()
    immediate = instr.operands[0]
    if not isinstance(immediate, Immediate):
        return frozenset()
    values = field_values(instr.row.operands[0], immediate.bits)
    return frozenset(wait for wait in AluWait if values[wait.value] == 0)


def wait_for(row: Row, fields: Iterable[AluWait], before: Instr | None = None) -> Instr:
    """The wait of a row for all of `fields`, and for the fields of a wait `before`."""
    spec = row.operands[0]
    immediate = before.operands[0] if before is not None else None
    values = field_values(spec, immediate.bits) if isinstance(immediate, Immediate) else {}
    return Instr(row, (Immediate(pack_fields(spec, values | {wait.value: 0 for wait in fields})),))
