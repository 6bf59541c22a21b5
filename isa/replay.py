"""Scalar loads that the hardware may issue again (LLVM AMDGPUUsage, target feature xnack; LLVM's
`S_LOAD_*_ec` rows).

If XNACK may be on, a load from a missing page is replayed after the page arrives. A load of several dwords
may have written some of them already, so with a destination over its address or offset it would replay from
another address. A naturally aligned load lies in a single page and writes everything or nothing, but the
alignment is visible only if the address is known.
"""

from __future__ import annotations

from functools import cache

from isa.instruction import Instr, Row, Trait, Unit
from isa.operand_check import Fault
from isa.registers import Register, register_name
from isa.targets import TargetId


def is_replayed(row: Row, target: TargetId) -> bool:
    """Whether a row may write a part of its destination and then be issued again: its results are
    early-clobbered."""
    return row.unit is Unit.SMEM and _is_replayed_load(row, target)


@cache
def _is_replayed_load(row: Row, target: TargetId) -> bool:
    may_fault = "xnack" in target.target.features and "xnack-" not in target.features
    return (
        may_fault and Trait.LOAD in row.traits and any(row.operands[index].count > 1 for index in row.defines)
    )


def replay_fault(instr: Instr, target: TargetId) -> Fault | None:
    """ISA009 if a load that may be replayed overwrites a register of its own address."""
    row = instr.row
    if not is_replayed(row, target):
        return None
    for define in row.defines:
        for use in row.uses:
            result, source = instr.operands[define], instr.operands[use]
            if isinstance(result, Register) and isinstance(source, Register) and result.overlaps(source):
                shown = (
                    f"{row.operands[define].name} is {register_name(result)}, {row.operands[use].name} is "
                    f"{register_name(source)}"
                )
                return Fault(
                    "ISA009", f"{shown}, wanted different registers: a replay (XNACK) would read the result"
                )
    return None
