"""Prints programs as gen text that reads back to the same program."""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.graph.ops import LITERAL, PARAM, PARAM_SETTINGS, RETURN
from asmgen.index import Index
from asmgen.index.size import Size
from asmgen.ir.numbers import format_number
from asmgen.ir.program import (
    Attribute,
    AttributeKind,
    AttributeSpec,
    Body,
    Module,
    Program,
    Region,
    Relaunch,
    Stage,
    Statement,
    literal_numbers,
)
from asmgen.ir.relaunches import in_order, print_relaunch
from asmgen.ir.shapes import format_type

_INDENT = "  "


def print_program(program: Program) -> str:
    """The whole file: the stage line unless it is a graph, then each module. Ends with a newline."""
    lines: list[str] = []
    if program.stage is not Stage.GRAPH:
        lines.append(f"stage {program.stage.value} {program.target}".rstrip())
    for each in in_order(program.modules, program.relaunches):
        lines.extend((print_relaunch(each),) if isinstance(each, Relaunch) else _module_lines(each))
    return "\n".join(lines) + "\n"


def print_module(module: Module, shows_places: bool) -> str:
    """A module; with `shows_places`, a comment has the place of each statement in its source."""
    return "\n".join(_module_lines(module, shows_places)) + "\n"


def _module_lines(module: Module, shows_places: bool = False) -> Iterator[str]:
    yield f"module @{module.name} {{"
    for statement in module.statements:
        shown = f"  # {statement.place}" if shows_places and statement.place is not None else ""
        for line in statement_lines(statement, _INDENT):
            yield line + shown
    yield "}"


def statement_lines(statement: Statement, indent: str) -> Iterator[str]:
    head = indent + print_statement(statement)
    tail = _results(statement)
    if statement.op.has_body:
        yield from body_lines(statement.attributes["body"], head, tail, indent)
        return
    if not statement.regions:
        yield head + tail
        return
    for region in statement.regions:
        yield f"{head}{_parameters(region)} {{"
        for inner in region.statements:
            yield from statement_lines(inner, indent + _INDENT)
        head = f"{indent}}}"
    yield head + tail


def body_lines(body: Attribute, head: str, tail: str, indent: str) -> Iterator[str]:
    """A body between the beginning of its statement and the types of the results."""
    assert isinstance(body, Body)
    *statements, last = body.module.statements
    names = [each.result.name for each in statements if each.op is PARAM]
    yield f"{head} ({', '.join(names)}) {{"
    for each in statements:
        if each.op is not PARAM:
            yield from statement_lines(each, indent + _INDENT)
    yield f"{indent}{_INDENT}{print_statement(last)}"
    yield f"{indent}}}{tail}"


def print_statement(statement: Statement) -> str:
    """A statement without its result's type and its regions: `b = pad[pads={1,1}](a)`."""
    names = ", ".join([value.name for value in statement.results])
    text = f"{names} = " if names else ""
    op = statement.op
    if op is PARAM:
        return f"{text}{op.name}:{statement.attributes['name']}{_settings(statement)}"
    if op is LITERAL:
        element = statement.result.type.element
        numbers = ", ".join([format_number(value, element) for value in literal_numbers(statement)])
        return f"{text}{op.name}{{{numbers}}}"
    text += op.name
    shown = [
        f"{spec.name}={_attribute(spec, statement.attributes[spec.name])}"
        for spec in op.attributes
        if _is_shown(spec, statement)
    ]
    if shown:
        text += f"[{', '.join(shown)}]"
    if statement.operands or op is RETURN:
        text += f"({', '.join([value.name for value in statement.operands])})"
    return text


def _settings(parameter: Statement) -> str:
    """The attributes of a `@param` about its argument, in brackets."""
    given = parameter.attributes
    shown = [
        f"{spec.name}={_attribute(spec, given[spec.name])}" for spec in PARAM_SETTINGS if spec.name in given
    ]
    return f"[{', '.join(shown)}]" if shown else ""


def _is_shown(spec: AttributeSpec, statement: Statement) -> bool:
    value = statement.attributes[spec.name]
    if isinstance(value, int) and isinstance(spec.default, float):
        return float(value) != spec.default  # a whole number is read back as an int
    return repr(value) != repr(spec.default)  # -0.0 is shown if 0.0 is the default


def _attribute(spec: AttributeSpec, value: Attribute | Size) -> str:
    if isinstance(value, tuple):
        return "{" + ",".join([_attribute(spec, item) for item in value]) + "}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Index):
        return value.text
    if spec.kind is AttributeKind.WORD:
        return value if isinstance(value, str) and value.isidentifier() and value.isascii() else f'"{value}"'
    return str(value)


def _parameters(region: Region) -> str:
    return f" ({', '.join([value.name for value in region.parameters])})" if region.parameters else ""


def _results(statement: Statement) -> str:
    if not statement.results:
        return ""
    return " -> " + ", ".join([format_type(value.type) for value in statement.results])
