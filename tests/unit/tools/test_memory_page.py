"""The page on LDS and memory agrees with the records."""

from __future__ import annotations

from pathlib import Path

from tools.memory_page import memory

PAGE = Path(__file__).parents[3] / "docs" / "memory.md"


def test_the_page_is_what_the_tool_prints() -> None:
    assert PAGE.read_text(encoding="utf-8") == memory()
