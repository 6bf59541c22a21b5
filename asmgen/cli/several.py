"""Run a command on several sources and folders; an error does not stop the rest, and a summary follows."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from asmgen.cli.parser import refuse_given, spelt_place
from asmgen.cli.terminal import print_error
from asmgen.files import OBJECT_SUFFIXES, is_code_object
from isa.diagnostics import InputError

_LONGEST_LIST = 20  # names in the summary


def for_each(
    arguments: argparse.Namespace,
    execute: Callable[[argparse.Namespace], int],
    suffixes: Sequence[str],
    suffix: str | None,
) -> int:
    """Run a command on each of `arguments.sources` and return the largest exit status.

    `execute` gets the arguments with `source`. If -o names a folder, it also gets `output`: the file in that
    folder with the name of the source and `suffix`. `suffix` is None if the command writes no files. A folder
    is searched for files with one of `suffixes`; a `.o` or `.so` file counts only if it is a code object.

    Raises `InputError`: SRC003 for a folder without such a file, CLI017 for two sources with the same output,
    CLI018 if -o is not a folder, CLI005 for --force without an output file.
    """
    if arguments.output in (None, "-"):
        refuse_given(arguments, ("--force",), "the command writes no file")
    named: list[str] = arguments.sources
    if len(named) == 1 and not os.path.isdir(named[0]) and not (arguments.output or "").endswith("/"):
        return execute(_with(arguments, named[0], arguments.output))
    sources = [pair for name in named for pair in _expanded(name, suffixes)]
    outputs = _outputs(arguments.output, sources, suffix)
    failed: list[str] = []
    status = 0
    for (source, _), output in zip(sources, outputs, strict=True):
        print(f"== {source}", flush=True)
        if suffix is not None and output is not None:
            os.makedirs(os.path.dirname(output), exist_ok=True)
        ended = _guarded(_with(arguments, source, output), execute)
        status = max(status, ended)
        if ended:
            failed.append(source)
    print(_summary(len(sources), failed))
    return status


def _with(arguments: argparse.Namespace, source: str, output: str | None) -> argparse.Namespace:
    return argparse.Namespace(**{**vars(arguments), "source": source, "output": output})


def _guarded(arguments: argparse.Namespace, execute: Callable[[argparse.Namespace], int]) -> int:
    """The exit status for a source; print the error of bad input and return 1."""
    try:
        return execute(arguments)
    except InputError as error:
        error.place = spelt_place(error.place, arguments)
        sys.stdout.flush()
        print_error(error)
        return 1


def _summary(count: int, failed: Sequence[str]) -> str:
    if not failed:
        return f"{_sources(count)}: all succeeded"
    names = ", ".join(failed[:_LONGEST_LIST]) + (" ..." if len(failed) > _LONGEST_LIST else "")
    return f"{_sources(count)}: {count - len(failed)} succeeded, {len(failed)} failed: {names}"


def _sources(count: int) -> str:
    return f"{count} source{'s' * (count != 1)}"


def _expanded(name: str, suffixes: Sequence[str]) -> list[tuple[str, str]]:
    """The sources below a folder, or the file itself, each with its path relative to the folder."""
    if not os.path.isdir(name):
        return [(name, os.path.basename(name))]
    sources: list[tuple[str, str]] = []
    for folder, folders, files in os.walk(name):
        folders[:] = sorted(inner for inner in folders if not inner.startswith("."))
        paths = (os.path.join(folder, file) for file in sorted(files) if not file.startswith("."))
        sources += [(path, os.path.relpath(path, name)) for path in paths if _is_wanted(path, suffixes)]
    if not sources:
        message = f"the folder has no file that the command reads, wanted one of {', '.join(suffixes)}"
        raise InputError(name, "SRC003", message)
    return sources


def _is_wanted(path: str, suffixes: Sequence[str]) -> bool:
    suffix = os.path.splitext(path)[1]
    if suffix not in suffixes or not os.path.isfile(path):
        return False
    if suffix not in OBJECT_SUFFIXES:
        return True
    try:
        with open(path, "rb") as file:
            return is_code_object(file.read(20))
    except OSError:
        return True  # the command reports why it cannot be read


def _outputs(folder: str | None, sources: Sequence[tuple[str, str]], suffix: str | None) -> list[str | None]:
    """The output file of each source in the folder of -o, or -o itself if the command writes no files."""
    if suffix is None:
        return [folder] * len(sources)
    if folder is None or folder == "-" or not (os.path.isdir(folder) or folder.endswith("/")):
        got = "no -o" if folder is None else f"-o {folder}"
        message = f"got {got} for {_sources(len(sources))}, wanted a folder for one file per source"
        raise InputError("-o", "CLI018", message, help="-o out/ creates the folder")
    made: dict[str, str] = {}
    for source, below in sources:
        output = os.path.join(folder, os.path.splitext(below)[0] + suffix)
        if output in made:
            message = f"{made[output]} and {source} would both be written to {output}"
            raise InputError("-o", "CLI017", message, help="compile each of them by itself")
        made[output] = source
    return list(made)
