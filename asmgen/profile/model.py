"""The records of a profile. Everything is plain data; text, JSON and pages are made of these records alone.

A *line* is the number of an instruction in the loaded code, as in the listing of `asmgen.report.page`.
"""

from __future__ import annotations

from msgspec import Struct


class Stall(Struct, frozen=True):
    """Clocks of a line that are charged to a cause. `culprit` is the line that it waits for, -1 if there is
    none; `other` says whether another wave executes it."""

    cause: str
    clocks: int
    culprit: int = -1
    other: bool = False


class Line(Struct, frozen=True):
    """An instruction that waves executed: `clocks` are those of all replayed waves, `stalls` their part in
    which the waves issued nothing, the largest first. `op` and `place` name its source."""

    line: int
    text: str
    op: str
    place: str
    executions: int
    clocks: int
    stalls: tuple[Stall, ...]


class Use(Struct, frozen=True):
    """How busy a unit is: the part of the time in which it works. `at_least` is the time of the launch in
    clocks if it alone limited the launch; `trust` is that of the unit's rate."""

    unit: str
    share: float
    at_least: float
    trust: str


class Rest(Struct, frozen=True):
    """The part of some clocks which rests on numbers of a kind (`isa.trust.Trust`)."""

    trust: str
    share: float


class Advice(Struct, frozen=True):
    """Something to try, with the figure that speaks for it. `gain` is the part of the clocks that it
    concerns; `line` is -1 if it concerns no single line."""

    text: str
    gain: float
    line: int = -1


class Bound(Struct, frozen=True):
    """What limits a launch: a unit or a level of memory (`throughput`), the latency of something, the
    issue of instructions, or too few workgroups. `share` is the part of the time for which it does."""

    kind: str
    what: str
    share: float


class LaunchProfile(Struct, frozen=True):
    """The profile of a launch.

    * `waves`: of a workgroup; `units`, `at_once`, `of_unit`: see `isa.timing.chip.Residence`
    * `replayed`: workgroups that the model replayed; `paths`: different paths among the recorded workgroups
    * `group_clocks`, `launch_clocks`: from the start to the end of a workgroup and of the launch
    * `megahertz`, `overhead_ns`: the clock of the machine, and the time of the launch besides its clocks,
      with their trust
    * `rests`, `launch_rests`: how far to trust the clocks of the waves, and those of the launch
    * `resident_waves`, `most_waves`, `limited_by`: waves of a SIMD at once
    * `causes`: clocks of all replayed waves by cause, the largest first; `residence` is their sum
    * `roof`: the part of the launch's time that the busiest unit needs at least
    """

    name: str
    target: str
    source: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    groups: int
    waves: int
    units: int
    at_once: int
    of_unit: int
    replayed: int
    paths: int
    instructions: int
    vgprs: int
    sgprs: int
    lds_bytes: int
    scratch_bytes: int
    group_clocks: float
    launch_clocks: float
    megahertz: float
    megahertz_trust: str
    overhead_ns: float
    overhead_trust: str
    microseconds: float
    resident_waves: int
    most_waves: int
    limited_by: tuple[str, ...]
    bound: Bound
    roof: float
    uses: tuple[Use, ...]
    causes: tuple[tuple[str, int], ...]
    residence: int
    rests: tuple[Rest, ...]
    launch_rests: tuple[Rest, ...]
    lines: tuple[Line, ...]
    advice: tuple[Advice, ...]
    notes: tuple[str, ...]
