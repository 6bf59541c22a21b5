"""What a hazard rule says: trails that instructions leave, consumers that must not meet them too early, and
the remedy.

A *trail* is what producers of one kind leave: registers, each with the point where it was left. A *rule*
names the consumers that may not touch such a register yet, how long not, on which targets, and what is put in
before them. Most rules count wait states: every instruction in between is one, `s_nop N` is N+1 (CDNA3 ISA,
section 4.5). Others last until something has happened, which a trail's clocks and ends say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import NamedTuple

from msgspec import Struct

from isa.hazards.alu import AluWait
from isa.instruction import Immediate, Instr, Row, Trait
from isa.registers import Register

Registers = tuple[Register, ...]
EITHER_WAVE = frozenset({32, 64})
EITHER_CODE = frozenset({False, True})


class Clock(Struct, frozen=True, eq=False):
    """What passes while instructions issue; `ticks` says how much one of them adds."""

    name: str
    ticks: Callable[[Instr], int]


class Expiry(NamedTuple):
    """A trail is gone once `clock` has advanced by `ticks`."""

    clock: Clock
    ticks: int


class Relation(Enum):
    """How the consumer's register must lie to the producer's for the rule to hold."""

    OVERLAP = "overlap"
    DIFFERENT = "overlap, but not the same tuple"
    SAME = "the same tuple"


class Remedy(Enum):
    """What is put in before a consumer that comes too early."""

    STATES = "s_nop"
    VECTOR_NOP = "v_nop"
    VECTOR_RESULTS = AluWait.VA_VDST
    VECTOR_SGPRS = AluWait.VA_SDST
    VECTOR_VCC = AluWait.VA_VCC
    SCALAR_RESULTS = AluWait.SA_SDST
    MOVE = "v_mov_b32 of the source to itself"

    __hash__ = object.__hash__  # as of `isa.registers.RegisterClass`

    @property
    def alu_wait(self) -> AluWait | None:
        """The field of s_waitcnt_depctr or s_wait_alu that is to be 0; None where the remedy is no such
        wait."""
        return self.value if isinstance(self.value, AluWait) else None

    @property
    def text(self) -> str:
        wait = self.alu_wait
        return f"wait for {wait.value}(0)" if wait is not None else str(self.value)


def is_any(_row: Row) -> bool:
    return True


def nothing(_instr: Instr) -> Registers:
    return ()


def never(_instr: Instr) -> bool:
    return False


class Trail(Struct, frozen=True, eq=False):
    """What instructions of one kind leave.

    `leaves` gives the registers that an instruction leaves; `may_leave` asks the row alone. A trail is gone
    when one of its `lasts` has run out (None: when the states of its rules have passed), where an instruction
    `ends` it, register by register where one `closes` it, and all of it where one `settles` a register that
    `after` has. Of `nearest` trails only the latest that a consumer's register overlaps counts.

    With `after`, a register is left only where that other trail has one that overlaps, what the same
    instruction leaves there included if `after_itself`. With `carries`, the instruction leaves what is open
    in that trail, as old as it is there. With `within`, what that trail has no older than its limit are the
    register's *partners*, and nothing is left where there are none.
    """

    name: str
    may_leave: Callable[[Row], bool]
    leaves: Callable[[Instr], Registers]
    lasts: tuple[Expiry, ...] | None = None
    nearest: bool = False
    ends: Callable[[Instr], bool] = never
    closes: Callable[[Instr], Registers] = nothing
    settles: Callable[[Instr], Registers] = nothing
    after: Trail | None = None
    after_itself: bool = False
    carries: Trail | None = None
    within: tuple[Trail, Expiry] | None = None


class Given(NamedTuple):
    """A further trail that a consumer must touch for a rule to hold, by another register than the rule's own.

    Where the rule's trail is `within` that one, it must be one of the partners, not written again since.
    """

    trail: Trail
    touches: Callable[[Instr], Registers]


class Rule(Struct, frozen=True, eq=False):
    """One row of a hazard table.

    `states` holds the wait states by target; a target that is not there is free of the hazard. `touches`
    gives the registers by which an instruction meets the rule as a consumer; `may_touch` asks the row alone,
    so that most rules drop out for most rows. `made` narrows the trail's producers. `spares` lifts the rule
    between one producer, of the `given` trail too, and one consumer, `unless` is a target feature that lifts
    it altogether, `waves` are the wave sizes at which it holds, and `with_a0` says whether it holds in
    functions that touch AGPR 0, and in those that do not. LLVM puts the remedy of an `early` rule right after
    what opens the hazard, whether a consumer follows or not.
    """

    name: str
    source: str
    states: Mapping[str, int]
    trail: Trail
    may_touch: Callable[[Row], bool]
    touches: Callable[[Instr], Registers]
    made: Callable[[Row], bool] = is_any
    relation: Relation = Relation.OVERLAP
    remedy: Remedy = Remedy.STATES
    spares: Callable[[Instr, Instr], bool] | None = None
    given: Given | None = None
    unless: str = ""
    waves: frozenset[int] = EITHER_WAVE
    with_a0: frozenset[bool] = EITHER_CODE
    early: bool = False

    def may_leave(self, row: Row) -> bool:
        """Whether an instruction of the row can leave what this rule guards."""
        return self.trail.may_leave(row) and self.made(row)

    def meets(self, left: Register, touched: Register) -> bool:
        """Whether a consumer's register `touched`, which overlaps `left`, is one that this rule guards."""
        return self.relation is Relation.OVERLAP or (left == touched) is (self.relation is Relation.SAME)


def states_of(instr: Instr) -> int:
    """The wait states that an instruction itself is."""
    if Trait.NOP not in instr.row.traits or not instr.operands:
        return 1
    count = instr.operands[0]
    return count.bits + 1 if isinstance(count, Immediate) else 1


STATES = Clock("wait states", states_of)
