"""The ways to run a program on the emulator."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from asmgen.artifact import Artifact, CompiledKernel
from asmgen.ir.arrays import Array
from asmgen.runtime.calls import Signature, run_kernels
from asmgen.verification.sampling import Sampling
from isa.diagnostics import InputError
from isa.emulator import load, run_image
from isa.emulator.image import Image
from isa.emulator.launch import Settings
from isa.instruction import Row
from isa.semantics import resolve
from isa.semantics.lane import LaneFunction
from isa.semantics.mode import Approximation


class Setting(Struct, frozen=True):
    """One way to run: what approximate instructions return, where the kernel is entered, and what is run.

    `sampling` says which workgroups of a large grid run; without it all do.
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
    """The ways to run a program, the plainest first, and a note where the code object is not among them."""
    chosen = [Setting(approximation) for approximation in Approximation]
    if not any(_approximates(kernel) for kernel in program.kernels):
        chosen = [NEAREST]
    if any(preloads(kernel) for kernel in program.kernels):
        chosen.append(Setting(entry="prologue"))
    try:
        _ = [kernel.code_object for kernel in program.kernels]
    except InputError as error:
        return chosen, (f"the emitted text was run, not the code object: {error.message}",)
    return [*chosen, Setting(from_object=True)], ()


def preloads(kernel: CompiledKernel) -> bool:
    """Whether firmware that preloads kernel arguments enters the kernel after its prologue."""
    return kernel.preload_dwords > 0


def emulated(program: Artifact, arrays: Sequence[Array], setting: Setting) -> list[Array]:
    """The results of a program, sanitizer on; what no kernel has written yet counts as undefined.

    If only some workgroups of a large grid run, the elements that they do not write are masked.
    """

    def execute(kernel: CompiledKernel, signature: Signature, buffers: list[Array]) -> list[Array]:
        assert kernel.grid is not None, "a kernel of a graph has a grid"
        image = loaded(kernel.code_object if setting.from_object else kernel.assembly, kernel.name)
        undefined = [i for i, statement in enumerate(signature.parameters) if statement in signature.outputs]
        how = Settings(setting.approximation, setting.entry)
        if setting.sampling is not None:
            return setting.sampling.run(image, kernel, buffers, undefined, how)
        return run_image(
            image, kernel.grid, kernel.block, buffers, sanitize=True, settings=how, undefined=undefined
        )

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
