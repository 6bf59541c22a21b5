"""The counters of a launch: instructions by unit, lanes that were off, bytes and transactions by level, and
conflicts of LDS.

What instructions and lanes do is exact. Which level of the caches has a line is a model
(`isa.timing.caches`): caches are empty at the start, workgroups go to the compute units in turn, and their
accesses come in the emulator's order.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
from msgspec import Struct, field, to_builtins
from numpy.typing import NDArray

from asmgen.runtime.watching.executions import Executions
from isa.emulator.launching.launch import layout_of
from isa.emulator.observers import Access, AccessKind, Observer, Space
from isa.emulator.program.code import Operation
from isa.emulator.program.image import Image
from isa.emulator.state.waves import Waves
from isa.instruction import ExecMode, Instr, Trait
from isa.target import Target
from isa.timing.caches import CACHES, Hierarchy
from isa.timing.lds import LdsClocks
from isa.timing.trace import Access as WaveAccess

_LINE_BITS = 44  # of the number of a line
_MOST_KEPT = 1 << 22  # numbers of lines before repeated numbers are dropped


class Traffic(Struct):
    """Accesses of a kind: of waves, the bytes that their lanes ask for, and the lines that each touches."""

    accesses: int = 0
    bytes: int = 0
    transactions: int = 0


class Distinct:
    """Numbers, each counted once."""

    def __init__(self) -> None:
        self._kept: list[NDArray[np.int64]] = []
        self._size = 0

    def add(self, numbers: NDArray[np.int64]) -> None:
        self._kept.append(numbers)
        self._size += len(numbers)
        if self._size > _MOST_KEPT:
            self._kept = [np.unique(np.concatenate(self._kept))]
            self._size = len(self._kept[0]) // 2

    def count(self) -> int:
        return len(np.unique(np.concatenate(self._kept))) if self._kept else 0


class LaunchCounters(Struct):
    """The counters of a launch.

    * `instructions`: executed by waves, by unit; `waits`: waits and NOPs among them
    * `vector_lanes`, `idle_lanes`: the lanes of vector instructions, and those of them that were off
    * `memory`, `scratch`, `lds`: accesses of lanes by kind; `scalar`: scalar loads. A transaction is a line
      that an instruction of a wave touches, in LDS a clock
    * `line`: bytes of a line of the first cache; `touched_bytes`: those of the lines that the launch touches
    * `level_bytes`: bytes that vector accesses move to and from each level of the caches, and memory
    * `lds_conflicts`: clocks that LDS takes because lanes want the same bank
    """

    launch: int
    kernel: str
    file: str
    target: str
    workgroups: int
    waves: int
    instructions: dict[str, int]
    waits: int
    vector_lanes: int
    idle_lanes: int
    line: int
    memory: dict[str, Traffic] = field(default_factory=dict[str, Traffic])
    scalar: Traffic = field(default_factory=Traffic)
    scratch: dict[str, Traffic] = field(default_factory=dict[str, Traffic])
    lds: dict[str, Traffic] = field(default_factory=dict[str, Traffic])
    touched_bytes: int = 0
    level_bytes: dict[str, int] = field(default_factory=dict[str, int])
    lds_conflicts: int = 0


class CacheLevels:
    """The caches of a target, and the bytes that go through each level beyond the first, and through memory.

    Compute units that share a second cache are a part of the machine. Workgroups go to the parts in turn, and
    in each to its units.
    """

    def __init__(self, target: Target) -> None:
        levels = CACHES[target.name].vector
        self.line = int(levels[0].line.value)
        self._units = int(levels[1].sharers.value)
        parts = max(1, round(target.compute_units / self._units))
        self._parts = [Hierarchy(levels, self._units) for _ in range(parts)]
        self._names = [*[level.name for level in levels[1:]], "memory"]
        self._sizes = [int(level.line.value) for level in levels]
        self.bytes = dict.fromkeys(self._names, 0)

    def access(self, group: int, lines: list[int], loads: bool) -> None:
        """A wave of a workgroup accesses these lines of the first cache."""
        part = self._parts[group % len(self._parts)]
        unit = group // len(self._parts) % self._units
        asked = part.load(unit, lines) if loads else part.store(lines)
        for name, size, count in zip(self._names, self._sizes, asked, strict=True):
            self.bytes[name] += count * size


class TrafficCounter(Observer):
    """Counts the accesses of a launch."""

    def __init__(self, image: Image) -> None:
        self._operations = image.code.operations
        target = layout_of(image).target
        self.levels = CacheLevels(target)
        self._shift = self.levels.line.bit_length() - 1
        self._clocks = LdsClocks(target)
        self.by_space: dict[Space, dict[str, Traffic]] = {space: {} for space in Space}
        self.scalar = Traffic()
        self.lines = Distinct()
        self.lds_conflicts = 0

    def watches(self, index: int, operation: Operation) -> bool:
        return isinstance(operation, Instr) and bool(operation.row.events)

    def after(self, w: Waves, index: int, accesses: Sequence[Access]) -> None:
        for access in accesses:
            space = access.space(w)
            if access.kind is AccessKind.SCALAR_LOAD:
                traffic = self.scalar
            else:
                traffic = self.by_space[space].setdefault(access.kind.value, Traffic())
            waves = access.waves(w)
            traffic.accesses += len(np.unique(waves))
            traffic.bytes += access.size * len(waves)
            if space is Space.LDS:
                traffic.transactions += self._in_lds(w, index, access, waves)
            elif len(waves):
                traffic.transactions += self._in_memory(w, access, waves, space)

    def _in_memory(self, w: Waves, access: Access, waves: NDArray[np.intp], space: Space) -> int:
        """The lines that an access of memory or scratch touches."""
        addresses = access.addresses(w)
        if space is Space.SCRATCH:  # a lane's words are interleaved with those of the wave's other lanes
            addresses = addresses * w.lanes + 4 * access.lanes(w)
        lines = [addresses >> self._shift]
        if access.size > 1:
            lines.append((addresses + (access.size - 1)) >> self._shift)
        owners = np.tile(waves.astype(np.int64), len(lines)) << _LINE_BITS
        each = np.unique(owners + np.concatenate(lines))
        if space is Space.GLOBAL:
            own = each & ((1 << _LINE_BITS) - 1)
            self.lines.add(np.unique(own))
            if access.kind is not AccessKind.SCALAR_LOAD:
                waves = w.numbers[w.indexes[each >> _LINE_BITS]]
                self._in_caches(waves, w.per_group, own, access.kind is AccessKind.LOAD)
        return len(each)

    def _in_caches(
        self, waves: NDArray[np.intp], per_group: int, lines: NDArray[np.int64], loads: bool
    ) -> None:
        """Each wave accesses its lines, which are next to each other."""
        first = 0
        for end in np.append(np.flatnonzero(np.diff(waves)) + 1, len(waves)).tolist():
            self.levels.access(int(waves[first]) // per_group, lines[first:end].tolist(), loads)
            first = end

    def _in_lds(self, w: Waves, index: int, access: Access, waves: NDArray[np.intp]) -> int:
        """The clocks of an access of LDS."""
        instr = self._operations[index]
        assert isinstance(instr, Instr)
        addresses, lanes = access.addresses(w), access.lanes(w)
        ends = np.append(np.flatnonzero(np.diff(waves)) + 1, len(waves))
        clocks, first = 0, 0
        for end in ends.tolist() if len(waves) else ():
            own = WaveAccess(lanes[first:end], addresses[None, first:end], access.size)
            cost = self._clocks.cost(instr.row, own)
            clocks += cost.clocks
            self.lds_conflicts += cost.conflicts
            first = end
        return clocks


def counted(
    launch: int, image: Image, sizes: tuple[int, int], executions: Executions, traffic: TrafficCounter
) -> LaunchCounters:
    """The counters of a launch; `sizes` are the numbers of its workgroups and of its waves."""
    instructions: dict[str, int] = {}
    waits = vector = on = 0
    lanes = layout_of(image).lanes
    for index, operation in enumerate(image.code.operations):
        waves = int(executions.waves[index])
        if not isinstance(operation, Instr) or not waves:
            continue
        row = operation.row
        instructions[row.unit.value] = instructions.get(row.unit.value, 0) + waves
        waits += waves if not row.traits.isdisjoint(_WAITS) else 0
        if row.exec_mode is ExecMode.MASKED:
            vector += waves * lanes
            on += int(executions.lanes[index])
    return LaunchCounters(
        launch, image.name, image.place.file, image.target, *sizes, instructions, waits, vector, vector - on,
        traffic.levels.line,
        traffic.by_space[Space.GLOBAL], traffic.scalar, traffic.by_space[Space.SCRATCH],
        traffic.by_space[Space.LDS],
        traffic.lines.count() * traffic.levels.line, traffic.levels.bytes, traffic.lds_conflicts,
    )  # fmt: skip


_WAITS = frozenset({Trait.WAIT, Trait.NOP})
_OF_LEVELS = "by vector accesses, if caches are empty before"


def as_json(launches: Sequence[LaunchCounters]) -> str:
    return json.dumps([to_builtins(launch) for launch in launches], indent=1) + "\n"


def text(launches: Sequence[LaunchCounters]) -> str:
    """A page of counters for each launch."""
    return "\n".join("\n".join([*_page(launch), ""]) for launch in launches)


def _page(c: LaunchCounters) -> list[str]:
    total = sum(c.instructions.values())
    units = ", ".join(
        f"{unit} {count}" for unit, count in sorted(c.instructions.items(), key=lambda item: -item[1])
    )
    idle = c.idle_lanes / max(1, c.vector_lanes)
    page = [
        f"counters of launch {c.launch}: {c.kernel} of {c.file}, {c.target}",
        f"  workgroups, waves  {c.workgroups:>12}  {c.waves}",
        f"  instructions       {total:>12}  {units}",
        f"  waits and NOPs     {c.waits:>12}",
        f"  lanes idle         {idle:>12.1%}  {c.idle_lanes} of {c.vector_lanes} of vector instructions",
    ]
    page += _traffic("memory", c.memory, f"lines of {c.line} bytes")
    page += _traffic("", {"scalar load": c.scalar} if c.scalar.accesses else {}, f"lines of {c.line} bytes")
    page += _traffic("scratch", c.scratch, f"lines of {c.line} bytes")
    page += _traffic("lds", c.lds, "clocks")
    if c.lds:
        page.append(f"  lds conflicts      {c.lds_conflicts:>12}  clocks, of the clocks above")
    moved = sum(each.transactions for each in (*c.memory.values(), c.scalar)) * c.line
    asked = sum(each.bytes for each in (*c.memory.values(), c.scalar))
    page += [
        f"  bytes by level     {asked:>12}  asked for by lanes and scalar loads",
        f"{moved:>33}  in the lines that each instruction touches, which the first cache serves",
        *[f"{size:>33}  {name}, {_OF_LEVELS}" for name, size in c.level_bytes.items()],
        f"{c.touched_bytes:>33}  in the lines that the launch touches, each once",
    ]
    return page


def _traffic(space: str, kinds: dict[str, Traffic], unit: str) -> list[str]:
    names = {kind: f"{space} {kind}s".strip() for kind in kinds}
    return [
        f"  {names[kind]:<18} {each.accesses:>12}  {each.bytes} bytes, {each.transactions} {unit}"
        for kind, each in kinds.items()
    ]
