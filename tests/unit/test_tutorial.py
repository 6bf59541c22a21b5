"""docs/tutorial.md, done as a reader would: its files written, its commands run in order, what it quotes compared."""

from __future__ import annotations

import io
import re
import runpy
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from msgspec import Struct

from asmgen.cli.main import main

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "tutorial.md"
_BLOCK = re.compile(r"(?P<before>[^\n]*)\n\n```(?P<language>\w+)\n(?P<content>.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE_NAME = re.compile(r"`(\w+\.(?:gen|py))`")
_FAILURE = re.compile(r": error\[|^BROKEN|^E  ", re.MULTILINE)


class Step(Struct, frozen=True):
    """A file to write, or a command with what it prints."""

    name: str
    content: str
    is_file: bool


def steps(page: str) -> Iterator[Step]:
    """The files and commands of the page, in order. A file's name stands last in the line before its block, or in the paragraph's."""
    for found in _BLOCK.finditer(page):
        content = found["content"]
        if found["language"] == "console":
            for command in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
                name, _, printed = command.partition("\n")
                yield Step(name, printed, is_file=False)
        else:
            paragraph = page[: found.start("language")].rsplit("\n\n", 2)[-2]
            yield Step(_FILE_NAME.findall(paragraph)[-1], content, is_file=True)


def run(command: str) -> tuple[int, str]:
    """Exit status and everything that a command prints; asmgen and Python files in this process, which saves starting one."""
    command, _, target = command.partition(" > ")
    program, *arguments = shlex.split(command)
    if program == "python" and arguments[:2] != ["-m", "pytest"]:
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


def pattern_of(quoted: str) -> re.Pattern[str]:
    """What a quotation stands for: `...` leaves out part of a line, or, alone on a line, any number of lines."""
    lines = [".*" if line == "..." else ".*?".join(re.escape(part) for part in line.split("...")) for line in quoted.splitlines()]
    text = ""
    for line in lines:
        text += r"(?:[^\n]*\n)*?" if line == ".*" else line.replace(".*?", r"[^\n]*?") + r"\n"
    return re.compile(text)


def test_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # the reader has none either, and each run is shorter by half
    done = 0
    for step in steps(PAGE.read_text(encoding="utf-8")):
        if step.is_file:
            Path(step.name).write_text(step.content, encoding="utf-8")
            continue
        status, printed = run(step.name)
        assert pattern_of(step.content).fullmatch(printed), f"$ {step.name}\n{printed}\nis not what the page quotes:\n{step.content}"
        assert (status != 0) is bool(_FAILURE.search(step.content)), f"$ {step.name} has status {status}\n{printed}"
        done += 1
    assert done >= 20


def test_the_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\(([^):]+\.md)\)", PAGE.read_text(encoding="utf-8")):
        assert (PAGE.parent / link).exists(), link
