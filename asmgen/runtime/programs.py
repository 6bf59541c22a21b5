"""Running a gridwise program with compiled kernels: every buffer is bound by its name.

A kernel's arguments have the names of the buffers that its launch reads and writes; a literal of several
numbers is an argument with the name of its value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from asmgen.artifact import CompiledKernel
from asmgen.graph.ops import LITERAL, PARAM
from asmgen.gridwise.interpret import temporaries, unwritten
from asmgen.gridwise.program import Buffer, Launch, Program, Scalar
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import LaneType, TensorType
from asmgen.runtime.arrays import Array, checked, checked_scalar, laid_out, numpy_dtype
from asmgen.runtime.run import launch as launch_kernel
from asmgen.runtime.run import resolve_device
from isa.diagnostics import InputError, InternalError

# runs a kernel on what it takes, in order, and gives its buffers as they are afterwards: all but the scalars
Execute = Callable[[CompiledKernel, list[Array]], list[Array]]
Kernels = Mapping[str, CompiledKernel]


def call(program: Program, kernels: Kernels, given: Sequence[object], device: str = "auto") -> list[Array]:
    """The results for arrays of the parameters and numbers of the scalars, in the order of their lines.

    `kernels` has the compiled kernel of each launch. Raises `InputError` naming the argument that is not the
    program's, and for a device that is not there.
    """
    target = next(iter(kernels.values())).target
    where = resolve_device(device, target)
    return run_launches(
        program,
        kernels,
        arguments(program, given),
        lambda kernel, buffers: launch_kernel(kernel, buffers, where),
    )


def arguments(program: Program, given: Sequence[object]) -> list[Array]:
    """What the program is called with, held to its parameters; `InputError` CALL001 to CALL007."""
    inputs = program.inputs
    if len(given) != len(inputs):
        names = ", ".join([buffer.name for buffer in inputs])
        raise InputError("arguments", "CALL001", f"got {len(given)} arrays, wanted {len(inputs)}: {names}")
    types = program.types
    return [_checked(each, buffer, types[buffer.name]) for each, buffer in zip(given, inputs, strict=True)]


def _checked(given: object, buffer: Buffer, type_: TensorType) -> Array:
    is_scalar = isinstance(buffer, Scalar)
    value = Value(buffer.name, LaneType(type_.element) if is_scalar else type_)
    parameter = Statement(PARAM, (), (value,), {"name": buffer.name})
    return checked_scalar(given, parameter) if is_scalar else checked(given, parameter)


def run_launches(
    program: Program, kernels: Kernels, inputs: Sequence[Array], execute: Execute
) -> list[Array]:
    """The results. `inputs` have their parameters' shapes and types, and `execute` runs one kernel."""
    types = program.types
    memory = {
        buffer.name: laid_out(array, types[buffer.name])
        for buffer, array in zip(program.inputs, inputs, strict=True)
    }
    memory |= {name: view.reshape(-1) for name, view in temporaries(program).items()}
    memory |= {result.name: unwritten(types[result.name]).reshape(-1) for result in program.results}
    for launch in program.launches:
        kernel = kernels[launch.name]
        if kernel.grid != program.grid_of(launch):
            raise InternalError(
                "runtime",
                launch.name,
                f"the kernel has the grid {kernel.grid}, the launch {program.grid_of(launch)}",
            )
        _run(launch, kernel, memory, execute)
    return [memory[result.name].reshape(types[result.name].dims) for result in program.results]


def _run(launch: Launch, kernel: CompiledKernel, memory: Mapping[str, Array], execute: Execute) -> None:
    bound = dict(memory) | _literals(launch)
    unbound = [argument.name for argument in kernel.arguments if argument.name not in bound]
    if unbound:
        raise InternalError(
            "runtime", launch.name, f"the kernel takes {', '.join(unbound)}, which is no buffer of the launch"
        )
    given = [
        bound[each.name].reshape(()) if each.kind == "by_value" else bound[each.name]
        for each in kernel.arguments
    ]
    after = execute(kernel, given)
    buffers = [each.name for each in kernel.arguments if each.kind != "by_value"]
    for name, array in zip(buffers, after, strict=True):
        if name in launch.writes:
            memory[name][...] = array


def _literals(launch: Launch) -> dict[str, Array]:
    """The literals of a body, flat, by the names of their values."""
    return {
        statement.result.name: np.array(
            statement.attributes["values"], numpy_dtype(statement.result.type.element)
        )
        for statement in launch.body.statements
        if statement.op is LITERAL
    }
