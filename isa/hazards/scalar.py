"""Hazards of scalar state and of clauses on CDNA (CDNA3 ISA, section 4.5); the figures are LLVM 22.1's.

A soft clause is a run of vector memory, or of scalar memory, instructions with nothing else in between. If a
page fault may be retried (XNACK), a clause is replayed as a whole, so no result may overwrite an operand of a
member of the clause. A clause of stores only has no hazard.

The number of members that are replayed together is not documented. LLVM's recognizer keeps the last five wait
states, and the last nineteen in a function that touches AGPR 0, so it sees only that part of a longer clause;
clang's code has conflicts farther apart. These rules require what LLVM's recognizer sees.
"""

from __future__ import annotations

from collections.abc import Callable

from isa.hazards.facts import CDNA, is_memory, is_scalar, on, stand_in
from isa.hazards.rule import STATES, Clock, Expiry, Given, Registers, Rule, Trail
from isa.instruction import Immediate, Instr, Kind, Row, Trait, Unit
from isa.registers import EXEC, FIRST_VIRTUAL, M0, MODE, SCC, Register

TABLE = "CDNA3 ISA 4.5, required software-inserted wait states"
CLAUSES = "LLVM AMDGPUUsage, target feature xnack, and LLVM 22.1's soft-clause hazard"

_HARDWARE_REGISTERS = stand_in(127).first
_CLAUSE_LOADED = stand_in(1)
# wait states, without AGPR 0 and with it (LLVM 22.1, GCNHazardRecognizer: MaxLookAhead)
_LOOK_BACK = {False: 5, True: 19}
_ALWAYS_READY = (EXEC, SCC, MODE)


def _m0_written(instr: Instr) -> Registers:
    return tuple(r for r in instr.defined() if r == M0)


def _reads_m0(row: Row) -> bool:
    """Whether an instruction reads M0, by its semantics; instructions that set part of M0 are ordered among
    themselves."""
    return M0 in row.reads and M0 not in row.writes


def _m0(_instr: Instr) -> Registers:
    return (M0,)


def _names_hardware_register(row: Row) -> bool:
    return any(spec.kinds & Kind.HWREG for spec in row.operands)


def _sets_hardware_register(row: Row) -> bool:
    return _names_hardware_register(row) and not row.defines


def _hardware_register(instr: Instr) -> Registers:
    """The register that hwreg(ID, OFFSET, SIZE) names; the id is the low six bits."""
    return tuple(
        Register(_HARDWARE_REGISTERS + (o.bits & 63))
        for spec, o in zip(instr.row.operands, instr.operands, strict=True)
        if spec.kinds & Kind.HWREG and isinstance(o, Immediate)
    )


def _is_scalar_memory(row: Row) -> bool:
    return row.unit is Unit.SMEM


def _clause_defines(instr: Instr) -> Registers:
    return tuple(o for i in instr.row.defines if isinstance(o := instr.operands[i], Register))


def _clause_uses(instr: Instr) -> Registers:
    return tuple(r for r in instr.used() if r not in _ALWAYS_READY)


def _overwrites_itself(instr: Instr) -> bool:
    uses = _clause_uses(instr)
    return any(define.overlaps(use) for define in _clause_defines(instr) for use in uses)


def _anything(_instr: Instr) -> Registers:
    return (Register(0, FIRST_VIRTUAL),)


def _loading(instr: Instr) -> Registers:
    return (_CLAUSE_LOADED,) if _clause_defines(instr) else ()


def _any_after_load(_instr: Instr) -> Registers:
    return (_CLAUSE_LOADED,)


def _store_or_self_overwriting(instr: Instr) -> Registers:
    """What may not be in a clause after a load: a store, and a load over its own address."""
    traits = instr.row.traits
    return (
        (_CLAUSE_LOADED,)
        if Trait.STORE in traits
        or Trait.ATOMIC in traits
        or Trait.LDS_DMA in traits
        or _overwrites_itself(instr)
        else ()
    )


def _clause_rules(kind: str, member: Callable[[Row], bool], with_a0: bool) -> tuple[Rule, ...]:
    title = f"soft clause of {kind}{' in code with AGPR 0' if with_a0 else ''}"
    states = _LOOK_BACK[with_a0]
    outside = Clock(f"instructions other than {kind}", lambda row: 0 if member(row) else 1)

    def trail(name: str, leaves: Callable[[Instr], Registers], after: Trail | None = None) -> Trail:
        lasts = (Expiry(outside, 1), Expiry(STATES, states))
        return Trail(f"{title}: {name}", member, leaves, lasts, after=after, after_itself=True)

    def rule(
        name: str, left: Trail, touches: Callable[[Instr], Registers], given: Given | None = None
    ) -> Rule:
        source = f"{CLAUSES}, {states} states back"
        held = frozenset({with_a0})
        return Rule(
            f"{title}: {name}", source, on(CDNA), left, member, touches, given=given, unless="xnack-",
            with_a0=held,
        )  # fmt: skip

    loaded, inputs = trail("loaded", _loading), trail("inputs", _clause_uses)
    return (
        rule("input overwritten by a later member", inputs, _clause_defines, Given(loaded, _any_after_load)),
        rule("result read by a later member", trail("results", _clause_defines), _clause_uses),
        rule(
            "an input is overwritten already", trail("overwritten inputs", _clause_defines, inputs), _anything
        ),
        rule("store, or load over its own input, after a load", loaded, _store_or_self_overwriting),
    )


SCALAR_RULES: tuple[Rule, ...] = (
    Rule(
        "SALU-written M0 read implicitly", TABLE, on(CDNA, 1),
        Trail("M0 written by SALU", is_scalar, _m0_written), _reads_m0, _m0,
    ),
    Rule(
        "hardware register set, then read or set", TABLE, on(CDNA, 2),
        Trail("hardware register set", _sets_hardware_register, _hardware_register), _names_hardware_register,
        _hardware_register,
    ),
    *(rule for with_a0 in _LOOK_BACK for rule in _clause_rules("vector memory", is_memory, with_a0)),
    *(rule for with_a0 in _LOOK_BACK for rule in _clause_rules("scalar memory", _is_scalar_memory, with_a0)),
)  # fmt: skip
