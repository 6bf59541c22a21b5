"""Pieces of work that any process can do: the function that does them here, and its name and data on another
machine."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from importlib import import_module
from typing import Protocol

from msgspec import Struct

from asmgen.batch.pool import outcomes
from asmgen.batch.worker import Limits, Outcome, Run

Outcomes = Generator[tuple[int, Outcome] | None]
"""The number of each piece with its outcome, as they end, and None about once a second."""


class Work(Struct, frozen=True):
    """Pieces by their numbers.

    `run` gives the answer of a piece in this process and in its forks. `entry` is the MODULE:FUNCTION that
    makes the same function from `data` in a process on another machine, on which the files of `files` have
    the same names: paths below the working directory.
    """

    run: Run
    entry: str
    data: bytes
    files: Callable[[], Sequence[str]] = tuple


class Executor(Protocol):
    """Does pieces of work within limits, one work after another. A generator that ends or is closed leaves
    nothing of its work; `close` leaves the machines."""

    def __call__(self, pieces: Iterator[int], work: Work, limits: Limits) -> Outcomes: ...

    def close(self) -> None: ...


def function_of(entry: str, data: bytes) -> Run:
    """The function that gives the answers of pieces."""
    module, _, name = entry.partition(":")
    return getattr(import_module(module), name)(data)


class Processes(Struct, frozen=True):
    """An executor of `jobs` processes of this machine. With `renews`, a piece that fails is the last of its
    process."""

    jobs: int
    renews: bool = False

    def __call__(self, pieces: Iterator[int], work: Work, limits: Limits) -> Outcomes:
        with closing(outcomes(pieces, work.run, self.jobs, limits, self.renews)) as ended:
            yield from ended

    def close(self) -> None:
        """Nothing is left."""
