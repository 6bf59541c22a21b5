"""Runs a kernel of MLIR on the emulator, and the same kernel thread by thread in the interpreter, and
compares."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import asmgen
from asmgen.mlir.interpret import run_kernel
from asmgen.mlir.kernels import MlirKernel
from tests.device import chosen_device

EXAMPLES = Path(__file__).parents[2] / "examples"
Sizes = tuple[int, int, int]
FEW = ("gfx942", "gfx1100")
ALL = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")


def launch(source: str | Path, grid: Sizes, block: Sizes, args: Sequence[object], target: str) -> list[Any]:
    """The arrays after a launch of the only kernel of a source."""
    program = asmgen.compile(source, target=target, verify_passes=True)
    (kernel,) = program.kernels
    return program.kernel(kernel.name).launch(grid=grid, block=block, args=args, device=chosen_device())


def interpreted(source: str | Path, grid: Sizes, block: Sizes, args: Sequence[object], wave: int) -> list[Any]:
    """The arrays after the interpreter has run the only kernel of a source."""
    module, kernel = _read(source)
    given: list[Any] = [one.copy() if isinstance(one, np.ndarray) else one for one in args]
    run_kernel(module, kernel, grid, block, given, wave)
    return [one for one in given if isinstance(one, np.ndarray)]


def _read(source: str | Path) -> tuple[Any, MlirKernel]:
    from asmgen.mlir.file import read_kernels

    text = source.read_text() if isinstance(source, Path) else source
    file = read_kernels(text, str(source) if isinstance(source, Path) else "<text>.mlir")
    (kernel,) = file.kernels
    return file.module, kernel


def holds(
    source: str | Path,
    grid: Sizes,
    block: Sizes,
    args: Sequence[object],
    targets: Sequence[str] = FEW,
    tolerance: float = 0.0,
) -> list[Any]:
    """Compare both on each target; return the results on the last target."""
    found: list[Any] = []
    for target in targets:
        wave = 64 if target.startswith("gfx9") else 32
        found = launch(source, grid, block, args, target)
        wanted = interpreted(source, grid, block, args, wave)
        for got, expected in zip(found, wanted, strict=True):
            if tolerance:
                np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)
            else:
                np.testing.assert_array_equal(got, expected, err_msg=target)
    return found
