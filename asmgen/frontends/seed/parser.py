"""Parses a file of GPU Gen IR: statements as in gen text, with the ops of `rows`. A number may be an
operand.
"""

from __future__ import annotations

import re

from asmgen.frontends.seed.rows import ops_of
from asmgen.gentext.parser import ModuleParser
from asmgen.graph.ops import FORMS
from asmgen.ir.header import read_header
from asmgen.ir.numbers import read_number
from asmgen.ir.program import Module, Op, Stage, Value
from asmgen.ir.types import F32, LaneType
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import SourceText, TokenKind, tokenize
from isa.diagnostics import close_names
from isa.targets import TargetId

_SPACE = r"(?:\s|#[^\n]*|//[^\n]*)*"
# How our own files of a stage begin, after the line of the stage.
_OURS = {Stage.GRIDWISE: r"program\b", Stage.BLOCKWISE: r"(?:kernel|layout)\b"}
_LAUNCH = re.compile(rf"(?:\A|[\n{{]){_SPACE}launch\s*\[")
_COMMENT = re.compile(r"(?:#|//)[^\n]*")
_SEED_LANES = re.compile(r"\b(?:global_id|local_id|lane_id|workgroup_id)\b")


def is_seed(text: str, file_name: str, stage: Stage) -> bool:
    """Whether a file of a stage after the graph has modules of GPU Gen IR: no program of launches, no kernel
    of tiles, and no `launch`.
    """
    if stage is Stage.LANEWISE:
        code = _COMMENT.sub("", text)
        return _LAUNCH.search(code) is None and _SEED_LANES.search(code) is not None
    if stage not in _OURS:
        return False
    start = read_header(SourceText(text, file_name))[2]
    rest = re.compile(rf"{_SPACE}(?:\Z|{_OURS[stage]})")
    return rest.match(text, start) is None


class SeedParser(ModuleParser):
    """Parses a file of a stage."""

    def __init__(self, cursor: Cursor, stage: Stage) -> None:
        super().__init__(cursor, stage)
        self._ops = ops_of(stage)

    def _op(self) -> Op:
        cursor = self._cursor
        token = cursor.next()
        op = self._ops.get(token.text)
        if op is None or token.kind not in (TokenKind.IDENTIFIER, TokenKind.OP_NAME):
            cursor.fail(
                token,
                "GEN003",
                f"unknown op {token}, wanted an op of GPU Gen IR's stage {self._stage.value}",
                close_names(token.text, [*self._ops, *FORMS]),
            )
        return op

    def _operand(self) -> Value:
        cursor = self._cursor
        if cursor.peek().kind is not TokenKind.NUMBER:
            return super()._operand()
        token = cursor.next()
        name = self._builder.fresh("number")
        number = float(read_number(token.text))
        return self._builder.literal(name, (number,), LaneType(F32), cursor.place(token))


def parse_seed(text: str, file_name: str) -> tuple[Stage, TargetId, tuple[Module, ...]]:
    """The modules of a file. Every refusal is an `InputError` at its place, with the codes of gen text."""
    source = SourceText(text, file_name)
    stage, target, start = read_header(source)
    cursor = Cursor(source, tokenize(source, start))
    if target is None:
        cursor.fail(cursor.peek(), "GEN017", f"the file names no target, wanted 'stage {stage.value} TARGET'")
    parser = SeedParser(cursor, stage)
    modules = parser.file()
    if parser.has_named_dims:
        message = "a dim has a name, wanted numbers: GPU Gen IR has its sizes when it is compiled"
        cursor.fail(cursor.tokens[0], "GEN014", message)
    return stage, target, modules
