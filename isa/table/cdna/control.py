"""Program control rows: SOPP, and the scalar jumps (CDNA3 ISA, chapter 4 and section 12.5)."""

from __future__ import annotations

from isa.instruction import Encoding, Event, Kind, ModifierSpec, OperandSpec, Role, Row, Trait, Unit
from isa.registers import EXEC, M0, SCC, VCC, Register
from isa.table.declare import SIMM, S, d, make, operand, u

PLAIN = Encoding.PLAIN
TARGET = operand("target", Role.USE, Kind.LABEL | SIMM, "i16")


def branches(reads: Register, zero: str, nonzero: str) -> tuple[Row, Row]:
    """Two branches: taken if a register is 0, and taken if it is not 0. They fall through otherwise."""
    traits = (Trait.BRANCH, Trait.CONDITIONAL_BRANCH)
    if_zero = (*traits, Trait.ZERO)
    return (
        make(zero, PLAIN, Unit.BRANCH, (TARGET,), reads=(reads,), traits=if_zero, opposite=nonzero),
        make(nonzero, PLAIN, Unit.BRANCH, (TARGET,), reads=(reads,), traits=traits, opposite=zero),
    )


def control(
    name: str, *traits: Trait, operands: tuple[OperandSpec, ...] = (),
    modifiers: tuple[ModifierSpec, ...] = (), reads: tuple[Register, ...] = (),
    events: tuple[Event, ...] = (), semantics: str = "",
) -> Row:  # fmt: skip
    return make(
        name, PLAIN, Unit.CONTROL, operands, modifiers, reads=reads, events=events, traits=traits,
        semantics=semantics,
    )  # fmt: skip


def message(name: str) -> Row:
    """A message to the rest of the machine."""
    operands = (operand("message", Role.USE, SIMM | Kind.FIELDS, "sendmsg_cdna"),)
    return control(name, Trait.SIDE_EFFECT, operands=operands, reads=(M0, EXEC), events=(Event.MESSAGE,))


def simm() -> tuple[OperandSpec, ...]:
    return (operand("simm16", Role.USE, SIMM, "count16"),)


# with their pieces of the raw immediate (CDNA3 ISA, section 4.4)
COUNTERS = (
    ModifierSpec("vmcnt", "counter", 63, 0, 63, bits=((0, 4), (14, 2))),
    ModifierSpec("expcnt", "counter", 7, 0, 7, bits=((4, 3),)),
    ModifierSpec("lgkmcnt", "counter", 15, 0, 15, bits=((8, 4),)),
)

ROWS: tuple[Row, ...] = (
    control("s_nop", Trait.NOP, operands=simm()),
    control("s_waitcnt", Trait.WAIT, Trait.SIDE_EFFECT, modifiers=COUNTERS),
    control("s_barrier", Trait.BARRIER, Trait.SIGNAL, Trait.SIDE_EFFECT),
    control("s_endpgm", Trait.END, Trait.SIDE_EFFECT),
    control("s_sleep", Trait.SLEEP, Trait.SIDE_EFFECT, operands=simm()),
    control("s_setprio", Trait.PRIORITY, Trait.SIDE_EFFECT, operands=simm()),
    control("s_sethalt", Trait.SIDE_EFFECT, operands=simm()),
    control("s_trap", Trait.SIDE_EFFECT, operands=simm()),
    control("s_icache_inv", Trait.CACHE, Trait.SIDE_EFFECT),
    control("s_wakeup", Trait.SIDE_EFFECT, semantics="s_nop"),
    control("s_incperflevel", Trait.SIDE_EFFECT, operands=simm(), semantics="s_nop"),
    control("s_decperflevel", Trait.SIDE_EFFECT, operands=simm(), semantics="s_nop"),
    control("s_setkill", Trait.SIDE_EFFECT, operands=simm(), semantics="s_sethalt"),
    control("s_ttracedata", Trait.SIDE_EFFECT, reads=(M0,), semantics="s_nop"),
    control("s_endpgm_saved", Trait.END, Trait.SIDE_EFFECT, semantics="s_endpgm"),
    message("s_sendmsg"),
    message("s_sendmsghalt"),
    make("s_branch", PLAIN, Unit.BRANCH, (TARGET,), traits=(Trait.BRANCH,)),
    *branches(SCC, "s_cbranch_scc0", "s_cbranch_scc1"),
    *branches(VCC, "s_cbranch_vccz", "s_cbranch_vccnz"),
    *branches(EXEC, "s_cbranch_execz", "s_cbranch_execnz"),
    make("s_getpc_b64", PLAIN, Unit.SALU, (d("sdst", S, "b64"),)),
    make("s_setpc_b64", PLAIN, Unit.BRANCH, (u("ssrc0", S, "b64"),), traits=(Trait.BRANCH, Trait.CALL)),
    make(
        "s_call_b64", PLAIN, Unit.BRANCH, (d("sdst", S, "b64"), TARGET),
        traits=(Trait.BRANCH, Trait.CALL),
    ),
    make(
        "s_swappc_b64", PLAIN, Unit.BRANCH, (d("sdst", S, "b64"), u("ssrc0", S, "b64")),
        traits=(Trait.BRANCH, Trait.CALL),
    ),
)  # fmt: skip
