"""The workgroups of a grid that run at once.

Chunks of workgroups run in order. If a chunk is stuck, or loops for long, the next chunks start and take
turns with it, since it may wait for a later workgroup. Resident workgroups never exceed the machine's limit:
on hardware, a workgroup starts when there is room for it, after all workgroups of lower numbers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from msgspec import Struct

from isa.diagnostics import InputError
from isa.emulator.launching.machine import Checker
from isa.emulator.observers import Observers
from isa.emulator.state.waves import Waves
from isa.named_tuple import NamedTuple

_ROUNDS = 2  # in which each chunk gets no further until all count as stuck


class Grid(NamedTuple):
    """`groups` workgroups. Usually `chunk` of them run at once, and never more than `resident`, the limit of
    `machine`."""

    groups: int
    chunk: int
    resident: int
    machine: str


class Started(NamedTuple):
    """A chunk's waves, and what runs them: it stops for others with None, or with a standstill's error."""

    waves: Waves
    steps: Iterator[InputError | None]


class _Chunk(Struct):
    first: int
    groups: int
    started: Started
    kept: object = None  # the sanitizer's, while others run
    stuck: InputError | None = None

    def alive(self) -> int:
        """The number of workgroups with a wave that has not ended."""
        return int((~self.started.waves.barrier.ended).reshape(self.groups, -1).any(axis=1).sum())


def run_grid(
    grid: Grid,
    start: Callable[[int, int], Started],
    checker: Checker | None,
    observers: Observers | None,
    progress: Callable[[int, int], None] | None,
    rest: Callable[[int], bool] | None = None,
) -> None:
    """Run every workgroup. `start` gets the first workgroup and their number, and tells the checker and the
    observers.
    `rest` may run all workgroups from a number on: it is asked once, after the first chunk has ended.

    Raises InputError EMU021 if all workgroups are stuck.
    """
    waiting: deque[_Chunk] = deque()
    first = done = still = 0
    while first < grid.groups or waiting:
        room = grid.resident - sum(chunk.alive() for chunk in waiting)
        if first < grid.groups and room > 0:
            count = min(grid.chunk << len(waiting), grid.groups - first, room)
            chunk = _Chunk(first, count, start(first, count))
            first += count
            still = 0
        else:
            chunk = waiting.popleft()
            if checker is not None:
                checker.resume(chunk.kept)
        ended, chunk.stuck = _advance(chunk)
        if ended:
            done += chunk.groups
            still = 0
            if checker is not None:
                checker.end()
            if observers is not None:
                observers.end(chunk.started.waves)
            if rest is not None and done == first < grid.groups and rest(first):
                first = done = grid.groups
            rest = None
            if progress is not None:
                progress(done, grid.groups)
            continue
        still = 0 if chunk.stuck is None else still + 1
        if checker is not None:
            chunk.kept = checker.suspend()
        waiting.append(chunk)
        if still > _ROUNDS * len(waiting) and (first == grid.groups or room <= 0):
            raise _all_stuck(waiting, grid, first)


def _advance(chunk: _Chunk) -> tuple[bool, InputError | None]:
    """Run a chunk until it ends (True) or stops for others."""
    for stuck in chunk.started.steps:
        return False, stuck
    return True, None


def _all_stuck(waiting: deque[_Chunk], grid: Grid, first: int) -> InputError:
    """The error of the first chunk that waits, with what keeps others from coming to its help."""
    error = min(waiting, key=lambda chunk: chunk.first).stuck
    assert error is not None
    left = grid.groups - first
    if not left:
        return error
    holds = f"{grid.machine} runs {grid.resident} of them at once"
    note = f"{left} workgroups start only when others end: {holds}"
    return InputError(error.place, error.code, error.message, (*error.notes, note), error.help)
