"""Examine the kernels of the corpus in processes, and keep each record as its kernel ends."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext

from msgspec import json
from msgspec.structs import replace

from asmgen.batch.results import Head, Result, Results
from asmgen.batch.work import Executor, Work
from asmgen.batch.worker import CRASHED as BY_CRASH
from asmgen.batch.worker import HUNG as BY_TIME
from asmgen.batch.worker import MEMORY as BY_MEMORY
from asmgen.batch.worker import Limits, Outcome, Run
from asmgen.cache.answer import OUT, SECONDS, Answer, Part
from asmgen.cache.store import digest
from asmgen.cache.version import code_version
from asmgen.cli.batch.each import executor_of, limits_of, results_at
from asmgen.cli.batch.progress import batch_progress
from isa.diagnostics import InputError
from tools.corpus import files
from tools.corpus.cases import Case, case_of
from tools.corpus.examine import examine, warm_up
from tools.corpus.record import ABSENT, CRASHED, HUNG, MEMORY, OK, REFUSED, Record

_STATUS = {BY_CRASH: CRASHED, BY_TIME: HUNG, BY_MEMORY: MEMORY}
_NOT_WRONG = frozenset({OK, REFUSED, ABSENT})


def run(options: argparse.Namespace) -> int:
    """Examine the kernels, write the Parquet file, and print a summary; 1 if a kernel is wrong, crashed or
    did not end. `InputError` BAT001 to BAT006 as of a batch, COR002 and COR005 as `files.check_new`."""
    files.check_new(options.output, options.force)
    if options.count < 1 or options.first < 0:
        message = f"got {options.count} from {options.first} on, wanted at least a kernel, from 0 on"
        raise InputError("--count", "COR003", message)
    executor, limits = executor_of(options, options.count), limits_of(options)
    about = files.About(options.seed, options.first, options.count, options.small, code_version(None))
    head = Head("corpus", digest(json.encode(about)))
    kept = results_at(options, lambda: head)
    cases = [case_of(options.seed, options.first + number, options.small) for number in range(options.count)]
    with closing(executor), nullcontext() if kept is None else closing(kept):
        records = _records(cases, kept, executor, _work(about, cases), limits)
    files.write(options.output, about, records)
    print(summary(records))
    return 0 if all(record.status in _NOT_WRONG for record in records) else 1


def _work(about: files.About, cases: Sequence[Case]) -> Work:
    return Work(lambda number: answer_of(cases[number]), "tools.corpus.running:answers", json.encode(about))


def answers(data: bytes) -> Run:
    """The function that gives the answers of kernels on another machine."""
    about = json.decode(data, type=files.About)
    warm_up()
    return lambda number: answer_of(case_of(about.seed, about.first + number, about.is_small))


def _records(
    cases: Sequence[Case], kept: Results | None, executor: Executor, work: Work, limits: Limits
) -> list[Record]:
    known = {} if kept is None else dict(kept.known)
    records: dict[int, Record] = {
        number: json.decode(known[case.name].output, type=Record)
        for number, case in enumerate(cases)
        if case.name in known
    }
    waiting: Iterator[int] = iter([number for number in range(len(cases)) if number not in records])
    warm_up()  # before the workers are forked
    done = wrong = 0
    with (
        closing(executor(waiting, work, limits)) as ended,
        batch_progress(len(cases)) as bar,
    ):
        done = len(records)
        for item in ended:
            if item is not None:
                number, outcome = item
                record = records[number] = _record(cases[number], outcome)
                done, wrong = done + 1, wrong + (record.status not in _NOT_WRONG)
                if kept is not None:
                    kept.add(_result(record, outcome))
            bar.tell(done, wrong)
    if kept is not None:
        kept.finish([case.name for case in cases])
    return [records[number] for number in range(len(cases))]


def answer_of(case: Case) -> Answer:
    """The record of a case as the answer of a piece; its time is a part of its own."""
    record = examine(case)
    timeless = json.encode(replace(record, compile_seconds=0.0))
    return Answer(0, (Part(OUT, timeless, is_text=True), Part(SECONDS, json.encode(record.compile_seconds))))


def _record(case: Case, outcome: Outcome) -> Record:
    if outcome.answer is None:
        status = _STATUS[outcome.fault]
        return Record(case.name, case.family, case.kind, case.target, status, outcome.reason)
    timeless, seconds = outcome.answer.parts
    return replace(json.decode(timeless.data, type=Record), compile_seconds=json.decode(seconds.data))


def _result(record: Record, outcome: Outcome) -> Result:
    status = int(record.status not in _NOT_WRONG)
    seconds = round(outcome.seconds, 3)
    return Result(
        record.name, record.name, status, outcome.fault, record.reason, seconds, json.encode(record).decode()
    )


def summary(records: Sequence[Record]) -> str:
    """The kernels by status, refusals by code, missing programs, and each kernel that is not right."""
    counts = Counter(record.status for record in records)
    codes = Counter(record.reason.split()[0] for record in records if record.status == REFUSED)
    lines = [
        f"{len(records)} kernels: {', '.join(f'{count} {status}' for status, count in counts.most_common())}"
    ]
    if codes:
        lines.append("refused: " + ", ".join(f"{count} {code}" for code, count in codes.most_common()))
    absent = Counter(f"{record.family}: {record.reason}" for record in records if record.status == ABSENT)
    lines += [f"absent: {count} {reason}" for reason, count in absent.most_common()]
    lines += [
        f"{each.status}: {each.name}: {each.reason}" for each in records if each.status not in _NOT_WRONG
    ]
    return "\n".join(lines)
