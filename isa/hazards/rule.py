"""The form of a hazard rule: trails that instructions leave, consumers that must not touch them too early,
and the remedy.

A *trail* consists of the registers that a kind of producers leaves, each with its point in the program. A
*rule* names the consumers that must not touch such a register yet, for how long, on which targets, and the
remedy to insert before them. Most rules count wait states: every instruction in between counts as 1, `s_nop
N` as N+1 (CDNA3 ISA, section 4.5). Other rules last until an event, given by a trail's clocks and ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum

from msgspec import Struct

from isa.hazards.alu import AluWait
from isa.instruction import Immediate, Instr, Row, Trait
from isa.named_tuple import NamedTuple
from isa.registers import Register

Registers = tuple[Register, ...]
EITHER_WAVE = frozenset({32, 64})
EITHER_CODE = frozenset({False, True})


class Clock(Struct, frozen=True, eq=False):
    """A count that grows while instructions issue; `ticks` is the increment of an instruction of a row. Only
    `s_nop` counts otherwise on the clock of wait states, see `states_of`."""

    name: str
    ticks: Callable[[Row], int]


class Expiry(NamedTuple):
    """A trail is gone once `clock` has advanced by `ticks`."""

    clock: Clock
    ticks: int


class Relation(Enum):
    """The relation between the consumer's register and the producer's that a rule requires."""

    OVERLAP = "overlap"
    DIFFERENT = "overlap, but not the same tuple"
    SAME = "the same tuple"


class Remedy(Enum):
    """The remedy inserted before a consumer that comes too early."""

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
        """The field of s_waitcnt_depctr or s_wait_alu that must be 0; None if the remedy is not such a
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
    """The registers that a kind of instructions leaves.

    * `leaves`: the registers that an instruction leaves; `may_leave` depends on the row only
    * the trail ends when one of its `lasts` has run out (None: when the states of its rules have passed), or
      at an instruction that `ends` it; an instruction that `closes` it ends single registers; an instruction
      that `settles` a register of the trail `after` ends all of it
    * `nearest`: only the latest entry that overlaps a consumer's register counts
    * `after`: a register is left only if that other trail has an overlapping register; with `after_itself`,
      registers that the same instruction leaves there count too
    * `carries`: the instruction leaves the open entries of that trail, with their age
    * `within`: the entries of that trail within its limit are the register's *partners*; without partners the
      register is not left
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
    """A further trail that a consumer must touch for a rule to apply, by another register than the rule's
    own.

    If the rule's trail is `within` that trail, the register must be a partner that was not written since.
    """

    trail: Trail
    touches: Callable[[Instr], Registers]


class Rule(Struct, frozen=True, eq=False):
    """A row of a hazard table.

    * `states`: the wait states by target; other targets do not have the hazard
    * `touches`: the registers that make an instruction a consumer; `may_touch` depends on the row only, so
      most rules drop out for most rows
    * `made`: restricts the trail's producers
    * `spares`: lifts the rule between a producer, of the `given` trail too, and a consumer
    * `unless`: a target feature that lifts the rule
    * `waves`: the wave sizes with the rule
    * `with_a0`: whether the rule applies in functions that touch AGPR 0, and in functions that do not
    * `early`: LLVM puts the remedy right after the hazard begins, even if no consumer follows
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
        """Whether this rule guards a consumer's register `touched`, which overlaps `left`."""
        return self.relation is Relation.OVERLAP or (left == touched) is (self.relation is Relation.SAME)


def states_of(instr: Instr) -> int:
    """The wait states that an instruction itself is."""
    if Trait.NOP not in instr.row.traits or not instr.operands:
        return 1
    count = instr.operands[0]
    return count.bits + 1 if isinstance(count, Immediate) else 1


STATES = Clock("wait states", lambda _row: 1)
