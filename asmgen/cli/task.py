"""The work of a command on one of its sources."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from msgspec import Struct

from asmgen.cli.kept import Keeper


class Task(Struct, frozen=True):
    """The work of a command on a source.

    `check` raises `InputError` for options and outputs that the command refuses. `run` does the work and
    returns the exit status. Answers are kept by `keeper`. With `has_json_lines`, `--format json` prints a
    line for each of several sources; a single source has a line too, unless the command `has_documents` of
    its own in JSON. A source has `seconds_more` than --max-seconds, which limits a part of
    its work.
    """

    run: Callable[[argparse.Namespace], int]
    check: Callable[[argparse.Namespace], None] | None = None
    keeper: Keeper | None = None
    has_json_lines: bool = False
    has_documents: bool = True
    seconds_more: float = 0.0


def of_source(arguments: argparse.Namespace, source: str, output: str | None) -> argparse.Namespace:
    """The arguments of a command for one of its sources."""
    return argparse.Namespace(**{**vars(arguments), "source": source, "output": output})
