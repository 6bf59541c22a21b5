"""The sources that a command line names: files, folders, patterns and lists; the output of each; and all
files that are read."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from asmgen.files import LARGEST_TEXT, OBJECT_SUFFIXES, PYTHON_KERNEL, RUN_SUFFIX, is_code_object, text_of
from isa.diagnostics import InputError

LIST = "@"  # before the name of a file with a source a line
_MAGIC = "*?["

Named = tuple[str, str]
"""A source, and its path below the folder that was named."""


def are_several(name: str) -> bool:
    """Whether a name may stand for any number of sources."""
    return os.path.isdir(name) or name.startswith(LIST) or _is_pattern(name)


def expanded(names: Sequence[str], suffixes: Sequence[str]) -> list[Named]:
    """The sources that names stand for. A folder is searched for files with one of `suffixes`; a `.o` or
    `.so` file counts only if it is a code object.

    Raises `InputError`: SRC003 for a folder without such a file or a pattern without a file, SRC013 for a
    list that cannot be read or is empty.
    """
    return [named for name in names for named in _expanded(name, suffixes)]


def _expanded(name: str, suffixes: Sequence[str]) -> list[Named]:
    if os.path.isdir(name):
        return _below(name, suffixes)
    if name.startswith(LIST):
        return expanded(_listed(name[len(LIST) :]), suffixes)
    return _matching(name) if _is_pattern(name) else [(name, os.path.basename(name))]


def _is_pattern(name: str) -> bool:
    return any(letter in name for letter in _MAGIC) and not os.path.exists(name)


def _listed(path: str) -> list[str]:
    """The sources in a list: a name a line, without empty lines and lines that begin with #."""
    from pathlib import Path

    if not os.path.isfile(path):
        help = "@FILE is a file with a source a line"
        raise InputError(
            f"@{path}", "SRC013", f"there is no file {path}, wanted a list of sources", help=help
        )
    lines = [line.strip() for line in text_of(Path(path)).splitlines()]
    names = [line for line in lines if line and not line.startswith("#")]
    if not names:
        raise InputError(f"@{path}", "SRC013", "the list is empty, wanted a source a line")
    nested = next((name for name in names if name.startswith(LIST)), None)
    if nested is not None:
        raise InputError(f"@{path}", "SRC013", f"the list names the list {nested}, wanted sources")
    return names


def _matching(pattern: str) -> list[Named]:
    from glob import glob

    start = min(pattern.find(letter) for letter in _MAGIC if letter in pattern)
    folder = os.path.dirname(pattern[:start])
    paths = sorted(path for path in glob(pattern, recursive=True) if os.path.isfile(path))
    if not paths:
        help = f"`ls {folder or '.'}` shows the files there; ** stands for folders"
        raise InputError(pattern, "SRC003", "the pattern matches no file", help=help)
    return [(path, os.path.relpath(path, folder or ".")) for path in paths]


def _below(name: str, suffixes: Sequence[str]) -> list[Named]:
    sources: list[Named] = []
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


def outputs_of(folder: str | None, sources: Sequence[Named], suffix: str | None) -> list[str | None]:
    """The output file of each source in the folder of -o, or -o itself if the command writes no files.

    Raises `InputError`: CLI017 for two sources with the same output, CLI018 if -o is not a folder.
    """
    if suffix is None:
        return [folder] * len(sources)
    if folder is None or folder == "-" or not (os.path.isdir(folder) or folder.endswith("/")):
        got = "no -o" if folder is None else f"-o {folder}"
        message = f"got {got} for {count_of(len(sources))}, wanted a folder for one file per source"
        raise InputError("-o", "CLI018", message, help="-o out/ creates the folder")
    made: dict[str, str] = {}
    for source, below in sources:
        output = os.path.join(folder, _stem(below) + suffix)
        if output in made:
            message = f"{made[output]} and {source} would both be written to {output}"
            raise InputError("-o", "CLI017", message, help="compile each of them by itself")
        made[output] = source
    return list(made)


def _stem(name: str) -> str:
    """A source's name without its suffix. Each kernel of a Python file has a name: `sums.py:first` is
    `sums.first`, and `sums.py:sums` is `sums`."""
    stem, suffix = os.path.splitext(name)
    _, _, kernel = suffix.partition(PYTHON_KERNEL)
    return f"{stem}.{kernel}" if kernel not in ("", os.path.basename(stem)) else stem


def count_of(number: int) -> str:
    """`1 source`, `2 sources`."""
    return f"{number} source{'s' * (number != 1)}"


def files_named(arguments: argparse.Namespace) -> list[str]:
    """The words of a command line that may be names of files: the source, the program of --against, arrays,
    and the files of a run file. OSError or ValueError for a run file that cannot be read."""
    given = vars(arguments)
    named = [arguments.source, given.get("against") or ""]
    named += (path for text in given.get("args", ()) for path in _paths(text))
    named += (path for text in given.get("expect", ()) for path in _paths(text))
    if arguments.source.endswith(RUN_SUFFIX):
        named += _named_in(arguments.source)
    return named


def _paths(text: str) -> tuple[str, str]:
    """`FILE`, or the file of `N:FILE`."""
    return (text, text.partition(":")[2]) if text.endswith(".npy") else ("", "")


def _named_in(path: str) -> list[str]:
    """The words of a run file as paths from its folder."""
    import shlex  # few commands need it

    folder = os.path.dirname(path)
    with open(path, encoding="utf-8") as file:
        lines = file.read(LARGEST_TEXT).splitlines()
    words = [part for line in lines for word in shlex.split(line, comments=True) for part in word.split("=")]
    return [path for word in words if os.path.isfile(path := os.path.join(folder, word))]
