"""Runs a gridwise program in numpy: its launches in order, each body by the float64 reference of the graph.

Temporaries lie in one arena as `asmgen.gridwise.arena` plans it, so that a wrong lifetime or offset gives
wrong numbers. A launch does not run if its condition is 0. Otherwise the grid has no effect here: the body
computes the same over any number of workgroups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from asmgen.graph.array_sizes import sizes_of
from asmgen.graph.reference import Rules, evaluate_module
from asmgen.gridwise.arena import plan
from asmgen.gridwise.at_sizes import program_at
from asmgen.gridwise.buffer_kinds import declared
from asmgen.gridwise.program import Launch, LaunchProgram
from asmgen.gridwise.verify import parameters
from asmgen.index import constant
from asmgen.index.size import number
from asmgen.ir.arrays import Array, numpy_dtype
from asmgen.ir.types import TensorType
from isa.diagnostics import InternalError

_UNWRITTEN = 0xA5  # each byte of memory that no launch has written


def interpret(program: LaunchProgram, inputs: Sequence[Array], rules: Rules | None = None) -> list[Array]:
    """The results for arrays of the parameters and numbers of the scalars, in the order of their lines.

    Each array has its parameter's shape and type; named dims have the sizes that the arrays say.
    """
    program = program_at(program, sizes_of(declared(program), [np.asarray(array).shape for array in inputs]))
    types = program.types
    memory = {buffer.name: np.asarray(array) for buffer, array in zip(program.inputs, inputs, strict=True)}
    for name, array in memory.items():
        if (array.shape, array.dtype) != (types[name].dims, numpy_dtype(types[name].element)):
            raise InternalError(
                "gridwise", name, f"got an array of {array.dtype} {array.shape}, wanted {types[name]}"
            )
    memory |= temporaries(program)
    for result in program.results:
        if result.over:
            memory[result.over] = memory[result.over].copy()
            memory[result.name] = memory[result.over]
        else:
            memory[result.name] = unwritten(types[result.name])
    for launch in program.launches:
        if program.when_of(launch) != constant(0):
            _run(launch, memory, rules)
    return [memory[result.name] for result in program.results]


def temporaries(program: LaunchProgram) -> dict[str, Array]:
    """A view of the arena for each temporary."""
    arena, types = plan(program), program.types
    memory = np.full(arena.size, _UNWRITTEN, np.uint8)
    arrays: dict[str, Array] = {}
    for name, offset in arena.offsets.items():
        dtype = numpy_dtype(types[name].element)
        size = number(types[name].span) * dtype.itemsize
        arrays[name] = memory[offset : offset + size].view(dtype).reshape(types[name].shape)
    return arrays


def unwritten(type_: TensorType) -> Array:
    """An array that no launch has written: the same bytes everywhere, which make no likely number."""
    dtype = numpy_dtype(type_.element)
    return (
        np.full(number(type_.elements) * dtype.itemsize, _UNWRITTEN, np.uint8)
        .view(dtype)
        .reshape(type_.shape)
    )


def _run(launch: Launch, memory: Mapping[str, Array], rules: Rules | None) -> None:
    given = [memory[name] for name, _ in parameters(launch)]
    ranges = evaluate_module(launch.body, iter(given), rules)
    with np.errstate(all="ignore"):  # a sum in float64 may exceed f32 and then becomes an infinity
        for name, range_ in zip(launch.writes, ranges, strict=True):
            memory[name][...] = range_.value.astype(memory[name].dtype)
