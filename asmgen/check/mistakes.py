"""Mistakes that no wait mends: registers that were given back, and operands that a target reads wrongly.

`notes` has the findings that are only slower, or that only addresses decide.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from asmgen.check.analyses import FixedPoint
from asmgen.check.listing import ListedFunction
from isa.clauses import broken_at, clause_length
from isa.fields import field_values
from isa.instruction import Event, Immediate, Instr, Trait, Unit
from isa.program import Block, Kernel
from isa.registers import FIRST_AGPR, FIRST_VGPR, Register, register_name
from isa.replay import replay_fault
from isa.target import Target
from isa.targets import TargetId
from isa.waits import waited

_DEALLOC_VGPRS = 3  # RDNA3 ISA, table of messages
_ALIGNED = "it is right only if the address is a multiple of"


class Mistake(Struct, frozen=True):
    """A mistake at instruction `index`, and the instruction before that causes it; a note if the code may be
    right."""

    index: int
    code: str
    text: str
    earlier: Instr | None = None
    is_note: bool = False


# the code, the message, and the earlier instruction that causes the mistake
FreedLack = tuple[str, str, Instr | None]


def mistakes_in(function: ListedFunction, target: TargetId) -> list[Mistake]:
    """The mistakes of a function in the order of its instructions."""
    flow = freed_flow(function, function.kernel(target), target)
    mistakes = [
        *_freed(function, flow),
        *_shifts(function, target.target),
        *_replayed(function, target),
        *_clauses(function),
    ]
    return sorted(mistakes, key=lambda mistake: (mistake.index, mistake.code))


class PathHistory:
    """The events on a path: the message that gave the VGPRs back, a store to scratch that may be under way,
    and whether the last instruction was a NOP."""

    __slots__ = ("is_after_nop", "message", "scratch", "stores")

    def __init__(self, stores: str) -> None:
        self.stores = stores  # the counter of stores
        self.message: Instr | None = None
        self.scratch: Instr | None = None
        self.is_after_nop = True

    def copy(self) -> PathHistory:
        other = PathHistory(self.stores)
        other.message, other.scratch, other.is_after_nop = self.message, self.scratch, self.is_after_nop
        return other

    @property
    def facts(self) -> tuple[bool, bool, bool]:
        return self.message is None, self.scratch is None, self.is_after_nop

    def merge(self, other: PathHistory) -> bool:
        before = self.facts
        self.message = self.message or other.message
        self.scratch = self.scratch or other.scratch
        self.is_after_nop &= other.is_after_nop
        return before != self.facts

    def issue(self, instr: Instr) -> None:
        if gives_back(instr):
            self.message = instr
        if waited(instr).get(self.stores) == 0:
            self.scratch = None
        if instr.row.unit is Unit.SCRATCH and Event.VMEM_STORE in instr.row.events:
            self.scratch = instr
        self.is_after_nop = Trait.NOP in instr.row.traits


class Freed:
    """An analysis of uses of VGPRs that were given back, and of messages that give them back too early (LLVM
    22.1, SIInsertWaitcnts; RDNA3 ISA, S_SENDMSG)."""

    def __init__(self, target: Target) -> None:
        self._stores = next(counter.name for counter in target.counters if Event.VMEM_STORE in counter.events)

    @staticmethod
    def concerns(function: ListedFunction, target: Target) -> bool:
        """Whether a function gives VGPRs back."""
        return target.deallocates_vgprs and any(gives_back(instr) for instr in function.instructions)

    def empty(self) -> PathHistory:
        return PathHistory(self._stores)

    def step(self, state: PathHistory, instr: Instr) -> list[FreedLack]:
        lacks = list(_meet(instr, state))
        state.issue(instr)
        return lacks

    def leave(self, state: PathHistory, block: Block) -> tuple[()]:
        return ()

    def alike(self, first: PathHistory, second: PathHistory) -> bool:
        return first.facts == second.facts


def freed_flow(
    function: ListedFunction, kernel: Kernel, target: TargetId
) -> FixedPoint[PathHistory, FreedLack] | None:
    """That analysis of a function; None if it gives no VGPRs back."""
    return FixedPoint(kernel, Freed(target.target)) if Freed.concerns(function, target.target) else None


def _freed(function: ListedFunction, flow: FixedPoint[PathHistory, FreedLack] | None) -> Iterator[Mistake]:
    if flow is None:
        return
    for block, (first, _) in zip(flow.kernel.blocks, function.block_ranges(), strict=True):
        for position, (code, text, earlier) in flow.lacks[block.label]:
            yield Mistake(first + (position or 0), code, text, earlier)


def _meet(instr: Instr, given: PathHistory) -> Iterator[FreedLack]:
    if given.message is not None and _needs_vgprs(instr):
        yield (
            "CHK010",
            "the VGPRs were given back before this, wanted s_endpgm after the message",
            given.message,
        )
    if not gives_back(instr):
        return
    if given.scratch is not None:
        text = (
            f"this gives back scratch that a store under way still writes, wanted a wait for {given.stores} "
            "at 0 before it, or no message"
        )
        yield "CHK011", text, given.scratch
    if not given.is_after_nop:
        yield (
            "CHK012",
            "this gives VGPRs back that the stores before it may still read, wanted s_nop 0 just before it",
            None,
        )


def gives_back(instr: Instr) -> bool:
    """Whether an instruction is the message that gives the wave's VGPRs back."""
    if Event.MESSAGE not in instr.row.events:
        return False
    specs = zip(instr.row.operands, instr.operands, strict=True)
    return any(
        isinstance(o, Immediate) and field_values(spec, o.bits).get("message") == _DEALLOC_VGPRS
        for spec, o in specs
    )


