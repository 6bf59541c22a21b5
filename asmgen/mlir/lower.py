"""From a file of MLIR to a lanewise program with a module for each kernel."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.graph import ops as graph
from asmgen.ir.program import Module, Program, Stage, Statement
from asmgen.mlir.dialects.gpu import block, block_size, grid_size, thread
from asmgen.mlir.dialects.memref_views import allocate_shared
from asmgen.mlir.dialects.table import TABLE
from asmgen.mlir.kernels import MlirKernel, entry_block
from asmgen.mlir.lowering.context import Demands, LowerAgain, Lowering
from asmgen.mlir.lowering.control.regions import lower_region
from asmgen.mlir.lowering.memory.buffers import allocate
from asmgen.mlir.lowering.memory.parameters import declare
from asmgen.mlir.lowering.values import Kind, Lowered
from asmgen.mlir.source import MlirModule, Ssa
from asmgen.mlir.types import MemrefType
from isa.diagnostics import InputError
from isa.targets import TargetId


def lower_kernels(module: MlirModule, kernels: Sequence[MlirKernel], target: TargetId) -> Program:
    """The lanewise program of kernels of a file. `InputError` at an operation that kernels may not have."""
    modules = tuple([_lower_kernel(module, kernel, target) for kernel in kernels])
    return Program(Stage.LANEWISE, modules, target)


def _lower_kernel(module: MlirModule, kernel: MlirKernel, target: TargetId) -> Module:
    """Lower a kernel, again if an attempt demands it.

    At first each memref argument is a bare pointer, memory has the elements of its type, and private memory
    is in registers. An operation that needs more raises `LowerAgain`.
    """
    demands = Demands()
    while True:
        try:
            return _lowered(Lowering(module, kernel, target, TABLE, demands))
        except LowerAgain as again:
            demands = again.demands


def _lowered(lower: Lowering) -> Module:
    kernel, builder = lower.kernel, lower.builder
    open_ = "block" if kernel.block is None else "grid" if kernel.grid is None else "none"
    with builder.origin(kernel.place, kernel.name):
        builder.launch(kernel.grid or (1, 1, 1), kernel.block or (kernel.most_items, 1, 1), open_)
    given = declare(lower, kernel.arguments)
    given += [allocate(lower, _memref(buffer), buffer, Kind.LDS) for buffer in kernel.workgroup]
    given += [allocate(lower, _memref(buffer), buffer, Kind.PRIVATE) for buffer in kernel.private]
    allocate_shared(lower)
    if kernel.launch is not None:
        lower.values.update(zip(kernel.arguments, given, strict=False))
        given = [*_ids(lower), *given[len(kernel.arguments) :]]
    _ = lower_region(lower, kernel.body, given)
    builder.append(Statement(graph.RETURN, (), (), {}, (), entry_block(kernel).operations[-1].place))
    return builder.module(kernel.name)


def _ids(lower: Lowering) -> list[Lowered]:
    """The first arguments of a launch's body: ids of block and thread, sizes of grid and block."""
    return [make(lower, axis) for make in (block, thread, grid_size, block_size) for axis in range(3)]


def _memref(ssa: Ssa) -> MemrefType:
    if not isinstance(ssa.type, MemrefType):
        raise InputError(ssa.place, "MLIR010", f"a buffer of the kernel is {ssa.type}, wanted a memref")
    return ssa.type
