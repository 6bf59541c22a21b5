"""`run`'s options that show what happens: traces, breakpoints, coverage and counters."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from asmgen.cli.outputs import check_text, write_output
from asmgen.runtime.watching import counters, coverage
from asmgen.runtime.watching.lines import parse_span, parse_stop
from asmgen.runtime.watching.selection import parse_waves
from asmgen.runtime.watching.state import parse_items
from asmgen.runtime.watching.stops import Stopped
from asmgen.runtime.watching.trace_file import MOST_LINES, check_writable
from asmgen.runtime.watching.watching import Shown, Watching
from isa.diagnostics import InputError

T = TypeVar("T")
Format = Callable[[Sequence[T]], str]
_FILES = ("--trace", "--coverage", "--counters")


def shown_by(arguments: argparse.Namespace, kernel: str | None) -> Shown:
    """The parts that the options ask for. `kernel` is the only kernel to show. Raises InputError WAT0xx for
    an option that cannot be read."""
    if arguments.trace_limit is not None and arguments.trace_limit < 1:
        message = f"got {arguments.trace_limit}, wanted a number of lines from 1 on"
        raise InputError("--trace-limit", "WAT008", message)
    options: dict[str, str] = {}
    for option, path in zip(_FILES, (arguments.trace, arguments.coverage, arguments.counters), strict=True):
        if path is None:
            continue
        check_text(option, path)
        check_writable(option, path)
        other = options.setdefault(path, option)
        if path != "-" and other != option:
            message = f"{other} writes {path} too, wanted another file"
            raise InputError(f"{option} {path}", "WAT010", message)
    return Shown(
        kernel,
        arguments.trace,
        arguments.trace_limit or MOST_LINES,
        None if arguments.lines is None else parse_span("--lines", arguments.lines),
        None if arguments.wave is None else parse_waves("--wave", arguments.wave),
        tuple(parse_stop("--break", text) for text in arguments.breaks),
        tuple(parse_stop("--at", text) for text in arguments.at),
        () if arguments.dump is None else parse_items("--dump", arguments.dump),
        arguments.coverage is not None,
        arguments.counters is not None,
    )


def run_watched(arguments: argparse.Namespace, kernel: str | None, run: Callable[[Watching], T]) -> T | None:
    """The result of `run`, which launches with observers; None if it stopped at a breakpoint. The output of
    the observers is written, however the launches end. InputError WAT007 if no wave came to a line,
    and nothing else went wrong."""
    watching = Watching(shown_by(arguments, kernel), print)
    try:
        result = run(watching)
    except Stopped:
        print("the run stopped at a breakpoint, its results are not written", file=sys.stderr)
        return None
    finally:
        _write(watching, arguments)
    if watching.trace is not None and not watching.trace.count:
        print("note: the trace has no lines: no chosen wave ran a chosen line", file=sys.stderr)
    missed = watching.missed()
    if missed is not None:
        raise missed
    return result


def _write(watching: Watching, arguments: argparse.Namespace) -> None:
    if watching.trace is not None:
        watching.trace.close()
        if watching.trace.is_cut:
            lines, more = watching.trace.count, "--trace-limit allows more"
            choose = "--lines, --wave and --kernel choose fewer instructions"
            print(f"note: the trace ends after {lines} lines; {choose}, {more}", file=sys.stderr)
    if arguments.coverage is not None:
        formats = {".json": coverage.as_json, ".info": coverage.as_lcov}
        write_output(
            arguments.coverage, _format(arguments.coverage, formats, coverage.text)(watching.coverage)
        )
    if arguments.counters is not None:
        formats = {".json": counters.as_json}
        write_output(
            arguments.counters, _format(arguments.counters, formats, counters.text)(watching.counters)
        )


def _format(path: str, formats: Mapping[str, Format[T]], text: Format[T]) -> Format[T]:
    """The format that the suffix of a file names."""
    return formats.get(os.path.splitext(path)[1], text)
