"""The workgroups of a launch that the emulator records, those of them that the model replays, and how many
units use the same lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from asmgen.options import MAX_STEPS
from asmgen.profile.launches import Launch
from isa.diagnostics import InputError
from isa.emulator.launching.launch import Settings
from isa.emulator.launching.loaded import Kept
from isa.emulator.recording.deciding import undecided
from isa.emulator.recording.record import (
    Recording,
    counts_others,
    has_loop,
    joined,
    record,
    record_start,
    waits_for_others,
)
from isa.timing.caches import CACHES
from isa.timing.chip import Residence, replayed_groups
from isa.timing.shares import Users
from isa.timing.trace import Trace
from isa.timing.traffic import asked_bytes, together
from isa.timing.users import die_users, groups_of_die

MOST_STEPS = 2_000_000  # instructions of all waves in a replay
_MOST_COUNTED = 128  # workgroups along x that are recorded because they count each other
_FEW = 3  # workgroups that are replayed anyway
_STUCK = ("EMU010", "EMU021")


class RecordedLaunch(Struct, frozen=True):
    """The recorded workgroups of a launch, the places of those to replay, notes on both, the bytes that all
    units ask for, and how many units use a line."""

    recording: Recording
    groups: tuple[int, ...]
    notes: tuple[str, ...]
    asked_bytes: float
    users: Users

    def replayed(self) -> Trace:
        """The trace of the workgroups to replay."""
        return _part(self.recording.trace, self.groups)


class _Recorder:
    """Records workgroups of a launch, each once."""

    def __init__(self, launch: Launch, max_steps: int | None) -> None:
        image = launch.image
        self._launch = launch
        self._settings = Settings(
            step_limit=max_steps or MAX_STEPS, kept=Kept(),
            left_out=undecided(image.code, image.descriptor.wave_size),
        )  # fmt: skip
        self._recording: Recording | None = None

    def recording(self, groups: Iterable[int]) -> Recording:
        """The recording of these workgroups, and of all that were asked for before."""
        launch, known = self._launch, self._recording
        waves = () if known is None else known.trace.waves
        missing = sorted(set(groups) - {wave.group for wave in waves})
        if missing or known is None:
            fresh = record(launch.image, launch.call, missing, settings=self._settings)
            known = fresh if known is None else joined(launch.image, known, fresh)
            self._recording = known
        return known

    def starts(self, groups: Sequence[int]) -> Trace:
        """The trace of these workgroups until they have gone through the code once."""
        launch = self._launch
        steps = len(launch.image.code.operations)
        return record_start(launch.image, launch.call, groups, steps, settings=self._settings)


def recorded_launch(
    launch: Launch, where: Residence, max_steps: int | None, most: int | None = None
) -> RecordedLaunch:
    """The workgroups to replay; and the first, the middle and the last of the grid, which may take other
    paths. Workgroups that wait for earlier workgroups are recorded from the first on. If workgroups count
    each other, all workgroups along x are recorded in order, so that the last of them is replayed. With
    `most` only so many are replayed, and no others are recorded.

    Raises `InputError` as `run` does, and PRF006 if workgroups wait for later workgroups.
    """
    code, lanes = launch.image.code, launch.image.descriptor.wave_size
    recorder, waits = _Recorder(launch, max_steps), waits_for_others(code, lanes)
    groups, notes = replayed_groups(where, most), list[str]()
    others = () if most else (0, launch.groups // 2, launch.groups - 1)
    try:
        if has_loop(code) and not waits:
            groups, notes = _chosen(groups, where, recorder)
        along_x = launch.call.grid[0]
        if not waits and along_x <= _MOST_COUNTED and counts_others(code):
            first = groups[-1] // along_x * along_x
            counted = range(first, first + along_x)
            groups, others = (*groups[:-1], counted[-1]), (*others, *counted)
            recorder = _Recorder(launch, max_steps)
        recording = recorder.recording({*groups, *others})
    except InputError as error:
        if error.code not in _STUCK or not waits:
            raise
        recording, groups = _from_the_first(launch, max(len(groups), _FEW), max_steps, error)
        notes.append(f"workgroups wait for earlier workgroups, so the first {len(groups)} are replayed")
    if where.of_unit == 1:
        groups = (_longest(recording.trace),)
    asked = asked_bytes(_part(recording.trace, groups))
    users = Users(together(asked, launch.buffer_bytes))
    if users.launch > 1 and not waits:
        caches = CACHES[where.target.name]
        of_die = groups_of_die(where, caches, launch.buffer_bytes)
        if of_die:
            users = users._replace(die=die_users(recorder.starts(of_die), where.units, len(groups)))
    return RecordedLaunch(recording, groups, (*notes, *_spins(recording)), asked, users)


def _part(trace: Trace, groups: Sequence[int]) -> Trace:
    """The trace of some of its workgroups."""
    wanted = frozenset(groups)
    return trace._replace(waves=tuple([wave for wave in trace.waves if wave.group in wanted]))


def _chosen(
    groups: tuple[int, ...], where: Residence, recorder: _Recorder
) -> tuple[tuple[int, ...], list[str]]:
    """The workgroups to replay, so many that the replay does not take minutes, and notes on them."""
    if len(groups) < _FEW:
        return groups, []
    steps = sum(len(wave.steps) for wave in recorder.recording((0,)).trace.waves)
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
        return _Recorder(launch, max_steps).recording(groups), groups
    except InputError as error:
        if error.code not in _STUCK or len(groups) == launch.groups:  # there are no later workgroups
            raise
        first = f"{launch.name}: the first {len(groups)} workgroups wait for later workgroups"
        message = f"{first}, so timing decides their path, or they wait for ever"
        help = "profile the kernel with a grid of a few workgroups, or the launches before and after it"
        raise InputError(stuck.place, "PRF006", message, (stuck.message, *stuck.notes), help) from error


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
