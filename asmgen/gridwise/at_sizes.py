"""Replaces the named dims of a gridwise program by numbers, so that the interpreter can run it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from asmgen.graph.at_sizes import module_at
from asmgen.gridwise.program import Buffer, Launch, LaunchProgram, Shape, Sizes
from asmgen.index import Index, Symbol, constant
from asmgen.index.expression import as_symbol

Known = Mapping[Symbol, Index]


def program_at(program: LaunchProgram, values: Mapping[str, int]) -> LaunchProgram:
    """The program with numbers in place of its named dims; `values` has a number for each name."""
    known = {as_symbol(dim.size): constant(values[dim.name]) for dim in program.named}
    if not known:
        return program
    return replace(
        program,
        dims=tuple([dim for dim in program.dims if dim.is_known]),
        buffers=tuple([_buffer_at(buffer, known) for buffer in program.buffers]),
        launches=tuple([_launch_at(launch, known, values) for launch in program.launches]),
    )


def _buffer_at(buffer: Buffer, known: Known) -> Buffer:
    element, sizes, strides = buffer.shape
    shape = Shape(element, _sizes_at(sizes, known), None if strides is None else _sizes_at(strides, known))
    return replace(buffer, shape=shape)


def _launch_at(launch: Launch, known: Known, values: Mapping[str, int]) -> Launch:
    when = None if launch.when is None else launch.when.substitute(known)
    return replace(launch, grid=_sizes_at(launch.grid, known), body=module_at(launch.body, values), when=when)


def _sizes_at(sizes: Sizes, known: Known) -> Sizes:
    return tuple([size.substitute(known) for size in sizes])
