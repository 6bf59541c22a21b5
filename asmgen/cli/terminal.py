"""Standard output and error: colours on a terminal alone, files written whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from isa.diagnostics import InputError

_BOLD, _RED, _PLAIN = "\x1b[1m", "\x1b[1;31m", "\x1b[0m"


def print_error(error: InputError) -> None:
    """`PLACE: error[CODE]: ...` and the notes, on standard error."""
    text = str(error)
    if sys.stderr.isatty() and "NO_COLOR" not in os.environ:
        mark = f"error[{error.code}]:"
        text = _BOLD + text.replace(mark, f"{_RED}{mark}{_PLAIN}", 1)
    print(text, file=sys.stderr)


def write_output(path: str, content: str | bytes) -> None:
    """Write to `path` by way of a temporary file next to it, or to standard output for `-`."""
    data = content.encode() if isinstance(content, str) else content
    if path == "-":
        sys.stdout.flush()
        _ = sys.stdout.buffer.write(data)
        return
    write_file(Path(path), data)


def write_file(path: Path, data: bytes) -> None:
    """As `replace_file`, and says on standard error that there is a file now."""
    replace_file(path, data)
    if path.is_file():
        print(f"wrote {path}: {len(data)} bytes", file=sys.stderr)


def replace_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, and to what is no file (a device, a pipe) in place; `InputError` where it cannot be written."""
    temporary = ""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            with path.open("wb") as device:
                _ = device.write(data)
            return
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            _ = file.write(data)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        if temporary and os.path.exists(temporary):
            os.unlink(temporary)
        raise InputError(str(path), "OUT001", f"the file cannot be written: {(error.strerror or str(error)).lower()}") from error


def _umask() -> int:
    """The process's umask, which only setting it tells."""
    mask = os.umask(0)
    _ = os.umask(mask)
    return mask
