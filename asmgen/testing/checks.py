"""FileCheck lines on assembly, by the package `filecheck`."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

from asmgen.files import text_of as file_text
from asmgen.testing.subjects import Subject, text_of, title_of
from isa.diagnostics import InputError

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def assert_filecheck(subject: Subject, checks: str | Path, *, full_lines: bool = False) -> None:
    """The assembly of a program or kernel, or a text, fits the CHECK lines of `checks`: a text, or a `Path`
    to a file with them.

    `full_lines` wants each pattern to match a whole line, white space around it apart. Raises AssertionError
    with the line that does not match, and `InputError` TST002 where the package filecheck is not installed.
    """
    __tracebackhide__ = True  # pytest shows the test, not this
    try:
        from filecheck.finput import FInput
        from filecheck.matcher import Matcher
        from filecheck.options import Options
        from filecheck.parser import Parser, pattern_for_opts
    except ImportError as error:
        message = "the package filecheck was not found, which reads CHECK lines"
        raise InputError(
            "assert_filecheck", "TST002", message, help="python -m pip install 'asmgen[testing]'"
        ) from error
    name = str(checks) if isinstance(checks, Path) else "<checks>"
    lines = file_text(checks) if isinstance(checks, Path) else checks
    options = Options(match_filename=name, match_full_lines=full_lines)
    matcher = Matcher(
        options,
        FInput(title_of(subject), text_of(subject)),
        Parser(options, StringIO(lines), *pattern_for_opts(options)),
    )
    said = matcher.stderr = StringIO()
    if matcher.run() != 0:
        raise AssertionError(_COLOUR.sub("", said.getvalue()).rstrip())
