"""The arguments of a program's kernels and host functions.

A kernel of MLIR takes what its source says: an array for a memref, a number for a number. Any other kernel
takes what its metadata lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from asmgen.artifact import Artifact
from asmgen.mlir.kernels import MlirKernel, argument_name
from asmgen.mlir.source import Ssa
from asmgen.mlir.types import MemrefType, PointerType, VectorType, memory_element
from asmgen.runtime.formals import Formal
from isa.diagnostics import InputError
from isa.program import Argument

if TYPE_CHECKING:
    from asmgen.mlir.host.functions import HostFunction


def formals_of(program: Artifact, number: int) -> tuple[Formal, ...]:
    """The arguments of a kernel of a program."""
    kernel, file = program.kernels[number], program.compilation.stages.mlir
    explicit = [argument for argument in kernel.arguments if not argument.is_hidden]
    if file is None:
        return tuple([_of_argument(argument) for argument in explicit])
    return _of_kernel(file.kernels[number], explicit)


def _of_argument(argument: Argument) -> Formal:
    is_written = argument.access != "read_only"
    place = f"argument {argument.name}"
    return Formal(argument.name, argument.type, place, argument.is_buffer, is_written)


def _of_kernel(kernel: MlirKernel, arguments: Sequence[Argument]) -> tuple[Formal, ...]:
    """The arguments of a kernel of MLIR; `arguments` are those of its code object."""
    by_name = {argument.name: argument for argument in arguments}
    made: list[Formal] = []
    for number, ssa in enumerate(kernel.arguments):
        name = argument_name(ssa, number)
        argument = by_name[name]
        is_written = argument.is_buffer and argument.access != "read_only"
        if isinstance(ssa.type, PointerType):
            made.append(Formal(name, "", ssa.place, True, is_written, passed=argument.type))
            continue
        formal = _formal(ssa, name, is_written, f"{name}_allocated" in by_name)
        made.append(replace(formal, passed=argument.type) if formal.is_array else formal)
    return tuple(made)


def formals_of_host(function: HostFunction) -> tuple[Formal, ...]:
    """The arguments of a function of the host. `InputError` MLIR010 if an argument is neither a memref nor a
    number."""
    made: list[Formal] = []
    for number, ssa in enumerate(function.arguments):
        name = argument_name(ssa, number)
        scalar = ssa.type.element if isinstance(ssa.type, MemrefType) else ssa.type
        if memory_element(scalar.element if isinstance(scalar, VectorType) else scalar) is None:
            message = f"argument {name} of {function.name} is {ssa.type}, wanted a memref or a number"
            raise InputError(ssa.place, "MLIR010", message)
        made.append(_formal(ssa, name, is_written=True, is_described=False))
    return tuple(made)


def _formal(ssa: Ssa, name: str, is_written: bool, is_described: bool) -> Formal:
    type_ = ssa.type
    if not isinstance(type_, MemrefType):
        lanes = type_.elements if isinstance(type_, VectorType) else 0
        element = memory_element(type_.element if isinstance(type_, VectorType) else type_)
        assert element is not None, "the lowering has refused it"
        return Formal(name, element.name, ssa.place, False, lanes=lanes)
    dims, strides, offset = type_.dims, type_.strides, type_.offset or 0
    scalar = type_.element
    if isinstance(scalar, VectorType):
        count = scalar.elements
        dims = (*dims, count)
        strides = (*[None if stride is None else stride * count for stride in strides], 1)
        offset, scalar = offset * count, scalar.element
    element = memory_element(scalar)
    assert element is not None, "the lowering has refused it"
    return Formal(name, element.name, ssa.place, True, is_written, dims, strides, offset, is_described)
