"""The readers and writers of SCC, a bit that most scalar instructions write and few read.

If no instruction reads the SCC of a writer, the writer may be removed or moved as if it did not write SCC.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from isa.instruction import Instr
from isa.program import Kernel


def reads_scc(instr: Instr) -> bool:
    """Whether an instruction reads SCC, spelt or not."""
    return instr.units.reads_scc


def scc_is_read_first(instructions: Iterable[Instr]) -> bool:
    """Whether a straight line reads SCC before it writes it."""
    for instr in instructions:
        units = instr.units
        if units.reads_scc:
            return True
        if units.writes_scc:
            return False
    return False


def scc_live_out(kernel: Kernel) -> list[bool]:
    """For each block, whether SCC is read after it, terminator and all, before it is written."""
    live_in = [scc_is_read_first(block.code) for block in kernel.blocks]
    live_out = [False] * len(kernel.blocks)
    changed = any(live_in)
    if not changed:
        return live_out
    index = {block.label: i for i, block in enumerate(kernel.blocks)}
    passes = [not any(instr.units.writes_scc for instr in block.instructions) for block in kernel.blocks]
    while changed:
        changed = False
        for i, block in enumerate(kernel.blocks):
            live_out[i] = any(live_in[index[edge.target]] for edge in block.linear)
            if live_out[i] and passes[i] and not live_in[i]:
                live_in[i] = changed = True
    return live_out


def scc_awaited_at_ends(kernel: Kernel) -> list[bool]:
    """For each block, whether its terminator or any code after it reads the SCC of the block's end."""
    return [
        is_live or (block.terminator is not None and reads_scc(block.terminator))
        for block, is_live in zip(kernel.blocks, scc_live_out(kernel), strict=True)
    ]


def scc_sources(code: Sequence[Instr], is_awaited: bool) -> dict[int, int]:
    """For each reader of SCC in a piece of code, by number, the writer of the SCC that it reads.

    If `is_awaited` says that code after the piece reads SCC, that reader has the number after the last
    instruction. A reader of an SCC from before the piece has no entry.
    """
    sources: dict[int, int] = {}
    writer = -1
    for number, instr in enumerate(code):
        units = instr.units
        if units.reads_scc and writer >= 0:
            sources[number] = writer
        if units.writes_scc:
            writer = number
    if is_awaited and writer >= 0:
        sources[len(code)] = writer
    return sources
