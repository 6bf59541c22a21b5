"""Errors for operations that kernels may not have."""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.mlir.source import Operation
from isa.diagnostics import InputError, close_names

_HELP = {
    "gpu.printf": "a kernel has no stream to print to; store the value to a buffer",
    "gpu.wait": "leave out asynchronous tokens: operations run in order",
    "gpu.alloc": "allocate on the host with memref.alloc, or in LDS with a workgroup attribution",
    "amdgpu.sched_barrier": "leave it out: the order of instructions follows from the program",
    "amdgpu.memory_counter_wait": "leave it out: waits follow from the uses of the loaded values",
    "gpu.warp_execute_on_lane_0": "use scf.if on gpu.lane_id, and gpu.subgroup_broadcast of its result",
    "llvm.inline_asm": "write it in ops of llvm, rocdl or amdgpu",
    "llvm.call_intrinsic": "ops of llvm.intr and rocdl do what most intrinsics do: docs/mlir.md lists them",
    "gpu.launch": "kernels launch no kernels: launch from a function of the host",
    "cf.assert": "store the condition to a buffer, and check it on the host",
    "scf.forall": "scf.parallel, or gpu.launch if work-items do different work",
    "math.erfc": "use 1 - math.erf if the argument is small",
    "memref.realloc": "allocate enough memory with memref.alloca or in a workgroup attribution",
    "memref.dma_start": "memref.load and memref.store, which the compiler keeps in flight",
    "vector.print": "a kernel has no stream to print to; store the value to a buffer",
    **{
        f"gpu.{name}": "no target has clusters of workgroups: take them from gpu.block_id and gpu.grid_dim"
        for name in ("cluster_block_id", "cluster_dim", "cluster_dim_blocks", "cluster_id")
    },
    **{
        f"gpu.subgroup_mma_{name}": "amdgpu.mfma on CDNA, amdgpu.wmma on RDNA"
        for name in (
            "compute",
            "constant_matrix",
            "elementwise",
            "extract_thread_local",
            "insert_thread_local",
            "load_matrix",
            "store_matrix",
        )
    },
    "gpu.dynamic_shared_memory": "name the LDS in a workgroup attribution of the gpu.func",
}
_LISTED = "docs/mlir.md lists the ops that kernels may have"


def refuse_operation(operation: Operation, table: Mapping[str, object]) -> InputError:
    """The error MLIR011 for an operation without a rule."""
    dialect, _, name = operation.name.partition(".")
    known = [row.partition(".")[2] for row in table if row.startswith(f"{dialect}.")]
    if not known:
        dialects = sorted({row.partition(".")[0] for row in table})
        message = f"{operation.name} is of the dialect {dialect}, wanted one of {', '.join(dialects)}"
        return InputError(operation.place, "MLIR011", message, help=_LISTED)
    help = _HELP.get(operation.name) or close_names(name, known) or _LISTED
    row = table.get(operation.name)
    what = "ends a region that kernels do not have" if row is not None else "is not lowered in a kernel"
    return InputError(operation.place, "MLIR011", f"{operation.name} {what}, wanted another op", help=help)
