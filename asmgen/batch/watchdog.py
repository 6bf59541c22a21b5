"""A process that ends the workers if this process is killed.

It waits at the end of a pipe. If this process ends in any way, the system closes the pipe, and the watchdog
kills the process groups of the workers that are left.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress

_PID_BYTES = 8
_ADD, _REMOVE = b"+", b"-"


class Watchdog:
    """A watchdog for the process groups of workers."""

    def __init__(self) -> None:
        reading, self.pipe = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            os.close(self.pipe)
            _watch(reading)
        os.close(reading)

    def add(self, group: int) -> None:
        """Watch a process group."""
        self._tell(_ADD, group)

    def remove(self, group: int) -> None:
        """Watch a process group no more, since it has ended."""
        self._tell(_REMOVE, group)

    def _tell(self, what: bytes, group: int) -> None:
        with suppress(BrokenPipeError):  # without a watchdog the work goes on
            _ = os.write(self.pipe, what + group.to_bytes(_PID_BYTES))

    def close(self) -> None:
        """End the watchdog after the workers."""
        os.close(self.pipe)
        with suppress(ChildProcessError):
            _ = os.waitpid(self._pid, 0)


def _watch(pipe: int) -> None:
    """Read groups until the pipe is closed, and kill those that are left. Never returns."""
    groups: set[int] = set()
    try:
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            _ = signal.signal(number, signal.SIG_IGN)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(nowhere, descriptor)
        while len(message := os.read(pipe, 1 + _PID_BYTES)) == 1 + _PID_BYTES:
            group = int.from_bytes(message[1:])
            groups = groups | {group} if message[:1] == _ADD else groups - {group}
    finally:
        for group in groups:
            with suppress(OSError):
                os.killpg(group, signal.SIGKILL)
        os._exit(0)
