"""Ops that only work-items have: ids, exchange, memory of the workgroup and of a work-item."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from asmgen.mlir.interpret import amdgpu, exchange, llvm, ops
from asmgen.mlir.interpret.places import Number, allocated, read, write
from asmgen.mlir.interpret.run import Controlled, Plain, Tables, Thread, meet
from asmgen.mlir.source import Operation
from asmgen.mlir.types import Space


def _axis(operation: Operation) -> int:
    return "xyz".index(operation.text("dimension"))


def _waves(thread: Thread) -> int:
    x, y, z = thread.launch.block
    return -(-x * y * z // thread.launch.wave)


def _alloca(thread: Thread, operation: Operation) -> Sequence[Number]:
    type_ = operation.result.memref
    return _shared(thread, operation) if type_.space is Space.WORKGROUP else (allocated(type_),)


def _shared(thread: Thread, operation: Operation) -> Sequence[Number]:
    """Memory of the workgroup. The first thread to reach the operation makes it."""
    key = operation.text("name") or operation
    type_ = operation.result.memref
    return (thread.shared.setdefault(key, allocated(type_)),)


def _copy(thread: Thread, operation: Operation) -> Sequence[Number]:
    source, target = thread.operands(operation)
    type_ = operation.operands[0].memref
    for indices in product(*map(range, source.sizes)):
        write(target, indices, read(source, indices, type_.element, operation), operation)
    return ()


_PLAIN: dict[str, Plain] = {
    "gpu.thread_id": lambda thread, operation: (thread.item[_axis(operation)],),
    "gpu.block_id": lambda thread, operation: (thread.group[_axis(operation)],),
    "gpu.block_dim": lambda thread, operation: (thread.launch.block[_axis(operation)],),
    "gpu.grid_dim": lambda thread, operation: (thread.launch.grid[_axis(operation)],),
    "gpu.global_id": lambda thread, operation: (
        thread.group[_axis(operation)] * thread.launch.block[_axis(operation)]
        + thread.item[_axis(operation)],
    ),
    "gpu.lane_id": lambda thread, operation: (thread.lane,),
    "gpu.subgroup_id": lambda thread, operation: (thread.number // thread.launch.wave,),
    "gpu.subgroup_size": lambda thread, operation: (thread.launch.wave,),
    "gpu.num_subgroups": lambda thread, operation: (_waves(thread),),
    "memref.alloca": _alloca,
    "memref.alloc": _shared,
    "memref.get_global": _shared,
    "memref.copy": _copy,
    "memref.dealloc": lambda thread, operation: (),
}
_CONTROLLED: dict[str, Controlled] = {
    "gpu.barrier": meet,
    "gpu.ballot": exchange.ballot,
    "gpu.shuffle": exchange.shuffle,
    "gpu.rotate": exchange.rotate,
    "gpu.subgroup_broadcast": exchange.broadcast,
    "gpu.subgroup_reduce": exchange.subgroup_reduce,
    "gpu.all_reduce": exchange.all_reduce,
}
TABLES = Tables(
    {**ops.PLAIN, **_PLAIN, **llvm.PLAIN, **amdgpu.PLAIN},
    {**ops.CONTROLLED, **_CONTROLLED, **llvm.CONTROLLED, **amdgpu.CONTROLLED},
)
