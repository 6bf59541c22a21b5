"""SGPRs that are set apart from the numbered ones, and how many of them a kernel's metadata counts.

LLVM counts up to the last one in use, in the order VCC, XNACK_MASK, FLAT_SCRATCH: XNACK_MASK unless the
target id turns xnack off, FLAT_SCRATCH where the hardware sets it up or the code names it (AMDGPUUsage,
".amdhsa_reserve_xnack_mask" and its neighbours).
"""

from __future__ import annotations

from collections.abc import Iterable

from isa.instruction import Instr
from isa.registers import FLAT_SCRATCH, VCC, XNACK_MASK, Register
from isa.targets import TargetId

_APART = (VCC, XNACK_MASK, FLAT_SCRATCH)
_NAMES = {VCC: "VCC", XNACK_MASK: "XNACK_MASK", FLAT_SCRATCH: "FLAT_SCRATCH"}


def set_apart(target: TargetId, names_vcc: bool, instructions: Iterable[Instr]) -> tuple[Register, ...]:
    """The pairs that are counted next to the numbered SGPRs; `names_vcc`: some instruction reads or writes
    VCC."""
    record = target.target
    known = _APART[: record.reserved_sgprs // VCC.count]
    in_use = {
        VCC: names_vcc,
        XNACK_MASK: "xnack-" not in target.features,
        FLAT_SCRATCH: record.architected_scratch
        or any(_spells(instr, FLAT_SCRATCH) for instr in instructions),
    }
    return known[: max((i + 1 for i, register in enumerate(known) if in_use[register]), default=0)]


def _spells(instr: Instr, wanted: Register) -> bool:
    """Whether an operand is the register; a flat access, which may reach it, does not count."""
    return any(isinstance(operand, Register) and operand.overlaps(wanted) for operand in instr.operands)


def spelt(registers: tuple[Register, ...]) -> str:
    """Their names in a row."""
    return ", ".join(_NAMES[register] for register in registers)
