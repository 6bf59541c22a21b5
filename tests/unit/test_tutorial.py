"""docs/tutorial.md, done as a reader would: its files written, its commands run in order, its quotations
compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from tests.commands import run

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "tutorial.md"
_BLOCK = re.compile(r"(?P<before>[^\n]*)\n\n```(?P<language>\w+)\n(?P<content>.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE_NAME = re.compile(r"`(\w+\.(?:gen|py))`")
_FAILURE = re.compile(r": error\[|^BROKEN|^E  ", re.MULTILINE)


class Step(Struct, frozen=True):
    """A file to write, or a command with its output."""

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


def pattern_of(quoted: str) -> re.Pattern[str]:
    """The pattern of a quotation: `...` leaves out part of a line, or, alone on a line, any number of
    lines."""
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
