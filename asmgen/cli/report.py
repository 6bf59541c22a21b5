"""`report`: the register pressure of kernels. A report that is kept loads no compiler."""

from __future__ import annotations

import argparse

from asmgen.cli.kept import Keeper
from asmgen.cli.outputs import suffix_of_format
from asmgen.cli.several import for_each
from asmgen.cli.task import Task
from asmgen.files import SOURCE_SUFFIXES


def execute(arguments: argparse.Namespace) -> int:
    """Report on every source, and return the largest exit status."""
    task = Task(run_source, keeper=Keeper(), has_json_lines=True)
    return for_each(arguments, task, SOURCE_SUFFIXES, suffix_of_format(arguments))


def run_source(arguments: argparse.Namespace) -> int:
    """The exit status of the command on a source."""
    from asmgen.cli.reporting import execute

    return execute(arguments)
