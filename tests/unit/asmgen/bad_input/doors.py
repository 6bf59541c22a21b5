"""The form of a refusal: a status, a place and a code; it writes nothing and names no file of this
machine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from asmgen.cli.main import main

PLACE = re.compile(r"[^\n]+: error\[[A-Z]+\d+\]: [^\n]+\n")
_USAGE = re.compile(r"usage: [^\0]*: error: ")
_SECRETS = ("root:", "/bin/bash", "Traceback")


def refused(arguments: Sequence[str], directory: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The message of a command that has to refuse its input, run with all files that it may see in
    `directory`."""
    before = files_of(directory)
    try:
        status = main(arguments)
    except SystemExit as ended:
        status = int(ended.code or 0)
    said = capsys.readouterr()
    assert status in (1, 2), f"accepted: {said.out[:300]}"
    assert PLACE.match(said.err) if status == 1 else _USAGE.match(said.err), said.err
    assert not any(secret in said.err + said.out for secret in _SECRETS), said.err
    assert max(map(len, said.err.splitlines())) < 1200, "a message that nobody can read"
    assert files_of(directory) == before, "something is half-written"
    return said.err


def files_of(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()}
