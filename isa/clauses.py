"""Clauses of memory instructions on RDNA: which instructions may share an `s_clause`.

    s_clause 0x2                              three instructions, which memory serves in turn
    global_load_b128 v[0:3], v12, s[0:1]
    global_load_b128 v[4:7], v12, s[0:1] offset:512
    global_load_b128 v[8:11], v12, s[0:1] offset:1024

The instructions of a clause have the same kind, with only s_nop between them (RDNA3 ISA, S_CLAUSE). LLVM 22.1
forms no other clauses, and none longer than `Target.longest_clause`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import cache

from isa.instruction import Immediate, Instr, Row, Trait, Unit
from isa.registers import FIRST_VGPR, Register

_COUNT = 63  # the bits of the immediate that count the instructions after the first


class ClauseKind(Enum):
    """The kind of a clause. Buffer, global and scratch accesses share a kind."""

    SCALAR_LOAD = "scalar loads"
    LOAD = "loads"
    STORE = "stores"
    ATOMIC = "atomics"
    FLAT_LOAD = "flat loads"
    FLAT_STORE = "flat stores"
    FLAT_ATOMIC = "flat atomics"


_OF_MEMORY = {
    Trait.ATOMIC: ClauseKind.ATOMIC,
    Trait.STORE: ClauseKind.STORE,
    Trait.LOAD: ClauseKind.LOAD,
}
_KINDS = {
    Unit.SMEM: {Trait.LOAD: ClauseKind.SCALAR_LOAD},
    Unit.VMEM: _OF_MEMORY,
    Unit.SCRATCH: _OF_MEMORY,
    Unit.FLAT: {
        Trait.ATOMIC: ClauseKind.FLAT_ATOMIC,
        Trait.STORE: ClauseKind.FLAT_STORE,
        Trait.LOAD: ClauseKind.FLAT_LOAD,
    },
}


def clause_kind(instr: Instr) -> ClauseKind | None:
    """The kind of clause that an instruction may be part of; None if it may not be part of any."""
    return _kind_of(instr.row)


@cache
def _kind_of(row: Row) -> ClauseKind | None:
    return next((kind for trait, kind in _KINDS.get(row.unit, {}).items() if trait in row.traits), None)


def clause_addresses(instr: Instr) -> frozenset[Register | Unit]:
    """The registers that identify the memory of an access: the lane's address and the buffer's base. All
    scratch accesses have the same identity."""
    if instr.row.unit is Unit.SCRATCH:
        return frozenset({Unit.SCRATCH})
    registers = [operand for i in instr.row.uses if isinstance(operand := instr.operands[i], Register)]
    scalar = next((register for register in registers if register.first < FIRST_VGPR), registers[0])
    return frozenset({registers[0], scalar})


def clause_length(instr: Instr) -> int:
    """The number of instructions that follow an s_clause in its clause."""
    (count,) = instr.operands
    assert isinstance(count, Immediate)
    return (count.bits & _COUNT) + 1


def broken_at(code: Sequence[Instr], index: int) -> Instr | None:
    """The index of the first instruction that does not belong in the clause of the s_clause at `index`.

    The s_clause itself if the block ends inside its clause; None if the clause is legal.
    """
    members = code[index + 1 : index + 1 + clause_length(code[index])]
    if len(members) < clause_length(code[index]):
        return code[index]
    kind = clause_kind(members[0])
    return next(
        (
            member
            for number, member in enumerate(members)
            if clause_kind(member) is not kind or kind is None
            if number in (0, len(members) - 1) or Trait.NOP not in member.row.traits
        ),
        None,
    )
