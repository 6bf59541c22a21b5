"""The page as a file: the data as JSON, the style sheet and the scripts, without external resources."""

from __future__ import annotations

from html import escape
from pathlib import Path

import msgspec
from msgspec.structs import replace

from asmgen.report.page.data import Page, Wave

_FOLDER = Path(__file__).parent
_SCRIPTS = ("base", "kernel", "overview", "listing", "flow", "panel", "timeline", "main")


def to_html(page: Page) -> str:
    """The page of kernels; ends with a line break.

    The waves of profiles, the largest part of the data, follow the scripts: the browser draws the rest
    before it reads them.
    """
    title = ", ".join(kernel.name for kernel in page.kernels)
    waves = [list(kernel.profile.waves) if kernel.profile is not None else [] for kernel in page.kernels]
    kernels = [
        replace(kernel, profile=None if kernel.profile is None else replace(kernel.profile, waves=[]))
        for kernel in page.kernels
    ]
    style = (_FOLDER / "page.css").read_text(encoding="utf-8")
    scripts = "".join((_FOLDER / "script" / f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">'
        f"<title>{escape(title)}: asmgen</title>\n<style>\n{style}</style></head>\n<body>\n"
        "<noscript>This page needs scripts; `--format text` gives the same figures.</noscript>\n"
        f'<header><div class="title"><h1>{escape(page.kernels[0].name)}</h1></div></header>\n'
        f"{_data('data', replace(page, kernels=tuple(kernels)))}"
        f'<script>\n"use strict";\n(() => {{\n{scripts}}})();\n</script>\n'
        f"{_data('waves', waves)}</body></html>\n"
    )


def _data(name: str, value: Page | list[list[Wave]]) -> str:
    """A value as JSON in an element, of which no text can be the end or a comment."""
    text = msgspec.json.encode(value).decode().replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>\n'
