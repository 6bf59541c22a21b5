"""The page on hazards agrees with the records."""

from __future__ import annotations

from pathlib import Path

from isa.hazards import every_rule
from tools.pages import hazards

PAGE = Path(__file__).parents[3] / "docs" / "hazards.md"


def test_the_page_is_what_the_tool_prints() -> None:
    assert PAGE.read_text() == hazards()


def test_every_rule_has_a_line() -> None:
    for rule in every_rule():
        assert hazards().count(f"\n| {rule.name} |") == 1
