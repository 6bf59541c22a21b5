"""`llvm`: atomic operations, and fences, which are next to barriers."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.mlir.context import Lowering, rows
from asmgen.mlir.dialects.atomics import combined_atomically
from asmgen.mlir.dialects.llvm_memory import view_at
from asmgen.mlir.dialects.rocdl import BARRIERS
from asmgen.mlir.lowered import Lowered
from asmgen.mlir.source import Operation

# The kinds of memref.atomic_rmw by the words of LLVM's operations.
_KINDS = {
    "xchg": "assign", "add": "addi", "and": "andi", "or": "ori", "xor": "xori", "max": "maxs",
    "min": "mins", "umax": "maxu", "umin": "minu", "fadd": "addf", "fmax": "maxnumf", "fmin": "minnumf",
    "fmaximum": "maximumf", "fminimum": "minimumf",
}  # fmt: skip
_OF_WORKGROUP = ("workgroup", "workgroup-one-as", "wavefront", "singlethread")


def combine(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`atomicrmw`, of the scope of the device. What is around it is ordered by barriers alone."""
    kind = operation.text("bin_op")
    if kind not in _KINDS:
        wanted = "xchg, add, and, or, xor, max, min, umax, umin, fadd, fmax or fmin"
        raise lower.refused(operation, "MLIR053", f"llvm.atomicrmw {kind}", wanted)
    pointer, value = operation.operands
    view = view_at(lower, lower.pointer(pointer), operation)
    return (combined_atomically(lower, operation, view, (), value, _KINDS[kind]),)


def fence(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """A barrier puts memory in order for its workgroup: a fence of the workgroup next to one adds nothing."""
    scope = operation.text("syncscope") or "the system"
    if scope not in _OF_WORKGROUP or not _is_next_to_barrier(lower, operation):
        got = f"a fence of {scope} by itself"
        raise lower.refused(operation, "MLIR055", got, 'one of syncscope("workgroup") next to a barrier')
    return ()


def _is_next_to_barrier(lower: Lowering, fence: Operation) -> bool:
    for operation in lower.module.operation.walk():
        for block in (block for region in operation.regions for block in region.blocks):
            if fence in block.operations:
                place = block.operations.index(fence)
                around = block.operations[max(place - 1, 0) : place + 2]
                return any(lower.table.get(one.name) in BARRIERS for one in around)
    return False


ROWS = rows({"llvm.atomicrmw": combine, "llvm.fence": fence})
