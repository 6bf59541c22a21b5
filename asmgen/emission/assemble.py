"""Assembly text to a code object: by clang and lld, or by the built-in assembler if there is no clang."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from asmgen.emission.includes import refuse_hidden_includes, refuse_includes, refused_include
from asmgen.emission.toolchain import (
    CONFINED_DESCRIPTORS,
    HOW_TO_GET_CLANG,
    NO_CLANG,
    Toolchain,
    find_toolchain,
)
from asmgen.options import ASSEMBLERS, BUILTIN
from isa.bounded_process import Finished, Limits, run_bounded
from isa.diagnostics import InputError, InternalError, Place
from isa.targets import TargetId
from isa.text.lines import without_block_comments

ASSEMBLER_VARIABLE = "ASMGEN_ASSEMBLER"
SOURCE = "kernel.s"
OBJECT = "kernel.o"
_COMPLAINT = re.compile(r"^(?:.*/)?kernel\.s:(\d+):(\d+): error: (.*)", re.MULTILINE)
_IN_MACRO = re.compile(
    r"^<instantiation>:\d+:\d+: error: (.*)(?:.|\n)*?kernel\.s:(\d+):(\d+): note: while in "
    r"macro instantiation",
    re.MULTILINE,
)
_ELSEWHERE = re.compile(r"^.*\berror: .*", re.MULTILINE)
_LONGEST = 160  # characters of a line that are quoted
_LEAST_MEMORY, _MOST_MEMORY, _MEMORY_OF_A_BYTE = 1 << 29, 3 << 29, 16
_LEAST_SECONDS, _BYTES_A_SECOND = 3, 1 << 20  # clang assembles three megabytes in a second
_OF_CLANG = "`--assembler builtin` assembles without clang, and may say more"
_HOW_TO_LINK = "`--assembler builtin` names the line, also of a symbol that is defined nowhere"
_HOW_TO_SHORTEN = (
    "repetitions (.rept, .macro, .fill, .p2align) make the text longer than it shows; use fewer or smaller "
    "repetitions"
)


def assemble(
    text: str,
    target: TargetId,
    source: str = "",
    allow_include: bool = False,
    assembler: str = "",
) -> bytes:
    """The code object (a shared ELF object) that `text` assembles and links to.

    `assembler` is clang or builtin (`asmgen.options.ASSEMBLERS`). If it is empty, `ASMGEN_ASSEMBLER` selects
    the assembler of asmgen's own text; without that it is clang, if clang is found. `source` is the user's
    file that the text was read from; rejected text is then an `InputError` at its line. Without it the text
    is asmgen's own and a rejection is an `InternalError`. `InputError` if clang is needed and not found,
    ASM010 if the text makes clang read other files and that is not allowed, ASM011 if clang takes too long or
    too much memory.
    """
    assembler = assembler or ("" if source else _preferred())
    if assembler == BUILTIN:
        return _by_ourselves(text, target, source, allow_include)
    try:
        tools = find_toolchain(target.clang)
    except InputError as error:
        if assembler or error.code != NO_CLANG:
            raise
        return _by_ourselves(text, target, source, allow_include, HOW_TO_GET_CLANG)
    with tempfile.TemporaryDirectory(prefix="asmgen-") as name:
        directory = Path(name)
        assembled = make_object(text, target, directory, tools, source, allow_include)
        if assembled.status:
            raise _rejection(assembled.complaint, text, source)
        linked = _run("ld.lld", tools.link_command(OBJECT, "kernel.hsaco"), directory, _limits(text), source)
        if linked.status:
            raise _link_error(linked.complaint, source)
        return Path(directory, "kernel.hsaco").read_bytes()


def _preferred() -> str:
    """The assembler that the environment names; empty if it names none. `InputError` for an unknown
    assembler."""
    named = os.environ.get(ASSEMBLER_VARIABLE, "")
    if named not in ("", *ASSEMBLERS):
        raise InputError(
            ASSEMBLER_VARIABLE, "OPT005", f"got {named!r}, wanted one of {', '.join(ASSEMBLERS)}"
        )
    return named


def _by_ourselves(text: str, target: TargetId, source: str, allow_include: bool, more: str = "") -> bytes:
    """The built-in assembler's code object; `more` is how to get the assembler that knows more."""
    from isa.assembler.assembling import assemble_text
    from isa.assembler.state import UnknownHere

    if source and not allow_include:
        refuse_includes(text, source)
    try:
        return assemble_text(text, target, source or SOURCE)
    except InputError as error:
        if not source:
            raise InternalError("assemble", str(error.place), error.message) from error
        if more and isinstance(error, UnknownHere):
            raise InputError(error.place, error.code, error.message, error.notes, more) from error
        raise


