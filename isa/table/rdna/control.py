"""Program control rows: SOPP, the waits of SOPK, split barriers and the scalar jumps (RDNA3 ISA, chapter 16;
RDNA4 ISA, chapter 15).

A wait names its counter: s_waitcnt has a modifier for each, the others have an operand of the counter's name.
A wait for two counters has an operand with named fields (`isa.fields`).
"""

from __future__ import annotations

from isa.instruction import Event, Kind, ModifierSpec, OperandSpec, Role, Row, Trait, Unit
from isa.registers import EXEC, M0, NULL, SCC, VCC, VCC_LO, Register
from isa.table.declare import EVERY_WAVE, RDNA, RDNA3, RDNA4, SIMM
from isa.table.rdna.declare import SDST64, SGPR_OR_NULL, SSRC, S, d, make, operand, u

TARGET = operand("target", Role.USE, Kind.LABEL | SIMM, "i16")
SIDE_EFFECT = Trait.SIDE_EFFECT
FIELDS = Kind.FIELDS


def branches(reads: Register, zero: str, nonzero: str, waves: frozenset[int] = EVERY_WAVE) -> tuple[Row, Row]:
    """Two branches: taken if a register is 0, and taken if it is not 0. They fall through otherwise."""
    traits = (Trait.BRANCH, Trait.CONDITIONAL_BRANCH)
    if_zero = (*traits, Trait.ZERO)
    return (
        make(zero, Unit.BRANCH, (TARGET,), reads=(reads,), traits=if_zero, opposite=nonzero, waves=waves),
        make(nonzero, Unit.BRANCH, (TARGET,), reads=(reads,), traits=traits, opposite=zero, waves=waves),
    )


def jump(name: str, *operands: OperandSpec) -> Row:
    return make(name, Unit.BRANCH, operands, traits=(Trait.BRANCH, Trait.CALL))


def control(
    name: str, *traits: Trait, operands: tuple[OperandSpec, ...] = (),
    modifiers: tuple[ModifierSpec, ...] = (), targets: frozenset[str] = RDNA, semantics: str = "",
    reads: tuple[Register, ...] = (), writes: tuple[Register, ...] = (),
) -> Row:  # fmt: skip
    return make(
        name, Unit.CONTROL, operands, modifiers, reads=reads, writes=writes, traits=traits, targets=targets,
        semantics=semantics,
    )  # fmt: skip


def hint(
    name: str, *operands: OperandSpec, targets: frozenset[str] = RDNA, reads: tuple[Register, ...] = ()
) -> Row:
    """Without an effect on values."""
    return control(name, SIDE_EFFECT, operands=operands, targets=targets, semantics="s_nop", reads=reads)


def idle(name: str, targets: frozenset[str]) -> Row:
    """A wait for all outstanding operations of the wave; the row of a set of counters."""
    traits = (Trait.WAIT, Trait.IDLE, SIDE_EFFECT)
    return control(name, *traits, targets=targets, semantics="s_waitcnt")


def number(name: str = "simm16", type_name: str = "count16") -> OperandSpec:
    """An immediate: `count16` is printed in decimal if it is small, `b16` in hexadecimal."""
    return operand(name, Role.USE, SIMM, type_name)


def fields(name: str, type_name: str) -> OperandSpec:
    """An immediate of the fields that `isa.fields` knows by its type."""
    return operand(name, Role.USE, FIELDS, type_name)


def wait(counter: str, name: str, targets: frozenset[str]) -> Row:
    """A wait until a counter is no larger than the operand."""
    return control(
        name, Trait.WAIT, SIDE_EFFECT, operands=(number(counter, "b16"),), targets=targets,
        semantics="s_waitcnt",
    )  # fmt: skip


def wait_beside_null(counter: str) -> Row:
    """RDNA3's waits for a counter. They add no register: NULL is in its place."""
    null = operand("sdst", Role.USE, Kind.NULL, "b32", fixed=NULL)
    operands = (null, number(counter, "b16"))
    return control(
        f"s_waitcnt_{counter}", Trait.WAIT, SIDE_EFFECT, operands=operands, targets=RDNA3,
        semantics="s_waitcnt",
    )  # fmt: skip


