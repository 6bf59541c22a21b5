"""The answers to the questions of `tune`: from processes, or from the file of --results."""

from __future__ import annotations

import argparse
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager

from msgspec import json

from asmgen.batch.pool import outcomes
from asmgen.batch.results import Head, Result, Results
from asmgen.batch.worker import Limits, Outcome
from asmgen.cache.answer import OUT, Answer, Part
from asmgen.cache.store import digest
from asmgen.cli.batch_progress import Shown, batch_progress
from asmgen.cli.kept import Keeper
from asmgen.tuning.candidates import Candidate, Measured
from asmgen.tuning.judge import Judge
from isa.diagnostics import InputError

_WITHOUT_EFFECT = ("candidates", "max_seconds", "max_memory", "tuned")  # on the answers in a file


def results_of(arguments: argparse.Namespace) -> Results | None:
    """The file of --results. Raises `InputError` as `Results` does, and BAT002 for --resume without a
    file."""
    if arguments.results is None:
        if arguments.resume:
            message = "got --resume without --results, wanted both"
            help = "--results FILE names the results to go on with"
            raise InputError("--resume", "BAT002", message, help=help)
        return None
    words = {name: value for name, value in vars(arguments).items() if name not in _WITHOUT_EFFECT}
    asked = argparse.Namespace(**{**words, "given": frozenset()})
    return Results(arguments.results, Head("tune", Keeper().identity(asked)), arguments.resume)


class Answers:
    """Asks the judge in processes, and writes each answer to `results`."""

    def __init__(self, judge: Judge, jobs: int, limits: Limits, results: Results | None, most: int) -> None:
        self._judge = judge
        self._jobs = jobs
        self._limits = limits
        self._results = results
        self._most = most
        self._done = 0
        self._bar: Shown | None = None

    @contextmanager
    def shown(self) -> Generator[None]:
        """Show how many candidates have an answer inside."""
        with batch_progress(self._most) as bar:
            self._bar = bar
            yield

    def ask(self, candidates: Sequence[Candidate], is_whole: bool) -> list[Measured | None]:
        """The estimates or times of candidates; None for a candidate that does not compile or reaches a
        limit."""
        found: dict[int, Measured | None] = {}
        keys = [self._key(candidate, is_whole) for candidate in candidates]
        known = self._results.known if self._results is not None else {}
        for number, key in enumerate(keys):
            if key in known:
                found[number] = _read(known[key].output)
        self._tell(0 if is_whole else len(found))
        missing = [number for number in range(len(candidates)) if number not in found]
        jobs = max(1, min(self._jobs, len(missing)))

        def run(number: int) -> Answer:
            return self._answer(candidates[number], is_whole)

        with closing(outcomes(iter(missing), run, jobs, self._limits)) as ended:
            for item in ended:
                if item is not None:
                    number, outcome = item
                    output = _output(outcome)
                    found[number] = _read(output)
                    self._keep(candidates[number], keys[number], output, outcome)
                self._tell(0 if is_whole or item is None else 1)
        return [found[number] for number in range(len(candidates))]

    def _tell(self, more: int) -> None:
        self._done += more
        if self._bar is not None:
            self._bar.tell(self._done, 0)

    def _key(self, candidate: Candidate, is_whole: bool) -> str:
        launch = self._judge.launches[candidate.launch].name
        return digest(f"{launch} {candidate.text} {is_whole}".encode())

    def _answer(self, candidate: Candidate, is_whole: bool) -> Answer:
        """The time of a candidate, in a worker."""
        try:
            time = self._judge.measure(candidate) if is_whole else self._judge.estimate(candidate)
        except InputError:
            return Answer(1, ())
        return Answer(0, (Part(OUT, json.encode(time)),))

    def _keep(self, candidate: Candidate, key: str, output: str, outcome: Outcome) -> None:
        if self._results is None:
            return
        status = int(not output)
        seconds = round(outcome.seconds, 3)
        result = Result(candidate.text, key, status, outcome.fault, outcome.reason, seconds, output)
        self._results.add(result)


def _output(outcome: Outcome) -> str:
    """The time in an outcome as JSON; empty if it has none."""
    answer = outcome.answer
    return "" if answer is None or answer.status else answer.parts[0].data.decode()


def _read(output: str) -> Measured | None:
    return json.decode(output, type=Measured) if output else None
