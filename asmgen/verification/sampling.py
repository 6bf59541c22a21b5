"""Running a large grid: all workgroups once, and some of them with the sanitizer.

A run of the whole grid counts its stores (`isa.emulator.coverage`). If each byte of the results is stored
once, and nothing that the launch stores is read in it, then no workgroup depends on another. The sanitizer
then looks at some: the first, the last, and pairs of neighbours drawn at random. Otherwise it looks at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from asmgen.artifact import CompiledKernel
from asmgen.ir.arrays import Array
from isa.emulator import run_image
from isa.emulator.coverage import Coverage
from isa.emulator.image import Image
from isa.emulator.launch import Kept, Settings
from isa.emulator.sanitizer import Sanitizer

_FIRST, _PAIRS = 8, 2
_LEAST_GROUPS = 64  # of a grid of which only some run with the sanitizer


class Sampling(Struct):
    """How the launches of a program run on the same inputs. If `is_first`, all workgroups run, and the
    results are whole. Otherwise only the workgroups run that the sanitizer looks at, and elements that they
    do not write are masked.

    If `is_plain`, the sanitizer looks at a launch only if its workgroups may depend on each other.

    `sanitized` counts the workgroups that ran with the sanitizer.
    """

    seed: int
    is_first: bool = True
    is_plain: bool = False
    sanitized: int = 0
    kept: dict[str, Kept] = field(default_factory=dict[str, Kept])
    some: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])

    def run(
        self, image: Image, kernel: CompiledKernel, buffers: Sequence[Array], undefined: Sequence[int],
        settings: Settings,
    ) -> list[Array]:  # fmt: skip
        """One launch; its buffers afterwards."""
        assert kernel.grid is not None, "a kernel of a graph has a grid"
        grid, block = kernel.grid, kernel.block
        groups = prod(grid)
        if self.is_first:
            self.kept[kernel.name], self.some[kernel.name] = Kept(), ()
        kept = self.kept[kernel.name]
        if self.is_first and groups >= _LEAST_GROUPS:
            coverage = Coverage(image)
            how = replace(settings, kept=kept)
            after = run_image(
                image, grid, block, buffers, settings=how, undefined=undefined, observer=coverage
            )
            if coverage.is_each_byte_stored_once and self.is_plain:
                return after
            if coverage.is_each_byte_stored_once:
                self.some[kernel.name] = representatives(groups, self.seed)
        some = self.some[kernel.name]
        sanitizer = Sanitizer(image, settings.entry == "preload")
        how = replace(settings, kept=kept if some else None, groups=some or None)
        after = run_image(image, grid, block, buffers, settings=how, undefined=undefined, observer=sanitizer)
        written = sanitizer.written()
        sanitizer.forget()
        if self.is_first:
            self.sanitized += len(some) or groups
        return masked(after, undefined, written) if some and not self.is_first else after


def representatives(groups: int, seed: int) -> tuple[int, ...]:
    """Some workgroups of a grid: the first, the last, and some pairs of neighbours."""
    pairs = [*np.random.default_rng(seed).integers(0, groups - 1, _PAIRS).tolist(), groups - 2]
    return tuple(sorted({*range(_FIRST), *pairs, *[group + 1 for group in pairs]}))


def masked(arrays: list[Array], undefined: Sequence[int], written: Sequence[Array]) -> list[Array]:
    """The arrays, and of the undefined ones the elements masked that were not written."""
    found = [*arrays]
    for position, flags in zip(undefined, written, strict=False):
        size = arrays[position].dtype.itemsize
        found[position] = np.ma.array(arrays[position], mask=~flags[::size])
    return found
