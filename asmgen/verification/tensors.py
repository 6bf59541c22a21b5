"""The semantics of a tensor program of MLIR as a way to run it, next to the emulator."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from asmgen.compiled import CompiledProgram
from asmgen.frontends.tensors.interpret import OpenOrder, Unknown, run_entry
from asmgen.index.size import numbers
from asmgen.ir.arrays import Array, numpy_dtype
from asmgen.ir.program import Statement, tensor_type
from asmgen.verification.runs import Way

_SLACK = 8  # ULP, of formulas such as that of logaddexp
SEMANTICS = "the semantics of its ops in numpy"


def specified(program: CompiledProgram, parameters: Sequence[Statement]) -> tuple[list[Way], tuple[str, ...]]:
    """A way that interprets the MLIR of a program, if its graph was read from MLIR; a note if an op of the
    program has no semantics in the interpreter."""
    text = program.compilation.stages.tensors
    if text is None or not program.compilation.options.propagates_nan:
        return [], ()
    types = [tensor_type(parameter.result) for parameter in parameters]
    zeros = [np.zeros(numbers(type_.dims), numpy_dtype(type_.element)) for type_ in types]
    try:
        _ = run_entry(text, zeros)
    except Unknown as unknown:
        return [], (f"not compared with {SEMANTICS}: {unknown} is not interpreted",)

    def run(arrays: Sequence[Array]) -> list[Array] | None:
        try:
            return run_entry(text, arrays)
        except OpenOrder:
            return None

    return [Way(SEMANTICS, run, _SLACK, reads_source=True)], ()
