"""Runs some workgroups of a launch on the emulator, and counts the work of their waves.

The workgroups come from the middle of the grid, since they represent most of the launch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.entry_state import entry_of, fill_entry_state
from isa.emulator.launching.kernarg import lds_of
from isa.emulator.launching.launch import decoder_of, layout_of
from isa.emulator.launching.loaded import load_arguments
from isa.emulator.launching.machine import STEP_LIMIT, Machine
from isa.emulator.program.code import Operation
from isa.emulator.program.image import Image
from isa.emulator.state.footprint import Footprint
from isa.emulator.state.global_memory import MemoryRange
from isa.emulator.state.waves import NoWatch, Waves
from isa.instruction import Instr
from isa.target import Target
from isa.targets import parse_target


def conflicts(w: Waves, place: Footprint, size: int, stores: bool, target: Target) -> Iterator[int]:
    """The cycles lost to bank conflicts, for each wave of the current group that takes part in an LDS
    access."""
    shape = (w.width, w.lanes)
    lanes = np.arange(w.width * w.lanes) if place.lanes is None else place.lanes
    active, addresses = np.zeros(shape, bool), np.zeros(shape, np.int64)
    active.reshape(-1)[lanes] = True
    addresses.reshape(-1)[lanes] = place.indexes - w.lds_starts.take(lanes)
    access = target.lds_access(size, stores)
    for on, own in zip(active, addresses, strict=True):
        if on.any():
            served = np.where(on, own, own[on][0])  # lanes that are off add no address
            yield access.conflicts(served.tolist())


_GROUPS = 4  # sample workgroups of a launch
_ADDRESS_BITS = 40  # of a memory address


class Sample(Struct):
    """The counts of a sample.

    `groups`: the launch's workgroups; `run`: how many of them ran. `waves`: the waves that ran; `executed`:
    their instructions. `trace`, `places`: the first wave's instructions in order, and their places in the
    code. `loaded`: bytes loaded for each argument (bytes that several lanes of a wave read count once).
    `lost`: cycles lost to bank conflicts. `buffers`: the bytes of each argument after the run.
    """

    target: Target
    image: Image
    threads: int
    groups: int
    run: int
    lds_bytes: int
    waves: int = 0
    executed: int = 0
    trace: list[Instr] = field(default_factory=list[Instr])
    places: list[int] = field(default_factory=list[int])
    loaded: list[int] = field(default_factory=list[int])
    lost: int = 0
    buffers: list[NDArray[np.uint8] | None] = field(default_factory=list[NDArray[np.uint8] | None])

    @property
    def all_waves(self) -> int:
        """The waves of the whole launch."""
        return self.waves * self.groups // self.run


class _Counter(NoWatch):
    """Counts the work of waves."""

    def __init__(
        self, sample: Sample, operations: list[Operation], regions: list[MemoryRange | None]
    ) -> None:
        self._sample = sample
        self._operations = operations
        self._regions = regions

    def loaded(self, w: Waves, place: Footprint, size: int) -> None:
        if place.store is w.memory.arena:
            for number, region in enumerate(self._regions):
                if region is not None:
                    self._sample.loaded[number] += size * _distinct(w, place, region)
        self._look(w, place, size, False)

    def stored(self, w: Waves, place: Footprint, size: int, values: NDArray[np.uint32] | None = None) -> None:
        self._look(w, place, size, True)

    def _look(self, w: Waves, place: Footprint, size: int, stores: bool) -> None:
        if place.store.base is w.lds:
            self._sample.lost += sum(conflicts(w, place, size, stores, self._sample.target))

    def enter(self, w: Waves, start: int, end: int) -> dict[int, object]:
        self._sample.executed += w.width * (end - start)
        if w.indexes[0] == 0:
            for place in range(start, end):
                operation = self._operations[place]
                if isinstance(operation, Instr):
                    self._sample.trace.append(operation)
                    self._sample.places.append(place)
        return {}

    def nothing(self, *given: object) -> None:
        pass

    begin = suspend = resume = end = barrier = run_suspect = nothing

    def out_of_bounds(self, w: Waves, index: int, lane: int, message: str) -> None:
        raise AssertionError(f"{self._sample.image.name}: lane {lane}: {message}")


def _distinct(w: Waves, place: Footprint, region: MemoryRange) -> int:
    """The number of distinct places in a buffer that the lanes of a wave read, summed over the group's
    waves."""
    inside = (place.indexes >= region.offset) & (place.indexes < region.offset + region.size)
    lanes = np.arange(w.width * w.lanes) if place.lanes is None else place.lanes
    keys = (lanes[inside] // w.lanes << _ADDRESS_BITS) + place.indexes[inside]
    return len(np.unique(keys))


def take_sample(image: Image, call: KernelCall) -> Sample:
    """Run some workgroups of a launch."""
    descriptor, target = image.descriptor, parse_target(image.target, image.place).target
    layout = layout_of(image)
    loaded = load_arguments(image, call)
    x, y, z = call.block
    groups = call.grid[0] * call.grid[1] * call.grid[2]
    run, first = min(groups, _GROUPS), max(0, groups // 2 - _GROUPS // 2)
    lds = lds_of(image, call, target).total
    sample = Sample(target, image, x * y * z, groups, run, lds, loaded=[0] * len(loaded.regions))
    counter: Any = _Counter(sample, image.code.operations, loaded.regions)
    machine = Machine(decoder_of(image, layout), counter, None, STEP_LIMIT)
    per_group = -(-x * y * z // layout.lanes)
    sample.waves = run * per_group
    waves = Waves(
        sample.waves, per_group, layout.rows, layout.pairs, loaded.memory, lds, descriptor.stack_bytes,
        layout.lanes,
    )  # fmt: skip
    chosen = first + waves.workgroup
    with np.errstate(all="ignore"):
        fill_entry_state(waves, loaded, chosen, preload=True)
        for stuck in machine.run(waves, entry_of(image, "preload"), chosen):
            if stuck is not None:
                raise stuck
    sample.buffers = [region and loaded.memory.content(region) for region in loaded.regions]
    return sample
