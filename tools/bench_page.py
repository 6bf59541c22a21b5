"""`python -m tools.bench_page`: how fast Chromium shows the page of `report` and `profile` at 50, 2,000 and
20,000 instructions.

`busy` is the time that the page's main thread runs until the first frame is drawn; `paint` is the time until
contents are on the screen, in which other processes of the machine count too. The page is synthetic, with
clocks, live ranges and sources.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from asmgen.report.page.html import to_html
from tools.browser import CHROMIUM, Browser
from tools.synthetic_page import page

COUNTS = (50, 2_000, 20_000)  # instructions
LIMIT = 1000  # milliseconds until the first paint
_TRIES = 3


def measured(browser: Browser, path: Path) -> tuple[float, float]:
    """The least milliseconds of some tries: of the main thread, and until the first paint."""
    times: list[tuple[float, float]] = []
    for _ in range(_TRIES):
        browser.open(path)
        times.append((browser.busy(), browser.first_paint()))
    return min(busy for busy, _ in times), min(paint for _, paint in times)


def main() -> int:
    """Print the times; returns 1 if a page paints later than the limit, 2 if Chromium is not installed."""
    if CHROMIUM is None:
        print("Chromium is not installed: apt-get install chromium", file=sys.stderr)
        return 2
    late = False
    print(f"{'instructions':>12}  {'busy':>7}  {'paint':>7}")
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        for count in COUNTS:
            path = Path(folder) / f"{count}.html"
            path.write_text(to_html(page(count, with_profile=True)), encoding="utf-8")
            busy, paint = measured(browser, path)
            late |= paint > LIMIT
            print(f"{count:>12,}  {busy:>4.0f} ms  {paint:>4.0f} ms")
    if late:
        print(f"a page paints later than {LIMIT} ms after its start", file=sys.stderr)
    return int(late)


if __name__ == "__main__":
    sys.exit(main())
