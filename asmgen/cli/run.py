"""`run`: run the kernels of assembly files and code objects, and the launches of run files. A kept run
loads no emulator."""

from __future__ import annotations

import argparse

from asmgen.cli.expansion import are_several
from asmgen.cli.grammar.parser import refuse_given
from asmgen.cli.kept import Keeper
from asmgen.cli.several import for_each
from asmgen.cli.task import Task
from asmgen.files import ASSEMBLY_SUFFIXES, OBJECT_SUFFIXES, RUN_SUFFIX

_SECONDS_MORE = 5.0  # than the kernel has, for a source as a whole


def execute(arguments: argparse.Namespace) -> int:
    """Run every file, and return the largest exit status."""
    arguments.output = None
    task = Task(
        run_source,
        _check_shown,
        Keeper(),
        has_json_lines=True,
        has_documents=False,
        seconds_more=_SECONDS_MORE,
    )
    return for_each(arguments, task, (RUN_SUFFIX, *ASSEMBLY_SUFFIXES, *OBJECT_SUFFIXES), None)


def run_source(arguments: argparse.Namespace) -> int:
    """The exit status of the command on a source."""
    from asmgen.cli.runs.running import execute

    return execute(arguments)


def _check_shown(arguments: argparse.Namespace) -> None:
    """Refuse options that write a file if several sources would write it."""
    if len(arguments.sources) > 1 or are_several(arguments.sources[0]):
        why = "several sources would write the same files"
        refuse_given(arguments, ("--trace", "--coverage", "--counters", "--out-dir"), why)
