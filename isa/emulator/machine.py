"""The machine: steps the waves of a chunk through a program.

It runs one straight-line block at a time, for the waves whose turn it is (`turns`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from isa.diagnostics import InputError, Place
from isa.emulator.barrier_steps import WORKGROUP, barrier_number
from isa.emulator.code import Code, Copies, Jump, Operation, ends_block
from isa.emulator.indexing import indexed_step, operands_indexed
from isa.emulator.layout import Layout
from isa.emulator.memory import MemoryFault
from isa.emulator.operands import PLAIN_BITS, scalar_reader, scalar_value, scalar_writer
from isa.emulator.plan import copies_step, program_counter_step, semantics_of, step_of
from isa.emulator.progress import Progress, no_progress, shared_memory, where_waves_are
from isa.emulator.reports import describe, place_of, refusal
from isa.emulator.turns import Turns
from isa.emulator.watch import EmptyLoad, Watch
from isa.emulator.waves import Step, Waves
from isa.instruction import ExecMode, Immediate, Instr, Label, Unit
from isa.lane_masks import lane_masks
from isa.registers import Register
from isa.semantics.control import Branch, Control, IndexMode

STEP_LIMIT = 20_000_000
_BUDGET_STEPS = 1000  # instructions after which the clock is looked at again
_TURN = 50_000  # instructions after which loops give way to other chunks, and twice as many each time
_CALLS = (Control.SET_PC, Control.SWAP_PC, Control.CALL)


class Observer(Watch, Protocol):
    """The sanitizer as the machine sees it. `enter` is asked before a group runs a block, and gives the
    operations that it wants to run itself, by `run_suspect`; the last may be one that moves control, which
    has no step. A chunk begins with wave `first` of `total`. `suspend` gives what belongs to the chunk at
    hand, which `resume` takes up again after another."""

    def begin(self, w: Waves, machine: Machine, first: int, total: int) -> None: ...
    def end(self) -> None: ...
    def suspend(self) -> object: ...
    def resume(self, kept: object) -> None: ...
    def enter(self, w: Waves, start: int, end: int) -> Mapping[int, object]: ...
    def run_suspect(self, w: Waves, index: int, step: Step | None) -> None: ...
    def out_of_bounds(self, w: Waves, index: int, lane: int, message: str) -> InputError: ...
    def barrier(self, w: Waves, index: int, released: NDArray[np.intp]) -> None: ...


Leave = Callable[
    [Waves, Turns], int
]  # the group's common next counter, or -1 where `Turns` knows those of its waves


@dataclass(frozen=True, slots=True)
class BlockPlan:
    """Operations `start` to `end` - 1; `steps` are those of them that have an effect. `leave` carries out
    what is at `end`, and operations up to `past` - 1 count as run. `gives_way`: one of them says that other
    waves may go first."""

    start: int
    end: int
    past: int
    steps: tuple[tuple[int, Step], ...]
    leave: Leave
    gives_way: bool


class Machine:
    """One program on one layout; `run` takes chunk after chunk."""

    def __init__(
        self, code: Code, layout: Layout, watch: Watch, observer: Observer | None, step_limit: int,
        seconds: float | None = None,
    ) -> None:  # fmt: skip
        """`step_limit` bounds the instructions of a chunk, `seconds` the time from now on."""
        self.code = code
        self.layout = layout
        self._watch = watch
        self._observer = observer
        self._limit = step_limit
        self._seconds = seconds
        self._begun = perf_counter()
        self._leaders = _leaders(code)
        self._blocks: dict[int, BlockPlan] = {}
        self._arrivals: dict[int, int] = {}  # the operations at addresses that calls and returns went to
        self._taken = 0
        self._next_check = 0  # instructions after which the budget is looked at again
        self.index = 0

    def run(self, w: Waves, entry: int, first_group: int = 0) -> Iterator[InputError | None]:
        """Run every wave of the chunk from `entry` to its end. InputError where the program goes wrong.

        The chunk's workgroups are numbered from `first_group` on. It stops for other chunks where it gets no
        further without them, with the error for a standstill if none of them does either; and where waves go
        round loops for long, with None.
        """
        everyone = np.arange(w.count)
        self._turns = turns = Turns(w.count, entry)
        w.barrier.ended = turns.ended
        self._groups: NDArray[np.intp] = first_group + w.workgroup
        progress = Progress(w.count)
        group = everyone
        w.choose(everyone)
        together = entry  # the counter all waves share, or -1
        self._taken = self._next_check = 0
        turn = _TURN
        while True:
            if together < 0:
                epoch = turns.epoch
                chosen = turns.next_group(w)
                if turns.epoch != epoch and self._release_early(w, turns):
                    continue
                if chosen is None:
                    if not turns.waiting.any():
                        return
                    raise self._fault(
                        "EMU010", "waves wait at s_barrier for others of their workgroup that never arrive"
                    )
                if turns.epoch != epoch and self._taken >= progress.next_look:
                    stuck = self._standstill(w, progress)
                    if stuck is not None or self._taken > turn:
                        turn = 2 * self._taken
                        yield from self._paused(w, stuck)
                group = chosen
                start = int(turns.counters[group[0]])
                w.choose(group)
            else:
                start = together
            block = self._run_block(w, start)
            together = block.leave(w, turns)
            if together >= 0 and len(group) == w.count:
                if together <= start and self._taken >= progress.next_look:
                    turns.counters[:], turns.heads[:], turns.tails[:] = together, together, block.end
                    stuck = self._standstill(w, progress)
                    if stuck is not None or self._taken > turn:
                        turn = 2 * self._taken
                        yield from self._paused(w, stuck)
                continue
            if together >= 0:
                turns.counters[group] = together
            turns.went(w, group, start, block.end, block.gives_way)
            together = turns.together(w)
            if together >= 0:
                group = everyone
                w.choose(everyone)

    def _standstill(self, w: Waves, progress: Progress) -> InputError | None:
        """The error for waves that wait for ever, where they are as they have been before."""
        if not progress.stands_still(w, self._turns, self._taken):
            return None
        return no_progress(self.code, self._turns, self._groups.tolist())

    def _paused(self, w: Waves, stuck: InputError | None) -> Iterator[InputError | None]:
        """Other chunks may run here. Waves that rest do so until another chunk changes memory."""
        kept = self._turns, self._groups, self._taken
        before = shared_memory(w) if stuck is not None else b""
        yield stuck
        while stuck is not None and shared_memory(w) == before:
            yield stuck
        self._turns, self._groups, self._taken = kept
        self._next_check = self._taken

    def _check_budget(self) -> None:
        """InputError EMU011, EMU022 where the instructions or the seconds are used up."""
        self._next_check = min(self._taken + _BUDGET_STEPS, self._limit)
        if self._taken > self._limit:
            question = "does the kernel end? `run --max-steps N` allows more"
            raise self._endless(
                "EMU011", f"more than {self._limit} instructions in one chunk of waves: {question}"
            )
        if self._seconds is not None and perf_counter() - self._begun > self._seconds:
            raise self._endless(
                "EMU022", f"the kernel has not ended after {self._seconds:g} s, which `--max-seconds` allows"
            )

    def _endless(self, code: str, message: str) -> InputError:
        fault = self._fault(code, message)
        notes = where_waves_are(self.code, self._turns, self._groups.tolist())
        return InputError(fault.place, code, message, (*fault.notes, *notes))

    def _run_block(self, w: Waves, start: int) -> BlockPlan:
        """Run the block's straight line; at its end is its control operation, or where it falls through
        to."""
        block = self._blocks.get(start)
        if block is None:
            block = self._blocks[start] = self._decode(start)
        self._taken += block.end - block.start + 1
        if self._taken > self._next_check:
            self._check_budget()
        suspects: Mapping[int, object] = {}
        if self._observer is not None:
            suspects = self._observer.enter(w, start, block.past)
        try:
            for index, step in block.steps:
                self.index = index
                if index in suspects and self._observer is not None:
                    self._observer.run_suspect(w, index, step)
                    continue
                try:
                    step(w)
                except EmptyLoad:
                    w.refresh_exec()
                    assert self._observer is not None
                    self._observer.run_suspect(w, index, step)
            if block.end in suspects and self._observer is not None:
                self.index = block.end
                self._observer.run_suspect(w, block.end, None)
        except MemoryFault as fault:
            if self._observer is not None:
                raise self._observer.out_of_bounds(w, self.index, fault.lane, fault.message) from None
            raise self._fault("EMU020", fault.message) from None
        self.index = block.end
        return block

    def _decode(self, start: int) -> BlockPlan:
        operations = self.code.operations
        steps: list[tuple[int, Step]] = []
        indexing: Instr | None = None
        gives_way = False
        index = start
        while (
            index < len(operations)
            and not _leaves(operations[index])
            and (index == start or index not in self._leaders)
        ):
            step = self._step(index, operations[index], indexing)
            indexing = self._indexing(operations[index], indexing)
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
                indexing, "vector registers stay indexed behind the end of a block, which is not modelled"
            )
        past = index + ends_block(operations[index])
        return BlockPlan(start, index, past, tuple(steps), self._leave(index), gives_way)

    @staticmethod
    def _indexing(operation: Operation, before: Instr | None) -> Instr | None:
        """What turned VGPR indexing on that holds after an operation."""
        meaning = semantics_of(operation) if isinstance(operation, Instr) else None
        if meaning is Control.SET_INDEX_CHOICE and before is not None and isinstance(operation, Instr):
            return operation
        if not isinstance(meaning, IndexMode) or not isinstance(operation, Instr):
            return before
        return operation if meaning.on else None

    def _step(self, index: int, operation: Operation, indexing: Instr | None) -> Step | None:
        if isinstance(operation, Copies):
            return copies_step(operation, self.layout)
        assert isinstance(operation, Instr)
        if (
            indexing is not None
            and operation.row.exec_mode is ExecMode.MASKED
            and operation.row.unit is Unit.VALU
        ):
            positions = operands_indexed(indexing, operation)
            return indexed_step(
                operation, positions, self.layout, lambda reached: step_of(reached, self.layout, self._watch)
            )
        if semantics_of(operation) is Control.GET_PC:
            return program_counter_step(operation, self.code.following(index), self.layout)
        return step_of(operation, self.layout, self._watch)

    def _leave(self, index: int) -> Leave:
        """What the control operation at `index` does; where there is none, the waves go on to it."""
        operation = self.code.operations[index]
        if isinstance(operation, Jump):
            return _always(self.code.labels[operation.label])
        if not isinstance(operation, Instr) or not _leaves(operation):
            return _always(index)
        if not ends_block(operation):
            return partial(self._stop, operation)
        meaning = semantics_of(operation)
        if isinstance(meaning, Branch):
            return self._branch(operation, meaning, index)
        if meaning in _CALLS:
            return partial(self._call, operation, index)
        return partial(self._halt, operation, meaning, index)

    def _stop(self, instr: Instr, w: Waves, turns: Turns) -> int:
        raise self._fault("EMU019", f"the program stops itself, by {instr.row.mnemonic}")

    def _halt(self, instr: Instr, meaning: Any, index: int, w: Waves, turns: Turns) -> int:
        """The end of the program, or a barrier."""
        if meaning is Control.END:
            turns.ended[w.indexes] = True
            w.barrier.settle()
        elif meaning is Control.BARRIER:
            turns.waiting[w.indexes] = True
            turns.counters[w.indexes] = index + 1
        elif meaning is Control.AWAIT:
            if barrier_number(instr, self.layout) != WORKGROUP or w.per_group == 1:
                return index + 1
            self._await(w, w.indexes, index, turns)
        else:
            raise refusal(instr, "it is not modelled by the emulator")
        self._release(w, index, turns)
        return -1

    def _await(self, w: Waves, group: NDArray[np.intp], index: int, turns: Turns) -> None:
        """The second half of a split barrier."""
        if not w.barrier.may_wait(group):
            raise self._fault("EMU015", "a wave waits at a barrier at which it has not signalled its arrival")
        turns.counters[group] = index + 1
        turns.waiting[group[~w.barrier.pass_opened(group)]] = True

    def _branch(self, instr: Instr, branch: Branch, index: int) -> Leave:
        target = instr.operands[0]
        if not isinstance(target, Label):
            raise InputError(place_of(instr), "EMU013", f"{instr.row.mnemonic} needs a label, got {target}")
        there = self._labelled(instr, target)
        if branch.register is None:
            return _always(there)
        register = branch.register.part(0, min(branch.register.count, lane_masks(self.layout.lanes).units))
        read = scalar_value(register, PLAIN_BITS[register.count], self.layout)
        nonzero = branch.nonzero

        def leave(w: Waves, turns: Turns) -> int:
            value = read(w)
            if w.width == 1:
                return there if bool(value) is nonzero else index + 1
            taken = np.count_nonzero(value)
            if 0 < taken < w.width:
                turns.counters[w.indexes] = np.where((value != 0) == nonzero, there, index + 1)
                return -1
            return there if bool(taken) is nonzero else index + 1

        return leave

    def _call(self, instr: Instr, index: int, w: Waves, turns: Turns) -> int:
        """s_setpc, s_swappc, s_call: to an address or a label; where there is a destination, the address to
        come back to goes there."""
        goal = instr.operands[-1]
        if isinstance(goal, Label):
            targets = np.array([self._labelled(instr, goal)])
        else:
            assert isinstance(goal, Register)
            addresses, back = np.unique(scalar_reader(goal, "u64", self.layout)(w), return_inverse=True)
            targets = np.array([self._arrival(instr, int(address)) for address in addresses])[back]
        for define in instr.row.defines:
            result = instr.operands[define]
            assert isinstance(result, Register)
            scalar_writer(result, self.layout)(w, np.full(w.width, self.code.following(index), np.uint64))
        if (targets == targets[0]).all():
            return int(targets[0])
        turns.counters[w.indexes] = targets
        return -1

    def _labelled(self, instr: Instr, label: Label) -> int:
        if label.name not in self.code.labels:
            raise InputError(
                place_of(instr),
                "EMU014",
                f"{instr.row.mnemonic} goes to {label.name}, which is not in this kernel",
            )
        return self.code.labels[label.name]

    def _arrival(self, instr: Instr, address: int) -> int:
        index = self._arrivals.get(address)
        if index is None:
            index = self.code.index_at(address)
            if index is None:
                for function in self.code.unread:
                    if function.start <= address < function.end:
                        raise function.error
                message = (
                    f"{instr.row.mnemonic} goes to {address:#x}, where no instruction of "
                    f"{self.code.name} or its functions begins"
                )
                raise self._fault("EMU017", message)
            self._arrivals[address] = index
        return index

    def _release(self, w: Waves, index: int, turns: Turns) -> None:
        """Let the workgroups go on whose every wave waits or has ended."""
        arrived = (turns.waiting | turns.ended).reshape(-1, w.per_group).all(axis=1)
        go = np.repeat(arrived, w.per_group) & turns.waiting
        if not go.any():
            return
        turns.waiting[go] = False
        w.barrier.release(go)
        if self._observer is not None:
            self._observer.barrier(w, index, np.flatnonzero(go))

    def _release_early(self, w: Waves, turns: Turns) -> bool:
        """Let waves go on whose split barrier is complete, before others of their workgroup come to wait;
        whether there are any.

        Hardware does so at once. Here it is done where nothing else gets further, so that waves stay
        together.
        """
        go = w.barrier.open_early(turns.waiting)
        if not go.any():
            return False
        turns.waiting[go] = False
        if self._observer is not None:
            self._observer.barrier(w, self.index, np.flatnonzero(go))
        return True

    def _fault(self, code: str, message: str) -> InputError:
        operation = self.code.operations[min(self.index, len(self.code.operations) - 1)]
        place: Place | str = self.code.name
        note: tuple[str, ...] = ()
        if isinstance(operation, Instr):
            place = place_of(operation)
            note = (f"at {describe(operation)}",)
        return InputError(place, code, message, note)


def _always(index: int) -> Leave:
    return lambda w, turns: index


def _leaves(operation: Operation) -> bool:
    """Whether what follows an operation in the code may not be what runs next."""
    if ends_block(operation) or not isinstance(operation, Instr):
        return ends_block(operation)
    meaning = semantics_of(operation)
    first = operation.operands[0] if operation.operands else None
    return meaning is Control.TRAP or (
        meaning is Control.HALT and isinstance(first, Immediate) and bool(first.bits & 1)
    )


def _gives_way(operation: Operation) -> bool:
    return isinstance(operation, Instr) and semantics_of(operation) is Control.GIVE_WAY


def _leaders(code: Code) -> frozenset[int]:
    """Indexes that control may reach other than by falling through: labels, entries, and what follows
    control."""
    following = {index + 1 for index, operation in enumerate(code.operations) if ends_block(operation)}
    entries = {code.entry, code.entry if code.preload_entry is None else code.preload_entry}
    return frozenset(following | set(code.labels.values()) | entries)