def _needs_vgprs(instr: Instr) -> bool:
    touches = any(register.first >= FIRST_VGPR for register in (*instr.defined(), *instr.used()))
    return touches or bool(set(instr.row.events) - {Event.MESSAGE})


def _shifts(function: ListedFunction, target: Target) -> Iterator[Mistake]:
    """64-bit shifts by a register that may be the last allocated VGPR, which the target reads wrongly (LLVM
    22.1, GCNHazardRecognizer, the high-register bug of 64-bit shifts)."""
    if target.shift_reads_last_vgpr:
        return
    named = {
        unit
        for instr in function.instructions
        for register in (*instr.defined(), *instr.used())
        for unit in register.units
    }
    for index, instr in enumerate(function.instructions):
        amount = instr.operands[instr.row.uses[0]] if Trait.WIDE_SHIFT in instr.row.traits else None
        if not isinstance(amount, Register) or not FIRST_VGPR <= amount.first < FIRST_AGPR:
            continue
        wanted = amount.first + 1 - FIRST_VGPR  # VGPRs up to the amount
        has_more = function.vgprs > wanted or (amount.first + 1 < FIRST_AGPR and amount.first + 1 in named)
        if wanted % target.vgpr_granule or has_more:
            continue
        way = f" or .amdhsa_next_free_vgpr {wanted + 1} at least" if amount.first + 1 < FIRST_AGPR else ""
        text = (
            f"the shift reads its amount {register_name(amount)} wrongly if that is the wave's last VGPR, "
            f"wanted another register{way}"
        )
        yield Mistake(index, "CHK013", text)


def _replayed(function: ListedFunction, target: TargetId) -> Iterator[Mistake]:
    """Scalar loads over their own address. A naturally aligned load is right, so the finding is a note if the
    load may be aligned."""
    for index, instr in enumerate(function.instructions):
        fault = replay_fault(instr, target)
        if fault is None:
            continue
        size = 1 << (instr.row.memory_bytes - 1).bit_length()
        if _may_be_aligned(instr, size):
            yield Mistake(index, "CHK005", f"{fault.message}; {_ALIGNED} {size}", is_note=True)
        else:
            yield Mistake(
                index, "CHK014", f"{fault.message}, and it is not a multiple of {size} bytes from its base"
            )


def _clauses(function: ListedFunction) -> Iterator[Mistake]:
    """Clauses with an instruction that may not be among theirs (RDNA3 ISA, S_CLAUSE)."""
    code = function.instructions
    for index, instr in enumerate(code):
        other = broken_at(code, index) if Trait.CLAUSE in instr.row.traits else None
        if other is not None:
            event = "the code ends" if other is instr else f"{other.row.mnemonic} comes"
            text = (
                f"{event} before the clause has its {clause_length(instr)} memory instructions of the same "
                "kind, wanted nothing else among them but s_nop"
            )
            yield Mistake(index, "CHK015", text)


def _may_be_aligned(instr: Instr, size: int) -> bool:
    """Whether no part of the offset that is known speaks against it."""
    return not any(isinstance(operand, Immediate) and operand.bits % size for operand in instr.operands)
