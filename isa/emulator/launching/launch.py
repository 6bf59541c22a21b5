"""Launching a kernel: its workgroups run in chunks, and results come back as arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from isa.diagnostics import InputError
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.chunks import Grid, Started, run_grid
from isa.emulator.launching.entry_state import entry_of, fill_entry_state
from isa.emulator.launching.kernarg import lds_of
from isa.emulator.launching.loaded import Kept, Loaded, load_arguments
from isa.emulator.launching.machine import STEP_LIMIT, Checker, Machine
from isa.emulator.launching.processes import WORTH, are_apart, cores, run_in_processes, shares
from isa.emulator.observers import Observer, Observers
from isa.emulator.program.image import Image
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Waves
from isa.emulator.steps.block_plans import BlockDecoder, Steps
from isa.objects.metadata import KernelMetadata
from isa.semantics.mode import Approximation
from isa.target import Target
from isa.targets import parse_target

CHUNK_WAVES = 512
_SCRATCH_BYTES, _ALL_SCRATCH_BYTES = 1 << 27, 1 << 29  # of all waves of a chunk, and of all chunks at once


def check_dimensions(image: Image | KernelMetadata, launch: KernelCall) -> None:
    """Raises InputError if grid or block are not legal for this kernel."""
    for name, sizes in (("grid", launch.grid), ("block", launch.block)):
        if any(size < 1 for size in sizes):
            raise InputError(name, "RUN001", f"{name} is {sizes}, wanted sizes of at least 1")
    x, y, z = launch.block
    if x * y * z > min(image.largest_workgroup, 1024):
        raise InputError(
            "block",
            "RUN002",
            f"a workgroup of {x * y * z} work-items, wanted at most "
            f"{min(image.largest_workgroup, 1024)}, as {image.name} allows",
        )
    if image.required is not None and image.required != launch.block:
        raise InputError(
            "block",
            "RUN003",
            f"block is {launch.block}, wanted {image.required}, for which {image.name} was compiled",
        )
    if any(g * b > 1 << 32 for g, b in zip(launch.grid, launch.block, strict=True)):
        raise InputError(
            "grid",
            "RUN004",
            f"grid {launch.grid} of blocks {launch.block}, wanted at most 2**32 work-items in a dimension",
        )


class Settings(Struct, frozen=True):
    """Settings of the emulator: the results of approximate instructions, and the kernel's entry."""

    approximation: Approximation = Approximation.NEAREST
    entry: str = "preload"  # "preload" as new firmware enters, "prologue" as old firmware does
    chunk_waves: int = CHUNK_WAVES
    step_limit: int = STEP_LIMIT  # instructions of a chunk after which a kernel counts as endless
    seconds: float | None = None  # after which a run counts as endless
    progress: Callable[[int, int], None] | None = None  # told how many workgroups are done, and of how many
    groups: tuple[int, ...] | None = None  # the workgroups of the grid that run; all of them if None
    processes: int | None = None  # that a large grid may use; all cores if None
    kept: Kept | None = None  # memory to use again
    left_out: frozenset[int] = frozenset()  # operations that do not run


def execute(
    image: Image,
    launch: KernelCall,
    layout: RegisterLayout,
    settings: Settings,
    checker: Checker | None = None,
    steps: Steps | None = None,
    observers: Sequence[Observer] = (),
) -> list[NDArray[Any]]:
    """Run the grid, or the workgroups that the settings choose; the array arguments as they are afterwards,
    in order, then the resident buffers. `steps` are the decoded instructions of other orders of the code, on
    the same layout."""
    check_dimensions(image, launch)
    loaded = load_arguments(image, launch) if settings.kept is None else settings.kept.take(image, launch)
    is_shared = steps is None and not settings.left_out
    decoder = (
        decoder_of(image, layout) if is_shared else BlockDecoder(image.code, layout, steps, settings.left_out)
    )
    observing = Observers(image.code.operations, observers) if observers else None
    run = _Run(loaded, settings, decoder, checker, observing)
    with np.errstate(all="ignore"):
        is_watched = checker is not None or observing is not None
        rest = None if is_watched else run.rest
        run_grid(run.grid, run.start, checker, observing, settings.progress, rest)
    return loaded.results()


