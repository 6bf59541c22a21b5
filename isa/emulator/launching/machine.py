"""The machine: steps the waves of a chunk through a program.

It runs a straight-line block at a time, for the waves that are next (`turns`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import perf_counter
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from isa.diagnostics import InputError
from isa.emulator.launching.exclusions import accesses_by_wave, run_without
from isa.emulator.launching.progress import Progress, no_progress, shared_memory, where_waves_are
from isa.emulator.observers import Observers
from isa.emulator.program.reports import fault_at
from isa.emulator.program.waiting import may_wait_for_groups
from isa.emulator.state.footprint import EmptyLoad
from isa.emulator.state.global_memory import MemoryFault
from isa.emulator.state.turns import Turns
from isa.emulator.state.waves import Step, Watch, Waves
from isa.emulator.steps.block_plans import BlockDecoder, BlockPlan

STEP_LIMIT = 20_000_000
_BUDGET_STEPS = 1000  # instructions after which the clock is looked at again


class Checker(Watch, Protocol):
    """The machine's interface to the sanitizer, which takes part in the run. `isa.emulator.observers` has the
    observers that only watch.

    * `enter`: called before a group runs a block. Returns the operations that the sanitizer runs itself, by
      `run_suspect`; the last may be a control operation, which has no step
    * `out_of_bounds`: raises, or returns to run the instruction without the accesses out of bounds. `lane`
      counts the active lanes of the group, or its waves for a scalar load
    * `suspend`, `resume`: return and restore the state of the current chunk, to switch between chunks

    A chunk begins with wave `first` of `total`.
    """

    def begin(self, w: Waves, machine: Machine, first: int, total: int) -> None: ...
    def end(self) -> None: ...
    def suspend(self) -> object: ...
    def resume(self, kept: object) -> None: ...
    def enter(self, w: Waves, start: int, end: int) -> Mapping[int, object]: ...
    def run_suspect(self, w: Waves, index: int, step: Step | None) -> None: ...
    def out_of_bounds(self, w: Waves, index: int, lane: int, message: str) -> None: ...
    def barrier(self, w: Waves, index: int, released: NDArray[np.intp]) -> None: ...


class Machine:
    """A program on a register layout; `run` takes a chunk at a time."""

    def __init__(
        self, decoder: BlockDecoder, checker: Checker | None, observers: Observers | None, step_limit: int,
        seconds: float | None = None,
    ) -> None:  # fmt: skip
        """`step_limit` bounds the instructions of a chunk, `seconds` the time from now on."""
        self.code = decoder.code
        self.layout = decoder.layout
        self._checker = checker
        self._observers = observers
        self._limit = step_limit
        self._seconds = seconds
        self._begun = perf_counter()
        self._decoder = decoder
        self._may_wait = may_wait_for_groups(decoder.code)
        self._taken = 0
        self._next_check = 0  # instructions after which the budget is looked at again
        self.index = 0

    @property
    def taken(self) -> int:
        """The instructions that the last chunk has executed, each by some of its waves."""
        return self._taken

    def run(self, w: Waves, entry: int, groups: NDArray[np.intp]) -> Iterator[InputError | None]:
        """Run every wave of the chunk from `entry` to its end. Raises InputError for a fault of the program.

        `groups` are the workgroups of the waves, by their places in the grid. The chunk yields to other
        chunks if it is stuck, with the error to raise if they are stuck too; and with None if its waves loop
        for long.
        """
        everyone = np.arange(w.count)
        if self._checker is not None:
            w.watch = self._checker
        self._turns = turns = Turns(w.count, entry)
        w.barrier.ended = turns.ended
        self._groups = groups
        progress = Progress(w.count)
        group = everyone
        w.choose(everyone)
        together = entry  # the counter all waves share, or -1
        self._taken = self._next_check = 0
        while True:
            if together < 0:
                epoch = turns.epoch
                chosen = turns.next_group(w)
                if turns.epoch != epoch and self._release_early(w, turns):
                    continue
                if chosen is None:
                    if not turns.waiting.any():
                        return
                    message = "waves wait at s_barrier for others of their workgroup that never arrive"
                    help = "let every wave of a workgroup come to the barrier, or end"
                    raise fault_at(self.code, self.index, "EMU010", message, help)
                if turns.epoch != epoch and self._taken >= progress.next_look:
                    yield from self._looked(w, progress)
                group = chosen
                start = int(turns.counters[group[0]])
                w.choose(group)
            else:
                start = together
            block = self._run_block(w, start)
            together = block.leave(w, turns)
            if self._observers is not None:
                self._observers.left(w, block)
            if together < 0 and block.holds:
                self._release(w, block.end, turns)
            if together >= 0 and len(group) == w.count:
                if together <= start and self._taken >= progress.next_look:
                    turns.counters[:], turns.heads[:], turns.tails[:] = together, together, block.end
                    yield from self._looked(w, progress)
                continue
            if together >= 0:
                turns.counters[group] = together
            turns.went(w, group, start, block.end, block.gives_way)
            together = turns.together(w)
            if together >= 0:
                group = everyone
                w.choose(everyone)

    def _looked(self, w: Waves, progress: Progress) -> Iterator[InputError | None]:
        """Yield to other chunks if the waves are in a state that occurred before, or have run for long and
        may wait for others. In such a state they wait until another chunk changes memory."""
        stuck = None
        if progress.stands_still(w, self._turns, self._taken):
            stuck = no_progress(self.code, self._turns, self._groups.tolist())
        if stuck is None and (self._taken <= progress.next_turn or not self._may_wait):
            return
        progress.next_turn = 2 * self._taken
        kept = self._turns, self._groups, self._taken
        before = shared_memory(w) if stuck is not None else b""
        yield stuck
        while stuck is not None and shared_memory(w) == before:
            yield stuck
        self._turns, self._groups, self._taken = kept
        self._next_check = self._taken

    def _check_budget(self) -> None:
        """Raises InputError EMU011 or EMU022 if the instructions or the seconds are used up."""
        self._next_check = min(self._taken + _BUDGET_STEPS, self._limit)
        if self._taken > self._limit:
            message = f"more than {self._limit} instructions in a chunk of waves: does the kernel end?"
            raise self._endless("EMU011", message, "`--max-steps N` allows more")
        if self._seconds is not None and perf_counter() - self._begun > self._seconds:
            message = f"the kernel has not ended after {self._seconds:g} s: does it end?"
            raise self._endless("EMU022", message, "`--max-seconds S` allows more")

    def _endless(self, code: str, message: str, help: str) -> InputError:
        fault = fault_at(self.code, self.index, code, message, help)
        notes = where_waves_are(self.code, self._turns, self._groups.tolist())
        return InputError(fault.place, code, message, (*fault.notes, *notes))

    def _run_block(self, w: Waves, start: int) -> BlockPlan:
        """Run the block's straight line, then its control operation; without a control operation, fall
        through."""
        block = self._decoder.block(start)
        self._taken += block.end - block.start + 1
        if self._taken > self._next_check:
            self._check_budget()
        suspects: Mapping[int, object] = {}
        if self._checker is not None:
            suspects = self._checker.enter(w, start, block.past)
        if self._observers is None:
            self._run_steps(w, block.steps if suspects else block.together, suspects)
        else:
            self._run_observed(w, block, suspects, self._observers)
        self.index = block.end
        if block.end in suspects and self._checker is not None:
            self._checker.run_suspect(w, block.end, None)
        return block

    def _run_steps(
        self, w: Waves, steps: tuple[tuple[int, Step], ...], suspects: Mapping[int, object]
    ) -> None:
        for index, step in steps:
            self.index = index
            try:
                if index in suspects and self._checker is not None:
                    self._checker.run_suspect(w, index, step)
                else:
                    step(w)
            except EmptyLoad:
                self._run_again(w, index, step)
            except MemoryFault as fault:
                self._run_without(w, index, step, fault)

    def _run_again(self, w: Waves, index: int, step: Step) -> None:
        """A load met memory that was never written."""
        w.refresh_exec()
        assert self._checker is not None
        try:
            self._checker.run_suspect(w, index, step)
        except MemoryFault as fault:
            self._run_without(w, index, step, fault)

    def _run_without(self, w: Waves, index: int, step: Step, fault: MemoryFault) -> None:
        """Report accesses out of bounds; if the run goes on, run the step without them."""
        by_wave = accesses_by_wave(self.code.operations[index])
        wrong = np.zeros(0, np.intp)
        while True:
            if self._checker is None:
                help = "run it with the sanitizer, which shows the lane and the nearest buffer"
                raise fault_at(self.code, index, "EMU020", fault.message, help) from None
            self._checker.out_of_bounds(w, index, fault.lane, fault.message)
            if fault.wrong is None:
                return
            wrong = np.union1d(wrong, fault.wrong)
            try:
                run_without(w, step, wrong, by_wave)
                return
            except MemoryFault as another:
                fault = another

    def _run_observed(
        self, w: Waves, block: BlockPlan, suspects: Mapping[int, object], observers: Observers
    ) -> None:
        for part in observers.enter(w, block):
            self._run_steps(w, part.steps, suspects)
            if part.watched < 0:
                return
            self.index = part.watched
            for before in part.before:
                before(w, part.watched)
            self._run_steps(w, part.own, suspects)
            observers.after(w, part)

    def _release(self, w: Waves, index: int, turns: Turns) -> None:
        """Release the workgroups in which every wave waits or has ended."""
        arrived = (turns.waiting | turns.ended).reshape(-1, w.per_group).all(axis=1)
        go = np.repeat(arrived, w.per_group) & turns.waiting
        if not go.any():
            return
        turns.waiting[go] = False
        w.barrier.release(go)
        self._passed(w, index, go)

    def _release_early(self, w: Waves, turns: Turns) -> bool:
        """Release the waves of complete split barriers before other waves of their workgroup wait. Returns
        whether there are any.

        Hardware does so at once. The emulator does it only if nothing else can run, so that waves stay
        together.
        """
        go = w.barrier.open_early(turns.waiting)
        if not go.any():
            return False
        turns.waiting[go] = False
        self._passed(w, self.index, go)
        return True

    def _passed(self, w: Waves, index: int, go: NDArray[np.bool_]) -> None:
        """Tell that these waves of the chunk pass a barrier."""
        if self._checker is not None:
            self._checker.barrier(w, index, np.flatnonzero(go))
        if self._observers is not None:
            self._observers.released(w, index, np.flatnonzero(go))
