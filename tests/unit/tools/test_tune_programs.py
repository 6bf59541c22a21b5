"""The programs that are tuned to judge the compiler's own schedules."""

from __future__ import annotations

from pathlib import Path

import pytest

from isa.targets import TARGETS
from tools.tune_programs import items, main


def test_there_are_sixty_programs_on_all_targets() -> None:
    names = [item.name for item in items()]
    assert len(names) == len(set(names)) >= 60
    assert {item.target for item in items()} == set(TARGETS)
    for item in items()[::9]:
        assert item.source().stages.programs


def test_a_program_is_tuned_verified_and_left_out_the_next_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--program", "gelu n=65536 dtype=f16", "--candidates", "12", "--results", str(tmp_path / "tuned.jsonl")]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(("gelu n=65536 dtype=f16: verified", "gelu n=65536 dtype=f16: the default"))
    assert lines[-1].startswith("1 programs, ")
    assert lines[-1].endswith("wrong: none")
    assert main(words) == 0
    assert capsys.readouterr().out.splitlines() == lines[-1:]
