"""The fixtures that the tests of asmgen share."""

from __future__ import annotations

from pathlib import Path

import pytest

from asmgen.cli.batch import progress as batch_progress
from asmgen.emission import toolchain
from tests.commands import Run, Said


@pytest.fixture(autouse=True)
def no_lines_of_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a slow machine a batch takes more than the ten seconds after which it says how far it is."""
    monkeypatch.setattr(batch_progress, "_BETWEEN_LINES", float("inf"))


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """The exit status of a command of asmgen, its output, and its errors and notes."""

    def of_command(*words: object) -> tuple[int, str, str]:
        run = Run(capsys, *words)
        return run.status, run.out, run.err

    return of_command


@pytest.fixture
def nothing_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH of one empty directory and no ziglang."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("ASMGEN_CLANG", raising=False)
    monkeypatch.setattr(toolchain, "ziglang_program", lambda: "")
    return tmp_path
