"""The process of a command: its standard output and error, and its garbage collector."""

from __future__ import annotations

import errno
import gc
import io
import os
import sys
from typing import TextIO

from isa.diagnostics import InputError

_BOLD, _RED, _PLAIN = "\x1b[1m", "\x1b[1;31m", "\x1b[0m"


class _Closed(io.RawIOBase):
    """Stands for a closed standard output: every write fails."""

    def writable(self) -> bool:
        return True

    def write(self, _data: object) -> int:
        raise OSError(errno.EBADF, "standard output is closed", "standard output")


def prepare_streams() -> None:
    """Replace a closed standard output or error, which Python leaves as None, by a stream.

    A write to a closed standard output fails. Text for a closed standard error is lost.
    """
    if _is_missing(sys.stdout):
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Closed(), 1), "utf-8", write_through=True)
    if _is_missing(sys.stderr):
        sys.stderr = _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # file names may have bytes that are not characters


def _is_missing(stream: TextIO | None) -> bool:
    return stream is None


def _nowhere() -> TextIO:
    return io.TextIOWrapper(io.FileIO(os.open(os.devnull, os.O_WRONLY), "w"), "utf-8", write_through=True)


def flush_output() -> None:
    """Write everything printed so far; OSError if that fails."""
    sys.stdout.flush()


def silence_output() -> None:
    """Drop unwritten output, so that the interpreter does not report it when it closes the stream."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # standard output is not a file
        sys.stdout = _nowhere()


def print_error(error: InputError) -> None:
    """Print `PLACE: error[CODE]: ...` and the notes on standard error, coloured on a terminal."""
    text = str(error)
    if sys.stderr.isatty() and "NO_COLOR" not in os.environ:
        mark = f"error[{error.code}]:"
        text = _BOLD + text.replace(mark, f"{_RED}{mark}{_PLAIN}", 1)
    print(text, file=sys.stderr)


def system_error(error: OSError) -> InputError:
    """The error SYS001 for a call of the system that fails."""
    place = str(error.filename or "standard output")
    message = f"system error: {(error.strerror or str(error)).lower()}"
    return InputError(place, "SYS001", message, help="check the free space and the rights of the place")


def collect_from_here() -> None:
    """Turn the garbage collector on for a command that begins to run long; nothing if it is on.

    `asmgen.__main__` turned it off. Objects that exist already stay and are not looked at.
    """
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def tell(line: str) -> None:
    """Print a note on standard error."""
    print(f"note: {line}", file=sys.stderr)
