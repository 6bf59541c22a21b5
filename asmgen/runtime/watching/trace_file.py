"""The file of a trace: the lines of each launch by wave, in the order of execution.

Lines come in the order in which the emulator runs groups of waves. They wait in a file without a name until
the run ends, however it ends.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import BinaryIO, cast

from asmgen.runtime.watching.capture import Log
from asmgen.runtime.watching.columns import Lines
from asmgen.runtime.watching.trace_lines import Format, JsonFormat, Shape, TextFormat, add_lines, regions_of
from isa.diagnostics import InputError
from isa.emulator.state.global_memory import Memory

JSON_LINES = (".jsonl", ".ndjson")
MOST_LINES = 10_000_000
_WRITABLE = "name a file in a folder in which you may write"
_BLOCK = 1 << 20  # bytes that are copied at once
_COLUMNS = "# launch:wave, step, line, EXEC before it, instruction, registers written, memory accessed\n"


class TraceFile:
    """Collects the lines of launches. `head` names a wave of the current launch."""

    def __init__(self, path: str, most_lines: int = MOST_LINES) -> None:
        self._path = path
        self.format: Format = JsonFormat() if path.endswith(JSON_LINES) else TextFormat()
        self._most = most_lines
        self.count = 0
        self.is_cut = False
        self._spool = tempfile.TemporaryFile()  # noqa: SIM115
        self._pieces: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._heads: list[tuple[str, Callable[[int], str]]] = []

    def launch(self, title: str, head: Callable[[int], str]) -> LaunchLines:
        """A new launch; `head` describes a wave of it by its number."""
        self._heads.append((title, head))
        return LaunchLines(self, len(self._heads) - 1)

    def add(self, launch: int, lines: Lines) -> None:
        """Add lines of a launch, as long as the trace has room."""
        if self.is_cut or not lines.count:
            return
        self.count += lines.count
        self.is_cut = self.count >= self._most
        start = self._spool.tell()
        for wave, text in lines.joined():
            _ = self._spool.write(text)
            self._pieces.setdefault((launch, wave), []).append((start, len(text)))
            start += len(text)

    def close(self) -> None:
        """Write the file."""
        try:
            if self._path == "-":
                sys.stdout.flush()
                self._write(cast("BinaryIO", sys.stdout.buffer))
                sys.stdout.buffer.flush()
                return
            with open(self._path, "wb") as file:
                self._write(file)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(
                f"--trace {self._path}", "OUT001", f"the file cannot be written: {reason}", help=_WRITABLE
            ) from error
        finally:
            self._spool.close()

    def _write(self, file: BinaryIO) -> None:
        is_text = isinstance(self.format, TextFormat)
        if is_text:
            _ = file.write(_COLUMNS.encode())
        for (launch, wave), pieces in sorted(self._pieces.items()):
            title, head = self._heads[launch]
            if is_text:
                _ = file.write(f"# {title}, {head(wave)}\n".encode())
            for start, size in pieces:
                _ = self._spool.seek(start)
                _copy(self._spool, file, size)


def _copy(source: BinaryIO, target: BinaryIO, size: int) -> None:
    while size:
        block = source.read(min(size, _BLOCK))
        _ = target.write(block)
        size -= len(block)


class LaunchLines:
    """The sink of a launch's tracer."""

    def __init__(self, file: TraceFile, launch: int) -> None:
        self._file = file
        self._launch = launch

    def take(self, logs: Sequence[Log], lanes: int, memory: Memory) -> None:
        if self._file.is_cut:
            return
        lines = Lines()
        shape = Shape(self._launch, lanes, tuple(regions_of(memory)))
        for log in logs:
            add_lines(lines, self._file.format, shape, log)
        self._file.add(self._launch, lines)


def check_writable(option: str, path: str) -> None:
    """Raises InputError OUT001 before the run if its output cannot be written."""
    folder = os.path.dirname(path) or "."
    if path != "-" and (os.path.isdir(path) or not os.path.isdir(folder)):
        reason = "is a directory" if os.path.isdir(path) else "no such file or directory"
        raise InputError(
            f"{option} {path}", "OUT001", f"the file cannot be written: {reason}", help=_WRITABLE
        )
