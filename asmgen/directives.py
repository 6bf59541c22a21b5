"""Directives that only an assembler can follow: those that make instructions, or decide whether there are
any."""

from __future__ import annotations

import re

from isa.emulator.assembly import assembly_target

_BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_MACHINERY = re.compile(
    r"^\s*\.(macro|rept|irp|irpc|if\w*|include|altmacro|incbin|insn|long|word|quad)\b", re.MULTILINE
)
_BEHIND_CODE = re.compile(r"^\s*\.(?:section\s+\.(?!text)|amdgpu_metadata|rodata|data)\b", re.MULTILINE)


def without_block_comments(text: str) -> str:
    """The text with blanks where its block comments are; lines keep their numbers."""
    return (
        _BLOCK_COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text) if "/*" in text else text
    )


def machinery_in(text: str) -> str:
    """The first directive that only an assembler can follow, in the part of the text that holds code;
    empty where there is none."""
    found = _MACHINERY.search(_BEHIND_CODE.split(text, maxsplit=1)[0])
    return f".{found.group(1)}" if found else ""


def followed(text: str, name: str, allow_include: bool) -> str | bytes:
    """What can be read of assembly text: the text, or the code object that clang makes of one that only an
    assembler can follow."""
    if not machinery_in(without_block_comments(text)):
        return text
    from asmgen.assemble import assemble

    return assemble(text, assembly_target(text, name), name, allow_include=allow_include)
