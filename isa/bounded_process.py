"""Runs another program on untrusted text, with limits on time, memory, output and open files.

The limits are the operating system's (setrlimit), so child processes inherit them. The program runs in a
session of its own, and stopping it kills the whole session. If asmgen ends first, the operating system kills
the program (PR_SET_PDEATHSIG).
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
    """Limits of a program: seconds of CPU time, bytes of memory that it writes, seconds of wall time.

    `descriptors` limits its open files, standard input, output and error included; None means asmgen's limit.
    """

    cpu_seconds: int
    memory: int
    seconds: float = 120.0
    descriptors: int | None = None


class Finished(Struct, frozen=True):
    """How a program ended. `stopped` names the limit that it reached, in words that follow the program's
    name; empty if it reached none."""

    status: int
    output: str
    complaint: str
    stopped: str = ""


def run_bounded(command: Sequence[str], directory: Path, limits: Limits) -> Finished:
    """Run a command in a directory, without input, until it ends or reaches a limit. Raises OSError if it
    does not start."""
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
    """Set the limits in the new process, by system calls only, because another thread may own Python's
    locks."""
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
            os._exit(1)  # we ended before the kernel got the request
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
    """The first bytes of a file."""
    _ = file.seek(0)
    return file.read(most).decode(errors="replace")
