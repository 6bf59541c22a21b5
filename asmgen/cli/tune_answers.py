"""The answers to the questions of `tune`: from processes, a cluster, or the file of --results."""

from __future__ import annotations

import argparse
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager

from msgspec import Struct, json, msgpack

from asmgen.batch.results import Head, Result, Results
from asmgen.batch.work import Executor, Work
from asmgen.batch.worker import Limits, Outcome, Run
from asmgen.blockwise.schedules.choices import choice_text
from asmgen.cache.answer import OUT, Answer, Part
from asmgen.cache.store import digest
from asmgen.cli.batch_progress import Shown, batch_progress
from asmgen.cli.each import results_at
from asmgen.cli.expansion import files_named
from asmgen.cli.kept import Keeper
from asmgen.gridwise.stated import read_stated
from asmgen.tuning.build import Build
from asmgen.tuning.candidates import Candidate, Measured
from asmgen.tuning.judge import Judge
from isa.diagnostics import InputError

_WITHOUT_EFFECT = ("candidates", "max_seconds", "max_memory", "tuned")  # on the answers in a file


def results_of(arguments: argparse.Namespace) -> Results | None:
    """The file of --results; `InputError` as `results_at` raises it."""
    words = {name: value for name, value in vars(arguments).items() if name not in _WITHOUT_EFFECT}
    asked = argparse.Namespace(**{**words, "given": frozenset()})
    return results_at(arguments, lambda: Head("tune", Keeper().identity(asked)))


class Asked(Struct, frozen=True):
    """The candidates of a round. `words` are the command line; a candidate is the number of its launch, its
    schedule as text, and its build."""

    words: tuple[str, ...]
    candidates: tuple[tuple[int, str, Build], ...]
    is_whole: bool

    @staticmethod
    def of(data: bytes) -> Asked:
        return msgpack.decode(data, type=Asked)

    def run(self, judge: Judge) -> Run:
        """The function that gives the answers."""
        candidates = [
            Candidate(launch, read_stated((text,))[""], build) for launch, text, build in self.candidates
        ]
        return lambda number: _answer(judge, candidates[number], self.is_whole)


def _answer(judge: Judge, candidate: Candidate, is_whole: bool) -> Answer:
    """The time of a candidate, in a worker."""
    try:
        time = judge.measure(candidate) if is_whole else judge.estimate(candidate)
    except InputError:
        return Answer(1, ())
    return Answer(0, (Part(OUT, json.encode(time)),))


class Answers:
    """Asks the judge by an executor, and writes each answer to `results`."""

    def __init__(
        self, judge: Judge, executor: Executor, limits: Limits, results: Results | None,
        arguments: argparse.Namespace,
    ) -> None:  # fmt: skip
        self._judge = judge
        self._executor = executor
        self._limits = limits
        self._results = results
        self._arguments = arguments
        self._done = 0
        self._bar: Shown | None = None

    @contextmanager
    def shown(self) -> Generator[None]:
        """Show how many candidates have an answer inside."""
        with batch_progress(self._arguments.candidates) as bar:
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
        work = self._work(candidates, is_whole)
        with closing(self._executor(iter(missing), work, self._limits)) as ended:
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

    def _work(self, candidates: Sequence[Candidate], is_whole: bool) -> Work:
        words = tuple(vars(self._arguments).get("words", ()))
        texts = tuple([(each.launch, choice_text(each.choice), each.build) for each in candidates])
        return Work(
            lambda number: _answer(self._judge, candidates[number], is_whole), "asmgen.cli.tune:answers",
            msgpack.encode(Asked(words, texts, is_whole)), lambda: files_named(self._arguments),
        )  # fmt: skip

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
