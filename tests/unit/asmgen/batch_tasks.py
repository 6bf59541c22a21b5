"""A task of a batch for tests: the text of a source says what its piece does. `python -m tests.unit.asmgen.batch_tasks LOG WORDS`
runs it as a command, and appends each source to LOG before its work."""

from __future__ import annotations

import argparse
import faulthandler
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from asmgen.cli.grammar.commands import make_command_parser
from asmgen.cli.several import for_each
from asmgen.cli.task import Task
from isa.diagnostics import InputError

SUFFIX = ".piece"


def crash(_: argparse.Namespace) -> int:
    faulthandler.disable()  # pytest's would print the stacks
    os.kill(os.getpid(), signal.SIGSEGV)
    return 0


def leave(_: argparse.Namespace) -> int:
    os._exit(3)


def fail(_: argparse.Namespace) -> int:
    raise ZeroDivisionError("by us")


def hang(_: argparse.Namespace) -> int:
    _child = subprocess.Popen(["sleep", "1000"])
    while True:
        time.sleep(1)


def hoard(_: argparse.Namespace) -> int:
    hoarded = bytearray(1 << 40)
    return len(hoarded) and 1


def refuse(arguments: argparse.Namespace) -> int:
    print("before")
    raise InputError(arguments.source, "SRC003", "refused by us")


def rest(arguments: argparse.Namespace) -> int:
    time.sleep(0.05)
    return speak(arguments)


def speak(arguments: argparse.Namespace) -> int:
    print(f"{arguments.source} is done")
    print(f"note: {arguments.source}", file=sys.stderr)
    return 0


WORK = {work.__name__: work for work in (crash, leave, fail, hang, hoard, refuse, rest, speak)}


def run(arguments: argparse.Namespace) -> int:
    """Do the task that the source names."""
    return WORK[Path(arguments.source).read_text(encoding="utf-8")](arguments)


def command(words: list[str], log: str = "") -> int:
    """The exit status of the task on the words of a command line."""

    def logged(arguments: argparse.Namespace) -> int:
        if log:
            with Path(log).open("a", encoding="utf-8") as file:
                _ = file.write(f"{arguments.source}\n")
        return run(arguments)

    parser = make_command_parser("check")
    assert parser is not None
    return for_each(parser.parse_args(words), Task(logged), (SUFFIX,), None)


if __name__ == "__main__":
    sys.exit(command(sys.argv[2:], sys.argv[1]))
