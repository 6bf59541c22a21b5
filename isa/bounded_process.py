"""Running another program on text that nobody vouches for: it is bounded in time, memory, output and open
files, and it ends with us.

The limits are the kernel's own (setrlimit), so whatever the program starts inherits them. It is in a session
of its own, which is killed as a whole when it is stopped; the kernel kills it when we end without having
stopped it (PR_SET_PDEATHSIG).
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from msgspec import Struct

_PR_SET_PDEATHSIG = 1
_LARGEST_FILE = 1 << 28
_LONGEST_COMPLAINT = 1 << 20
_OUT_OF_MEMORY = ("out of memory", "bad_alloc", "Cannot allocate memory", "Allocation failed")


class Limits(Struct, frozen=True):
    """What a program may take: seconds of CPU time, bytes of memory that it writes, seconds in all.

    `descriptors` is how many files it may have open at once, standard input, output and error among them;
    None is as many as we.
    """

    cpu_seconds: int
    memory: int
    seconds: float = 120.0
    descriptors: int | None = None


class Finished(Struct, frozen=True):
    """How a program ended. `stopped` says which limit it met, in words that follow the program's name;
    empty where it met none."""

    status: int
    output: str
    complaint: str
    stopped: str = ""


def run_bounded(command: Sequence[str], directory: Path, limits: Limits) -> Finished:
    """Run a command in a directory, without input, until it ends or meets a limit. OSError where it cannot
    be started."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as complaint:
        process = subprocess.Popen(
            command, cwd=directory, stdin=subprocess.DEVNULL, stdout=output, stderr=complaint,
            start_new_session=True, preexec_fn=_bind(limits, os.getpid()),
        )  # fmt: skip
        try:
            in_time = _wait(process, limits.seconds)
        finally:
            _kill(process)
        said = _read(complaint, _LONGEST_COMPLAINT)
        stopped = (
            _stopped(process.returncode, said, limits)
            if in_time
            else f"was stopped after {limits.seconds:g} seconds"
        )
        return Finished(process.returncode, _read(output, _LARGEST_FILE), said, stopped)


def _bind(limits: Limits, parent: int) -> Callable[[], None]:
    """What the new process does before it becomes the program: system calls alone, for other threads may
    hold Python's locks."""
    libc = ctypes.CDLL(None)
    numbers = [
        (resource.RLIMIT_CPU, limits.cpu_seconds),
        (resource.RLIMIT_FSIZE, _LARGEST_FILE),
        (resource.RLIMIT_CORE, 0),
        *([(resource.RLIMIT_NOFILE, limits.descriptors)] if limits.descriptors is not None else []),
        (resource.RLIMIT_DATA, limits.memory),
    ]

    def bind() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)  # we ended before the kernel was told
        for number, most in numbers:
            _, hard = resource.getrlimit(number)
            allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(number, (allowed, allowed))

    return bind


def _wait(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether the process ends in time. By a descriptor of it, since `Popen.wait` with a timeout sleeps up
    to 50 ms too long."""
    descriptor = os.pidfd_open(process.pid)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        if not poll.poll(seconds * 1000):
            return False
    finally:
        os.close(descriptor)
    _ = process.wait()
    return True


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End whatever is left of the process's session."""
    with suppress(ProcessLookupError, PermissionError):  # nothing may be left
        os.killpg(process.pid, signal.SIGKILL)
    _ = process.wait()


def _stopped(status: int, complaint: str, limits: Limits) -> str:
    if status == 0:
        return ""
    if status in (-signal.SIGKILL, -signal.SIGXCPU):
        return f"was stopped after {limits.cpu_seconds} seconds of CPU time"
    if any(phrase in complaint for phrase in _OUT_OF_MEMORY):
        return f"asked for more than {limits.memory >> 20} MB of memory"
    if status == -signal.SIGXFSZ or "File too large" in complaint:
        return f"wrote more than {_LARGEST_FILE >> 20} MB"
    if status < 0:
        return f"died of signal {-status}"
    return ""


def _read(file: IO[bytes], most: int) -> str:
    """What was written to a file, up to a number of bytes."""
    _ = file.seek(0)
    return file.read(most).decode(errors="replace")
