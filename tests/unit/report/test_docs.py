"""docs/reports.md: every output that it quotes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import run
from tests.unit.test_tutorial import pattern_of, steps

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
_REFUSED = "error["


@pytest.mark.needs_llvm("clang-22", "ld.lld-22")
def test_commands_print_what_the_page_quotes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (tmp_path / "tools").symlink_to(ROOT / "tools")
    done = 0
    for step in steps(PAGE):
        status, said = run(step.name)
        assert status == (_REFUSED in step.content), f"{step.name}\n{said}"
        assert pattern_of(step.content).fullmatch(said), f"{step.name}\n{said}"
        done += 1
    assert done == 8
