"""Reports of races: both accesses, the bytes, why they are not ordered, and a way to order them."""

from __future__ import annotations

from collections.abc import Sequence

from isa.emulator.program.code import Operation
from isa.emulator.program.reports import describe, place_of
from isa.emulator.sanitizer.faults import Check
from isa.emulator.sanitizer.races.conflicts import Conflict
from isa.emulator.sanitizer.races.races import Races
from isa.emulator.sanitizer.races.shadow import lane_of
from isa.emulator.state.global_memory import Memory
from isa.emulator.state.waves import Waves
from isa.instruction import Instr

_INVALIDATE = (
    "invalidate after the barrier or the acquire: buffer_gl0_inv, global_inv scope:SCOPE_SE, buffer_inv"
)
Told = tuple[Check, str, tuple[str, ...], str]


def explained(conflict: Conflict, operations: Sequence[Operation], races: Races, w: Waves) -> Told:
    """The check, the message, notes and the way out of a race."""
    where = f"byte {conflict.byte} of LDS" if conflict.lds else byte_of_memory(w.memory, conflict.byte)
    wave, other = conflict.lane // w.lanes, lane_of(conflict.earlier_lane) // w.lanes
    what = _verb(conflict.read)
    mine = f"{where}, {'read' if conflict.reads else 'written'} by {_who(conflict.lane, w)}"
    notes = (
        mine,
        f"the other access: {_named(operations[conflict.earlier])}, {_who(conflict.earlier_lane, w)}",
    )
    if races.is_copy(conflict.earlier) and wave == other:
        message = f"LDS is read before the wait for the copy that writes it ({where})"
        return (
            Check.WAIT,
            message,
            notes,
            "wait for the copy's counter (s_waitcnt vmcnt, s_wait_loadcnt) before the read",
        )
    if conflict.same_wave:
        message = f"lanes of a wave store different values to {where}; which value stays is undefined"
        return Check.RACE, message, notes, "store from a single lane, to different places, or by an atomic"
    if wave // w.per_group == other // w.per_group:
        return (Check.RACE, *_within(conflict, where, what, notes))
    return (Check.RACE, *_between(conflict, where, what, notes))


def _within(
    conflict: Conflict, where: str, what: str, notes: tuple[str, ...]
) -> tuple[str, tuple[str, ...], str]:
    """A race between waves of a workgroup."""
    if conflict.knew:
        message = (
            f"another wave wrote {where}, and this wave's cache was not invalidated after they "
            f"synchronised: visibility is not guaranteed"
        )
        return (
            message,
            notes,
            _INVALIDATE,
        )
    if conflict.passed:
        message = (
            f"another wave {what} {where} before the barrier, without a wait: completion is not guaranteed"
        )
        wait = (
            "s_waitcnt lgkmcnt(0), s_wait_dscnt 0"
            if conflict.lds
            else "s_waitcnt vmcnt(0), s_waitcnt_vscnt null, 0 or s_wait_storecnt 0"
        )
        return message, notes, f"wait before the barrier: {wait}"
    message = f"another wave of the workgroup {what} {where}, with no barrier (and wait before it) in between"
    return (
        message,
        notes,
        "a barrier between the two, with a wait for the first before it; or atomics on both sides",
    )


def _between(
    conflict: Conflict, where: str, what: str, notes: tuple[str, ...]
) -> tuple[str, tuple[str, ...], str]:
    """Between workgroups."""
    if conflict.knew:
        message = (
            f"another workgroup wrote {where}, and this wave's caches were not invalidated after "
            f"the acquire: visibility is not guaranteed"
        )
        how = (
            "buffer_inv sc1, buffer_wbinvl1_vol, buffer_gl1_inv and buffer_gl0_inv, or global_inv "
            "scope:SCOPE_DEV"
        )
        return message, notes, f"invalidate for the device after the acquire: {how}"
    message = f"another workgroup {what} {where}, and no release and acquire orders that"
    help = (
        "an atomic, or a flag: wait for the access (and write back: buffer_wbl2 sc1, global_wb), "
        "then store the flag; load it, wait, invalidate"
    )
    return message, notes, help


def _verb(read: bool) -> str:
    return "reads" if read else "writes"


def _who(lane: int, w: Waves) -> str:
    wave = lane_of(lane) // w.lanes
    if wave < 0:
        return "several workgroups"
    if lane < 0:
        return f"several waves of workgroup {wave // w.per_group}"
    return f"lane {lane % w.lanes} of wave {wave % w.per_group} of workgroup {wave // w.per_group}"


def _named(operation: Operation) -> str:
    return f"{place_of(operation)}: {describe(operation)}" if isinstance(operation, Instr) else str(operation)


def byte_of_memory(memory: Memory, offset: int) -> str:
    """A byte of the arena as the user knows it."""
    for region in memory.regions:
        if region.offset <= offset < region.offset + region.size:
            return f"byte {offset - region.offset} of {region.name}"
    return f"byte {offset}"
