"""Which file a command may write: neither its source, nor a protected file, nor one whose suffix says
otherwise."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping, Sequence
from enum import Enum

from asmgen.cli.terminal import write_output
from asmgen.files import ASSEMBLY_SUFFIXES, GEN_SUFFIXES, MACHINE_SUFFIXES, MLIR_SUFFIXES, OBJECT_SUFFIXES
from asmgen.ir.program import Stage
from isa.diagnostics import InputError

_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


class Content(Enum):
    """What a file holds, and the suffixes that say so; the first is the usual one."""

    GEN = ("gen text", GEN_SUFFIXES)
    MACHINE = ("a machine program", MACHINE_SUFFIXES)
    ASSEMBLY = ("assembly", ASSEMBLY_SUFFIXES)
    OBJECT = ("a code object", OBJECT_SUFFIXES)
    MLIR = ("MLIR", MLIR_SUFFIXES)
    HTML = ("a page", (".html", ".htm"))
    JSON = ("JSON", (".json",))
    TEXT = ("text", (".txt",))
    ARRAY = ("an array", (".npy",))
    PYTHON = ("a Python program", (".py",))

    def __init__(self, words: str, suffixes: tuple[str, ...]) -> None:
        self.words = words
        self.suffixes = suffixes


_OF_SUFFIX = {suffix: content for content in Content for suffix in content.suffixes}
_OF_STAGE = {
    **{stage.value: Content.GEN for stage in Stage},
    "machine": Content.MACHINE,
    "allocated": Content.MACHINE,
    "asm": Content.ASSEMBLY,
    "obj": Content.OBJECT,
}
# The option by which `kernel` writes each content.
EMIT_OPTIONS = {
    Content.GEN: "--emit lanewise",
    Content.MACHINE: "--emit machine",
    Content.ASSEMBLY: "--emit asm",
    Content.OBJECT: "--emit obj",
}


def content_of_stage(stage: str) -> Content:
    """What `--emit` with a stage writes."""
    return _OF_STAGE[stage]


def check_output(
    output: str | None,
    content: Content,
    sources: Sequence[str],
    is_forced: bool,
    options: Mapping[Content, str],
) -> None:
    """Hold the file of -o to the rules; a pipe, a device and standard output have none.

    Raises `InputError`: CLI015 for a source itself, CLI012 for a suffix of another content, CLI016 for a file
    that is write-protected. `is_forced` (`--force`) lets all three pass. `options` says how
    the command would write another content.
    """
    if output is None or output == "-" or is_forced:
        return
    if os.path.exists(output) and not os.path.isfile(output):
        return  # a folder is refused when it is written, a device is no file
    if any(
        os.path.exists(output) and os.path.exists(name) and os.path.samefile(output, name) for name in sources
    ):
        message = f"{output} is the source itself and would be overwritten, wanted another file"
        raise InputError(
            "-o", "CLI015", message, help="-o - writes to standard output; --force overwrites it"
        )
    _check_suffix(output, content, options)
    if os.path.exists(output) and not os.stat(output).st_mode & _WRITABLE:
        message = f"{output} is write-protected, wanted another file"
        raise InputError("-o", "CLI016", message, help="--force replaces it")


def _check_suffix(output: str, content: Content, options: Mapping[Content, str]) -> None:
    said = _OF_SUFFIX.get(os.path.splitext(output)[1], content)
    if said is content or (said is Content.TEXT and content is not Content.OBJECT):
        return
    message = f"{output} has the suffix of {said.words} and would get {content.words}"
    way = f"{options[said]} -o {output}, or " if said in options else ""
    help = f"{way}a name that ends in {content.suffixes[0]}; --force writes it anyway"
    raise InputError("-o", "CLI012", message, help=help)


def write_stage(output: str | None, stage: str, data: str | bytes) -> None:
    """Write a stage to the file of -o, or to standard output; a note tells if no command reads the file again
    because of its suffix."""
    write_output(output or "-", data)
    suffixes = _OF_STAGE[stage].suffixes
    if output is not None and os.path.isfile(output) and os.path.splitext(output)[1] not in suffixes:
        name = _OF_STAGE[stage].words
        print(
            f"note: to be read again as {name}, its name has to end in {' or '.join(suffixes)}",
            file=sys.stderr,
        )
