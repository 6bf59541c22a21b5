"""Commands as a page shows them, run for tests: asmgen and Python files in this process, which saves starting one."""

from __future__ import annotations

import io
import re
import runpy
import shlex
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from asmgen.cli.main import main

Said = Callable[..., tuple[int, str, str]]
FAULT = re.compile(r"^[^\n]+: error\[[A-Z]+\d+\]: ")


class Run:
    """One run of the command line in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: object) -> None:
        self.status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        self.out, self.err = captured.out, captured.err


def refused(capsys: pytest.CaptureFixture[str], code: str, *arguments: object) -> str:
    """The message of a run that has to exit 1 with an error of that code."""
    run = Run(capsys, *arguments)
    assert (run.status, run.out) == (1, "")
    assert FAULT.match(run.err), run.err
    assert f"error[{code}]" in run.err
    return run.err


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


def run(command: str) -> tuple[int, str]:
    """The exit status of a command and everything that it prints."""
    command, _, target = command.partition(" > ")
    program, *arguments = shlex.split(command)
    if program == "python" and arguments[0] != "-c" and arguments[:2] != ["-m", "pytest"]:
        return _in_process(arguments)
    done = subprocess.run([sys.executable if program == "python" else program, *arguments], capture_output=True, text=True, check=False)
    if target:
        Path(target).write_text(done.stdout, encoding="utf-8")
    return done.returncode, done.stderr if target else done.stdout + done.stderr


def _in_process(arguments: list[str]) -> tuple[int, str]:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(stream), redirect_stderr(stream):
        try:
            status = main(arguments[2:]) if arguments[:2] == ["-m", "asmgen"] else _run_file(arguments[0])
        except SystemExit as error:
            status = int(error.code or 0)
    content = stream.buffer
    assert isinstance(content, io.BytesIO)
    return status, content.getvalue().decode()


def _run_file(path: str) -> int:
    _ = runpy.run_path(path, run_name="__main__")
    return 0
