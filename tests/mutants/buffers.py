"""The buffers of a launch as tensors of its graph: results, rows, and changed inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.graph.ops import PARAM
from asmgen.ir.arrays import Array, laid_out, strided_view
from asmgen.ir.program import Program, argument_name, tensor_type
from asmgen.ir.types import TensorType
from asmgen.runtime.calls import Signature, program_parameters
from tests.mutants.seam import Launched
from tests.mutants.wrong_graphs import reduced_axes, reductions


def output_types(graph: Program) -> list[TensorType]:
    """The types of a program's results, in order."""
    return [tensor_type(value) for module in graph.modules for value in module.statements[-1].operands]


def parameter_types(graph: Program) -> list[TensorType]:
    return [tensor_type(statement.result) for module in graph.modules for statement in module.statements if statement.op is PARAM]


def largest(types: Sequence[TensorType]) -> TensorType:
    return max(types, key=lambda type_: type_.size)


def results_of(signature: Signature) -> list[tuple[int, int, TensorType]]:
    """The number of the buffer, the number of the result, and the type, for each output of a kernel that is a
    result of the program."""
    first = len(signature.inputs)
    outputs = zip(signature.outputs, signature.results, strict=True)
    return [(first + at, result, tensor_type(output.result)) for at, (output, result) in enumerate(outputs) if result >= 0]


def row_axis(graph: Program, dims: tuple[int, ...]) -> int | None:
    """The axis along which the rows of a tensor of `dims` follow each other; None for a single row.

    With reductions it is the last kept axis longer than 1. Otherwise it is the first axis longer than 1, so a
    tensor of one axis has rows of one element.
    """
    longer = [axis for axis, dim in enumerate(dims) if dim > 1]
    found = [reduction for reduction in reductions(graph).values() if tensor_type(reduction.operands[0]).rank == len(dims)]
    if not found:
        return longer[0] if longer else None
    kept = [axis for axis in longer if all(axis not in reduced_axes(reduction) for reduction in found)]
    return kept[-1] if kept else None


def with_input(launched: Launched, change: Callable[[Array], Array]) -> list[Array]:
    """The buffers of a launch with its largest input changed as a tensor; temporaries do not count as inputs."""
    given = {argument_name(statement) for statement in program_parameters(launched.program)}
    own = [(tensor_type(statement.result), at) for at, statement in enumerate(launched.signature.inputs) if argument_name(statement) in given]
    if not own:
        return launched.buffers
    type_, at = max(own, key=lambda found: (found[0].elements, -found[1]))
    buffers = list(launched.buffers)
    buffers[at] = laid_out(change(strided_view(buffers[at], type_).copy()), type_)
    return buffers
