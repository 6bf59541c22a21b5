"""The progress of a batch on standard error: a bar on a terminal, a line from time to time in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Generator
from contextlib import contextmanager

_PATIENCE = 1.0  # seconds until the bar appears
_BETWEEN_LINES = 10.0  # seconds


class Shown:
    """Lines in a pipe."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._start = self._last = time.monotonic()

    def tell(self, done: int, failed: int) -> None:
        """`done` pieces have ended, `failed` of them with an error."""
        now = time.monotonic()
        if now - self._last >= _BETWEEN_LINES and done < self._total:
            self._last = now
            print(_line(done, self._total, failed, now - self._start), file=sys.stderr, flush=True)

    @contextmanager
    def aside(self) -> Generator[None]:
        """Print something else inside."""
        yield

    def close(self) -> None:
        """Draw nothing more."""


class _Bar(Shown):
    """A bar of rich, which is removed while something else is printed."""

    def __init__(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        super().__init__(total)
        columns = (
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
        )  # fmt: skip
        self._drawn = Progress(
            *columns, console=Console(file=sys.stderr), transient=True, auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )  # fmt: skip
        self._task = self._drawn.add_task("", total=total, rate="")

    def tell(self, done: int, failed: int) -> None:
        seconds = time.monotonic() - self._start
        what = f"{failed} failed" if failed else ""
        self._drawn.update(self._task, completed=done, description=what, rate=f"{done / seconds:.1f}/s")
        if seconds >= _PATIENCE:
            self._drawn.start()
            self._drawn.refresh()

    @contextmanager
    def aside(self) -> Generator[None]:
        if sys.stdout.isatty():
            self._drawn.stop()
        yield

    def close(self) -> None:
        self._drawn.stop()


@contextmanager
def batch_progress(total: int) -> Generator[Shown]:
    """Show how many of `total` pieces have ended, how fast, and the time left."""
    bar = _Bar(total) if sys.stderr.isatty() else Shown(total)
    try:
        yield bar
    finally:
        bar.close()


def _line(done: int, total: int, failed: int, seconds: float) -> str:
    rate = done / seconds
    left = f"{(total - done) / rate:.0f} s left" if done else "time left unknown"
    return f"{done} of {total} done, {failed} failed, {rate:.1f} a second, {left}"
