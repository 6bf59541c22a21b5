"""From where on the lanes of a block are on, for the check of spill code.

A block may begin with changes of EXEC that switch its lanes on. What spill code wrote before such a change is
not there in the lanes that it switches on. Where EXEC changes further down, lanes may be on afterwards that
were off, and the other way round: what loads brought before is forgotten, and nothing may be stored after.
"""

from __future__ import annotations

from isa.exec_use import reads_exec, writes_exec
from isa.instruction import ExecMode, Instr
from isa.program import Block
from regalloc.checker.spill_programs import Programs
from regalloc.checker.spill_state import Place, State, Value


class Entry:
    """One walk of one block of the program."""

    def __init__(self, programs: Programs, block: Block) -> None:
        self._programs = programs
        self._of_entry = _entry_writes(block)
        self._early: set[Place | int] = set()  # what spill code has written so far
        self._is_parted = False  # whether EXEC has changed since the lanes came together

    def change(self, instr: Instr, state: State) -> None:
        """An instruction of the program writes EXEC."""
        if any(instr is one for one in self._of_entry):
            for key in self._early:
                state.memory.pop(key, None)
                state.brought.pop(key, None)
            return
        self._is_parted = True
        for unit in [unit for unit in state.brought if self._programs.is_vector(unit)]:
            del state.brought[unit]

    def bring(self, unit: int, values: frozenset[Value], state: State) -> None:
        """Spill code puts values into a new register that is no memory."""
        if self._programs.is_vector(unit):
            self._early.add(unit)
        state.brought[unit] = values

    def store(self, place: Place, values: frozenset[Value], state: State) -> None:
        """Spill code puts values into scratch or AGPRs. InternalError where lanes that have them are off."""
        if self._is_parted:
            raise self._programs.fail("a store after a change of EXEC misses the lanes that it switched off")
        self._early.add(place)
        state.memory[place] = values


def _entry_writes(block: Block) -> list[Instr]:
    """The changes of EXEC with which a block begins: from there on its lanes are on.

    Only scalar code is before them. One that reads EXEC is of this kind if there is code for lanes after it;
    otherwise it switches lanes off for the blocks that follow.
    """
    masked = [i for i, instr in enumerate(block.instructions) if instr.row.exec_mode is not ExecMode.SCALAR]
    first = masked[0] if masked else len(block.instructions)
    return [
        instr
        for instr in block.instructions[:first]
        if writes_exec(instr) and (masked or not reads_exec(instr))
    ]
