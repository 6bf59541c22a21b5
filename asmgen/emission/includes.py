"""Refusing assembly text that would make an assembler read other files.

`.include` and `.incbin` are found in the text before any assembler sees it. A macro can still put the name of
such a directive together, so clang also runs with a limit on open files that lets it open none
(`Toolchain.confined`). If clang cannot run so, text with macros is refused.
"""

from __future__ import annotations

import re

from asmgen.emission.toolchain import Toolchain
from isa.diagnostics import InputError, Place
from isa.text.lines import split_comment

HOW_TO_ALLOW = "--allow-include lets the assembler read files, in Python allow_include=True"
_READS = re.compile(r"\s*(?:[\w.$@]+:\s*)*(\.(?:include|incbin))\b", re.IGNORECASE)
_PASTES = re.compile(r"\.(?:macro|irpc?|altmacro)\b", re.IGNORECASE)
_COULD_NOT = re.compile(r"Could not find (include|incbin) file")


def refuse_includes(text: str, name: str) -> None:
    """InputError ASM010 at the first line that has the assembler read another file."""
    lowered = text.lower()
    if ".include" not in lowered and ".incbin" not in lowered:
        return
    for number, line in enumerate(text.split("\n"), 1):
        if match := _READS.match(split_comment(line)[0]):
            raise _refusal(Place(name, number, match.start(1) + 1), match[1])


def refuse_hidden_includes(text: str, name: str, tools: Toolchain) -> None:
    """InputError ASM010 if a macro might read a file and this clang cannot be kept from it."""
    if not tools.confined and (match := _PASTES.search(text)):
        place = Place(name, text.count("\n", 0, match.start()) + 1, 1)
        message = (
            f"{match[0]} can put an .include together, and {tools.found} cannot be kept from reading files"
        )
        raise InputError(
            place, "ASM010", message, help=f"{HOW_TO_ALLOW}; ASMGEN_CLANG names a clang that is not a script"
        )


def refused_include(place: Place | str, message: str) -> InputError | None:
    """The refusal, if clang's message says that it was kept from reading a file; None for other messages."""
    match = _COULD_NOT.match(message)
    return _refusal(place, f".{match[1]}") if match else None


def _refusal(place: Place | str, directive: str) -> InputError:
    return InputError(
        place, "ASM010", f"{directive} reads another file, wanted text that is whole", help=HOW_TO_ALLOW
    )
