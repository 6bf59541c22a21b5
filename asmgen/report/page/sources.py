"""The text of the source files that a page shows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

_LARGEST = 1 << 20  # bytes; the page has all of a file


def source_text(known: Mapping[str, str], name: str) -> str:
    """The text of a source file: one of the `known` texts, or a file below the current folder; empty if it
    is neither, too large, or no UTF-8. An object can name any file of its reader, and a page is passed on."""
    text = known.get(name)
    if text is not None:
        return text
    folder = Path.cwd()
    try:
        path = (folder / name).resolve()
        if not path.is_relative_to(folder) or not path.is_file() or path.stat().st_size > _LARGEST:
            return ""
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, ValueError):  # a name from an object may be any bytes
        return ""
