"""The order of instructions by their rows, computed once for each row."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from msgspec import Struct

from isa.instruction import Kind, Row, Trait, Unit
from isa.registers import EXEC, FIRST_VGPR, M0, MODE, NULL, SCC, VCC, Register

FLAG_UNIT = SCC.first
# Read-only scalar sources that show whether a mask is zero: their readers read the mask.
_SHOWN_BY = {251: VCC, 252: EXEC}
_MEMORY = frozenset({Trait.LOAD, Trait.STORE, Trait.ATOMIC, Trait.LDS_DMA})
_WRITES = frozenset({Trait.STORE, Trait.ATOMIC})
_SYNCHRONIZES = frozenset({Trait.BARRIER, Trait.SIGNAL})
_FENCES = frozenset(
    {
        Trait.CACHE, Trait.WAIT, Trait.WAIT_ALU, Trait.NOP, Trait.DELAY, Trait.PRIORITY, Trait.CALL,
        Trait.BRANCH, Trait.CONDITIONAL_BRANCH, Trait.END,
    }
)  # fmt: skip


class OrderFacts(Struct, frozen=True):
    """`reads` and `writes` are the implicit units, SCC apart, for which there is a flag each.

    A `fence` keeps its place among all instructions. A wait is a fence, but orders of loops let matrix
    instructions pass it. An access of memory says by which of global memory, LDS and scratch it goes, and
    whether it writes; a `barrier` keeps its place among all accesses.
    """

    reads: tuple[int, ...]
    writes: tuple[int, ...]
    reads_flag: bool
    writes_flag: bool
    fence: bool
    is_wait: bool
    passes_waits: bool
    barrier: bool
    is_access: bool
    is_write: bool
    in_global: bool
    in_lds: bool
    in_scratch: bool
    fills_lds: bool


@cache
def order_facts(row: Row) -> OrderFacts:
    """The facts of a row.

    An instruction that EXEC does not mask (v_readlane, a matrix instruction) stays between the same changes
    of EXEC as a masked instruction: only there are the contents of inactive lanes known.
    """
    traits = row.traits
    is_access = not traits.isdisjoint(_MEMORY)
    is_vector = row.unit not in _SCALAR_UNITS
    reads = {unit for register in row.reads for unit in ordered_units(register)}
    if is_vector:
        reads.update(EXEC.units)
    writes = {unit for register in row.writes for unit in ordered_units(register)}
    return OrderFacts(
        tuple(sorted(reads - {FLAG_UNIT})),
        tuple(sorted(writes - {FLAG_UNIT})),
        FLAG_UNIT in reads,
        FLAG_UNIT in writes,
        _is_fence(row, is_access),
        Trait.WAIT in traits,
        row.unit is Unit.MATRIX,
        not traits.isdisjoint(_SYNCHRONIZES),
        is_access,
        not traits.isdisjoint(_WRITES),
        row.unit in _GLOBAL_UNITS,
        row.unit in _LDS_UNITS,
        row.unit in _SCRATCH_UNITS,
        Trait.LDS_DMA in traits,
    )


_SCALAR_UNITS = frozenset({Unit.SALU, Unit.SMEM, Unit.BRANCH, Unit.CONTROL})
_GLOBAL_UNITS = frozenset({Unit.VMEM, Unit.FLAT, Unit.SMEM})
_LDS_UNITS = frozenset({Unit.LDS, Unit.FLAT})
_SCRATCH_UNITS = frozenset({Unit.SCRATCH, Unit.FLAT})


def _is_fence(row: Row, is_access: bool) -> bool:
    """Whether no instruction may pass an instruction of this row.

    Fences are waits, cache control, priorities and effects other than memory accesses; writers and readers of
    the mode, which other instructions use without naming it; and instructions that name registers by a number
    in M0.
    """
    traits = row.traits
    if not traits.isdisjoint(_FENCES) or MODE in row.writes or MODE in row.reads:
        return True
    if any(spec.kinds & Kind.HWREG for spec in row.operands):
        return True
    if Trait.SIDE_EFFECT in traits and not is_access and traits.isdisjoint(_SYNCHRONIZES):
        return True
    return not row.events and M0 in row.reads


def ordered_units(register: Register) -> Iterable[int]:
    """The units by which a register orders instructions: none for the null register, which drops writes."""
    first, count = register
    if first >= FIRST_VGPR:
        return range(first, first + count)
    if first in _SHOWN_BY:
        return _SHOWN_BY[first].units
    return () if register == NULL else register.units
