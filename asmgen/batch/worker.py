"""A process that does pieces of work, and the ways in which it ends before it has an answer.

A worker gets the number of a piece through a pipe, and returns a message through another. It is the leader of
a process group, so that it ends with the processes that it has started. Its standard streams are /dev/null.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NoReturn

from msgspec import Struct, msgpack

from asmgen.cache.answer import Answer

CRASHED, HUNG, MEMORY = "crashed", "hung", "memory"
_SIZE_BYTES = 8  # of a number in a pipe

Run = Callable[[int], Answer]


class Outcome(Struct, frozen=True, array_like=True):
    """The answer of a piece; None if it has none, with the kind of its fault and a description. `seconds` is
    the time that it took."""

    answer: Answer | None
    fault: str = ""
    reason: str = ""
    seconds: float = 0.0


class Limits(Struct, frozen=True):
    """Limits of a piece: seconds of wall time, and bytes of memory that its worker may write."""

    seconds: float | None = None
    memory: int | None = None


class Worker:
    """A worker process. `inherited` are descriptors of this process that the worker closes."""

    def __init__(self, run: Run, limits: Limits, inherited: Iterable[int]) -> None:
        self._limits = limits
        pieces, self._pieces = os.pipe()
        self.results, results = os.pipe()
        self.piece: int | None = None
        self.count = 0  # of its pieces
        self._since = 0.0
        self.pid = os.fork()
        if not self.pid:
            _serve(run, limits, pieces, results, [*inherited, self._pieces, self.results])
        with suppress(OSError):  # the worker may have done it already
            os.setpgid(self.pid, self.pid)
        os.close(pieces)
        os.close(results)
        self.ended = os.pidfd_open(self.pid)

    @property
    def descriptors(self) -> list[int]:
        """The descriptors of this process that other workers must close."""
        return [self._pieces, self.results, self.ended]

    def begin(self, piece: int) -> None:
        """Give the worker a piece."""
        self.piece = piece
        self.count += 1
        self._since = time.monotonic()
        with suppress(BrokenPipeError):  # it has ended, which `ended` says
            _ = os.write(self._pieces, piece.to_bytes(_SIZE_BYTES))

    def seconds_left(self) -> float | None:
        """The time until the piece of the worker is overdue; None without a piece or a limit."""
        if self.piece is None or self._limits.seconds is None:
            return None
        return self._since + self._limits.seconds - time.monotonic()

    def outcome(self) -> Outcome | None:
        """The message of the worker; None if it ended within it."""
        size = _read(self.results, _SIZE_BYTES)
        data = None if size is None else _read(self.results, int.from_bytes(size))
        return None if data is None else msgpack.decode(data, type=Outcome)

    def died(self) -> Outcome:
        """The outcome of the piece of a worker that has ended."""
        status = self.stop()
        return Outcome(None, CRASHED, _cause_of_end(status), time.monotonic() - self._since)

    def overdue(self) -> Outcome:
        """Stop the worker; the outcome of its piece."""
        _ = self.stop()
        seconds = self._limits.seconds
        return Outcome(None, HUNG, f"stopped after {seconds:g} seconds", time.monotonic() - self._since)

    def stop(self) -> int:
        """End the worker and the processes that it has started; its status as `os.waitpid` gives it."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        for descriptor in self.descriptors:
            os.close(descriptor)
        return status


def _cause_of_end(status: int) -> str:
    """A description of the end of a process."""
    if not os.WIFSIGNALED(status):
        return f"the process ended with status {os.waitstatus_to_exitcode(status)}"
    number = os.WTERMSIG(status)
    return f"the process died of signal {number} ({signal.strsignal(number)})"


def _read(descriptor: int, size: int) -> bytes | None:
    """The next bytes of a pipe; None if the writer ends before it has written all."""
    data = bytearray()
    while len(data) < size:
        part = os.read(descriptor, size - len(data))
        if not part:
            return None
        data += part
    return bytes(data)


def _serve(run: Run, limits: Limits, pieces: int, results: int, inherited: Iterable[int]) -> NoReturn:
    """Do pieces until the parent closes the pipe."""
    try:
        os.setpgid(0, 0)
        _ = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C stops
        for descriptor in inherited:
            os.close(descriptor)
        _silence()
        if limits.memory is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (limits.memory, limits.memory))
        gc.freeze()
        gc.enable()
        while (number := _read(pieces, _SIZE_BYTES)) is not None:
            data = msgpack.encode(_done(run, int.from_bytes(number), limits))
            _write(results, len(data).to_bytes(_SIZE_BYTES) + data)
    finally:
        os._exit(1)


def _silence() -> None:
    """Let nothing that is printed reach the streams of the parent, whatever files they are."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nowhere, descriptor)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the process ends


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _done(run: Run, piece: int, limits: Limits) -> Outcome:
    """The outcome of a piece that this process does."""
    start = time.monotonic()
    try:
        answer = run(piece)
    except MemoryError:
        most = f"more than {(limits.memory or 0) >> 20} MiB of memory" if limits.memory else "too much memory"
        return Outcome(None, MEMORY, f"it needs {most}", time.monotonic() - start)
    except BaseException as error:  # noqa: BLE001 - a fault of ours in a piece must not stop the others
        *_, last = traceback.format_exception_only(error)
        frames = traceback.extract_tb(sys.exc_info()[2])
        place = f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}: " if frames else ""
        return Outcome(None, CRASHED, f"{place}{last.strip()}", time.monotonic() - start)
    return Outcome(answer, seconds=time.monotonic() - start)
