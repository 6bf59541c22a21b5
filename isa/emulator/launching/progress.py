"""Detects standstills: a state of all waves and their memory that recurs will recur for ever.

Every look takes a digest of the registers, and looks at the memory only if the digest occurred before. The
state must recur twice, because turns vary. A wave that reads the clock never recurs.
"""

from __future__ import annotations

from hashlib import blake2b
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.diagnostics import InputError, Place
from isa.emulator.program.code import Code
from isa.emulator.program.reports import describe, place_of
from isa.emulator.state.turns import ObservedLoop, Turns
from isa.emulator.state.waves import Waves
from isa.instruction import Instr

_FIRST_LOOK = 4_000  # instructions
_FIRST_TURN = 50_000  # instructions; twice as many each time
_BYTES_AN_INSTRUCTION = (
    500  # that may be looked at; a look should cost little compared with the instructions since the last look
)
_FEW_WAVES, _MANY_WAVES = (
    64,
    512,
)  # from which instructions take a multiple of the time, and of the time of those
_RETURNS = 2
_MANY = 4  # loops that a message names


class Progress:
    """The states seen of a chunk of waves, and the instruction counts of the next look (`next_look`) and of
    the next turn of other chunks (`next_turn`)."""

    def __init__(self, waves: int) -> None:
        self._seen: dict[
            bytes, dict[bytes, int]
        ] = {}  # by the registers, by the memory: how often they came back
        self._least = self.next_look = _FIRST_LOOK // max(1, waves // _MANY_WAVES)
        self.next_turn = _FIRST_TURN
        self._bytes = _BYTES_AN_INSTRUCTION * max(1, waves // _FEW_WAVES)

    def stands_still(self, w: Waves, turns: Turns, taken: int) -> bool:
        """Whether the waves are in an earlier state, after `taken` instructions and a turn for each wave."""
        regions = [w.memory.content(region) for region in w.memory.regions if region.writable]
        size = sum(part.nbytes for part in (w.u32, w.s32, w.lds, w.scratch, *regions))
        self.next_look = taken + max(self._least, size // self._bytes)
        arrived = w.barrier.signalled, w.barrier.complete, w.barrier.opened
        registers = _digest(
            turns.counters,
            turns.ended,
            turns.waiting,
            w.u32,
            w.s32,
            w.mode_bits,
            *arrived,
            np.array([w.clock]),
        )
        known = self._seen.get(registers)
        if known is None:
            self._seen[registers] = {}
            return False
        memory = _digest(w.lds, w.scratch, *regions)
        known[memory] = known.get(memory, -1) + 1
        return known[memory] >= _RETURNS


def shared_memory(w: Waves) -> bytes:
    """A digest of the memory that all workgroups share."""
    return _digest(*(w.memory.content(region) for region in w.memory.regions if region.writable))


def _digest(*arrays: NDArray[Any]) -> bytes:
    state = blake2b(digest_size=16)
    for array in arrays:
        state.update(np.ascontiguousarray(array).view(np.uint8).data)
    return state.digest()


def no_progress(code: Code, turns: Turns, group_of: list[int]) -> InputError:
    """The error for waves that wait for ever: EMU021, at the loop of most of them."""
    live = [wave for wave in range(len(turns.ended)) if not turns.ended[wave]]
    spinning = [
        (loop, wave) for wave in live if not turns.waiting[wave] and (loop := turns.loop_of(wave)) is not None
    ]
    by_loop = {
        loop: [wave for _, wave in members]
        for loop, members in groupby(sorted(spinning), key=lambda pair: pair[0])
    }
    ordered = sorted(by_loop.items(), key=lambda item: -len(item[1]))
    notes = [
        f"{_waves(waves, group_of)} {'goes' if len(waves) == 1 else 'go'} round the loop {_span(code, loop)}"
        for loop, waves in ordered[:_MANY]
    ]
    waiting = [wave for wave in live if turns.waiting[wave]]
    if waiting:
        notes.append(
            f"{_waves(waiting, group_of)} {'waits' if len(waiting) == 1 else 'wait'} at a barrier, before "
            f"{_at(code, int(turns.counters[waiting[0]]))}"
        )
    place: Place | str = code.name
    if ordered:
        head = code.operations[ordered[0][0].head]
        place = place_of(head) if isinstance(head, Instr) else code.name
    message = (
        "no wave gets any further: each goes round a loop that changes neither registers nor "
        "memory, or waits at a barrier"
    )
    return InputError(
        place,
        "EMU021",
        message,
        tuple(notes),
        help="check which condition the waves wait for, and which wave should signal it",
    )


def where_waves_are(code: Code, turns: Turns, group_of: list[int]) -> tuple[str, ...]:
    """Notes on the loops that waves that still run went round last."""
    live = [wave for wave in range(len(turns.ended)) if not turns.ended[wave]]
    pairs = sorted((loop, wave) for wave in live if (loop := turns.loop_of(wave)) is not None)
    loops = [(loop, [wave for _, wave in part]) for loop, part in groupby(pairs, key=lambda pair: pair[0])]
    loops.sort(key=lambda item: -len(item[1]))
    return tuple(
        f"{_waves(waves, group_of)} went round the loop {_span(code, loop)}" for loop, waves in loops[:_MANY]
    )


def _waves(waves: list[int], group_of: list[int]) -> str:
    groups = sorted({group_of[wave] for wave in waves})
    where = (
        f"workgroup {groups[0]}"
        if len(groups) == 1
        else f"{len(groups)} workgroups from {groups[0]} to {groups[-1]}"
    )
    return f"{len(waves)} {'wave' if len(waves) == 1 else 'waves'} of {where}"


def _span(code: Code, loop: ObservedLoop) -> str:
    return f"from {_at(code, loop.head)} to {_at(code, loop.tail)}"


def _at(code: Code, index: int) -> str:
    operation = code.operations[min(index, len(code.operations) - 1)]
    return (
        f"{place_of(operation)} ({describe(operation)})" if isinstance(operation, Instr) else str(operation)
    )
