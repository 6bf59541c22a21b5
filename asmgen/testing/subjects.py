"""The subject of a test: a program, a kernel, or text; and its text for comparisons."""

from __future__ import annotations

import re

from asmgen.artifact import CompiledKernel
from asmgen.cli.stages import assembly_text
from asmgen.compiled import CompiledProgram
from isa.diagnostics import InputError

Subject = CompiledProgram | CompiledKernel | str

_POSITION = re.compile(r"^\t\.(?:file\t\d+ \"(.*)\"|loc\t.*)$")  # as emission writes them
_LINE_OF_ORIGIN = re.compile(
    r"(?<=\S) :\d+(?=,|$)"
)  # in a comment, after the op that an instruction comes from


def text_of(subject: Subject) -> str:
    """The assembly of a program or a kernel without the lines and files of its source, so that it is the same
    wherever the source is.

    Text is compared as it is. `InputError` TST001 for anything else.
    """
    if isinstance(subject, str):
        return subject
    return _without_positions(
        assembly_text(subject) if isinstance(subject, CompiledProgram) else _kernel(subject).assembly
    )


def kernels_of(subject: CompiledProgram | CompiledKernel) -> tuple[CompiledKernel, ...]:
    """The kernels of a program, or the single kernel."""
    return subject.kernels if isinstance(subject, CompiledProgram) else (_kernel(subject),)


def title_of(subject: Subject) -> str:
    """The names of its kernels, as a message has them."""
    return (
        "the text" if isinstance(subject, str) else ", ".join(kernel.name for kernel in kernels_of(subject))
    )


def _kernel(subject: object) -> CompiledKernel:
    if not isinstance(subject, CompiledKernel):
        raise InputError(
            "asmgen.testing",
            "TST001",
            f"got {type(subject).__name__}, wanted a compiled program, a kernel of it, or text",
        )
    return subject


def _without_positions(assembly: str) -> str:
    lines = assembly.splitlines()
    files = [match[1] for line in lines if (match := _POSITION.match(line)) and match[1]]
    of_producer = (
        re.compile(rf", (?:{'|'.join(map(re.escape, files))}):\d+:\d+") if files else _LINE_OF_ORIGIN
    )
    kept = [_without_places(line, of_producer) for line in lines if not _POSITION.match(line)]
    return "".join(f"{line}\n" for line in kept)


def _without_places(line: str, of_producer: re.Pattern[str]) -> str:
    """A line with a comment that names neither its own op's line nor the line of the access that it waits
    for."""
    code, semicolon, comment = line.partition(";")
    return f"{code}{semicolon}{_LINE_OF_ORIGIN.sub('', of_producer.sub('', comment))}"
