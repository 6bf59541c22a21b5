"""The file of results: a JSON line for each piece that has ended, so that a later run can continue.

The first line names the command. A line is appended when its piece has ended, so a process that is killed
leaves at most the beginning of a line, and a later run removes it. At the end the lines are sorted into the
order of the pieces.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Sequence
from contextlib import suppress

from msgspec import DecodeError, Struct, ValidationError, json

from isa.diagnostics import InputError

OPTION = "--results"
_FORMAT = "asmgen results 1"


class Head(Struct, frozen=True):
    """The first line: the command, and a digest of its options and of the code of asmgen. `by` names the
    device or the model that measured the results."""

    command: str
    question: str
    format: str = _FORMAT
    by: str = ""


class Result(Struct, frozen=True):
    """A piece that has ended.

    `key` is a digest of everything that the result depends on. `fault` is `crashed`, `hung` or `memory` if
    the piece has no answer, and `reason` describes it. `output` and `errors` are the texts that the command
    printed.
    """

    source: str
    key: str
    status: int
    fault: str = ""
    reason: str = ""
    seconds: float = 0.0
    output: str = ""
    errors: str = ""


class Results:
    """The results in a file, by key. Raises `InputError`: BAT002 for a file that is there already, unless
    `resumes`; BAT003 for results of another command; BAT004 for other files, and if the file cannot be read
    or written, also later; BAT005 if another process writes it."""

    def __init__(self, path: str, head: Head, resumes: bool) -> None:
        self._path = path
        self._head = head
        self.known: dict[str, Result] = {}
        is_there = os.path.exists(path)
        if is_there and not resumes:
            message = f"{path} is there already, wanted a new file"
            raise InputError(OPTION, "BAT002", message, help="--resume continues it")
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise self._unusable("written", error) from error
        try:
            self._lock()
            if os.fstat(self._file).st_size:
                self._read()
            else:
                self._append(json.encode(head))
        except InputError:
            self.close()
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            message = f"another process writes {self._path}, wanted a file for each command"
            raise InputError(OPTION, "BAT005", message) from error

    def _unusable(self, action: str, error: OSError) -> InputError:
        message = f"{self._path} cannot be {action}: {(error.strerror or str(error)).lower()}"
        return InputError(OPTION, "BAT004", message, help="name a file that you may read and write")

    def _read(self) -> None:
        try:
            with open(self._file, "rb", closefd=False) as file:
                first, *lines = file.read().splitlines(keepends=True)
        except OSError as error:
            raise self._unusable("read", error) from error
        try:
            head = json.decode(first, type=Head)
            whole = [line for line in lines if line.endswith(b"\n")]
            results = [json.decode(line, type=Result) for line in whole]
        except (DecodeError, ValidationError) as error:
            message = f"{self._path} is not a file of results ({error}), wanted a new file"
            raise InputError(OPTION, "BAT004", message) from error
        if head.by and self._head.by and head.by != self._head.by:
            message = f"{self._path} has results by {head.by}, wanted results by {self._head.by}"
            raise InputError(OPTION, "BAT003", message, help="--judge chooses the judge")
        if head != self._head:
            message = f"{self._path} has results of another command or of another version of asmgen"
            raise InputError(OPTION, "BAT003", f"{message}, wanted a new file")
        self.known = {result.key: result for result in results}
        os.ftruncate(self._file, len(first) + sum(map(len, whole)))
        _ = os.lseek(self._file, 0, os.SEEK_END)

    def add(self, result: Result) -> None:
        """Append a result."""
        self.known[result.key] = result
        self._append(json.encode(result))

    def _append(self, line: bytes) -> None:
        data = line + b"\n"
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError as error:
            raise self._unusable("written", error) from error

    def finish(self, keys: Sequence[str]) -> None:
        """Sort the file into the order of the keys, and leave out results of other keys."""
        lines = [json.encode(self._head), *(json.encode(self.known[key]) for key in keys)]
        part = f"{self._path}.{os.getpid()}.part"
        try:
            with open(part, "wb") as file:
                file.writelines(line + b"\n" for line in lines)
            os.replace(part, self._path)
        except OSError as error:
            with suppress(OSError):
                os.unlink(part)
            raise self._unusable("written", error) from error

    def close(self) -> None:
        os.close(self._file)
