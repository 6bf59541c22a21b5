"""Compares a compiled kernel with the interpreter, which runs its MLIR thread by thread.

The launch is as requested, or has a few workgroups; a single workgroup if those race because they write the
same elements. Integers and bits must agree. Floats must agree within a part of the largest number of their
array, since the compiled kernel may contract a product and a sum, and adds in another order if lanes add
together.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from asmgen.artifact import Artifact
from asmgen.mlir.interpret import run_kernel
from asmgen.mlir.kernels import MlirKernel, Sizes
from asmgen.runtime.formals import Formal
from asmgen.runtime.kernel_launch import launchable
from asmgen.verification.mlir.arguments import NOTHING_CHOSEN, Chosen, run_without_fault
from isa.emulator.sanitizer.faults import Check, SanitizerError
from isa.named_tuple import NamedTuple

GROUPS, LANES = 2, 96  # of the default launch: the block is not a multiple of a wave
_PARTS = {8: 2.0**-14, 4: 2.0**-12, 2: 2.0**-6, 1: 2.0**-2}  # of the largest number, by the bytes of a float


class Verdict(NamedTuple):
    """A line for each array, and whether an array differs."""

    lines: tuple[str, ...]
    is_broken: bool


def verify_kernel(
    program: Artifact,
    number: int,
    grid: Sizes | None,
    block: Sizes | None,
    device: str,
    chosen: Chosen = NOTHING_CHOSEN,
) -> Verdict:
    """Run a kernel on `device` and in the interpreter, with the chosen sizes. `InputError` if the interpreter
    finds a fault of the kernel, such as an access out of bounds, with every candidate for its integers."""
    file = program.compilation.stages.mlir
    assert file is not None, "the program comes from MLIR"
    kernel = file.kernels[number]
    sizes = _launch(kernel, grid, block)
    try:
        return _compared(program, number, kernel, sizes, device, chosen)
    except SanitizerError as fault:
        if grid or kernel.grid or fault.kind is not Check.RACE:
            raise
    verdict = _compared(program, number, kernel, ((1, 1, 1), sizes[1]), device, chosen)
    note = f"{kernel.name}: not as {_shown(sizes)}, with which its workgroups race; --grid chooses a launch"
    return Verdict((*verdict.lines, note), verdict.is_broken)


def _compared(
    program: Artifact,
    number: int,
    kernel: MlirKernel,
    sizes: tuple[Sizes, Sizes],
    device: str,
    chosen: Chosen,
) -> Verdict:
    """A launch on a device, and in the interpreter."""
    compiled = launchable(program, number)
    taken = compiled.formals
    given, wanted, by_default = _interpreted(program, kernel, taken, sizes, chosen)
    after = compiled.launch(grid=sizes[0], block=sizes[1], args=given, device=device)
    arrays = [formal for formal in taken if formal.is_array]
    verdicts = [
        compared(f"{kernel.name} {formal.name}", got, expected)
        for formal, got, expected in zip(arrays, after, wanted, strict=True)
    ]
    lines = [line for verdict in verdicts for line in verdict.lines]
    is_broken = any(verdict.is_broken for verdict in verdicts)
    lines += [f"{kernel.name}: {by_default}"] if by_default else []
    return Verdict((*lines, f"{kernel.name}: launched as {_shown(sizes)}"), is_broken)


def compared(what: str, got: Any, expected: Any) -> Verdict:
    """A line that says whether an array agrees with the interpreter."""
    differs = differing(got, expected)
    told = f"{differs} of {got.size} elements differ" if differs else f"{got.size} elements agree"
    return Verdict((f"{what}: {'BROKEN' if differs else 'ok'}, {told}",), bool(differs))


def _shown(sizes: tuple[Sizes, Sizes]) -> str:
    return " x ".join("x".join(map(str, size)) for size in sizes)


def _launch(kernel: MlirKernel, grid: Sizes | None, block: Sizes | None) -> tuple[Sizes, Sizes]:
    return grid or kernel.grid or (GROUPS, 1, 1), block or kernel.block or (LANES, 1, 1)


def _interpreted(
    program: Artifact,
    kernel: MlirKernel,
    taken: Sequence[Formal],
    sizes: tuple[Sizes, Sizes],
    chosen: Chosen,
) -> tuple[list[Any], list[Any], str]:
    """Arguments for which the interpreter finds no fault, the arrays afterwards, and a line of the default
    sizes."""
    file = program.compilation.stages.mlir
    assert file is not None

    def run(given: list[Any]) -> tuple[list[Any], list[Any]]:
        pairs = list(zip(taken, given, strict=True))
        mine = [argument.copy() if formal.is_array else argument for formal, argument in pairs]
        run_kernel(file.module, kernel, *sizes, mine, program.target.target.wave_size)
        return given, [argument for formal, argument in zip(taken, mine, strict=True) if formal.is_array]

    items = prod(sizes[0]) * prod(sizes[1])
    (given, arrays), by_default = run_without_fault(taken, chosen, items, run)
    return given, arrays, by_default


def differing(got: Any, expected: Any) -> int:
    """The number of elements that differ by more than the bound."""
    if got.dtype.kind in "iub":
        return int((got != expected).sum())
    a, b = got.astype(np.float64), expected.astype(np.float64)
    largest = float(np.max(np.abs(b[np.isfinite(b)]), initial=0.0))
    bound = _PARTS[got.dtype.itemsize] * max(largest, 2.0**-100)
    same = (a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= bound)
    return int((~same).sum())
