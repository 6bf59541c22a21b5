"""Calling a compiled program: its kernels in launch order, the buffers between them, its results.

A kernel's buffers are its inputs, its outputs and its literals in memory, in this order. `launch` says of each output
which result of the program it is, or which temporary, that later kernels read under the name `temporary_N`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from asmgen.artifact import Artifact, CompiledKernel
from asmgen.graph.fuse import TEMPORARY
from asmgen.graph.ops import LITERAL, PARAM
from asmgen.ir.program import Module, Stage, Statement
from asmgen.ir.types import TensorType
from asmgen.lanewise.ops import LAUNCH
from asmgen.runtime.arrays import Array, argument_name, checked, laid_out, numpy_dtype, tensor_type
from asmgen.runtime.run import launch, resolve_device
from isa.diagnostics import InputError


@dataclass(frozen=True, slots=True)
class Signature:
    """A kernel's buffers. `results` has one entry an output: the result of the program that it is, or -1 - N of `temporary_N`.

    `graph` numbers the graph of the source that the kernel is a part of: a name is an argument of one graph.
    """

    inputs: tuple[Statement, ...]
    outputs: tuple[Statement, ...]
    literals: tuple[Statement, ...]
    results: tuple[int, ...]
    graph: int = 0


Execute = Callable[[CompiledKernel, Signature, list[Array]], list[Array]]


def signatures(program: Artifact) -> list[Signature]:
    """The signature of each kernel; `InputError` for a machine program, which states no shapes."""
    final = program.compilation.programs.get(Stage.FINAL)
    if final is None:
        raise InputError("program", "CALL005", "a machine program states no shapes, wanted one compiled from gen text", help="see asmgen.run")
    ends = _result_counts(program)
    found: list[Signature] = []
    for module in reversed(final.modules):
        results = _results(module)
        # a kernel that makes temporaries alone stands before the one of its graph that reads them
        known = [sum(end <= result for end in ends) for result in results if result >= 0]
        graph = known[0] if known else found[-1].graph if found else 0
        found.append(_signature(module, results, graph))
    return found[::-1]


def _result_counts(program: Artifact) -> list[int]:
    """How many results the graphs of the source have, each with those before it; none where the source is a later stage."""
    if program.graph is None:
        return []
    counts = np.cumsum([len(module.statements[-1].operands) for module in program.graph.modules])
    return [int(count) for count in counts]


def _results(module: Module) -> tuple[int, ...]:
    given = next(statement.attributes["results"] for statement in module.statements if statement.op is LAUNCH)
    assert isinstance(given, tuple), "the launch row has checked it"
    return tuple(result for result in given if isinstance(result, int)) or tuple(range(len(module.statements[-1].operands)))


def _signature(module: Module, results: tuple[int, ...], graph: int) -> Signature:
    returned = set(module.statements[-1].operands)
    parameters = [statement for statement in module.statements if statement.op is PARAM]
    inputs = tuple(statement for statement in parameters if statement.result not in returned)
    outputs = tuple(statement for statement in parameters if statement.result in returned)
    literals = tuple(statement for statement in module.statements if statement.op is LITERAL and isinstance(statement.result.type, TensorType))
    return Signature(inputs, outputs, literals, results, graph)


def program_parameters(found: Sequence[Signature]) -> list[tuple[int, Statement]]:
    """The parameters of a program, each with its graph, in the order in which arrays are passed; temporaries are none."""
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
        raise InputError("arguments", "CALL001", f"got {len(arrays)} arrays, wanted {len(parameters)}: {names}")
    given = [checked(array, statement) for array, statement in zip(arrays, parameters, strict=True)]
    return run_kernels(program, found, given, lambda kernel, _, buffers: launch(kernel, buffers, where))


def run_kernels(program: Artifact, found: Sequence[Signature], arrays: Sequence[Array], execute: Execute) -> list[Array]:
    """The results of a program. `execute` runs one kernel on its buffers and gives them as they are afterwards."""
    passed = {
        (graph, argument_name(statement)): laid_out(array, tensor_type(statement.result))
        for array, (graph, statement) in zip(arrays, program_parameters(found), strict=True)
    }
    temporaries: dict[str, Array] = {}
    results: dict[int, Array] = {}
    for kernel, signature in zip(program.kernels, found, strict=True):
        names = [argument_name(statement) for statement in signature.inputs]
        inputs = [temporaries[name] if name in temporaries else passed[signature.graph, name] for name in names]
        buffers = [*inputs, *empty_outputs(signature), *literal_buffers(signature)]
        after = buffers if kernel.grid is not None and 0 in kernel.grid else execute(kernel, signature, buffers)
        for result, array in zip(signature.results, shaped_outputs(signature, after), strict=True):
            if result < 0:
                temporaries[temporary_name(result)] = array.reshape(-1)
            else:
                results[result] = array
    return [results[number] for number in sorted(results)]


def empty_outputs(signature: Signature) -> list[Array]:
    """A flat buffer of zeros for each output."""
    types = [tensor_type(statement.result) for statement in signature.outputs]
    return [np.zeros(type_.span, numpy_dtype(type_.element)) for type_ in types]


def literal_buffers(signature: Signature) -> list[Array]:
    """The flat buffer of each literal that lies in memory."""
    return [np.array(statement.attributes["values"], numpy_dtype(tensor_type(statement.result).element)) for statement in signature.literals]


def shaped_outputs(signature: Signature, buffers: Sequence[Array]) -> list[Array]:
    """The outputs among a kernel's buffers, in their shapes."""
    first = len(signature.inputs)
    dims = [tensor_type(statement.result).dims for statement in signature.outputs]
    return [buffer.reshape(shape) for buffer, shape in zip(buffers[first : first + len(dims)], dims, strict=True)]
