"""Early release of VGPRs: a message before s_endpgm, while the wave's last stores are pending (gfx11 and
later).

A wave keeps its registers until its stores are complete. If registers limit the number of waves, the message
lets the next wave start sooner. Stores to scratch forbid it: the message releases the wave's scratch too
(RDNA3 ISA, S_SENDMSG).
"""

from __future__ import annotations

from functools import partial

from asmgen.emission.usage import register_usage
from asmgen.passes.forward import insert_needed
from isa.fields import pack_fields
from isa.instruction import Event, Immediate, Instr, Trait, Unit
from isa.program import Kernel
from isa.target import Target
from isa.waits import waited

_DEALLOC_VGPRS = 3  # RDNA3 ISA, table of messages
_MAY_BE_SCRATCH = frozenset({Unit.SCRATCH, Unit.FLAT})


def deallocate(kernel: Kernel) -> Kernel:
    """The kernel with the message before each end that a path reaches with pending stores, none of them to
    scratch.

    The kernel itself if the target has no such message, or if the maximum number of waves fits anyway.
    """
    target = kernel.table.target
    if (
        not target.deallocates_vgprs
        or target.occupancy(register_usage(kernel).unified_vgprs, 0, 0, 0) >= target.max_waves
    ):
        return kernel
    message = kernel.table.row("s_sendmsg")
    operand = Immediate(pack_fields(message.operands[0], {"message": _DEALLOC_VGPRS}))
    # LLVM requires a NOP between the stores and the message.
    told = (
        Instr(kernel.table.row("s_nop"), (Immediate(0),)),
        Instr(message, (operand,), comment="the stores need no VGPRs any more"),
    )
    return insert_needed(kernel, StoresUnderWay(target), _meet, partial(_put, told))


class StoresUnderWay:
    """Pending stores at a program point: their maximum number, and whether any of them may be to scratch."""

    __slots__ = ("count", "counter", "has_scratch")

    def __init__(self, target: Target) -> None:
        self.counter = next(counter for counter in target.counters if Event.VMEM_STORE in counter.events)
        self.count = 0
        self.has_scratch = False

    def copy(self) -> StoresUnderWay:
        other = object.__new__(StoresUnderWay)
        other.counter, other.count, other.has_scratch = self.counter, self.count, self.has_scratch
        return other

    def merge(self, other: StoresUnderWay) -> bool:
        changed = other.count > self.count or (other.has_scratch and not self.has_scratch)
        self.count = max(self.count, other.count)
        self.has_scratch |= other.has_scratch
        return changed

    def issue(self, instr: Instr) -> None:
        left = waited(instr).get(self.counter.name, self.count)
        self.count = min(self.count, left)
        self.has_scratch &= left > 0  # stores to scratch may leave in another order
        if not self.counter.events.isdisjoint(instr.row.events):
            self.count = min(self.count + 1, self.counter.maximum)
            self.has_scratch |= instr.row.unit in _MAY_BE_SCRATCH


def _meet(state: StoresUnderWay, instr: Instr) -> bool | None:
    is_needed = Trait.END in instr.row.traits and state.count > 0 and not state.has_scratch
    state.issue(instr)
    return is_needed or None


def _put(told: tuple[Instr, Instr], result: list[Instr], _needed: bool, end: Instr) -> None:
    """The NOP and the message, unless the message is there already."""
    message = told[1]
    if result and result[-1].row is message.row and result[-1].operands == message.operands:
        return
    result += [Instr(one.row, one.operands, origin=end.origin, comment=one.comment) for one in told]
