"""Runs kernels of MLIR thread by thread, as the dialects' documents say what ops do: slow, plain, and apart
from the lowering, whose judge it is.

A number is an `int` (an integer without a sign, an index with one) or a numpy scalar, a vector a list of
numbers, a memref a `Place`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from asmgen.mlir.interpret.run import Launch, Sizes, run_launch
from asmgen.mlir.interpret.work_items import TABLES
from asmgen.mlir.kernels import MlirKernel
from asmgen.mlir.source import MlirModule


def run_kernel(
    module: MlirModule, kernel: MlirKernel, grid: Sizes, block: Sizes, arguments: Sequence[Any], wave: int
) -> None:
    """Run a kernel on arrays, which are written in place, and numbers, in waves of `wave` lanes. `InputError`
    where a thread leaves a buffer, or where threads wait for each other at different operations."""
    run_launch(Launch(module, grid, block, wave, TABLES), kernel, arguments)