def wait_for_two(first: str, second: str) -> Row:
    both = f"{first}_{second}"
    operands = (fields(both, both),)
    return control(
        f"s_wait_{both}", Trait.WAIT, SIDE_EFFECT, operands=operands, targets=RDNA4, semantics="s_waitcnt"
    )


def wait_for_results(name: str, targets: frozenset[str]) -> Row:
    """Waits for outstanding writes and reads of the ALUs, chosen by the operand's fields."""
    traits, operands = (Trait.WAIT_ALU, SIDE_EFFECT), (fields("depctr", "depctr"),)
    return make(
        name, Unit.CONTROL, operands, traits=traits, targets=targets, operation="s_waitcnt_depctr",
        semantics="s_waitcnt",
    )  # fmt: skip


def message(name: str, targets: frozenset[str], result: str = "") -> Row:
    """A message to the rest of the machine; `result` is the type of the answer."""
    layouts = (
        ("sendmsg_rdna3", "sendmsg_rtn_rdna3") if targets <= RDNA3 else ("sendmsg_rdna4", "sendmsg_rtn_rdna4")
    )
    spelt = fields("message", layouts[bool(result)])
    operands = (d("sdst", SGPR_OR_NULL, result), spelt) if result else (spelt,)
    unit, reads = (Unit.SALU, ()) if result else (Unit.CONTROL, (M0, EXEC))
    return make(
        name, unit, operands, reads=reads, events=(Event.MESSAGE,), traits=(SIDE_EFFECT,), targets=targets
    )


def messages(targets: frozenset[str]) -> tuple[Row, ...]:
    return (
        message("s_sendmsg", targets),
        message("s_sendmsghalt", targets),
        message("s_sendmsg_rtn_b32", targets, "b32"),
        message("s_sendmsg_rtn_b64", targets, "b64"),
    )


def barrier_step(
    name: str, *, reads: tuple[Register, ...] = (), writes: tuple[Register, ...] = (),
    events: tuple[Event, ...] = (), result: tuple[OperandSpec, ...] = (), signals: bool = False,
) -> tuple[Row, Row]:  # fmt: skip
    """A step of RDNA4's split barriers, which are numbered: -1 is the workgroup's. The number is immediate,
    or in M0 (`m0`)."""
    traits = (Trait.SIGNAL, SIDE_EFFECT) if signals else (SIDE_EFFECT,)

    def row(barrier: OperandSpec, form: str) -> Row:
        return make(
            name, Unit.SALU, (*result, barrier), reads=reads, writes=writes, events=events, traits=traits,
            targets=RDNA4, form=form,
        )  # fmt: skip

    return row(u("barrier", Kind.INLINE, "i32"), ""), row(
        operand("barrier", Role.USE, Kind.M0, "i32", fixed=M0), "m0"
    )


# the bits of the raw immediate: expcnt 0 to 2, lgkmcnt 4 to 9, vmcnt 10 to 15
COUNTERS = (
    ModifierSpec("vmcnt", "counter", 63, 0, 63, bits=((10, 6),)),
    ModifierSpec("expcnt", "counter", 7, 0, 7, bits=((0, 3),)),
    ModifierSpec("lgkmcnt", "counter", 63, 0, 63, bits=((4, 6),)),
)

