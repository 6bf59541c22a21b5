"""`tune`: search the schedules of a program that are fastest by the clock model or on the device."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing, nullcontext
from functools import cache

from asmgen.batch.worker import Run
from asmgen.cli.batch.each import executor_of, limits_of
from asmgen.cli.grammar.commands import make_command_parser
from asmgen.cli.outputs import Content, check_output, check_place, write_stage
from asmgen.cli.profiling import sizes_by_name
from asmgen.cli.reading import source_of
from asmgen.cli.stages import stage_text
from asmgen.cli.tuned import keep_tuned
from asmgen.cli.tuning.answers import Answers, results_of
from asmgen.cli.tuning.json_output import print_json
from asmgen.cli.tuning.judges import Asked, device_of, judging_of
from asmgen.cli.tuning.table import print_failures, print_result, print_table
from asmgen.ir.stage import Stage
from asmgen.options import EXACT_ORDER, Options, make_options
from asmgen.tuning.build import Build
from asmgen.tuning.candidates import schedule_texts
from asmgen.tuning.combined import Combined
from asmgen.tuning.judge import Judge
from asmgen.tuning.kept import OFF, key_of
from asmgen.tuning.subject import Subject
from isa.diagnostics import InputError
from isa.targets import parse_target

_SHOWN = 10
_WAYS_OUT = {"BAT011": "a larger --max-seconds", "BAT012": "a larger --max-memory"}


def execute(arguments: argparse.Namespace) -> int:
    """Print the fastest schedules. `InputError` TUN001 for a source without launches to schedule, TUN002 for
    a number of candidates below 1, DEV002 for a device that is not there, and the error of the compiler's own
    schedules if they have no time: BAT010 to BAT012, HIP00x."""
    if arguments.candidates < 1:
        message = f"got {arguments.candidates}, wanted a number of candidates from 1 on"
        raise InputError("--candidates", "TUN002", message)
    check_output(arguments.output, Content.GEN, [arguments.source], arguments.force, {})
    check_place(arguments.output)
    device = device_of(arguments, parse_target(arguments.target))
    executor, limits = executor_of(arguments, arguments.candidates), limits_of(arguments)
    subject = _subject(arguments)
    judging = judging_of(arguments, subject, device, executor, limits)
    results = results_of(arguments, judging.name)
    with closing(executor), nullcontext() if results is None else closing(results):
        answers = Answers(judging, subject.judge, results, arguments)
        with answers.shown():
            search = subject.search(answers.ask, arguments.candidates, arguments.order == EXACT_ORDER)
    found = subject.found(search, _SHOWN, judging.whole)
    if found.usual is None:
        raise _without_time(answers)
    failures = {candidate: each.error for candidate, each in answers.refusals.items() if each.is_named}
    if arguments.format == "json":
        print_json(arguments, search, found, subject, judging, failures)
    else:
        print_table(arguments, search, found, subject, judging, failures)
        print_result(arguments, found.usual, found, subject)
    print_failures(subject, failures, found)
    _write(arguments, found.faster or found.usual, subject)
    _keep(arguments, found.faster, found.usual, subject, judging.name)
    return 0


def _without_time(answers: Answers) -> InputError:
    """The error of a search that ended at once, since the compiler's own schedules have no time."""
    error = next(iter(answers.refusals.values())).error
    message = f"the compiler's own schedule has no time, so none is compared: {error.message}"
    return InputError(error.place, error.code, message, help=_WAYS_OUT.get(error.code, ""))


def answers(data: bytes) -> Run:
    """The function that gives the answers of candidates on another machine."""
    asked = Asked.of(data)
    judge = _judge(asked.words)
    return lambda number: asked.answer(judge, number)


@cache
def _judge(words: tuple[str, ...]) -> Judge:
    """The judge of a command line: it is the same for all rounds of a search."""
    parser = make_command_parser(words[0])
    assert parser is not None, "the command was parsed before"
    return _subject(parser.parse_args(words[1:])).judge


def _subject(arguments: argparse.Namespace) -> Subject:
    target = parse_target(arguments.target)
    sizes = {name: size[0] for name, size in sizes_by_name(arguments.sizes).items()}
    source = source_of(arguments.source, arguments.settings)
    return Subject.of(source, target, _options(arguments), sizes)


def _options(arguments: argparse.Namespace) -> Options:
    return make_options(
        {
            "fast_math": arguments.fast_math,
            "contract": not arguments.no_contract,
            "max_vgprs": arguments.max_vgprs,
            "waves_per_eu": arguments.waves_per_eu,
            "nan": arguments.nan,
            "matrix_precision": arguments.matrix_precision,
        }
    )


def _write(arguments: argparse.Namespace, fastest: Combined, subject: Subject) -> None:
    """Write the program with the fastest schedules to -o, as text of the stage gridwise."""
    if arguments.output is None:
        return
    stage = Stage.GRIDWISE.value
    write_stage(arguments.output, stage, stage_text(subject.compiled(fastest).compilation, stage))
    if fastest.build != Build():
        _tell(arguments, f"note: the text states no options: compile it with {' '.join(fastest.build.words)}")


def _tell(arguments: argparse.Namespace, line: str) -> None:
    """Print a line after the table, or beside the JSON document."""
    print(line, file=sys.stderr if arguments.format == "json" else sys.stdout)


def _keep(
    arguments: argparse.Namespace, faster: Combined | None, usual: Combined, subject: Subject, judge: str
) -> None:
    """Keep the fastest schedules in the cache for later compiles. If no others are faster than the
    compiler's, none are kept any more."""
    if arguments.tuned == OFF:
        return
    schedules = () if faster is None else schedule_texts(subject.schedules(faster))
    key = key_of(subject.source.stages.programs[Stage.GRAPH], subject.target, _options(arguments))
    if keep_tuned(arguments, schedules, (faster or usual).build, judge, key) and schedules:
        use = "later compiles of the same source, target and options use it"
        _tell(arguments, f"kept: {use} (--tuned off leaves it out)")
