"""Observers of a run: they watch it and take no part in it.

A run has at most one checker (`Checker` of `launching/machine.py`, the sanitizer), which may run instructions
again and stop the run. It has any number of observers: tracers, counters, breakpoints, the recorder of the
clock model. To add an observer, derive it from `Observer`, override the events that it needs, and pass it to
`run_image`:

    class Loads(Observer):
        def watches(self, index: int, operation: Operation) -> bool:
            return isinstance(operation, Instr) and Trait.LOAD in operation.row.traits

        def after(self, w: Waves, index: int, accesses: Sequence[Access]) -> None:
            self.bytes += sum(access.size * len(access.place.indexes) for access in accesses)

    run_image(image, KernelCall(grid, block, arguments), sanitize=True, observers=[Loads()])

Instructions that no observer watches run as fast as without observers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from isa.emulator.program.code import Operation
from isa.emulator.state.footprint import Footprint
from isa.emulator.state.waves import NoWatch, Step, Watch, Waves
from isa.emulator.steps.block_plans import BlockPlan
from isa.instruction import Instr
from isa.named_tuple import NamedTuple


class AccessKind(Enum):
    """An access to memory; a scalar load reads for a wave, the others for its lanes."""

    LOAD = "load"
    STORE = "store"
    UPDATE = "update"  # an atomic
    SCALAR_LOAD = "scalar load"


class Space(Enum):
    GLOBAL = "global"
    LDS = "lds"
    SCRATCH = "scratch"


class Access(NamedTuple):
    """Bytes that an instruction accesses, `size` for each lane of `place` that reaches memory.

    The lanes of `place` count through the waves of the current group (`Waves.indexes`). For a scalar load
    they are those waves. An instruction may make several accesses, such as ds_read2_b32 or a copy to LDS.
    """

    kind: AccessKind
    place: Footprint
    size: int

    def space(self, w: Waves) -> Space:
        if self.place.store is w.memory.arena:
            return Space.GLOBAL
        return Space.LDS if self.place.store.base is w.lds else Space.SCRATCH

    def waves(self, w: Waves) -> NDArray[np.intp]:
        """For each lane of `place`, its wave, counted in the group."""
        if self.kind is AccessKind.SCALAR_LOAD:
            return np.arange(w.width) if self.place.lanes is None else self.place.lanes
        if self.place.lanes is None:
            return np.repeat(np.arange(w.width), w.lanes)
        return self.place.lanes // w.lanes

    def lanes(self, w: Waves) -> NDArray[np.intp]:
        """For each lane of `place`, its number in its wave; 0 for a scalar load."""
        if self.kind is AccessKind.SCALAR_LOAD:
            return np.zeros(len(self.place.indexes), np.intp)
        if self.place.lanes is None:
            return np.tile(np.arange(w.lanes), w.width)
        return self.place.lanes % w.lanes

    def addresses(self, w: Waves) -> NDArray[np.int64]:
        """The address of each lane of `place`: in global memory, or from the start of the workgroup's LDS or
        of the lane's scratch."""
        space = self.space(w)
        if space is Space.GLOBAL:
            return w.memory.addresses(self.place.indexes)
        each = w.lds_bytes if space is Space.LDS else w.scratch_bytes
        return self.place.indexes % max(1, each)


class Observer:
    """The events of a run; every method does nothing, and an observer overrides those that it needs.

    A group is the waves of a chunk that run together: `w.indexes` in the chunk, and `w.numbers[w.indexes]` in
    the launch. The events of several chunks may alternate; each has its own `Waves`.
    """

    def begin(self, w: Waves) -> None:
        """A chunk of waves starts; their registers are as at the entry."""

    def enter(self, w: Waves, start: int, past: int) -> None:
        """The group is about to run operations `start` to `past` - 1, each once."""

    def watches(self, index: int, operation: Operation) -> bool:
        """Whether to call `before` and `after` at an operation. Asked once for each operation."""
        return False

    def before(self, w: Waves, index: int) -> None:
        """The group is about to run an operation."""

    def after(self, w: Waves, index: int, accesses: Sequence[Access]) -> None:
        """The group has run an operation. `accesses` are its own, and valid only now."""

    def released(self, w: Waves, index: int, waves: NDArray[np.intp]) -> None:
        """These waves of the chunk pass a barrier, at an operation."""

    def end(self, w: Waves) -> None:
        """Every wave of the chunk has ended."""


