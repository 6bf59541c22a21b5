"""The observers of a run, or of the launches of a run file: makes those of each launch."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from msgspec import Struct, field

from asmgen.runtime.watching.capture import Tracer
from asmgen.runtime.watching.counters import LaunchCounters, TrafficCounter, counted
from asmgen.runtime.watching.coverage import KernelCoverage
from asmgen.runtime.watching.executions import ExecutionCounter
from asmgen.runtime.watching.lines import InstructionLines, Span, Stop
from asmgen.runtime.watching.selection import WaveRanges
from asmgen.runtime.watching.state import Item
from asmgen.runtime.watching.stops import Point, Stops, Tell
from asmgen.runtime.watching.trace_file import MOST_LINES, TraceFile
from isa.diagnostics import InputError
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.launch import layout_of
from isa.emulator.observers import Observer
from isa.emulator.program.image import Image


class Shown(Struct, frozen=True):
    """The parts of a run to show.

    * `kernel`: only launches of this kernel are traced, stopped, covered and counted; None: all
    * `trace`: the file of the trace, of the lines of `span` (None: all) in the waves of `waves` (None: all)
    * `breaks`, `at`: the lines at which the run stops, and at which waves are shown by `items`
    * `coverage`, `counters`: whether to collect them
    """

    kernel: str | None = None
    trace: str | None = None
    most_lines: int = MOST_LINES
    span: Span | None = None
    waves: WaveRanges | None = None
    breaks: tuple[Stop, ...] = ()
    at: tuple[Stop, ...] = ()
    items: tuple[Item, ...] = ()
    coverage: bool = False
    counters: bool = False


class Watching:
    """Watches launches, in order. `tell` receives the lines that breakpoints and dumps print."""

    def __init__(self, shown: Shown, tell: Tell) -> None:
        self._shown = shown
        self._tell = tell
        self.trace = None if shown.trace is None else TraceFile(shown.trace, shown.most_lines)
        self.points = [Point(stop, True, shown.items, shown.waves) for stop in shown.breaks]
        self.points += [Point(stop, False, shown.items, shown.waves) for stop in shown.at]
        self.coverage: list[KernelCoverage] = []
        self.counters: list[LaunchCounters] = []
        self._launches = 0

    def launch(self, image: Image, call: KernelCall) -> WatchedLaunch:
        """The next launch."""
        number = self._launches
        self._launches += 1
        watched = WatchedLaunch(image, call)
        if self._shown.kernel not in (None, image.name):
            return watched
        head = _head(number, image, call)
        lines = InstructionLines(image)
        if self.trace is not None:
            self._add_trace(self.trace, watched, lines, head)
        if self.points:
            watched.observers.append(Stops(image, lines, self.points, head, self._tell))
        if self._shown.coverage or self._shown.counters:
            watched.executions = ExecutionCounter(image)
            watched.observers.append(watched.executions)
        if self._shown.coverage:
            watched.ends.append(lambda: self._add_coverage(watched, lines))
        if self._shown.counters:
            traffic = TrafficCounter(image)
            watched.observers.append(traffic)
            watched.ends.append(lambda: self._add_counters(number, watched, traffic))
        return watched

    def _add_trace(
        self, trace: TraceFile, watched: WatchedLaunch, lines: InstructionLines, head: Callable[[int], str]
    ) -> None:
        image = watched.image
        wanted = None if self._shown.span is None else lines.within(self._shown.span)
        title = f"{image.place.file} {image.name}"
        tracer = Tracer(image, lines, wanted, self._shown.waves, trace.launch(title, head))
        watched.observers += tracer.observers()
        watched.ends.append(tracer.flush)

    def _add_coverage(self, watched: WatchedLaunch, lines: InstructionLines) -> None:
        assert watched.executions is not None
        executions = watched.executions.executions()
        for known in self.coverage:
            if known.image is watched.image:
                known.executions, known.launches = known.executions + executions, known.launches + 1
                return
        self.coverage.append(KernelCoverage(watched.image, lines, executions))

    def _add_counters(self, number: int, watched: WatchedLaunch, traffic: TrafficCounter) -> None:
        assert watched.executions is not None
        groups = prod(watched.call.grid)
        sizes = groups, groups * _waves_a_group(watched.image, watched.call)
        executions = watched.executions.executions()
        self.counters.append(counted(number, watched.image, sizes, executions, traffic))

    def missed(self) -> InputError | None:
        """The error for the first line that no wave came to; None if all were met."""
        return next((error for point in self.points if (error := point.missed()) is not None), None)


class WatchedLaunch(Struct):
    """A launch, its observers, and the work after its end, however it ends."""

    image: Image
    call: KernelCall
    observers: list[Observer] = field(default_factory=list[Observer])
    ends: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])
    executions: ExecutionCounter | None = None

    def end(self) -> None:
        for end in self.ends:
            end()


def _waves_a_group(image: Image, call: KernelCall) -> int:
    return -(-prod(call.block) // layout_of(image).lanes)


def _head(launch: int, image: Image, call: KernelCall) -> Callable[[int], str]:
    """Describes a wave by its number."""
    per_group = _waves_a_group(image, call)
    x, y, _ = call.grid

    def head(wave: int) -> str:
        group, own = divmod(wave, per_group)
        place = f"({group % x},{group // x % y},{group // (x * y)})"
        return f"launch {launch}, wave {wave}: wave {own} of {per_group} of workgroup {place}"

    return head
