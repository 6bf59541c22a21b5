"""Reads the first line of a gen file, which names its stage and its target.

stage blockwise gfx942      a tile program for gfx942
x = @param:x -> f32, {8}    no such line: a graph, for any target
"""

from __future__ import annotations

import re

from asmgen.ir.program import Stage
from asmgen.text.lexer import SourceText
from isa.diagnostics import InputError, close_names
from isa.targets import TargetId, parse_target

_STAGE_OF_WORD = {"kernel": Stage.BLOCKWISE.value, "program": Stage.GRIDWISE.value}
_BEFORE = r"(?:[ \t\r\f]*(?:(?:#|//)[^\n]*)?\n)*[ \t]*"  # empty lines and comments
_HEADLESS = re.compile(rf"{_BEFORE}(?P<word>{'|'.join(_STAGE_OF_WORD)})[ \t]*@")
_HEADER = re.compile(
    rf"{_BEFORE}stage[ \t]+(?P<rest>[A-Za-z][^\n#]*?)[ "
    r"\t\r]*(?:#[^\n]*)?(?:\n|\Z)"
)
_STAGES = {stage.value: stage for stage in Stage}
TARGETED = (Stage.LANEWISE, Stage.FINAL)  # stages of lanes; their files name a target


def read_header(source: SourceText) -> tuple[Stage, TargetId | None, int]:
    """The stage, the target and the offset after the line `stage NAME TARGET`; a file without this line is
    a graph."""
    match = _HEADER.match(source.text)
    if match is None:
        _refuse_headless(source)
        return Stage.GRAPH, None, 0
    start = match.start("rest")
    name, *rest = match["rest"].split()
    if name not in _STAGES:
        message = f"unknown stage {name!r}, wanted one of {', '.join(_STAGES)}"
        help = (
            "a machine program has the suffix .mir"
            if name in ("machine", "allocated")
            else close_names(name, _STAGES)
        )
        raise InputError(source.place(start), "GEN017", message, help=help)
    stage = _STAGES[name]
    if len(rest) > 1 or (not rest and stage in TARGETED):
        raise InputError(
            source.place(start), "GEN017", f"got 'stage {match['rest']}', wanted 'stage {name} TARGET'"
        )
    if not rest:
        return stage, None, match.end()
    place = source.place(source.text.index(rest[0], start + len(name)))
    return stage, parse_target(rest[0], place), match.end()


def _refuse_headless(source: SourceText) -> None:
    """`InputError` GEN017 for a tile program or a program of launches without its first line."""
    match = _HEADLESS.match(source.text)
    if match is not None:
        word = match["word"]
        raise InputError(
            source.place(match.start("word")),
            "GEN017",
            f"got '{word} @' without a stage, wanted 'stage {_STAGE_OF_WORD[word]} TARGET' as the first line",
        )


def stage_of(text: str, file_name: str) -> Stage:
    """The stage that a file is of; `asmgen.gridwise` and `asmgen.blockwise` have readers of their own."""
    return read_header(SourceText(text, file_name))[0]
