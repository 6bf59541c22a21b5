"""The contents of a file of MLIR: a line for each kernel, then the functions of the host and their launches.

vecadd a:memref<?xf32> b:memref<?xf32> c:memref<?xf32> count:i32 block=? grid=?
main data:memref<?xf32> on the host
main launches vecadd at vecadd.mlir:30:5
step w:tensor<8xf32>(donated to result 0) -> tensor<8xf32>
softmax x:tensor<4x8xf32> -> tensor<4x8xf32>
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asmgen.mlir.donated import attributes_of_arguments, donation_text
from asmgen.mlir.file import KernelFile
from asmgen.mlir.host.functions import host_functions
from asmgen.mlir.host.ops import launched
from asmgen.mlir.kernels import Sizes, argument_name
from asmgen.mlir.source import MlirModule, Ssa
from asmgen.mlir.tensor_functions import body_of, entries, name_of, tensor_functions


def lines(file: KernelFile) -> Iterator[str]:
    """The kernels, then the functions of the host with their launches, in the order of the file."""
    for kernel in file.kernels:
        sizes = (f"block={_sizes(kernel.block)}", f"grid={_sizes(kernel.grid)}")
        yield " ".join([kernel.name, *_arguments(kernel.arguments), *sizes])
    for function in host_functions(file.module):
        yield " ".join([function.name, *_arguments(function.arguments), "on the host"])
        for operation in function.launches:
            kernel = launched(operation, file.kernels)
            assert kernel is not None, "the file has all kernels"
            yield f"{function.name} launches {kernel.name} at {operation.place}"


def tensor_lines(module: MlirModule) -> Iterator[str]:
    """The functions of tensors that are entries, with the types of their results."""
    for function in entries(module) if tensor_functions(module) else ():
        body = body_of(function)
        assert body is not None, "an entry has a body"
        results = ", ".join([str(operand.type) for operand in body.terminator.operands])
        stated = attributes_of_arguments(function)
        arguments = [
            argument + donation_text(attributes)
            for argument, attributes in zip(_arguments(body.arguments), stated, strict=True)
        ]
        yield " ".join([name_of(function), *arguments, "->", results])


def _arguments(arguments: Sequence[Ssa]) -> list[str]:
    return [f"{argument_name(argument, i)}:{argument.type}" for i, argument in enumerate(arguments)]


def _sizes(sizes: Sizes | None) -> str:
    return "?" if sizes is None else "x".join(str(size) for size in sizes)
