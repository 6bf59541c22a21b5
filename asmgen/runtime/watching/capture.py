"""Captures what instructions do in each wave: EXEC, the registers written, the memory accessed.

The capture copies registers only. A sink makes text of many executions of an instruction at once, so a traced
instruction takes microseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from asmgen.runtime.watching.lines import InstructionLines
from asmgen.runtime.watching.selection import WaveRanges
from isa.emulator.launching.launch import layout_of
from isa.emulator.observers import Access, AccessKind, Observer, Space
from isa.emulator.operands.indexing import destination_index, indexing_of
from isa.emulator.operands.operands import Reader
from isa.emulator.program.code import Operation
from isa.emulator.program.image import Image
from isa.emulator.state.global_memory import Memory
from isa.emulator.state.waves import Waves
from isa.instruction import ExecMode, Instr
from isa.lane_masks import writes_exec
from isa.named_tuple import NamedTuple
from isa.registers import MODE, NULL, Register

# words captured before the sink gets them: for each instruction, and the least and the most. Few words stay
# in the caches of the machine that traces; many executions of an instruction are written at once.
_WORDS_EACH, _LEAST_WORDS, _MOST_WORDS = 1 << 15, 1 << 20, 1 << 24
_WORDS, _MOST_LANES = 64, 64  # of an execution beside its registers, and of a register


class Traced(Struct, frozen=True):
    """An instruction that is traced: its line, its text, and the registers that it writes, vector registers
    by their rows and scalar registers by pair and half. `masked`: only in lanes that EXEC has on."""

    line: str
    text: str
    vectors: tuple[tuple[str, int], ...]
    scalars: tuple[tuple[str, tuple[int, int]], ...]
    masked: bool
    writes_exec: bool
    accesses: bool


class Located(NamedTuple):
    """The memory of an access: the bytes of each lane, in the emulator's memory, from the start of LDS or of
    scratch.

    `offsets` and `reached` are [wave, lane]; a scalar load has one lane.
    """

    kind: AccessKind
    space: Space
    size: int
    offsets: NDArray[np.int64]
    reached: NDArray[np.bool_]


class Log(Struct):
    """The executions of an instruction, in order: the step and the waves of each, EXEC (None if every lane
    was on), the registers written, each beside its place, and the memory accessed.

    `words` is the most that a wave adds to it; `is_full` is False if a lane was off.
    """

    traced: Traced
    words: int
    vectors: list[tuple[list[bytes], int]]
    scalars: list[tuple[list[Any], tuple[int, int]]]
    writes_exec: bool
    is_full: bool = True
    steps: list[int] = field(default_factory=list[int])
    waves: list[NDArray[np.intp]] = field(default_factory=list[NDArray[np.intp]])
    masks: list[NDArray[Any] | None] = field(default_factory=list[NDArray[Any] | None])
    accesses: list[tuple[Located, ...]] = field(default_factory=list[tuple[Located, ...]])


def empty_log(traced: Traced) -> Log:
    words = _WORDS + _MOST_LANES * (len(traced.vectors) + 2 * traced.accesses)
    vectors: list[tuple[list[bytes], int]] = [([], row) for _, row in traced.vectors]
    scalars: list[tuple[list[Any], tuple[int, int]]] = [([], place) for _, place in traced.scalars]
    return Log(traced, words, vectors, scalars, traced.writes_exec)


class Sink(Protocol):
    """Takes the executions of instructions of a launch on waves of `lanes` lanes."""

    def take(self, logs: Sequence[Log], lanes: int, memory: Memory) -> None: ...


class _ExecBefore(Observer):
    """EXEC before the instructions that write it."""

    def __init__(self) -> None:
        self.masks: NDArray[Any] | None = None

    def watches(self, index: int, operation: Operation) -> bool:
        return isinstance(operation, Instr) and writes_exec(operation)

    def before(self, w: Waves, index: int) -> None:
        self.masks = None if w.full else w.exec_masks().copy()


class Tracer(Observer):
    """Traces the instructions `wanted` (None: all) in the waves of `waves` (None: all)."""

    def __init__(
        self,
        image: Image,
        lines: InstructionLines,
        wanted: frozenset[int] | None,
        waves: WaveRanges | None,
        sink: Sink,
    ) -> None:
        self._lines = lines
        self._layout = layout_of(image)
        self._wanted = wanted
        self._selected = waves
        self._sink = sink
        self._exec = _ExecBefore()
        self._operations = image.code.operations
        self._indexing = indexing_of(image.code.operations)
        self._shifts: dict[int, Reader] = {}  # of instructions with a computed destination
        self._logs: dict[tuple[int, int], Log] = {}  # by instruction and shift
        self._chosen: dict[int, NDArray[np.bool_] | None] = {}
        self._step = self._base = self._words = self._lanes = 0
        self._memory = Memory()
        # of the group: its waves, their numbers in the launch, and the chosen waves if not all are
        self._indexes: NDArray[np.intp] | None = None
        self._waves = np.zeros(0, np.intp)
        self._some: NDArray[np.intp] | None = None

    def observers(self) -> list[Observer]:
        return [self._exec, self]

    def begin(self, w: Waves) -> None:
        chosen = None if self._selected is None else self._selected.among(w.numbers)
        self._chosen[id(w)] = None if chosen is not None and chosen.all() else chosen
        self._lanes, self._memory = w.lanes, w.memory

    def end(self, w: Waves) -> None:
        del self._chosen[id(w)]

    def watches(self, index: int, operation: Operation) -> bool:
        if not isinstance(operation, Instr) or (self._wanted is not None and index not in self._wanted):
            return False
        shift = destination_index(operation, self._indexing[index], self._layout)
        if shift is not None:
            self._shifts[index] = shift
        self._logs[index, 0] = empty_log(self._traced(index, operation, 0))
        return True

    def _traced(self, index: int, instr: Instr, shift: int) -> Traced:
        """`shift` is added to the number of the destination."""
        from isa.text.printing import format_instr

        written = instr.defined()
        if index in self._shifts:
            first = instr.operands[0]
            assert isinstance(first, Register), "the first operand is the destination"
            written = (Register(first.first + shift, first.count), *written[len(instr.row.defines) :])
        units = [
            unit
            for register in written
            for unit in register.units
            if unit not in MODE.units and unit not in NULL.units and self._layout.has(Register(unit))
        ]
        vectors = [unit for unit in units if self._layout.is_vector(Register(unit))]
        scalars = [unit for unit in units if not self._layout.is_vector(Register(unit))]
        return Traced(
            self._lines.name(index),
            format_instr(instr),
            tuple((str(Register(unit)), self._layout.row(unit)) for unit in vectors),
            tuple((str(Register(unit)), self._layout.place(unit)) for unit in scalars),
            instr.row.exec_mode is ExecMode.MASKED,
            writes_exec(instr),
            bool(instr.row.events),
        )

    def enter(self, w: Waves, start: int, past: int) -> None:
        if self._words > _LEAST_WORDS and self._words > min(_MOST_WORDS, _WORDS_EACH * len(self._logs)):
            self.flush()
        self._base = self._step - start + 1
        self._step += past - start
        chosen = self._chosen[id(w)]
        self._some = None if chosen is None else np.flatnonzero(chosen[w.indexes])
        if self._some is not None:
            self._waves = w.numbers[w.indexes[self._some]]
            self._indexes = None
        elif self._indexes is not w.indexes:
            self._waves, self._indexes = w.numbers[w.indexes], w.indexes

    def after(self, w: Waves, index: int, accesses: Sequence[Access]) -> None:
        if not len(self._waves):
            return
        if index in self._shifts:
            self._keep_shifted(w, index, self._shifts[index])
            return
        log = self._logs[index, 0]
        log.waves.append(self._waves)
        self._keep(w, index, log, self._some, len(self._waves))
        if log.traced.accesses:
            log.accesses.append(tuple([_located(w, access, self._some) for access in accesses]))

    def _keep(self, w: Waves, index: int, log: Log, some: NDArray[np.intp] | None, count: int) -> None:
        """Keep the registers that an instruction wrote in some waves of the group."""
        masks = self._exec.masks if log.writes_exec else None if w.full else w.exec_masks().copy()
        log.steps.append(self._base + index)
        rows, scalars = w.rows, w.scalars
        if some is None:
            for kept, row in log.vectors:
                kept.append(rows[row].tobytes())
            for kept, place in log.scalars:
                value = scalars[place]  # of a single wave a number, which stays as it is
                kept.append(value if w.width == 1 else value.copy())
        else:
            masks = None if masks is None else masks[some]
            for kept, row in log.vectors:
                kept.append(rows[row][some].tobytes())
            for kept, place in log.scalars:
                kept.append(np.atleast_1d(scalars[place])[some])
        log.masks.append(masks)
        if masks is not None:
            log.is_full = False
        self._words += count * log.words

    def _keep_shifted(self, w: Waves, index: int, shift: Reader) -> None:
        """The same of an instruction with a computed destination, which may differ between waves."""
        shifts = np.broadcast_to(shift(w), (w.width,))
        waves = np.arange(w.width) if self._some is None else self._some
        for number in np.unique(shifts[waves]).tolist():
            some = waves[shifts[waves] == number]
            key = index, number
            if key not in self._logs:
                instr = self._operations[index]
                assert isinstance(instr, Instr)
                self._logs[key] = empty_log(self._traced(index, instr, number))
            self._logs[key].waves.append(w.numbers[w.indexes[some]])
            self._keep(w, index, self._logs[key], some, len(some))

    def flush(self) -> None:
        """Give the captured records to the sink."""
        logs = [log for _, log in sorted(self._logs.items()) if log.steps]
        self._logs = {key: empty_log(log.traced) for key, log in self._logs.items()}
        self._words = 0
        if logs:
            self._sink.take(logs, self._lanes, self._memory)


def _located(w: Waves, access: Access, some: NDArray[np.intp] | None) -> Located:
    space = access.space(w)
    lanes = 1 if access.kind is AccessKind.SCALAR_LOAD else w.lanes
    indexes, place = access.place.indexes, access.place
    if space is not Space.GLOBAL:
        indexes = indexes % max(1, w.lds_bytes if space is Space.LDS else w.scratch_bytes)
    if place.lanes is None:
        offsets, reached = indexes.reshape(w.width, lanes), np.ones((w.width, lanes), np.bool_)
    else:
        offsets, reached = np.zeros((w.width, lanes), np.int64), np.zeros((w.width, lanes), np.bool_)
        offsets.reshape(-1)[place.lanes] = indexes
        reached.reshape(-1)[place.lanes] = True
    if some is not None:
        offsets, reached = offsets[some], reached[some]
    return Located(access.kind, space, access.size, offsets, reached)
