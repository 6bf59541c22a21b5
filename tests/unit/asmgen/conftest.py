"""The fixtures that the tests of asmgen share."""

from __future__ import annotations

import pytest

from asmgen.cli.batch import progress as batch_progress


@pytest.fixture(autouse=True)
def no_lines_of_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a slow machine a batch takes more than the ten seconds after which it says how far it is."""
    monkeypatch.setattr(batch_progress, "_BETWEEN_LINES", float("inf"))
