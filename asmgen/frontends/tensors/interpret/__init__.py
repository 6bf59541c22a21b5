"""The results of a tensor program of MLIR by the semantics of its ops, in numpy: floats in f64, rounded to
their type after each op, and exact integers.

`--verify` compares it with the graph. It shares the parser with the rules of `asmgen.frontends.tensors`, and
nothing else: a rule that misreads an op disagrees with it. `run_block` shows whether a body is associative.
"""

from __future__ import annotations

from asmgen.frontends.tensors.interpret.call import OpenOrder, Unknown
from asmgen.frontends.tensors.interpret.run import run_block, run_entry

__all__ = ["OpenOrder", "Unknown", "run_block", "run_entry"]
