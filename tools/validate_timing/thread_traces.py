"""Thread traces of real GPUs as traces of the clock model.

A file has the listing of a kernel, and for each wave of a SIMD the byte offset, the clock and the kind of
each event. Most instructions are an event; s_delay_alu, s_wait_alu and, at times, s_barrier_wait and s_endpgm
are none.

A model may know the code, the launch, and the slot, SIMD, start and executed offsets of each wave. It may not
know the clocks of the events; `ThreadTrace.measured` has them to compare with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import count, pairwise, zip_longest
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.diagnostics import InputError
from isa.instruction import Immediate, Instr, Trait
from isa.named_tuple import NamedTuple
from isa.table import table_of
from isa.target import Target
from isa.targets import TARGETS, with_wave_size
from isa.timing.caches import CACHES, Caches
from isa.timing.machine import MACHINES, Machine
from isa.timing.trace import Trace, TracedWave
from isa.timing.unit import Placement
from isa.trust import Latency, Trust
from tools.validate_timing.code_lines import read_line

MODELLED_AS = {"gfx1151": "gfx1100", "gfx1200": "gfx1201"}
"""GPUs that are no target of ours, with the target of the same generation."""
BRANCHES = {"gfx1151": Latency(11, "tinygrad SQTT traces", Trust.DERIVED)}
"""Taken branches of these GPUs, if they differ from their target's."""
FETCHES = {"gfx1200": Latency(384, "tinygrad SQTT traces, discover_ops", Trust.DERIVED)}
"""Fetches of code by these GPUs, if they differ from their target's."""
LAST_CACHE = {"gfx1200": Latency(408, "tinygrad SQTT traces, r_2_8_16", Trust.DERIVED)}
"""Latencies of the last cache of GPUs that find all lines there."""

FIRST_SCALARS = {
    "gfx1151": Latency(5646, "tinygrad SQTT traces, median of three", Trust.DERIVED),
    "gfx1200": Latency(8399, "tinygrad SQTT traces, median of nine", Trust.DERIVED),
}
"""Latencies of scalar loads that no cache has, of GPUs that load arguments from further away."""

_NO_LANE = "EXEC0"  # the kind of a vector instruction that no lane executes
_IN_TURN = 32  # clocks between workgroups of a compute unit, if others get workgroups in between
_SIMDS = 2  # that share a compute unit's memory units on RDNA: SIMD n and SIMD n ^ 2


class ThreadTrace(NamedTuple):
    """A run of a file.

    * `grid`, `block`: workgroups of the launch, if they are known, and threads of a workgroup
    * `gpu`: the GPU as the file names it, `trace.target` is the target that models it
    * `trace`: the traced waves. If they wait for waves that are not traced, these are there too: a copy of a
      traced wave of their workgroup on the other SIMD.
    * `placements`: of each wave of `trace`
    * `traced`: the index in `trace.waves` of each wave of the file
    * `events`: for each wave of the file, the step of each event
    * `measured`: for each wave of the file, the clock of each event
    * `stand_ins`: lines without a row of ours, and the instructions that stand for them
    """

    name: str
    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    gpu: str
    trace: Trace
    placements: tuple[Placement, ...]
    traced: tuple[int, ...]
    events: tuple[NDArray[np.int64], ...]
    measured: tuple[NDArray[np.int64], ...]
    stand_ins: tuple[tuple[str, Instr], ...]

    @property
    def machine(self) -> Machine:
        """The machine that models the GPU."""
        machine = MACHINES[self.trace.target.name]
        return machine._replace(
            branch=BRANCHES.get(self.gpu, machine.branch), fetch=FETCHES.get(self.gpu, machine.fetch)
        )

    @property
    def caches(self) -> Caches:
        """The caches that model those of the GPU."""
        caches = CACHES[self.trace.target.name]
        caches = caches._replace(scalar_memory=FIRST_SCALARS.get(self.gpu, caches.scalar_memory))
        if self.gpu not in LAST_CACHE:
            return caches
        return caches._replace(memory=LAST_CACHE[self.gpu], memory_rate=caches.resident_rate)

    @property
    def grain(self) -> int:
        """The clocks of an issue slot, the smallest step of the trace's clock."""
        return 4 if self.gpu.startswith("gfx9") else 1


