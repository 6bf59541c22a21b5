"""LDS accesses that are under way where another wave, or this one, may meet them: notes, where the addresses
decide."""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.check.analyses import FixedPoint, WaitLack
from asmgen.check.listing import ListedFunction
from asmgen.check.mistakes import Mistake
from asmgen.passes.waits.counters import LDS_FILLED, LDS_READ, Counters, reads_lds
from isa.instruction import Instr, Trait, Unit

_READS = "LDS reads are under way at this barrier, and a write by another wave after it may come before them"
_FILLS = (
    "a load straight to LDS is under way, which is right only where it fills another part than is read here"
)


def lds_notes(function: ListedFunction, flow: FixedPoint[Counters, WaitLack]) -> Iterator[Mistake]:
    """Reads that no barrier waited for, and reads while loads straight to LDS are under way; each such load
    once."""
    told: set[int] = set()
    fills = any(Trait.LDS_DMA in instr.row.traits for instr in function.instructions)
    for block, (first, _) in zip(flow.kernel.blocks, function.block_ranges(), strict=True):
        if not any(_is_asked(instr, fills) for instr in block.code):
            continue
        state = flow.entries[block.label].copy()
        for index, instr in enumerate(block.code, first):
            if _is_asked(instr, fills):
                yield from _notes_at(index, instr, state, told)
            _ = flow.analysis.step(state, instr)


def _is_asked(instr: Instr, fills: bool) -> bool:
    return Trait.SIGNAL in instr.row.traits or (fills and reads_lds(instr.row))


def _notes_at(index: int, instr: Instr, counters: Counters, told: set[int]) -> Iterator[Mistake]:
    """At a signal the latest read that is under way; at a read the latest load straight to LDS, unless it is
    missing."""
    is_signal = Trait.SIGNAL in instr.row.traits
    for state in counters.states:
        found = state.latest((LDS_READ,) if is_signal else (LDS_FILLED,))
        if found is None or found[1].row.unit is Unit.FLAT:
            continue
        if is_signal:
            yield Mistake(index, "CHK006", _READS, found[1], is_note=True)
        elif state.needed((LDS_FILLED,), False) is None and id(found[1]) not in told:
            told.add(id(found[1]))
            yield Mistake(index, "CHK007", _FILLS, found[1], is_note=True)
