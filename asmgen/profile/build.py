"""A launch to its profile: recorded on the emulator, replayed by the clock model, and summed up."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf, prod

from msgspec import Struct

from asmgen.profile.advice import Measured, advice_for
from asmgen.profile.charged import Charge, charges_of, lines_of
from asmgen.profile.launches import Launch
from asmgen.profile.limits import bound_of, uses_of
from asmgen.profile.model import LaunchProfile, Rest
from asmgen.profile.recorded import RecordedLaunch, recorded_launch
from asmgen.report.waves import occupancy
from isa.emulator.launching.kernarg import lds_of
from isa.emulator.program.image import Image
from isa.target import Target, round_up
from isa.targets import parse_target
from isa.timing.busy import Busy, Conflicts, busy_units, conflicts_of, executions
from isa.timing.cached import CachedMemory
from isa.timing.caches import CACHES, MEMORY, Caches
from isa.timing.chip import (
    LaunchClocks,
    Residence,
    Taken,
    Traffic,
    launch_clocks,
    microseconds,
    residence,
)
from isa.timing.chips import CHIPS
from isa.timing.machine import MACHINES, Machine
from isa.timing.memory import Costs, KnownCosts
from isa.timing.operation import Operation, Program, operations_of
from isa.timing.timeline import Timeline
from isa.timing.trace import Trace
from isa.timing.trusted import rests_on
from isa.timing.unit import Code, Placement, last_end, replay
from isa.trust import Trust


class Profiled(Struct, frozen=True):
    """A profile, with what pages and traces show of it: the launch and the timeline of the replayed waves."""

    profile: LaunchProfile
    launch: Launch
    timeline: Timeline


class Placed(Struct, frozen=True):
    """The units that run the workgroups of a launch, and the part of a unit that each takes."""

    where: Residence
    taken: Taken


def placed(launch: Launch) -> Placed:
    """The target and units of a launch. Raises `InputError` as `run` does."""
    image = launch.image
    descriptor, target = image.descriptor, parse_target(image.target, image.place).target
    lds_bytes = lds_of(image, launch.call, target).total
    taken = Taken(prod(launch.call.block), descriptor.vgprs, descriptor.sgprs, lds_bytes, descriptor.spread)
    return Placed(residence(target, taken, launch.groups), taken)


def profile_launch(launch: Launch, max_steps: int | None = None) -> Profiled:
    """The profile of a launch. Raises `InputError` as `run` does, and PRF006 if its workgroups wait for each
    other."""
    where = placed(launch)
    return profile_recorded(launch, where, recorded_launch(launch, where.where, max_steps))


def profile_recorded(launch: Launch, placed: Placed, recorded: RecordedLaunch) -> Profiled:
    """The profile of a launch, from a recording of the workgroups to replay."""
    return _Summary(launch, placed, recorded, _timed(launch, placed.where, recorded)).profiled()


def quick_microseconds(launch: Launch) -> float:
    """About the time of a launch: of one of its workgroups, or of the busiest part of the machine if the
    others take as much. Costs a small part of `profile_launch`, and is mostly below its time. Raises as
    `profile_launch`."""
    where = placed(launch).where
    timed = _timed(launch, where, recorded_launch(launch, where, None, most=1))
    return microseconds(timed.clocks, CHIPS[where.target.name])


def clocks_by_place(launch: Launch, places: Sequence[int]) -> list[float]:
    """The clocks of a launch if its code begins so many bytes after the first piece of code that is fetched
    together. Pieces end elsewhere then: an instruction more or less before them moves a fetch, by which
    launches of few clocks gain or lose up to a tenth. Raises as `profile_launch`."""
    where = placed(launch).where
    recorded = recorded_launch(launch, where, None)
    return [_timed(launch, where, recorded, place).clocks.launch for place in places]


class _Timed(Struct):
    """The clocks of a launch, the numbers that these rest on, and the conflicts of LDS."""

    clocks: LaunchClocks
    program: Program
    machine: Machine
    caches: Caches
    busy: Sequence[Busy]
    conflicts: Conflicts


def _timed(launch: Launch, where: Residence, recorded: RecordedLaunch, place: int = 0) -> _Timed:
    """Replay the recorded workgroups of a launch with code that begins at a place."""
    machine = MACHINES[where.target.name]
    trace = recorded.replayed()
    addresses = tuple([place + address for address in trace.addresses]) if place else trace.addresses
    trace = trace._replace(target=where.target, addresses=addresses)
    buffers = launch.buffer_bytes
    caches = CACHES[where.target.name].with_buffers(buffers)
    costs = CachedMemory(recorded.users, buffers).costs(trace, machine)
    # caches share lines between units, so memory moves each byte of a buffer once at most
    moved = min(recorded.asked_bytes, buffers or inf)
    program = operations_of(trace.instructions, trace.target, machine)
    busy = busy_units(trace, program.operations, costs, where.target.simds)
    busiest = max((each.clocks for each in busy if each.unit != MEMORY), default=0.0)
    model = _Replay(trace, program, machine, costs)
    traffic = Traffic(moved, caches.memory_rate.value)
    served = max((each.clocks for each in busy if each.unit == MEMORY), default=0.0)
    clocks = launch_clocks(trace, where, model, traffic, busiest, served)
    return _Timed(clocks, program, machine, caches, busy, conflicts_of(trace, costs))


class _Replay:
    """Replays with costs that are known."""

    def __init__(self, trace: Trace, program: Program, machine: Machine, costs: Costs) -> None:
        self._program = program
        self._machine = machine
        self._costs = costs
        self._later = costs.of_later_groups()
        self._of_waves = {
            (wave.group, wave.number): steps for wave, steps in zip(trace.waves, costs.of_steps, strict=True)
        }

    def timeline(self, trace: Trace, placement: Sequence[Placement]) -> Timeline:
        memory = self._memory(trace, self._costs)
        return replay(trace, memory, placement, self._machine, Code(), self._program)

    def last_end(self, trace: Trace, placement: Sequence[Placement], is_later: bool = False) -> int:
        memory = self._memory(trace, self._later if is_later else self._costs)
        code = None if is_later else Code()
        return last_end(trace, memory, placement, self._machine, code, self._program)

    def _memory(self, trace: Trace, costs: Costs) -> KnownCosts:
        of_steps = [self._of_waves[wave.group, wave.number] for wave in trace.waves]
        return KnownCosts(costs._replace(of_steps=tuple(of_steps)))


class _Summary:
    """Sums up the replay of a launch."""

    def __init__(self, launch: Launch, placed: Placed, recorded: RecordedLaunch, timed: _Timed) -> None:
        self._launch = launch
        self._where = placed.where
        self._taken = placed.taken
        self._recorded = recorded
        self._operations = timed.program.operations
        self._clocks = timed.clocks
        self._machine = timed.machine
        self._caches = timed.caches
        self._busy = timed.busy
        self._conflicts = timed.conflicts

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
        uses = uses_of(self._busy, clocks, where.of_unit, self._machine, self._caches)
        rests = _rests(self._operations, charges, self._machine, self._caches, total)
        waves = occupancy(
            where.target,
            _counted_vgprs(image, where.target),
            taken.sgprs,
            taken.lds_bytes,
            taken.threads,
            is_fixed=True,
        )
        of_unit = min(where.at_once, where.of_unit) * trace.waves_a_group
        resident = min(waves.waves, -(-of_unit // where.target.simds))
        measured = Measured(charges, clocks, waves, where, total, uses, self._conflicts)
        profile = LaunchProfile(
            name=image.name, target=image.target, source=launch.source, grid=launch.call.grid,
            block=launch.call.block, groups=launch.groups, waves=trace.waves_a_group, units=where.units,
            at_once=where.at_once, of_unit=where.of_unit, replayed=len(trace.waves) // trace.waves_a_group,
            paths=_paths(self._recorded.recording.trace), instructions=_instructions(image, trace),
            vgprs=taken.vgprs, sgprs=taken.sgprs, lds_bytes=taken.lds_bytes,
            scratch_bytes=image.descriptor.scratch_bytes,
            group_clocks=clocks.group, launch_clocks=clocks.launch, megahertz=chip.megahertz.value,
            megahertz_trust=chip.megahertz.trust.name.lower(),
            overhead_ns=chip.launch_ns.value,
            overhead_trust=chip.launch_ns.trust.name.lower(),
            microseconds=microseconds(clocks, chip),
            resident_waves=resident, most_waves=waves.most, limited_by=waves.limiting,
            bound=bound_of(uses, charges, trace), roof=max((use.share for use in uses), default=0.0),
            uses=uses, causes=causes, residence=total, rests=rests,
            launch_rests=_launch_rests(clocks, self._caches.memory_rate.trust, rests),
            lines=lines, advice=advice_for(measured),
            notes=self._recorded.notes,
        )  # fmt: skip
        return Profiled(profile, launch, timeline)


def _instructions(image: Image, trace: Trace) -> int:
    """The instructions of the kernel and of the functions that the recorded waves called. A code object may
    have functions of other kernels."""
    counts, code = executions(trace), image.code
    bounds = pairwise([*code.function_starts, len(counts)])
    called = [end - start for start, end in bounds if counts[start:end].any()]
    return code.kernel_end + sum(called)


def _counted_vgprs(image: Image, target: Target) -> int:
    """The VGPRs of the metadata, from which the step to the next wave counts, if a wave then takes those of
    the descriptor, which counts in granules."""
    count, asked, granule = image.counts.vgprs, image.descriptor.vgprs, target.vgpr_granule
    is_same = count is not None and round_up(count, granule) == round_up(asked, granule)
    return count if count is not None and is_same else asked


def _paths(trace: Trace) -> int:
    """How many different paths the recorded workgroups take."""
    size = trace.waves_a_group
    return len(
        {
            tuple(wave.steps.tobytes() for wave in trace.waves[first : first + size])
            for first in range(0, len(trace.waves), size)
        }
    )


def _launch_rests(clocks: LaunchClocks, rate: Trust, rests: tuple[Rest, ...]) -> tuple[Rest, ...]:
    """On which numbers the clocks of the launch rest: if memory bounds it, on its rate."""
    if clocks.memory < clocks.launch:
        return rests
    return (Rest(rate.name.lower(), 1.0),)


def _rests(
    operations: Sequence[Operation], charges: Sequence[Charge], machine: Machine, caches: Caches, total: int
) -> tuple[Rest, ...]:
    """The parts of the clocks which rest on numbers of each trust."""
    sums = dict.fromkeys(Trust, 0)
    for charge in charges:
        culprit = operations[charge.culprit] if charge.culprit >= 0 else None
        sums[rests_on(charge.cause, culprit, machine, caches).trust] += charge.clocks
    return tuple(
        [Rest(trust.name.lower(), clocks / max(1, total)) for trust, clocks in sums.items() if clocks]
    )
