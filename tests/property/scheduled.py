"""Runs gen text by schedules, kernel by kernel: by the interpreter of tiles, or on the emulator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise.actions import Literal, Parameter
from asmgen.blockwise.interpret import Tiles, interpret
from asmgen.blockwise.program import Kernel, TileProgram
from asmgen.blockwise.rules.verify import check
from asmgen.blockwise.schedules.choosing.parts import Share
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.tiles.buffers import output_names
from asmgen.blockwise.text.printer import print_program
from asmgen.blockwise.text.reader import read_program
from asmgen.blockwise.types import TensorType
from asmgen.gentext.parser import parse
from asmgen.graph.fusion.fuse import FusedKernel, Partition
from asmgen.graph.ops import PARAM
from asmgen.graph.reference import compare, evaluate
from asmgen.gridwise.cut import cut
from asmgen.gridwise.lower import tile_kernel
from asmgen.gridwise.prepare import prepare
from asmgen.index.size import number, numbers
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.program import tensor_type
from asmgen.runtime.run import launch
from isa.targets import TARGETS, parse_target

Array = NDArray[Any]
Schedule = Callable[[Graph], Sequence[Kernel]]


def run(text: str, inputs: Sequence[Array], schedule: Schedule, target: str, mode: Tiles | None) -> list[Array]:
    """The outputs of a program, in the order of its `@return`."""
    (module,) = parse(text, "random.gen").modules
    kernels = Partition(prepare(module), set()).kernels()
    memory: dict[str, Array] = {}
    given = iter(inputs)
    for statement in parse(text, "random.gen").modules[0].statements:
        if statement.op is PARAM:
            memory[str(statement.attributes["name"])] = laid_out(next(given), tensor_type(statement.result))
    outputs: dict[int, Array] = {}
    for kernel in kernels:
        outputs |= _run_kernel(kernel, memory, schedule, target, mode)
    return [outputs[position] for position in sorted(outputs)]


def laid_out(array: Array, type_: TensorType) -> Array:
    """The memory of a buffer whose elements lie by the strides of its type."""
    memory = np.zeros(number(type_.span), array.dtype)
    strides = [stride * array.itemsize for stride in numbers(type_.strides)]
    np.lib.stride_tricks.as_strided(memory, type_.shape, strides)[...] = array
    return memory


def _run_kernel(kernel: FusedKernel, memory: dict[str, Array], schedule: Schedule, target: str, mode: Tiles | None) -> dict[int, Array]:
    graph = Graph(kernel.module, tuple(output.name for output in kernel.outputs))
    known = dict(memory)
    for name, value in zip(output_names(graph), graph.returns, strict=True):
        type_ = tensor_type(value)
        known[name] = np.zeros(type_.size, numpy_dtype(type_.element))
    if any(tensor_type(value).elements for value in graph.returns):
        execute(schedule(graph), known, target, mode)
    outputs: dict[int, Array] = {}
    for value, name, result in kernel.outputs:
        memory[name] = known[name]
        if result is not None:
            outputs[result] = known[name].reshape(tensor_type(value).shape)
    return outputs


def run_in_parts(text: str, inputs: Sequence[Array], parts: int, target: str, mode: Tiles | None) -> list[Array]:
    """The outputs of a program whose reductions are shared by so many workgroups each."""
    (program,) = cut(parse(text, "random.gen"), parse_target(target), parts=lambda _body, _target: Share(parts)).file.programs
    known = {parameter.name: laid_out(array, program.types[parameter.name]) for parameter, array in zip(program.inputs, inputs, strict=True)}
    for result in program.results:
        type_ = program.types[result.name]
        known[result.name] = np.zeros(type_.size, numpy_dtype(type_.element))
    for made in program.launches:
        if any(program.types[name].elements for name in made.writes):
            execute([tile_kernel(program, made, TARGETS[target])], known, target, mode)
    return [known[result.name].reshape(program.types[result.name].shape) for result in program.results]


def execute(kernels: Sequence[Kernel], known: dict[str, Array], target: str, mode: Tiles | None) -> None:
    """Run kernels in succession, without a mode on the emulator. What none of them was given is a temporary
    of theirs.
    """
    text = print_program(TileProgram(parse_target(target), tuple(kernels)))
    compiled = asmgen.compile(text, target=target).kernels if mode is None else ()
    for position, kernel in enumerate(read_program(text, "scheduled.gen").kernels):
        check(kernel, TARGETS[target])
        for statement in kernel.walk():
            for value in statement.results:
                if isinstance(value.type, TensorType) and value.name not in known:
                    _ = known.setdefault(value.name, np.zeros(prod(value.type.shape), numpy_dtype(value.type.element)))
        if mode is not None:
            interpret(kernel, known, mode)
            continue
        names = [statement.op.name for statement in kernel.statements if isinstance(statement.op, Parameter)]
        given = [known[name] for name in names] + literals(kernel)
        after = launch(compiled[position], given, "emulator")
        known |= {name: np.asarray(array).reshape(-1) for name, array in zip(names, after, strict=False)}


def literals(kernel: Kernel) -> list[Array]:
    """The memory of each literal of a kernel, which it takes after its parameters."""
    return [
        np.array(statement.op.values, numpy_dtype(statement.result.type.element))
        for statement in kernel.statements
        if isinstance(statement.op, Literal)
    ]


def hold(text: str, inputs: Sequence[Array], schedule: Schedule, target: str, mode: Tiles | None) -> None:
    """The outputs are within the bounds of the reference."""
    hold_results(text, inputs, run(text, inputs, schedule, target, mode))


def hold_results(text: str, inputs: Sequence[Array], found: Sequence[Array]) -> None:
    for expected, array in zip(evaluate(parse(text, "random.gen"), inputs), found, strict=True):
        comparison = compare(expected, array)
        assert not comparison.is_broken, f"{comparison}\n{text}"
