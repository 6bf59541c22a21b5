"""Counts the stores of a launch to each byte, in a run of the whole grid without the sanitizer.

If every byte of the results is stored once, and no workgroup reads a byte that the launch stores, then no two
workgroups depend on each other. The sanitizer then needs to watch only some of them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from isa.emulator.launching.machine import Machine
from isa.emulator.program.image import Image
from isa.emulator.program.reports import describe, place_of
from isa.emulator.sanitizer.faults import Check, SanitizerError
from isa.emulator.state.footprint import Footprint, Indexes
from isa.emulator.state.waves import Step, Waves
from isa.instruction import Instr

_NOTHING: Mapping[int, object] = {}


class Coverage:
    """A checker that counts the stores of a launch. The results are the buffers with undefined content at
    its start."""

    def __init__(self, image: Image) -> None:
        self._operations = image.code.operations
        self._results: list[tuple[int, int]] = []
        self._written: NDArray[np.bool_] | None = None
        self._unit = 4  # bytes of a flag, until an access is narrower or lies askew
        self._stored = 0
        self._is_shared = False

    @property
    def is_each_byte_stored_once(self) -> bool:
        """Whether every byte of the results was stored once, and none of them was read or updated."""
        if self._written is None or self._is_shared:
            return False
        flags = self._flags(1 if any(end % self._unit for _, end in self._results) else self._unit)
        ends = [(first // self._unit, end // self._unit) for first, end in self._results]
        wanted = [end - first for first, end in ends]
        counts = [int(np.count_nonzero(flags[first:end])) for first, end in ends]
        return counts == wanted and self._stored == self._unit * sum(wanted)

    def begin(self, w: Waves, machine: Machine, first: int, total: int) -> None:
        self._machine = machine
        if self._written is None:
            self._written = np.zeros(-(-len(w.memory.arena) // self._unit), np.bool_)
            open_ = [region for region in w.memory.regions if region.defined is not None]
            self._results = [(region.offset, region.offset + region.size) for region in open_]

    def stored(self, w: Waves, place: Footprint, size: int, values: NDArray[np.uint32] | None = None) -> None:
        if place.store is not w.memory.arena or not place.indexes.size:
            return
        self._stored += len(place.indexes) * size
        is_narrow = size % 4 or int(np.bitwise_or.reduce(place.indexes)) % 4
        flags = self._flags(1 if is_narrow else self._unit)
        first = place.indexes // self._unit
        for i in range(size // self._unit):
            flags[first + i] = True

    def _flags(self, unit: int) -> NDArray[np.bool_]:
        """The flags, each of at most `unit` bytes."""
        assert self._written is not None, "a chunk has begun"
        if unit < self._unit:
            self._written, self._unit = np.repeat(self._written, self._unit // unit), unit
        return self._written

    def loaded(self, w: Waves, place: Footprint, size: int) -> None:
        if place.store is w.memory.arena:
            self._look(place.indexes, size)

    updated = read_scalar = loaded

    def _look(self, indexes: Indexes, size: int) -> None:
        if self._is_shared or not indexes.size:
            return
        low, high = int(indexes.min()), int(indexes.max()) + size
        if any(first < high and low < end for first, end in self._results):
            reached = [((indexes < end) & (indexes + size > first)).any() for first, end in self._results]
            self._is_shared = any(reached)

    def out_of_bounds(self, w: Waves, index: int, lane: int, message: str) -> None:
        lanes = np.arange(w.width * w.lanes) if w.full else np.flatnonzero(w.active)
        flat = int(lanes[lane]) if lane < len(lanes) else 0
        operation = self._operations[index]
        assert isinstance(operation, Instr), "an instruction accesses memory"
        wave, place = int(w.indexes[flat // w.lanes]), place_of(operation)
        raise SanitizerError(
            Check.BOUNDS, place, describe(operation), wave, f"{message} (lane {flat % w.lanes})"
        )

    def enter(self, w: Waves, start: int, end: int) -> Mapping[int, object]:
        return _NOTHING

    def run_suspect(self, w: Waves, index: int, step: Step | None) -> None:
        """Nothing is suspected here."""

    def end(self) -> None: ...
    def suspend(self) -> object: ...
    def resume(self, kept: object) -> None: ...
    def cached(self, w: Waves) -> None: ...
    def arrived(self, w: Waves) -> None: ...
    def barrier(self, w: Waves, index: int, released: NDArray[np.intp]) -> None: ...
