"""Whether the workgroups of a kernel may wait for each other: a wait repeats a load of memory."""

from __future__ import annotations

from isa.emulator.program.code import Code, ends_block
from isa.instruction import Instr, Label, Trait, Unit

_READS = frozenset({Trait.LOAD, Trait.ATOMIC})
_OWN = frozenset({Unit.LDS, Unit.SCRATCH})  # memory that other workgroups do not have


def may_wait_for_groups(code: Code) -> bool:
    """Whether a stretch of code that a branch may repeat reads memory that other workgroups may write. A
    branch to a computed address may repeat any."""
    last_read = -1
    for index, operation in enumerate(code.operations):
        if not isinstance(operation, Instr):
            continue
        if not operation.row.traits.isdisjoint(_READS) and operation.row.unit not in _OWN:
            last_read = index
        if Trait.CALL in operation.row.traits:
            return True
        target = operation.operands[-1] if ends_block(operation) and operation.operands else None
        if isinstance(target, Label) and code.labels.get(target.name, index + 1) <= last_read:
            return True
    return False
