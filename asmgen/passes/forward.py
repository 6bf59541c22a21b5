"""Forward analysis along linear edges, for states that describe what the wave has just done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, Self, TypeVar

from isa.instruction import Instr
from isa.program import Block, Kernel


class PathState(Protocol):
    """A state at a program point that can be joined with that of another path to it."""

    def copy(self) -> Self: ...

    def merge(self, other: Self) -> bool:
        """Join the other path's state into this one; True if this one changed."""
        ...


State = TypeVar("State", bound=PathState)
Needed = TypeVar("Needed")


def entry_states(kernel: Kernel, empty: State, transfer: Callable[[Block, State], None]) -> dict[str, State]:
    """The state at the entry of each block, by label: the join over all linear edges, around loops to the fixed point.

    `transfer` takes a block and the state at its entry, and changes that state to the one at its end. States only
    grow, since each is joined with what it was before; so the iteration ends where a state has finitely many values.
    """
    position = {block.label: i for i, block in enumerate(kernel.blocks)}
    states = {block.label: empty.copy() for block in kernel.blocks}
    pending = set(range(len(kernel.blocks)))
    while pending:
        index = min(pending)
        pending.remove(index)
        block = kernel.blocks[index]
        state = states[block.label].copy()
        transfer(block, state)
        for edge in block.linear:
            if states[edge.target].merge(state):
                pending.add(position[edge.target])
    return states


def insert_needed(
    kernel: Kernel, empty: State, meet: Callable[[State, Instr], Needed | None], put: Callable[[list[Instr], Needed, Instr], None]
) -> Kernel:
    """The kernel with what its instructions need put in before them, on whatever path they are reached.

    `meet` lets an instruction pass in a state, together with what it needed, and tells that. `put` takes the code up to an
    instruction, what it needs, and the instruction.
    """

    def transfer(block: Block, state: State) -> None:
        for instr in block.code:
            _ = meet(state, instr)

    states = entry_states(kernel, empty, transfer)
    return kernel.with_blocks([_with_needed(block, states[block.label], meet, put) for block in kernel.blocks])


def _with_needed(
    block: Block, state: State, meet: Callable[[State, Instr], Needed | None], put: Callable[[list[Instr], Needed, Instr], None]
) -> Block:
    result: list[Instr] = []
    for instr in block.code:
        needed = meet(state, instr)
        if needed is not None:
            put(result, needed, instr)
        if instr is not block.terminator:
            result.append(instr)
    return block.with_instructions(result)
