"""CPU seconds of a call: of this process, or of the processes that the call starts and waits for."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def timed(run: Callable[[], T]) -> tuple[T, float]:
    """The result of `run`, and the CPU seconds of this process."""
    start = time.process_time()
    result = run()
    return result, time.process_time() - start


def timed_children(run: Callable[[], T]) -> tuple[T, float]:
    """The result of `run`, and the CPU seconds, user and system, of the processes that it starts and waits
    for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return result, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