class Collecting:
    """Collects the accesses of an instruction that the checker, if any, lets pass."""

    def __init__(self) -> None:
        self.accesses: list[Access] = []
        self.watch: Watch = NoWatch()  # the checker

    def loaded(self, w: Waves, place: Footprint, size: int) -> None:
        self.watch.loaded(w, place, size)
        self.accesses.append(Access(AccessKind.LOAD, place, size))

    def stored(self, w: Waves, place: Footprint, size: int, values: NDArray[np.uint32] | None = None) -> None:
        self.watch.stored(w, place, size, values)
        self.accesses.append(Access(AccessKind.STORE, place, size))

    def updated(self, w: Waves, place: Footprint, size: int) -> None:
        self.watch.updated(w, place, size)
        self.accesses.append(Access(AccessKind.UPDATE, place, size))

    def read_scalar(self, w: Waves, place: Footprint, size: int) -> None:
        self.watch.read_scalar(w, place, size)
        self.accesses.append(Access(AccessKind.SCALAR_LOAD, place, size))

    def cached(self, w: Waves) -> None:
        self.watch.cached(w)

    def arrived(self, w: Waves) -> None:
        self.watch.arrived(w)


Before = Callable[[Waves, int], None]
After = Callable[[Waves, int, Sequence[Access]], None]


class Part(NamedTuple):
    """Steps of a block that no observer watches, and the watched operation after them, -1 at the end of the
    block. `own` is its step, if any."""

    steps: tuple[tuple[int, Step], ...]
    watched: int = -1
    own: tuple[tuple[int, Step], ...] = ()
    before: tuple[Before, ...] = ()
    after: tuple[After, ...] = ()


class _Plan(Struct, frozen=True):
    """The parts of a block, and what follows its control operation."""

    parts: tuple[Part, ...]
    left: tuple[After, ...]


class Observers:
    """The observers of a run as a single observer, for the machine."""

    def __init__(self, operations: Sequence[Operation], observers: Sequence[Observer]) -> None:
        self._operations = operations
        self._observers = tuple(observers)
        self._entered = _overriding(observers, "enter")
        self._collecting = Collecting()
        self._watched: dict[int, tuple[Observer, ...]] = {}
        self._plans: dict[int, _Plan] = {}

    def begin(self, w: Waves) -> None:
        for observer in self._observers:
            observer.begin(w)

    def end(self, w: Waves) -> None:
        for observer in self._observers:
            observer.end(w)

    def enter(self, w: Waves, block: BlockPlan) -> tuple[Part, ...]:
        """The group is about to run a block; the parts to run."""
        for entered in self._entered:
            entered(w, block.start, block.past)
        return self._plan(block).parts

    def after(self, w: Waves, part: Part) -> None:
        """The group has run the watched operation of a part."""
        collecting = self._collecting
        if w.watch is collecting:
            w.watch = collecting.watch
            for after in part.after:
                after(w, part.watched, collecting.accesses)
            return
        for after in part.after:
            after(w, part.watched, ())

    def left(self, w: Waves, block: BlockPlan) -> None:
        """The group has run the control operation at the end of a block."""
        for after in self._plan(block).left:
            after(w, block.end, ())

    def released(self, w: Waves, index: int, waves: NDArray[np.intp]) -> None:
        for observer in self._observers:
            observer.released(w, index, waves)

    def _plan(self, block: BlockPlan) -> _Plan:
        plan = self._plans.get(block.start)
        if plan is None:
            plan = self._plans[block.start] = self._planned(block)
        return plan

    def _planned(self, block: BlockPlan) -> _Plan:
        steps = dict(block.steps)
        parts: list[Part] = []
        unwatched: list[tuple[int, Step]] = []
        for index in range(block.start, block.past):
            watching = self._watching(index)
            own = ((index, steps[index]),) if index in steps else ()
            if not watching:
                unwatched += own
                continue
            accesses = isinstance(operation := self._operations[index], Instr) and operation.row.events
            collected = ((index, self._collected(steps[index])),) if own and accesses else own
            after = () if index == block.end else _overriding(watching, "after")
            parts.append(Part(tuple(unwatched), index, collected, _overriding(watching, "before"), after))
            unwatched = []
        if unwatched:
            parts.append(Part(tuple(unwatched)))
        ends = block.past > block.end
        return _Plan(tuple(parts), _overriding(self._watching(block.end), "after") if ends else ())

    def _watching(self, index: int) -> tuple[Observer, ...]:
        known = self._watched.get(index)
        if known is None:
            operation = self._operations[index]
            known = tuple([each for each in self._observers if each.watches(index, operation)])
            self._watched[index] = known
        return known

    def _collected(self, step: Step) -> Step:
        """The step, with its accesses collected. The sanitizer may run it several times; the last run counts,
        with real values."""
        collecting = self._collecting

        def run(w: Waves) -> None:
            if w.watch is not collecting:
                collecting.watch = w.watch
                w.watch = collecting
            collecting.accesses.clear()
            step(w)

        return run


def _overriding(observers: Sequence[Observer], event: str) -> tuple[Any, ...]:
    """The methods for an event, of those observers that define it."""
    return tuple(
        [
            getattr(observer, event)
            for observer in observers
            if getattr(type(observer), event) is not getattr(Observer, event)
        ]
    )
