"""The page of a profile in Chromium: clocks, causes and the waves' timeline are drawn, and nothing complains."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.profile.profiles import catalogue_profile
from tools.browser import CHROMIUM, Browser

pytestmark = [pytest.mark.broad, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: apt-get install chromium")]


def test_the_page_of_two_launches_opens(tmp_path: Path) -> None:
    path = tmp_path / "profile.html"
    path.write_text(catalogue_profile("full_sum", "gfx1100", n="65536").to_html(), encoding="utf-8")
    with Browser() as browser:
        browser.open(path)
        head = browser.value("document.querySelector('.head').innerText").split()
        assert {"clocks", "stalls", "runs"} <= set(head)
        assert browser.value("document.querySelector('.timeline').offsetHeight") > 0
        facts = browser.value("[...document.querySelectorAll('.fact')].map((fact) => fact.innerText).join(' ')")
        assert "a SIMD in this launch" in facts
        assert "Launch" in facts and "Bound by" in facts and "Roof" in facts
        assert "What to try" in browser.value("document.body.innerText")
        assert browser.faults == []


def test_no_word_above_a_column_is_cut_and_the_facts_are_a_row(tmp_path: Path) -> None:
    """Few registers make a narrow column of live ranges."""
    path = tmp_path / "profile.html"
    path.write_text(catalogue_profile("relu", "gfx942", n="4096").to_html(), encoding="utf-8")
    with Browser() as browser:
        browser.open(path)
        cut = browser.value("[...document.querySelectorAll('.head > div')].filter((cell) => cell.scrollWidth > cell.clientWidth).length")
        rows = browser.value("new Set([...document.querySelectorAll('.fact')].map((fact) => fact.offsetTop)).size")
        assert (cut, rows, browser.faults) == (0, 1, [])
