"""The ways to run a program on the emulator."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from asmgen.artifact import Artifact, CompiledKernel
from asmgen.ir.arrays import Array
from asmgen.runtime.calls import Signature, run_kernels
from isa.diagnostics import InputError
from isa.emulator import load, run_image
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.launch import Settings
from isa.emulator.launching.loaded import Kept
from isa.emulator.program.image import Image
from isa.emulator.program.same_code import run_alike
from isa.emulator.sanitizer.coverage import Coverage
from isa.emulator.sanitizer.sanitizer import Sanitizer
from isa.instruction import Row
from isa.semantics import resolve
from isa.semantics.lane import LaneFunction
from isa.semantics.mode import Approximation


class Setting(Struct, frozen=True):
    """A way to run: the results of approximate instructions, the kernel's entry, and the code that is run.

    `sampling` selects the workgroups of a large grid that run; without it all do.
    """

    approximation: Approximation = Approximation.NEAREST
    entry: str = "preload"
    from_object: bool = False
    sampling: Sampling | None = None

    def __str__(self) -> str:
        parts = [self.approximation.value]
        if self.entry == "prologue":
            parts.append("entered at the prologue")
        if self.from_object:
            parts.append("code object")
        return ", ".join(parts)


NEAREST = Setting()


def settings(program: Artifact) -> tuple[list[Setting], tuple[str, ...]]:
    """The ways to run a program, the plainest first, and a note if there is no code object to run.

    If a code object has the instructions of its text, it runs as the text does, and is not run again.
    """
    chosen = [Setting(approximation) for approximation in Approximation]
    if not any(_approximates(kernel) for kernel in program.kernels):
        chosen = [NEAREST]
    if any(preloads(kernel) for kernel in program.kernels):
        chosen.append(Setting(entry="prologue"))
    try:
        _ = [kernel.code_object for kernel in program.kernels]
    except InputError as error:
        return chosen, (f"the emitted text was run, not the code object: {error.message}",)
    if all(map(_object_is_text, program.kernels)):
        return chosen, ()
    return [*chosen, Setting(from_object=True)], ()


def _object_is_text(kernel: CompiledKernel) -> bool:
    text, code_object = loaded(kernel.assembly, kernel.name), loaded(kernel.code_object, kernel.name)
    return run_alike(text, code_object)


def preloads(kernel: CompiledKernel) -> bool:
    """Whether firmware that preloads kernel arguments enters the kernel after its prologue."""
    return kernel.preload_dwords > 0


def emulated(program: Artifact, arrays: Sequence[Array], setting: Setting) -> list[Array]:
    """The results of a program, sanitizer on; memory that no kernel has written yet counts as undefined.

    If only some workgroups of a large grid run, the elements that they do not write are masked.
    """

    def execute(kernel: CompiledKernel, signature: Signature, buffers: list[Array]) -> list[Array]:
        assert kernel.grid is not None, "a kernel of a graph has a grid"
        image = loaded(kernel.code_object if setting.from_object else kernel.assembly, kernel.name)
        new = [statement for statement in signature.outputs if statement not in signature.changed]
        undefined = frozenset(i for i, statement in enumerate(signature.parameters) if statement in new)
        call = KernelCall(kernel.workgroups, kernel.block, tuple(buffers), undefined)
        how = Settings(setting.approximation, setting.entry)
        if setting.sampling is not None and not signature.changed:
            return setting.sampling.run(image, call, how)
        return run_image(image, call, sanitize=True, settings=how)

    return run_kernels(program, arrays, execute)


def _approximates(kernel: CompiledKernel) -> bool:
    """Whether the result of an instruction is any number of an interval."""
    instructions = loaded(kernel.assembly, kernel.name).code.instructions
    return any(_is_approximate(row) for row in {id(each.row): each.row for each in instructions}.values())


def _is_approximate(row: Row) -> bool:
    if row.components:
        return any(map(_is_approximate, row.components))
    meaning = resolve(row.semantics)
    return isinstance(meaning, LaneFunction) and meaning.approximate


@lru_cache(maxsize=16)
def loaded(source: str | bytes, kernel: str) -> Image:
    """A kernel of assembly text or of a code object, read once for all of its runs."""
    return load(source, kernel, f"{kernel}.s")


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

    def run(self, image: Image, call: KernelCall, settings: Settings) -> list[Array]:
        """A launch; its buffers afterwards."""
        groups, name = prod(call.grid), image.name
        if self.is_first:
            self.kept[name], self.some[name] = Kept(), ()
        kept = self.kept[name]
        if self.is_first and groups >= _LEAST_GROUPS:
            coverage = Coverage(image)
            how = replace(settings, kept=kept)
            after = run_image(image, call, settings=how, checker=coverage)
            if coverage.is_each_byte_stored_once and self.is_plain:
                return after
            if coverage.is_each_byte_stored_once:
                self.some[name] = representatives(groups, self.seed)
        some = self.some[name]
        sanitizer = Sanitizer(image, settings.entry == "preload")
        how = replace(settings, kept=kept if some else None, groups=some or None)
        after = run_image(image, call, settings=how, checker=sanitizer)
        written = sanitizer.written()
        sanitizer.forget()
        if self.is_first:
            self.sanitized += len(some) or groups
        return masked(after, sorted(call.undefined), written) if some and not self.is_first else after


def representatives(groups: int, seed: int) -> tuple[int, ...]:
    """Some workgroups of a grid: the first, the last, and some pairs of neighbours."""
    pairs = [*np.random.default_rng(seed).integers(0, groups - 1, _PAIRS).tolist(), groups - 2]
    return tuple(sorted({*range(_FIRST), *pairs, *[group + 1 for group in pairs]}))


def masked(arrays: list[Array], undefined: Sequence[int], written: Sequence[Array]) -> list[Array]:
    """The arrays; those in `undefined` with the elements masked that were not written."""
    result = [*arrays]
    for position, flags in zip(undefined, written, strict=False):
        size = arrays[position].dtype.itemsize
        result[position] = np.ma.array(arrays[position], mask=~flags[::size])
    return result
