"""The choices of a search: the schedule of a launch, and the options of the compile."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from asmgen.blockwise.schedules.choices import Choice, choice_text
from asmgen.options import Options
from asmgen.tuning.build import Build

Schedules = tuple[tuple[str, Choice], ...]
"""The schedule of each launch, by its name."""


class Candidate(Struct, frozen=True):
    """A schedule of the launch with this number, with a build."""

    launch: int
    choice: Choice
    build: Build

    @property
    def text(self) -> str:
        """The candidate in words, without its launch."""
        return " ".join([choice_text(self.choice), *self.build.words])


class Measured(Struct, frozen=True):
    """The time of a launch. `binds` is its limit in words; empty for an estimate."""

    microseconds: float
    clocks: float = 0.0
    vgprs: int = 0
    binds: str = ""


def schedule_texts(schedules: Schedules) -> tuple[str, ...]:
    """Schedules as values of `--schedule`."""
    if len(schedules) == 1:
        return (choice_text(schedules[0][1]),)
    return tuple([f"{name}={choice_text(choice)}" for name, choice in schedules])


def stated_options(schedules: Sequence[tuple[str, Choice]], build: Build, options: Options) -> Options:
    """The options of a compile with these schedules and this build."""
    return replace(build.applied(options), schedules=schedule_texts(tuple(schedules)))