def read_thread_traces(folder: Path) -> tuple[list[ThreadTrace], list[InputError]]:
    """The first runs of the files of a folder, and why others cannot be read."""
    traces: list[ThreadTrace] = []
    refused: list[InputError] = []
    for path in sorted(folder.glob("*.json")):
        try:
            traces.append(read_thread_trace(path))
        except InputError as fault:
            refused.append(fault)
    return traces, refused


def read_thread_trace(path: Path) -> ThreadTrace:
    """The first run of a file. Raises `InputError` TIM001 to TIM003."""
    try:
        data = json.loads(path.read_text())
        return _ThreadTraceReader(path.name, data, data["runs"][0]).read()
    except (ValueError, KeyError, IndexError, TypeError) as fault:
        told = f"the file is no thread trace: {type(fault).__name__}: {fault}"
        raise InputError(str(path), "TIM001", told, help="docs/timing.md has the form") from fault


def target_of(gpu: str, wave_size: int, place: str) -> Target:
    """The target that models a GPU."""
    target = TARGETS.get(MODELLED_AS.get(gpu, gpu))
    if target is None:
        wanted = ", ".join([*TARGETS, *MODELLED_AS])
        raise InputError(place, "TIM002", f"GPU {gpu!r} is not modelled, wanted one of {wanted}")
    return with_wave_size(target, wave_size)


