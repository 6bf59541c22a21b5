"""A pool of workers: it deals pieces in order, replaces dead workers, and stops pieces at their limits."""

from __future__ import annotations

import select
from collections.abc import Generator, Iterator
from contextlib import closing

from asmgen.batch.watchdog import Watchdog
from asmgen.batch.worker import MEMORY, Limits, Outcome, Run, Worker

_MOST_PIECES = 500  # of a worker: a new process gives back the memory that pieces left behind


def outcomes(
    pieces: Iterator[int], run: Run, jobs: int, limits: Limits, renews: bool = False
) -> Generator[tuple[int, Outcome] | None]:
    """Do pieces by `run` in `jobs` processes; the number of each piece with its outcome, as they end.

    A piece is taken from `pieces` when a worker is free. With `renews`, a piece that fails is the last of its
    process. None is yielded about once a second. When the
    generator is closed, all workers have ended.
    """
    with closing(_Pool(run, jobs, limits, renews)) as pool:
        while pool.deal(pieces):
            yield None
            yield from pool.ended()


class _Pool:
    def __init__(self, run: Run, jobs: int, limits: Limits, renews: bool) -> None:
        self._run = run
        self._jobs = jobs
        self._limits = limits
        self._renews = renews
        self._workers: list[Worker] = []
        self._watchdog = Watchdog()

    def deal(self, pieces: Iterator[int]) -> bool:
        """Give each free worker a piece, and start workers; whether any piece is left."""
        free = [worker for worker in self._workers if worker.piece is None]
        while free or len(self._workers) < self._jobs:
            piece = next(pieces, None)
            if piece is None:
                break
            (free.pop() if free else self._start()).begin(piece)
        return any(worker.piece is not None for worker in self._workers)

    def ended(self) -> Generator[tuple[int, Outcome]]:
        """The outcomes of pieces that end, or none after a second."""
        poll = select.poll()
        for worker in self._workers:
            poll.register(worker.results, select.POLLIN)
            poll.register(worker.ended, select.POLLIN)
        times = [left for worker in self._workers if (left := worker.seconds_left()) is not None]
        ready = {descriptor for descriptor, _ in poll.poll(1000 * max(0.0, min([1.0, *times])))}
        for worker in list(self._workers):
            piece = worker.piece
            outcome = self._outcome(worker, ready)
            if piece is not None and outcome is not None:
                yield piece, outcome

    def _outcome(self, worker: Worker, ready: set[int]) -> Outcome | None:
        """The outcome of a worker's piece, if it has ended or must end."""
        outcome = worker.outcome() if worker.results in ready else None
        if outcome is not None:
            worker.piece = None
            is_spent = self._renews and (outcome.answer is None or outcome.answer.status != 0)
            if is_spent or worker.count >= _MOST_PIECES or outcome.fault == MEMORY:
                _ = worker.stop()
                self._forget(worker)
            return outcome
        left = worker.seconds_left()
        if not ready.isdisjoint((worker.ended, worker.results)):
            outcome = worker.died()
        elif left is not None and left <= 0:
            outcome = worker.overdue()
        else:
            return None
        self._forget(worker)
        return outcome

    def _start(self) -> Worker:
        inherited = [descriptor for worker in self._workers for descriptor in worker.descriptors]
        worker = Worker(self._run, self._limits, [*inherited, self._watchdog.pipe])
        self._watchdog.add(worker.pid)
        self._workers.append(worker)
        return worker

    def _forget(self, worker: Worker) -> None:
        self._workers.remove(worker)
        self._watchdog.remove(worker.pid)

    def close(self) -> None:
        """End all workers, and the watchdog."""
        for worker in list(self._workers):
            _ = worker.stop()
            self._forget(worker)
        self._watchdog.close()
