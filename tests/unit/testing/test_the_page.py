"""The example of docs/testing.md runs as it stands."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from asmgen.testing.assertions import UPDATE_VARIABLE

PAGE = Path(__file__).parents[3] / "docs" / "testing.md"


def test_the_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    conftest, tests = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert conftest == 'pytest_plugins = ["asmgen.testing.plugin"]\n'
    names = run_as(tests, tmp_path / "test_silu.py")
    program = names["asmgen"].compile(names["silu"], inputs=[names["asmgen"].spec("f32", (1024, 1024))])
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv(UPDATE_VARIABLE, "1")
    names["test_assembly"](program)
    monkeypatch.delenv(UPDATE_VARIABLE)
    for name in ("test_assembly", "test_loads_are_wide", "test_resources", "test_numbers"):
        names[name](program)
    assert "silu:" in (tmp_path / "golden" / "silu.s").read_text(encoding="utf-8")


def run_as(text: str, path: Path) -> dict[str, Any]:
    """The names that a Python file defines."""
    path.write_text(text, encoding="utf-8")
    return runpy.run_path(str(path))
