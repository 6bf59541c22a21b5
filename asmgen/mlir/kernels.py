"""The kernels of a file: `gpu.func` with `kernel`, functions with a kernel attribute, and bodies of
`gpu.launch`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from asmgen.mlir.source import Block, MlirModule, Operation, Region, Ssa
from asmgen.mlir.types import FunctionType, MemrefType
from isa.diagnostics import InputError, Place, close_names

Sizes = tuple[int, int, int]
MOST_ITEMS = 1024  # of a workgroup with a shape set by the launch
_MARKS = ("kernel", "gpu.kernel", "rocdl.kernel", "nvvm.kernel")
FUNCTIONS = ("gpu.func", "func.func", "llvm.func")


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class MlirKernel(Struct, frozen=True):
    """A kernel: its arguments, its buffers in LDS and private memory, its body, and the known part of its
    launch.

    `block` is None if only the launch knows the shape of the workgroup, which has at most `most_items`
    work-items. `launch` is the `gpu.launch` around the body, if any. `symbol` is the path of the function in
    the file: the module around it, if any, and its name.
    """

    name: str
    place: Place
    arguments: tuple[Ssa, ...]
    workgroup: tuple[Ssa, ...]
    private: tuple[Ssa, ...]
    body: Region
    block: Sizes | None
    grid: Sizes | None
    most_items: int
    launch: Operation | None = None
    symbol: tuple[str, ...] = ()


def kernels_of(module: MlirModule) -> tuple[MlirKernel, ...]:
    """The kernels of a file in order. A kernel with a name that is taken gets the name of its module.
    `InputError` MLIR005 for two kernels of the same name."""
    kernels: list[MlirKernel] = []
    modules = kernel_modules(module)
    for operation in module.operation.walk():
        if is_kernel(operation):
            kernel = _of_function(operation)
            around = modules.get(operation, "")
            kernel = replace(kernel, symbol=(around, kernel.name) if around else (kernel.name,))
            is_taken = any(kernel.name == other.name for other in kernels)
            kernels.append(replace(kernel, name=around) if is_taken and around else kernel)
        elif operation.name == "gpu.launch":
            kernels.append(_of_launch(operation, module, kernels))
    by_name: dict[str, MlirKernel] = {}
    for kernel in kernels:
        first = by_name.setdefault(kernel.name, kernel)
        if first is not kernel:
            message = f"two kernels have the name {kernel.name}, wanted different names"
            raise InputError(kernel.place, "MLIR005", message, (f"the first kernel is at {first.place}",))
    return tuple(kernels)


def kernel_modules(module: MlirModule) -> dict[Operation, str]:
    """The functions in `gpu.module`s, with the name of the module."""
    return {
        function: outer.text("sym_name")
        for outer in module.operation.walk()
        if outer.name == "gpu.module"
        for function in outer.body.operations
    }


def is_kernel(operation: Operation) -> bool:
    """Whether an operation is a function marked as a kernel."""
    return operation.name in FUNCTIONS and any(mark in operation.attributes for mark in _MARKS)


def chosen(kernels: Sequence[MlirKernel], entry: str | None, file: str) -> tuple[MlirKernel, ...]:
    """The kernel `entry`, or all; `InputError` MLIR006 if no kernel has that name."""
    if entry is None:
        return tuple(kernels)
    named = tuple([kernel for kernel in kernels if kernel.name == entry])
    if not named:
        raise unknown_entry(file, entry, [kernel.name for kernel in kernels])
    return named


def unknown_entry(file: str, entry: str, names: Sequence[str]) -> InputError:
    """The error MLIR006 for an entry that is none of the kernels and functions of a file."""
    message = f"{file} has no kernel {entry}, wanted one of {', '.join(names)}"
    return InputError("--entry", "MLIR006", message, help=close_names(entry, names))


def _of_function(function: Operation) -> MlirKernel:
    block = _known(function, "known_block_size", "gpu.known_block_size", "rocdl.reqd_work_group_size")
    grid = _known(function, "known_grid_size", "gpu.known_grid_size")
    name = function.text("sym_name")
    if not function.regions or not function.regions[0].blocks:
        raise InputError(function.place, "MLIR007", f"kernel {name} has no body, wanted a body")
    arguments = function.body.arguments
    workgroup = function.integer("workgroup_attributions", 0)
    private = _private_count(function, workgroup)
    first = len(arguments) - workgroup - private
    most = function.attributes.get("rocdl.max_flat_work_group_size", MOST_ITEMS)
    return MlirKernel(
        name=name,
        place=function.place,
        arguments=arguments[:first],
        workgroup=arguments[first : first + workgroup],
        private=arguments[first + workgroup :],
        body=function.regions[0],
        block=block,
        grid=grid,
        most_items=most if isinstance(most, int) else MOST_ITEMS,
    )


def _private_count(function: Operation, workgroup: int) -> int:
    """The arguments of the body after those of the function and the LDS buffers."""
    type_ = function.attributes.get("function_type")
    if function.name != "gpu.func" or not isinstance(type_, FunctionType):
        return 0
    return len(function.body.arguments) - len(type_.inputs) - workgroup


def _known(function: Operation, *names: str) -> Sizes | None:
    """The sizes in the first of these attributes that is present."""
    return next((_sizes(function, name) for name in names if name in function.attributes), None)


def _sizes(operation: Operation, name: str) -> Sizes | None:
    sizes = operation.integers(name) if name in operation.attributes else ()
    return (sizes[0], sizes[1], sizes[2]) if len(sizes) == 3 else None


def _of_launch(launch: Operation, module: MlirModule, before: Sequence[MlirKernel]) -> MlirKernel:
    """The body of a `gpu.launch`. Its arguments are the outer values that it reads."""
    function = _function_around(launch, module.operation)
    stem = f"{function.text('sym_name')}_kernel" if function is not None else "kernel"
    taken = {kernel.name for kernel in before}
    name, number = stem, 0
    while name in taken:
        name, number = f"{stem}_{number}", number + 1
    arguments = captured(launch)
    own = launch.body.arguments[_IDS_OF_LAUNCH:]
    workgroup = [
        buffer
        for buffer in own
        if isinstance(buffer.type, MemrefType) and buffer.type.space.name == "WORKGROUP"
    ]
    private = [buffer for buffer in own if buffer not in workgroup]
    return MlirKernel(
        name=name,
        place=launch.place,
        arguments=arguments,
        workgroup=tuple(workgroup),
        private=tuple(private),
        body=launch.regions[0],
        block=_constants(launch.segments()[BLOCK_SIZES : BLOCK_SIZES + 3]),
        grid=_constants(launch.segments()[GRID_SIZES : GRID_SIZES + 3]),
        most_items=MOST_ITEMS,
        launch=launch,
    )


_IDS_OF_LAUNCH = 12  # arguments of the body: ids of block and thread, sizes of grid and block
# Groups of a launch's operands after its asynchronous tokens. Cluster sizes come after the workgroup's.
GRID_SIZES, BLOCK_SIZES, DYNAMIC_LDS = 1, 4, 10


def captured(launch: Operation) -> tuple[Ssa, ...]:
    """The outer values that the body of a launch reads, in order. Constants are excluded: the kernel makes
    them again."""
    inside: set[Ssa] = set()
    outer: dict[Ssa, None] = {}
    for operation in launch.walk():
        if operation is launch:
            inside.update(launch.body.arguments)
            continue
        for operand in operation.operands:
            if operand not in inside and not is_constant(operand):
                outer[operand] = None
        inside.update(operation.results)
        inside.update(
            argument
            for region in operation.regions
            for block in region.blocks
            for argument in block.arguments
        )
    return tuple(outer)


def is_constant(value: Ssa) -> bool:
    """Whether a value is an `arith.constant`."""
    return value.owner is not None and value.owner.name == "arith.constant"


def _constants(groups: Sequence[tuple[Ssa, ...]]) -> Sizes | None:
    """The values of three operands if all are constants."""
    numbers: list[int] = []
    for (operand,) in groups:
        value = operand.owner.attributes.get("value") if operand.owner and is_constant(operand) else None
        if not isinstance(value, int):
            return None
        numbers.append(value)
    return numbers[0], numbers[1], numbers[2]


def _function_around(launch: Operation, outer: Operation) -> Operation | None:
    """The function around a launch."""
    for operation in outer.walk():
        if operation.name in FUNCTIONS and any(inner is launch for inner in operation.walk()):
            return operation
    return None


def entry_block(kernel: MlirKernel) -> Block:
    """The entry block of a kernel."""
    return kernel.body.blocks[0]


def argument_name(ssa: Ssa, number: int) -> str:
    """The name of an argument in the file, or `arg` and its number."""
    return ssa.name if _NAME.match(ssa.name) else f"arg{number}"
