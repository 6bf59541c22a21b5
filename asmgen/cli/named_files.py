"""The files that a command line names: the source, the program of --against, and the files of arguments."""

from __future__ import annotations

import argparse
import os
import shlex

from asmgen.cache.store import digest
from asmgen.files import LARGEST_TEXT, RUN_SUFFIX

_PYTHON = ".py:"


def contents(arguments: argparse.Namespace) -> list[str] | None:
    """The digests of the files that the answer depends on; empty for a name that is no file, such as a kernel
    of the catalogue. None if one of them runs Python, or is no file that can be read twice."""
    try:
        named = _named(arguments)
        if any(_PYTHON in name or (os.path.exists(name) and not os.path.isfile(name)) for name in named):
            return None
        return [_digest_of(name) if os.path.exists(name) else "" for name in named]
    except (OSError, ValueError):
        return None


def _named(arguments: argparse.Namespace) -> list[str]:
    """Words that may be names of files. OSError or ValueError for a run file that cannot be read."""
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
    folder = os.path.dirname(path)
    with open(path, encoding="utf-8") as file:
        lines = file.read(LARGEST_TEXT).splitlines()
    words = [part for line in lines for word in shlex.split(line, comments=True) for part in word.split("=")]
    return [path for word in words if os.path.isfile(path := os.path.join(folder, word))]


def _digest_of(path: str) -> str:
    with open(path, "rb") as file:
        return digest(file.read())
