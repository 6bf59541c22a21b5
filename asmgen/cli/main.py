"""Parse the command line and run a command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from asmgen.cli.grammar.commands import make_command_parser, make_parser
from asmgen.cli.grammar.parser import spelt_place
from asmgen.cli.terminal import flush_output, prepare_streams, print_error, silence_output, system_error
from isa.diagnostics import InputError

Command = Callable[[argparse.Namespace], int]
_INTERRUPTED = 130  # the status that a shell gives a program ended by Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status.

    The status is 0 on success; 1 for bad input, a broken bound, or output that cannot be written; 130 after
    Ctrl-C. argparse exits with 2 for wrong usage.
    """
    prepare_streams()
    parsed = argparse.Namespace()
    try:
        parsed = _parse(arguments)
        module, _, function = parsed.command.partition(":")
        command: Command = getattr(import_module(f"asmgen.cli.{module}"), function)
        status = command(parsed)
        flush_output()
        return status
    except InputError as error:
        error.place = spelt_place(error.place, parsed)
        print_error(error)
        return 1
    except KeyboardInterrupt:
        silence_output()
        return _INTERRUPTED
    except BrokenPipeError:
        silence_output()  # the reader of our output has closed the pipe
        return 1
    except OSError as error:
        silence_output()
        print_error(system_error(error))
        return 1
    except MemoryError:
        silence_output()
        print_error(InputError("input", "SYS002", "out of memory, wanted a smaller input"))
        return 1


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The parsed command line. OSError if --help cannot be written."""
    try:
        words = sys.argv[1:] if arguments is None else arguments
        command = make_command_parser(words[0]) if words else None
        if command is not None:
            parsed, rest = command.parse_known_args(words[1:])
        else:
            parsed, rest = make_parser().parse_known_args(words)
        if rest:
            parsed.refuse_rest(rest)
        parsed.words = list(words)
        return parsed
    except SystemExit:
        flush_output()
        raise
