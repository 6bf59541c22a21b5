"""Straight-line blocks of a program, each decoded once: a step on `Waves` for every operation, and what its
end does.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from msgspec import Struct

from isa.diagnostics import InputError
from isa.emulator.operands.indexing import indexed_step, operands_indexed
from isa.emulator.program.code import Code, Operation, ParallelCopies, ends_block
from isa.emulator.program.reports import refusal
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Step
from isa.emulator.steps.flow import Flow, Leave, holds, leaves
from isa.emulator.steps.joined_products import products_together
from isa.emulator.steps.plan import copies_step, program_counter_step, semantics_of, step_of
from isa.instruction import ExecMode, Instr, Unit
from isa.registers import Register
from isa.semantics.control import Control, IndexMode, RelativeMove


class BlockPlan(Struct, frozen=True):
    """Operations `start` to `end` - 1.

    * `steps`: the operations with an effect
    * `together`: `steps` with independent products in one step, if no operation is watched by itself
    * `leave`: executes the operation at `end`; operations up to `past` - 1 count as run
    * `gives_way`: an operation lets other waves go first
    * `holds`: it ends with a barrier or the end of the program
    """

    start: int
    end: int
    past: int
    steps: tuple[tuple[int, Step], ...]
    together: tuple[tuple[int, Step], ...]
    leave: Leave
    gives_way: bool
    holds: bool


Steps = dict[int, tuple[Instr, Step | None]]
"""Decoded instructions, by their identity."""


class BlockDecoder:
    """Decodes the blocks of a program on a register layout. All runs of the program share the plans. Programs
    of the same instructions in other orders may share `steps`. The operations `left_out` do not run."""

    def __init__(
        self, code: Code, layout: RegisterLayout, steps: Steps | None = None,
        left_out: frozenset[int] = frozenset(),
    ) -> None:  # fmt: skip
        self.code = code
        self.layout = layout
        self._flow = Flow(code, layout)
        self._leaders = _leaders(code)
        self._plans: dict[int, BlockPlan] = {}
        self._steps = steps
        self._left_out = left_out

    def block(self, start: int) -> BlockPlan:
        """The block that begins at an operation. Raises InputError if the program runs past its end, or if an
        operation is not modelled."""
        plan = self._plans.get(start)
        if plan is None:
            plan = self._plans[start] = self._decode(start)
        return plan

    def _decode(self, start: int) -> BlockPlan:
        operations = self.code.operations
        steps: list[tuple[int, Step]] = []
        indexing: Instr | None = None
        indexed: set[int] = set()  # operations that may reach other registers than they name
        gives_way = False
        index = start
        while (
            index < len(operations)
            and not leaves(operations[index])
            and (index == start or index not in self._leaders)
        ):
            is_left_out = index in self._left_out
            step = None if is_left_out else self._step(index, operations[index], indexing)
            indexing = self._indexing(operations[index], indexing)
            if indexing is not None:
                indexed.add(index)
            gives_way |= _gives_way(operations[index])
            if step is not None:
                steps.append((index, step))
            index += 1
        if index >= len(operations):
            raise InputError(
                self.code.name, "EMU012", "the program runs past its last instruction, wanted s_endpgm"
            )
        if indexing is not None:
            raise refusal(
                indexing, "vector registers stay indexed after the end of a block, which is not modelled"
            )
        past = index + ends_block(operations[index])
        leave, is_held = self._flow.leave(index), holds(operations[index])
        together = products_together(
            steps, lambda place: None if place in indexed else self._vector_rows(operations[place])
        )
        return BlockPlan(start, index, past, tuple(steps), together, leave, gives_way, is_held)

    def _vector_rows(self, operation: Operation) -> set[int] | None:
        """The rows of the vector registers that an operation may read or write, or None if it names only
        some."""
        if isinstance(operation, Instr) and isinstance(semantics_of(operation), RelativeMove):
            return None
        named: Iterable[object] = ()
        if isinstance(operation, Instr):
            named = operation.operands
        elif isinstance(operation, ParallelCopies):
            named = chain(*operation.pairs)
        registers = [each for each in named if isinstance(each, Register) and self.layout.is_vector(each)]
        return {self.layout.row(unit) for register in registers for unit in register.units}

    @staticmethod
    def _indexing(operation: Operation, before: Instr | None) -> Instr | None:
        """The operation that turned on the VGPR indexing in force after an operation."""
        meaning = semantics_of(operation) if isinstance(operation, Instr) else None
        if meaning is Control.SET_INDEX_CHOICE and before is not None and isinstance(operation, Instr):
            return operation
        if not isinstance(meaning, IndexMode) or not isinstance(operation, Instr):
            return before
        return operation if meaning.on else None

    def _step(self, index: int, operation: Operation, indexing: Instr | None) -> Step | None:
        if isinstance(operation, ParallelCopies):
            return copies_step(operation, self.layout)
        assert isinstance(operation, Instr)
        if (
            indexing is not None
            and operation.row.exec_mode is ExecMode.MASKED
            and operation.row.unit is Unit.VALU
        ):
            positions = operands_indexed(indexing, operation)
            return indexed_step(
                operation,
                positions,
                self.layout,
                lambda reached: step_of(reached, self.layout),
            )
        if semantics_of(operation) is Control.GET_PC:
            return program_counter_step(operation, self.code.following(index), self.layout)
        if self._steps is None:
            return step_of(operation, self.layout)
        known = self._steps.get(id(operation))
        if known is None:
            known = self._steps[id(operation)] = operation, step_of(operation, self.layout)
        return known[1]


def _gives_way(operation: Operation) -> bool:
    return isinstance(operation, Instr) and semantics_of(operation) is Control.GIVE_WAY


def _leaders(code: Code) -> frozenset[int]:
    """Indexes that control may reach other than by falling through: labels, entries, and what follows
    control."""
    following = {index + 1 for index, operation in enumerate(code.operations) if ends_block(operation)}
    entries = {code.entry, code.entry if code.preload_entry is None else code.preload_entry}
    return frozenset(following | set(code.labels.values()) | entries)
