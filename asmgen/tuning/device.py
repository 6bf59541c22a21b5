"""The time of launches on the device, and the results of a program there.

A launch goes as data from the process that compiles it to the process that measures it: its code object, and
how its arrays are made. HIP cannot be used after a fork of a process that has used it, so both are processes
that the command starts for the purpose.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from statistics import median

import numpy as np
from msgspec import Struct

from asmgen.artifact import Artifact, CompiledKernel
from asmgen.compiled import CompiledProgram
from asmgen.graph.at_sizes import parameter_at
from asmgen.graph.ops import LITERAL
from asmgen.index.size import numbers
from asmgen.ir.arrays import Array, numpy_dtype
from asmgen.ir.program import Statement, argument_name
from asmgen.ir.types import ELEMENT_TYPES, LaneType, TensorType
from asmgen.profile.launches import filled, number_for
from asmgen.runtime.calls import Signature, program_parameters, run_kernels
from asmgen.runtime.hip_timing import GpuLaunch, times_on_gpu
from asmgen.tuning.candidates import Measured
from isa.diagnostics import InputError
from isa.emulator.launching.arguments import KernelCall

_OF_ESTIMATE, _OF_TIME = 5, 21  # runs
_ZEROS = -1


class Contents(Struct, frozen=True, array_like=True):
    """How an argument is made: from `data`, otherwise `count` elements as `filled` makes them for parameter
    `number`, with zeros for a negative number. Launches share a buffer of the same contents and name."""

    name: str
    element: str
    count: int
    number: int = _ZEROS
    largest: int = 1
    data: bytes = b""
    is_scalar: bool = False


class DeviceLaunch(Struct, frozen=True, array_like=True):
    """A launch as data. `changed` are the numbers of the arguments that it may read and write."""

    kernel: str
    code_object: bytes
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    arguments: tuple[Contents, ...]
    changed: tuple[int, ...]
    vgprs: int


def device_launches(
    program: Artifact, dims: Mapping[str, int], cleared: Collection[str] = ()
) -> tuple[DeviceLaunch, ...]:
    """The launches of a program in order. `dims` are the sizes of its named dims, `cleared` the names of
    parameters that are zeros."""
    parameters = [parameter_at(statement, dims) for statement in program_parameters(program)]
    places = {argument_name(statement): number for number, statement in enumerate(parameters)}
    of_names = {name: number for name, number in places.items() if name not in cleared}
    shapes = [each.result.type.shape for each in parameters if isinstance(each.result.type, TensorType)]
    largest = max((dim for shape in shapes for dim in shape), default=1)
    launches: list[DeviceLaunch] = []

    def contents(statement: Statement, buffer: Array) -> Contents:
        type_ = statement.result.type
        if isinstance(type_, LaneType):
            return Contents("", type_.element.name, 1, data=buffer.tobytes(), is_scalar=True)
        assert isinstance(type_, TensorType), "arguments are tensors or numbers"
        if statement.op is LITERAL:
            return Contents("", type_.element.name, buffer.size, data=buffer.tobytes())
        name = argument_name(statement)
        return Contents(name, type_.element.name, buffer.size, of_names.get(name, _ZEROS), largest)

    def is_changed(statement: Statement, signature: Signature) -> bool:
        # a scan changes words that are zeros before it, and they are none of its outputs
        is_of_scan = statement in signature.inputs and argument_name(statement) in cleared
        return is_of_scan or statement in signature.changed

    def execute(kernel: CompiledKernel, signature: Signature, buffers: list[Array]) -> list[Array]:
        if 0 not in kernel.workgroups:
            statements = *signature.parameters, *signature.literals
            arguments = tuple(map(contents, statements, buffers))
            changed = [
                number for number, each in enumerate(signature.parameters) if is_changed(each, signature)
            ]
            launches.append(
                DeviceLaunch(
                    kernel.name, kernel.code_object, kernel.workgroups, kernel.block, arguments,
                    tuple(changed), kernel.resources.vgprs,
                )
            )  # fmt: skip
        is_scalar = [isinstance(statement.result.type, LaneType) for statement in signature.parameters]
        return [array for i, array in enumerate(buffers) if i >= len(is_scalar) or not is_scalar[i]]

    _ = run_kernels(program, [_empty(statement) for statement in parameters], execute)
    return tuple(launches)


def _empty(parameter: Statement) -> Array:
    """An array with the shape of a parameter; its numbers are unused."""
    type_ = parameter.result.type
    if isinstance(type_, TensorType):
        return np.zeros(numbers(type_.dims), numpy_dtype(type_.element))
    assert isinstance(type_, LaneType), "parameters are tensors or numbers"
    return np.asarray(number_for(ELEMENT_TYPES[type_.element.name]))


def time_on_device(launches: Sequence[DeviceLaunch], is_whole: bool) -> Measured:
    """The time of successive launches: the median of 21 runs, or of five if it is not `is_whole`.
    Raises `InputError` as `times_on_gpu` does."""
    if not launches:
        return Measured(0.0)
    arrays = {each: _array(each) for launch in launches for each in launch.arguments}
    changed = dict.fromkeys(launch.arguments[number] for launch in launches for number in launch.changed)
    given = [
        GpuLaunch(
            launch.code_object,
            launch.kernel,
            KernelCall(launch.grid, launch.block, tuple([arrays[each] for each in launch.arguments])),
        )
        for launch in launches
    ]
    times = times_on_gpu(given, [arrays[each] for each in changed], _OF_TIME if is_whole else _OF_ESTIMATE)
    spread = f"{min(times):.2f} to {max(times):.2f} us in {len(times)} runs"
    return Measured(median(times), vgprs=max(launch.vgprs for launch in launches), binds=spread)


@lru_cache(maxsize=32)
def _array(contents: Contents) -> Array:
    element = ELEMENT_TYPES[contents.element]
    if contents.data:
        array = np.frombuffer(contents.data, numpy_dtype(element))
        return array.reshape(()) if contents.is_scalar else array
    if contents.number < 0:
        return np.zeros(contents.count, numpy_dtype(element))
    return filled(element, (contents.count,), contents.largest, contents.number)


def check_on_device(program: CompiledProgram, dims: Mapping[str, int]) -> str:
    """Compare the results of a program on the device with the reference; a note if it is too large for that.
    `InputError` TUN005 if a result is wrong, and HIP00x."""
    from asmgen.verification.on_gpu import verify_on_gpu
    from asmgen.verification.runs import TOO_LARGE

    try:
        report = verify_on_gpu(program, dims)
    except InputError as error:
        if error.code != TOO_LARGE:
            raise
        return f"the results on the device are not checked: {error.message}"
    wrong = next((str(check) for check in report.checks if check.is_broken), "")
    if wrong:
        help = "`kernel SOURCE --verify --device hip` shows every difference"
        raise InputError("the device", "TUN005", f"the results are wrong: {wrong.splitlines()[0]}", help=help)
    return ""
