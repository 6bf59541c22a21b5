"""Standard output and error: colours on a terminal alone, files written whole or not at all."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import TYPE_CHECKING, TextIO

from isa.diagnostics import InputError

if TYPE_CHECKING:
    from pathlib import Path

_LONGEST_PREFIX = 64  # of a temporary file's name
_BOLD, _RED, _PLAIN = "\x1b[1m", "\x1b[1;31m", "\x1b[0m"


class _Closed(io.RawIOBase):
    """What standard output is where it is closed: nothing can be written to it."""

    def writable(self) -> bool:
        return True

    def write(self, _data: object) -> int:
        raise OSError(errno.EBADF, "standard output is closed", "standard output")


def prepare_streams() -> None:
    """Make standard output and error what can be written to, or say that it cannot: Python leaves None
    where one is closed."""
    if _is_missing(sys.stdout):
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Closed(), 1), "utf-8", write_through=True)
    if _is_missing(sys.stderr):
        sys.stderr = _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(
                errors="backslashreplace"
            )  # names of files may have bytes that are no characters


def _is_missing(stream: TextIO | None) -> bool:
    return stream is None


def _nowhere() -> TextIO:
    return io.TextIOWrapper(io.FileIO(os.open(os.devnull, os.O_WRONLY), "w"), "utf-8", write_through=True)


def flush_output() -> None:
    """See that all that was printed arrives; OSError where it does not."""
    sys.stdout.flush()


def silence_output() -> None:
    """Drop what has not arrived: the interpreter would complain of it when it closes the stream."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # it is no file
        sys.stdout = _nowhere()


def print_error(error: InputError) -> None:
    """`PLACE: error[CODE]: ...` and the notes, on standard error."""
    text = str(error)
    if sys.stderr.isatty() and "NO_COLOR" not in os.environ:
        mark = f"error[{error.code}]:"
        text = _BOLD + text.replace(mark, f"{_RED}{mark}{_PLAIN}", 1)
    print(text, file=sys.stderr)


def write_output(path: str, content: str | bytes) -> None:
    """Write to `path` by way of a temporary file next to it, or to standard output for `-`."""
    data = content.encode(errors="surrogateescape") if isinstance(content, str) else content
    if path == "-":
        sys.stdout.flush()
        _ = sys.stdout.buffer.write(data)
        return
    from pathlib import Path

    write_file(Path(path), data)


def write_file(path: Path, data: bytes) -> None:
    """As `replace_file`, and says on standard error that there is a file now."""
    replace_file(path, data)
    if path.is_file() and not _is_written_in_place(path):
        print(f"wrote {path}: {len(data)} bytes", file=sys.stderr)


def replace_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, and to what is no file (a device, a pipe) in place; `InputError`
    where it cannot be written.

    A link stays one, and a file that is there keeps its mode.
    """
    from pathlib import Path  # it takes 8 ms to load, and most commands print

    try:
        if _is_written_in_place(path):
            with path.open("wb") as device:
                _ = device.write(data)
        else:
            _replace(Path(os.path.realpath(path)), data)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        message = f"the file cannot be written: {reason.lower()}"
        raise InputError(str(path), "OUT001", message, help=_way_to_write(path)) from error


def _way_to_write(path: Path) -> str:
    if os.path.isdir(path):
        return f"-o {path}/NAME writes a file in the folder"
    if not os.path.isdir(path.parent) and not os.path.exists(path.parent):
        return f"`mkdir -p {path.parent}` makes the folder"
    return ""


def _is_written_in_place(path: Path) -> bool:
    """Whether a path names a device, a pipe, or an open file of this process, as /dev/stdout does."""
    is_open_file = path.is_symlink() and os.path.abspath(path).startswith(("/dev/", "/proc/"))
    return is_open_file or (path.exists() and not (path.is_file() or path.is_dir()))


def _replace(path: Path, data: bytes) -> None:
    """Write next to the file, then take its place."""
    import tempfile  # it takes 5 ms to load, and most commands print

    mode = path.stat().st_mode & 0o777 if path.is_file() else 0o666 & ~_umask()
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:_LONGEST_PREFIX]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            _ = file.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    """The process's umask, which only setting it tells."""
    mask = os.umask(0)
    _ = os.umask(mask)
    return mask
