"""The workgroups of a launch that the emulator records, and those of them that the model replays."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from asmgen.options import MAX_STEPS
from asmgen.profile.launches import Launch
from isa.diagnostics import InputError
from isa.emulator.deciding import undecided
from isa.emulator.launch import Settings
from isa.emulator.recording import Recording, has_loop, record, waits_for_others
from isa.timing.chip import Residence, replayed_groups
from isa.timing.trace import Trace

MOST_STEPS = 2_000_000  # instructions of all waves in a replay
_FEW = 3  # workgroups that are replayed anyway
_STUCK = ("EMU010", "EMU021")


class RecordedLaunch(Struct, frozen=True):
    """The recorded workgroups of a launch, the places of those to replay, and notes on both."""

    recording: Recording
    groups: tuple[int, ...]
    notes: tuple[str, ...]

    def replayed(self) -> Trace:
        """The trace of the workgroups to replay."""
        wanted = frozenset(self.groups)
        trace = self.recording.trace
        return trace._replace(waves=tuple([wave for wave in trace.waves if wave.group in wanted]))


def recorded_launch(launch: Launch, where: Residence, max_steps: int | None) -> RecordedLaunch:
    """The workgroups to replay; and the first, the middle and the last of the grid, which may take other
    paths. Workgroups that wait for earlier ones are recorded from the first on.

    Raises `InputError` as `run` does, and PRF006 if workgroups wait for later ones.
    """
    code = launch.image.code
    groups, notes = _chosen(launch, where, max_steps) if has_loop(code) else (replayed_groups(where), [])
    try:
        recording = _recorded(launch, {*groups, 0, launch.groups // 2, launch.groups - 1}, max_steps)
    except InputError as error:
        if error.code not in _STUCK or not waits_for_others(code):
            raise
        recording, groups = _from_the_first(launch, max(len(groups), _FEW), max_steps, error)
        notes.append(f"workgroups wait for earlier workgroups, so the first {len(groups)} are replayed")
    if where.of_unit == 1:
        groups = (_longest(recording.trace),)
    return RecordedLaunch(recording, groups, (*notes, *_spins(recording)))


def _chosen(launch: Launch, where: Residence, max_steps: int | None) -> tuple[tuple[int, ...], list[str]]:
    """The workgroups to replay, so many that the replay does not take minutes, and notes on them."""
    groups = replayed_groups(where)
    if len(groups) < _FEW or waits_for_others(launch.image.code):
        return groups, []
    trace = _recorded(launch, (0,), max_steps).trace
    steps = sum(len(wave.steps) for wave in trace.waves)
    most = max(1, MOST_STEPS // max(1, steps))
    if most >= len(groups):
        return groups, []
    most = min(most, where.at_once)
    fewer = f", and {where.at_once} run at once" if most < where.at_once else ""
    note = f"a workgroup executes {steps:,} instructions, so only {most} of them are replayed{fewer}"
    return replayed_groups(where, most), [note]


def _from_the_first(
    launch: Launch, count: int, max_steps: int | None, stuck: InputError
) -> tuple[Recording, tuple[int, ...]]:
    groups = tuple(range(min(count, launch.groups)))
    try:
        return _recorded(launch, groups, max_steps), groups
    except InputError as error:
        if error.code not in _STUCK:
            raise
        message = f"{launch.name}: workgroups wait for later workgroups, so timing decides their path"
        help = "profile the kernel with a grid of a few workgroups, or the launches before and after it"
        raise InputError(stuck.place, "PRF006", message, (stuck.message, *stuck.notes), help) from error


def _recorded(launch: Launch, groups: Iterable[int], max_steps: int | None) -> Recording:
    image = launch.image
    left_out = undecided(image.code, image.descriptor.wave_size)
    settings = Settings(step_limit=max_steps or MAX_STEPS, left_out=left_out)
    return record(
        launch.image, launch.grid, launch.block, launch.arguments, sorted(groups), settings=settings,
        lds_bytes=launch.lds_bytes,
    )  # fmt: skip


def _spins(recording: Recording) -> list[str]:
    return [
        f"the loop around line {spin.index} waits for other waves: up to {spin.trips} trips, as the emulator "
        f"happened to run it"
        for spin in recording.spins
    ]


def _longest(trace: Trace) -> int:
    """The workgroup that executes most: of units with a workgroup each, its unit ends last."""
    steps: dict[int, int] = {}
    for wave in trace.waves:
        steps[wave.group] = steps.get(wave.group, 0) + len(wave.steps)
    return max(steps, key=lambda group: (steps[group], -group))
