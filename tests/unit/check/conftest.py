"""A `check` to run in each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.check.files import Checker


@pytest.fixture
def checker(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Checker:
    return Checker(tmp_path, capsys)
