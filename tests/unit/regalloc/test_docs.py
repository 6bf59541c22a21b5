"""docs/architecture.md names each file of the allocator once."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_page_names_each_file() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    table = page[page.index("### The allocator by file") :].split("\n\n", 3)[2]
    named = re.findall(r"`([\w/]+)`", "\n".join(line.split("|")[1] for line in table.splitlines()[2:]))
    files = [path.relative_to(ROOT / "regalloc").with_suffix("") for path in (ROOT / "regalloc").rglob("*.py")]
    assert sorted(named) == sorted(path.as_posix() for path in files if path.name != "__init__")
