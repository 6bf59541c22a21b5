"""Golden files: assembly that was read once and committed, and must stay as it is until somebody has read the
difference."""

from __future__ import annotations

import os
from difflib import unified_diff
from pathlib import Path

from asmgen.testing.subjects import Subject, text_of, title_of

UPDATE_VARIABLE = "ASMGEN_UPDATE_GOLDEN"
REFUSED_IN_CI = "golden files are not written where CI is set: they are read, then committed"
_SHOWN = 40  # lines of a difference


def assert_golden(subject: Subject, path: str | Path) -> None:
    """The assembly of a program or kernel, or a text, is the content of the file `path`.

    Under `pytest --update-golden`, or with ASMGEN_UPDATE_GOLDEN=1, the file is written instead. Raises
    AssertionError with the difference.
    """
    __tracebackhide__ = True  # pytest shows the test, not this
    file, text = Path(path), text_of(subject)
    if os.environ.get(UPDATE_VARIABLE) == "1":
        assert not os.environ.get("CI"), REFUSED_IN_CI
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return
    if not file.exists():
        plugin = 'the option comes with pytest_plugins = ["asmgen.testing.plugin"] in conftest.py'
        raise AssertionError(
            f"{file} does not exist; {_how_to_write()}, then read it before you commit it ({plugin})"
        )
    golden = file.read_text(encoding="utf-8")
    if text != golden:
        raise AssertionError(
            f"{title_of(subject)} differs from {file}; where it is better, "
            f"{_how_to_write()}\n{difference(golden, text, str(file))}"
        )


def _how_to_write() -> str:
    return "`pytest --update-golden` writes it"


def difference(golden: str, text: str, name: str) -> str:
    """A unified difference of two texts, cut where it is long."""
    lines = list(
        unified_diff(golden.splitlines(), text.splitlines(), name, "what is made now", n=2, lineterm="")
    )
    more = len(lines) - _SHOWN
    return "\n".join(lines if more <= 0 else [*lines[:_SHOWN], f"... and {more} lines more"])