class _Run:
    """Starts the workgroups of a launch. They are numbered from 0 among those that run."""

    def __init__(
        self,
        loaded: Loaded,
        settings: Settings,
        decoder: BlockDecoder,
        checker: Checker | None,
        observing: Observers | None,
    ) -> None:
        image, launch = loaded.image, loaded.launch
        self._settings, self._loaded = settings, loaded
        self._layout, self._checker, self._observing = decoder.layout, checker, observing
        self._machine = Machine(decoder, checker, observing, settings.step_limit, settings.seconds)
        self._entry = entry_of(image, settings.entry)
        self._chosen = None if settings.groups is None else np.array(settings.groups, np.intp)
        self._per_group = -(-prod(launch.block) // self._layout.lanes)  # waves
        self._lds_bytes = lds_of(image, launch, self._layout.target).total
        self.grid = self._grid()

    def _grid(self) -> Grid:
        target, scratch_bytes = self._layout.target, self._loaded.image.descriptor.stack_bytes
        groups = prod(self._loaded.launch.grid) if self._chosen is None else len(self._chosen)
        scratch = self._per_group * self._layout.lanes * max(1, scratch_bytes)
        chunk = min(self._settings.chunk_waves // self._per_group, _SCRATCH_BYTES // scratch)
        threads = prod(self._loaded.launch.block)
        resident = _resident_groups(self._loaded.image, target, self._lds_bytes, threads)
        resident = min(resident, _ALL_SCRATCH_BYTES // scratch)
        return Grid(groups, max(1, chunk), max(1, resident), target.name)

    def start(self, first: int, count: int) -> Started:
        """The waves of `count` workgroups from `first` on, at the entry of the kernel."""
        layout, settings, per_group = self._layout, self._settings, self._per_group
        sizes = self._lds_bytes, self._loaded.image.descriptor.stack_bytes
        waves = Waves(
            count * per_group, per_group, layout.rows, layout.pairs, self._loaded.memory, *sizes, layout.lanes
        )
        waves.approximation = settings.approximation
        places = first + waves.workgroup
        own = places if self._chosen is None else self._chosen[places]
        waves.numbers = own * per_group + np.arange(waves.count) % per_group
        fill_entry_state(waves, self._loaded, own, settings.entry == "preload")
        if self._checker is not None:
            self._checker.begin(waves, self._machine, first * per_group, self.grid.groups * per_group)
        if self._observing is not None:
            self._observing.begin(waves)
        return Started(waves, self._machine.run(waves, self._entry, own))

    def rest(self, first: int) -> bool:
        """Run the workgroups from `first` on, on all cores if they take long enough."""
        settings, groups = self._settings, range(first, self.grid.groups)
        processes = cores() if settings.processes is None else settings.processes
        chunks = -(-len(groups) // self.grid.chunk)
        is_long = min(processes, chunks) >= 2 and self._machine.taken * chunks >= WORTH
        if not is_long or not are_apart(self._loaded.image.code):
            return False
        resident = max(1, self.grid.resident // processes)

        def run_part(part: range) -> None:
            share = self.grid._replace(groups=len(part), resident=resident)
            tell = self._teller(groups) if part.start == first else None  # in this process
            run_grid(share, lambda at, count: self.start(part[at], count), None, None, tell)

        parts = shares(groups, self.grid.chunk, processes)
        return run_in_processes(self._loaded.memory, parts, run_part)

    def _teller(self, groups: range) -> Callable[[int, int], None]:
        """Tells the progress of all groups by that of the first process."""

        def tell(done: int, total: int) -> None:
            if self._settings.progress is not None:
                self._settings.progress(groups.start + len(groups) * done // total, groups.stop)

        return tell


@lru_cache(maxsize=16)
def layout_of(image: Image) -> RegisterLayout:
    """The registers that the descriptor of a kernel declares."""
    descriptor = image.descriptor
    agprs = descriptor.vgprs - descriptor.agpr_offset
    target = parse_target(image.target, image.place).target
    return RegisterLayout(descriptor.agpr_offset, agprs, target=target, sgprs=descriptor.sgprs)


@lru_cache(maxsize=16)
def decoder_of(image: Image, layout: RegisterLayout) -> BlockDecoder:
    """The blocks of a kernel, decoded once for all of its runs."""
    return BlockDecoder(image.code, layout)


def _resident_groups(image: Image, target: Target, lds_bytes: int, threads: int) -> int:
    """The number of workgroups that are resident on the machine."""
    target = target if image.descriptor.spread else target.on_compute_units()
    return target.resident_groups(image.descriptor.vgprs, image.descriptor.sgprs, lds_bytes, threads)
