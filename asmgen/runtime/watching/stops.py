"""Breakpoints and dumps: the registers and the memory of a wave when it comes to a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from asmgen.runtime.watching.lines import InstructionLines, Stop
from asmgen.runtime.watching.selection import WaveRanges
from asmgen.runtime.watching.state import Item, check_items, every_register, shown
from isa.diagnostics import InputError
from isa.emulator.launching.launch import layout_of
from isa.emulator.observers import Observer
from isa.emulator.program.code import Operation
from isa.emulator.program.image import Image
from isa.emulator.state.waves import Waves
from isa.instruction import Instr
from isa.registers import EXEC, MODE, NULL, SCC, VCC, Register
from isa.text.printing import format_instr

Tell = Callable[[str], None]


class Stopped(Exception):
    """A wave has come to a breakpoint; the run ends."""


class Point(Struct):
    """A line at which a wave is shown: the waves of `waves`, or the first that comes there. `ends` is True
    for a breakpoint. `most` counts how often a wave has come to the line, and `hits` how often it was
    shown."""

    stop: Stop
    ends: bool
    items: tuple[Item, ...]
    waves: WaveRanges | None
    most: int = 0
    hits: int = 0

    def missed(self) -> InputError | None:
        """The error if no wave has come to the line, or not often enough."""
        if self.hits:
            return None
        who = "no wave came" if self.waves is None else f"no wave of {self.waves} came"
        often = f" {self.stop.time} times, but at most {self.most}" if self.most else ""
        help = "--coverage - shows the lines that waves came to"
        return InputError(self.stop.line.option, "WAT007", f"{who} to {self.stop.line}{often}", help=help)


class _Placed(Struct):
    """A point of a launch: its instructions, and how often each wave of a chunk has come there."""

    point: Point
    indexes: tuple[int, ...]
    items: tuple[Item, ...]
    counts: dict[int, NDArray[np.int64]] = field(default_factory=dict[int, NDArray[np.int64]])
    done: bool = False


class Stops(Observer):
    """Shows waves at the points of a launch. `head` describes a wave by its number in the launch."""

    def __init__(
        self,
        image: Image,
        lines: InstructionLines,
        points: Sequence[Point],
        head: Callable[[int], str],
        tell: Tell,
    ) -> None:
        self._operations = image.code.operations
        self._layout = layout_of(image)
        self._lines = lines
        self._head = head
        self._tell = tell
        registers = _named(image)
        self._placed = [
            _Placed(point, lines.at(point.stop.line), point.items or every_register(self._layout, registers))
            for point in points
        ]

    def begin(self, w: Waves) -> None:
        for placed in self._placed:
            check_items(placed.point.stop.line.option, placed.items, self._layout, w.memory, w.lds_bytes)
            placed.counts[id(w)] = np.zeros(w.count, np.int64)

    def end(self, w: Waves) -> None:
        for placed in self._placed:
            del placed.counts[id(w)]

    def watches(self, index: int, operation: Operation) -> bool:
        return any(index in placed.indexes for placed in self._placed)

    def before(self, w: Waves, index: int) -> None:
        for placed in self._placed:
            if index in placed.indexes:
                self._come(w, index, placed)

    def _come(self, w: Waves, index: int, placed: _Placed) -> None:
        """Waves of the group have come to a point."""
        point = placed.point
        counts = placed.counts[id(w)]
        counts[w.indexes] += 1
        times = counts[w.indexes]
        chosen = (
            np.ones(w.width, np.bool_) if point.waves is None else point.waves.among(w.numbers[w.indexes])
        )
        if chosen.any():
            point.most = max(point.most, int(times[chosen].max()))
        for wave in np.flatnonzero(chosen & (times == point.stop.time)).tolist():
            if placed.done:
                return
            placed.done = point.waves is None
            point.hits += 1
            self._show(w, index, placed, wave)
            if point.ends:
                raise Stopped

    def _show(self, w: Waves, index: int, placed: _Placed, wave: int) -> None:
        instr = self._operations[index]
        assert isinstance(instr, Instr)
        times = f", time {placed.point.stop.time}" if placed.point.stop.time > 1 else ""
        number = int(w.numbers[w.indexes[wave]])
        word = "break" if placed.point.ends else "dump"
        self._tell(f"{word} at {self._lines.name(index)}{times}: {format_instr(instr)}")
        self._tell(f"  {self._head(number)}, exec={int(w.exec_masks()[wave]):0{w.lanes // 4}x}")
        for item in placed.items:
            for line in shown(item, w, self._layout, wave):
                self._tell(f"  {line}")


def _named(image: Image) -> list[Register]:
    """The registers that the kernel's instructions name, and those of masks and modes."""
    operands = {operand for instr in image.code.instructions for operand in instr.operands}
    registers = {each for each in operands if isinstance(each, Register) and each != NULL}
    return sorted({each for each in registers if each.first not in _CONSTANT} | {EXEC, VCC, SCC, MODE})


_CONSTANT = range(EXEC.first + EXEC.count, SCC.first)  # apertures, the zero flags
