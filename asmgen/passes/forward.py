"""Forward analysis along linear edges, for states that describe the recent actions of the wave."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Protocol, Self, TypeVar

from isa.instruction import Instr
from isa.program import Block, Kernel


class Joinable(Protocol):
    """A state at a program point that can be joined with that of another path to it."""

    def copy(self) -> Self: ...

    def merge(self, other: Self) -> bool:
        """Join the other path's state into this state. Returns True if this state changed."""
        ...


State = TypeVar("State", bound=Joinable)
Needed = TypeVar("Needed")


def entry_states(kernel: Kernel, empty: State, transfer: Callable[[Block, State], None]) -> dict[str, State]:
    """The state at the entry of each block, by label: the join over all linear edges, around loops to the
    fixed point.

    `transfer` takes a block and the state at its entry, and changes that state to the state at its end.
    States only grow, since each is joined with its previous value; so the iteration ends if a state has
    finitely many values.
    """
    position = {block.label: i for i, block in enumerate(kernel.blocks)}
    states = {block.label: empty.copy() for block in kernel.blocks}
    pending = list(range(len(kernel.blocks)))  # a heap: the first block in the layout comes first
    is_pending = [True] * len(pending)
    while pending:
        index = heappop(pending)
        is_pending[index] = False
        block = kernel.blocks[index]
        state = states[block.label].copy()
        transfer(block, state)
        for edge in block.linear:
            number = position[edge.target]
            if states[edge.target].merge(state) and not is_pending[number]:
                heappush(pending, number)
                is_pending[number] = True
    return states


def rewritten(kernel: Kernel, empty: State, put_in: Callable[[Block, State], list[Instr]]) -> list[Block]:
    """The blocks with the instructions that `put_in` returns for each, without the terminator, in the state
    at its entry.

    `put_in` changes the state as the transfer of `entry_states` does. It visits a block again when its entry
    state grows, so the last result is that for the final entry state.
    """
    results: dict[str, list[Instr]] = {}

    def transfer(block: Block, state: State) -> None:
        results[block.label] = put_in(block, state)

    _ = entry_states(kernel, empty, transfer)
    return [block.with_instructions(results[block.label]) for block in kernel.blocks]


def insert_needed(
    kernel: Kernel,
    empty: State,
    meet: Callable[[State, Instr], Needed | None],
    put: Callable[[list[Instr], Needed, Instr], None],
) -> Kernel:
    """The kernel with the insertions that its instructions need, for every path to them.

    `meet` lets an instruction pass in a state, and returns its needs or None. `put` takes the code up to an
    instruction, its needs, and the instruction.
    """

    def put_in(block: Block, state: State) -> list[Instr]:
        result: list[Instr] = []
        for instr in block.code:
            needed = meet(state, instr)
            if needed is not None:
                put(result, needed, instr)
            if instr is not block.terminator:
                result.append(instr)
        return result

    return kernel.with_blocks(rewritten(kernel, empty, put_in))
