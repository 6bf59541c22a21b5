"""Running a function of the host, with its launches in order.

    program = asmgen.compile("pipeline.mlir")
    x, total = program.host("main").run(args=[x, 1000])

The interpreter of MLIR runs the operations around the launches. Each launch runs a compiled kernel on the
device, with the function's memory as its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from asmgen.artifact import Artifact
from asmgen.ir.arrays import Array
from asmgen.mlir.host.functions import HostFunction, host_function, host_functions, run_function
from asmgen.mlir.host.heap import array_of
from asmgen.mlir.host.ops import LaunchedKernel
from asmgen.mlir.interpret.places import Place, dtype_of, place_in, to_memory
from asmgen.mlir.source import Operation
from asmgen.mlir.types import MemrefType, Type, VectorType
from asmgen.runtime.formals import Formal
from asmgen.runtime.kernel_launch import launchable
from asmgen.runtime.program_formals import formals_of_host
from asmgen.runtime.run import resolve_device
from isa.diagnostics import InputError


class RunnableFunction(Struct, frozen=True):
    """A function of the host of a program, and its arguments."""

    program: Artifact
    function: HostFunction
    formals: tuple[Formal, ...]

    def __repr__(self) -> str:
        names = ", ".join(formal.name for formal in self.formals)
        return f"<host function {self.function.name}({names}) at {self.function.operation.place}>"

    def run(self, *, args: Sequence[object] = (), device: str = "auto", sanitize: bool = True) -> list[Array]:
        """Run the function. `args` are numbers and arrays in the order of the arguments.

        Gives the arrays afterwards, in order, and then the results of the function; numbers are arrays
        without dims. The given arrays stay as they are. Memory that the function allocates is zero at first.

        Raises `InputError` at the place in the source: LNC002 for a wrong number of arguments, LNC004 for an
        argument of another type or shape, MLIR074 to MLIR077 and MLIR090 for a fault of an operation of the
        function, and the errors of `LaunchableKernel.launch` for each launch.
        """
        where = resolve_device(device, self.program.target)
        return self.run_with(args, lambda launch: launch_on(self.program, launch, where, sanitize))

    def run_with(self, args: Sequence[object], launcher: Callable[[LaunchedKernel], None]) -> list[Array]:
        """`run`, with another function that runs the launches."""

        file = self.program.compilation.stages.mlir
        assert file is not None, "only MLIR has host functions"
        function, given = self.function, self._places(args)
        results = run_function(file.module, file.kernels, function, given, launcher)
        types = [ssa.type for ssa in function.arguments]
        values = [
            *[
                place
                for place, formal in zip(zip(given, types, strict=True), self.formals, strict=True)
                if formal.is_array
            ],
            *zip(results, function.results, strict=True),
        ]
        return [passed(value, type_, function.operation).copy() for value, type_ in values]

    def _places(self, args: Sequence[object]) -> list[Any]:
        """The arguments in the form of the interpreter, in memory of their own."""

        function = self.function
        if len(args) != len(self.formals):
            names = ", ".join(formal.name for formal in self.formals) or "none"
            message = f"got {len(args)} arguments for {function.name}, wanted {len(self.formals)}: {names}"
            raise InputError(function.operation.place, "LNC002", message)
        places: list[Any] = []
        for formal, ssa, given in zip(self.formals, function.arguments, args, strict=True):
            taken = formal.taken(given)
            (value,) = taken.values
            if isinstance(ssa.type, MemrefType):
                dims = taken.shape[: len(ssa.type.dims)]
                value = place_in(np.array(value), ssa.type, dims)
            places.append(value)
        return places


def passed(value: Any, type_: Type, operation: Operation) -> Array:
    """A memref, a number or a vector of the interpreter as an array. A memref's array shares its memory."""

    if isinstance(value, Place):
        return array_of(value, operation)
    if isinstance(type_, VectorType):
        dtype = dtype_of(type_.element)
        return np.array([to_memory(element, dtype) for element in value], dtype)
    dtype = dtype_of(type_)
    return np.array(to_memory(value, dtype), dtype)


def launch_on(program: Artifact, launch: LaunchedKernel, device: str, sanitize: bool) -> None:
    """Run a launch of a function on a device, and write the results to the function's memory. `InputError` at
    the launch."""
    file = program.compilation.stages.mlir
    assert file is not None, "only MLIR has host functions"
    kernel = launchable(program, file.kernels.index(launch.kernel))
    args = [
        passed(value, ssa.type, launch.operation)
        for ssa, value in zip(launch.kernel.arguments, launch.values, strict=True)
    ]
    try:
        after = kernel.launch(
            grid=launch.grid, block=launch.block, args=args, device=device, sanitize=sanitize
        )
    except InputError as error:
        notes = (f"the kernel is at {launch.kernel.place}", *error.notes)
        place = launch.operation.place
        raise InputError(place, error.code, error.message, notes, error.help) from None
    arrays = [array for array, formal in zip(args, kernel.formals, strict=True) if formal.is_array]
    written = [formal.is_written for formal in kernel.formals if formal.is_array]
    for array, new, is_written in zip(arrays, after, written, strict=True):
        if is_written:
            array[...] = new


def call_file(program: Artifact, arrays: Sequence[object], device: str) -> list[Array]:
    """Run the only function of the host that no other function calls. `InputError` CALL012 if there is none
    or several."""
    file = program.compilation.stages.mlir
    assert file is not None, "the program comes from MLIR"
    functions = host_functions(file.module)
    inner = {name for function in functions for name in function.called}
    outer = [function.name for function in functions if function.name not in inner]
    if len(outer) == 1:
        return runnable(program, outer[0]).run(args=arrays, device=device)
    if outer:
        message = f"{file.module.file} has {len(outer)} functions of the host, wanted a call by name"
        help = " or ".join(f'program.host("{name}").run(args=[...])' for name in outer)
        raise InputError("arguments", "CALL012", message, help=help)
    message = (
        f"{file.module.file} has kernels alone, wanted a launch: no function of the host says grid and block"
    )
    help = f'program.kernel("{file.kernels[0].name}").launch(grid=(x, y, z), block=(x, y, z), args=[...])'
    raise InputError("arguments", "CALL012", message, help=help)


def runnable(program: Artifact, name: str) -> RunnableFunction:
    """A host function of a program by its name. `InputError` LNC006 if the program is not MLIR, and the
    errors of `host_function`."""
    file = program.compilation.stages.mlir
    if file is None:
        raise InputError("host", "LNC006", "the program is not of MLIR, wanted a file with host functions")

    function = host_function(file.module, name)
    return RunnableFunction(program, function, formals_of_host(function))
