"""The Python place of a statement: the line of the traced function that calls an operation."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

from isa.diagnostics import Place

_HERE = str(Path(__file__).parents[2])  # the package: a traced function of numpy itself has no line


def caller() -> Place:
    """The Python expression that called into tracing, in the traced function or in a function that it calls,
    but not in numpy."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and _is_between(
        frame.f_code.co_filename, str(frame.f_globals.get("__name__"))
    ):
        frame = frame.f_back
    _, _, column, _ = next(
        islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), (None, None, None, None)
    )
    return Place(frame.f_code.co_filename, frame.f_lineno, 0 if column is None else column + 1)


def _is_between(file: str, module: str) -> bool:
    return file.startswith(_HERE) or module == "numpy" or module.startswith("numpy.")
