"""What a search chooses: the schedule of a launch, and the options of the compile."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from asmgen.blockwise.schedules.choices import Choice, choice_text
from asmgen.options import EXACT_ORDER, ORDERS, Options

Schedules = tuple[tuple[str, Choice], ...]
"""The schedule of each launch, by its name."""


class Build(Struct, frozen=True):
    """The options of a compile that a search chooses, as in `Options`."""

    max_vgprs: int | None = None
    waves_per_eu: int | None = None
    schedule: bool = True
    order: str = ORDERS[0]

    @staticmethod
    def of(options: Options) -> Build:
        """The build that options state."""
        return Build(options.max_vgprs, options.waves_per_eu, options.schedule, options.order)

    def applied(self, options: Options) -> Options:
        """The options with this build."""
        return replace(
            options,
            max_vgprs=self.max_vgprs,
            waves_per_eu=self.waves_per_eu,
            schedule=self.schedule,
            order=self.order,
        )

    @property
    def words(self) -> list[str]:
        """The options of the command line."""
        words: list[str] = []
        if self.max_vgprs is not None:
            words += ["--max-vgprs", str(self.max_vgprs)]
        if self.waves_per_eu is not None:
            words += ["--waves-per-eu", str(self.waves_per_eu)]
        if not self.schedule:
            words.append("--no-schedule")
        if self.order == EXACT_ORDER:
            words += ["--order", self.order]
        return words


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
