"""Runs kernels of MLIR thread by thread, as the dialects' documents say what ops do: slow, plain, and apart
from the lowering, whose judge it is.

A number is an `int` (an integer without a sign, an index with one) or a numpy scalar, a vector a list of
numbers, a memref a `Place`.
"""

from asmgen.frontends.mlir.interpret.run import run_kernel

__all__ = ["run_kernel"]
