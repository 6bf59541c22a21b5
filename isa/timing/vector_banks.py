"""The banks of vector registers from which an instruction reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from isa.instruction import Instr
from isa.registers import FIRST_VGPR, Register


def bank_reads(instr: Instr, banks: int, numbers: Mapping[int, int]) -> tuple[tuple[int, int, int], ...]:
    """The vector registers that an instruction reads, in order: which source of the instruction, or of a half
    of it, has the register, its bank, and its number in `numbers` or one of its own. Only the first register
    of an operand counts."""
    if not instr.row.components:  # sources in order, each once
        operands = [instr.operands[use] for use in instr.row.uses]
        return tuple(
            [
                (source, operand.first % banks, numbers.get(operand.first, -operand.first))
                for source, operand in enumerate(operands)
                if isinstance(operand, Register) and operand.first >= FIRST_VGPR
            ]
        )
    found: set[tuple[int, int, int]] = set()
    for uses in _halves(instr):
        for source, use in enumerate(uses):
            operand = instr.operands[use]
            if isinstance(operand, Register) and operand.first >= FIRST_VGPR:
                unit = operand.first
                found.add((source, unit % banks, numbers.get(unit, -unit)))
    return tuple(sorted(found))


def _halves(instr: Instr) -> Iterable[Sequence[int]]:
    """The operands that each half of a VOPD instruction uses."""
    row = instr.row
    first = len(row.components[0].uses)
    return row.uses[:first], row.uses[first:]
