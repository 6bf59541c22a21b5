"""The launches of a program of tensors: a catalogue kernel, gen text or a traced function."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from asmgen.artifact import Artifact, CompiledKernel
from asmgen.graph.array_sizes import check_dims
from asmgen.graph.at_sizes import parameter_at
from asmgen.index.size import numbers
from asmgen.ir.arrays import Array, checked, checked_scalar, numpy_dtype
from asmgen.ir.program import Statement, argument_name
from asmgen.ir.types import ELEMENT_TYPES, LaneType, TensorType
from asmgen.profile.launches import LARGE, Launch, filled, number_for, zeros
from asmgen.runtime.call_arguments import bound
from asmgen.runtime.calls import Signature, program_parameters, run_kernels
from isa.emulator import load
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.program.image import Image
from isa.emulator.program.source_lines import without_own_lines


def launches_of_program(
    program: Artifact,
    source: str,
    given: Sequence[object],
    dims: Mapping[str, int],
    cleared: Collection[str] = (),
) -> list[Launch]:
    """The launches of a program in order. `given` are its arguments, or none for arrays of its shapes, those
    of the names `cleared` with zeros; `dims` are the sizes of its named dims. Without arguments, launches
    that take the same time (`Launch.is_like`) are one object.

    Raises `InputError` PRF001 for a named dim without a size, and as `CompiledProgram.__call__` does.
    """
    parameters = program_parameters(program)
    arrays = _given(parameters, given) if given else _filled(parameters, dims, cleared)
    launches: list[Launch] = []
    images: dict[str, Image] = {}
    of_kernel: dict[str, list[Launch]] = {}

    def execute(kernel: CompiledKernel, signature: Signature, buffers: list[Array]) -> list[Array]:
        if 0 not in kernel.workgroups:
            if kernel.name not in images:
                images[kernel.name] = without_own_lines(load(kernel.assembly, kernel.name, kernel.name))
            arguments = tuple([_lazy(buffer, given) for buffer in buffers])
            call = KernelCall(kernel.workgroups, kernel.block, arguments)
            launch = Launch(images[kernel.name], call, source)
            known = of_kernel.setdefault(kernel.name, [])
            same = None if given else next((each for each in known if each.is_like(launch)), None)
            if same is None:
                known.append(launch)
            launches.append(same or launch)
        is_scalar = [isinstance(statement.result.type, LaneType) for statement in signature.parameters]
        return [array for i, array in enumerate(buffers) if i >= len(is_scalar) or not is_scalar[i]]

    _ = run_kernels(program, arrays, execute)
    return launches


def _lazy(buffer: Array, given: Sequence[object]) -> Array:
    """A large buffer of generated floats, which are zeros, without its memory."""
    if given or buffer.nbytes < LARGE or buffer.dtype.kind in "iub":
        return buffer
    return zeros(buffer.dtype, buffer.shape)


def _given(parameters: Sequence[Statement], given: Sequence[object]) -> list[Array]:
    arrays = bound([argument_name(statement) for statement in parameters], given, {})
    shapes = [np.shape(np.asarray(array)) for array in arrays]
    from asmgen.graph.array_sizes import sizes_of

    sizes = sizes_of(parameters, shapes)
    return [
        checked_scalar(array, statement)
        if isinstance(statement.result.type, LaneType)
        else checked(array, parameter_at(statement, sizes))
        for array, statement in zip(arrays, parameters, strict=True)
    ]


def _filled(
    parameters: Sequence[Statement], dims: Mapping[str, int], cleared: Collection[str]
) -> list[Array]:
    check_dims(parameters, dims)
    at = [parameter_at(statement, dims) for statement in parameters]
    names, types = [argument_name(statement) for statement in at], [statement.result.type for statement in at]
    shapes = [type_.shape for type_ in types if isinstance(type_, TensorType)]
    largest = max((dim for shape in shapes for dim in shape), default=1)
    arrays: list[Array] = []
    for number, (name, type_) in enumerate(zip(names, types, strict=True)):
        if isinstance(type_, TensorType) and name in cleared:
            arrays.append(np.zeros(numbers(type_.dims), numpy_dtype(type_.element)))
        elif isinstance(type_, TensorType):
            arrays.append(filled(type_.element, numbers(type_.dims), largest, number))
        else:
            assert isinstance(type_, LaneType), "parameters are tensors or numbers"
            arrays.append(np.asarray(number_for(ELEMENT_TYPES[type_.element.name])))
    return arrays
