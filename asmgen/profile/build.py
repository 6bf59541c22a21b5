"""A launch to its profile: recorded on the emulator, replayed by the clock model, and summed up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from asmgen.options import MAX_STEPS
from asmgen.profile.advice import advice_for
from asmgen.profile.charged import Charge, charges_of, lines_of
from asmgen.profile.launches import Launch
from asmgen.profile.limits import bound_of, uses_of
from asmgen.profile.model import LaunchProfile, Rest
from asmgen.report.waves import occupancy
from isa.diagnostics import InputError
from isa.emulator.arguments import KernelCall
from isa.emulator.kernarg import lds_of
from isa.emulator.launch import Settings
from isa.emulator.recording import Recording, has_loop, record
from isa.targets import parse_target
from isa.timing.busy import busy_units
from isa.timing.cached import CachedMemory
from isa.timing.caches import CACHES
from isa.timing.chip import (
    CHIPS,
    LaunchClocks,
    Residence,
    Taken,
    launch_clocks,
    microseconds,
    replayed_groups,
    residence,
)
from isa.timing.machine import MACHINES, Machine
from isa.timing.memory import Costs
from isa.timing.operation import operations_of
from isa.timing.timeline import Timeline
from isa.timing.trace import Trace
from isa.timing.traffic import together
from isa.timing.trusted import rests_on
from isa.timing.unit import Placement, replay
from isa.trust import Trust

MOST_STEPS = 2_000_000  # instructions of all waves in a replay
_FEW = 3  # workgroups that are replayed anyway
_STUCK = ("EMU010", "EMU021")


class Profiled(Struct, frozen=True):
    """A profile, with what pages and traces show of it: the launch and the timeline of the replayed waves."""

    profile: LaunchProfile
    launch: Launch
    timeline: Timeline


def profile_launch(launch: Launch, max_steps: int | None = None) -> Profiled:
    """The profile of a launch. Raises `InputError` as `run` does, and PRF006 if its workgroups wait for each
    other."""
    image = launch.image
    descriptor, target = image.descriptor, parse_target(image.target, image.place).target
    x, y, z = launch.block
    call = KernelCall(launch.grid, launch.block, launch.arguments, lds_bytes=launch.lds_bytes)
    lds_bytes = lds_of(image, call, target).total
    taken = Taken(x * y * z, descriptor.vgprs, descriptor.sgprs, lds_bytes, descriptor.spread)
    where = residence(target, taken, launch.groups)
    groups, notes = _chosen(launch, where, max_steps)
    recording = _recorded(launch, {*groups, 0, launch.groups // 2, launch.groups - 1}, max_steps)
    notes += _spins(recording)
    machine = MACHINES[target.name]
    groups = groups if where.of_unit > 1 else (_longest(recording.trace),)
    trace = _of_groups(recording.trace, groups)._replace(target=where.target)
    costs = CachedMemory(together(trace, launch.buffer_bytes)).costs(trace, machine)
    clocks = launch_clocks(trace, where, _Replay(trace, machine, costs), launch.buffer_bytes)
    return _Summary(launch, where, taken, recording, clocks, machine, costs, tuple(notes)).profiled()


class _Replay:
    """Replays with costs that are known."""

    def __init__(self, trace: Trace, machine: Machine, costs: Costs) -> None:
        self._machine = machine
        self._costs = costs
        self._of_waves = {
            (wave.group, wave.number): steps for wave, steps in zip(trace.waves, costs.of_steps, strict=True)
        }

    def costs(self, trace: Trace, machine: Machine) -> Costs:
        """The costs of some of the waves."""
        of_steps = [self._of_waves[wave.group, wave.number] for wave in trace.waves]
        return self._costs._replace(of_steps=tuple(of_steps))

    def __call__(self, trace: Trace, placement: Sequence[Placement]) -> Timeline:
        return replay(trace, self, placement, self._machine)


def _chosen(launch: Launch, where: Residence, max_steps: int | None) -> tuple[tuple[int, ...], list[str]]:
    """The workgroups to replay, so many that the replay does not take minutes, and notes on them."""
    groups = replayed_groups(where)
    if len(groups) < _FEW or not has_loop(launch.image.code):
        return groups, []
    trace = _recorded(launch, (0,), max_steps).trace
    steps = sum(len(wave.steps) for wave in trace.waves[: trace.waves_a_group])
    most = max(1, MOST_STEPS // max(1, steps))
    if most >= len(groups):
        return groups, []
    most = min(most, where.at_once)
    fewer = f", and {where.at_once} run at once" if most < where.at_once else ""
    note = f"a workgroup executes {steps:,} instructions, so only {most} of them are replayed{fewer}"
    return replayed_groups(where, most), [note]


def _spins(recording: Recording) -> list[str]:
    return [
        f"the loop around line {spin.index} waits for other waves: up to {spin.trips} trips, as the emulator "
        f"happened to run it"
        for spin in recording.spins
    ]


def _recorded(launch: Launch, groups: Iterable[int], max_steps: int | None) -> Recording:
    """The recording of some workgroups."""
    settings = Settings(step_limit=max_steps or MAX_STEPS)
    try:
        return record(
            launch.image, launch.grid, launch.block, launch.arguments, sorted(groups),
            settings=settings, lds_bytes=launch.lds_bytes,
        )  # fmt: skip
    except InputError as error:
        if error.code not in _STUCK:
            raise
        message = f"{launch.name}: its workgroups wait for others of the launch, so timing decides its path"
        help = "profile the kernel with a grid of a single workgroup, or the launches before and after it"
        raise InputError(error.place, "PRF006", message, (error.message, *error.notes), help) from error


def _longest(trace: Trace) -> int:
    """The workgroup that executes most: of units with a workgroup each, its unit ends last."""
    steps: dict[int, int] = {}
    for wave in trace.waves:
        steps[wave.group] = steps.get(wave.group, 0) + len(wave.steps)
    return max(steps, key=lambda group: (steps[group], -group))


def _of_groups(trace: Trace, groups: Sequence[int]) -> Trace:
    """The trace of some of its workgroups."""
    wanted = frozenset(groups)
    return trace._replace(waves=tuple([wave for wave in trace.waves if wave.group in wanted]))


class _Summary:
    """Sums up the replay of a launch."""

    def __init__(
        self, launch: Launch, where: Residence, taken: Taken, recording: Recording, clocks: LaunchClocks,
        machine: Machine, costs: Costs, notes: tuple[str, ...],
    ) -> None:  # fmt: skip
        self._launch = launch
        self._where = where
        self._taken = taken
        self._recording = recording
        self._clocks = clocks
        self._machine = machine
        self._costs = costs
        self._notes = notes

    def profiled(self) -> Profiled:
        launch, where, taken, clocks = self._launch, self._where, self._taken, self._clocks
        image, timeline = launch.image, clocks.timeline
        trace, chip = timeline.trace, CHIPS[where.target.name]
        charges = charges_of(timeline)
        lines = lines_of(trace, charges)
        causes = tuple(
            sorted(((cause.value, sum_) for cause, sum_ in timeline.by_cause().items()), key=lambda c: -c[1])
        )
        total = sum(clocks for _, clocks in causes)
        busy = busy_units(trace, self._machine, self._costs, where.target.simds)
        uses = uses_of(busy, clocks, self._machine)
        rests = _rests(trace, charges, self._machine, total)
        waves = occupancy(
            where.target, taken.vgprs, taken.sgprs, taken.lds_bytes, taken.threads, is_fixed=True
        )
        of_unit = min(where.at_once, where.of_unit) * trace.waves_a_group
        resident = min(waves.waves, -(-of_unit // where.target.simds))
        profile = LaunchProfile(
            name=image.name, target=image.target, source=launch.source, grid=launch.grid, block=launch.block,
            groups=launch.groups, waves=trace.waves_a_group, units=where.units, at_once=where.at_once,
            of_unit=where.of_unit, replayed=len(trace.waves) // trace.waves_a_group,
            paths=_paths(self._recording.trace), instructions=len(trace.instructions),
            vgprs=taken.vgprs, sgprs=taken.sgprs, lds_bytes=taken.lds_bytes,
            scratch_bytes=image.descriptor.scratch_bytes,
            group_clocks=clocks.group, launch_clocks=clocks.launch, megahertz=chip.megahertz.value,
            megahertz_trust=chip.megahertz.trust.name.lower(),
            overhead_ns=chip.launch_ns.value,
            overhead_trust=chip.launch_ns.trust.name.lower(),
            microseconds=microseconds(clocks, chip),
            resident_waves=resident, most_waves=waves.most, limited_by=waves.limiting,
            bound=bound_of(uses, charges, trace), roof=max((use.share for use in uses), default=0.0),
            uses=uses, causes=causes, residence=total, rests=rests, launch_rests=_launch_rests(clocks, rests),
            lines=lines, advice=advice_for(charges, clocks, waves, where, total),
            notes=self._notes,
        )  # fmt: skip
        return Profiled(profile, launch, timeline)


def _paths(trace: Trace) -> int:
    """How many different paths the recorded workgroups take."""
    size = trace.waves_a_group
    return len(
        {
            tuple(wave.steps.tobytes() for wave in trace.waves[first : first + size])
            for first in range(0, len(trace.waves), size)
        }
    )


def _launch_rests(clocks: LaunchClocks, rests: tuple[Rest, ...]) -> tuple[Rest, ...]:
    """On which numbers the clocks of the launch rest: if memory bounds it, on its rate."""
    if clocks.memory < clocks.unit:
        return rests
    rate = CACHES[clocks.timeline.trace.target.name].memory_rate
    return (Rest(rate.trust.name.lower(), 1.0),)


def _rests(trace: Trace, charges: Sequence[Charge], machine: Machine, total: int) -> tuple[Rest, ...]:
    """The parts of the clocks which rest on measured, documented, derived and assumed numbers."""
    operations = operations_of(trace.instructions, trace.target, machine).operations
    caches = CACHES[trace.target.name]
    sums = dict.fromkeys(Trust, 0)
    for charge in charges:
        culprit = operations[charge.culprit] if charge.culprit >= 0 else None
        sums[rests_on(charge.cause, culprit, machine, caches).trust] += charge.clocks
    return tuple(
        [Rest(trust.name.lower(), clocks / max(1, total)) for trust, clocks in sums.items() if clocks]
    )
