"""`check` on text of a few lines: its findings, by code and line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from asmgen.cli.main import main

Found = list[tuple[int, str]]


class Outcome(Struct, frozen=True):
    """One run: its status and its output."""

    status: int
    out: str
    err: str

    def found(self) -> Found:
        """The line and the code of every error and note, in the order printed."""
        reports = [line.split(":", 4) for line in self.err.splitlines() if not line.startswith("  ")]
        return [(int(parts[1]), parts[3].split("[")[1].rstrip("]")) for parts in reports]


class Checker:
    """Runs `check` on a file of the given text."""

    def __init__(self, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.path = directory / "f.s"
        self.capsys = capsys

    def run(self, text: str, target: str = "", *arguments: str) -> Outcome:
        self.path.write_text(text, encoding="utf-8")
        status = main(["check", str(self.path), *(("--target", target) if target else ()), *arguments])
        captured = self.capsys.readouterr()
        return Outcome(status, captured.out, captured.err.replace(str(self.path), "f.s"))

    def found(self, text: str, target: str) -> Found:
        """Every error and note, those that are only counted otherwise included."""
        return self.run(text, target, "--notes").found()

    def document(self, text: str, target: str) -> dict[str, Any]:
        """What `--format json` writes, which is all that it writes."""
        outcome = self.run(text, target, "--format", "json")
        assert outcome.err == ""
        return json.loads(outcome.out)

    def refused(self, text: str, target: str, code: str) -> str:
        """The complaint about a file that cannot be checked."""
        outcome = self.run(text, target)
        assert (outcome.status, outcome.out) == (1, "")
        assert f"error[{code}]" in outcome.err, outcome.err
        return outcome.err
