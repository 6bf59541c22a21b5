"""Calling a compiled program: its kernels in launch order, the buffers between them, its results.

A kernel takes its parameters in their order, buffers and scalars, then its literals in memory. `launch` says
of each output which result of the program it is, or which temporary, that later kernels read under the name
`temporary_N`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from asmgen.artifact import Artifact, CompiledKernel
from asmgen.graph.fuse import TEMPORARY
from asmgen.graph.ops import LITERAL, PARAM
from asmgen.ir.program import Module, Stage, Statement
from asmgen.ir.types import LaneType, TensorType
from asmgen.lanewise.ops import LAUNCH
from asmgen.lanewise.records import Launch, numbers_of
from asmgen.runtime.arrays import (
    Array,
    argument_name,
    checked,
    checked_scalar,
    laid_out,
    numpy_dtype,
    tensor_type,
)
from asmgen.runtime.run import launch, resolve_device
from isa.diagnostics import InputError


@dataclass(frozen=True, slots=True)
class Signature:
    """A kernel's parameters: `inputs` and `outputs` in the order in which it takes them, and its literals in
    memory after them.

    `results` has one entry an output, in the order of `outputs`: the result of the program that it is, or -1
    - N of `temporary_N`.

    `graph` numbers the graph of the source that the kernel is a part of: a name is an argument of one graph.
    """

    parameters: tuple[Statement, ...]
    outputs: tuple[Statement, ...]
    literals: tuple[Statement, ...]
    results: tuple[int, ...]
    graph: int = 0

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


# runs a kernel with what it takes, and gives its buffers as they are afterwards, in order: all but the
# scalars
Execute = Callable[[CompiledKernel, Signature, list[Array]], list[Array]]


def signatures(program: Artifact) -> list[Signature]:
    """The signature of each kernel; `InputError` for a machine program, which states no shapes."""
    final = program.compilation.programs.get(Stage.FINAL)
    if final is None:
        raise InputError(
            "program",
            "CALL005",
            "a machine program states no shapes, wanted one compiled from gen text",
            help="see asmgen.run",
        )
    ends = _result_counts(program)
    found: list[Signature] = []
    for module in reversed(final.modules):
        results = _results(module)
        # a kernel that makes temporaries alone is before the one of its graph that reads them
        known = [sum(end <= result for end in ends) for result in results if result >= 0]
        graph = known[0] if known else found[-1].graph if found else 0
        found.append(_signature(module, results, graph))
    return found[::-1]


def _result_counts(program: Artifact) -> list[int]:
    """How many results the graphs of the source have, each with those before it; none where the source is a
    later stage."""
    if program.graph is None:
        return []
    counts = np.cumsum([len(module.statements[-1].operands) for module in program.graph.modules])
    return [int(count) for count in counts]


def _results(module: Module) -> tuple[int, ...]:
    launch = Launch.of(next(statement for statement in module.statements if statement.op is LAUNCH))
    return launch.results or tuple(range(len(module.statements[-1].operands)))


def _signature(module: Module, results: tuple[int, ...], graph: int) -> Signature:
    parameters = tuple(statement for statement in module.statements if statement.op is PARAM)
    of_buffer = {statement.result: statement for statement in parameters}
    outputs = tuple(of_buffer[value] for value in module.statements[-1].operands)
    literals = tuple(
        statement
        for statement in module.statements
        if statement.op is LITERAL and isinstance(statement.result.type, TensorType)
    )
    return Signature(parameters, outputs, literals, results, graph)


def program_parameters(found: Sequence[Signature]) -> list[tuple[int, Statement]]:
    """The parameters of a program, each with its graph, in the order in which arrays are passed; temporaries
    are none."""
    made: set[str] = set()
    parameters: dict[tuple[int, str], Statement] = {}
    for signature in found:
        for statement in signature.inputs:
            if argument_name(statement) not in made:
                parameters.setdefault((signature.graph, argument_name(statement)), statement)
        made |= {temporary_name(result) for result in signature.results if result < 0}
    return [(graph, statement) for (graph, _), statement in parameters.items()]


def temporary_name(result: int) -> str:
    return f"{TEMPORARY}_{-1 - result}"


def call(program: Artifact, arrays: Sequence[object], device: str) -> list[Array]:
    """`CompiledProgram.__call__`."""
    found = signatures(program)
    where = resolve_device(device, program.target)
    parameters = [statement for _, statement in program_parameters(found)]
    if len(arrays) != len(parameters):
        names = ", ".join(argument_name(statement) for statement in parameters)
        raise InputError(
            "arguments", "CALL001", f"got {len(arrays)} arrays, wanted {len(parameters)}: {names}"
        )
    given = [
        checked_scalar(array, statement)
        if isinstance(statement.result.type, LaneType)
        else checked(array, statement)
        for array, statement in zip(arrays, parameters, strict=True)
    ]
    return run_kernels(program, found, given, lambda kernel, _, buffers: launch(kernel, buffers, where))


def run_kernels(
    program: Artifact, found: Sequence[Signature], arrays: Sequence[Array], execute: Execute
) -> list[Array]:
    """The results of a program. `execute` runs one kernel on its buffers and gives them as they are
    afterwards."""
    passed = {
        (graph, argument_name(statement)): laid_out(array, statement.result.type)
        if isinstance(statement.result.type, TensorType)
        else array
        for array, (graph, statement) in zip(arrays, program_parameters(found), strict=True)
    }
    temporaries: dict[str, Array] = {}
    results: dict[int, Array] = {}
    for kernel, signature in zip(program.kernels, found, strict=True):
        given: list[Array] = []
        for statement in signature.parameters:
            name = argument_name(statement)
            is_output = statement in signature.outputs
            given.append(
                empty_output(statement)
                if is_output
                else temporaries[name]
                if name in temporaries
                else passed[signature.graph, name]
            )
        given += literal_buffers(signature)
        is_empty = kernel.grid is not None and 0 in kernel.grid
        after = _buffers_of(signature, given) if is_empty else execute(kernel, signature, given)
        for result, array in zip(signature.results, shaped_outputs(signature, after), strict=True):
            if result < 0:
                temporaries[temporary_name(result)] = array.reshape(-1)
            else:
                results[result] = array
    return [results[number] for number in sorted(results)]


def _buffers_of(signature: Signature, given: Sequence[Array]) -> list[Array]:
    """What a kernel is given without the scalars."""
    is_scalar = [isinstance(statement.result.type, LaneType) for statement in signature.parameters]
    return [array for i, array in enumerate(given) if i >= len(is_scalar) or not is_scalar[i]]


def empty_output(statement: Statement) -> Array:
    """A flat buffer of zeros."""
    type_ = tensor_type(statement.result)
    return np.zeros(type_.span, numpy_dtype(type_.element))


def literal_buffers(signature: Signature) -> list[Array]:
    """The flat buffer of each literal that lies in memory."""
    return [
        np.array(numbers_of(statement), numpy_dtype(tensor_type(statement.result).element))
        for statement in signature.literals
    ]


def shaped_outputs(signature: Signature, buffers: Sequence[Array]) -> list[Array]:
    """The outputs among a kernel's buffers, in their shapes."""
    after = dict(zip(signature.buffers, buffers, strict=False))  # literals come after them
    return [after[statement].reshape(tensor_type(statement.result).dims) for statement in signature.outputs]
