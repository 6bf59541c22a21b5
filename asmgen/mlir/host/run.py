"""Runs a function of the host in the order of the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from asmgen.mlir.host.functions import HostFunction
from asmgen.mlir.host.ops import Launcher, host_tables
from asmgen.mlir.interpret.memory import Number
from asmgen.mlir.interpret.run import Launch, Thread, argument_of
from asmgen.mlir.kernels import MlirKernel
from asmgen.mlir.source import MlirModule
from isa.diagnostics import InternalError

_ONE = (1, 1, 1)


def run_function(
    module: MlirModule,
    kernels: Sequence[MlirKernel],
    function: HostFunction,
    arguments: Sequence[Any],
    launcher: Launcher,
) -> list[Number]:
    """What a function gives, which is run on places in memory and numbers. `launcher` runs each of
    its launches. `InputError` where it leaves or has freed a buffer, or divides by zero."""
    tables = host_tables(kernels, launcher)
    thread = Thread(Launch(module, _ONE, _ONE, 1, tables), (0, 0, 0), (0, 0, 0), 0, {})
    given = [argument_of(value, ssa.type) for ssa, value in zip(function.arguments, arguments, strict=True)]
    steps = thread.region(function.operation.regions[0], given)
    try:
        meeting = next(steps)
    except StopIteration as done:
        return list(done.value)
    raise InternalError("mlir", str(meeting.operation.place), "the host waits for other threads")
