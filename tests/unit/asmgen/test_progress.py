"""The bar of long commands: on a terminal, after a while, gone afterwards."""

from __future__ import annotations

import sys
import time
from io import StringIO

import pytest

from asmgen.cli import progress as module
from asmgen.cli.progress import progress
from tests.commands import Terminal


def terminal_in(monkeypatch: pytest.MonkeyPatch, patience: float) -> Terminal:
    """Standard error as a terminal. In the test's own body, since pytest sets the stream again after the fixtures."""
    found = Terminal()
    monkeypatch.setattr(sys, "stderr", found)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(module, "_PATIENCE", patience)
    return found


def drawn(terminal: Terminal, text: str) -> bool:
    """Whether a text is drawn within ten seconds."""
    end = time.monotonic() + 10
    while text not in terminal.getvalue() and time.monotonic() < end:
        time.sleep(0.01)
    return text in terminal.getvalue()


def test_a_long_command_says_how_far_it_is(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_in(monkeypatch, 0.0)
    with progress("verifying") as tell:
        assert drawn(terminal, "verifying")
        tell(3, 7)
        assert drawn(terminal, "3/7")
        print("output")
    assert terminal.getvalue().endswith("\x1b[1A\x1b[2K"), "the line is cleared"
    assert capsys.readouterr().out == "output\n"


def test_what_was_told_before_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_in(monkeypatch, 0.2)
    with progress("verifying") as tell:
        tell(2, 7)
        assert drawn(terminal, "2/7")


def test_a_short_command_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_in(monkeypatch, 60.0)
    with progress("verifying") as tell:
        tell(1, 7)
    assert terminal.getvalue() == ""


def test_nothing_is_drawn_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    file = StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    monkeypatch.setattr(module, "_PATIENCE", 0.0)
    with progress("verifying") as tell:
        tell(1, 7)
        time.sleep(0.05)
    assert file.getvalue() == ""
