"""The answers to the questions of `tune`: from its judge, or from the file of --results."""

from __future__ import annotations

import argparse
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager

from msgspec import Struct, json

from asmgen.batch.results import Head, Result, Results
from asmgen.batch.worker import Outcome
from asmgen.cache.answer import ERROR, Answer, Part
from asmgen.cache.store import digest
from asmgen.cli.batch.each import results_at
from asmgen.cli.batch.progress import Shown, batch_progress
from asmgen.cli.kept import Keeper
from asmgen.cli.tuning.judges import DEVICE_FAILS, Judging, error_of
from asmgen.tuning.candidates import Candidate, Measured
from asmgen.tuning.judge import Judge
from isa.diagnostics import InputError

# without an effect on the answers in a file; the file names its judge
_WITHOUT_EFFECT = ("candidates", "max_seconds", "max_memory", "tuned", "judge", "format")


def results_of(arguments: argparse.Namespace, judge: str) -> Results | None:
    """The file of --results, with the answers of a judge; `InputError` as `results_at` raises it."""
    words = {name: value for name, value in vars(arguments).items() if name not in _WITHOUT_EFFECT}
    asked = argparse.Namespace(**{**words, "given": frozenset()})
    return results_at(arguments, lambda: Head("tune", Keeper().identity(asked), by=judge))


class Refusal(Struct, frozen=True):
    """Why a candidate has no time. `is_named` marks those that the output names: candidates that reach a
    limit or fail on the device, but not those that do not compile."""

    error: InputError
    is_named: bool


class Answers:
    """Asks a judge, and writes each answer to `results`. `refusals` says why candidates have no time."""

    def __init__(
        self, judging: Judging, judge: Judge, results: Results | None, arguments: argparse.Namespace
    ) -> None:
        self._judging = judging
        self._judge = judge
        self._results = results
        self._arguments = arguments
        self._done = 0
        self._bar: Shown | None = None
        self.refusals: dict[Candidate, Refusal] = {}

    @contextmanager
    def shown(self) -> Generator[None]:
        """Show how many candidates have an answer inside."""
        with batch_progress(self._arguments.candidates) as bar:
            self._bar = bar
            yield

    def ask(self, candidates: Sequence[Candidate], is_whole: bool) -> list[Measured | None]:
        """The estimates or times of candidates; None for a candidate that does not compile, fails or reaches
        a limit."""
        found: dict[int, Result] = {}
        keys = [self._key(candidate, is_whole) for candidate in candidates]
        known = self._results.known if self._results is not None else {}
        for number, key in enumerate(keys):
            if key in known:
                found[number] = known[key]
        self._tell(0 if is_whole else len(found))
        missing = [number for number in range(len(candidates)) if number not in found]
        with closing(self._judging.outcomes(candidates, missing, is_whole)) as ended:
            for item in ended:
                if item is not None:
                    number, outcome = item
                    found[number] = _result(candidates[number], keys[number], outcome)
                    self._keep(found[number])
                self._tell(0 if is_whole or item is None else 1)
        return [self._time(candidate, found[number]) for number, candidate in enumerate(candidates)]

    def _time(self, candidate: Candidate, result: Result) -> Measured | None:
        if result.output:
            return json.decode(result.output, type=Measured)
        is_named = bool(result.fault) or result.status == DEVICE_FAILS
        self.refusals[candidate] = Refusal(self._error(candidate, result), is_named)
        return None

    def _error(self, candidate: Candidate, result: Result) -> InputError:
        """The error of a result without a time."""
        place = self._judge.launches[candidate.launch].name
        parts = (Part(ERROR, result.errors.encode()),)
        answer = None if result.fault else Answer(result.status, parts)
        return error_of(Outcome(answer, result.fault, result.reason), place)

    def _tell(self, more: int) -> None:
        self._done += more
        if self._bar is not None:
            self._bar.tell(self._done, 0)

    def _key(self, candidate: Candidate, is_whole: bool) -> str:
        launch = self._judge.launches[candidate.launch].name
        return digest(f"{launch} {candidate.text} {is_whole}".encode())

    def _keep(self, result: Result) -> None:
        if self._results is not None:
            self._results.add(result)


def _result(candidate: Candidate, key: str, outcome: Outcome) -> Result:
    """An outcome as a line of the file: its output is the time as JSON, empty if it has none."""
    seconds, answer = round(outcome.seconds, 3), outcome.answer
    if answer is None:
        return Result(candidate.text, key, 1, outcome.fault, outcome.reason, seconds)
    text = answer.parts[0].data.decode()
    if answer.status:
        return Result(candidate.text, key, answer.status, seconds=seconds, errors=text)
    return Result(candidate.text, key, 0, seconds=seconds, output=text)
