"""`check`: find and repair missing waits and wait states of assembly and code objects. A verdict that is
kept loads no analysis."""

from __future__ import annotations

import argparse

from asmgen.cli.kept import Keeper
from asmgen.cli.several import for_each
from asmgen.cli.task import Task
from asmgen.files import ASSEMBLY_SUFFIXES, OBJECT_SUFFIXES
from isa.diagnostics import InputError


def execute(arguments: argparse.Namespace) -> int:
    """Check every source and return the largest exit status."""
    task = Task(run_source, _refuse, Keeper(), has_json_lines=True)
    suffix = ASSEMBLY_SUFFIXES[0] if arguments.fix else None
    return for_each(arguments, task, (*ASSEMBLY_SUFFIXES, *OBJECT_SUFFIXES), suffix)


def run_source(arguments: argparse.Namespace) -> int:
    """The exit status of the command on a source."""
    from asmgen.cli.checking import execute

    return execute(arguments)


def _refuse(arguments: argparse.Namespace) -> None:
    """`InputError` for options that do not go together."""
    if arguments.strip and not arguments.fix:
        raise InputError(
            "--strip",
            "CHK030",
            "got --strip without --fix, which would leave a program without waits, wanted both",
        )
    if arguments.fix and not arguments.output:
        raise InputError(
            "--fix",
            "CHK031",
            "got no -o, wanted the output file for the repaired assembly; - is standard output",
        )
    if arguments.output and not arguments.fix:
        raise InputError("-o", "CHK032", "got -o without --fix, which writes the file", help="add --fix")
    if arguments.format == "json" and arguments.output == "-":
        raise InputError(
            "-o", "CHK033", "got -o - with --format json, wanted only one of them on standard output"
        )
