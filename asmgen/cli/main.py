"""Parses the command line and hands over to a subcommand."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from asmgen.cli.arguments import make_parser
from asmgen.cli.terminal import print_error
from isa.diagnostics import InputError

Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 0, or 1 for bad input and broken bounds; argparse exits with 2 where the usage is wrong."""
    parsed = make_parser().parse_args(arguments)
    try:
        command: Command = import_module(f"asmgen.cli.{parsed.module}").execute
        status = command(parsed)
        sys.stdout.flush()
        return status
    except InputError as error:
        print_error(error)
        return 1
    except BrokenPipeError:
        # the reader of our output has gone; keep the interpreter from complaining when it closes the stream
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
