"""Prints tile programs as text that reads back to the same program (`asmgen.blockwise.text.reader`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, IntEnum

from asmgen.blockwise.actions import (
    Action,
    Below,
    For,
    Iterate,
    Literal,
    Parameter,
    Pointwise,
    Setting,
    Waves,
    settings,
)
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.placement import Placement
from asmgen.blockwise.layout.text import print_bases, print_layout
from asmgen.blockwise.op_table import row_of
from asmgen.blockwise.program import Kernel, TileProgram, TileRegion, TileStatement, TileValue
from asmgen.blockwise.types import LdsType, TileType, Type
from asmgen.graph.printer import body_lines
from asmgen.index import Index, Symbol
from asmgen.ir.numbers import format_number
from asmgen.ir.program import Op, Relaunch, Stage
from asmgen.ir.relaunches import in_order, print_relaunch
from asmgen.ir.shapes import format_list, format_type
from asmgen.ir.types import ElementType
from asmgen.lanewise.records import NO_RESULT

_INDENT = "  "
Names = Mapping[Layout, str]
Comments = Mapping[TileValue, Sequence[str]]
_NO_COMMENTS: Comments = {}


def print_program(program: TileProgram, comments: Comments = _NO_COMMENTS) -> str:
    """The whole file: the stage line and each kernel. Ends with a newline.

    `comments` are lines to print after the definition of a value, each with its `#`.
    """
    lines = [f"stage {Stage.BLOCKWISE.value} {program.target}"]
    for each in in_order(program.kernels, program.relaunches):
        lines += (print_relaunch(each),) if isinstance(each, Relaunch) else _kernel_lines(each, comments)
    return "\n".join(lines) + "\n"


def _kernel_lines(kernel: Kernel, comments: Comments) -> Iterator[str]:
    ids = zip(kernel.grid, kernel.workgroups, strict=True)
    grid = ", ".join([f"{symbol.name}: {count}" for symbol, count in ids])
    ranges = ", ".join([f"{dim.name}: {dim.low} to {dim.high}" for dim in kernel.dims])
    dims = f" dims({ranges})" if ranges else ""
    results = ", ".join([f"{name}: {number}" for name, number in kernel.results])
    stated = f" results({results})" if results else ""
    yield f"kernel @{kernel.name}{dims} grid({grid}) waves({kernel.waves}) lanes({kernel.lanes}){stated} {{"
    for name, layout in kernel.layouts:
        yield f"{_INDENT}layout {name} = {print_layout(layout)}"
    names = {layout: name for name, layout in reversed(kernel.layouts)}
    for statement in kernel.statements:
        yield from _statement_lines(statement, names, comments, _INDENT)
    yield "}"


def _statement_lines(
    statement: TileStatement, names: Names, comments: Comments, indent: str
) -> Iterator[str]:
    head = indent + print_statement(statement, names)
    tail = (
        " -> " + ", ".join([print_type(value.type, names) for value in statement.results])
        if statement.results
        else ""
    )
    if isinstance(statement.op, Iterate):
        yield from body_lines(statement.op.body, head, tail, indent)
    for region in statement.regions:
        yield f"{head}{_parameters(region)} {{"
        yield from _comment_lines(region.parameters, comments, indent + _INDENT)
        for inner in region.statements:
            yield from _statement_lines(inner, names, comments, indent + _INDENT)
        head = f"{indent}}}"
    if not isinstance(statement.op, Iterate):
        yield head + tail
    yield from _comment_lines(statement.results, comments, indent)


def _comment_lines(values: tuple[TileValue, ...], comments: Comments, indent: str) -> Iterator[str]:
    for value in values:
        for line in comments.get(value, ()):
            yield indent + line


def _parameters(region: TileRegion) -> str:
    return f" ({', '.join([value.name for value in region.parameters])})" if region.parameters else ""


def print_statement(statement: TileStatement, names: Names) -> str:
    """A statement without its result's type and its region: `m = reduce[op=max, axes={1}](t)`."""
    results = ", ".join([value.name for value in statement.results])
    text = f"{results} = " if results else ""
    action = statement.op
    if isinstance(action, Parameter):
        over = "" if action.result == NO_RESULT else f"[result={action.result}]"
        return f"{text}{row_of(action).name}:{action.name}{over}"
    if isinstance(action, Literal):
        element = statement.result.type.element
        numbers = ", ".join([format_number(value, element) for value in action.values])
        return f"{text}{row_of(action).name}{{{numbers}}}"
    text += row_of(action).name
    shown = _attributes(action, names)
    if shown:
        text += f"[{', '.join(shown)}]"
    return f"{text}({', '.join([value.name for value in statement.operands])})"


def _attributes(action: Action, names: Names) -> list[str]:
    if isinstance(action, Pointwise):
        return []
    if isinstance(action, Iterate):
        return ["masked=true"] if action.masked else []
    if isinstance(action, For):
        shown = [f"{action.counter.name} = {action.start.text} to {action.stop.text} step {action.step}"]
        return [*shown, "staggered=true"] if action.staggered else shown
    if isinstance(action, Waves):
        return [f"{action.first} to {action.stop}"]
    return [f"{name}={_value(value, names)}" for name, value, default in settings(action) if value != default]


def _value(value: Setting, names: Names) -> str:
    """An attribute's value as text; each type of a field has its own."""
    if isinstance(value, Below):
        return f"{value.left.text} < {value.right.text}"
    if isinstance(value, Layout):
        return _layout(value, names)
    if isinstance(value, Index):
        return value.text
    if isinstance(value, ElementType | Symbol | Op):
        return value.name
    if isinstance(value, IntEnum):
        return value.name.lower()
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "{" + ", ".join([_value(item, names) for item in value]) + "}"
    return str(value)


def print_type(type_: Type, names: Names | None = None) -> str:
    """`f32, {1,1024} @ reg(0:1) lane(...)`; a layout that has a name by its name."""
    if isinstance(type_, TileType):
        return f"{type_.element}, {format_list(type_.shape)} @ {_layout(type_.layout, names or {})}"
    if isinstance(type_, LdsType):
        slots = f" slots({type_.slots})" if type_.slots != 1 else ""
        return f"{type_.element}, {format_list(type_.shape)} @ {print_placement(type_.placement)}{slots}"
    return format_type(type_)


def _layout(of: Layout, names: Names) -> str:
    return names.get(of) or print_layout(of)


def print_placement(of: Placement) -> str:
    """`offset(0:1 0:2 1:1) pad(64:4)`."""
    text = print_bases("offset", of.offsets, of.sizes)
    if of.repeat:
        text += f" repeat({':'.join(map(str, of.repeat))})"
    return text + (f" pad({of.padding.every}:{of.padding.extra})" if of.padding.every else "")
