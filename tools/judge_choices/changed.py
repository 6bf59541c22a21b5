"""A copy of the packages in which some files have another text, and measurements with it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from tools.judge_choices.measured import Job, Measured
from tools.scoreboard.cases import Case

TREE = Path(__file__).parents[2]
_PACKAGES = ("isa", "regalloc", "asmgen", "tools")


class Changed:
    """The packages in a folder, with texts of their own for some files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for package in _PACKAGES:
            _ = shutil.copytree(TREE / package, folder / package)

    def measure(
        self, texts: Mapping[str, str], target: str, cases: Sequence[Case], known: Sequence[str] = ()
    ) -> list[Measured]:
        """The cases measured with these texts of files, by path. Raises `RuntimeError` with the last line of
        the traceback if a case does not compile or run."""
        before = {path: (self._folder / path).read_text() for path in texts}
        self._write(texts)
        try:
            return self._run(Job(target, list(cases), list(known)))
        finally:
            self._write(before)

    def text(self, path: str) -> str:
        """The text of a file, as it was when the packages were copied."""
        return (self._folder / path).read_text()

    def _write(self, texts: Mapping[str, str]) -> None:
        for path, text in texts.items():
            _ = (self._folder / path).write_text(text)
            shutil.rmtree((self._folder / path).parent / "__pycache__", ignore_errors=True)

    def _run(self, job: Job) -> list[Measured]:
        command = [sys.executable, "-m", "tools.judge_choices.measured"]
        ended = subprocess.run(
            command, cwd=self._folder, input=msgspec.json.encode(job), capture_output=True, check=False
        )
        if ended.returncode:
            raise RuntimeError(ended.stderr.decode().strip().splitlines()[-1])
        return msgspec.json.decode(ended.stdout, type=list[Measured])
