"""docs/profile.md: its quotations, and the keys that it lists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from asmgen.profile.model import LaunchProfile
from isa.timing.timeline import Cause
from tests.commands import run
from tests.unit.test_tutorial import pattern_of, steps

PAGE = (Path(__file__).parents[3] / "docs" / "profile.md").read_text(encoding="utf-8")


def test_commands_print_what_the_page_quotes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = 0
    for step in steps(PAGE):
        status, said = run(step.name)
        assert status == 0 and pattern_of(step.content).fullmatch(said), f"{step.name}\n{said}"
        done += 1
    assert done == 4


def test_the_page_lists_every_key_and_every_cause() -> None:
    table = PAGE.split("`launches` is a list of objects:")[1].split("\n## ")[0]
    keys = set(re.findall(r"`(\w+)`", "".join(row.split("|")[1] for row in table.splitlines() if row.startswith("|"))))
    assert keys == set(LaunchProfile.__struct_fields__)
    causes = PAGE.split("| cause | the wave")[1].split("\n\n")[0]
    assert re.findall(r"^\| ([\w ]+) \|", causes, re.MULTILINE) == [cause.value for cause in Cause]
