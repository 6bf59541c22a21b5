"""The rest of a large grid on all cores.

A process for each core runs a share of the chunks, on global memory that the processes share. The chunks are
those of a single process, so each workgroup runs as it does there. Only kernels take part in which no
workgroup can learn of another: without atomics on memory, without accesses of a scope, without waiting
loops. If any process fails, memory is as before, and the caller runs the workgroups in sequence: errors are
those of a single process.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from itertools import pairwise
from mmap import mmap

import numpy as np

from isa.diagnostics import InputError
from isa.emulator.program.code import Code
from isa.emulator.program.scopes import kinds_of
from isa.emulator.state.global_memory import Memory
from isa.instruction import Instr, Unit

WORTH = 10_000  # instructions of whole chunks: half a second. Starting processes takes a hundredth of it


def cores() -> int:
    """The processes that a grid may use: the cores that this process may run on."""
    if not hasattr(os, "fork"):
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def are_apart(code: Code) -> bool:
    """Whether no workgroup can wait for another, or add to what another has stored."""
    return not any(
        kind.waits
        or kind.scoped
        or (kind.atomic and isinstance(operation, Instr) and operation.row.unit is not Unit.LDS)
        for operation, kind in zip(code.operations, kinds_of(code), strict=True)
    )


def shares(groups: range, chunk: int, processes: int) -> list[range]:
    """The workgroups of each process: whole chunks, in order."""
    chunks = -(-len(groups) // chunk)
    edges = [chunk * (chunks * part // processes) for part in range(processes + 1)]
    return [groups[first:end] for first, end in pairwise(edges) if first < end]


def run_in_processes(memory: Memory, parts: list[range], run: Callable[[range], None]) -> bool:
    """Run a part in each process, the first in this process. Returns False, with memory as before, if any
    fails."""
    before = memory.arena
    shared = np.frombuffer(mmap(-1, before.nbytes), np.uint8)
    shared[:] = before
    memory.arena = shared
    try:
        with _others(parts[1:], run) as others:
            succeeded = _succeeds(run, parts[0])
            while others:  # all are waited for, and each leaves the list
                _, status = os.waitpid(others[-1], 0)
                _ = others.pop()
                succeeded &= status == 0
    finally:
        memory.arena = before
    if succeeded:
        before[:] = shared
    return succeeded


def _succeeds(run: Callable[[range], None], part: range) -> bool:
    try:
        run(part)
    except InputError:
        return False
    return True


@contextmanager
def _others(parts: list[range], run: Callable[[range], None]) -> Generator[list[int]]:
    """A process for each part. Those that are still in the list at the end are killed."""
    others: list[int] = []
    try:
        for part in parts:
            process = os.fork()
            if not process:
                _run_and_exit(run, part)
            others.append(process)
        yield others
    finally:
        for process in others:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(process, signal.SIGKILL)
                _ = os.waitpid(process, 0)


def _run_and_exit(run: Callable[[range], None], part: range) -> None:
    """The whole life of another process. It leaves at once, without the exit handlers and the buffers that it
    has from its parent."""
    status = 1
    try:
        status = 0 if _succeeds(run, part) else 1
    finally:
        os._exit(status)
