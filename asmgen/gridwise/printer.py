"""Prints gridwise programs as text that reads back to the same program (`asmgen.gridwise.reader`)."""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.blockwise.schedules.choices import choice_text
from asmgen.graph.printer import statement_lines
from asmgen.gridwise.buffer_kinds import kind_of
from asmgen.gridwise.program import Buffer, GridFile, Launch, LaunchProgram, Result, Shape, Sizes, Temporary
from asmgen.ir.program import Stage

_INDENT = "  "


def print_file(file: GridFile) -> str:
    """The whole file: the stage line and each program. Ends with a newline."""
    lines = [f"stage {Stage.GRIDWISE.value} {file.target}"]
    for program in file.programs:
        lines += _program_lines(program)
    return "\n".join(lines) + "\n"


def _program_lines(program: LaunchProgram) -> Iterator[str]:
    yield f"program @{program.name} {{"
    for dim in program.dims:
        yield f"{_INDENT}dim {dim.name} = {'' if dim.least is None else f'{dim.least} to '}{dim.value}"
    for buffer in program.buffers:
        yield _INDENT + print_buffer(buffer)
    for launch in program.launches:
        if launch.runs:
            yield f"{_INDENT}{print_launch(launch)}"
            continue
        yield f"{_INDENT}{print_launch(launch)} {{"
        for statement in launch.body.statements:
            yield from statement_lines(statement, 2 * _INDENT)
        yield f"{_INDENT}}}"
    yield "}"


def print_buffer(buffer: Buffer) -> str:
    """`partial = temporary[first=a, last=b] -> f32, {256,1}`."""
    row = kind_of(buffer)
    kept = f"[first={buffer.first}, last={buffer.last}]" if isinstance(buffer, Temporary) else ""
    kept = f"[over={buffer.over}]" if isinstance(buffer, Result) and buffer.over else kept
    shape = str(buffer.shape.element) if row.by_value else print_shape(buffer.shape)
    return f"{buffer.name} = {row.word}{kept} -> {shape}"


def print_launch(launch: Launch) -> str:
    """A launch without its body: `launch @a(x) -> (y) grid(256) by row[waves=4]`, or
    `launch @b(y) -> (z) runs @a`."""
    names = f"({', '.join(launch.reads)}) -> ({', '.join(launch.writes)})"
    if launch.runs:
        return f"launch @{launch.name}{names} runs @{launch.runs}"
    grid = ", ".join([size.text for size in launch.grid])
    when = "" if launch.when is None else f" when({launch.when.text})"
    return f"launch @{launch.name}{names} grid({grid}){when} by {choice_text(launch.choice)}"


def print_shape(shape: Shape) -> str:
    """`f32, {n,3}, {1,n}`."""
    strides = "" if shape.strides is None else f", {_sizes(shape.strides)}"
    return f"{shape.element}, {_sizes(shape.sizes)}{strides}"


def _sizes(sizes: Sizes) -> str:
    return "{" + ",".join([size.text for size in sizes]) + "}"
