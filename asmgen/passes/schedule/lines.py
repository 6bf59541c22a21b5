"""What the scheduler decided, in words: a line for each block that it reordered, and one for each of its
instructions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from asmgen.passes.schedule.lists import Placed
from asmgen.passes.schedule.pressure import SCALAR, VECTOR
from asmgen.passes.schedule.scheduler import Decision
from isa.names import RegisterNames
from isa.program import Kernel
from isa.text import format_instr


def placements(kernel: Kernel, decisions: Mapping[int, Decision]) -> Iterator[str]:
    """Where each instruction is in the new order, where it was, and why it comes there."""
    names = RegisterNames(kernel.owners)
    for number, made in decisions.items():
        label = kernel.blocks[number].label
        yield (
            f"{kernel.name}: {label}: {made.clocks.end} clocks, {made.was.end} before; vector registers "
            f"{made.after[VECTOR]}, {made.before[VECTOR]} before, {made.budget[VECTOR]} at most; scalar "
            f"ones {made.after[SCALAR]}, {made.before[SCALAR]} before"
        )
        for position, placed in enumerate(made.placed):
            instr = made.graph.instructions[placed.number]
            yield (
                f"{kernel.name}: {label}:{position} (was {placed.number}) at clock {placed.clock}: "
                f"{format_instr(instr, names)}: {_reason(placed)}"
            )


def _reason(placed: Placed) -> str:
    if placed.idle:
        return f"nothing else could issue for {placed.idle} clocks"
    if placed.held_back:
        return "what has more depending on it would take too many registers"
    return f"{placed.height} clocks depend on it, the most of {placed.choices} that could issue"