def make_object(
    text: str,
    target: TargetId,
    directory: Path,
    tools: Toolchain,
    source: str,
    allow_include: bool = False,
    options: tuple[str, ...] = (),
) -> Finished:
    """clang's run from `text` to an object in a directory, with names relative to it: no path of this machine
    gets into the object.

    `InputError` ASM010 for text that reads other files if that is not allowed, ASM011 if a limit stopped
    clang, ASM012 if the directory has no room for the text.
    """
    _write_source(text, directory)
    more = (*options, *target.clang_options)
    if allow_include:
        more = (*more, "-I", str(Path(source).resolve().parent))
    elif source:
        refuse_includes(text, source)
        refuse_hidden_includes(text, source, tools)
    limits = _limits(text, CONFINED_DESCRIPTORS if tools.confined and not allow_include else None)
    done = _run(
        "clang", tools.assemble_command(target.clang, SOURCE, OBJECT, more), directory, limits, source
    )
    if done.status and not allow_include and (error := complaint_of(done.complaint)) and source:
        line, column, message = error
        refusal = refused_include(Place(source, line, column), message)
        if refusal is not None:
            raise refusal
    return done


def _write_source(text: str, directory: Path) -> None:
    try:
        Path(directory, SOURCE).write_text(text, encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(
            str(directory),
            "ASM012",
            f"cannot write clang's input there: {reason}",
            help="TMPDIR names another folder for temporary files; --assembler builtin needs none",
        ) from error


def complaint_of(complaint: str) -> tuple[int, int, str] | None:
    """Line, column and message of clang's first error, at the text's own line for an error in a macro; None
    if it names no line."""
    if match := _COMPLAINT.search(complaint):
        return int(match[1]), int(match[2]), match[3]
    if match := _IN_MACRO.search(complaint):
        return int(match[2]), int(match[3]), match[1]
    return None


def first_error(complaint: str) -> str:
    """clang's first error without its place in our copy of the text, or the first line that it said."""
    match = _ELSEWHERE.search(complaint)
    lines = complaint.strip().splitlines() or ["no message"]
    return shortened(match[0] if match else lines[0])


def shortened(text: str) -> str:
    """A line that is quoted in a message, at a length that can be read."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _limits(text: str, descriptors: int | None = None) -> Limits:
    """The limits of clang and lld for a text: proportional to its length, above the needs of small texts."""
    memory = min(_LEAST_MEMORY + _MEMORY_OF_A_BYTE * len(text), _MOST_MEMORY)
    return Limits(_LEAST_SECONDS + len(text) // _BYTES_A_SECOND, memory, descriptors=descriptors)


def _run(program: str, command: list[str], directory: Path, limits: Limits, source: str) -> Finished:
    try:
        done = run_bounded(command, directory, limits)
    except OSError as error:
        raise InputError(
            "assembler",
            "TOOL005",
            f"{command[0]} cannot be started: {(error.strerror or str(error)).lower()}",
            help="--assembler builtin needs no tools, and `python -m asmgen doctor` shows the tools found",
        ) from error
    if done.stopped:
        raise InputError(
            source or "assembler",
            "ASM011",
            f"{program} {done.stopped}",
            help=_HOW_TO_SHORTEN if source else "",
        )
    return done


def _rejection(complaint: str, text: str, source: str) -> InputError | InternalError:
    """clang's first error, at its line."""
    complained = complaint_of(complaint)
    if complained is None:
        first = first_error(complaint)
        return (
            InputError(source, "ASM001", f"clang: {first}", help=_OF_CLANG)
            if source
            else InternalError("assemble", "clang", first)
        )
    line, column, message = complained
    lines = text.split("\n")
    quote = shortened(lines[line - 1].strip()) if line <= len(lines) else ""
    if source:
        quoted = f": {quote}" if quote else ""
        return InputError(
            Place(source, line, column), "ASM001", f"{shortened(message)}{quoted}", help=_OF_CLANG
        )
    return InternalError("assemble", f"line {line}", f"clang says {message!r} of {quote!r}")


def _link_error(complaint: str, source: str) -> InputError | InternalError:
    lines = [
        line.removeprefix("ld.lld: ").removeprefix("error: ") for line in complaint.strip().splitlines()
    ] or ["no message"]
    first = shortened(lines[0])
    return (
        InputError(source, "ASM002", f"ld.lld: {first}", help=_HOW_TO_LINK)
        if source
        else InternalError("assemble", "ld.lld", first)
    )


_MACHINERY = re.compile(
    r"^\s*\.(macro|rept|irp|irpc|if\w*|include|altmacro|incbin|insn|long|word|quad)\b", re.MULTILINE
)
_BEHIND_CODE = re.compile(r"^\s*\.(?:section\s+\.(?!text)|amdgpu_metadata|rodata|data)\b", re.MULTILINE)


def machinery_in(text: str) -> str:
    """The first directive that only an assembler can follow, in the part of the text with code; empty if
    there is none."""
    match = _MACHINERY.search(_BEHIND_CODE.split(text, maxsplit=1)[0])
    return f".{match.group(1)}" if match else ""


def followed(text: str, name: str, allow_include: bool) -> str | bytes:
    """Assembly text in a form that can be read: the text itself, or the code object that clang makes of it if
    it has directives that only an assembler can follow."""
    if not machinery_in(without_block_comments(text)):
        return text
    from isa.emulator.program.assembly import assembly_target

    return assemble(text, assembly_target(text, name), name, allow_include=allow_include)
