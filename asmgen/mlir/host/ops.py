"""The ops of functions of the host: those of the interpreter, memory, and launches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from asmgen.mlir.host.heap import MEMORY, Heap
from asmgen.mlir.interpret import ops
from asmgen.mlir.interpret.numbers import ELEMENTWISE
from asmgen.mlir.interpret.places import Array, Number, Place
from asmgen.mlir.interpret.run import Plain, Sizes, Tables, Thread
from asmgen.mlir.kernels import BLOCK_SIZES, DYNAMIC_LDS, GRID_SIZES, MlirKernel
from asmgen.mlir.source import Operation, Ssa
from asmgen.mlir.types import MemrefType, PointerType
from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple

# Ops that end a region.
ENDINGS = frozenset(
    {
        "func.return", "scf.yield", "scf.condition", "scf.reduce", "scf.reduce.return", "affine.yield",
        "cf.br", "cf.cond_br", "cf.switch", "memref.atomic_yield",
        "memref.alloca_scope.return",
    }
)  # fmt: skip


class LaunchedKernel(NamedTuple):
    """A launch that the host has reached: the operation, the kernel, grid and workgroup, and the arguments in
    the form of the interpreter."""

    operation: Operation
    kernel: MlirKernel
    grid: Sizes
    block: Sizes
    values: list[Number]


Launcher = Callable[[LaunchedKernel], None]


class _Host(NamedTuple):
    """`kernels` are the compiled kernels of the file."""

    heap: Heap
    kernels: Sequence[MlirKernel]
    launcher: Launcher


def host_tables(kernels: Sequence[MlirKernel], launcher: Launcher) -> Tables:
    """The functions that run the ops of the host in a run. `launcher` runs a kernel and writes its
    buffers."""
    host = _Host(Heap(), kernels, launcher)
    plain: dict[str, Plain] = {
        **{name: partial(_checked, host.heap, run) for name, run in ops.PLAIN.items()},
        **{name: partial(_checked, host.heap, partial(run, host.heap)) for name, run in MEMORY.items()},
        **dict.fromkeys(LAUNCHES, partial(_launch, host)),
    }
    return Tables(plain, ops.CONTROLLED)


def _checked(heap: Heap, run: Plain, thread: Thread, operation: Operation) -> Sequence[Number]:
    heap.check(thread.operands(operation), operation)
    return run(thread, operation)


def launched(operation: Operation, kernels: Sequence[MlirKernel]) -> MlirKernel | None:
    """The kernel that an operation launches; None if it is not among `kernels`."""
    if operation.name == "gpu.launch":
        return next((kernel for kernel in kernels if kernel.launch is operation), None)
    symbol = operation.symbol("kernel")
    return next((kernel for kernel in kernels if kernel.symbol == symbol.path[-len(kernel.symbol) :]), None)


def _launch(host: _Host, thread: Thread, operation: Operation) -> Sequence[Number]:
    """`gpu.launch_func` passes operands; `gpu.launch` passes the outer values that its body reads."""
    kernel = launched(operation, host.kernels)
    if kernel is None:
        message = f"{operation.name} launches a kernel that is not compiled, wanted a compiled kernel"
        raise InputError(operation.place, "MLIR076", message, help="compile the whole file")
    groups = operation.segments()
    given = groups[_ARGUMENTS] if kernel.launch is None else kernel.arguments
    values = [thread.value(operand) for operand in given]
    host.heap.check(values, operation)
    for size in groups[DYNAMIC_LDS]:
        if thread.value(size):
            message = f"{operation.name} has {thread.value(size)} bytes of dynamic workgroup memory, wanted 0"
            help = "name the workgroup memory in an attribution of the kernel"
            raise InputError(operation.place, "MLIR077", message, help=help)
    if any(groups[BLOCK_SIZES + 3 : DYNAMIC_LDS]):
        message = f"{operation.name} has clusters of workgroups, wanted none: no target has them"
        raise InputError(operation.place, "MLIR077", message)
    values = passed_values(given, values, kernel.arguments, operation)
    grid, block = (_sizes(thread, groups[first : first + 3]) for first in (GRID_SIZES, BLOCK_SIZES))
    host.launcher(LaunchedKernel(operation, kernel, grid, block, values))
    return ()


def _sizes(thread: Thread, groups: Sequence[tuple[Ssa, ...]]) -> Sizes:
    x, y, z = (thread.value(size) for (size,) in groups)
    return x, y, z


_ARGUMENTS = DYNAMIC_LDS + 1  # the group of the kernel's operands
LAUNCHES = frozenset({"gpu.launch", "gpu.launch_func"})
NAMES = frozenset({*ops.PLAIN, *ops.CONTROLLED, *ELEMENTWISE, *MEMORY, *LAUNCHES})


def passed_values(
    operands: Sequence[Ssa], values: Sequence[Number], taken: Sequence[Ssa], operation: Operation
) -> list[Number]:
    """A value for each argument of a kernel. A memref is passed as it is, as a pointer, or as a descriptor:
    allocated and aligned pointer, offset, sizes, strides. `InputError` MLIR077 if no form fits the arguments
    of the kernel."""
    pairs = list(zip(operands, values, strict=True))
    bare = [[value] for _, value in pairs]
    described = [_descriptor(value) if isinstance(value, Place) else [value] for _, value in pairs]
    for parts in (bare, described):
        flat = [field for part in parts for field in part]
        if _fits(flat, taken):
            return [
                _pointed(field) if _is_pointer(ssa) else field for field, ssa in zip(flat, taken, strict=True)
            ]
    given = ", ".join(str(ssa.type) for ssa in operands) or "nothing"
    wanted = ", ".join(str(ssa.type) for ssa in taken) or "nothing"
    message = f"{operation.name} passes {given}, wanted the arguments of the kernel: {wanted}"
    raise InputError(operation.place, "MLIR077", message)


def _fits(values: Sequence[Number], taken: Sequence[Ssa]) -> bool:
    """Whether each place goes to a memref or a pointer, and each number to a number."""
    if len(values) != len(taken):
        return False
    places = [isinstance(ssa.type, MemrefType | PointerType) for ssa in taken]
    return all(isinstance(value, Place) == is_place for value, is_place in zip(values, places, strict=True))


def _is_pointer(ssa: Ssa) -> bool:
    return isinstance(ssa.type, PointerType)


def _descriptor(place: Place) -> list[Number]:
    """The fields of the descriptor. The allocated pointer is separate memory, since kernels do not use it."""
    lanes = place.lanes
    strides = [stride // lanes for stride in place.strides]
    allocated = _whole(np.zeros(1, place.memory.dtype))
    return [allocated, _whole(place.memory), place.offset // lanes, *place.sizes, *strides]


def _pointed(value: Number) -> Number:
    """The memory from the first element of a place on."""
    assert isinstance(value, Place), value
    return _whole(value.memory[value.offset :]) if value.offset else _whole(value.memory)


def _whole(memory: Array) -> Place:
    return Place(memory, 0, memory.shape, (1,))
