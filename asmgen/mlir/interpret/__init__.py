"""Runs kernels of MLIR thread by thread, as the documents of the dialects define the ops.

The interpreter is slow and simple, and shares only the parser with the lowering, which it judges. A number is
an `int` (unsigned for an integer, signed for an index) or a numpy scalar. A vector is a list of numbers, a
memref a `Place`.
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
    """Run a kernel in waves of `wave` lanes. Arrays are written in place. `InputError` if a thread leaves a
    buffer, or if threads wait for each other at different operations."""
    run_launch(Launch(module, grid, block, wave, TABLES), kernel, arguments)
