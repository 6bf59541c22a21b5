"""What a report says. Everything is plain data: text, JSON and HTML are made of these records alone."""

from __future__ import annotations

from msgspec import Struct

from regalloc.allocation import SpilledValue

FILES = ("VGPR", "AGPR", "SGPR")


class ListedInstruction(Struct, frozen=True):
    """One instruction: its number among the program's points, its text, the source op it comes from and where
    that is."""

    point: int
    text: str
    op: str = ""
    place: str = ""


class Point(Struct, frozen=True):
    """A program point, before an instruction of a block. `live` counts what is live there by `FILES`.

    `pressure` counts what the instruction itself wants: its operands with what lives on, or its results with
    it, whichever is more.
    """

    site: ListedInstruction
    block: str
    live: tuple[int, int, int]
    pressure: tuple[int, int, int]


class LiveValue(Struct, frozen=True):
    """A value live at a peak. `units` of its `size` registers are live there, in `registers` (empty before
    allocation).

    `definitions` are the instructions that may have written it, none where the hardware fills it on entry or
    an edge copies it; `origin` says so. `last_use` is the last of the instructions that read it, by layout.
    """

    name: str
    units: int
    size: int
    registers: str
    origin: str
    definitions: tuple[ListedInstruction, ...]
    last_use: ListedInstruction | None


class Step(Struct, frozen=True):
    """One reason for which more registers (or fewer) are taken than are live; `registers` names them where it
    is about some."""

    reason: str
    count: int
    registers: str = ""
    detail: str = ""


class FileReport(Struct, frozen=True):
    """One register file: the largest pressure, where, what is live there, and the way from it to what a wave
    takes.

    `lower_bound` + the counts of `steps` = `taken`; `used` is one past the highest register named in the
    code, in the unit that the metadata counts in (both vector files together under VGPR); `declared` is what
    the metadata or descriptor says.
    """

    name: str
    lower_bound: int
    peak: ListedInstruction | None
    values: tuple[LiveValue, ...]
    steps: tuple[Step, ...]
    used: int
    declared: int | None
    taken: int


class Limit(Struct, frozen=True):
    """Waves a SIMD that one resource leaves. `fewer` of it give one wave more, `spare` of it more cost
    none."""

    resource: str
    waves: int
    amount: int
    fewer: int | None
    spare: int | None


class Occupancy(Struct, frozen=True):
    """Waves a SIMD holds at once, what limits them, and what the next one would take: `next_step` is empty
    where there is none."""

    waves: int
    most: int
    limiting: tuple[str, ...]
    limits: tuple[Limit, ...]
    next_step: str


class KernelReport(Struct, frozen=True):
    """The report of one kernel. `registers` says what the curves count: virtual registers or physical ones.

    Without metadata `spills` are not known, and `workgroup` is the largest that the target runs. `spilled`
    are the values that they are of, the dearest first, where the kernel was allocated here.
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

    def file(self, name: str) -> FileReport:
        """The record of `VGPR`, `AGPR` or `SGPR`."""
        return self.files[FILES.index(name)]
