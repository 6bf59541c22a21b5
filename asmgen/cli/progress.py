"""A progress bar on standard error, for commands that take longer than a second on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING

from asmgen.cache.answer import unrecorded

if TYPE_CHECKING:
    from rich.progress import Progress

Tell = Callable[[int, int], None]  # the work done, and the total
_PATIENCE = 1.0  # seconds
_A_SECOND = 5  # how often a second the bar is drawn


@contextmanager
def progress(what: str) -> Generator[Tell]:
    """Show a bar for the work inside; `tell(done, total)` moves it, in units of the caller.

    The bar appears after a second and disappears at the end. Before the first `tell` it shows the time. If
    standard error is not a terminal, nothing is drawn or loaded.
    """
    if not sys.stderr.isatty():
        yield _ignore
        return
    bar = _Bar(what)
    try:
        yield bar.tell
    finally:
        bar.close()


def _ignore(_done: int, _total: int) -> None:
    """The `tell` without a bar."""


class _Bar:
    """A bar that a timer draws first; a thread of rich draws it from then on."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._told: tuple[int, int] | None = None
        self._drawn: Progress | None = None
        self._is_closed = False
        self._lock = Lock()
        self._timer = Timer(_PATIENCE, self._draw)
        self._timer.daemon = True
        self._timer.start()

    def tell(self, done: int, total: int) -> None:
        with self._lock:
            self._told = done, total
            self._show()

    def close(self) -> None:
        self._timer.cancel()
        with self._lock:
            self._is_closed = True
            if self._drawn is not None:
                self._drawn.stop()

    def _draw(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
        with self._lock:
            if self._is_closed:
                return
            self._drawn = Progress(
                *columns, console=Console(file=unrecorded(sys.stderr)), transient=True,
                refresh_per_second=_A_SECOND,
                redirect_stdout=False,
                redirect_stderr=False,
            )  # fmt: skip
            _ = self._drawn.add_task(self._what, total=None)
            self._show()
            self._drawn.start()

    def _show(self) -> None:
        if self._drawn is not None and self._told is not None:
            done, total = self._told
            self._drawn.update(self._drawn.task_ids[0], completed=done, total=total)
