"""A program to tune: the launches that the compiler makes of a source, and the search of their schedules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Protocol

from msgspec import Struct

from asmgen.blockwise.schedules.choices import Choice
from asmgen.compilation import Source
from asmgen.compiled import CompiledProgram
from asmgen.compiler import compile_read
from asmgen.ir.stage import Stage
from asmgen.options import Options
from asmgen.profile.launches import Launch, LaunchOptions
from asmgen.profile.sources import launches_of_source, profiled
from asmgen.tuning.build import Build
from asmgen.tuning.candidates import Candidate, stated_options
from asmgen.tuning.combined import Combined, fastest
from asmgen.tuning.judge import Judge
from asmgen.tuning.search import Ask, Search
from asmgen.tuning.seeds import builds, seeds
from isa.diagnostics import InputError
from isa.targets import TargetId


class Whole(Protocol):
    """Judges whole programs. A program is faster than another if its time is less by a part `least_gain`."""

    @property
    def least_gain(self) -> float: ...

    def time(self, program: CompiledProgram) -> float:
        """The microseconds of a program. Raises `InputError` if it does not run."""
        ...

    def check(self, program: CompiledProgram) -> None:
        """Raise `InputError` if the results of a program are wrong."""
        ...


class Found(Struct, frozen=True):
    """The fastest combinations of a search, the fastest first, and the compiler's own; None if that does not
    compile within its limits. `faster` is the first that is faster than the compiler's as a whole program,
    with its share of the time; None if none is. `rejected` would be faster, but the whole program fails or is
    wrong."""

    best: tuple[Combined, ...]
    usual: Combined | None
    faster: Combined | None = None
    share: float = 1.0
    rejected: tuple[tuple[Combined, InputError], ...] = ()


class Subject(Struct, frozen=True):
    """A tensor program to tune for a target. `sizes` are those of its named dims."""

    source: Source
    target: TargetId
    options: Options
    sizes: Mapping[str, int]
    judge: Judge

    @staticmethod
    def of(source: Source, target: TargetId, options: Options, sizes: Mapping[str, int]) -> Subject:
        """Compile a source with the compiler's own schedules. Raises `InputError` TUN001 for a source without
        launches to schedule, TUN004 if all its results are without elements, PRF001 and PRF002 for sizes that
        are not those of its named dims."""
        program = compile_read(source, target, options)
        compilation = program.compilation
        file = compilation.stages.gridwise
        if Stage.GRAPH not in source.stages.programs or file is None:
            message = f"{source.place} is not a tensor program, so its launches are not scheduled"
            raise InputError(source.place, "TUN001", message, help="give a catalogue kernel or a .gen file")
        subject = Subject(source, target, compilation.options, sizes, Judge(file, compilation.options, sizes))
        if not subject.launches(program):
            message = (
                "nothing is launched, since every result is without elements, wanted a result to compute"
            )
            raise InputError(source.place, "TUN004", message)
        return subject

    @property
    def names(self) -> list[str]:
        """The names of the launches."""
        return [launch.name for launch in self.judge.launches]

    def search(self, ask: Ask, most: int, has_exact: bool = False) -> Search:
        """Search at most `most` candidates; with `has_exact`, orders by a solver are among them."""
        starts = [list(dict.fromkeys(self._starts(number))) for number in range(len(self.names))]
        search = Search(ask, starts, Build.of(self.options), most)
        target = self.target.target
        search.run(lambda build, vgprs: builds(build, target, vgprs, has_exact))
        return search

    def _starts(self, number: int) -> Iterator[Choice]:
        """The compiler's choice for a launch, then others to begin with."""
        choice = self.judge.launches[number].choice
        yield choice
        yield from seeds(partial(self.judge.graph, number), choice, self.target.target)

    def found(self, search: Search, count: int, whole: Whole | None = None) -> Found:
        """The `count` best combinations of a search. `whole` judges whole programs, by default the clock
        model."""
        whole = whole or ByModel(self)
        build = Build.of(self.options)
        usual = [Candidate(number, launch.choice, build) for number, launch in enumerate(self.judge.launches)]
        if any(candidate not in search.times for candidate in usual):
            return Found((), None)
        default = Combined(tuple(usual), tuple([search.times[candidate] for candidate in usual]))
        best = tuple(fastest(search, len(usual), count))
        before = whole.time(self.compiled(default))
        rejected: list[tuple[Combined, InputError]] = []
        for combined in best:
            if combined.microseconds >= default.microseconds:
                break
            try:
                program = self.compiled(combined)
            except InputError:  # with other registers the program is cut into other launches
                continue
            try:
                after = whole.time(program)
                if after >= before * (1 - whole.least_gain):
                    continue
                whole.check(program)
            except InputError as error:
                rejected.append((combined, error))
                continue
            return Found(best, default, combined, after / before, tuple(rejected))
        return Found(best, default, rejected=tuple(rejected))

    def schedules(self, combined: Combined) -> tuple[tuple[str, Choice], ...]:
        """The schedules of a combination by the names of their launches."""
        choices = [candidate.choice for candidate in combined.candidates]
        return tuple(zip(self.names, choices, strict=True))

    def compiled(self, combined: Combined) -> CompiledProgram:
        """The whole program with the schedules of a combination."""
        options = stated_options(self.schedules(combined), combined.build, self.options)
        return compile_read(self.source, self.target, options)

    def launches(self, program: CompiledProgram) -> list[Launch]:
        """The launches of a whole program, to profile."""
        options = LaunchOptions(sizes={name: (size,) for name, size in self.sizes.items()})
        return launches_of_source(program, self.source.place, options)

    def microseconds(self, program: CompiledProgram) -> float:
        """The time of a whole program."""
        return sum(profile.microseconds for profile in profiled(self.launches(program)).profiles)


class ByModel(Struct, frozen=True):
    """Whole programs by the clock model."""

    subject: Subject

    @property
    def least_gain(self) -> float:
        return 0.0

    def time(self, program: CompiledProgram) -> float:
        return self.subject.microseconds(program)

    def check(self, program: CompiledProgram) -> None:
        """Nothing runs, so there are no results."""
