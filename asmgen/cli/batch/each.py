"""Several sources: each is a piece of work for a pool of processes. Results are printed in the order of the
sources, and a summary follows."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, nullcontext, suppress
from importlib import import_module

from msgspec import msgpack

from asmgen.batch.results import Head, Result, Results
from asmgen.batch.work import Executor, Processes, Work
from asmgen.batch.worker import CRASHED, HUNG, MEMORY, Limits, Outcome, Run
from asmgen.cache.answer import ERROR, FILE, OUT, Answer, Part, Recorder
from asmgen.cli.batch.progress import batch_progress
from asmgen.cli.expansion import count_of, files_named
from asmgen.cli.grammar.commands import make_command_parser
from asmgen.cli.grammar.parser import spelt_place
from asmgen.cli.grammar.values import size_of
from asmgen.cli.kept import Keeper
from asmgen.cli.outputs import make_folder_of, replace_file
from asmgen.cli.task import Task, of_source
from asmgen.cli.terminal import print_error, system_error, tell
from asmgen.tuning.kept import OFF
from isa.diagnostics import InputError

_LONGEST_LIST = 20  # names in the summary
_CODES = {CRASHED: "BAT010", HUNG: "BAT011", MEMORY: "BAT012"}
_WORDS = {CRASHED: "crashed", HUNG: "did not end", MEMORY: "ran out of memory"}


def run_each(arguments: argparse.Namespace, task: Task, pieces: Sequence[argparse.Namespace]) -> int:
    """Run a task on each piece, in processes; the largest exit status. `InputError` BAT001 to BAT006 for
    options of batches."""
    limits = limits_of(arguments, task.seconds_more)
    with closing(executor_of(arguments, len(pieces))) as executor:
        if arguments.ray is not None:
            for piece in pieces:
                _use_no_kept_schedules(piece)
        results = _results(arguments, task)
        with nullcontext() if results is None else closing(results):
            return _Batch(task, pieces, results).run(executor, limits)


def executor_of(arguments: argparse.Namespace, count: int) -> Executor:
    """The executor of `count` pieces: the cluster of --ray, otherwise processes. `InputError` BAT001."""
    jobs = jobs_of(arguments)
    if arguments.ray is None:
        return Processes(min(jobs, count))
    from asmgen.batch.on_ray import OnRay

    return OnRay(arguments.ray, arguments.jobs, tell)


def _use_no_kept_schedules(arguments: argparse.Namespace) -> None:
    """Use no schedules that `tune` found: they are kept on a single machine."""
    if "tuned" in vars(arguments):
        arguments.tuned = OFF


def answers(data: bytes) -> Run:
    """The function that gives the answers of pieces on another machine: `data` has the words of the command
    line, and the source and the output of each piece."""
    words, sources = msgpack.decode(data, type=tuple[list[str], list[tuple[str, str | None]]])
    parser = make_command_parser(words[0])
    assert parser is not None, "the command was parsed before"
    arguments = parser.parse_args(words[1:])
    _use_no_kept_schedules(arguments)
    module = import_module(f"asmgen.cli.{arguments.command.partition(':')[0]}")
    pieces = [of_source(arguments, source, output) for source, output in sources]
    return lambda number: answer_of(module.run_source, pieces[number])


def answer_of(run: Callable[[argparse.Namespace], int], piece: argparse.Namespace) -> Answer:
    """The answer of a command on a source."""
    with Recorder(takes_files=True) as recorder:
        try:
            status = run(piece)
        except InputError as error:
            error.place = spelt_place(error.place, piece)
            print_error(error)
            status = 1
        except OSError as error:
            print_error(system_error(error))
            status = 1
        except SystemExit as error:  # the command line lacks an option
            status = int(error.code or 0)
    return recorder.answer(status)


def jobs_of(arguments: argparse.Namespace) -> int:
    """The number of processes: --jobs, otherwise the cores. `InputError` BAT001 if it is below 1."""
    if arguments.jobs is None:
        return len(os.sched_getaffinity(0))
    if arguments.jobs < 1:
        raise InputError("--jobs", "BAT001", f"got {arguments.jobs}, wanted a number of processes from 1 on")
    return arguments.jobs


def limits_of(arguments: argparse.Namespace, seconds_more: float = 0.0) -> Limits:
    """The limits of --max-seconds and --max-memory; `InputError` BAT006 for a limit that is none."""
    seconds = _seconds(arguments)
    return Limits(None if seconds is None else seconds + seconds_more, _memory(arguments))


def _seconds(arguments: argparse.Namespace) -> float | None:
    seconds = arguments.max_seconds
    if seconds is not None and not seconds > 0:
        raise InputError("--max-seconds", "BAT006", f"got {seconds:g}, wanted a time of more than 0 seconds")
    return seconds


def _memory(arguments: argparse.Namespace) -> int | None:
    return None if arguments.max_memory is None else size_of(arguments.max_memory, "--max-memory", "BAT006")


def _results(arguments: argparse.Namespace, task: Task) -> Results | None:
    keeper = task.keeper or Keeper()

    def head() -> Head:
        return Head(arguments.command.partition(":")[0], keeper.identity(of_source(arguments, "", None)))

    return results_at(arguments, head)


def results_at(arguments: argparse.Namespace, head: Callable[[], Head]) -> Results | None:
    """The file of --results, None without it; `head` describes the command that writes the results.
    `InputError` as `Results` raises it, and BAT002 for --resume without a file."""
    if arguments.results is not None:
        return Results(arguments.results, head(), arguments.resume)
    if arguments.resume:
        message = "got --resume without --results, wanted both"
        help = "--results FILE names the results to go on with"
        raise InputError("--resume", "BAT002", message, help=help)
    return None


class _Batch:
    """The pieces of a command, and the results so far."""

    def __init__(self, task: Task, pieces: Sequence[argparse.Namespace], results: Results | None) -> None:
        self._task = task
        self._pieces = pieces
        self._results = results
        self._keeper = task.keeper or Keeper()
        self._keys = [""] * len(pieces)
        self._earlier = {} if results is None else dict(results.known)
        self._ended: dict[int, tuple[Result, Answer]] = {}  # not printed yet
        self._printed = 0
        self._failed: list[Result] = []
        self._is_json = task.has_json_lines and pieces[0].format == "json"

    def run(self, executor: Executor, limits: Limits) -> int:
        """Do all pieces; the largest exit status."""
        sys.stdout.flush()
        sys.stderr.flush()
        self._status = 0
        try:
            with (
                closing(executor(self._waiting(), self._work(), limits)) as ended,
                batch_progress(len(self._pieces)) as bar,
            ):
                for item in ended:
                    if item is not None:
                        self._end(*item)
                    bar.tell(self._printed + len(self._ended), len(self._failed))
                    if self._printed in self._ended:
                        with bar.aside():
                            self._print()
                self._print()
        except KeyboardInterrupt:
            ended = self._printed + len(self._ended)
            self._tell_summary(f"interrupted: {ended} of {count_of(len(self._pieces))} ended")
            raise
        if self._results is not None:
            self._results.finish(self._keys)
        self._tell_summary(count_of(len(self._pieces)))
        return self._status

    def _waiting(self) -> Generator[int]:
        """The pieces without a result."""
        for number, piece in enumerate(self._pieces):
            if self._results is not None:
                self._keys[number] = self._keeper.identity(piece)
            earlier = self._earlier.get(self._keys[number])
            if earlier is not None and _is_complete(earlier, piece.output):
                self._settle(number, earlier, _answer_of(earlier))
                continue
            try:
                if self._task.check is not None:
                    self._task.check(piece)
            except InputError as error:
                self._end(number, Outcome(_refusal(error, piece)), is_new=False)
                continue
            kept = self._task.keeper.find(piece) if self._task.keeper is not None else None
            if kept is None:
                yield number
            else:
                self._end(number, Outcome(kept), is_new=False)

    def _work(self) -> Work:
        sources = [(piece.source, piece.output) for piece in self._pieces]
        words: list[str] = vars(self._pieces[0]).get("words", [])
        return Work(
            lambda number: answer_of(self._task.run, self._pieces[number]), "asmgen.cli.batch.each:answers",
            msgpack.encode((words, sources)), self._files,
        )  # fmt: skip

    def _files(self) -> list[str]:
        """The words of the pieces that may be names of files."""
        names: dict[str, None] = {}
        for piece in self._pieces:
            with suppress(OSError, ValueError):  # the piece reports a run file that cannot be read
                names.update(dict.fromkeys(files_named(piece)))
        return list(names)

    def _end(self, number: int, outcome: Outcome, is_new: bool = True) -> None:
        """Write, keep and record the result of a piece."""
        piece = self._pieces[number]
        answer = outcome.answer
        if answer is None:
            answer = _refusal(fault_of(piece.source, outcome.fault, outcome.reason), piece)
        else:
            if is_new and self._task.keeper is not None:
                self._task.keeper.keep(piece, answer)
            answer = _written(answer, piece)
        result = Result(
            piece.source, self._keys[number], answer.status, outcome.fault, outcome.reason,
            round(outcome.seconds, 3), _text(answer, OUT), _text(answer, ERROR),
        )  # fmt: skip
        if self._results is not None:
            self._results.add(result)
        self._settle(number, result, answer)

    def _settle(self, number: int, result: Result, answer: Answer) -> None:
        self._ended[number] = result, answer
        self._status = max(self._status, result.status)
        if result.status:
            self._failed.append(result)

    def _print(self) -> None:
        """Print the results that come next in the order of the pieces."""
        while self._printed in self._ended:
            result, answer = self._ended.pop(self._printed)
            self._printed += 1
            if self._is_json:
                from asmgen.cli.batch.json_lines import line_of

                print(line_of(result))
                continue
            print(f"== {result.source}", flush=True)
            for part in answer.parts:
                part.write()
                sys.stdout.flush()

    def _tell_summary(self, before: str) -> None:
        self._print()
        names = {result.source for result in self._failed}
        failed = [piece.source for piece in self._pieces if piece.source in names]
        ended = self._printed + len(self._ended)
        summary = f"{before}: {_summary(ended, failed)}"
        print(summary, file=sys.stderr if self._is_json else sys.stdout)


def fault_of(place: str, fault: str, reason: str) -> InputError:
    """The error of a piece without an answer."""
    return InputError(place, _CODES[fault], f"{_WORDS[fault]}: {reason}")


def _is_complete(earlier: Result, output: str | None) -> bool:
    """Whether an earlier result still has its output file."""
    return earlier.status != 0 or output in (None, "-") or os.path.exists(output or "")


def _answer_of(result: Result) -> Answer:
    parts = Part(OUT, result.output.encode(), is_text=True), Part(ERROR, result.errors.encode(), is_text=True)
    return Answer(result.status, parts)


def _refusal(error: InputError, piece: argparse.Namespace) -> Answer:
    """The answer of a piece that ends with an error."""
    error.place = spelt_place(error.place, piece)
    return Answer(1, (Part(ERROR, f"{error}\n".encode(errors="surrogatepass"), is_text=True),))


def _written(answer: Answer, piece: argparse.Namespace) -> Answer:
    """The answer after its file was written, which a line reports."""
    parts: list[Part] = []
    for part in answer.parts:
        if part.channel != FILE:
            parts.append(part)
            continue
        try:
            make_folder_of(piece.output)
            replace_file(piece.output, part.data)
        except InputError as error:
            return _refusal(error, piece)
        line = f"wrote {piece.output}: {len(part.data)} bytes\n"
        parts.append(Part(ERROR, line.encode(errors="surrogatepass"), is_text=True))
    return Answer(answer.status, tuple(parts))


def _text(answer: Answer, channel: str) -> str:
    data = b"".join(part.data for part in answer.parts if part.channel == channel)
    return data.decode(errors="backslashreplace")


def _summary(count: int, failed: Sequence[str]) -> str:
    if not failed:
        return "all succeeded"
    names = ", ".join(failed[:_LONGEST_LIST]) + (" ..." if len(failed) > _LONGEST_LIST else "")
    return f"{count - len(failed)} succeeded, {len(failed)} failed: {names}"
