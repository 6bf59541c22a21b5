"""Output files: the rules for -o, and writing a file whole or not at all.

-o must not name the source, a write-protected file, or a file with the suffix of another format.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping, Sequence
from enum import Enum
from errno import EACCES, EISDIR, ENOENT
from typing import TYPE_CHECKING

from asmgen.cache.answer import file_written
from asmgen.files import (
    ASSEMBLY_SUFFIXES,
    GEN_SUFFIXES,
    MACHINE_SUFFIXES,
    MLIR_SUFFIXES,
    OBJECT_SUFFIXES,
    RUN_SUFFIX,
)
from asmgen.ir.stage import LAUNCHES, Stage
from isa.diagnostics import InputError

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

_LONGEST_PREFIX = 64  # of a temporary file's name
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


class Content(Enum):
    """The content of a file: its name in messages and its suffixes, the usual suffix first."""

    GEN = ("gen text", GEN_SUFFIXES)
    MACHINE = ("a machine program", MACHINE_SUFFIXES)
    ASSEMBLY = ("assembly", ASSEMBLY_SUFFIXES)
    OBJECT = ("a code object", OBJECT_SUFFIXES)
    MLIR = ("MLIR", MLIR_SUFFIXES)
    HTML = ("HTML", (".html", ".htm"))
    JSON = ("JSON", (".json",))
    TEXT = ("text", (".txt",))
    DOT = ("a graph of Graphviz", (".dot", ".gv"))
    ARRAY = ("an array", (".npy",))
    PYTHON = ("a Python program", (".py",))
    RUN = ("a run file", (RUN_SUFFIX,))
    PERFETTO = ("a Perfetto trace", (".pftrace", ".perfetto-trace"))

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
    LAUNCHES: Content.JSON,
}
# The option of `kernel` that writes each content.
EMIT_OPTIONS = {
    Content.GEN: "--emit lanewise",
    Content.MACHINE: "--emit machine",
    Content.ASSEMBLY: "--emit asm",
    Content.OBJECT: "--emit obj",
    Content.JSON: f"--emit {LAUNCHES}",
}


_OF_FORMAT = {
    "text": Content.TEXT, "json": Content.JSON, "html": Content.HTML, "dot": Content.DOT,
    "perfetto": Content.PERFETTO,
}  # fmt: skip
_FORMAT_OPTIONS = {content: f"--format {name}" for name, content in _OF_FORMAT.items()}


def suffix_of_format(arguments: argparse.Namespace) -> str | None:
    """The suffix of the files that a command writes in the format of --format; None if it prints text or
    JSON."""
    prints = arguments.format in ("text", "json") and arguments.output in (None, "-")
    return None if prints else _OF_FORMAT[arguments.format].suffixes[0]


def check_formatted(arguments: argparse.Namespace) -> None:
    """Check the file of -o for the format of --format, as `check_output` does."""
    content = _OF_FORMAT[arguments.format]
    check_output(arguments.output, content, [arguments.source], arguments.force, _FORMAT_OPTIONS)


def content_of_stage(stage: str) -> Content:
    """The content that `--emit STAGE` writes."""
    return _OF_STAGE[stage]


def check_output(
    output: str | None,
    content: Content,
    sources: Sequence[str],
    is_forced: bool,
    options: Mapping[Content, str],
) -> None:
    """Check the file of -o. A pipe, a device and standard output always pass.

    Raises `InputError`: CLI015 for a source, CLI012 for the suffix of another content, CLI016 for a
    write-protected file. `is_forced` (`--force`) allows all three. `options` maps other contents to the
    option that writes them.
    """
    if output is None or output == "-" or is_forced:
        return
    if os.path.exists(output) and not os.path.isfile(output):
        return  # writing refuses a folder; a device is not a file
    if any(
        os.path.exists(output) and os.path.exists(name) and os.path.samefile(output, name) for name in sources
    ):
        message = f"{output} is the source and would be overwritten, wanted another file"
        raise InputError(
            "-o", "CLI015", message, help="-o - writes to standard output; --force overwrites it"
        )
    _check_suffix(output, content, options)
    if os.path.exists(output) and not os.stat(output).st_mode & _WRITABLE:
        message = f"{output} is write-protected, wanted another file"
        raise InputError("-o", "CLI016", message, help="--force replaces it")


def check_place(output: str | None) -> None:
    """Raise `InputError` OUT001 before long work if the file of -o cannot be written later."""
    if output is None or output == "-" or _is_written_in_place(output):
        return
    folder = os.path.dirname(output) or "."
    if os.path.isdir(output):
        raise _unwritable(output, os.strerror(EISDIR))
    if not os.path.isdir(folder):
        raise _unwritable(output, os.strerror(ENOENT))
    if not os.access(folder, os.W_OK):
        raise _unwritable(output, os.strerror(EACCES))


def check_text(option: str, output: str) -> None:
    """Raise `InputError` CLI012 if the file of an option that writes text or JSON has the suffix of a program
    or an array: the command may read this file."""
    said = _OF_SUFFIX.get(os.path.splitext(output)[1], Content.TEXT)
    if said not in (Content.TEXT, Content.JSON):
        help = f"a name that ends in {Content.TEXT.suffixes[0]}"
        raise InputError(f"{option} {output}", "CLI012", _other_suffix(output, said, Content.TEXT), help=help)


def _other_suffix(output: str, said: Content, content: Content) -> str:
    return f"{output} has the suffix of {said.words}, but the command writes {content.words}"


def _check_suffix(output: str, content: Content, options: Mapping[Content, str]) -> None:
    said = _OF_SUFFIX.get(os.path.splitext(output)[1], content)
    if said is content or (said is Content.TEXT and content is not Content.OBJECT):
        return
    message = _other_suffix(output, said, content)
    way = f"{options[said]} -o {output}, or " if said in options else ""
    help = f"{way}a name that ends in {content.suffixes[0]}; --force writes the file anyway"
    raise InputError("-o", "CLI012", message, help=help)


def write_stage(output: str | None, stage: str, data: str | bytes) -> None:
    """Write a stage to the file of -o, or to standard output. Print a note if no command will read the file
    because of its suffix."""
    write_output(output or "-", data)
    suffixes = _OF_STAGE[stage].suffixes
    if output in (None, "-") or (os.path.exists(output) and not os.path.isfile(output)):
        return
    if os.path.splitext(output)[1] not in suffixes:
        name = _OF_STAGE[stage].words
        print(
            f"note: commands read {name} only from a file with a name that ends in {' or '.join(suffixes)}",
            file=sys.stderr,
        )


def write_output(path: str, content: str | bytes) -> None:
    """Write to the file `path`, whole or not at all, or to standard output for `-`."""
    data = content.encode(errors="surrogateescape") if isinstance(content, str) else content
    if path == "-":
        sys.stdout.flush()
        _ = sys.stdout.buffer.write(data)
        return
    with file_written(data) as is_ours:
        if is_ours:
            write_file(path, data)


def write_file(path: str | Path, data: bytes) -> None:
    """Call `replace_file`, and report the new file on standard error."""
    replace_file(path, data)
    if os.path.isfile(path) and not _is_written_in_place(path):
        print(f"wrote {path}: {len(data)} bytes", file=sys.stderr)


def make_folder_of(path: str) -> None:
    """Make the folder of a file and those above it. `InputError` OUT001 on failure."""
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    except OSError as error:
        folder = error.filename or os.path.dirname(path)
        message = f"the folder cannot be made: {(error.strerror or str(error)).lower()}"
        way = f"{folder} is a file: choose another name for -o" if os.path.isfile(folder) else ""
        raise InputError(str(folder), "OUT001", message, help=way) from error


def replace_file(path: str | Path, data: bytes) -> None:
    """Write a file whole or not at all; write to a device or a pipe in place. `InputError` OUT001 on failure.

    A link stays a link, and an existing file keeps its mode.
    """
    try:
        if _is_written_in_place(path):
            with open(path, "wb") as device:
                _ = device.write(data)
        else:
            _replace(os.path.realpath(path), data)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise _unwritable(path, reason) from error


def _unwritable(path: str | Path, reason: str) -> InputError:
    message = f"the file cannot be written: {reason.lower()}"
    return InputError(str(path), "OUT001", message, help=_way_to_write(path))


def _way_to_write(path: str | Path) -> str:
    if os.path.isdir(path):
        return f"-o {path}/NAME writes a file in the folder"
    folder = os.path.dirname(path) or "."
    return "" if os.path.exists(folder) else f"`mkdir -p {folder}` creates the folder"


def _is_written_in_place(path: str | Path) -> bool:
    """Whether a path names a device, a pipe, or an open file of this process such as /dev/stdout."""
    is_open_file = os.path.islink(path) and os.path.abspath(path).startswith(("/dev/", "/proc/"))
    return is_open_file or (os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)))


def _replace(path: str, data: bytes) -> None:
    """Write a temporary file next to `path`, then rename it."""
    mode = os.stat(path).st_mode & 0o777 if os.path.isfile(path) else 0o666 & ~_umask()
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name[:_LONGEST_PREFIX]}.{os.getpid()}.{os.urandom(4).hex()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            _ = file.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    """The umask of the process. Reading it requires setting it."""
    mask = os.umask(0)
    _ = os.umask(mask)
    return mask
