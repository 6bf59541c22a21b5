"""Reads a program as MIGraphX prints it: the same graph as from gen text.

    module: "main"                                                         module @main {
    y = @param:y -> float_type, {12}, {1}                                    y = @param:y -> f32, {12}
    x = @param:x -> float_type, {8}, {1}                                     x = @param:x -> f32, {8}
    @2 = pad[mode=0,pads={2, 2},value=0](x) -> float_type, {12}, {1}         v2 = pad[pads={2,2}](x)
    @3 = pointwise(@2,y), [main:pointwise0] -> float_type, {12}, {1}         v3 = pointwise[module=...](v2, y)
    @4 = @return(@3), target_id=0                                            @return(v3)

`quant_dot` is `dot` with the type of its result. Each line becomes a line of gen text, so that errors have
its place. Attributes that the op's row lacks,
such as `out_dyn_dims`, are dropped. Called modules come after their callers and are read first.
"""

from __future__ import annotations

import re

from asmgen.gentext.parser import ModuleParser
from asmgen.graph.ops import GRAPH_OPS
from asmgen.ir.program import AttributeKind, AttributeSpec, Module, Program, Stage
from asmgen.ir.types import ELEMENT_TYPES
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import SourceText, tokenize
from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple

_HEADER = re.compile(r'[ \t]*module: "(?P<name>[^"\n]*)"[ \t]*\Z')
_IS_ONE = re.compile(r'(?m)^[ \t]*(?:module: "|(?:\w+:)*@\d+ = )')
_TARGET_ID = re.compile(r", target_id=\d+")
_PREFIX = re.compile(
    r"(?<![@\w:])(?:[A-Za-z_]\w*:)+(?=[A-Za-z_@])"
)  # of names of a module, before each of them
_NUMBERED = re.compile(r"(?<![\w@])@(\d+)")
_CALL = re.compile(r"(?P<op>[\w:]+)(?:\[[^\]]*\])?\((?P<operands>[^()]*)\), \[(?P<module>[^\],]+)\]")
_RETURN = re.compile(r"\A[ \t]*\w+ = (?=@return)")
_ATTRIBUTES = re.compile(r"= (?P<op>\w+)\[(?P<attributes>[^\]]*)\]")
_ATTRIBUTE = re.compile(r"(?P<name>\w+)=(?P<value>\{[^}]*\}|[^,\]]+)")
_QUANTISED = re.compile(r"= quant_dot(?P<given>\([^()]*\) -> (?P<type>\w+))")
_ELIDED = re.compile(r"\{ *\.\.\. *\}")
_PAD_MODES = ("constant", "reflect", "edge")  # by their numbers
_ELEMENTWISE = "pointwise"


class _Section(NamedTuple):
    """A module's lines: its name, the number of lines before it, and the lines as gen text."""

    name: str
    first: int
    lines: list[str]


def is_migraphx(text: str) -> bool:
    """Whether MIGraphX printed a text: it writes `module: "main"`, or numbers values."""
    return _IS_ONE.search(text) is not None


def read_migraphx(text: str, file_name: str) -> Program:
    """The graph of the module `main`, or of the first module. Raises `InputError` like the parser of gen
    text, and GEN015 for a literal without its numbers."""
    sections = _sections(text, file_name)
    known: dict[str, Module] = {}
    for section in reversed(sections):
        source = SourceText("\n" * section.first + "\n".join([*section.lines, ""]), file_name)
        parser = ModuleParser(Cursor(source, tokenize(source)), Stage.GRAPH)
        parser.know(known)
        known[section.name] = parser.module_body(section.name, "the end of the module")
    return Program(Stage.GRAPH, (known[sections[0].name],))


def _sections(text: str, file_name: str) -> list[_Section]:
    sections = [_Section("main", 0, [])]
    for number, line in enumerate(text.splitlines()):
        header = _HEADER.match(line)
        if header is None:
            sections[-1].lines.append(_line(line, number, file_name))
        elif not any(each.strip() for each in sections[-1].lines):
            sections[-1] = _Section(_identifier(header["name"]), number + 1, [])
        else:
            sections.append(_Section(_identifier(header["name"]), number + 1, []))
    return sections


def _line(line: str, number: int, file_name: str) -> str:
    if _ELIDED.search(line):
        message = "the literal's numbers were left out when it was printed, wanted all of them"
        raise InputError(f"{file_name}:{number + 1}", "GEN015", message)
    text = _CALL.sub(_called, _TARGET_ID.sub("", line))
    text = _NUMBERED.sub(r"v\1", _PREFIX.sub("", text))
    text = _QUANTISED.sub(_product, text)
    return _ATTRIBUTES.sub(_attributes, _RETURN.sub("", text))


def _product(match: re.Match[str]) -> str:
    element = ELEMENT_TYPES.get(match["type"])
    return match[0] if element is None else f"= dot[target_type={element}]{match['given']}"


def _called(match: re.Match[str]) -> str:
    op = _ELEMENTWISE if match["op"].endswith(_ELEMENTWISE) else "op"
    return f"{op}[module={_identifier(match['module'])}]({match['operands']})"


def _attributes(match: re.Match[str]) -> str:
    op = GRAPH_OPS.get(match["op"])
    if op is None:
        return match[0]
    specs = {spec.name: spec for spec in op.attributes}
    kept = [
        f"{each['name']}={_value(specs[each['name']], each['value'])}"
        for each in _ATTRIBUTE.finditer(match["attributes"])
        if each["name"] in specs
    ]
    return f"= {op.name}[{', '.join(kept)}]"


def _value(spec: AttributeSpec, text: str) -> str:
    """The word or the truth value for which MIGraphX prints a number."""
    if spec.kind is AttributeKind.BOOL and text.isdigit():
        return "true" if int(text) else "false"
    if spec.kind is AttributeKind.WORD and text.isdigit() and int(text) < len(_PAD_MODES):
        return _PAD_MODES[int(text)]
    return text


def _identifier(name: str) -> str:
    return re.sub(r"\W", "_", name) or "main"
