"""Which accesses memory serves in groups."""

from __future__ import annotations

from isa.instruction import Instr, Trait, Unit


def is_global_load(instr: Instr) -> bool:
    """Whether an instruction loads from global memory to registers."""
    row = instr.row
    is_other = not row.traits.isdisjoint({Trait.STORE, Trait.LDS_DMA})
    return row.unit is Unit.VMEM and Trait.LOAD in row.traits and not is_other
