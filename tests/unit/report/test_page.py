"""The page in Chromium: the console, the drawing, the mouse and the keyboard. `tools.bench_page` has its
times."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from asmgen.report.page.data import Page
from asmgen.report.page.html import to_html
from tools.browser import CHROMIUM, Browser
from tools.synthetic_page import page

pytestmark = [pytest.mark.broad, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: apt-get install chromium")]
MOST_ROWS = 120


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


def opened(browser: Browser, folder: Path, count: int, *, with_profile: bool = True) -> None:
    path = folder / "page.html"
    path.write_text(to_html(page(count, with_profile=with_profile)), encoding="utf-8")
    browser.faults.clear()
    browser.open(path)


def text_of(browser: Browser, selector: str) -> str:
    return browser.value(f"document.querySelector({selector!r}).innerText")


def selected(browser: Browser) -> int:
    return browser.value("page.line")


@pytest.mark.parametrize("count", [50, 2000, 20000])
def test_no_more_rows_than_there_is_room_for(browser: Browser, tmp_path: Path, count: int) -> None:
    opened(browser, tmp_path, count)
    browser.press("End")
    assert selected(browser) == count - 1
    assert f"v{(count - 1) % 128}" in text_of(browser, ".row.selected")
    assert 0 < browser.value("document.querySelectorAll('.row').length") <= MOST_ROWS
    assert browser.faults == []


def test_a_page_without_clocks_has_neither_their_columns_nor_a_timeline(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, 50, with_profile=False)
    assert text_of(browser, ".head").split() == ["VGPRs", "SGPRs", "instruction", "live", "VGPRs", "source"]
    assert browser.value("document.querySelector('.timeline').offsetHeight") == 0
    assert text_of(browser, ".fact.good").split("\n") == ["VGPRs", "28", "32 taken"]
    browser.press("s", "0")
    assert browser.faults == []


def test_texts_are_texts(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, 50)
    browser.press("j")
    assert text_of(browser, ".row.selected .text").endswith("s[2:3] <b>&")
    assert "line 1 </script><!--" in text_of(browser, ".row.selected .source")
    assert browser.value("document.querySelectorAll('.row b').length - document.querySelectorAll('.meter b').length") == 0


def test_the_keyboard_moves_folds_and_searches(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, 500)
    rows = browser.value("page.listing.rows.length")
    assert rows == 500 + 20
    browser.press("j", "j", "]", "]", "]", "]", "Enter")
    assert selected(browser) == 100
    assert browser.value("page.listing.rows.length") == rows - 25
    label = browser.value("[...document.querySelectorAll('.row.block')].find((row) => row.dataset.block === '4').innerText")
    assert "loop to line 149" in label and "at most" in label
    browser.press("ArrowDown")  # over the folded block
    assert selected(browser) == 125
    browser.press("f")
    assert browser.value("page.listing.rows.length") == 20
    browser.press("f", "[", "/", *"v127,")
    assert "v127," in browser.value("page.kernel.listing.text[page.line]")
    first = selected(browser)
    browser.press("Enter")
    assert selected(browser) == first + 1  # both read or write v127
    browser.press("Escape", "N")
    assert selected(browser) == first
    browser.press("p")
    most = browser.value("Math.max(...page.kernel.files[0].pressure)")
    assert browser.value("page.kernel.files[0].pressure[page.line]") == most
    browser.press("?")
    assert browser.value("document.querySelector('dialog').open")
    assert browser.faults == []


def test_a_folded_loop_takes_its_blocks(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, 500)
    browser.press("j", "]", "]", "]", "]")
    assert selected(browser) == 100
    browser.press("Enter", shift=True)
    assert browser.value("page.listing.rows.length") == 520 - 50


def test_the_line_panel_has_the_clocks_of_the_line_and_links_to_their_culprit(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, 2000)
    browser.press("s", "2")
    line = selected(browser)
    stalls = browser.value("[...page.kernel.costs.stalls]")
    assert stalls[line] == max(stalls)
    total = page(2000, with_profile=True).kernels[0].profile
    assert total is not None
    expected = sum(clocks for at, clocks in zip(total.charges[::4], total.charges[2::4], strict=True) if at == line)
    panel = text_of(browser, ".body")
    assert f"{expected} clocks of all waves, executed 4 times" in panel
    browser.value("[...document.querySelectorAll('.body tr.link')].pop().click()")
    browser.settle()
    assert selected(browser) == line - 1
    assert browser.faults == []


def test_the_flow_graph_has_the_blocks_and_their_edges(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, 500)  # 20 blocks
    browser.value("[...document.querySelectorAll('.tabs button')].find((tab) => tab.innerText === 'Flow').click()")
    browser.settle()
    count = "document.querySelectorAll('.flow {}').length"
    counts = [browser.value(count.format(part)) for part in (".box", "path.next", "path.back", "path.forward")]
    assert counts == [20, 19, 4, 2]  # loops from the blocks 4, 8, 12 and 16; the blocks 6 and 14 lead over two blocks
    browser.value("document.querySelector('.box[data-block=\"5\"]').dispatchEvent(new MouseEvent('click'))")
    browser.settle()
    assert selected(browser) == 125
    label = "document.querySelector('.box.now .label').textContent"
    assert browser.value(label) == "block5"
    browser.press("]")
    assert browser.value(label) == "block6"
    assert browser.faults == []


def test_hover_and_click(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, 2000)
    browser.point(".overview canvas", 0.5, 0.5, click=True)
    assert 950 < selected(browser) < 1050
    assert "VGPRs needed" in text_of(browser, ".tip")
    browser.point("canvas.ranges", 0.5, 0.5)
    assert text_of(browser, ".tip").startswith("v64, ")
    browser.point("canvas.ranges", 0.5, 0.5, click=True)
    assert selected(browser) in browser.value("(({ranges}) => ranges.filter((_, i) => i % 3 && ranges[i - i % 3] === 64))(page.kernel.files[0])")
    browser.point(".timeline canvas", 0.6, 0.5)
    tip = text_of(browser, ".tip").split("\n")
    assert tip[0].endswith(("clock", "clocks")) and tip[1].startswith("wave ")
    browser.point(".timeline canvas", 0.6, 0.5, click=True)
    assert tip[2].startswith(f"{selected(browser)}  ")
    browser.point(".tabs button:last-child", click=True)
    assert "line 1 </script>" in text_of(browser, ".body")
    assert browser.faults == []


def test_several_kernels_of_a_page(browser: Browser, tmp_path: Path) -> None:
    """Each has its own listing and timeline."""
    (one,), (two,) = page(50, with_profile=True).kernels, page(100, with_profile=False).kernels
    path = tmp_path / "page.html"
    path.write_text(to_html(Page((one, replace(two, name="other")))), encoding="utf-8")
    browser.faults.clear()
    browser.open(path)
    browser.press("End")
    assert selected(browser) == 49
    browser.value("(() => { const select = document.querySelector('select'); select.value = 1; select.dispatchEvent(new Event('change')); })()")
    browser.settle()
    assert text_of(browser, "h1") == "other"
    assert selected(browser) is None
    assert browser.value("document.querySelector('.timeline').offsetHeight") == 0
    browser.press("End", "t")
    assert selected(browser) == 99
    browser.value("page.open(0)")
    browser.settle()
    assert browser.value("document.querySelector('.timeline').offsetHeight") > 0
    browser.press("t")
    assert browser.value("document.querySelector('.timeline').offsetHeight") == 0
    assert browser.faults == []


def test_the_columns_end_at_the_panel_and_rows_name_their_source_line(tmp_path: Path) -> None:
    with Browser(1000, 700) as narrow:
        opened(narrow, tmp_path, 2000)
        corner = "document.querySelector('{}').getBoundingClientRect()"
        at = f"{corner.format('.panel')}.left + 40, {corner.format('.head')}.top + 8"
        assert narrow.value(f"document.elementFromPoint({at}).closest('.panel') !== null")
        sources = narrow.value("[...document.querySelectorAll('.source')].map((cell) => cell.innerText.trim())")
        assert sources[0].startswith("1line 1 ") and sources[1] == "1add"
        assert narrow.faults == []


def test_the_panel_is_below_the_listing_in_a_narrow_window(tmp_path: Path) -> None:
    with Browser(700, 900) as narrow:
        opened(narrow, tmp_path, 2000)
        boxes = "['.listing', '.panel', '.title button', '.tabs'].map((name) => document.querySelector(name).getBoundingClientRect())"
        assert narrow.value(f"({boxes}).every((box) => box.left >= 0 && box.right <= innerWidth && box.height > 0)")
        assert narrow.value(f"({boxes})[0].bottom <= ({boxes})[1].top")
        assert narrow.faults == []
