"""Comments and strings in lines of assembly text."""

from __future__ import annotations

import re

_QUOTED_OR_COMMENT = re.compile(r"""\"(?:[^"\\]|\\.)*\"|'(?:[^'\\]|\\.)'|;|//|\"""")
_BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def split_comment(line: str) -> tuple[str, str]:
    """Code and comment of a line; `;` and `//` begin a comment outside of strings, `#` at the head of a
    line."""
    if "#" in line and line.lstrip().startswith("#"):
        return "", line.lstrip("# \t").strip()
    if '"' in line or "'" in line:
        at = next(
            (match.start() for match in _QUOTED_OR_COMMENT.finditer(line) if match[0] in (";", "//")),
            len(line),
        )
    else:
        at, other = line.find(";"), line.find("//")
        if at < 0 or 0 <= other < at:
            at = other
        if at < 0:
            return line.rstrip(), ""
    return line[:at].rstrip(), line[at:].lstrip(";/ ").strip()


def open_string(code: str) -> int:
    """The column, from 1, of a string that does not end on its line; 0 if there is none."""
    return next((match.start() + 1 for match in _QUOTED_OR_COMMENT.finditer(code) if match[0] == '"'), 0)


def without_block_comments(text: str) -> str:
    """The text with its block comments blanked out; lines keep their numbers."""
    return (
        _BLOCK_COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text) if "/*" in text else text
    )
