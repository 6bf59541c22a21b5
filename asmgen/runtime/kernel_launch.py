"""Launching a kernel of a program with a grid, a workgroup and arguments.

    program = asmgen.compile("vecadd.mlir")
    a, b, c = program.kernel("vecadd").launch(grid=(4, 1, 1), block=(256, 1, 1), args=[a, b, c, 1000])

A kernel of MLIR takes the arguments of its source: a memref is an array, however it is passed. Any other
kernel takes the arguments that its metadata lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from msgspec import Struct

from asmgen.artifact import Artifact, CompiledKernel
from asmgen.ir.arrays import Array, as_numpy
from asmgen.ir.shapes import MOST_WORK_ITEMS
from asmgen.runtime.formals import Formal
from asmgen.runtime.program_formals import formals_of
from asmgen.runtime.run import resolve_device
from isa.diagnostics import InputError, Place
from isa.emulator.launching.arguments import ArgumentValue, KernelCall

Sizes = tuple[int, int, int]
_MOST_OVERLAP_WORK: Any = 1 << 12  # candidates that numpy tries, before it takes two windows as overlapping


class LaunchableKernel(Struct, frozen=True):
    """A kernel with its arguments; `place` is its place in the source."""

    kernel: CompiledKernel
    formals: tuple[Formal, ...]
    place: Place | str

    def __repr__(self) -> str:
        names = ", ".join(formal.name for formal in self.formals)
        return f"<kernel {self.kernel.name}({names}) for {self.kernel.target}>"

    def launch(
        self,
        *,
        grid: Sequence[int],
        block: Sequence[int],
        args: Sequence[object],
        device: str = "auto",
        sanitize: bool = True,
    ) -> list[Array]:
        """Run the kernel on `grid` workgroups of `block` work-items. `args` has a number or an array for each
        argument. Returns the arrays as they are afterwards, in order; the given arrays do not change.

        On the emulator `sanitize` looks for faults of the program (docs/sanitizer.md). Raises `InputError` at
        the argument's or the kernel's place in the source: LNC002 for a wrong number of arguments, LNC003 for
        a grid or a workgroup that the kernel does not allow, LNC004 for an argument of another type or shape,
        LNC005 for overlapping arrays if the kernel writes any of them.
        """
        sizes = three_sizes("grid", grid), three_sizes("block", block)
        self._check_launch(*sizes)
        where = resolve_device(device, self.kernel.target)
        names = ", ".join(formal.name for formal in self.formals)
        if not isinstance(cast("object", args), list | tuple):
            message = f"got {type(args).__name__}, wanted a list of arguments: ({names})"
            raise InputError("args", "LNC002", message)
        if len(args) != len(self.formals):
            message = f"got {len(args)} arguments for {self.kernel.name}, wanted {len(self.formals)}: {names}"
            raise InputError(self.place, "LNC002", message)
        taken = [formal.taken(given) for formal, given in zip(self.formals, args, strict=True)]
        self._check_overlap(args)
        values = [value for passed in taken for value in passed.values]
        after = iter(self._run(values, *sizes, where, sanitize))
        return [
            array
            for formal, passed in zip(self.formals, taken, strict=True)
            for array in formal.given_back(passed, after)
        ]

    def _run(
        self, values: Sequence[ArgumentValue], grid: Sizes, block: Sizes, device: str, sanitize: bool
    ) -> list[Array]:
        kernel = self.kernel
        if device == "emulator":
            from isa.emulator import run

            return run(kernel.assembly, kernel.name, grid, block, values, sanitize=sanitize)
        from asmgen.runtime.hip import run_on_gpu

        return run_on_gpu(kernel.code_object, kernel.name, KernelCall(grid, block, tuple(values)))

    def _check_launch(self, grid: Sizes, block: Sizes) -> None:
        kernel = self.kernel
        most = kernel.block[0] * kernel.block[1] * kernel.block[2]
        if kernel.any_block:
            if block[0] * block[1] * block[2] > most:
                message = f"{kernel.name} has a block of {block}, wanted at most {most} work-items"
                raise InputError(self.place, "LNC003", message)
        elif block != kernel.block:
            raise InputError(
                self.place, "LNC003", f"{kernel.name} has a block of {block}, wanted {kernel.block}"
            )
        if any(groups * items > MOST_WORK_ITEMS for groups, items in zip(grid, block, strict=True)):
            message = f"{kernel.name} has a grid of {grid} with blocks of {block}"
            wanted = f"wanted at most {MOST_WORK_ITEMS} work-items along an axis"
            raise InputError(self.place, "LNC003", f"{message}, {wanted}")
        if kernel.grid is not None and grid != kernel.grid:
            raise InputError(
                self.place, "LNC003", f"{kernel.name} has a grid of {grid}, wanted {kernel.grid}"
            )

    def _check_overlap(self, args: Sequence[object]) -> None:
        """Arrays must not overlap if the kernel writes one of them."""
        arrays: list[tuple[Formal, Array]] = []
        for formal, given in zip(self.formals, args, strict=True):
            if not formal.is_array:
                continue
            array = as_numpy(given, f"argument {formal.name}", "LNC004", "an array")
            for other, before in arrays:
                if (formal.is_written or other.is_written) and np.may_share_memory(
                    array, before, _MOST_OVERLAP_WORK
                ):
                    message = (
                        f"arguments {other.name} and {formal.name} overlap, and the kernel writes one of them"
                    )
                    raise InputError(
                        formal.place, "LNC005", f"{message}, wanted arrays apart from each other"
                    )
            arrays.append((formal, array))


def launchable(program: Artifact, number: int) -> LaunchableKernel:
    """A kernel of a program by its number."""
    kernel = program.kernels[number]
    file = program.compilation.stages.mlir
    place: Place | str = file.kernels[number].place if file is not None else kernel.name
    return LaunchableKernel(kernel, formals_of(program, number), place)


def three_sizes(name: str, given: Sequence[int]) -> Sizes:
    """The sizes of a grid or a block; `InputError` LNC003 for anything else."""
    sizes = given if isinstance(cast("object", given), Sequence) else ()
    if len(sizes) != 3 or not all(isinstance(cast("object", size), int) and size >= 1 for size in sizes):
        raise InputError(name, "LNC003", f"got {given!r}, wanted three sizes from 1 on: (x, y, z)")
    return int(sizes[0]), int(sizes[1]), int(sizes[2])
