"""The tables of error codes in docs/ list every code of their families, and no code that does not exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {
    "gen-text": ("BLK", "CALL", "GEN", "GRW", "SEL", "TRC"), "mlir": ("LNC", "MLIR"), "check": ("CHK",), "profile": ("PRF",),
    "by-hand": ("GRF", "HND", "SCH"), "sanitizer": ("EXP", "SAN"), "running": ("RUF", "WAT"), "tensors": ("DON", "TNS"),
}  # fmt: skip
"""The families that a page lists."""
_CODE = re.compile(r'"([A-Z]{2,4}\d{3})"')
_CELL = re.compile(r"^\| ((?:[A-Z]{2,4}\d\d[\dx](?:, | to )?)+) \|", re.MULTILINE)


def codes_of(package: str) -> set[str]:
    """Every string of a package that is a code."""
    return {code for path in (ROOT / package).rglob("*.py") for code in _CODE.findall(path.read_text(encoding="utf-8"))}


def listed(page: str) -> tuple[set[str], set[str]]:
    """The codes in the first cells of the tables of a page: those that stand there, and those within a range or `01x`."""
    single: set[str] = set()
    spanned: set[str] = set()
    for cell in _CELL.findall(page):
        first, is_range, last = cell.partition(" to ")
        if is_range:
            spanned |= {f"{first[:-3]}{number:03}" for number in range(int(first[-3:]), int(last[-3:]) + 1)}
            single |= {first, last}
            continue
        for code in cell.split(", "):
            if code.endswith("x"):
                spanned |= {f"{code[:-1]}{digit}" for digit in range(10)}
            else:
                single.add(code)
    return single, spanned


@pytest.fixture(scope="module")
def existing() -> set[str]:
    return codes_of("asmgen") | codes_of("isa") | codes_of("regalloc")


@pytest.mark.parametrize("page", sorted(PAGES))
def test_a_page_lists_the_codes_of_its_families(page: str, existing: set[str]) -> None:
    single, spanned = listed((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"))
    wanted = {code for code in existing if code.startswith(PAGES[page])}
    assert wanted, "the families have codes"
    assert wanted - single - spanned == set(), "codes that the page does not list"
    assert single - existing == set(), "codes of the page that no longer exist"
