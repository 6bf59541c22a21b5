"""Calling a compiled program: its kernels in launch order, the buffers between them, its results.

Buffers are found by their names: the array of the caller, or the buffer that an earlier launch of the program
has written. A kernel takes its parameters in their order, buffers and scalars, and then its literals that lie
in memory. Its `launch` states the number of the result that each output is:

    row sums in two launches      partial_sum(x) -> partial      full_sum(partial) -> z, result 0

A relaunch runs a kernel again, on other buffers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from asmgen.artifact import Artifact, CompiledKernel
from asmgen.emission.usage import MAX_WORK_ITEMS
from asmgen.graph.array_sizes import (
    check_bytes,
    check_elements,
    named_dims_of,
    scalars_of,
    sizes_of,
    wide_of,
)
from asmgen.graph.at_sizes import parameter_at
from asmgen.graph.ops import LITERAL, PARAM
from asmgen.gridwise.buffer_kinds import declared
from asmgen.index.size import at, number, numbers
from asmgen.ir.arrays import (
    ARRAY_WANTED,
    Array,
    as_numpy,
    checked,
    checked_scalar,
    laid_out,
    numpy_dtype,
)
from asmgen.ir.program import Module, Relaunch, Stage, Statement, argument_name, tensor_type
from asmgen.ir.relaunches import in_order
from asmgen.ir.types import LaneType, TensorType
from asmgen.lanewise.atomic_ops import ATOMIC_STORE, GLOBAL_ATOMICS
from asmgen.lanewise.ops import LAUNCH, LOAD, LOAD_TO_LDS, VECTOR_LOAD
from asmgen.lanewise.records import NO_RESULT, LaunchAttributes, numbers_of
from asmgen.runtime.call_arguments import bound, output_places, written_to
from asmgen.runtime.run import launch, resolve_device
from isa.diagnostics import InputError, InternalError
from isa.named_tuple import NamedTuple

_READS = (GLOBAL_ATOMICS - {ATOMIC_STORE}) | {LOAD, VECTOR_LOAD, LOAD_TO_LDS}


class Signature(Struct, frozen=True):
    """The parameters of a launch of the program's kernel number `kernel`, each with the name of its buffer:
    `inputs` and `outputs` in their order, and the kernel's literals in memory after them.

    `results` has an entry for each of `outputs`, in order: the number of the program's result, or `NO_RESULT`
    for a buffer that only later kernels read. `changed` are the outputs that the kernel also reads: it adds
    to values of an earlier kernel, or writes a result in the memory of an argument. `over` are the outputs
    that the program states to be in the memory of an argument.
    """

    parameters: tuple[Statement, ...]
    outputs: tuple[Statement, ...]
    literals: tuple[Statement, ...]
    results: tuple[int, ...]
    changed: tuple[Statement, ...] = ()
    over: tuple[Statement, ...] = ()
    kernel: int = 0

    def at(self, values: Mapping[str, int]) -> Signature:
        """The signature for the sizes of a launch."""
        return self._with(lambda statement: parameter_at(statement, values)) if values else self

    def again(self, relaunch: Relaunch) -> Signature:
        """The signature of another launch of the kernel."""
        other = self._with(lambda statement: _on_buffer(statement, relaunch))
        numbers = dict(relaunch.results)
        results = tuple([numbers.get(argument_name(each), NO_RESULT) for each in other.outputs])
        return replace(other, results=results)

    def _with(self, changed: Callable[[Statement], Statement]) -> Signature:
        """The signature with each parameter replaced."""
        new = {statement: changed(statement) for statement in self.parameters}
        outputs, read_too, over = [
            tuple([new[statement] for statement in some])
            for some in (self.outputs, self.changed, self.over)
        ]
        return replace(self, parameters=tuple(new.values()), outputs=outputs, changed=read_too, over=over)

    @property
    def inputs(self) -> tuple[Statement, ...]:
        """The parameters that the kernel is given: all but its outputs."""
        return tuple(statement for statement in self.parameters if statement not in self.outputs)

    @property
    def buffers(self) -> tuple[Statement, ...]:
        """The parameters that are no scalars."""
        return tuple(
            statement for statement in self.parameters if isinstance(statement.result.type, TensorType)
        )


def _on_buffer(parameter: Statement, relaunch: Relaunch) -> Statement:
    name = relaunch.buffer(argument_name(parameter))
    return replace(parameter, attributes=parameter.attributes | {"name": name})


# Runs a kernel with its arguments, and gives its buffers as they are afterwards, in order, without scalars.
Execute = Callable[[CompiledKernel, Signature, list[Array]], list[Array]]


def signatures(program: Artifact) -> list[Signature]:
    """The signature of each launch, in order; `InputError` for a machine program, which states no shapes."""
    final = program.compilation.stages.programs.get(Stage.FINAL)
    if final is None:
        raise InputError(
            "program",
            "CALL005",
            "a machine program states no shapes, wanted a program compiled from gen text",
            help="see asmgen.run",
        )
    first = [_signature(module, number) for number, module in enumerate(final.modules)]
    of_name = {module.name: signature for module, signature in zip(final.modules, first, strict=True)}
    launches = in_order(first, final.relaunches)
    return [of_name[each.kernel].again(each) if isinstance(each, Relaunch) else each for each in launches]


def _results(module: Module) -> tuple[int, ...]:
    launch = LaunchAttributes.of(next(statement for statement in module.statements if statement.op is LAUNCH))
    return launch.results or tuple(range(len(module.statements[-1].operands)))


def _signature(module: Module, number: int) -> Signature:
    parameters = tuple(statement for statement in module.statements if statement.op is PARAM)
    of_buffer = {statement.result: statement for statement in parameters}
    outputs = tuple(of_buffer[value] for value in module.statements[-1].operands)
    literals = tuple(
        statement
        for statement in module.statements
        if statement.op is LITERAL and isinstance(statement.result.type, TensorType)
    )
    read = {statement.operands[0] for statement in module.walk() if statement.op in _READS}
    changed = tuple([statement for statement in outputs if statement.result in read])
    over = tuple([statement for statement in outputs if "result" in statement.attributes])
    return Signature(parameters, outputs, literals, _results(module), changed, over, number)


class ProgramPart(NamedTuple):
    """The launches of a program of the source. A name means the same buffer in all `signatures`.
    `parameters` are the program's `@param` statements in order. `wide` are the statements with several named
    dims in their results, so that only the launch knows their number of elements.
    """

    signatures: tuple[Signature, ...]
    parameters: tuple[Statement, ...]
    wide: tuple[Statement, ...] = ()

    @property
    def over(self) -> list[str]:
        """The argument that each result is over, in order; empty for a result that has memory of its own."""
        of_number = {
            number: argument_name(output) if output in signature.over else ""
            for signature in self.signatures
            for output, number in zip(signature.outputs, signature.results, strict=True)
            if number != NO_RESULT
        }
        return [of_number[number] for number in sorted(of_number)]


def parts(program: Artifact) -> list[ProgramPart]:
    """The programs of the source: by its launches, or all launches of a later stage as one program."""
    all_signatures = tuple(signatures(program))
    launches = program.compilation.stages.gridwise
    if launches is None:
        return [ProgramPart(all_signatures, _given(all_signatures))]
    made: list[ProgramPart] = []
    first = 0
    for each in launches.programs:
        own = all_signatures[first : first + len(each.launches)]
        made.append(ProgramPart(own, declared(each), wide_of([run.body for run in each.launches])))
        first += len(own)
    return made


def _given(signatures: Sequence[Signature]) -> tuple[Statement, ...]:
    """The parameters that the caller gives: the buffers that a kernel reads and no earlier kernel has
    written, those that a result is over, and the scalars that are no named dims. `InputError` CALL008 if two
    kernels give a name different types."""
    dims = {name for signature in signatures for name in named_dims_of(signature.parameters)}
    over = {argument_name(statement) for signature in signatures for statement in signature.over}
    written = set(dims)  # names that the shapes of the arrays define
    parameters: dict[str, Statement] = {}
    for signature in signatures:
        made = {argument_name(statement) for statement in signature.outputs} - over
        for statement in signature.parameters:
            name = argument_name(statement)
            if name in written or name in made:
                continue
            first = parameters.setdefault(name, statement).result.type
            if first != statement.result.type:
                raise InputError(
                    statement.place or name,
                    "CALL008",
                    f"{name} is {statement.result.type} here and {first} in an earlier kernel, wanted one "
                    f"buffer of a name",
                    help="rename a buffer, or compile the source, which keeps its programs apart",
                )
        written |= made
    return tuple(parameters.values())


def program_parameters(program: Artifact) -> list[Statement]:
    """The `@param` statements of a program, in order."""
    return [statement for part in parts(program) for statement in part.parameters]


def call(
    program: Artifact, arrays: Sequence[object], device: str, named: Mapping[str, object], out: object
) -> list[Array]:
    """`CompiledProgram.__call__`."""
    if program.compilation.stages.mlir is not None:
        from asmgen.runtime.host_function import call_file

        if named or out is not None:
            message = "a function of the host takes its arguments by their order, wanted no names and no out="
            raise InputError("arguments", "CALL012", message)
        return call_file(program, arrays, device)
    parameters = program_parameters(program)
    where = resolve_device(device, program.target)
    arrays = bound([argument_name(statement) for statement in parameters], arrays, named)
    places = None if out is None else output_places(out)
    sizes = sizes_of(parameters, [_shape(*pair) for pair in zip(arrays, parameters, strict=True)])
    given = [
        checked_scalar(array, statement)
        if isinstance(statement.result.type, LaneType)
        else checked(array, parameter_at(statement, sizes))
        for array, statement in zip(arrays, parameters, strict=True)
    ]
    results = run_kernels(program, given, lambda kernel, _, buffers: launch(kernel, buffers, where))
    results = _in_arguments(program, given, results)
    return results if places is None else written_to(places, results)


def _in_arguments(program: Artifact, given: Sequence[Array], results: list[Array]) -> list[Array]:
    """The results, those over donated arguments in the arrays of these, unless an array is read-only."""
    made, arrays = iter(results), iter(given)
    placed: list[Array] = []
    for part in parts(program):
        of_name = {argument_name(parameter): next(arrays) for parameter in part.parameters}
        for name in part.over:
            array, new = of_name.get(name), next(made)
            if array is not None and array.flags.writeable:
                array[...] = new
                new = array
            placed.append(new)
    return placed


def _shape(given: object, parameter: Statement) -> tuple[int, ...]:
    """The shape of an argument for a parameter with named dims; other shapes are not needed."""
    if not named_dims_of((parameter,)):
        return ()
    return as_numpy(given, f"argument {argument_name(parameter)}", "CALL002", ARRAY_WANTED).shape


def run_kernels(program: Artifact, arrays: Sequence[Array], execute: Execute) -> list[Array]:
    """The results of a program for its arguments. `execute` runs a kernel on its buffers and returns them as
    they are afterwards; kernel and buffers have the sizes of the launch."""
    given = iter(arrays)
    return [result for part in parts(program) for result in _run_part(program, part, given, execute)]


class Step(NamedTuple):
    """A launch with the sizes of its named dims. An empty launch writes no element, and is left out."""

    kernel: CompiledKernel
    signature: Signature
    is_empty: bool


def steps(kernels: Sequence[CompiledKernel], part: ProgramPart, sizes: Mapping[str, int]) -> Iterator[Step]:
    """The launches of a program in order. `InputError` CALL010 for sizes that it cannot have."""
    for statement in part.wide:
        check_elements(statement, sizes)
    is_nothing = bool(sizes) and all(_gives_nothing(whole.at(sizes)) for whole in part.signatures)
    for whole in part.signatures:
        kernel, signature = _kernel_at(kernels[whole.kernel], sizes), whole.at(sizes)
        for output in whole.outputs if sizes else ():
            check_bytes(output, sizes, "result")
        is_empty = is_nothing or (kernel.grid is not None and 0 in kernel.grid) or _stores_nothing(signature)
        if not is_empty or 0 not in sizes.values() or _is_below_nothing(signature):
            check_least(kernel, whole.parameters, sizes)
        yield Step(kernel, signature, is_empty)


def _run_part(program: Artifact, part: ProgramPart, arrays: Iterator[Array], execute: Execute) -> list[Array]:
    own = [next(arrays) for _ in part.parameters]
    sizes = sizes_of(part.parameters, [array.shape for array in own])
    memory: dict[str, Array] = scalars_of(sizes)
    for parameter, array in zip(part.parameters, own, strict=True):
        statement = parameter_at(parameter, sizes)
        type_ = statement.result.type
        memory[argument_name(statement)] = laid_out(array, type_) if isinstance(type_, TensorType) else array
    results: dict[int, Array] = {}
    for kernel, signature, is_empty in steps(program.kernels, part, sizes):
        new = [output for output in signature.outputs if argument_name(output) not in memory]
        memory |= {argument_name(output): empty_output(output) for output in new}
        given = [_found(memory, statement, kernel.name) for statement in signature.parameters]
        given += literal_buffers(signature)
        after = _buffers_of(signature, given) if is_empty else execute(kernel, signature, given)
        shaped = shaped_outputs(signature, after)
        for output, result, array in zip(signature.outputs, signature.results, shaped, strict=True):
            memory[argument_name(output)] = array.reshape(-1)
            if result != NO_RESULT:
                results[result] = array
    return [results[number] for number in sorted(results)]


def _stores_nothing(signature: Signature) -> bool:
    """Whether every output of a kernel is without elements."""
    return bool(signature.outputs) and all(map(_is_empty, signature.outputs))


def _is_empty(buffer: Statement) -> bool:
    type_ = buffer.result.type
    return isinstance(type_, TensorType) and 0 in type_.dims


def _gives_nothing(signature: Signature) -> bool:
    """Whether the results of the program that a kernel stores are without elements."""
    given = zip(signature.outputs, signature.results, strict=True)
    return not any(
        0 not in tensor_type(output.result).dims for output, number in given if number != NO_RESULT
    )


def _is_below_nothing(signature: Signature) -> bool:
    """Whether a dim of a buffer is negative: a slice of a dim that is smaller than the slice removes."""
    types = [buffer.result.type for buffer in signature.buffers]
    return any(isinstance(type_, TensorType) and min(type_.shape, default=0) < 0 for type_ in types)


def _kernel_at(kernel: CompiledKernel, sizes: Mapping[str, int]) -> CompiledKernel:
    """A kernel with its grid for the sizes of a launch. The code is the same for all sizes."""
    return replace(kernel, grid=grid_at(kernel, sizes)) if sizes else kernel


def _found(memory: dict[str, Array], statement: Statement, kernel: str) -> Array:
    """The buffer that a kernel takes under a name. `InternalError` if it has elements that no earlier kernel
    has made."""
    name = argument_name(statement)
    if name in memory:
        return memory[name]
    if not _is_empty(statement):
        message = f"it takes {name}, which is not an argument and not written"
        raise InternalError("the launches", kernel, message)
    return empty_output(statement)


def _buffers_of(signature: Signature, given: Sequence[Array]) -> list[Array]:
    """The buffers among the arguments of a kernel."""
    is_scalar = [isinstance(statement.result.type, LaneType) for statement in signature.parameters]
    return [array for i, array in enumerate(given) if i >= len(is_scalar) or not is_scalar[i]]


def empty_output(statement: Statement) -> Array:
    """A flat buffer of zeros."""
    type_ = tensor_type(statement.result)
    return np.zeros(number(type_.span), numpy_dtype(type_.element))


def literal_buffers(signature: Signature) -> list[Array]:
    """The flat buffer of each literal that lies in memory."""
    return [
        np.array(numbers_of(statement), numpy_dtype(tensor_type(statement.result).element))
        for statement in signature.literals
    ]


def shaped_outputs(signature: Signature, buffers: Sequence[Array]) -> list[Array]:
    """The outputs among a kernel's buffers, in their shapes."""
    after = dict(zip(signature.buffers, buffers, strict=False))  # literals come after them
    return [after[statement].reshape(tensor_type(statement.result).shape) for statement in signature.outputs]


def check_least(kernel: CompiledKernel, parameters: Sequence[Statement], values: Mapping[str, int]) -> None:
    """CALL010 if a kernel that runs needs a larger dim."""
    if kernel.grid is None:
        return
    for name, dim in named_dims_of(parameters).items():
        if values[name] < dim.low:
            raise InputError(
                "arguments",
                "CALL010",
                f"{name} is {values[name]}, wanted at least {dim.low}: {kernel.name} needs so many elements",
                help=f"do not call the program with fewer, or write {name} as a number",
            )


def grid_at(kernel: CompiledKernel, values: Mapping[str, int]) -> tuple[int, int, int] | None:
    """The workgroups along x, y and z for the sizes of a launch. CALL010 if a launch cannot have so many."""
    if kernel.grid is None:
        return None
    x, y, z = numbers(at(kernel.grid, values))
    items = x * y * z * prod(kernel.block)
    if items > MAX_WORK_ITEMS:
        raise InputError(
            "arguments",
            "CALL010",
            f"{kernel.name} launches {items} work-items, wanted at most {MAX_WORK_ITEMS}",
            help="call the program with parts of the arrays",
        )
    return x, y, z
