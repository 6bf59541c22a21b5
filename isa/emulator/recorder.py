"""An observer that records what waves do, for the clock model: instructions, EXEC, and addresses.

It notes straight stretches of instructions, and the accesses as the emulator located them. What each wave did
is worked out at the end (`recorded`), a wave at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from isa.diagnostics import InputError
from isa.emulator.code import Code
from isa.emulator.footprint import Footprint, Indexes
from isa.emulator.machine import Machine
from isa.emulator.reports import fault_at
from isa.emulator.waves import Step, Waves
from isa.exec_use import writes_exec
from isa.instruction import Instr
from isa.named_tuple import NamedTuple


class Stretch(NamedTuple):
    """Waves, by their numbers in the chunk, ran operations `start` to `end` - 1. EXEC was 0 in the waves of
    `idle`, bool[wave of the chunk]; None: in no wave."""

    waves: NDArray[np.intp]
    start: int
    end: int
    idle: NDArray[np.bool_] | None


class Located(NamedTuple):
    """An access of an operation in a stretch.

    `indexes` are bytes of `store`; `lanes` are the lanes of the stretch's waves, counted through (None: all);
    a scalar load has an index for each wave.
    """

    stretch: int
    operation: int
    store: Store
    lanes: NDArray[np.intp] | None
    indexes: NDArray[np.int64]
    size: int


class Store(Struct, frozen=True):
    """A memory of the emulator, and how its indexes become addresses: `bases` are added from `starts` on.

    * `lane_bytes`: of scratch, of which the dwords of the lanes lie next to each other; 0 otherwise
    * `group_bytes`: of LDS, of which every workgroup has its own; 0 otherwise
    """

    starts: NDArray[np.int64]
    bases: NDArray[np.int64]
    lane_bytes: int = 0
    group_bytes: int = 0
    is_scalar: bool = False


class ChunkRecord(Struct):
    """A chunk of waves of `lanes` lanes, from wave `first` of the launch on."""

    first: int
    count: int
    lanes: int
    stretches: list[Stretch] = field(default_factory=list[Stretch])
    located: list[Located] = field(default_factory=list[Located])


class Recorder:
    """The observer of a launch; `chunks` are the records of its chunks."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._machine: Machine | None = None
        self._writers: dict[tuple[int, int], Mapping[int, int]] = {}
        self._current: Mapping[int, int] = {}
        self.chunks: list[ChunkRecord] = []

    def begin(self, w: Waves, machine: Machine, first: int, total: int) -> None:
        self._machine = machine
        self._chunk = ChunkRecord(first, w.count, w.lanes)
        self.chunks.append(self._chunk)
        self._stretches, self._located = self._chunk.stretches, self._chunk.located
        self._stores = _stores(w)

    def end(self) -> None:
        pass

    def suspend(self) -> object:
        return self._chunk, self._stores

    def resume(self, kept: Any) -> None:
        self._chunk, self._stores = kept
        self._stretches, self._located = self._chunk.stretches, self._chunk.located

    def enter(self, w: Waves, start: int, end: int) -> Mapping[int, object]:
        """The group is about to run operations `start` to `end` - 1. Returns those that write EXEC: after
        each of them another stretch begins."""
        writers = self._writers.get((start, end))
        if writers is None:
            writers = self._writers[start, end] = self._writers_in(start, end)
        self._current = writers
        self._stretches.append(Stretch(w.indexes, start, next(iter(writers), end - 1) + 1, _idle(w)))
        return writers

    def _writers_in(self, start: int, end: int) -> Mapping[int, int]:
        """The operations that write EXEC, and for each the end of the stretch after it."""
        operations = self._code.operations
        at = [
            index
            for index in range(start, end)
            if isinstance(operation := operations[index], Instr) and writes_exec(operation)
        ]
        return dict(zip(at, [*(index + 1 for index in at[1:]), end], strict=True)) if at else {}

    def run_suspect(self, w: Waves, index: int, step: Step | None) -> None:
        if step is not None:
            step(w)
        before = self._stretches[-1]
        start, end = before.end, self._current[index]
        if start < end:
            self._stretches.append(Stretch(w.indexes, start, end, _idle(w)))

    def out_of_bounds(self, w: Waves, index: int, lane: int, message: str) -> InputError:
        return fault_at(self._code, index, "EMU020", message)

    def barrier(self, w: Waves, index: int, released: NDArray[np.intp]) -> None:
        pass

    def loaded(self, w: Waves, place: Footprint, size: int) -> None:
        store = self._stores[0]
        if place.store is not w.memory.arena:
            store = self._stores[1 if place.store.base is w.lds else 2]
        self._note(store, place.lanes, place.indexes, size)

    updated = loaded

    def stored(self, w: Waves, place: Footprint, size: int, values: NDArray[np.uint32] | None = None) -> None:
        self.loaded(w, place, size)

    def read_scalar(self, w: Waves, indexes: Indexes, size: int) -> None:
        if len(indexes) == w.width:  # words beyond the end of a buffer are not read
            self._note(self._stores[3], None, indexes, size)

    def _note(self, store: Store, lanes: NDArray[np.intp] | None, indexes: Indexes, size: int) -> None:
        assert self._machine is not None, "a chunk has begun"
        number = len(self._stretches) - 1
        self._located.append(Located(number, self._machine.index, store, lanes, indexes, size))

    def cached(self, w: Waves) -> None:
        pass

    arrived = cached


def _idle(w: Waves) -> NDArray[np.bool_] | None:
    if w.full:
        return None
    off = w.exec_masks() == 0
    if not off.any():
        return None
    idle = np.zeros(w.count, np.bool_)
    idle[w.indexes] = off
    return idle


def _stores(w: Waves) -> Sequence[Store]:
    """Of global memory, LDS, scratch, and of scalar loads."""
    regions = w.memory.regions
    starts = np.array([region.offset for region in regions], np.int64)
    bases = np.array([region.address - region.offset for region in regions], np.int64)
    nothing = np.zeros(0, np.int64)
    return (
        Store(starts, bases),
        Store(nothing, nothing, group_bytes=w.lds_bytes),
        Store(nothing, nothing, lane_bytes=w.scratch_bytes),
        Store(starts, bases, is_scalar=True),
    )
