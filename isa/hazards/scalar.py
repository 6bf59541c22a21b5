"""Hazards of scalar state and of clauses.

CDNA3 ISA section 4.5; the figures are LLVM 22.1's for gfx942. A soft clause is a run of vector memory, or of scalar
memory, instructions with nothing else in between. Where a page fault may be retried (XNACK), a clause is replayed as
a whole, so that none of its results may overwrite what one of its members read.
"""

from __future__ import annotations

from isa.hazards.rule import Rule, is_memory
from isa.instruction import Immediate, Instr, Kind, Row, Trait, Unit
from isa.registers import EXEC, FIRST_VIRTUAL, M0, MODE, SCC, Register

TABLE = "CDNA3 ISA 4.5, required software-inserted wait states"
CLAUSES = "LLVM AMDGPUUsage, target feature xnack, and LLVM 22.1's soft-clause hazard"

# Registers that do not exist (AGPRs end at unit 767) stand for state that no operand names.
_HARDWARE_REGISTERS = FIRST_VIRTUAL - 128
_CLAUSE_WRITES = Register(FIRST_VIRTUAL - 2)
_CLAUSE_SELF_OVERWRITTEN = Register(FIRST_VIRTUAL - 3)
_ALWAYS_READY = (EXEC, SCC, MODE)


def _is_salu(row: Row) -> bool:
    return row.unit is Unit.SALU


def _m0_written(instr: Instr) -> tuple[Register, ...]:
    return tuple(r for r in instr.defined() if r == M0)


def _reads_m0(row: Row) -> bool:
    return M0 in row.reads


def _m0(_instr: Instr) -> tuple[Register, ...]:
    return (M0,)


def _names_hardware_register(row: Row) -> bool:
    return any(spec.kinds & Kind.HWREG for spec in row.operands)


def _sets_hardware_register(row: Row) -> bool:
    return _names_hardware_register(row) and not row.defines


def _hardware_register(instr: Instr) -> tuple[Register, ...]:
    """The register that hwreg(ID, OFFSET, SIZE) names; the id is the low six bits."""
    return tuple(
        Register(_HARDWARE_REGISTERS + (o.bits & 63))
        for spec, o in zip(instr.row.operands, instr.operands, strict=True)
        if spec.kinds & Kind.HWREG and isinstance(o, Immediate)
    )


def _is_scalar_memory(row: Row) -> bool:
    return row.unit is Unit.SMEM


def _clause_defines(instr: Instr) -> tuple[Register, ...]:
    return tuple(o for i in instr.row.defines if isinstance(o := instr.operands[i], Register))


def _clause_uses(instr: Instr) -> tuple[Register, ...]:
    return tuple(r for r in instr.used() if r not in _ALWAYS_READY)


def _overwrites_itself(instr: Instr) -> bool:
    uses = _clause_uses(instr)
    return any(define.overlaps(use) for define in _clause_defines(instr) for use in uses)


def _self_overwriting(instr: Instr) -> tuple[Register, ...]:
    return (_CLAUSE_SELF_OVERWRITTEN,) if _overwrites_itself(instr) else ()


def _any_after_self_overwriting(_instr: Instr) -> tuple[Register, ...]:
    return (_CLAUSE_SELF_OVERWRITTEN,)


def _writing(instr: Instr) -> tuple[Register, ...]:
    return (_CLAUSE_WRITES,) if _clause_defines(instr) else ()


def _store_or_self_overwriting(instr: Instr) -> tuple[Register, ...]:
    """What may not stand in a clause after a load: a store, and a load over its own address."""
    traits = instr.row.traits
    return (_CLAUSE_WRITES,) if Trait.STORE in traits or Trait.ATOMIC in traits or Trait.LDS_DMA in traits or _overwrites_itself(instr) else ()


def _clause_rules() -> list[Rule]:
    rules: list[Rule] = []
    for kind, member in (("vector memory", is_memory), ("scalar memory", _is_scalar_memory)):
        for name, leaves, touches in (
            ("input overwritten by a later member", _clause_uses, _clause_defines),
            ("result read by a later member", _clause_defines, _clause_uses),
            ("member overwrote its own input", _self_overwriting, _any_after_self_overwriting),
            ("store, or load over its own input, after a load", _writing, _store_or_self_overwriting),
        ):
            rules.append(Rule(f"soft clause of {kind}: {name}", CLAUSES, 1, member, leaves, member, touches, within=member, unless="xnack-"))
    return rules


SCALAR_RULES: tuple[Rule, ...] = (
    Rule("SALU-written M0 read implicitly", TABLE, 1, _is_salu, _m0_written, _reads_m0, _m0),
    Rule(
        "hardware register set, then read or set", TABLE, 2, _sets_hardware_register, _hardware_register,
        _names_hardware_register, _hardware_register,
    ),
    *_clause_rules(),
)