class _ThreadTraceReader:
    """Reads a run of a file."""

    def __init__(self, name: str, data: Mapping[str, Any], run: Mapping[str, Any]) -> None:
        self.name, self.data = name, data
        self.gpu: str = data["target"]
        self.target = target_of(self.gpu, data["wave_size"], name)
        if self._is_rdna and len({wave["simd"] % _SIMDS for wave in run["waves"]}) == 1:
            self.target = self.target.on_compute_units()
        self.kinds: Sequence[str] = data["kinds"]
        self.waves: Sequence[Mapping[str, Any]] = run["waves"]
        self.offsets: tuple[int, ...] = tuple(offset for offset, _ in data["code"])
        self.index = {offset: i for i, offset in enumerate(self.offsets)}
        lines = [read_line(text, table_of(self.target), name) for _, text in data["code"]]
        self.instructions = tuple([line.instr for line in lines])
        self.stand_ins = tuple(
            [(text, line.instr) for (_, text), line in zip(data["code"], lines, strict=True) if line.stand_in]
        )

    def read(self) -> ThreadTrace:
        threads = prod(_block(self.data["launch"]))
        waves_a_group = max(1, -(-threads // self.target.wave_size))
        steps, idle, events = zip(*[self._steps(wave["ev"]) for wave in self.waves], strict=True)
        waves: list[TracedWave] = []
        placements: list[Placement] = []
        traced: list[int] = [0] * len(self.waves)
        members_of = self._groups(waves_a_group)
        every = self._groups_between(members_of)
        for group, members in zip(count(0, every), members_of, strict=False):
            for number, (member, simd) in enumerate(members):
                wave = self.waves[member]
                if simd == wave["simd"]:
                    traced[member] = len(waves)
                waves.append(TracedWave(group, number, steps[member], idle[member], {}))
                placements.append(Placement(self._simd(simd), wave["start"]))
        groups: int = self.data["launch"].get("groups") or len(members_of) * every
        return ThreadTrace(
            name=self.name,
            kernel=self.data.get("kernel", ""),
            grid=tuple(self.data["launch"].get("grid_dims") or ()),
            block=_block(self.data["launch"]),
            gpu=self.gpu,
            trace=Trace(
                self.target, self.instructions, self.offsets, tuple(waves), groups, waves_a_group
            ),
            placements=tuple(placements),
            traced=tuple(traced),
            events=events,
            measured=tuple([np.array([event[0] for event in wave["ev"]], np.int64) for wave in self.waves]),
            stand_ins=self.stand_ins,
        )  # fmt: skip

    def _groups_between(self, groups: Sequence[Sequence[tuple[int, int]]]) -> int:
        """The traced unit has each so manieth workgroup of the launch. Workgroups go to the compute units in
        turn. If those of the traced unit start far apart, all other units got as many in between."""
        starts = [self.waves[members[0][0]]["start"] for members in groups]
        apart = [after - before for before, after in pairwise(starts)]
        simds: int = self.data.get("device_props", {}).get("simd_count", 0)
        units = simds // self.target.simds or self.target.units
        launched: int = self.data["launch"].get("groups") or units * len(groups)
        in_turn = bool(apart) and min(apart) >= _IN_TURN and units * (len(groups) - 1) < launched
        return units if in_turn else 1

    def _simd(self, simd: int) -> int:
        """A SIMD by the model's number: on RDNA those of a compute unit are neighbours there."""
        if not self._is_rdna:
            return simd
        return simd // _SIMDS + (simd % _SIMDS * _SIMDS if self.target.simds > _SIMDS else 0)

    @property
    def _is_rdna(self) -> bool:
        return self.target.generation.startswith("rdna")

    def _steps(
        self, events: Sequence[Sequence[int]]
    ) -> tuple[NDArray[np.int32], NDArray[np.bool_], NDArray[np.int64]]:
        """The executed instructions of a wave, which of them no lane executed, and the step of each event."""
        steps: list[int] = []
        idle: list[bool] = []
        places: list[int] = []
        previous = -1
        for event in events:
            at = self.index[event[1]]
            between = self._between(previous, at) if previous >= 0 else range(at)
            steps += [*between, at]
            idle += [False] * len(between) + [self.kinds[event[2]] == _NO_LANE]
            places.append(len(steps) - 1)
            previous = at
        rest = self._to_the_end(previous)
        steps += rest
        idle += [False] * len(rest)
        return np.array(steps, np.int32), np.array(idle, np.bool_), np.array(places, np.int64)

    def _between(self, previous: int, at: int) -> range:
        """The instructions without an event between two events: those that the wave walks over to get from
        the first to the second, straight on or after a branch."""
        instr = self.instructions[previous]
        for first in (previous + 1, self._branch_target(previous)):
            if first <= at and not any(_may_leave(passed) for passed in self.instructions[first:at]):
                return range(first, at)
        if Trait.CALL in instr.row.traits or Trait.BRANCH in instr.row.traits:
            return range(at, at)
        spelt = f"{self.offsets[previous]:#x} to {self.offsets[at]:#x}"
        raise InputError(self.name, "TIM003", f"no way through the code leads from {spelt}")

    def _to_the_end(self, previous: int) -> range:
        """The instructions without an event after the last event; none if the trace was cut before."""
        for at in range(previous, len(self.instructions)):
            instr = self.instructions[at]
            if Trait.END in instr.row.traits:
                return range(previous + 1, at + 1)
            if _may_leave(instr):
                break
        return range(0)

    def _branch_target(self, at: int) -> int:
        """The instruction to which a branch leads: its immediate counts words from its end."""
        for operand in self.instructions[at].operands:
            if isinstance(operand, Immediate):
                words = (operand.bits & 0xFFFF ^ 0x8000) - 0x8000
                return self.index.get(self.offsets[at] + 4 + 4 * words, len(self.offsets))
        return len(self.offsets)

    def _groups(self, waves_a_group: int) -> list[list[tuple[int, int]]]:
        """The waves of each workgroup, as an index of the file's waves and a SIMD.

        A workgroup's waves start successively, in turn on the SIMDs of its compute unit. RDNA traces
        have the waves of a single SIMD, so the others are taken as copies of these, if the launch has them.
        """
        order = sorted(range(len(self.waves)), key=lambda i: (self.waves[i]["start"], i))
        simds = {wave["simd"] for wave in self.waves}
        untraced = 0
        if self._is_rdna and len(simds) == 1:
            untraced = waves_a_group // _SIMDS
        share = waves_a_group - untraced
        groups: list[list[tuple[int, int]]] = []
        for first in range(0, len(order), share):
            members = [(i, self.waves[i]["simd"]) for i in order[first : first + share]]
            copies = [(i, simd ^ 2) for i, simd in members[:untraced]]
            groups.append([each for pair in zip_longest(members, copies) for each in pair if each])
        return groups


def _may_leave(instr: Instr) -> bool:
    """Whether the wave may go on elsewhere after an instruction."""
    traits = instr.row.traits
    return Trait.BRANCH in traits or Trait.CONDITIONAL_BRANCH in traits or Trait.END in traits


def _block(launch: Mapping[str, Any]) -> tuple[int, ...]:
    """The threads of a workgroup in each dimension."""
    return tuple(launch.get("block") or launch["local_dims"])
