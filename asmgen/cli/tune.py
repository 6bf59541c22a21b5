"""`tune`: search the schedules of a program that are fastest by the clock model."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing

from msgspec import msgpack
from msgspec.structs import replace

from asmgen.batch.pool import outcomes
from asmgen.batch.worker import Limits
from asmgen.cache.answer import OUT, Answer, Part
from asmgen.cli.batch_progress import batch_progress
from asmgen.cli.each import jobs_of, limits_of
from asmgen.cli.reading import source_of
from asmgen.compilation import Source
from asmgen.compiler import compile_read
from asmgen.gridwise.tiles import tiles
from asmgen.ir.stage import Stage
from asmgen.options import Options, make_options
from asmgen.profile.sources import LaunchOptions, launches_of_source, profiled
from asmgen.profile.text import bound_text
from asmgen.tuning.neighbours import State, texts
from asmgen.tuning.search import Measured, Search
from isa.diagnostics import InputError
from isa.targets import TargetId, parse_target

_SHOWN = 10


def execute(arguments: argparse.Namespace) -> int:
    """Print the fastest schedules. `InputError` TUN001 for a source without launches to schedule, TUN002 for
    a number of candidates below 1."""
    if arguments.candidates < 1:
        message = f"got {arguments.candidates}, wanted a number of candidates from 1 on"
        raise InputError("--candidates", "TUN002", message)
    jobs, limits = jobs_of(arguments), limits_of(arguments)
    target = parse_target(arguments.target)
    options = make_options({"max_vgprs": arguments.max_vgprs, "waves_per_eu": arguments.waves_per_eu})
    source = source_of(arguments.source, arguments.settings)
    start = _start(source, target, options)
    judge = _Judge(source, target, options, arguments.source, jobs, limits)
    search = Search(judge.measure, arguments.candidates)
    search.run(start)
    _print(search, start, arguments)
    return 0


def _start(source: Source, target: TargetId, options: Options) -> State:
    """The schedules that the compiler chooses."""
    program = compile_read(source, target, options)
    chosen = program.compilation.stages.gridwise
    if Stage.GRAPH not in source.stages.programs or chosen is None:
        message = f"{source.place} is no tensor program, so its launches are not scheduled"
        raise InputError(source.place, "TUN001", message, help="give a catalogue kernel or a .gen file")
    return tuple(tiles(chosen).items())


class _Judge:
    """Measures states by the clock model, in processes."""

    def __init__(
        self, source: Source, target: TargetId, options: Options, name: str, jobs: int, limits: Limits
    ) -> None:
        self._source = source
        self._target = target
        self._options = options
        self._name = name
        self._jobs = jobs
        self._limits = limits

    def measure(self, states: Sequence[State]) -> list[Measured | None]:
        """The time of each state; None if it does not compile or reaches a limit."""
        times: list[Measured | None] = [None] * len(states)
        done = 0
        jobs = min(self._jobs, len(states))
        pieces = outcomes(iter(range(len(states))), lambda at: self._answer(states[at]), jobs, self._limits)
        with closing(pieces), batch_progress(len(states)) as bar:
            for item in pieces:
                if item is not None:
                    at, outcome = item
                    done += 1
                    if outcome.answer is not None and outcome.answer.status == 0:
                        times[at] = msgpack.decode(outcome.answer.parts[0].data, type=Measured)
                bar.tell(done, 0)
        return times

    def _answer(self, state: State) -> Answer:
        """The time of a state, in a worker."""
        try:
            options = replace(self._options, schedules=texts(state))
            program = compile_read(self._source, self._target, options)
            profiles = profiled(launches_of_source(program, self._name, LaunchOptions())).profiles
        except InputError:
            return Answer(1, ())
        time = Measured(
            sum(profile.microseconds for profile in profiles),
            sum(profile.launch_clocks for profile in profiles),
            max(profile.vgprs for profile in profiles),
            "; ".join(bound_text(profile) for profile in profiles),
        )
        return Answer(0, (Part(OUT, msgpack.encode(time)),))


def _print(search: Search, start: State, arguments: argparse.Namespace) -> None:
    """Print the fastest states, and the command that compiles the first."""
    best = search.best(_SHOWN)
    count, without = search.counts
    candidates = f"{count} candidate{'s' * (count != 1)}"
    print(
        f"{arguments.source} for {arguments.target}: {candidates}, "
        f"{without} without a time (not compiled, or stopped at a limit)"
    )
    print(f"{'us':>10} {'clocks':>12} {'VGPRs':>5}  schedule")
    for state, time in best:
        mark = " (the default)" if state == start else ""
        figures = f"{time.microseconds:>10.2f} {time.clocks:>12,.0f} {time.vgprs:>5}"
        print(f"{figures}  {' '.join(texts(state))}{mark}")
        print(f"{'':>30} {time.binds}")
    usual = search.time_of(start)
    if not best or usual is None:
        print("no candidate compiles")
        return
    (fastest, time), *_ = best
    if fastest == start:
        print("the default is the fastest")
        return
    words = " ".join(f"--schedule '{text}'" for text in texts(fastest))
    settings = "".join(f" --set {name}={value}" for name, value in arguments.settings)
    share = time.microseconds / usual.microseconds
    print(f"{share:.3f} of the default's time ({usual.microseconds:.2f} us):")
    print(f"  python -m asmgen kernel {arguments.source}{settings} --target {arguments.target} {words}")
