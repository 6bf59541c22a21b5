"""What one hazard rule says, and the row facts rules are made of.

A producer leaves registers behind; a consumer that touches one of them within `states` wait states is wrong. Every
instruction in between is one state, `s_nop N` is N+1 (CDNA3 ISA, section 4.5).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from isa.instruction import Encoding, Immediate, Instr, Row, Trait, Unit
from isa.registers import EXEC, FIRST_AGPR, FIRST_VGPR, Register

VECTOR_UNITS = frozenset({Unit.VALU, Unit.TRANS})
MEMORY_UNITS = frozenset({Unit.VMEM, Unit.FLAT, Unit.SCRATCH})


class Relation(Enum):
    """How the consumer's register must lie to the producer's for the rule to hold."""

    OVERLAP = "overlap"
    DIFFERENT = "overlap, but not the same tuple"
    SAME = "the same tuple"


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One row of a hazard table.

    `leaves` gives the registers that an instruction leaves behind (none: it is no producer), `touches` those by which
    an instruction meets the rule as a consumer. `may_leave` and `may_touch` ask the row alone, so that most rules drop
    out for most rows. A rule with `within` holds only as long as every instruction in between satisfies it, and then
    needs `states` states whatever the distance. `spares` lifts the rule between one producer and one consumer, `unless`
    is a target feature that lifts it altogether.
    """

    name: str
    source: str
    states: int
    may_leave: Callable[[Row], bool]
    leaves: Callable[[Instr], tuple[Register, ...]]
    may_touch: Callable[[Row], bool]
    touches: Callable[[Instr], tuple[Register, ...]]
    relation: Relation = Relation.OVERLAP
    within: Callable[[Row], bool] | None = None
    spares: Callable[[Instr, Instr], bool] | None = None
    unless: str = ""

    def meets(self, left: Register, touched: Register) -> bool:
        """Whether a consumer's register `touched` is one that this rule guards after `left` was left behind."""
        if self.relation is Relation.OVERLAP:
            return left.overlaps(touched)
        return left.overlaps(touched) and (left == touched) is (self.relation is Relation.SAME)


def is_vector(row: Row) -> bool:
    """A VALU instruction, transcendentals and dot products included, matrix instructions apart."""
    return row.unit in VECTOR_UNITS


def is_vector_or_matrix(row: Row) -> bool:
    return row.unit in VECTOR_UNITS or row.unit is Unit.MATRIX


def is_memory(row: Row) -> bool:
    """A buffer, global, flat or scratch instruction."""
    return row.unit in MEMORY_UNITS


def is_cross_lane(row: Row) -> bool:
    """v_readlane, v_readfirstlane and v_writelane."""
    return Trait.LANE_READ in row.traits or Trait.LANE_WRITE in row.traits


def is_dpp(row: Row) -> bool:
    return row.encoding is Encoding.DPP


def is_vector_register(register: Register) -> bool:
    return register.first >= FIRST_VGPR


def is_vgpr(register: Register) -> bool:
    return FIRST_VGPR <= register.first < FIRST_AGPR


def is_scalar_register(register: Register) -> bool:
    return register.first < FIRST_VGPR


def vector_defines(instr: Instr) -> tuple[Register, ...]:
    return tuple(r for r in instr.defined() if is_vector_register(r))


def vector_uses(instr: Instr) -> tuple[Register, ...]:
    return tuple(r for r in instr.used() if is_vector_register(r))


def vector_registers(instr: Instr) -> tuple[Register, ...]:
    return vector_uses(instr) + vector_defines(instr)


def scalar_defines(instr: Instr) -> tuple[Register, ...]:
    """SGPRs and VCC written, whether by an operand or implicitly; EXEC is a rule of its own."""
    return tuple(r for r in instr.defined() if is_scalar_register(r) and not r.overlaps(EXEC))


def scalar_uses(instr: Instr) -> tuple[Register, ...]:
    return tuple(r for r in instr.used() if is_scalar_register(r) and not r.overlaps(EXEC))


def operand_named(instr: Instr, *names: str) -> tuple[Register, ...]:
    """The registers that stand in the operands of these names; a row without such an operand has none."""
    operands = instr.operands
    return tuple(o for spec, o in zip(instr.row.operands, operands, strict=True) if spec.name in names and isinstance(o, Register))


def exec_written(instr: Instr) -> tuple[Register, ...]:
    return tuple(r for r in instr.defined() if r.overlaps(EXEC))


def exec_whole(_instr: Instr) -> tuple[Register, ...]:
    """For consumers that depend on EXEC whatever their operands are."""
    return (EXEC,)


def states_of(instr: Instr) -> int:
    """The wait states that an instruction itself stands for."""
    if Trait.NOP not in instr.row.traits:
        return 1
    count = instr.operands[0] if instr.operands else None
    return count.bits + 1 if isinstance(count, Immediate) else 1