ROWS: tuple[Row, ...] = (
    control("s_nop", Trait.NOP, operands=(number(),)),
    control("s_waitcnt", Trait.WAIT, SIDE_EFFECT, modifiers=COUNTERS, targets=RDNA3),
    *(wait_beside_null(counter) for counter in ("vscnt", "vmcnt", "expcnt", "lgkmcnt")),
    *(
        wait(counter, f"s_wait_{counter}", RDNA4)
        for counter in ("loadcnt", "storecnt", "samplecnt", "bvhcnt", "expcnt", "dscnt", "kmcnt")
    ),
    wait_for_two("loadcnt", "dscnt"),
    wait_for_two("storecnt", "dscnt"),
    wait_for_results("s_waitcnt_depctr", RDNA3),
    wait_for_results("s_wait_alu", RDNA4),
    idle("s_wait_idle", RDNA3),
    idle("s_wait_idle", RDNA4),
    hint("s_wait_event", number("simm16", "b16")),
    control("s_delay_alu", Trait.DELAY, operands=(fields("delay", "delay_alu"),), semantics="s_nop"),
    control("s_clause", Trait.CLAUSE, SIDE_EFFECT, operands=(number("simm16", "b16"),), semantics="s_nop"),
    hint("s_set_inst_prefetch_distance", number("simm16", "b16"), targets=RDNA3),
    hint("s_code_end"),
    control("s_barrier", Trait.BARRIER, Trait.SIGNAL, SIDE_EFFECT, targets=RDNA3),
    *barrier_step("s_barrier_signal", signals=True),
    *barrier_step(
        "s_barrier_signal_isfirst", reads=(SCC,), writes=(SCC,), events=(Event.MESSAGE,), signals=True
    ),
    *barrier_step("s_get_barrier_state", events=(Event.MESSAGE,), result=(d("sdst", SGPR_OR_NULL, "b32"),)),
    *barrier_step("s_barrier_init", reads=(M0,)),
    *barrier_step("s_barrier_join"),
    control(
        "s_barrier_wait", Trait.BARRIER, SIDE_EFFECT,
        operands=(operand("barrier", Role.USE, Kind.INLINE, "i16"),), targets=RDNA4,
    ),
    control("s_barrier_leave", SIDE_EFFECT, targets=RDNA4, writes=(SCC,)),
    control("s_endpgm", Trait.END, SIDE_EFFECT),
    control("s_endpgm_saved", Trait.END, SIDE_EFFECT, semantics="s_endpgm"),
    control("s_sleep", Trait.SLEEP, SIDE_EFFECT, operands=(number(),), semantics="s_nop"),
    make(
        "s_sleep_var", Unit.SALU, (u("ssrc0", SSRC, "u32"),), traits=(SIDE_EFFECT,), targets=RDNA4,
        semantics="s_sleep",
    ),
    control("s_setprio", Trait.PRIORITY, SIDE_EFFECT, operands=(number(),), semantics="s_nop"),
    hint("s_wakeup"),
    hint("s_incperflevel", number()),
    hint("s_decperflevel", number()),
    hint("s_ttracedata", reads=(M0,)),
    hint("s_ttracedata_imm", number("simm16", "b16")),
    control("s_sethalt", SIDE_EFFECT, operands=(number(),)),
    control("s_setkill", SIDE_EFFECT, operands=(number(),), semantics="s_sethalt"),
    control("s_trap", SIDE_EFFECT, operands=(number(),)),
    control("s_icache_inv", Trait.CACHE, SIDE_EFFECT),
    *messages(RDNA3),
    *messages(RDNA4),
    make("s_branch", Unit.BRANCH, (TARGET,), traits=(Trait.BRANCH,)),
    *branches(SCC, "s_cbranch_scc0", "s_cbranch_scc1"),
    *branches(VCC, "s_cbranch_vccz", "s_cbranch_vccnz", frozenset({64})),
    *branches(VCC_LO, "s_cbranch_vccz", "s_cbranch_vccnz", frozenset({32})),
    *branches(EXEC, "s_cbranch_execz", "s_cbranch_execnz"),
    make("s_getpc_b64", Unit.SALU, (d("sdst", SDST64, "b64"),)),
    jump("s_setpc_b64", u("ssrc0", S, "b64")),
    jump("s_call_b64", d("sdst", SDST64, "b64"), TARGET),
    jump("s_swappc_b64", d("sdst", SDST64, "b64"), u("ssrc0", S, "b64")),
)  # fmt: skip
