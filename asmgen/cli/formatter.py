"""How wide the help of the command line is."""

from __future__ import annotations

import argparse
import os
import sys
from functools import cache

_WIDTH_OUTSIDE_TERMINALS = 80


class TerminalFormatter(argparse.HelpFormatter):
    """argparse's formatter, told how wide the terminal is.

    argparse makes a formatter for every option it learns of, and a formatter that is not told the width loads
    `shutil` and asks the system each time: a tenth of what a whole compile takes.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=help_width())


@cache
def help_width() -> int:
    """Characters in a line of help: `COLUMNS` where it is set, else the terminal's, and 2 fewer, as argparse
    has it."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns) - 2
    try:
        return os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1).columns - 2
    except (OSError, ValueError):
        return _WIDTH_OUTSIDE_TERMINALS - 2
