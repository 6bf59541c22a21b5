"""What is said of an operation that no kernel may have."""

from __future__ import annotations

from asmgen.frontends.mlir.context import Rows
from asmgen.frontends.mlir.source import Operation
from isa.diagnostics import InputError, close_names

_HELP = {
    "gpu.printf": "a kernel has no stream to print to; store what is wanted to a buffer",
    "gpu.wait": "asynchronous tokens are not read: a launch here is done when the next operation begins",
    "gpu.alloc": "allocate on the host with memref.alloc, or in LDS with a workgroup attribution",
    "amdgpu.sched_barrier": "leave it out: the order of instructions follows from the program",
    "amdgpu.memory_counter_wait": "leave it out: waits follow from what reads the numbers",
    "gpu.dynamic_shared_memory": "name the LDS in a workgroup attribution of the gpu.func",
}
_LISTED = "docs/mlir.md lists the ops that kernels may have"


def refuse_operation(operation: Operation, table: Rows) -> InputError:
    """The error MLIR011 for an operation without a row."""
    dialect, _, name = operation.name.partition(".")
    known = [row.partition(".")[2] for row in table if row.startswith(f"{dialect}.")]
    if not known:
        dialects = sorted({row.partition(".")[0] for row in table})
        message = f"{operation.name} is of the dialect {dialect}, wanted one of {', '.join(dialects)}"
        return InputError(operation.place, "MLIR011", message, help=_LISTED)
    help = _HELP.get(operation.name) or close_names(name, known) or _LISTED
    row = table.get(operation.name)
    what = "ends a region that is none of a kernel's" if row is not None else "is not lowered in a kernel"
    return InputError(operation.place, "MLIR011", f"{operation.name} {what}, wanted another op", help=help)
