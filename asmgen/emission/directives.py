"""Directives that only an assembler can follow: those that make instructions, or decide whether there are
any."""

from __future__ import annotations

import re

from isa.emulator.assembly import assembly_target
from isa.text.lines import without_block_comments

_MACHINERY = re.compile(
    r"^\s*\.(macro|rept|irp|irpc|if\w*|include|altmacro|incbin|insn|long|word|quad)\b", re.MULTILINE
)
_BEHIND_CODE = re.compile(r"^\s*\.(?:section\s+\.(?!text)|amdgpu_metadata|rodata|data)\b", re.MULTILINE)


def machinery_in(text: str) -> str:
    """The first directive that only an assembler can follow, in the part of the text that holds code;
    empty where there is none."""
    found = _MACHINERY.search(_BEHIND_CODE.split(text, maxsplit=1)[0])
    return f".{found.group(1)}" if found else ""


def followed(text: str, name: str, allow_include: bool) -> str | bytes:
    """Assembly text in a form that can be read: the text itself, or, where it has directives that only an
    assembler can follow, the code object that clang makes of it.
    """
    if not machinery_in(without_block_comments(text)):
        return text
    from asmgen.emission.assemble import assemble

    return assemble(text, assembly_target(text, name), name, allow_include=allow_include)
