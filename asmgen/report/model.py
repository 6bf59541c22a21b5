"""The records of a report. Everything is plain data: text, JSON and HTML are made of these records alone."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from isa.instruction import Instr
from isa.text.printing import NameOf, format_instr
from regalloc.allocation import SpilledValue

FILES = ("VGPR", "AGPR", "SGPR")


class ListedInstruction(Struct, frozen=True, gc=False):
    """An instruction: its number among the program's points, its text, its source op and the place of
    that."""

    point: int
    text: str
    op: str = ""
    place: str = ""


class Point(Struct, frozen=True, gc=False, eq=False):
    """A program point, before an instruction of a block. `live` counts the live registers there by `FILES`.

    `pressure` counts the registers for the instruction itself: its operands with the values that live on, or
    its results with them, whichever is more. Of thousands of points a text spells a few, so each is spelt if
    it is asked for; points are equal if they are spelt alike.
    """

    number: int
    instr: Instr | None
    name_of: NameOf
    block: str
    live: tuple[int, int, int]
    pressure: tuple[int, int, int]

    @property
    def site(self) -> ListedInstruction:
        """The instruction, or the copies of edge arguments."""
        if self.instr is None:
            return ListedInstruction(self.number, "edge arguments")
        text, origin = format_instr(self.instr, self.name_of), self.instr.origin
        return (
            ListedInstruction(self.number, text, origin.op, self.place)
            if origin is not None
            else ListedInstruction(self.number, text)
        )

    @property
    def place(self) -> str:
        """The place of the source op; empty if it is unknown."""
        origin = self.instr.origin if self.instr is not None else None
        return "" if origin is None or origin.place is None else str(origin.place)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and self._spelt() == other._spelt()

    def __hash__(self) -> int:
        return hash(self._spelt())

    def _spelt(self) -> tuple[object, ...]:
        return self.site, self.block, self.live, self.pressure


class LiveValue(Struct, frozen=True):
    """A value live at a peak. `units` of its `size` registers are live there, in `registers` (empty before
    allocation).

    `definitions` are the instructions that may have written it. There are none if the hardware fills it on
    entry or an edge copies it; `origin` says so. `last_use` is the last instruction, by layout, that reads
    it.
    """

    name: str
    units: int
    size: int
    registers: str
    origin: str
    definitions: tuple[ListedInstruction, ...]
    last_use: ListedInstruction | None


class Step(Struct, frozen=True):
    """A reason for which more registers (or fewer) are taken than are live; `registers` names them if there
    are such."""

    reason: str
    count: int
    registers: str = ""
    detail: str = ""


class Change(Enum):
    """The changes of an attempt (`asmgen.report.attempts`)."""

    RECOMPUTE = "recompute"  # repeat the value's instruction before its next use
    DEFINE_LATER = "define later"  # move it there
    LOAD_LATER = "load later"
    USE_EARLIER = "use earlier"  # move the next use before the peak
    AGPRS = "AGPRs"  # keep the value in AGPRs meanwhile
    SMALLER_TILE = "smaller tile"  # compile the source with other tiles
    TOGETHER = "together"


class Attempt(Struct, frozen=True):
    """A change that lowers the pressure of the VGPRs at their peak, as it was measured in the changed
    program.

    `value` is the value with the changed live range, or the smaller tile. `definition` is the value's
    instruction, and `there` the instruction to which something moves, both before the change. `frees` are the
    registers at the peak that are free then; of a smaller tile, how far the largest pressure falls. `bound`
    and `agprs` are the largest pressures of the changed program, and `instructions` how many more it has.
    """

    change: Change
    value: str
    definition: ListedInstruction | None
    there: ListedInstruction | None
    frees: int
    bound: int
    agprs: int
    instructions: int


class FileReport(Struct, frozen=True):
    """A register file: the largest pressure, its point, the live values there, and the steps to the registers
    that a wave takes.

    `lower_bound` + the counts of `steps` = `taken`; `used` is the highest register named in the code, plus 1,
    in the metadata's unit (both vector files together under VGPR); `declared` is the metadata's or
    descriptor's number. `waves` are numbers of waves of a SIMD, descending, each with the most registers of
    the file with which it runs them. `attempts` are changes that lower the pressure.
    """

    name: str
    lower_bound: int
    peak: ListedInstruction | None
    values: tuple[LiveValue, ...]
    steps: tuple[Step, ...]
    used: int
    declared: int | None
    taken: int
    waves: tuple[tuple[int, int], ...] = ()
    attempts: tuple[Attempt, ...] = ()


class Limit(Struct, frozen=True):
    """Waves a SIMD that a resource allows. `fewer` of it give another wave, `spare` more of it cost none."""

    resource: str
    waves: int
    amount: int
    fewer: int | None
    spare: int | None


class Occupancy(Struct, frozen=True):
    """Waves a SIMD runs at once, their limits, and the step to the next wave: `next_step` is empty if there
    is none."""

    waves: int
    most: int
    limiting: tuple[str, ...]
    limits: tuple[Limit, ...]
    next_step: str


class LivePoint(Struct, frozen=True):
    """The values live at a point, by file in the order of `FILES`; `place` is the user's name of the
    point."""

    place: str
    site: ListedInstruction
    pressure: tuple[int, int, int]
    values: tuple[tuple[LiveValue, ...], ...]


class SpillLine(Struct, frozen=True):
    """A source line with scratch accesses or spill code; `place` is empty if no line is known.

    `stores` and `loads` are instructions that access scratch, of `bytes` a work-item together, and `moves`
    spill code without memory. `depth` is that of the innermost loop around them, and `cost` counts each
    instruction, ten times for every loop around it.
    """

    place: str
    stores: int
    loads: int
    moves: int
    bytes: int
    depth: int
    cost: int


class ResultMemory(Struct, frozen=True):
    """A result of the program that a kernel writes. `over` is the argument with the memory that the result
    takes, empty if the result has memory of its own. `reason` says why, if an argument is donated for it."""

    number: int
    over: str
    reason: str


class KernelReport(Struct, frozen=True):
    """The report of a kernel. `registers` says whether the curves count virtual or physical registers.

    Without metadata `spills` is unknown, and `workgroup` is the largest that the target runs. `spilled` are
    the spilled values, the dearest first, if the kernel was allocated here; `spill_lines` are the source
    lines that access scratch or spill. `at` are the points that the user asked for. `edges` lead from a block
    to a block, and say whether lanes take them. `results` are those that the kernel writes, if shapes are
    known.
    """

    name: str
    target: str
    registers: str
    workgroup: tuple[int, int, int]
    fixed_workgroup: bool
    lds_bytes: int
    scratch_bytes: int
    spills: int | None
    points: tuple[Point, ...]
    files: tuple[FileReport, ...]
    occupancy: Occupancy
    has_metadata: bool = True
    spilled: tuple[SpilledValue, ...] = ()
    spill_lines: tuple[SpillLine, ...] = ()
    at: tuple[LivePoint, ...] = ()
    edges: tuple[tuple[str, str, bool], ...] = ()
    results: tuple[ResultMemory, ...] = ()

    def file(self, name: str) -> FileReport:
        """The record of `VGPR`, `AGPR` or `SGPR`."""
        return self.files[FILES.index(name)]
