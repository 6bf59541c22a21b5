"""What a file of MLIR has: its kernels, a line each, and the launches of its host functions.

vecadd a:memref<?xf32> b:memref<?xf32> c:memref<?xf32> count:i32 block=? grid=?
main launches vecadd at vecadd.mlir:30:5
"""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.frontends.mlir.file import KernelFile
from asmgen.frontends.mlir.kernels import MlirKernel, Sizes
from asmgen.frontends.mlir.parameters import argument_name
from asmgen.frontends.mlir.source import Operation, Symbol


def lines(file: KernelFile) -> Iterator[str]:
    """The kernels, then the launches, in the order of the file."""
    for kernel in file.kernels:
        yield _kernel_line(kernel)
    for operation in file.module.operation.walk():
        if operation.name != "func.func":
            continue
        for launch in operation.walk():
            called = _launched(launch, file)
            if called:
                yield f"{operation.text('sym_name')} launches {called} at {launch.place}"


def _kernel_line(kernel: MlirKernel) -> str:
    arguments = [f"{argument_name(one, i)}:{one.type}" for i, one in enumerate(kernel.arguments)]
    return " ".join([kernel.name, *arguments, f"block={_sizes(kernel.block)}", f"grid={_sizes(kernel.grid)}"])


def _sizes(sizes: Sizes | None) -> str:
    return "?" if sizes is None else "x".join(str(size) for size in sizes)


def _launched(launch: Operation, file: KernelFile) -> str:
    """The kernel that an operation launches; empty where it launches none."""
    if launch.name == "gpu.launch":
        return next(kernel.name for kernel in file.kernels if kernel.launch is launch)
    symbol = launch.attributes.get("kernel")
    return symbol.path[-1] if launch.name == "gpu.launch_func" and isinstance(symbol, Symbol) else ""
